"""plink.py - packages, good and hostile, for the tests of this folder.

    package()            a small valid package as a dict {member name: bytes}, manifest.json first
    write(path, package) writes it as a plain zip; the manifest's member list and hashes are made to fit
    zip_bytes(entries)   a zip in which every header field can be made to lie
"""

import copy
import hashlib
import json
import struct
import zlib

LOC = {"file": "stage.cu", "line": 1, "column": 1}


def integer(bits=32, signed=True, name=None):
    sign = "" if signed else "unsigned "
    names = {8: "char", 16: "short", 32: "int", 64: "long"}
    return {"kind": "integer", "name": name or sign + names.get(bits, f"_BitInt({bits})"), "size": bits // 8,
            "align": bits // 8, "bits": bits, "signed": signed}


def floating(bits=32, bfloat=False):
    type = {"kind": "float", "name": "__bf16" if bfloat else {16: "_Float16", 32: "float", 64: "double"}[bits],
            "size": bits // 8, "align": bits // 8, "bits": bits}
    return dict(type, bfloat=True) if bfloat else type


def pointer(element, const=False):
    return {"kind": "pointer", "name": ("const " if const else "") + element["name"] + " *", "size": 8, "align": 8,
            "element": element, "const": const}


def array(element, count):
    return {"kind": "array", "name": f"{element['name']}[{count}]", "size": element["size"] * count,
            "align": element["align"], "element": element, "count": count}


def record(name, *fields, size=None, align=None):
    """fields: (name, offset, type) or (name, offset, type, bit_offset, bit_width)"""
    listed = []
    for field in fields:
        entry = {"name": field[0], "offset": field[1], "type": field[2]}
        if len(field) > 3:
            entry.update(bit_offset=field[3], bit_width=field[4])
        listed.append(entry)
    align = align or max((f[2]["align"] for f in fields), default=1)
    end = max((f[1] + f[2]["size"] for f in fields), default=1)
    return {"kind": "struct", "name": name, "size": size or (end + align - 1) // align * align, "align": align,
            "fields": listed}


def tensor_map(element=None, box=(64, 128), swizzle="128B"):
    return {"kind": "tensor_map", "name": "tensor_map", "size": 128, "align": 64,
            "element": element or floating(16), "rank": len(box), "box": list(box), "swizzle": swizzle}


VOID = {"kind": "void", "name": "void", "size": 0, "align": 1}


def contract():
    """One node of every kind."""
    return [
        {"kind": "stage", "loc": LOC, "name": "org.test.stage", "version": "1.0.0"},
        {"kind": "params", "loc": LOC, "struct": "Params", "size": 16, "align": 8, "opaque": False,
         "fields": [{"name": "out", "offset": 0, "size": 8, "type": pointer(floating())},
                    {"name": "tile.m", "offset": 8, "size": 4, "type": integer()}]},
        {"kind": "role", "loc": LOC, "name": "main", "symbol": "_Z4mainRK6Params", "warps": 4, "params": "Params",
         "cluster": [2, 1, 1]},
        {"kind": "export", "loc": LOC, "name": "scale", "symbol": "_Z5scalef", "function": "float scale(float)",
         "defined": True, "result": floating(), "arguments": [floating()]},
        {"kind": "import", "loc": LOC, "name": "next", "symbol": "_Z4nextPf", "function": "void next(float *)",
         "defined": False, "result": VOID, "arguments": [pointer(floating())]},
        {"kind": "shared", "loc": LOC, "name": "buffer", "symbol": "buffer", "bytes": 1024, "align": 128},
    ]


def ring(**changes):
    """A consumed ring of 32 KiB slots that TMA fills."""
    return {"kind": "ring", "loc": LOC, "name": "ab", "symbol": "ab", "direction": "consume",
            "payload": array(floating(16), 16384), "slot_bytes": 32768, "slot_align": 1024, "depth_min": 2,
            "depth_max": 8, "depth_multiple": 1, "depth_preferred": 6, "priority": 1, "lookahead": 1,
            "protocol": "tma", "credit": "parity", "arrive": "warpgroup", "tx_bytes": 32768, "role": "",
            "live_from": 0, "live_to": 255} | changes


def barrier(**changes):
    return {"kind": "barrier", "loc": LOC, "name": "go", "symbol": "go", "threads": 0, "id": 0, "shared": False,
            "role": ""} | changes


def buffer(**changes):
    return {"kind": "buffer", "loc": LOC, "name": "out", "symbol": "out", "payload": array(floating(), 1024),
            "bytes": 4096, "align": 128, "live_from": 0, "live_to": 255, "overlay": "", "guard": ""} | changes


def tmem(**changes):
    return {"kind": "tmem", "loc": LOC, "name": "acc", "symbol": "acc", "columns": 128, "align": 32,
            "column": -1} | changes


def manifest():
    return {
        "pipelink": 1,
        "package": {"name": "org.test.stage", "version": "1.0.0"},
        "producer": {"pipelink": "0.1.0", "llvm": "22.1.8", "cuda": "13.0"},
        "code": {"sm_90a": {"file": "code/sm_90a.bc", "contract": contract()}},
        "headers": ["include/stage.h"],
        "libraries": [],
        "members": [],
    }


def package(**changes):
    """A valid package; keyword arguments replace top-level keys of its manifest."""
    return {"manifest.json": dict(manifest(), **changes), "code/sm_90a.bc": b"BC\xc0\xde" + bytes(60),
            "include/stage.h": b"float scale(float);\n"}


def members_of(files):
    return [{"file": name, "bytes": len(data), "sha256": hashlib.sha256(data).hexdigest()}
            for name, data in sorted(files.items()) if name != "manifest.json"]


def entries_of(files, fit=True):
    """As zip_bytes takes them. `fit`: the manifest lists the members that there are."""
    files = dict(files)
    described = files.pop("manifest.json")
    if isinstance(described, dict):
        described = copy.deepcopy(described)
        if fit:
            described["members"] = members_of(files)
        described = json.dumps(described).encode()
    return [{"name": "manifest.json", "data": described}] + [
        {"name": name, "data": data} for name, data in sorted(files.items())]


def zip_bytes(entries, count=None, comment=b"", gap=b""):
    """Entry: name (str or bytes) and data; then, to lie: local_name, method, flags, local_flags, crc, unpacked, packed,
    local_unpacked, extra, local_extra, mode, offset, raw (bytes as they stand in the zip), descriptor."""
    out, central = b"", b""
    for entry in entries:
        name = entry["name"] if isinstance(entry["name"], bytes) else entry["name"].encode()
        data, method = entry["data"], entry.get("method", 0)
        raw = entry.get("raw", data if method != 8 else zlib.compress(data, 9)[2:-4])
        crc = entry.get("crc", zlib.crc32(data))
        packed, unpacked = entry.get("packed", len(raw)), entry.get("unpacked", len(data))
        flags, extra = entry.get("flags", 0), entry.get("extra", b"")
        local_name = entry.get("local_name", name)
        local_extra = entry.get("local_extra", extra)
        offset = entry.get("offset", len(out))
        later = bool(flags & 8)
        out += struct.pack("<4s5H3I2H", b"PK\3\4", 20, entry.get("local_flags", flags), method, 0, 0x21,
                           0 if later else crc, 0 if later else packed,
                           0 if later else entry.get("local_unpacked", unpacked), len(local_name), len(local_extra))
        out += local_name + local_extra + raw
        if later:
            out += entry.get("descriptor", struct.pack("<4s3I", b"PK\7\10", crc, packed, unpacked))
        central += struct.pack("<4s6H3I5H2I", b"PK\1\2", 3 << 8 | 20, 20, flags, method, 0, 0x21, crc, packed, unpacked,
                               len(name), len(extra), 0, 0, 0, entry.get("mode", 0o100644) << 16, offset)
        central += name + extra
    count = len(entries) if count is None else count
    out += gap
    return out + central + struct.pack("<4s4H2IH", b"PK\5\6", 0, 0, count, count, len(central), len(out),
                                       len(comment)) + comment


def write(path, files, **lies):
    with open(path, "wb") as file:
        file.write(zip_bytes(entries_of(files), **lies))


def write_entries(path, entries, **lies):
    with open(path, "wb") as file:
        file.write(zip_bytes(entries, **lies))


def change(files, member, **lies):
    """The entries of a package, with some fields of one of them made to lie."""
    entries = entries_of(files)
    for entry in entries:
        if entry["name"] == member:
            entry.update(lies)
    return entries


LAYOUT = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"


def module(nodes, body="", triple="nvptx64-nvidia-cuda", layout=LAYOUT, cpu="sm_90a"):
    """LLVM IR as clang leaves it, with a contract: a node's "symbol" becomes its metadata operand."""
    lines, places = [], []
    for i, node in enumerate(nodes):
        node = dict(node)
        symbol = node.pop("symbol", None)
        text = json.dumps(node).replace("\\", "\\5c").replace('"', "\\22")
        lines.append(f'!{i} = !{{{f"ptr @{symbol}" if symbol else "null"}, !"{text}"}}')
        places.append(f"!{i}")
    contract = f"!pipelink.contract = !{{{', '.join(places)}}}" if nodes else ""
    return "\n".join([f'target datalayout = "{layout}"', f'target triple = "{triple}"', body, contract, *lines,
                      f'attributes #0 = {{ convergent nounwind "target-cpu"="{cpu}" }}', ""])


STAGE = {"kind": "stage", "loc": LOC, "name": "org.test.stage", "version": "1.0.0"}
SCALE = {"kind": "export", "loc": LOC, "name": "scale", "symbol": "_Z5scalef", "function": "float scale(float)",
         "defined": True, "result": floating(), "arguments": [floating()]}
SCALE_BODY = "define float @_Z5scalef(float %x) #0 {\n  %y = fmul float %x, 2.0\n  ret float %y\n}\n"


def write_module(path, *arguments, **changes):
    """module() as a .bc file."""
    import subprocess
    subprocess.run(["llvm-as", "-o", path], input=module(*arguments, **changes), text=True, check=True)
