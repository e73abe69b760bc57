"""The page that is committed is what its sources make; types are right; no host or path of a machine is in what is committed."""
import re
import subprocess

from _browser import VIEWER, need_node

for name in ("package.json", "package-lock.json"):
    assert not re.search(r"https?://", (VIEWER / name).read_text()), f"{name} names a host"
page = (VIEWER / "dist" / "page.html").read_text()
assert page.count("/*DATA*/") == 1, "one place for data"
assert not re.search(r"<(script|link|img)[^>]*(src|href)=", page), "nothing is loaded from elsewhere"
for project in ("three", "uplot"):
    assert f"{project} " in (VIEWER / "dist" / "LICENSES.txt").read_text(), f"licence of {project}"
need_node()
for command in (["node", "build.mjs", "--check"], ["npx", "--no-install", "tsc", "--noEmit"]):
    result = subprocess.run(command, cwd=VIEWER, capture_output=True, text=True, timeout=300)
    assert result.returncode == 0, result.stdout + result.stderr
