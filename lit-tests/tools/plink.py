"""plink.py - makes packages that `pipelink pack` would not: for tests of what the linker does with them.

  plink.py edit IN.plink OUT.plink "STATEMENT"     m: the manifest, f: {member: bytes}; hashes follow by themselves
  plink.py make STAGE.bc PROFILE OUT.plink         a package around any bitcode, its contract from CONTRACT on stdin
"""

import hashlib
import json
import sys
import zipfile


def write(path, manifest, files):
    manifest["members"] = [
        {"file": name, "bytes": len(files[name]), "sha256": hashlib.sha256(files[name]).hexdigest()}
        for name in sorted(files)
    ]
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("manifest.json", json.dumps(manifest))
        for name in sorted(files):
            archive.writestr(name, files[name])


def edit(source, target, statement):
    with zipfile.ZipFile(source) as archive:
        files = {name: archive.read(name) for name in archive.namelist()}
    manifest = json.loads(files.pop("manifest.json"))
    exec(statement, {"m": manifest, "f": files, "json": json})
    write(target, manifest, files)


def make(bitcode, profile, target):
    contract = json.load(sys.stdin)
    stage = next(node for node in contract if node["kind"] == "stage")
    name = f"code/{profile}.bc"
    manifest = {
        "pipelink": 1,
        "package": {"name": stage["name"], "version": stage["version"]},
        "producer": {"pipelink": "0.1.0", "llvm": "22.1.8", "cuda": "13.0"},
        "code": {profile: {"file": name, "contract": contract}},
        "headers": [],
        "libraries": [],
    }
    with open(bitcode, "rb") as file:
        write(target, manifest, {name: file.read()})


if __name__ == "__main__":
    {"edit": edit, "make": make}[sys.argv[1]](*sys.argv[2:])
