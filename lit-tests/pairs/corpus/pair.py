"""pair.py - one composition of the corpus: its sources, and what a run of it must leave in memory.

Words in memory are 32 bits. Inputs are such that every result is exact, so that outputs are compared bit for bit.
"""

import re
import struct
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Run:
    """A launch with `pipelink run`, and the words that it must leave in each output."""

    grid: int
    values: dict  # parameter: number, FILL:TYPE:COUNT, or file:NAME with NAME in `files`
    outputs: dict  # parameter: words
    files: dict = field(default_factory=dict)  # name: bytes
    words_are: str = "u32"  # the outputs' elements


@dataclass(frozen=True)
class Pair:
    name: str
    about: str  # one line
    sources: dict  # file name: text; the .cu files are the stages, in the linker's order
    run: Run = None  # None: only linked

    @property
    def stages(self):
        return [name for name in self.sources if name.endswith(".cu")]


def text(template, **values):
    """The template with every @name@ replaced. A line of which only @name@ stood and whose value is empty goes away."""
    for name, value in values.items():
        if value == "":
            template = re.sub(rf"^[ ]*@{name}@\n", "", template, flags=re.MULTILINE)
        template = template.replace(f"@{name}@", str(value))
    left = re.search(r"@\w+@", template)
    assert not left, f"{left and left.group()} has no value"
    return template.lstrip("\n")


def block(lines, indent):
    """Lines of code at an indentation, for a @name@ on a line of its own."""
    return "\n".join(" " * indent + line for line in lines.strip("\n").split("\n")).lstrip() if lines else ""


def words(values):
    """Unsigned words as bytes."""
    return struct.pack(f"<{len(values)}I", *(value & 0xFFFFFFFF for value in values))


def floats(values):
    return struct.pack(f"<{len(values)}f", *values)


def bfloats(values):
    """bf16, for values that it can represent."""
    packed = [struct.unpack("<I", struct.pack("<f", value))[0] for value in values]
    assert not any(value & 0xFFFF for value in packed)
    return struct.pack(f"<{len(packed)}H", *(value >> 16 for value in packed))
