#!/usr/bin/env python3
"""The wheel is packed as its format wants: name, tag, files, hashes. The module itself is not built here (it takes a build of its own)."""
import base64
import csv
import hashlib
import os
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

SOURCE = Path(os.environ["CAROM_SOURCE"])
MAKER = SOURCE / "bindings/python/make_wheel.py"
folder = Path(tempfile.mkdtemp(prefix="wheel_", dir=os.getcwd()))
package = folder / "build/python/carom"
package.mkdir(parents=True)
for file in (SOURCE / "bindings/python/carom").glob("*.py*"):
    (package / file.name).write_bytes(file.read_bytes())


def make(*words):
    return subprocess.run(["/usr/bin/python3", MAKER, "--no-build", *words, folder / "build"], capture_output=True, text=True)


assert "holds no module" in make().stderr, "a package without its module is refused"
module = b"\x7fELF not really"
(package / "_carom.so").write_bytes(module)
done = make("--out", folder / "wheels")
assert done.returncode == 0, done.stderr
wheel = Path(done.stdout.strip())
assert wheel.parent == folder / "wheels" and wheel.exists()
name, version, python, abi, platform = wheel.stem.split("-")
assert name == "carom" and f"project(carom VERSION {version}" in (SOURCE / "CMakeLists.txt").read_text()
assert python == abi and python.startswith("cp3") and platform.startswith("linux"), wheel.name

with zipfile.ZipFile(wheel) as archive:
    files = {entry: archive.read(entry) for entry in archive.namelist()}
info = f"carom-{version}.dist-info"
assert files["carom/_carom.so"] == module and "carom/__init__.py" in files and "carom/__init__.pyi" in files
assert f"Tag: {python}-{abi}-{platform}\n" in files[f"{info}/WHEEL"].decode()
assert "Requires-Dist: numpy" in files[f"{info}/METADATA"].decode()
listed = {row[0]: row[1:] for row in csv.reader(files[f"{info}/RECORD"].decode().splitlines())}
assert set(listed) == set(files), set(listed) ^ set(files)
for entry, (digest, size) in listed.items():
    if entry.endswith("/RECORD"):
        continue
    wanted = base64.urlsafe_b64encode(hashlib.sha256(files[entry]).digest()).rstrip(b"=").decode()
    assert digest == f"sha256={wanted}" and int(size) == len(files[entry]), entry

# An independent reader of the format, where there is one.
try:
    from wheel.wheelfile import WheelFile
except ImportError:
    sys.exit(0)
with WheelFile(str(wheel)) as archive:
    archive.testzip()
