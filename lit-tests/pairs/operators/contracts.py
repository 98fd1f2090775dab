"""contracts.py - two sides that do not mean the same, and demands that nothing can meet."""

import re

from .operator_ import Mutant, Operator, RING, changed, has_ring, line_of, manifest, override, protocol_of, sites


def is_ring(pair, text, ring):
    return ring.group(1) in ("items", "ab", "k")


def tma(pair, text, ring):
    return protocol_of(pair, ring.group(4)) == "tma"


def other_slot(code):
    """The consumer's slot is another type."""

    def make(pair):
        for file, text in pair.sources.items():
            for ring in RING.finditer(text):
                if ring.group(3) == "consumes" and ring.group(2) == "Slot" and ring.group(1) in ("items", "k"):
                    new = code + "\n" + ring.group().replace("ring<Slot,", "ring<Other,")
                    yield Mutant(pair, f"{file}:{line_of(text, ring.start())}",
                                 changed(pair, file, text[:ring.start()] + new + text[ring.end():]))

    return make


def without(stage):
    def make(pair):
        if stage in pair.stages and len(pair.stages) > 1:
            yield Mutant(pair, f"{stage}:1", pair.sources, [each for each in pair.stages if each != stage])

    return make


def holds_silently(pair):
    """A consumer that holds a slot does not say so, and the ring has one slot."""
    drain = pair.sources.get("drain.cu", "")
    if "lookahead = 1;" in drain:
        yield Mutant(pair, "drain.cu:1", {
            **pair.sources, "drain.cu": drain.replace("  static constexpr unsigned lookahead = 1;\n", ""),
            "slots.h": re.sub(r"depth_min = \d, depth_max = \d", "depth_min = 1, depth_max = 1", pair.sources["slots.h"])})


