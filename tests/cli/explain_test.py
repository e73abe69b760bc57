"""carom explain tells what the code of a message means."""
import re
import sys
import unittest

from _helpers import SOURCE, carom


class Explain(unittest.TestCase):
    def test_every_code(self):
        page = (SOURCE / "docs" / "messages.md").read_text()
        rows = re.findall(r"^\| ([EW]\d{4}) \| (.*?) \| (.*?) \|$", page, re.M)
        self.assertGreater(len(rows), 70)
        for code, title, explanation in rows:
            self.assertEqual(carom("explain", code).stdout, f"{code}: {title}\n  {explanation}\n")
        for _, title, explanation in rows:
            self.assertGreater(len(explanation.split()), 3, title)

    def test_a_code_that_a_message_shows(self):
        shown = carom("run", "nowhere.toml")
        code = re.search(r"\[(E\d{4})\]", shown.stderr).group(1)
        self.assertIn("cannot be read", carom("explain", code.lower()).stdout)

    def test_an_unknown_code(self):
        result = carom("explain", "E9999")
        self.assertEqual(result.returncode, 2)
        self.assertIn("no message has the code 'E9999'", result.stderr)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
