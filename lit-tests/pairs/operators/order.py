"""order.py - the same calls in another order, once too often, or not at all."""

from .operator_ import Operator, body, has_ring, sites, warps

CALL = r"^( *)(\w+)\.{0}\((\w+)\);"


def several_warps(pair, text, match):
    return warps(text) > 1


def reads(pair, text, match):
    return "slot" in match.group(4) or "read(" in match.group(4)


def shallow(pair, text, match):
    return "k_options" in text or "k_options" in pair.sources.get("slots.h", "")


OPERATORS = [
    Operator("release-before-read", "corrupt", "the producer may fill the slot while it is read",
             sites(r"^( *)(\w+)\.wait\((\w+)\);\n((?:(?!\.wait|\.release|\n\}).)*?)^ *\2\.release\(\3\);\n",
                   r"\1\2.wait(\3);\n\1\2.release(\3);\n\4", reads)),
    Operator("commit-before-write", "corrupt", "the consumer may read the slot before it is written",
             sites(r"^( *)(\w+)\.acquire\((\w+)\);\n((?:(?!\.commit|\n\}).)*?)^ *\2\.commit\(\3\);\n",
                   r"\1\2.acquire(\3);\n\1\2.commit(\3);\n\4", reads)),
    Operator("acquire-after-fill", "corrupt", "copies go into a slot that may still be read",
             sites(r"^( *)(\w+)\.acquire\((\w+)\);\n((?:(?!\n\}).)*?_load\([^;]*;\n)", r"\4\1\2.acquire(\3);\n",
                   lambda pair, text, match: "elect" not in match.group())),
    Operator("acquire-after-write", "corrupt", "threads write into a slot that may still be read",
             sites(r"^( *)(\w+)\.acquire\((\w+)\);\n((?:(?!\.commit).)*?)^( *\2\.commit)", r"\4\1\2.acquire(\3);\n\5", reads)),
    Operator("acquire-missing", "corrupt", "slots are filled while they are read", sites(CALL.format("acquire") + "\n", "")),
    Operator("wait-missing", "corrupt", "slots are read before they are full",
             sites(r"^( *)(\w+)\.wait\((\w+)\);\n", "", lambda pair, text, match: "try_wait" not in text)),
    Operator("wait-after-read", "corrupt", "slots are read before they are full",
             sites(r"^( *)(\w+)\.wait\((\w+)\);\n((?:(?!\.wait|\.release).)*?)^( *\2\.release)", r"\4\1\2.wait(\3);\n\5", reads)),
    Operator("only-looks", "corrupt", "the slot is read whether it is full or not",
             sites(r"if \(!items\.try_wait\(at\)\)\n *items\.wait\(at\);", "items.try_wait(at);")),
    Operator("one-thread-waits", "corrupt", "the other warps read before the slot is full",
             sites(r"^( *)(\w+)\.wait\((\w+)\);", r"\1if (pipelink::thread() == 0)\n\1  \2.wait(\3);",
                   lambda pair, text, match: warps(text) > 1 and "try_wait" not in text)),
    Operator("one-thread-acquires", "corrupt", "the other warps write while the slot is read",
             sites(CALL.format("acquire"), r"\1if (pipelink::thread() == 0)\n\1  \2.acquire(\3);", several_warps)),
    Operator("release-missing", "hang", "slots are never given back",
             sites(CALL.format("release"), r"\1;")),
    Operator("commit-missing", "hang", "slots never become full", sites(CALL.format("commit"), r"\1;")),
    Operator("double-release", "corrupt", "the slot's next use is given back before it has been read",
             sites(CALL.format("release"), r"\1{\n\1  \2.release(\3);\n\1  \2.release(\3);\n\1}")),
    Operator("double-commit", "corrupt", "the slot's next use counts as full before it has been written",
             sites(CALL.format("commit"), r"\1{\n\1  \2.commit(\3);\n\1  \2.commit(\3);\n\1}")),
    Operator("release-now-and-then", "hang", "every fourth slot is never given back",
             sites(CALL.format("release"), r"\1if (\3.index % 4 != 1)\n\1  \2.release(\3);",
                   lambda pair, text, match: "depth_max = 1;" not in "".join(pair.sources.values()))),
    Operator("releases-the-slot-just-read", "corrupt", "the slot that is still held is given back, the older one never",
             sites(r"items\.release\(held\);\n    held = at;", "items.release(at);\n    held = at;")),
    Operator("releases-what-is-still-read", "corrupt", "matrix instructions of the latest group still read the slot",
             sites(r"ab\.release\(reading\);\n( *)reading = at;", r"ab.release(at);\n\1reading = at;")),
    Operator("release-before-matrix-wait", "corrupt", "matrix instructions still read the slot when it is given back",
             sites(r"^( *)(pipelink::wgmma_wait<\d>\(\);)\n((?: *\w+\.release\(\w+\);\n)+)", r"\3\1\2\n")),
    Operator("v-before-k", "hang", "one side takes V first, the other K, and there is no room for both",
             sites(r"^( *)fetch\(k, at_k, ([^;]*)\);\n *fetch\(v, at_v, ([^;]*)\);", r"\1fetch(v, at_v, \3);\n\1fetch(k, at_k, \2);",
                   lambda pair, text, match: pair.name in ("two-rings-k-ahead",))),
    Operator("holds-k-until-v", "hang", "K is held for V, for which the producer needs K's slot",
             sites(r"^    const uint4 next_k = read\(k, at_k\);\n    k\.release\(at_k\);\n(.*?v\.release\(at_v\);\n)",
                   r"    const uint4 next_k = read(k, at_k);\n\1    k.release(at_k);\n",
                   lambda pair, text, match: pair.name == "two-rings-k-ahead" and False)),
    Operator("holds-without-room", "hang", "K runs ahead and is held, and has one slot",
             sites(r"depth_min = 2, depth_max = 2;\n(.*?v_options)", r"depth_min = 1, depth_max = 1;\n\1",
                   lambda pair, text, match: pair.name == "two-rings-k-ahead-held", r"\.h$")),
    Operator("lag-without-room", "hang", "two slots are under way while the next is waited for, and there are two",
             sites(r"depth_min = [34], depth_max = \d", "depth_min = 2, depth_max = 2",
                   lambda pair, text, match: "lag" in pair.name, r"\.h$")),
    Operator("a-warp-leaves", "hang", "one warp of the role arrives nowhere",
             body("if (pipelink::warp() == 1)\n  return;", several_warps)),
    Operator("leaves-early", "hang", "the consumer ends while slots are still coming",
             sites(CALL.format("wait"), r"\1if (\3.phase == 1 && \3.index == 0)\n\1  break;\n\1\2.wait(\3);",
                   lambda pair, text, match: "tiles" != match.group(2) and "try_wait" not in text
                   and "for (" in text[:match.start()] and len(match.group(1)) > 2)),
    Operator("one-more", "hang", "the consumer waits for one slot more than is filled",
             sites(r"(step|tile|i) < p\.(steps|tiles|count|blocks);", r"\1 <= p.\2;",
                   lambda pair, text, match: has_ring(pair, text, "consumes"))),
    Operator("one-less", "hang", "the consumer leaves a slot of each tile",
             sites(r"step = 0; step < p\.steps", "step = 1; step < p.steps",
                   lambda pair, text, match: has_ring(pair, text, "consumes") and "wait(at)" in text)),
    Operator("only-one-leaves-out", "hang", "one role leaves out tiles that the other does not",
             sites(r"^    if \(p\.skip\[tile\]\)\n      continue;\n", "")),
    Operator("barrier-missing", "corrupt", "one thread arrives for others that are not done",
             sites(r"^ *(written|\w+_read)\.sync\(\);[^\n]*\n", "")),
    Operator("barrier-behind", "corrupt", "the barrier comes after the arrival that it should precede",
             sites(r"^( *(?:written|\w+_read)\.sync\(\);[^\n]*\n)( *\w+\.(?:commit|release)\(\w+\);\n)", r"\2\1",
                   lambda pair, text, match: "lookahead" not in pair.name)),
    Operator("store-without-barrier", "corrupt", "bulk copies read what other threads have not written yet",
             sites(r"(fence_async\(\);\n) *together\.sync\(\);\n", r"\1")),
    Operator("buffer-reused-at-once", "corrupt", "the buffer is written while the last store reads it",
             sites(r"^( *)if \(pipelink::thread\(\) == 0\)\n *pipelink::bulk_wait_read<\d>\(\);\n", "")),
    Operator("buffer-written-before-barrier", "corrupt", "threads write the buffer before thread 0 has seen it free",
             sites(r"^ *together\.sync\(\); // what lay[^\n]*\n", "")),
    Operator("store-not-closed", "corrupt", "a wait for bulk groups does not cover a store that is in none",
             sites(r"^ *pipelink::bulk_commit\(\);\n", "")),
    Operator("store-not-waited-for", "corrupt", "the slot is given back, or the CTA ends, while the store reads it",
             sites(r"^( *)pipelink::bulk_wait_read<0>\(\);\n", "", lambda pair, text, match: "thread() == 0)\n" not in text[match.start() - 40:match.start()])),
    Operator("store-waited-for-by-one-less", "corrupt", "the slot is given back while its store reads it",
             sites(r"bulk_wait_read<(\d)>\(\)", lambda match: f"bulk_wait_read<{int(match.group(1)) + 1}>()")),
    Operator("read-before-write", "corrupt", "the buffer is read before it is written",
             sites(r"^ *written\.sync\(\);\n", "", lambda pair, text, match: "meet" in text)),
    Operator("arrive-before-write", "corrupt", "the barrier says written before it is",
             sites(r"^(    words\.get[^\n]*\n)(    written\.arrive\(\);\n)", r"\2\1")),
    Operator("no-first-credit", "hang", "both roles wait for each other", sites(r"if \(i\)\n *read\.sync\(\);", "read.sync();")),
    Operator("no-arrival", "hang", "nobody says that the buffer has been read",
             sites(r"^ *if \(i \+ 1 < p\.rounds\)\n *read\.arrive\(\);\n", "")),
    Operator("exchange-without-barrier", "corrupt", "a neighbour's sum is read before it is there",
             sites(r"^  together\.sync\(\);\n(  total = early)", r"\1")),
    Operator("overlay-without-barrier", "corrupt", "a slot is overwritten while other warps read it",
             sites(r"^ *together\.sync\(\); // every slot[^\n]*\n", "")),
]
OPERATORS = [each for each in OPERATORS if each.name != "holds-k-until-v"]
