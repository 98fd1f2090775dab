"""operator_.py - what a mutation operator is, and the few ways in which operators change sources."""

import re
from dataclasses import dataclass


@dataclass(frozen=True)
class Mutant:
    pair: object  # the pair it was made from
    where: str  # file:line
    sources: dict  # as the pair's, changed
    stages: list = None  # None: the pair's
    manifests: dict = None  # stage: statement for plink.py that edits its package


@dataclass(frozen=True)
class Operator:
    name: str
    effect: str  # hang, corrupt, fault, slow
    why: str  # what happens at run time: no mutant may behave like its pair
    make: object  # pair -> mutants


# A ring as stages declare it: name, slot, side, options, variable.
RING = re.compile(r'PIPELINK_RESOURCE\("(\w+)"\) extern __device__ const pipelink::ring<(\w+), '
                  r'pipelink::(produces|consumes)<(\w+)>> (\w+);')


def protocol_of(pair, options):
    """The protocol that options, or the options they derive from, set."""
    everything = "\n".join(pair.sources.values())
    while True:
        found = re.search(rf"struct {options} : (?:pipelink::)?(\w+) \{{(.*?)\}};", everything, re.DOTALL)
        if not found:
            return "thread"
        protocol = re.search(r"ring_protocol::(\w+)", found.group(2))
        if protocol:
            return protocol.group(1)
        options = found.group(1)


def rings(pair, text):
    """(side, variable, protocol) of each ring that a stage declares."""
    return [(ring.group(3), ring.group(5), protocol_of(pair, ring.group(4))) for ring in RING.finditer(text)]


def has_ring(pair, text, side, *protocols):
    return any(each == side and (not protocols or protocol in protocols) for each, _, protocol in rings(pair, text))


def warps(text):
    """Of the stage's first role; an export has none of its own."""
    role = re.search(r"PIPELINK_ROLE\(\"\w+\", (\d+)\)", text)
    return int(role.group(1)) if role else 0


def changed(pair, file, text):
    return {**pair.sources, file: text}


def line_of(text, position):
    return text.count("\n", 0, position) + 1


def sites(pattern, replacement, when=None, files=r"\.cu$"):
    """Operators' usual way: each match of the pattern, replaced alone, is a mutant. `when(pair, text, match)` filters."""
    expression = re.compile(pattern, re.MULTILINE | re.DOTALL)

    def make(pair):
        for file, text in pair.sources.items():
            if not re.search(files, file):
                continue
            for match in expression.finditer(text):
                if when and not when(pair, text, match):
                    continue
                new = match.expand(replacement) if isinstance(replacement, str) else replacement(match)
                yield Mutant(pair, f"{file}:{line_of(text, match.start())}",
                             changed(pair, file, text[:match.start()] + new + text[match.end():]))

    return make


def override(side, fields, when=None):
    """One side of a ring declares something else than the other: its options get `fields`."""

    def make(pair):
        for file, text in pair.sources.items():
            for ring in RING.finditer(text):
                if ring.group(3) != side or (when and not when(pair, text, ring)):
                    continue
                options = ring.group(4)
                declaration = ring.group().replace(f"<{options}>", "<changed_options>")
                new = f"struct changed_options : {options} {{\n  static constexpr {fields};\n}};\n{declaration}"
                yield Mutant(pair, f"{file}:{line_of(text, ring.start())}",
                             changed(pair, file, text[:ring.start()] + new + text[ring.end():]))

    return make


def body(code, when=None):
    """`code` at the beginning of a role's function."""
    return sites(r"^(PIPELINK_ROLE\([^\n]*\n)", lambda match: match.group(1) + "".join(f"  {line}\n" for line in code.split("\n")),
                 when)


def manifest(statement, when):
    """Packages whose manifest does not tell the truth: statement over `node`, a ring's node. `when(pair, text, ring)`;
    'both' in what it returns changes the other side's package likewise."""

    def make(pair):
        for file, text in pair.sources.items():
            if not file.endswith(".cu"):
                continue
            for ring in RING.finditer(text):
                chosen = when(pair, text, ring)
                if not chosen:
                    continue
                edit = (f"for code in m['code'].values():\n for node in code['contract']:\n"
                        f"  if node['kind'] == 'ring' and node['name'] == '{ring.group(1)}':\n   {statement}")
                stages = [file]
                if chosen == "both":
                    stages = [stage for stage in pair.stages if f'RESOURCE("{ring.group(1)}")' in pair.sources[stage]]
                yield Mutant(pair, f"{file}:{line_of(text, ring.start())}", pair.sources,
                             manifests={stage: edit for stage in stages})

    return make


def declare(text, code):
    """Puts declarations in front of a stage's role."""
    return re.sub(r"^PIPELINK_ROLE\(", lambda match: code + "\n\n" + match.group(), text, count=1, flags=re.MULTILINE)


def with_declaration(make, code):
    """The mutants of another operator, with declarations in front of the role of the changed stage."""

    def both(pair):
        for mutant in make(pair):
            file = mutant.where.partition(":")[0]
            yield Mutant(pair, mutant.where, changed(mutant, file, declare(mutant.sources[file], code)))

    return both
