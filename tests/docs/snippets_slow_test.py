"""Pages with slow blocks, whole."""
import sys
import unittest

from _snippets import pages, run_page


class SlowSnippets(unittest.TestCase):
    def test_every_page_that_has_some(self):
        total = 0
        for page in pages():
            with self.subTest(str(page)):
                total += run_page(page, True)
        self.assertGreater(total, 3)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
