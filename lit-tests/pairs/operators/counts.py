"""counts.py - who arrives, and how many are counted."""

import re

from .operator_ import Operator, has_ring, manifest, override, sites, warps

ON = r"^( *)(\w+)\.{0}\((\w+)\);$"


def several_warps(pair, text, match):
    return warps(text) > 1


def unordered(side, protocols):
    """Rings of a role with several warps that meet at no barrier, where the options say who arrives."""

    def when(pair, text, ring):
        return warps(text) > 1 and ".sync();" not in text and "wgmma" not in text and has_ring(pair, text, side, *protocols)

    return when


OPERATORS = [
    Operator("half-release", "hang", "the empty barrier counts every unit of the role, half of them arrive",
             sites(ON.format("release"), r"\1if (pipelink::thread() < pipelink::threads() / 2)\n\1  \2.release(\3);",
                   lambda pair, text, match: warps(text) > 1 and "arrival::role" not in text and "wgmma" not in text)),
    Operator("half-commit", "hang", "the full barrier counts every unit of the role, half of them arrive",
             sites(ON.format("commit"), r"\1if (pipelink::thread() < pipelink::threads() / 2)\n\1  \2.commit(\3);",
                   lambda pair, text, match: warps(text) > 1 and "arrival::role" not in text
                   and (warps(text) > 4 or "arrival::warpgroup" not in text))),
    Operator("one-releases-for-all", "corrupt", "thread 0 arrives for the role while other warps still read the slot",
             override("consumes", "auto arrive = pipelink::arrival::role", unordered("consumes", ("tma", "thread", "cp_async")))),
    Operator("one-commits-for-all", "corrupt", "thread 0 arrives for the role while other warps still write the slot",
             override("produces", "auto arrive = pipelink::arrival::role", unordered("produces", ("thread",)))),
    Operator("arrives-twice-per-thread", "corrupt", "twice as many arrive as are counted: the slot is given back after half",
             sites(ON.format("release"), r"\1\2.release(\3);\n\1pipelink::mbarrier_arrive(\2.empty_barrier(\3));",
                   lambda pair, text, match: has_ring(pair, text, "consumes", "tma", "thread", "cp_async")
                   and "named" not in pair.sources.get("slots.h", ""))),
    Operator("arrives-with-count", "corrupt", "each arrival counts for two",
             sites(ON.format("commit"), r"\1pipelink::mbarrier_arrive(\2.full_barrier(\3), 2);",
                   lambda pair, text, match: has_ring(pair, text, "produces", "thread") and "results" not in text)),
    Operator("contract-counts-threads", "hang", "the contract says that every thread arrives, the code lets one per unit",
             manifest("node['arrive'] = 'thread'", lambda pair, text, ring: ring.group(3) == "consumes" and warps(text) > 1
                      and re.search(r"arrival::(warp|warpgroup|role)", text + pair.sources.get("slots.h", "") + pair.sources.get("tile.h", "")))),
    Operator("contract-counts-one", "corrupt", "the contract says that one thread arrives, the code lets all of them",
             manifest("node['arrive'] = 'role'", lambda pair, text, ring: ring.group(3) == "consumes" and warps(text) > 1
                      and "arrival::thread" in text and "named" not in pair.name)),
    Operator("contract-counts-one-commit", "corrupt", "the contract says that one thread commits, the code lets all of them",
             manifest("node['arrive'] = 'role'", lambda pair, text, ring: ring.group(3) == "produces" and warps(text) > 1
                      and "arrival::thread" in text and has_ring(pair, text, "produces", "thread"))),
    Operator("barrier-for-fewer", "hang", "a barrier that counts 64 threads is met by more",
             sites(r"const pipelink::barrier<(?:\w+)?> (\w+);",
                   lambda match: f"const pipelink::barrier<fewer_options> {match.group(1)};",
                   lambda pair, text, match: warps(text) > 2)),
    Operator("barrier-for-more", "hang", "a barrier that counts 256 threads is met by 128",
             sites(r"static constexpr unsigned threads = 128;", "static constexpr unsigned threads = 256;")),
    Operator("barrier-met-by-some", "hang", "a warp does not come to the barrier that the others wait at",
             sites(r"^( *)(\w+)\.sync\(\);", r"\1if (pipelink::warp() != 1)\n\1  \2.sync();",
                   lambda pair, text, match: "PIPELINK_EXPORT" in text or warps(text) > 1)),
    Operator("literal-count", "hang", "the barrier is told another number of threads than its contract says",
             sites(r"^( *)(\w+)\.sync\(\);", r'\1asm volatile("bar.sync %0, 64;" ::"r"(\2.id) : "memory");',
                   lambda pair, text, match: "PIPELINK_EXPORT" in text or warps(text) > 2)),
]


def _fewer(operator):
    """Puts the options that barrier-for-fewer names into the stage."""
    options = "struct fewer_options : pipelink::barrier_options {\n  static constexpr unsigned threads = 64;\n};\n"

    def make(pair):
        for mutant in operator.make(pair):
            file = mutant.where.partition(":")[0]
            text = mutant.sources[file]
            at = text.rindex("PIPELINK_RESOURCE", 0, text.index("barrier<fewer_options>"))
            yield type(mutant)(pair, mutant.where, {**mutant.sources, file: text[:at] + options + text[at:]})

    return Operator(operator.name, operator.effect, operator.why, make)


OPERATORS = [_fewer(each) if each.name == "barrier-for-fewer" else each for each in OPERATORS]
