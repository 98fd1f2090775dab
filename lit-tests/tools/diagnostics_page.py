"""diagnostics_page.py - docs/diagnostics.md, made of the catalogue and of the tests.

What a code means comes from `pipelink explain --json`; which test shows it is collected from the tests: a line that
FileCheck compares, or a quoted code in a test's own program, outside of -NOT lines.

usage: diagnostics_page.py PIPELINK PROJECT            prints the page
       diagnostics_page.py PIPELINK PROJECT --write    writes PROJECT/docs/diagnostics.md
       diagnostics_page.py PIPELINK PROJECT --check    1 when that file is not the page, or a code and the sources disagree
"""

import json
import pathlib
import re
import subprocess
import sys

CODE = r"L-[A-Z][A-Z0-9]*"
SOURCES = ["passes", "driver", "clang-attrs", "llvm-plugin", "runtime"]
PAGE = "docs/diagnostics.md"

INTRODUCTION = """\
# What the linker can refuse

This page is made of the linker's own table and of the tests: `ninja -C build diagnostics-page` writes it anew.
`pipelink explain CODE` prints a section of it.

A code is a stable name. *Declared* means that both sides' contracts are compared, *verified* that the stages' code is
looked at; the link report (`--report=`, [linker.md](linker.md)) says for each link which of the two it was.
"""


def catalogue(pipelink):
    return json.loads(subprocess.run([pipelink, "explain", "--json"], check=True, capture_output=True).stdout)


def tests_by_code(project):
    """Code -> names of the tests that show it."""
    shown = {}
    folder = project / "lit-tests"
    for path in sorted(folder.rglob("*")):
        if path.suffix not in (".test", ".cu", ".c", ".ll") or "Inputs" in path.parts:
            continue
        for line in path.read_text(errors="replace").splitlines():
            checked = re.match(r"\W*([A-Z][A-Z0-9_]*)(-[A-Z]+)?:", line)
            if checked and checked[1] == "RUN" or checked and checked[2] == "-NOT":
                continue
            for code in re.findall(rf"\b{CODE}\b" if checked else rf"[\"']({CODE})\b", line):
                shown.setdefault(code, set()).add(str(path.relative_to(folder)))
    return shown


def codes_in_sources(project):
    """Code -> a place that reports it; the catalogue's own tables are left out."""
    found = {}
    for folder in SOURCES:
        for path in sorted((project / folder).rglob("*")):
            if path.suffix not in (".c", ".h", ".cpp") or path.name.startswith("diagnostic"):
                continue
            text = path.read_text(errors="replace")
            for code in re.findall(rf'"({CODE})"', re.sub(r"/\*.*?\*/", "", text, flags=re.S)):
                found.setdefault(code, str(path.relative_to(project)))
    return found


def family_table(entries, shown):
    lines = ["| code | at run time | checked | shown by |", "|---|---|---|---|"]
    for entry in entries:
        tests = "<br>".join(sorted(shown.get(entry["code"], [])))
        lines.append(f"| [{entry['code']}](#{entry['code'].lower()}) | {entry['outcome']} | {entry['checked']} | {tests} |")
    return lines


def section(entry):
    lines = [f"### {entry['code']}", "", f"{entry['meaning']}", ""]
    lines.append(f"* at run time: {entry['consequence']}")
    lines.append(f"* example: {entry['example']}")
    lines.append(f"* fix: {entry['fix']}")
    lines += [f"* {word}: {entry[word]}" for word in ("declared", "verified") if entry[word]]
    if entry["forcible"]:
        lines.append(f"* `--force-unsafe={entry['code']}` links all the same")
    return lines + [""]


def page(entries, shown):
    lines = [INTRODUCTION]
    families = list(dict.fromkeys(entry["family"] for entry in entries))
    for family in families:
        now = [entry for entry in entries if entry["family"] == family and not entry["arrives_with"]]
        if not now:
            continue
        lines += [f"## {family[0].upper()}{family[1:]}", ""] + family_table(now, shown) + [""]
        for entry in now:
            lines += section(entry)
    lines += ["## To come", "", "Codes that are taken, and the feature that will report them.", ""]
    lines += ["| code | what it will mean | at run time | with |", "|---|---|---|---|"]
    for entry in entries:
        if entry["arrives_with"]:
            lines.append(f"| {entry['code']} | {entry['meaning']} | {entry['consequence']} | {entry['arrives_with']} |")
    return "\n".join(lines) + "\n"


def disagreements(entries, sources, shown):
    known = {entry["code"]: entry for entry in entries}
    for code, place in sorted(sources.items()):
        if code not in known:
            yield f"{code} ({place}) is not in passes/diagnostic_catalogue_*.c"
        elif known[code]["arrives_with"]:
            yield f"{code} ({place}) is reported: take its .arrives_with out of passes/diagnostic_catalogue_*.c"
        both = known.get(code, {}).get("checked") == "declared and verified"
        if both and not (known[code]["declared"] and known[code]["verified"]):
            yield f"{code} is declared and verified: say in .compared and .seen what that is"
    for code, entry in known.items():
        if not entry["arrives_with"] and code not in sources:
            yield f"{code} is in the catalogue as reported, and nothing reports it"


def main(arguments):
    pipelink, project = arguments[0], pathlib.Path(arguments[1])
    entries, shown = catalogue(pipelink), tests_by_code(project)
    text = page(entries, shown)
    if arguments[2:] == ["--write"]:
        (project / PAGE).write_text(text)
        return 0
    if arguments[2:] != ["--check"]:
        print(text, end="")
        return 0
    wrong = list(disagreements(entries, codes_in_sources(project), shown))
    if (project / PAGE).read_text() != text:
        wrong.append(f"{PAGE} is out of date: ninja diagnostics-page")
    print("\n".join(wrong) or "the catalogue, the sources and the page agree")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
