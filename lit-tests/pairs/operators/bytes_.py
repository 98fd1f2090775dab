"""bytes_.py - what is announced, what is copied, and where to."""

from .operator_ import Operator, sites

HEADER = r"\.h$"


OPERATORS = [
    Operator("announces-half", "corrupt", "the slot counts as full when half of it has arrived",
             sites(r"(\w+)\.expect_tx\((\w+)\);", r"\1.expect_tx(\2, sizeof(\1.slot(\2)) / 2);")),
    Operator("announces-double", "hang", "bytes are waited for that nobody copies",
             sites(r"(\w+)\.expect_tx\((\w+)\);", r"\1.expect_tx(\2, 2 * sizeof(\1.slot(\2)));")),
    Operator("announces-nothing", "hang", "nobody arrives on the full barrier", sites(r"^( *)(\w+)\.expect_tx\([^;]*\);", r"\1;")),
    Operator("announces-twice", "corrupt", "two arrivals where one is counted",
             sites(r"^( *)(\w+\.expect_tx\([^;]*\);)", r"\1\2\n\1\2")),
    Operator("copies-less", "hang", "16 bytes fewer than announced arrive",
             sites(r"(bulk_load\([^;]*?)sizeof\(Slot\)(, \w+\.full)", r"\1sizeof(Slot) - 16\2")),
    Operator("copies-half", "hang", "half of what is announced arrives",
             sites(r"(bulk_load\([^;]*?)(sizeof\(Slot\)(?: / 2)?|1536|512)(,\s*\w+\.full)", r"\1(\2) / 2\3")),
    Operator("copies-more", "corrupt", "the copy reaches into the next slot, and completes more than is announced",
             sites(r"(bulk_load\([^;]*?)sizeof\(Slot\)(,\s*\w+\.full)", r"\1sizeof(Slot) + 16\2")),
    Operator("copies-twice", "corrupt", "twice as many bytes complete as are announced",
             sites(r"^( *)(pipelink::(?:bulk|tma)_load\([^;]*\);)", r"\1\2\n\1\2",
                   lambda pair, text, match: "for (unsigned half" not in text[match.start() - 60:match.start()])),
    Operator("copies-one-of-two", "hang", "one of the slot's copies is missing",
             sites(r"half < 2(; \+\+half\)\n *pipelink::bulk_load)", r"half < 1\1")),
    Operator("copy-missing", "hang", "one of the slot's copies is missing",
             sites(r"^( *)pipelink::(?:bulk|tma)_load\([^;]*\);", r"\1;",
                   lambda pair, text, match: text.count("_load(") > 1)),
    Operator("copy-misaligned", "fault", "bulk copies go to multiples of 16 bytes",
             sites(r"(bulk_load\()&(\w+)\.slot\((\w+)\)", r"\1reinterpret_cast<char *>(&\2.slot(\3)) + 4")),
    Operator("contract-announces-less", "corrupt", "both contracts say fewer bytes than the copies complete",
             sites(r"^( *)(static constexpr auto protocol = pipelink::ring_protocol::tma;)", r"\1\2\n\1static constexpr unsigned tx_bytes = 1024;",
                   lambda pair, text, match: "counted" not in pair.name and "ring_protocol::thread" not in text, HEADER)),
    Operator("smaller-box", "hang", "each tensor copy completes half of what is announced",
             sites(r"box<64, 8>> input", "box<64, 4>> input")),
    Operator("smaller-box-of-tile", "hang", "each tensor copy completes half of what is announced",
             sites(r"box<tile_k, (tile_\w)>", r"box<tile_k, \1 / 2>")),
    Operator("wider-box-element", "hang", "each tensor copy completes twice what is announced",
             sites(r"tensor_map<unsigned, pipelink::box<64, 8>> input", "tensor_map<unsigned long long, pipelink::box<64, 8>> input")),
    Operator("copy-of-next-slot", "corrupt", "copies write a slot that has not been acquired",
             sites(r"^( *)pipelink::bulk_load\(&items\.slot\(at\)", r"\1auto beyond = at;\n\1++beyond;\n\1pipelink::bulk_load(&items.slot(beyond)",
                   lambda pair, text, match: "depth_max = 1;" not in "".join(pair.sources.values()))),
    Operator("cp-async-to-next-slot", "corrupt", "copies write a slot that has not been acquired",
             sites(r"^( *)items\.acquire\(at\);(.*?)items\.slot\(at\)",
                   r"\1items.acquire(at);\n\1auto beyond = at;\n\1++beyond;\2items.slot(beyond)",
                   lambda pair, text, match: "_load(" not in match.group() and "depth_max = 1;" not in "".join(pair.sources.values()))),
]
