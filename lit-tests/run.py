"""run.py - runs lit on the tests of one or more build folders and ends with one line that counts them all:

    N passed, N failed, N skipped

usage: run.py [-j WORKERS] [--filter REGEX] BUILD...     exit status 1 if a test failed or none ran
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile

PASSED = {"PASS", "FLAKYPASS", "XFAIL"}
SKIPPED = {"UNSUPPORTED", "SKIPPED", "EXCLUDED"}
LIT = "import lit.main; lit.main.main()"  # lit is a package without __main__


def run_lit(build, workers, pattern):
    """The result code of every test in one build folder, and lit's own exit status."""
    with tempfile.TemporaryDirectory() as folder:
        results = os.path.join(folder, "results.json")
        command = [sys.executable, "-c", LIT, "-sv", f"-j{workers}", "-o", results]
        if pattern:
            command += ["--filter", pattern]
        status = subprocess.run(command + [os.path.join(build, "lit-tests")]).returncode
        try:
            with open(results) as file:
                return [test["code"] for test in json.load(file)["tests"]], status
        except FileNotFoundError:  # lit stopped before it had results
            return [], status or 1


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("-j", dest="workers", type=int, default=2)
    parser.add_argument("--filter", dest="pattern")
    parser.add_argument("builds", nargs="+", metavar="BUILD")
    options = parser.parse_args()

    codes, statuses = [], []
    for build in options.builds:
        print(f"tests in {build}:", flush=True)
        found, status = run_lit(build, options.workers, options.pattern)
        codes += found
        statuses.append(status)

    passed = sum(code in PASSED for code in codes)
    skipped = sum(code in SKIPPED for code in codes)
    failed = len(codes) - passed - skipped
    print(f"{passed} passed, {failed} failed, {skipped} skipped", flush=True)
    return 1 if failed or any(statuses) or passed == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
