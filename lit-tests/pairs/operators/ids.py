"""ids.py - barriers that are somebody else's."""

from .operator_ import Operator, Mutant, changed, has_ring, line_of, sites, warps

import re


def literal(barrier_id):
    return r'\1asm volatile("bar.sync ' + barrier_id + r', 128;" ::: "memory");'


def of_128(pair, text, match):
    """A barrier of 128 threads, in a kernel with other named barriers."""
    return several_barriers(pair, text, match) and ("PIPELINK_EXPORT" in text or warps(text) == 4)


def several_barriers(pair, text, match):
    everything = "".join(pair.sources.values())
    return everything.count("pipelink::barrier<") > 1 or "ring_protocol::named" in everything


def before_another(pair, text, match):
    """A later package has barriers, too: ids are given in the order of names."""
    mine = next(name for name in pair.stages if pair.sources[name] == text)
    return any(name > mine and "pipelink::barrier<" in pair.sources[name] for name in pair.stages)


def swap_barriers(pair):
    """Two barriers of one stage change places in one call."""
    for file, text in pair.sources.items():
        names = re.findall(r"pipelink::barrier<\w*> (\w+);", text)
        if len(names) == 2:
            for match in re.finditer(rf"\b({names[0]}|{names[1]})\.(sync|arrive)\(\)", text):
                other = names[1] if match.group(1) == names[0] else names[0]
                yield Mutant(pair, f"{file}:{line_of(text, match.start())}",
                             changed(pair, file, text[:match.start(1)] + other + text[match.end(1):]))


def second_owner(pair):
    """Another package claims the id that one cannot do without."""
    drain = pair.sources.get("drain.cu", "")
    if "id = 9" in drain:
        text = pair.sources["fill.cu"]
        claim = ("struct mine_options : pipelink::barrier_options {\n  static constexpr unsigned id = 9;\n};\n"
                 'PIPELINK_RESOURCE("mine") extern __device__ const pipelink::barrier<mine_options> mine;\n\n')
        text = text.replace("#include <pipelink/tma.h>", "#include <pipelink/barrier.h>\n#include <pipelink/tma.h>")
        text = text.replace("PIPELINK_ROLE(", claim + "PIPELINK_ROLE(")
        text = text.replace("    items.acquire(at);\n", "    mine.sync();\n    items.acquire(at);\n")
        text = text.replace("  if (pipelink::thread() != 0)\n    return;\n", "")
        yield Mutant(pair, "fill.cu:1", changed(pair, "fill.cu", text))


def mbarriers(pair, text, match):
    return not has_ring(pair, text, "produces", "named") and not has_ring(pair, text, "consumes", "named")


SYNC = r"^( *)(\w+)\.sync\(\);"

OPERATORS = [
    Operator("literal-id", "corrupt", "an id that nobody gave: it may be another owner's barrier",
             sites(SYNC, literal("1"), of_128)),
    Operator("literal-id-2", "corrupt", "an id that nobody gave: it may be another owner's barrier",
             sites(SYNC, literal("2"), of_128)),
    Operator("id-0", "hang", "id 0 is the barrier of the whole CTA", sites(SYNC, literal("0"), of_128)),
    Operator("next-id", "corrupt", "the id behind one's own may be another owner's",
             sites(SYNC, r'\1asm volatile("bar.sync %0, %1;" ::"r"(\2.id + 1), "r"(\2.threads) : "memory");', before_another)),
    Operator("other-barrier", "hang", "one side meets at a barrier where the other side is not", swap_barriers),
    Operator("same-id-twice", "hang", "two owners meet on one barrier", second_owner),
    Operator("empty-for-full", "hang", "copies complete bytes on the empty barrier: the full one never ends its phase",
             sites(r"(\w+)\.full_barrier\((\w+)\)\)?;", lambda match: match.group().replace("full_barrier", "empty_barrier"), mbarriers)),
    Operator("first-slot's-barrier", "hang", "all copies complete on the first slot's barrier",
             sites(r"(\w+)\.full_barrier\((\w+)\)", r"\1.full_barrier(\1.begin())",
                   lambda pair, text, match: "depth_max = 1;" not in "".join(pair.sources.values()) and mbarriers(pair, text, match))),
    Operator("other-ring's-barrier", "hang", "a slot's copies complete on another ring's barrier",
             sites(r"a\.full_barrier\(at_a\)", "b.full_barrier(at_b)", lambda pair, text, match: "b.begin()" in text)),
    Operator("other-ring-released", "hang", "a slot of one ring is given back twice, one of the other never",
             sites(r"^( *)(k|a)\.release\(at_\2\);", lambda match: f"{match.group(1)}{'v' if match.group(2) == 'k' else 'b'}.release("
                   f"at_{'v' if match.group(2) == 'k' else 'b'});")),
    Operator("other-ring-waited-for", "corrupt", "a slot is read after another ring's has been waited for",
             sites(r"^( *)(v|b)\.wait\(at_\2\);", lambda match: f"{match.group(1)}{'k' if match.group(2) == 'v' else 'a'}.wait("
                   f"at_{'k' if match.group(2) == 'v' else 'a'});")),
    Operator("releases-the-full-barrier", "hang", "the consumer arrives on the barrier that it waits for",
             sites(r"^( *)(\w+)\.release\((\w+)\);", r"\1pipelink::mbarrier_arrive(\2.full_barrier(\3));", mbarriers)),
]
