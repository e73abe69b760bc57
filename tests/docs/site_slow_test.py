"""The site is made without a warning, loads nothing from elsewhere, and has a page for everything the program knows."""
import json
import os
import re
import shutil
import subprocess
import sys
import unittest
from pathlib import Path

CAROM = os.environ["CAROM"]
SOURCE = Path(os.environ["CAROM_SOURCE"])
if subprocess.run(["/usr/bin/python3", "-c", "import sphinx, myst_parser, furo"], capture_output=True).returncode != 0:
    print("skipped: no Sphinx (apt-get install python3-sphinx python3-myst-parser furo)")
    sys.exit(77)
OUT = Path(os.getcwd()) / "site"


class Site(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.done = subprocess.run(["/usr/bin/python3", str(SOURCE / "docs/site/build_site.py"), "--carom", CAROM, "--out", str(OUT), "--no-pictures"],
                                  capture_output=True, text=True, timeout=1500)
        cls.html = OUT / "html"

    def test_made_without_a_warning(self):
        self.assertEqual(self.done.returncode, 0, self.done.stdout + self.done.stderr)
        for page in ("index", "docs/getting_started", "docs/tutorial", "docs/gallery", "docs/commands", "docs/theory/index", "docs/howto/index"):
            self.assertTrue((self.html / f"{page}.html").exists(), page)

    def test_nothing_from_elsewhere(self):
        for page in self.html.rglob("*.html"):
            loaded = re.findall(r"<(?:script|img|link)[^>]*(?:src|href)=\"(https?:[^\"]+)", page.read_text())
            self.assertEqual([address for address in loaded if "canonical" not in address], [], page)

    def test_links_within_lead_somewhere(self):
        pages = list(self.html.rglob("*.html"))
        self.assertGreater(len(pages), 60)
        for page in pages:
            for target in re.findall(r"<(?:a|img)[^>]*(?:href|src)=\"([^\":#?]+)[#\"]", page.read_text()):
                self.assertTrue((page.parent / target).exists(), f"{page.relative_to(self.html)} links to {target}")

    def test_a_page_for_every_scheme_and_model(self):
        for line in subprocess.run([CAROM, "list", "schemes", "--json"], capture_output=True, text=True).stdout.splitlines():
            name = json.loads(line)["name"]
            text = (self.html / f"docs/schemes/{name}.html").read_text()
            self.assertIn("When to choose it", text)
            self.assertRegex(text, r"Equations(.|\n)*<pre>", name)
        for model in (SOURCE / "scenarios/gallery").glob("*.toml"):
            self.assertIn("schema", (self.html / f"docs/gallery/{model.stem}.html").read_text())

    def test_every_message(self):
        page = (self.html / "docs/messages.html").read_text()
        for code in re.findall(r"^CAROM_MESSAGE\((\w+),", (SOURCE / "src/carom/base/errors.def").read_text(), re.M):
            self.assertIn(code, page)

    @unittest.skipUnless(shutil.which("chromium"), "no Chromium")
    def test_a_picture_of_the_gallery(self):
        sys.path.insert(0, str(SOURCE / "docs/site"))
        from gallery import picture
        kept = Path(os.getcwd()) / "pictures"
        shutil.rmtree(kept, ignore_errors=True)
        self.assertIsNone(picture(CAROM, SOURCE, "slider_crank_guide", kept))
        drawn = (kept / "slider_crank_guide.png").read_bytes()
        self.assertEqual(drawn[:8], b"\x89PNG\r\n\x1a\n")
        self.assertEqual([int.from_bytes(drawn[at:at + 4], "big") for at in (16, 20)], [720, 480])
        self.assertGreater(len(drawn), 8000, "a picture of something")
        self.assertTrue((kept / "slider_crank_guide-curves.png").exists())
        before = (kept / "slider_crank_guide.png").stat().st_mtime_ns
        self.assertIsNone(picture(CAROM, SOURCE, "slider_crank_guide", kept))
        self.assertEqual((kept / "slider_crank_guide.png").stat().st_mtime_ns, before, "what did not change is not made again")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
