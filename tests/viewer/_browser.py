"""What the tests of pages need: Node with the packages of viewer/, and Debian's Chromium. Without them a test is skipped (exit 77)."""
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
    """Installs the locked packages once, if the network allows."""
    if not shutil.which("node"):
        skip("no Node (apt-get install nodejs npm)")
    if not (VIEWER / "node_modules" / "playwright-core").is_dir():
        npm = shutil.which("npm")
        if not npm or subprocess.run([npm, "ci", "--ignore-scripts"], cwd=VIEWER, capture_output=True, timeout=300).returncode != 0:
            skip("the packages of viewer/ are not installed (cd viewer && npm ci)")


def need_browser():
    need_node()
    browser = shutil.which("chromium")
    if not browser:
        skip("no Chromium (apt-get install chromium)")
    return browser
