"""Every command and snippet of the pages runs, but for those marked slow."""
import sys
import unittest

from _snippets import blocks, escaped, pages, run_page


class Snippets(unittest.TestCase):
    def test_every_block(self):
        total = 0
        for page in pages():
            with self.subTest(str(page)):
                total += run_page(page, False)
        self.assertGreater(total, 50)

    def test_no_command_escapes(self):
        self.assertEqual([line for page in pages() for line in escaped(page)], [], "write them as ```sh, so that they are run")

    def test_what_is_not_run_says_why(self):
        for page in pages():
            for block in blocks(page):
                if not block.run:
                    self.assertRegex(block.mark, r"^not run: \w+ \w+", str(block))

    def test_a_lie_is_noticed(self):
        from pathlib import Path
        from _snippets import SOURCE, Folder
        folder = Folder()
        with self.assertRaises(AssertionError):
            folder.bash("carom run nowhere.toml")
        folder.bash("carom list schemes")
        folder.look_for("moreau_jean ...\nggl_unified")
        with self.assertRaises(AssertionError):
            folder.look_for("ggl_unified\nmoreau_midpoint")
        with self.assertRaises(AssertionError):
            folder.fragment('[body.a]\nmas = "1 kg"\n')
        with self.assertRaises(AssertionError):
            folder.fragment('[body.a]\nmass = "1 m"\n')
        self.assertTrue(Path(SOURCE / "README.md").exists())


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
