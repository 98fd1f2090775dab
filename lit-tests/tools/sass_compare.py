"""sass_compare.py - are two kernels the same machine code? Instruction counts, registers, and the difference.

    sass_compare.py [--kernel=NAME] [--nvdisasm=FILE] [LABEL:]A.cubin:B.cubin ...

One line a pair. Three answers: `identical` (every byte of the code), `same instructions` (the text is the same, the
scheduling bits are not), `different`, with a diff below when nvdisasm is given. Exit status 0 when all are identical,
1 when not, 2 when a file is not what it should be.
"""

import argparse
import difflib
import re
import struct
import subprocess
import sys
from dataclasses import dataclass

INSTRUCTION_BYTES = 16  # sm_70 and later
OPCODE_MASK, NOP = 0xFFF, 0x918  # low bits of the first word
SIZED_VALUE, REGCOUNT, SYMBOL_BYTES = 4, 0x2F, 24  # .nv.info's and .symtab's forms


class NotComparable(Exception):
    """The message says which file and why."""


@dataclass
class Kernel:
    """One kernel's code in a cubin."""

    path: str
    name: str
    code: bytes  # without the NOPs that fill the section up
    registers: int

    @property
    def instructions(self):
        return len(self.code) // INSTRUCTION_BYTES


def read_sections(path, data):
    """Name and content of every section of a 64-bit ELF file."""
    if data[:5] != b"\x7fELF\x02":
        raise NotComparable(f"{path}: not a 64-bit ELF file")
    try:
        (table,) = struct.unpack_from("<Q", data, 0x28)
        entry_size, count, names_index = struct.unpack_from("<HHH", data, 0x3A)
        headers = [struct.unpack_from("<IIQQQQIIQQ", data, table + i * entry_size) for i in range(count)]
        names = headers[names_index][4]
        return {
            data[names + name : data.index(b"\0", names + name)].decode(): data[offset : offset + size]
            for name, _, _, _, offset, size, _, _, _, _ in headers
        }
    except (struct.error, IndexError, ValueError) as error:
        raise NotComparable(f"{path}: damaged ELF file ({error})") from error


def read_registers(sections):
    """Registers a thread of every function has, by name: the REGCOUNT attributes of .nv.info."""
    symbols, strings, info = (sections.get(name, b"") for name in (".symtab", ".strtab", ".nv.info"))
    registers, position = {}, 0
    while position + 4 <= len(info):
        form, attribute, size = struct.unpack_from("<BBH", info, position)
        position += 4
        if (form, attribute, size) == (SIZED_VALUE, REGCOUNT, 8):
            symbol, count = struct.unpack_from("<II", info, position)
            (name,) = struct.unpack_from("<I", symbols, symbol * SYMBOL_BYTES)
            registers[strings[name : strings.index(b"\0", name)].decode()] = count
        if form == SIZED_VALUE:
            position += size
    return registers


def read_kernel(path, name=None):
    """The kernel `name` of a cubin; its only one when no name is given."""
    with open(path, "rb") as file:
        sections = read_sections(path, file.read())
    kernels = [section.removeprefix(".text.") for section in sections if section.startswith(".text.")]
    if name is None and len(kernels) == 1:
        (name,) = kernels
    if name not in kernels:
        raise NotComparable(f"{path}: which kernel? It has {', '.join(sorted(kernels)) or 'none'}")
    code = sections[f".text.{name}"]
    while len(code) > INSTRUCTION_BYTES and int.from_bytes(code[-INSTRUCTION_BYTES:][:2], "little") & OPCODE_MASK == NOP:
        code = code[:-INSTRUCTION_BYTES]
    return Kernel(path, name, code, read_registers(sections).get(name, 0))


def disassemble(nvdisasm, kernel):
    """The kernel's instructions as text, one each, with labels numbered in order of appearance."""
    output = subprocess.run([nvdisasm, "-c", kernel.path], check=True, capture_output=True, text=True).stdout
    lines, inside, labels = [], False, {}

    def number(match):
        return labels.setdefault(match.group(0), f".L{len(labels)}")

    for line in output.splitlines():
        line = line.strip()
        if line.startswith(".section"):
            inside = line.split()[1].split(",")[0] == f".text.{kernel.name}"
        elif inside and re.match(r"\.L\w+:$", line):
            lines.append(re.sub(r"\.L\w+", number, line))
        elif inside and line.startswith("/*"):
            text = re.sub(r"/\*.*?\*/", "", line).strip()
            lines.append(re.sub(r"\.L\w+", number, text))
    while lines and (lines[-1].startswith("NOP") or lines[-1].startswith(".L")):
        lines.pop()
    return lines


def compare(first, second, nvdisasm=None):
    """The answer, and the diff as lines (empty when there is none to show)."""
    if first.code == second.code:
        return "identical", []
    if not nvdisasm:
        return "different", []
    texts = disassemble(nvdisasm, first), disassemble(nvdisasm, second)
    if texts[0] == texts[1]:
        return "same instructions", []
    return "different", list(difflib.unified_diff(*texts, first.path, second.path, lineterm="", n=1))


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("--kernel")
    parser.add_argument("--nvdisasm")
    parser.add_argument("pairs", nargs="+", metavar="[LABEL:]A:B")
    options = parser.parse_args()

    status = 0
    width = max(len(pair) - len(":".join(pair.split(":")[-2:])) for pair in options.pairs)
    for pair in options.pairs:
        *label, a, b = pair.split(":")
        try:
            first, second = read_kernel(a, options.kernel), read_kernel(b, options.kernel)
            answer, diff = compare(first, second, options.nvdisasm)
        except (NotComparable, OSError, ValueError) as error:
            print(f"sass_compare.py: error: {error}", file=sys.stderr)
            return 2
        print(
            f"{':'.join(label):{width}}{first.instructions:6} {second.instructions:6} instructions "
            f"{first.registers:4} {second.registers:4} registers  {answer}"
        )
        for line in diff:
            print(f"    {line}")
        if answer != "identical":
            status = 1
    return status


if __name__ == "__main__":
    sys.exit(main())