OPERATORS = [
    Operator("other-protocol", "hang", "full never completes, or too early",
             override("consumes", "auto protocol = pipelink::ring_protocol::thread", tma)),
    Operator("other-protocol-cp-async", "hang", "full never completes, or too early",
             override("produces", "auto protocol = pipelink::ring_protocol::cp_async",
                      lambda pair, text, ring: has_ring(pair, text, "produces", "thread"))),
    Operator("other-bytes", "corrupt", "one side counts other bytes into a slot",
             override("consumes", "unsigned tx_bytes = 512", tma)),
    Operator("depths-apart", "corrupt", "no depth suits both sides", override("consumes", "unsigned depth_min = 60, depth_max = 64",
                                                                              lambda pair, text, ring: "depth_max = 64" not in "".join(pair.sources.values()))),
    Operator("holds-all", "hang", "the consumer holds as many slots as there are",
             override("consumes", "unsigned depth_max = 4, lookahead = 3, depth_preferred = 3, depth_min = 1",
                      lambda pair, text, ring: "depth_max = 3" in "".join(pair.sources.values()))),
    Operator("holds-more-than-it-says", "hang", "the consumer holds a slot of a ring that may have one", holds_silently),
    Operator("holds-more-than-it-says-in-matrices", "hang", "matrix instructions hold a slot of a ring that may have one",
             sites(r"depth_min = 2, depth_max = 4, lookahead = 1", "depth_min = 1, depth_max = 1, lookahead = 0", None, r"\.h$")),
    Operator("longer-slot", "corrupt", "the two sides step by different sizes",
             other_slot("struct alignas(16) Other {\n  unsigned x[values + 4];\n};")),
    Operator("other-elements", "corrupt", "one side's words are the other's floats",
             other_slot("struct alignas(16) Other {\n  float x[values];\n};")),
    Operator("other-layout", "corrupt", "one side's fields lie elsewhere",
             other_slot("struct alignas(16) Other {\n  unsigned y[4], x[values - 4];\n};")),
    Operator("stricter-alignment", "corrupt", "the two sides step by different sizes",
             override("consumes", "unsigned slot_align = 4096", is_ring)),
    Operator("nobody-fills", "hang", "the consumer waits for ever", without("fill.cu")),
    Operator("nobody-empties", "hang", "the producer waits for ever", without("drain.cu")),
    Operator("nobody-provides", "fault", "a function is called that nobody has", without("steps.cu")),
    Operator("nobody-provides-epilogue", "fault", "a function is called that nobody has", without("epilogue.cu")),
    Operator("misspelt-ring", "hang", "two rings with one side each",
             sites(r'PIPELINK_RESOURCE\("(items|ab)"\)', r'PIPELINK_RESOURCE("\1_")')),
    Operator("other-signature", "corrupt", "arguments are passed that the other side does not take",
             sites(r"unsigned steps_of\(unsigned tile, unsigned most\);", "unsigned steps_of(unsigned tile, float most);")),
    Operator("other-fragment", "corrupt", "the epilogue reads registers that were never passed",
             sites(r"void epilogue\(const float \(&d\)\[128\](, float \*c, unsigned row\)) \{",
                   r"void epilogue(const float (&d)[256]\1 {", lambda pair, text, match: "store(d" not in text)),
    Operator("registers-beyond-the-pool", "hang", "warpgroups wait for registers that nobody gives back",
             sites(r"PIPELINK_REGISTERS\(64, \d+, \d+\)", "PIPELINK_REGISTERS(248, 248, 248)")),
    Operator("registers-out-of-step", "fault", "setmaxnreg moves eight at a time",
             sites(r"PIPELINK_REGISTERS\((\d+), (\d+), (\d+)\)", r"PIPELINK_REGISTERS(\1, 100, \3)")),
    Operator("other-cluster", "fault", "a launch has one cluster size", sites(r"PIPELINK_CLUSTER\(2\)", "PIPELINK_CLUSTER(4)")),
    Operator("too-many-warps", "fault", "a CTA has 32 warps",
             sites(r"PIPELINK_ROLE\(\"(drain|fill|multiply|load)\", \d+\)", r'PIPELINK_ROLE("\1", 32)')),
    Operator("part-of-a-warpgroup", "corrupt", "wgmma takes the four warps of a warpgroup",
             sites(r"PIPELINK_ROLE\(\"multiply\", (4|8)\)", lambda match: f'PIPELINK_ROLE("multiply", {int(match.group(1)) - 2})',
                   lambda pair, text, match: "wgmma" in text)),
    Operator("too-much-memory", "fault", "a CTA has 227 KiB of shared memory",
             sites(r"buffer<(unsigned|uint4|float)\[\w+\]", r"buffer<\1[60000]")),
    Operator("slots-too-deep-for-memory", "fault", "a CTA has 227 KiB of shared memory",
             sites(r"depth_min = \d, depth_max = \d(, lookahead)", r"depth_min = 12, depth_max = 12\1",
                   lambda pair, text, match: "tile_n = 256" in text, r"\.h$")),
    Operator("barriers-beyond-fifteen", "fault", "a CTA has fifteen named barriers to give",
             sites(r"depth_min = \d, depth_max = \d", "depth_min = 8, depth_max = 8",
                   lambda pair, text, match: "ring_protocol::named" in text, r"\.h$")),
    Operator("id-16", "fault", "a CTA has the named barriers 1 to 15", sites(r"unsigned id = \d;", "unsigned id = 16;")),
    Operator("other-swizzle", "corrupt", "the copies write another layout than matrix instructions read",
             sites(r"pipelink::swizzle::bytes_128", "pipelink::swizzle::none",
                   lambda pair, text, match: "tma_load" in text)),
    Operator("overlay-without-ring", "corrupt", "what lies below is not what guards it",
             sites(r'overlay = "items"', 'overlay = "item"')),
    Operator("overlay-in-use", "corrupt", "the ring's slots are still being filled when the buffer is written",
             sites(r"^( *)(total = \{total.x)", r"\1result.get()[pipelink::thread()] = x.x;\n\1\2",
                   lambda pair, text, match: "overlay" in pair.name)),
    Operator("phases-overlap", "corrupt", "both buffers are used in one phase, and share bytes",
             sites(r"  together\.sync\(\); // phase 1[^\n]*\n(  late\.get[^\n]*\n)", r"\1")),
    Operator("manifest-smaller-slots", "corrupt", "slots overlap: the linker reserves less than the code steps by",
             manifest("node['slot_bytes'] //= 2; node['tx_bytes'] = min(node['tx_bytes'], node['slot_bytes'])",
                      lambda pair, text, ring: ring.group(3) == "produces" and ring.group(1) in ("items", "ab") and "both")),
    Operator("manifest-other-role", "hang", "another role's threads are counted than arrive",
             manifest("node['role'] = 'nobody'", is_ring)),
    Operator("manifest-other-protocol", "hang", "both contracts name a protocol that the code does not follow",
             manifest("node['protocol'] = 'thread'; node['tx_bytes'] = 0; node['arrive'] = 'thread'",
                      lambda pair, text, ring: ring.group(3) == "produces" and tma(pair, text, ring) and "both")),
]
