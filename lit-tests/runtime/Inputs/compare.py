"""compare.py - whether a condition holds for files of raw f32 values, which it knows as lists a, b, c, ...

usage: compare.py CONDITION FILE...
"""

import struct
import sys


def read(path):
    with open(path, "rb") as file:
        data = file.read()
    return list(struct.unpack(f"<{len(data) // 4}f", data))


values = {name: read(path) for name, path in zip("abcdef", sys.argv[2:])}
if not eval(sys.argv[1], values):
    sys.exit(f"not so: {sys.argv[1]}; first values: { {name: list[:4] for name, list in values.items() if isinstance(list, type([]))} }")
