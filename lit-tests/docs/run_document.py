"""run_document.py - runs the commands that a document shows and compares what they print with what it shows.

A document's fenced blocks say what they are:

    ```console            each line after "$ " is a command; a trailing backslash continues it, and so does a here-document
                          up to its last line. The lines up to the next command are all it prints, stdout and stderr
                          together. "..." as a whole line stands for any number of lines, within a line for any text.
                          "# exit 1" after a command's output is its exit status when that isn't 0.
    ```cpp caller.cu      a piece of that file, which must be in it word for word

All commands run in one bash, in a copy of the folder that holds the document's files, so `cd` and `export` carry over.

usage: run_document.py DOCUMENT --files=FOLDER [--path=FOLDER[:FOLDER]...]
"""

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile

FENCE = re.compile(r"^```(\S*)[ \t]*(.*)$")
EXIT = re.compile(r"^# exit (\d+)$")
HERE_DOCUMENT = re.compile(r"<<-?\s*(['\"]?)(\w+)\1")


class Block:
    """A fenced block: its language, the rest of the fence's line, its lines, and the number of the first of them."""

    def __init__(self, language, note, first):
        self.language, self.note, self.first, self.lines = language, note.strip(), first, []


class Command:
    """One command of a console block, with the lines it should print."""

    def __init__(self, text, line):
        self.text, self.line, self.output, self.status = text, line, [], 0


def read_blocks(path):
    blocks, block = [], None
    with open(path, encoding="utf-8") as file:
        for number, line in enumerate(file.read().splitlines(), 1):
            fence = FENCE.match(line)
            if block is None and fence:
                block = Block(fence[1], fence[2], number + 1)
                blocks.append(block)
            elif block is not None and line == "```":
                block = None
            elif block is not None:
                block.lines.append(line)
    if block is not None:
        raise SystemExit(f"{path}:{block.first - 1}: this block never ends")
    return blocks


def read_commands(block):
    commands = []
    end = None  # the line that ends a here-document
    continued = False
    for number, line in enumerate(block.lines, block.first):
        status = EXIT.match(line)
        if end or continued:
            commands[-1].text += "\n" + line
        elif line.startswith("$ "):
            commands.append(Command(line[2:], number))
            here_document = HERE_DOCUMENT.search(line)
            end = here_document and here_document[2]
        elif not commands:
            raise SystemExit(f"line {number}: output before the first command of a block")
        elif status:
            commands[-1].status = int(status[1])
        else:
            commands[-1].output.append(line)
            continue
        if line == end:
            end = None
        continued = not end and line.endswith("\\")
    if end or continued:
        raise SystemExit(f"line {block.first}: a command of this block never ends")
    return commands


class Shell:
    """One bash for all commands of a document."""

    MARK = "run_document.py: exit status"

    def __init__(self, folder, environment):
        self.process = subprocess.Popen(
            ["bash", "--norc"],
            cwd=folder,
            env=environment,
            text=True,
            encoding="utf-8",
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
        )

    def run(self, text):
        """What the command printed, as lines, and its exit status."""
        # On a line of its own: the output before it may lack its last newline.
        self.process.stdin.write(f"{text}\nprintf '\\n%s %d\\n' '{self.MARK}' $?\n")
        self.process.stdin.flush()
        lines = []
        for line in self.process.stdout:
            if line.startswith(self.MARK):
                text = "".join(lines)
                return text.removesuffix("\n").splitlines(), int(line.rsplit(" ", 1)[1])
            lines.append(line)
        raise SystemExit(f"the shell ended in the middle of: {text}")


def line_matches(expected, actual):
    pattern = ".*".join(re.escape(part) for part in expected.split("..."))
    return re.fullmatch(pattern, actual) is not None


def lines_match(expected, actual):
    if not expected:
        return not actual
    if expected[0].strip() == "...":
        return any(lines_match(expected[1:], actual[skip:]) for skip in range(len(actual) + 1))
    return bool(actual) and line_matches(expected[0], actual[0]) and lines_match(expected[1:], actual[1:])


def indent(lines):
    return "".join(f"    {line}\n" for line in lines) or "    (nothing)\n"


def run_commands(document, block, shell):
    failures = []
    for command in read_commands(block):
        print(f"{document}:{command.line}: $ {command.text}", flush=True)
        printed, status = shell.run(command.text)
        if status != command.status or not lines_match(command.output, printed):
            failures.append(
                f"{document}:{command.line}: $ {command.text}\n"
                f"  the document says, with exit status {command.status}:\n{indent(command.output)}"
                f"  it printed, with exit status {status}:\n{indent(printed)}"
            )
    return failures


def check_quotation(document, block, folder):
    with open(os.path.join(folder, block.note), encoding="utf-8") as file:
        if "\n".join(block.lines) in file.read():
            return []
    return [f"{document}:{block.first}: this is not in {block.note} word for word:\n{indent(block.lines)}"]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("document")
    parser.add_argument("--files", required=True, help="folder with the files that the document speaks of")
    parser.add_argument("--path", default="", help="folders with the programs that it runs, as in PATH")
    options = parser.parse_args()

    environment = dict(os.environ)
    programs = [os.path.abspath(folder) for folder in options.path.split(os.pathsep) if folder]
    environment["PATH"] = os.pathsep.join(programs + [environment["PATH"]])
    failures, seen = [], 0
    with tempfile.TemporaryDirectory() as temporary:
        folder = os.path.join(temporary, os.path.basename(os.path.normpath(options.files)))
        shutil.copytree(options.files, folder)
        shell = Shell(folder, environment)
        for block in read_blocks(options.document):
            if block.language == "console":
                failures += run_commands(options.document, block, shell)
                seen += 1
            elif block.note:
                failures += check_quotation(options.document, block, options.files)
                seen += 1
        shell.process.stdin.close()
        shell.process.wait()

    sys.stderr.write("\n".join(failures))
    if seen == 0:
        sys.stderr.write(f"{options.document}: no block to check\n")
    return 1 if failures or seen == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
