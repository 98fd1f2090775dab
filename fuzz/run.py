"""run.py - makes seeds from what a build has made of the examples, and runs every fuzzer for a while, one by one.

usage: run.py BUILD FUZZ-BUILD [--seconds N] [--only NAME]

BUILD has the programs and the examples' packages; FUZZ-BUILD was configured with -DPIPELINK_FUZZ=ON. The corpus stays in
FUZZ-BUILD/corpus, a finding in FUZZ-BUILD/findings. Exit status 1 when there was one.
"""

import argparse
import os
import re
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "lit-tests" / "package" / "tools"))
import plink  # noqa: E402

FUZZERS = {"fuzz_zip": 1 << 16, "fuzz_manifest": 1 << 15, "fuzz_launch": 1 << 14}  # largest input, bytes


def every_type():
    """One type of each kind, so that the fuzzer need not invent them."""
    number, short, bit = plink.integer(), plink.integer(16, signed=False), plink.integer(32)
    node = {"kind": "struct", "name": "Node", "size": 16, "align": 8, "recursive": True}
    return [
        plink.record("Tile", ("m", 0, number), ("rows", 4, plink.array(short, 6)), ("bits", 16, bit, 3, 5)),
        plink.record("Node", ("next", 0, plink.pointer(node)), ("value", 8, plink.floating(64))),
        {"kind": "vector", "name": "float4", "size": 16, "align": 16, "element": plink.floating(), "count": 4},
        {"kind": "bool", "name": "bool", "size": 1, "align": 1},
        {"kind": "opaque", "name": "Queue", "size": 0, "align": 1},
        plink.pointer({"kind": "function", "name": "void ()", "size": 0, "align": 1}),
        plink.pointer(plink.pointer(plink.floating(16, bfloat=True), const=True)),
        plink.tensor_map(),
    ]


def make_seeds(build, corpus):
    for name in FUZZERS:
        (corpus / name).mkdir(parents=True, exist_ok=True)
    plink.write(corpus / "fuzz_zip" / "small.plink", plink.package())
    resources = plink.contract() + [plink.ring(), plink.barrier(), plink.buffer(), plink.tmem()]
    types = plink.contract()
    types[3]["arguments"] = types[4]["arguments"] = every_type()
    for name, contract in ("resources", resources), ("types", types):
        plink.write(corpus / "fuzz_zip" / f"{name}.plink",
                    plink.package(code={"sm_90a": {"file": "code/sm_90a.bc", "contract": contract}}))
    plink.write_entries(corpus / "fuzz_zip" / "deflated.plink",
                        [dict(entry, method=8, flags=8) for entry in plink.entries_of(plink.package())])
    packages = sorted((build / "examples").glob("**/*.plink"))
    for package in packages:
        if package.stat().st_size <= FUZZERS["fuzz_zip"]:
            shutil.copy(package, corpus / "fuzz_zip" / package.name)
    for package in (corpus / "fuzz_zip").glob("*.plink"):
        with zipfile.ZipFile(package) as zip:
            (corpus / "fuzz_manifest" / f"{package.stem}.json").write_bytes(zip.read("manifest.json"))
    for launch in sorted((build / "examples").glob("**/*.launch.json")):
        shutil.copy(launch, corpus / "fuzz_launch" / launch.name)


def run(name, limit, folder, seconds):
    corpus, findings = folder / "corpus" / name, folder / "findings"
    findings.mkdir(exist_ok=True)
    command = [folder / "bin" / name, corpus, f"-max_total_time={seconds}", f"-max_len={limit}", "-print_final_stats=1",
               f"-artifact_prefix={findings}/{name}-", "-rss_limit_mb=2048", "-timeout=10", "-verbosity=1"]
    if name != "fuzz_zip":
        command.append(f"-dict={HERE / 'json.dict'}")
    result = subprocess.run(command, capture_output=True, text=True, errors="replace", preexec_fn=lambda: os.nice(10))
    runs = re.findall(r"stat::number_of_executed_units:\s*(\d+)", result.stderr)
    coverage = re.findall(r"cov: (\d+) ft: (\d+) corp: (\d+)", result.stderr)
    if result.returncode or not runs:
        print(result.stderr[-4000:])
        print(f"{name}: FINDING, exit status {result.returncode}; see {findings}")
        return False
    edges, features, kept = coverage[-1] if coverage else ("?", "?", "?")
    print(f"{name}: {int(runs[-1]):,} runs in {seconds} s, {edges} edges, {features} features, {kept} inputs kept, no finding",
          flush=True)
    return True


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("build", type=Path)
    parser.add_argument("fuzz_build", type=Path)
    parser.add_argument("--seconds", type=int, default=600)
    parser.add_argument("--only", choices=FUZZERS)
    options = parser.parse_args()
    make_seeds(options.build.resolve(), options.fuzz_build.resolve() / "corpus")
    good = True
    for name, limit in FUZZERS.items():
        if options.only in (None, name):
            good = run(name, limit, options.fuzz_build.resolve(), options.seconds) and good
    sys.exit(0 if good else 1)


if __name__ == "__main__":
    main()
