"""What the tests of pages need: Node with the packages of viewer/, and Debian's Chromium. Without them a test is skipped (exit 77)."""
import fcntl
import os
import shutil
import subprocess
import sys
from pathlib import Path

SOURCE = Path(os.environ["CAROM_SOURCE"])
VIEWER = SOURCE / "viewer"
SKIPPED = 77


def skip(why):
    print(f"skipped: {why}")
    sys.exit(SKIPPED)


def need_node():
    """Installs the locked packages once, if the network allows. One test does, others that run beside it wait: half of the packages are none."""
    if not shutil.which("node"):
        skip("no Node (apt-get install nodejs npm)")
    with open(VIEWER / "package-lock.json") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if (VIEWER / "node_modules" / ".package-lock.json").exists():  # npm writes it last
            return
        npm = shutil.which("npm")
        if not npm or subprocess.run([npm, "ci", "--ignore-scripts"], cwd=VIEWER, capture_output=True, timeout=300).returncode != 0:
            skip("the packages of viewer/ are not installed (cd viewer && npm ci)")


def need_browser():
    need_node()
    browser = shutil.which("chromium")
    if not browser:
        skip("no Chromium (apt-get install chromium)")
    return browser
