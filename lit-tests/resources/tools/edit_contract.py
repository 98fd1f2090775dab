"""edit_contract.py - a package as no PipeLink would have written it: IN.plink OUT.plink NAME KEY=JSON ...

Changes fields of the resource or role NAME in every contract, and writes hashes that fit.
"""

import json
import os
import sys
import zipfile

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "..", "package", "tools"))
import plink  # noqa: E402

source, target, name, *fields = sys.argv[1:]
with zipfile.ZipFile(source) as archive:
    members = {entry: archive.read(entry) for entry in archive.namelist()}
manifest = json.loads(members["manifest.json"])
nodes = [node for code in manifest["code"].values() for node in code["contract"] if node.get("name") == name]
assert nodes, f"{source} has nothing called {name}"
for node in nodes:
    node.update({key: json.loads(value) for key, value in (field.split("=", 1) for field in fields)})
members["manifest.json"] = json.dumps(manifest).encode()
plink.write(target, members)
