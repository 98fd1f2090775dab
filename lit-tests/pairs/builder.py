"""builder.py - compiles, packs and links what pairs and mutants are made of, each thing once.

Results lie in a folder under the hash of all they depend on: sources, programs, plugin and headers. A second run over
the same sources takes seconds.
"""

import glob
import hashlib
import os
import subprocess
import sys
import tempfile
from dataclasses import dataclass

ARCH = "sm_90a"
TIME_LIMIT = 300  # seconds for one program


@dataclass(frozen=True)
class Result:
    ok: bool
    text: str  # standard output and error


def digest_of(*parts):
    digest = hashlib.sha256()
    for part in parts:
        data = part if isinstance(part, bytes) else str(part).encode()
        digest.update(b"%d:" % len(data) + data)
    return digest.hexdigest()[:32]


def digest_of_files(paths):
    contents = []
    for path in sorted(paths):
        with open(path, "rb") as file:
            contents += [os.path.basename(path), file.read()]
    return digest_of(*contents)


class Builder:
    """`build` is a build folder of PipeLink, `include` its device headers, `folder` where results are kept."""

    def __init__(self, build, include, folder):
        self.pipelink = os.path.join(build, "bin", "pipelink")
        self.packer = os.path.join(build, "bin", "pipelink-pack")
        self.linker = os.path.join(build, "bin", "ld.pipelink")
        self.folder = os.path.abspath(folder)
        os.makedirs(self.folder, exist_ok=True)
        headers = set(glob.glob(os.path.join(include, "pipelink", "*.h")))
        headers.discard(os.path.join(include, "pipelink", "pipelink.h"))  # for hosts
        plugin = os.path.realpath(os.path.join(build, "lib", "PipeLinkClang.so"))
        command = self._run([self.pipelink, "cc", f"--arch={ARCH}", "-###", "stage.cu", "-o", "stage.bc"])
        self.compiling = digest_of(digest_of_files([plugin, *headers]), command.text)
        self.packing = digest_of_files([self.packer])
        self.linking = digest_of_files([self.linker])

    def _once(self, key, suffix, make):
        """The result under `key`, and the path of what was made; `make(path)` makes it, returning a Result."""
        path = os.path.join(self.folder, key + suffix)
        log = os.path.join(self.folder, key + ".log")
        if os.path.exists(log):
            with open(log, errors="replace") as file:
                status, _, text = file.read().partition("\n")
            return Result(status == "ok", text), path
        result = make(path)
        handle, temporary = tempfile.mkstemp(dir=self.folder)
        with open(handle, "w") as file:
            file.write(("ok" if result.ok else "failed") + "\n" + result.text)
        os.rename(temporary, log)
        return result, path

    def _run(self, command, folder=None):
        done = subprocess.run(command, cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True, errors="replace", timeout=TIME_LIMIT)
        return Result(done.returncode == 0, done.stdout)

    def compile(self, sources, stage):
        """The bitcode of one stage of `sources` (name: text). (Result, path)"""
        headers = {name: text for name, text in sources.items() if not name.endswith(".cu")}
        key = digest_of(self.compiling, stage, sources[stage], *[part for pair in sorted(headers.items()) for part in pair])

        def make(path):
            with tempfile.TemporaryDirectory() as folder:
                for name, text in {**headers, stage: sources[stage]}.items():
                    with open(os.path.join(folder, name), "w") as file:
                        file.write(text)
                return self._run([self.pipelink, "cc", f"--arch={ARCH}", stage, "-o", path], folder)

        return self._once(key, ".bc", make)

    def pack(self, bitcode):
        """(Result, path of the package)"""
        key = digest_of("pack", self.packing, os.path.basename(bitcode))
        return self._once(key, ".plink", lambda path: self._run([self.packer, bitcode, "-o", path]))

    def edited(self, package, editor, statement):
        """The package with its manifest edited by lit-tests/tools/plink.py."""
        key = digest_of("edit", os.path.basename(package), statement)
        return self._once(key, ".plink",
                          lambda path: self._run([sys.executable, editor, "edit", package, path, statement]))

    def link(self, packages, *options):
        """What the linker says of packages; the kernel is not kept."""
        key = digest_of("link", self.linking, *[os.path.basename(path) for path in packages], *options)

        def make(_):
            with tempfile.TemporaryDirectory() as folder:
                return self._run([self.linker, *packages, f"--arch={ARCH}", "-o", os.path.join(folder, "kernel.cubin"), *options])

        return self._once(key, "", make)[0]
