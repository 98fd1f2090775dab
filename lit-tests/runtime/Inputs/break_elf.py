"""break_elf.py - from a cubin of make_kernel.py makes one with a section and a segment, and several that are wrong.

usage: break_elf.py CUBIN FOLDER
"""

import os
import struct
import sys

with open(sys.argv[1], "rb") as file:
    original = file.read()


def write(name, data):
    with open(os.path.join(sys.argv[2], f"{name}.cubin"), "wb") as file:
        file.write(data)


def elf(section_offset=64, section_size=8, segment_offset=64, segment_size=8, sections_at=None, segments_at=None):
    """The original with one section header and one program header at its end."""
    end = len(original)
    data = bytearray(original)
    data += struct.pack("<IIQQQQIIQQ", 0, 1, 0, 0, section_offset, section_size, 0, 0, 1, 0)
    data += struct.pack("<IIQQQQQQ", 1, 4, segment_offset, 0, 0, segment_size, segment_size, 1)
    struct.pack_into("<QQ", data, 32, segments_at or end + 64, sections_at or end)
    struct.pack_into("<HHHH", data, 54, 56, 1, 64, 1)
    return bytes(data)


write("whole", elf())
write("text", b"//\n.version 9.0\n" + bytes(100))
host = bytearray(elf())
struct.pack_into("<H", host, 18, 62)
write("host", bytes(host))
write("sections", elf(sections_at=2**64 - 32))
write("section", elf(section_offset=100, section_size=2**64 - 50))
write("segments", elf(segments_at=10**6))
write("segment", elf(segment_size=10**6))
write("short", elf()[:63])
