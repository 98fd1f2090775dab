"""judge.py - asks `pipelink inspect` about packages made by a test; the test ends with judge.done().

    accepts("plain", package())
    refuses("dots", entries, "L-PACKAGE", "member '../x': ...")

A package is a dict of members, a list of zip entries, or bytes. A refusal is exit status 1, nothing on stdout, and one
error with this code that names the file and says the text. argv[1] is the program.
"""

import subprocess
import sys
import time

from plink import entries_of, zip_bytes

failures = 0
cases = 0


def inspect(name, package):
    path = f"{name}.plink"
    if isinstance(package, dict):
        package = entries_of(package)
    if isinstance(package, list):
        package = zip_bytes(package)
    with open(path, "wb") as file:
        file.write(package)
    begin = time.monotonic()
    result = subprocess.run([sys.argv[1], "inspect", path], capture_output=True, text=True, errors="replace", timeout=60)
    result.seconds = time.monotonic() - begin
    return path, result


def judge(name, good, result):
    global failures, cases
    cases += 1
    print("ok  " if good else "FAIL", name, result.stderr.rstrip())
    if not good:
        failures += 1
        print(f"    exit status {result.returncode}, stdout {result.stdout!r}")


def accepts(name, package):
    path, result = inspect(name, package)
    judge(name, result.returncode == 0 and not result.stderr and result.stdout.startswith("org.test.stage 1.0.0\n"),
          result)


def refuses(name, package, code, message):
    path, result = inspect(name, package)
    lines = result.stderr.split("\n")
    good = (result.returncode == 1 and not result.stdout and result.stderr.count("error:") == 1
            and lines[0].startswith(f"pipelink inspect: error: {code}: {path}: ") and message in lines[0])
    judge(name, good, result)
    if not good:
        print(f"    expected {code}: {message}")
    return result


def done():
    sys.exit(f"{failures} of {cases} failed" if failures or not cases else 0)
