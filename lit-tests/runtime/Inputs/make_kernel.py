"""make_kernel.py - writes FOLDER/NAME.cubin and FOLDER/NAME.launch.json for the fake driver (fake_libcuda.c).

usage: make_kernel.py FOLDER [--name=NAME] [--kind=KIND] [--cubin="KEY=VALUE ..."] [--edit=PYTHON]...

KIND says what the parameter block is: hello, twice (two instances of hello), data, opaque, types, tensors,
none.
--edit is run with the launch file as `f`, last of all, so that it can make it wrong:  --edit='f["block"] = [0, 1, 1]'
"""

import argparse
import hashlib
import json
import os
import struct


def pointer(name, offset, kind, bits, const=""):
    element = {"kind": kind, "bits": bits}
    if kind == "integer":
        element["signed"] = True
    spelling = {"float": "float", "integer": "int"}[kind]
    return {
        "name": name, "offset": offset, "size": 8, "type": f"{const}{spelling} *",
        "kind": "pointer", "element": element,
    }  # fmt: skip


def number(name, offset, type, kind, bits, **more):
    return {"name": name, "offset": offset, "size": bits // 8, "type": type, "kind": kind, "bits": bits, **more}


def integer(name, offset, type, bits, signed):
    return number(name, offset, type, "integer", bits, signed=signed)


def owner(instance, offset, size, fields, opaque=False, align=8):
    return {
        "instance": instance, "package": f"org.hello.{instance}", "version": "1.0.0", "struct": "Params",
        "offset": offset, "size": size, "align": align, "opaque": opaque, "fields": fields,
    }  # fmt: skip


def hello(instance, offset):
    return owner(instance, offset, 24, [
        pointer("output", offset, "float", 32),
        pointer("input", offset + 8, "float", 32, "const "),
        integer("count", offset + 16, "unsigned long", 64, False),
    ])  # fmt: skip


TYPES = [
    integer("i8", 0, "signed char", 8, True),
    integer("u8", 1, "unsigned char", 8, False),
    integer("i16", 2, "short", 16, True),
    integer("u16", 4, "unsigned short", 16, False),
    {"name": "flag", "offset": 6, "size": 1, "type": "bool", "kind": "bool"},
    integer("i32", 8, "int", 32, True),
    integer("u32", 12, "unsigned int", 32, False),
    integer("i64", 16, "long", 64, True),
    integer("u64", 24, "unsigned long", 64, False),
    number("f32", 32, "float", "float", 32),
    number("half", 36, "__half", "float", 16),
    number("bfloat", 38, "__nv_bfloat16", "float", 16, bfloat=True),
    number("f64", 40, "double", "float", 64),
    {"name": "shape", "offset": 48, "size": 12, "type": "int[3]", "kind": "bytes"},
    integer("wide", 64, "__int128", 128, True),
]


def tensor_map(name, offset, element, box, swizzle):
    return {
        "name": name, "offset": offset, "size": 128, "type": f"tensor_map<{name}>", "kind": "bytes",
        "tensor_map": {"element": element, "rank": len(box), "box": box, "swizzle": swizzle},
    }  # fmt: skip


TENSORS = [
    tensor_map("a", 0, {"kind": "float", "bits": 16, "bfloat": True}, [64, 128], 128),
    tensor_map("line", 128, {"kind": "integer", "bits": 8, "signed": True}, [256], 0),
    tensor_map("five", 256, {"kind": "float", "bits": 64}, [4, 1, 2, 3, 256], 32),
    integer("count", 384, "int", 32, True),
]
KINDS = {
    "none": (0, []),
    "hello": (24, [hello("caller", 0)]),
    "twice": (48, [hello("first", 0), hello("second", 24)]),
    "data": (16, [owner("caller", 0, 16, [pointer("data", 0, "float", 32), integer("count", 8, "size_t", 64, False)])]),
    "opaque": (192, [owner("gemm", 0, 192, [], opaque=True, align=64)]),
    "tensors": (448, [owner("load", 0, 448, TENSORS, align=64)]),
    "types": (80, [owner("stage", 0, 80, TYPES, align=16)]),
}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("folder")
    parser.add_argument("--name", default="hello")
    parser.add_argument("--kind", default="hello", choices=KINDS)
    parser.add_argument("--cubin", default="")
    parser.add_argument("--edit", action="append", default=[])
    options = parser.parse_args()

    size, owners = KINDS[options.kind]
    # An ELF header: 64-bit, little-endian, machine 190 (CUDA), no sections. The fake driver reads the text behind it.
    header = b"\x7fELF" + bytes([2, 1, 1, 0x33]) + bytes(8) + struct.pack("<HHIQQQIHHHHHH", 2, 190, 1, 0, 0, 0, 0, 64, 0, 0, 0, 0, 0)
    cubin = header + f"{options.cubin} kernel=pipelink_kernel parameters={size}".encode() + b"\0"
    launch = {
        "pipelink": 1, "kernel": "pipelink_kernel", "profile": "sm_90a", "codegen": "nvvm",
        "cubin": {"file": f"{options.name}.cubin", "bytes": len(cubin), "sha256": hashlib.sha256(cubin).hexdigest()},
        "block": [128, 1, 1], "cluster": [1, 1, 1], "shared": {"dynamic": 0, "align": 16}, "min_ctas_per_sm": 1,
        "roles": [], "parameters": {"size": size, "align": 8, "owners": owners}, "packages": [],
    }  # fmt: skip
    for edit in options.edit:
        exec(edit, {"f": launch})

    os.makedirs(options.folder, exist_ok=True)
    with open(os.path.join(options.folder, f"{options.name}.cubin"), "wb") as file:
        file.write(cubin)
    with open(os.path.join(options.folder, f"{options.name}.launch.json"), "w") as file:
        json.dump(launch, file, indent=1)


main()
