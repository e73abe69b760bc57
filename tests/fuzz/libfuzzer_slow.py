#!/usr/bin/env python3
"""Builds the libFuzzer programs with clang (the preset `fuzz`) and lets each run for some seconds.

    libfuzzer_slow.py [SECONDS [NAME...]]

New inputs are kept in build/fuzz/corpus, findings in build/fuzz/findings: a finding is a failure. Exit 77: no clang here.
"""
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

SOURCE = Path(os.environ.get("CAROM_SOURCE", Path(__file__).parents[2]))
BUILD = SOURCE / "build" / "fuzz"
SEEDS = SOURCE / "tests" / "fuzz" / "corpus"


def build(names):
    if not (SOURCE / "build" / "release" / "libcarom_model.a").exists():
        print("no build/release: its libraries are linked here")
        sys.exit(77)
    subprocess.run(["cmake", "--preset", "fuzz"], cwd=SOURCE, check=True, stdout=subprocess.DEVNULL)
    subprocess.run(["cmake", "--build", BUILD, "--target", *[f"fuzz_{name}" for name in names]], check=True, stdout=subprocess.DEVNULL)


def run(name, seconds):
    corpus, findings = BUILD / "corpus" / name, BUILD / "findings" / name
    for folder in (corpus, findings):
        folder.mkdir(parents=True, exist_ok=True)
    command = [BUILD / "bin" / f"fuzz_{name}", f"-max_total_time={seconds}", "-timeout=10", "-rss_limit_mb=2048", "-max_len=20000",
               "-print_final_stats=1", f"-artifact_prefix={findings}/", corpus, SEEDS / name]
    environment = dict(os.environ)
    if name in ("problem_arrays", "problem_file"):
        environment["ASAN_OPTIONS"] = "detect_leaks=0"  # the HDF5 library loses memory when it refuses a file
    if name == "scenario":
        command.append(SOURCE / "scenarios")
    result = subprocess.run(command, cwd=SOURCE, env=environment, capture_output=True, text=True, errors="replace")
    ran = re.search(r"number_of_executed_units: (\d+)", result.stderr)
    covered = re.findall(r"cov: (\d+)", result.stderr)
    print(f"{name}: {ran.group(1) if ran else '?'} inputs in {seconds} s, {covered[-1] if covered else '?'} edges, "
          f"{'no finding' if result.returncode == 0 else 'FINDING'}", flush=True)
    if result.returncode != 0:
        print(result.stderr[-6000:])
    return result.returncode == 0


def main():
    seconds = int(sys.argv[1]) if len(sys.argv) > 1 else 10
    names = sys.argv[2:] or sorted(path.name.removesuffix("_fuzz.cc") for path in (SOURCE / "tests" / "fuzz").glob("*_fuzz.cc"))
    if not shutil.which("clang++-14"):
        print("no clang++-14: nothing was run")
        return 77
    build(names)
    return 0 if all([run(name, seconds) for name in names]) else 1


if __name__ == "__main__":
    sys.exit(main())
