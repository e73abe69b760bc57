#!/usr/bin/env python3
"""Makes a wheel of the Python module: builds the library position-independent in build/wheel, and packs the package.

usage: make_wheel.py [--no-build] [BUILD_DIR]
"""
import base64
import hashlib
import subprocess
import sys
import sysconfig
import zipfile
from pathlib import Path

root = Path(__file__).resolve().parents[2]
arguments = [a for a in sys.argv[1:] if not a.startswith("-")]
build = Path(arguments[0]) if arguments else root / "build/wheel"
if "--no-build" not in sys.argv:
    subprocess.run(["cmake", "-S", root, "-B", build, "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release", "-DCAROM_PYTHON_MODULE=ON",
                    "-DBUILD_TESTING=OFF", "-DCAROM_MPI=OFF"], check=True)
    subprocess.run(["cmake", "--build", build, "--target", "carom_module", "python_package"], check=True)

package = build / "python" / "carom"
version = next(line.split()[2] for line in (root / "CMakeLists.txt").read_text().splitlines() if line.startswith("project(carom VERSION"))
tag = f"cp{sys.version_info.major}{sys.version_info.minor}"
platform = sysconfig.get_platform().replace("-", "_").replace(".", "_")
wheel = build / f"carom-{version}-{tag}-{tag}-{platform}.whl"
info = f"carom-{version}.dist-info"
files = {f"carom/{path.name}": path.read_bytes() for path in sorted(package.iterdir()) if path.is_file()}
if not any(name.endswith(".so") for name in files):
    sys.exit(f"{package} holds no module: build with -DCAROM_PYTHON_MODULE=ON")
files[f"{info}/METADATA"] = (f"Metadata-Version: 2.1\nName: carom\nVersion: {version}\nSummary: Nonsmooth mechanics: contact, impact, friction\n"
                             "Requires-Python: >=3.9\nRequires-Dist: numpy\n").encode()
files[f"{info}/WHEEL"] = f"Wheel-Version: 1.0\nGenerator: carom\nRoot-Is-Purelib: false\nTag: {tag}-{tag}-{platform}\n".encode()
record = ""
for name, data in files.items():
    digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
    record += f"{name},sha256={digest},{len(data)}\n"
files[f"{info}/RECORD"] = (record + f"{info}/RECORD,,\n").encode()
with zipfile.ZipFile(wheel, "w", zipfile.ZIP_DEFLATED) as archive:
    for name, data in files.items():
        archive.writestr(name, data)
print(wheel)
