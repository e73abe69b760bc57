#!/usr/bin/env python3
"""carom export MODEL toml: one file that needs no other, and a run of it is the same bit for bit."""
import unittest

from _helpers import BALL, SOURCE, carom, scratch


class ExportModel(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = scratch()

    def test_a_run_of_the_written_model_is_the_same(self):
        model = self.folder / "crank.toml"
        model.write_text((SOURCE / "scenarios" / "slider_crank_bodies.toml").read_text())
        written = carom("export", "crank.toml", "toml", "--set", "c=0.5 mm", cwd=self.folder)
        self.assertEqual(written.returncode, 0, written.stderr)
        self.assertIn("left out: study.clearance", written.stderr)
        self.assertNotIn("L1", (self.folder / "crank_resolved.toml").read_text())
        for file, extra in (("crank", ["--set", "c=0.5 mm"]), ("crank_resolved", [])):
            result = carom("run", file + ".toml", "--t-end", "5 ms", "--out", file + ".h5", *extra, cwd=self.folder)
            self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("equal, bit for bit", carom("diff", "crank.h5", "crank_resolved.h5", cwd=self.folder).stdout)

    def test_includes_are_put_in(self):
        (self.folder / "law.toml").write_text("schema = 1\n" + BALL[BALL.index("[law.floor]"):BALL.index("[simulation]")])
        ball = BALL.replace(BALL[BALL.index("[law.floor]"):BALL.index("[simulation]")], "")
        (self.folder / "ball.toml").write_text(ball.replace("schema = 1", 'schema = 1\ninclude = ["law.toml"]'))
        self.assertEqual(carom("export", "ball.toml", "toml", "-o", "whole.toml", cwd=self.folder).returncode, 0)
        (self.folder / "law.toml").unlink()
        self.assertEqual(carom("check", "whole.toml", cwd=self.folder).returncode, 0)

    def test_what_is_no_such_text_is_not_replaced(self):
        (self.folder / "own.toml").write_text(BALL)
        refused = carom("export", "own.toml", "toml", "-o", "own.toml", cwd=self.folder)
        self.assertEqual(refused.returncode, 4)
        self.assertEqual((self.folder / "own.toml").read_text(), BALL)

    def test_a_broken_model_is_told(self):
        (self.folder / "broken.toml").write_text(BALL.replace("mass = 1", "mas = 1"))
        refused = carom("export", "broken.toml", "toml", cwd=self.folder)
        self.assertEqual(refused.returncode, 2)
        self.assertIn("E0102", refused.stderr)
        self.assertFalse((self.folder / "broken_resolved.toml").exists())


if __name__ == "__main__":
    unittest.main()
