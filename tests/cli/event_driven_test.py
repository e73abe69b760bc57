#!/usr/bin/env python3
"""The event-driven scheme from the command line: what it reports, and what a build without it says."""
import json
import shutil
import unittest

from _helpers import BALL, carom, scratch


class EventDriven(unittest.TestCase):
    def setUp(self):
        self.directory = scratch()
        (self.directory / "ball.toml").write_text(BALL)

    def tearDown(self):
        shutil.rmtree(self.directory)

    def run_ball(self, *arguments):
        return carom("run", "ball.toml", "--scheme", "event-driven", *arguments, cwd=self.directory)

    def test_report_or_remedy(self):
        built = "event_driven" in carom("list", "schemes", cwd=self.directory).stdout
        result = self.run_ball()
        if not built:
            self.assertEqual(result.returncode, 2)
            self.assertIn("error[E0111]", result.stderr)
            self.assertIn("libsundials-dev", result.stderr)
            return
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        self.assertIn("events: impact", result.stdout)
        last = json.loads(self.run_ball("--json").stdout.splitlines()[-1])
        impacts = [event["t"] for event in last["events"] if event["kind"] == "impact"]
        self.assertGreater(len(impacts), 0)
        self.assertEqual(impacts, sorted(impacts))


if __name__ == "__main__":
    unittest.main()
