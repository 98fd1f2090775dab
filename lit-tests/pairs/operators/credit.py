"""credit.py - phases, parities, and who may begin."""

from .operator_ import Operator, has_ring, manifest, override, protocol_of, sites

BEGIN = r"(auto (at|turn|to)) = (\w+)\.begin\(\);"


def parity(pair, text, match):
    everything = "".join(pair.sources.values())
    return "ring_credit::pre_arrive" not in everything and "ring_protocol::named" not in everything


def deep(pair, text, match):
    return "depth_min = 1" not in "".join(pair.sources.values()) and "named" not in pair.name


def not_named(pair, text, match):
    return "named" not in pair.name


OPERATORS = [
    Operator("producer-expects-credit", "hang", "the producer waits for an arrival that nobody made beforehand",
             override("produces", "auto credit = pipelink::ring_credit::pre_arrive", parity)),
    Operator("consumer-gives-credit", "corrupt", "the producer writes the first slots twice before they are read",
             override("consumes", "auto credit = pipelink::ring_credit::pre_arrive", parity)),
    Operator("producer-takes-credit", "corrupt", "the producer is one round ahead of what has been given back",
             override("produces", "auto credit = pipelink::ring_credit::parity",
                      lambda pair, text, match: "ring_credit::pre_arrive" in "".join(pair.sources.values()))),
    Operator("both-contracts-give-credit", "corrupt", "slots are released beforehand, the code does not count on it",
             manifest("node['credit'] = 'pre_arrive'", lambda pair, text, ring: ring.group(3) == "produces" and parity(pair, text, ring)
                      and "both")),
    Operator("starts-in-the-second-phase", "corrupt", "waits pass before anything has been done, or never",
             sites(BEGIN, r"\1 = \3.begin();\n  \2.phase = 1;", not_named)),
    Operator("starts-at-the-second-slot", "hang", "one side begins with another slot than the other",
             sites(BEGIN, r"\1 = \3.begin();\n  \2.index = 1;", deep)),
    Operator("phase-never-flips", "corrupt", "in the second round waits pass at once, or never",
             sites(r"\+\+at\) \{", "at.index = (at.index + 1) % at.depth) {", not_named)),
    Operator("one-slot-left-out", "hang", "one side uses every second slot", sites(r", \+\+at\) \{", ", ++at, ++at) {")),
    Operator("cursor-stands-still", "hang", "one side waits for the same slot again", sites(r", \+\+at\) \{", ") {")),
    Operator("cursor-begins-anew", "hang", "each tile begins in the first slot's first phase, the other side goes on",
             sites(r"^    (for \(unsigned (?:step|k) = 0;)", r"    at = BEGIN;\n    \1",
                   lambda pair, text, match: "auto at = " in text)),
    Operator("acquires-the-other-parity", "hang", "the producer waits for the consumer before anything has been filled",
             sites(r"^( *)(\w+)\.acquire\((\w+)\);", r"\1pipelink::mbarrier_wait(\2.empty_barrier(\3), \3.phase);", parity)),
    Operator("waits-for-the-other-parity", "corrupt", "the consumer's wait passes before the slot is full",
             sites(r"^( *)(\w+)\.wait\((\w+)\);", r"\1pipelink::mbarrier_wait(\2.full_barrier(\3), \3.phase ^ 1);", not_named)),
    Operator("waits-for-empty", "corrupt", "the consumer waits on the barrier on which it arrives itself",
             sites(r"^( *)(\w+)\.wait\((\w+)\);", r"\1pipelink::mbarrier_wait(\2.empty_barrier(\3), \3.phase ^ 1);", parity)),
    Operator("wraps-late", "corrupt", "the cursor goes one slot beyond the ring",
             sites(BEGIN, r"\1 = \3.begin();\n  ++\2.depth;", not_named)),
]


def _begin_anew(operator):
    """Names the ring whose cursor it is."""
    import re

    def make(pair):
        for mutant in operator.make(pair):
            file = mutant.where.partition(":")[0]
            text = mutant.sources[file]
            ring = re.search(r"auto at = (\w+)\.begin", text).group(1)
            text = text.replace("at = BEGIN;", f"at = {ring}.begin();")
            if "for (unsigned k" in text and "{\n    at =" not in text:  # the loop over tiles has no braces
                text = re.sub(r"gridDim\.x\)\n    (at = [^\n]*\n)(.*?\n    \})", r"gridDim.x) {\n    \1\2\n  }", text, flags=re.DOTALL)
            yield type(mutant)(pair, mutant.where, {**mutant.sources, file: text})

    return Operator(operator.name, operator.effect, operator.why, make)


OPERATORS = [_begin_anew(each) if each.name == "cursor-begins-anew" else each for each in OPERATORS]
