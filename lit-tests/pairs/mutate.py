"""mutate.py - breaks the pairs of the corpus, one way at a time, and counts how many broken ones PipeLink refuses.

  mutate.py DIR --build=BUILD [--sample=N] [--family=NAME]... [--operator=NAME]... [--least=PERCENT]

Every mutant behaves differently from its pair: it hangs, corrupts, faults or is slow; its operator says why
(operators/). It is compiled, packed and linked; refused is what any of these ends with an error.
Writes DIR/mutants.json and DIR/mutants.md (docs/verification.md has the table), prints who survived, and fails when
fewer than --least percent are refused. Results are kept in DIR/.results: a second run compiles nothing.
"""

import argparse
import collections
import concurrent.futures
import json
import os
import re
import sys

from builder import Builder
from corpus import PAIRS
from operators import FAMILIES

HERE = os.path.dirname(os.path.abspath(__file__))
EDITOR = os.path.join(HERE, "..", "tools", "plink.py")
PER_OPERATOR = 2


def spread(items, count):
    """`count` of the items, evenly spread: the first, the one in the middle, those at the quarters, and so on."""
    places = [int(f"{i:016b}"[::-1], 2) * len(items) >> 16 for i in range(4 * len(items))]
    return [items[place] for place in list(dict.fromkeys(places))[:count]]


def mutants(families, operators):
    """(family, operator, mutant): of each operator some, from pairs as different as can be."""
    for family, members in FAMILIES.items():
        for operator in members:
            if (families and family not in families) or (operators and operator.name not in operators):
                continue
            made = [mutant for pair in PAIRS for mutant in operator.make(pair)]
            if not made:
                sys.exit(f"mutate.py: {operator.name} fits no pair")
            for mutant in spread(made, PER_OPERATOR):
                yield family, operator, mutant


def judge(builder, mutant):
    """(verdict, codes, text): refused, warned, accepted, or broken when it is no program at all."""
    packages, said = [], ""
    for stage in mutant.stages or mutant.pair.stages:
        result, path = builder.compile(mutant.sources, stage)
        if not result.ok:
            by_header = "static assertion failed" in result.text or "error: 'pipelink::" in result.text
            return ("refused" if by_header else "broken"), ["clang"], result.text
        for step in ("pack", "edit"):
            if step == "pack":
                result, path = builder.pack(path)
            elif mutant.manifests and stage in mutant.manifests:
                result, path = builder.edited(path, EDITOR, mutant.manifests[stage])
                if not result.ok:
                    return "broken", ["edit"], result.text
            said += result.text
            if not result.ok:
                return "refused", codes_of(result.text, "error"), result.text
        packages.append(path)
    result = builder.link(packages, "--dry-run")
    if result.ok:  # what the optimised kernel and the vendors' tools still show
        result = builder.link(packages)
    said += result.text
    if not result.ok:
        codes = codes_of(result.text, "error")
        return ("refused" if codes else "broken"), codes, result.text
    warned = codes_of(said, "warning")
    return ("warned" if warned else "accepted"), warned, said


def codes_of(text, severity):
    return sorted(set(re.findall(rf"{severity}: (L-[A-Z0-9]+):", text)))


def rows(results):
    """Per family: how many, how many refused, warned of, accepted, and the codes with which."""
    table = []
    for family in FAMILIES:
        mine = [result for result in results if result["family"] == family]
        if mine:
            count = collections.Counter(result["verdict"] for result in mine)
            codes = collections.Counter(code for result in mine if result["verdict"] == "refused" for code in result["codes"])
            table.append((family, len(mine), count["refused"], count["warned"], count["accepted"],
                          ", ".join(f"{code} {number}" for code, number in codes.most_common())))
    return table


def markdown(results):
    table = rows(results)
    total = [sum(row[i] for row in table) for i in range(1, 5)]
    lines = ["| family | mutants | refused | only warned of | accepted | by |", "|---|---|---|---|---|---|"]
    lines += [f"| {row[0]} | {row[1]} | {row[2]} | {row[3]} | {row[4]} | {row[5]} |" for row in table]
    lines.append(f"| all | {total[0]} | {total[1]} ({100 * total[1] / total[0]:.1f} %) | {total[2]} | {total[3]} | |")
    lines += ["", "| survivor | made from | at run time |", "|---|---|---|"]
    for result in results:
        if result["verdict"] in ("warned", "accepted"):
            note = f", warned of as {', '.join(result['codes'])}" if result["codes"] else ""
            lines.append(f"| {result['family']}: {result['operator']} | {result['pair']} ({result['where']}){note} | "
                         f"{result['effect']}: {result['why']} |")
    return "\n".join(lines) + "\n"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", metavar="DIR")
    parser.add_argument("--build", default=os.path.join(HERE, "..", "..", "build"))
    parser.add_argument("--include", default=os.path.join(HERE, "..", "..", "runtime", "include"))
    parser.add_argument("--sample", type=int, help="only so many, from all families")
    parser.add_argument("--family", action="append", default=[], choices=FAMILIES)
    parser.add_argument("--operator", action="append", default=[])
    parser.add_argument("--least", type=float, default=0, help="percent that must be refused")
    parser.add_argument("--verbose", action="store_true", help="print what is said of each mutant")
    parser.add_argument("-j", dest="workers", type=int, default=os.cpu_count())
    options = parser.parse_args()

    chosen = list(mutants(options.family, options.operator))
    if options.sample:
        by_family = [[entry for entry in chosen if entry[0] == family] for family in FAMILIES]
        by_family = [entries for entries in by_family if entries]
        share = -(-options.sample // len(by_family))
        chosen = [entry for entries in by_family for entry in spread(entries, share)]
    builder = Builder(options.build, options.include, os.path.join(options.folder, ".results"))
    results = []
    with concurrent.futures.ThreadPoolExecutor(options.workers) as pool:
        judged = pool.map(lambda entry: judge(builder, entry[2]), chosen)
        for (family, operator, mutant), (verdict, codes, said) in zip(chosen, judged):
            results.append({"family": family, "operator": operator.name, "pair": mutant.pair.name, "where": mutant.where,
                            "effect": operator.effect, "why": operator.why, "verdict": verdict, "codes": codes})
            if verdict == "broken" or options.verbose:
                print(f"{verdict}: {family}/{operator.name} of {mutant.pair.name} ({mutant.where})\n{said}", flush=True)
    with open(os.path.join(options.folder, "mutants.json"), "w") as file:
        json.dump(results, file, indent=1)
    with open(os.path.join(options.folder, "mutants.md"), "w") as file:
        file.write(markdown(results))
    print(markdown(results))
    refused = sum(result["verdict"] == "refused" for result in results)
    broken = sum(result["verdict"] == "broken" for result in results)
    print(f"{len(results)} mutants, {refused} refused ({100 * refused / len(results):.1f} %), {broken} broken")
    return 1 if broken or 100 * refused < options.least * len(results) else 0


if __name__ == "__main__":
    sys.exit(main())
