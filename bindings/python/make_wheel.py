#!/usr/bin/python3
"""Makes a wheel of the Python module, for Debian's Python (`./carom python --wheel`): builds the library position-independent in
build/wheel, which takes as long as the first build of the program, and packs the package.

usage: make_wheel.py [--no-build] [--out FOLDER] [BUILD_DIR]
"""
import argparse
import base64
import hashlib
import subprocess
import sys
import sysconfig
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def parse():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", nargs="?", type=Path, default=ROOT / "build/wheel", help="where to build (build/wheel)")
    parser.add_argument("--no-build", action="store_true", help="pack what is built there")
    parser.add_argument("--out", type=Path, help="where the wheel goes (the build's folder)")
    return parser.parse_args()


def build_module(build):
    subprocess.run(["cmake", "-S", ROOT, "-B", build, "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release", "-DCAROM_PYTHON_MODULE=ON",
                    "-DBUILD_TESTING=OFF", "-DCAROM_MPI=OFF"], check=True, stdout=sys.stderr)
    subprocess.run(["cmake", "--build", build, "--target", "carom_module", "python_package"], check=True, stdout=sys.stderr)


def pack(package, out):
    """The archive, as the format of wheels wants it: the package, what it is, and the hash of every file."""
    version = next(line.split()[2] for line in (ROOT / "CMakeLists.txt").read_text().splitlines() if line.startswith("project(carom VERSION"))
    python = f"cp{sys.version_info.major}{sys.version_info.minor}"
    tag = f"{python}-{python}-{sysconfig.get_platform().replace('-', '_').replace('.', '_')}"
    info = f"carom-{version}.dist-info"
    files = {f"carom/{path.name}": path.read_bytes() for path in sorted(package.iterdir()) if path.is_file()}
    if not any(name.endswith(".so") for name in files):
        sys.exit(f"{package} holds no module: build with -DCAROM_PYTHON_MODULE=ON")
    files[f"{info}/METADATA"] = (f"Metadata-Version: 2.1\nName: carom\nVersion: {version}\nSummary: Nonsmooth mechanics: contact, impact, friction\n"
                                 "Requires-Python: >=3.9\nRequires-Dist: numpy\n").encode()
    files[f"{info}/WHEEL"] = f"Wheel-Version: 1.0\nGenerator: carom\nRoot-Is-Purelib: false\nTag: {tag}\n".encode()
    record = ""
    for name, data in files.items():
        digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
        record += f"{name},sha256={digest},{len(data)}\n"
    files[f"{info}/RECORD"] = (record + f"{info}/RECORD,,\n").encode()
    out.mkdir(parents=True, exist_ok=True)
    wheel = out / f"carom-{version}-{tag}.whl"
    with zipfile.ZipFile(wheel, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return wheel


def main():
    options = parse()
    if not options.no_build:
        build_module(options.build)
    print(pack(options.build / "python" / "carom", options.out or options.build))


if __name__ == "__main__":
    main()
