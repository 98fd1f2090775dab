"""generate.py - writes the corpus of correct compositions, links it, and prepares its run on a GPU.

  generate.py --list                           the pairs, one a line
  generate.py --write=DIR [PAIR...]            their sources, a folder each
  generate.py --link=DIR --build=BUILD [...]   links each pair; an error or a warning is a false alarm
  generate.py --bundle=DIR --build=BUILD [...] cubins, inputs and sums of the outputs, for check.sh

PAIR is a name or a pattern such as 'stream-*'; without one it is all of them. Results of compiling are kept in
DIR/.results, so that only what has changed is compiled again.
"""

import argparse
import collections
import concurrent.futures
import fnmatch
import hashlib
import os
import re
import subprocess
import sys

from builder import ARCH, Builder
from corpus import PAIRS

HERE = os.path.dirname(os.path.abspath(__file__))


def chosen(patterns):
    for pattern in patterns:
        if not fnmatch.filter([pair.name for pair in PAIRS], pattern):
            sys.exit(f"generate.py: no pair is called {pattern}; --list shows them")
    return [pair for pair in PAIRS if not patterns or any(fnmatch.fnmatch(pair.name, each) for each in patterns)]


def write(pairs, folder):
    for pair in pairs:
        os.makedirs(os.path.join(folder, pair.name), exist_ok=True)
        for name, text in pair.sources.items():
            with open(os.path.join(folder, pair.name, name), "w") as file:
                file.write(text)


def link(pair, builder, output=None):
    """Whether the pair links without a word of warning, and what was said."""
    packages = []
    for stage in pair.stages:
        result, path = builder.compile(pair.sources, stage)
        if result.ok and "warning:" not in result.text:
            result, path = builder.pack(path)
        if not result.ok or "warning:" in result.text:
            return False, result.text
        packages.append(path)
    if output:
        done = subprocess.run([builder.linker, *packages, f"--arch={ARCH}", "-o", output], stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True)
        ok, said = done.returncode == 0, done.stdout
    else:
        result = builder.link(packages)
        ok, said = result.ok, result.text
    return ok and "warning:" not in said and "error:" not in said, said


def link_all(pairs, builder, workers, output=lambda pair: None):
    """How many pairs are refused or warned of."""
    alarms, states = 0, collections.Counter()
    with concurrent.futures.ThreadPoolExecutor(workers) as pool:
        for pair, (ok, said) in zip(pairs, pool.map(lambda pair: link(pair, builder, output(pair)), pairs)):
            for number, state in re.findall(r"(\d+) (verified|declared only|undecided)", said):
                states[state] += int(number)
            if not ok:
                alarms += 1
                print(f"false alarm: {pair.name}: {pair.about}\n{said}", flush=True)
    print(f"{len(pairs)} pairs linked, {alarms} false alarms; " + ", ".join(
        f"{states[state]} {state}" for state in ("verified", "declared only", "undecided")))
    return alarms


def bundle(pairs, folder):
    """Beside each cubin: PAIR.run, the arguments of `pipelink run`, and PAIR.sha256, what its outputs must be."""
    inputs = {}  # contents: file name; many pairs have the same

    def input_file(data):
        name = inputs.setdefault(data, f"input-{len(inputs)}.bin")
        with open(os.path.join(folder, name), "wb") as file:
            file.write(data)
        return name

    for pair in pairs:
        arguments, sums = [f"--grid={pair.run.grid}"], []
        for parameter, value in pair.run.values.items():
            fill, is_file, name = str(value).partition("file:")
            arguments.append(f"--set={parameter}={fill}" + (f"file:{input_file(pair.run.files[name])}" if is_file else ""))
        for parameter, data in pair.run.outputs.items():
            arguments.append(f"--out={parameter}=@{parameter}.bin:{pair.run.words_are}:{len(data) // 4}")
            sums.append(f"{hashlib.sha256(data).hexdigest()}  {parameter}.bin")
        for suffix, lines in (("run", arguments), ("sha256", sums)):
            with open(os.path.join(folder, f"{pair.name}.{suffix}"), "w") as file:
                file.write("\n".join(lines) + "\n")


def main():
    parser = argparse.ArgumentParser()
    modes = parser.add_mutually_exclusive_group(required=True)
    modes.add_argument("--list", action="store_true")
    for mode in ("write", "link", "bundle"):
        modes.add_argument(f"--{mode}", metavar="DIR")
    parser.add_argument("--build", default=os.path.join(HERE, "..", "..", "build"))
    parser.add_argument("--include", default=os.path.join(HERE, "..", "..", "runtime", "include"))
    parser.add_argument("-j", dest="workers", type=int, default=os.cpu_count())
    parser.add_argument("pairs", nargs="*", metavar="PAIR")
    options = parser.parse_args()
    pairs = chosen(options.pairs)

    if options.list:
        for pair in pairs:
            print(f"{pair.name:32} {pair.about}")
    elif options.write:
        write(pairs, options.write)
    elif options.link:
        return link_all(pairs, Builder(options.build, options.include, os.path.join(options.link, ".results")),
                        options.workers) > 0
    else:
        pairs = [pair for pair in pairs if pair.run]
        os.makedirs(options.bundle, exist_ok=True)
        for file in os.scandir(options.bundle):  # of an earlier corpus
            if file.is_file():
                os.remove(file)
        builder = Builder(options.build, options.include, os.path.join(options.bundle, ".results"))
        if link_all(pairs, builder, options.workers, lambda pair: os.path.join(options.bundle, pair.name + ".cubin")):
            return 1
        bundle(pairs, options.bundle)
    return 0


if __name__ == "__main__":
    sys.exit(main())
