"""Prints the inline-asm blocks of CUDA C++ headers as records for `operations --asm`.

A block whose text is put together by macros is left out; how many those are goes to standard error."""

import re
import sys

LITERAL = re.compile(r'"((?:[^"\\]|\\.)*)"')
COMMENT = re.compile(r'("(?:[^"\\]|\\.)*")|//[^\n]*|/\*.*?\*/', re.S)
ESCAPES = {"n": "\n", "t": "\t", "r": "", "\\": "\\", '"': '"', "'": "'", "\n": ""}


def sections(source, start):
    """The text between the parentheses that open at `start`, split at its own colons."""
    parts, depth, at, begin = [], 0, start, start + 1
    while at < len(source):
        c = source[at]
        if c == '"':
            at = LITERAL.match(source, at).end()
            continue
        depth += (c == "(") - (c == ")")
        if c == ":" and depth == 1 and source[at : at + 2] != "::" and source[at - 1] != ":":
            parts.append(source[begin:at])
            begin = at + 1
        if c == ":" and depth == 1 and source[at : at + 2] == "::":
            parts += [source[begin:at], ""]
            begin = at + 2
            at += 1
        if depth == 0:
            return parts + [source[begin:at]]
        at += 1
    return parts


def text_of(part):
    """The string literals joined, in LLVM's escapes; None when something else stands between them."""
    if LITERAL.sub("", part).strip():
        return None
    text = "".join(LITERAL.findall(part))
    text = re.sub(r"\\(.)", lambda m: ESCAPES.get(m[1], m[1]), text, flags=re.S)
    text = text.replace("$", "$$")
    return re.sub(r"%(%|\d+|\[\w+\])", lambda m: "%" if m[1] == "%" else "$" + m[1], text)


def main():
    left_out = 0
    for path in sys.argv[1:]:
        with open(path, encoding="utf-8", errors="replace") as file:
            source = COMMENT.sub(lambda m: m[1] or " ", file.read())
        source = re.sub(r"\\\n", "\n", source)
        for match in re.finditer(r"\basm\s*(?:volatile|__volatile__)?\s*\(", source):
            parts = sections(source, match.end() - 1)
            text = text_of(parts[0]) if parts else None
            if text is None:
                left_out += 1
                continue
            if "$[" in text:  # operands with names: all that matters here is that they are some
                text = re.sub(r"\$\[\w+\]", "$0", text)
            outputs = LITERAL.findall(parts[1]) if len(parts) > 1 else []
            inputs = LITERAL.findall(parts[2]) if len(parts) > 2 else []
            tied = [str(i) for i, o in enumerate(outputs) if o.startswith("+")]
            print(",".join(["=" + o.lstrip("+=") for o in outputs] + inputs + tied + ["~{memory}"]))
            print(text.rstrip("\n") + "\n%%")
    print(f"{left_out} left out", file=sys.stderr)


main()
