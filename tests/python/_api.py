"""The Python module: what it says against closed forms, the C++ program and itself. Run by carom-python."""
import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
import unittest
from pathlib import Path

import carom
import numpy as np

SOURCE = Path(os.environ["CAROM_SOURCE"])
CRANK = SOURCE / "scenarios/slider_crank.toml"


def ball(restitution=0.8):
    m = carom.Model("planar")
    m.set_gravity([0, -9.81])
    body = m.add_body(name="ball", mass=1.0, inertia=4e-3, position=[0, 1.1])
    m.add_surface(body=body, shape=carom.disc(0.1))
    m.add_surface(body=m.ground(), shape=carom.half_plane(), name="floor")
    m.set_default_contact(carom.Contact(restitution=restitution))
    return m


def motor():
    m = carom.Model("planar")
    wheel = m.add_body(name="wheel", mass=1.0, inertia=0.02)
    m.add_joint(name="hinge", kind="revolute", a=m.ground().at([0, 0]), b=wheel.at([0, 0]))
    m.add_input(name="motor", joint="hinge")
    return m


class Load(unittest.TestCase):
    def test_numbers_are_those_of_the_program(self):
        with tempfile.TemporaryDirectory() as folder:
            out = Path(folder) / "crank.h5"
            subprocess.run([os.environ["CAROM"], "run", str(CRANK), "--t-end", "0.02", "--quiet", "--out", str(out)], check=False)
            r = carom.load(CRANK).run(t_end=0.02, out=Path(folder) / "python.h5")
            self.assertTrue(carom.diff(str(out), str(Path(folder) / "python.h5"))["equal"])
            import h5py
            with h5py.File(out) as file:
                table = file["contact/table"][:]
            self.assertEqual(len(table), len(r.contacts))
            np.testing.assert_array_equal(table["pn"], r.contacts["impulse_n"])
            np.testing.assert_array_equal(table["gap"], r.contacts["gap"])

    def test_set_and_settings(self):
        m = carom.load(CRANK, set={"clearance": 5e-4})
        self.assertEqual(m.parameters["clearance"], 5e-4)
        gap = m.run(t_end=1e-4)["joint.guide.c1.gap"]
        self.assertAlmostEqual(gap[0], 5e-4, 9)
        np.testing.assert_allclose(gap.to("mm"), 1e3 * np.asarray(gap))

    def test_errors_are_those_of_the_program(self):
        with self.assertRaises(carom.InputError) as caught:
            carom.load(CRANK, set={"clearence": 1})
        self.assertEqual(caught.exception.problems[0]["code"], "E0103")
        told = subprocess.run([os.environ["CAROM"], "check", str(CRANK), "--set", "clearence=1"], capture_output=True, text=True).stderr
        self.assertEqual(str(caught.exception).strip(), told.strip())
        with self.assertRaises(carom.InputError):
            ball().run(scheme="moreau_jea")
        with self.assertRaisesRegex(KeyError, "guide.c1.gap"):
            carom.load(CRANK).run(t_end=1e-4)["guide.c1.gpa"]

    def test_check_tells_and_shows(self):
        report = carom.load(CRANK).check()
        self.assertEqual(report["velocities"], 3)
        self.assertIn("<table>", report._repr_html_())
        self.assertIn("degrees of freedom", repr(report))


class Run(unittest.TestCase):
    def test_a_ball_falls_as_formulas_say(self):
        r = ball().run(t_end=0.4, step=1e-4)
        t = np.asarray(r.t)
        np.testing.assert_allclose(r["ball.y"], 1.1 - 0.5 * 9.81 * t**2, atol=1e-3)
        self.assertEqual(r.outcome, "finished")
        self.assertTrue(r.sound)
        self.assertEqual(len(r.contacts), 0)

    def test_arrays_are_views_that_outlive_the_run(self):
        y = ball().run(t_end=0.1)["ball.y"]
        import gc
        gc.collect()
        self.assertFalse(y.flags.owndata)
        self.assertFalse(y.flags.writeable)
        self.assertAlmostEqual(float(y[0]), 1.1)

    def test_the_viewer_needs_no_program(self):
        import os
        import tempfile
        with self.assertRaises(ValueError):
            ball().run(t_end=0.1).view()
        with tempfile.TemporaryDirectory() as folder:
            r = carom.load(CRANK).run(t_end=0.02, out=os.path.join(folder, "run.h5"))
            search, os.environ["PATH"] = os.environ["PATH"], ""
            try:
                page = r.view()
            finally:
                os.environ["PATH"] = search
            page.save(os.path.join(folder, "page.html"))
            with open(os.path.join(folder, "page.html"), encoding="utf-8") as file:
                text = file.read()
        self.assertTrue(text.startswith("<!doctype html><!-- a report of carom -->"))
        cell = page._repr_html_()
        self.assertTrue(cell.startswith("<iframe srcdoc=") and "<script" not in cell, "the page is quoted")

    def test_contacts_are_a_structured_array(self):
        r = ball(0.5).run(t_end=1.0, step=1e-3)
        self.assertGreater(len(r.contacts), 0)
        speed = np.sqrt(2 * 9.81)
        self.assertAlmostEqual(r.contacts["impulse_n"][0], 1.5 * speed, delta=0.02)
        self.assertEqual(len(r.contacts.of("floor")), len(r.contacts))
        try:
            frame = r.contacts.to_pandas()
        except ImportError:
            return
        self.assertEqual(len(frame.query("impulse_n > 0")), int((r.contacts["impulse_n"] > 0).sum()))
        self.assertIn("floor", frame["name"][0])

    def test_record_keeps_formulas_and_every_thins(self):
        r = ball().run(t_end=1.0, step=1e-3, every=0.1, record={"height": "ball.y - 0.1"})
        self.assertEqual(len(r.t), 11)
        np.testing.assert_allclose(r["height"], r["ball.y"] - 0.1, atol=1e-15)

    def test_own_forces(self):
        m = carom.Model("planar")
        body = m.add_body(name="body", mass=2.0, inertia=0.1)
        m.add_load(name="drag", site=body.at([0, 0]), load=lambda t, motion: [4.0, 0.0, 0.0])
        self.assertAlmostEqual(m.run(t_end=1.0, step=1e-2)["body.vx"][-1], 2.0, 9)

    def test_ctrl_c_returns_the_result_so_far(self):
        main = threading.main_thread().ident
        self.assertEqual(threading.get_ident(), main)
        threading.Timer(0.5, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
        r = carom.load(CRANK).run(t_end=1000.0, every=0.01)
        self.assertEqual(r.outcome, "interrupted")
        self.assertGreater(len(r.t), 1)

    def test_python_errors_come_through(self):
        s = motor().scenario(t_end=1.0)

        @s.controller("motor")
        def broken(view):
            raise RuntimeError("mine")

        with self.assertRaisesRegex(RuntimeError, "mine"):
            s.run()

    def test_progress_is_called(self):
        seen = []
        carom.load(CRANK).run(t_end=0.05, progress=lambda t, t_end, step: seen.append((t, t_end, step)))
        self.assertTrue(seen)
        self.assertEqual(seen[0][1], 0.05)


class Control(unittest.TestCase):
    def test_a_controller_each_step(self):
        s = motor().scenario(t_end=0.1, step=1e-3)
        calls = []

        @s.controller("motor")
        def torque(view):
            calls.append(view.t)
            return 0.5 - view["wheel.rate"] * 0

        r = s.run()
        self.assertEqual(len(calls), 100)
        self.assertAlmostEqual(r["wheel.rate"][-1], 0.5 * 0.1 / 0.02, 9)

    def test_a_controller_every_so_often_holds_its_value(self):
        s = motor().scenario(t_end=0.1, step=1e-3)
        calls = []

        @s.controller("motor", every=0.01)
        def torque(view):
            calls.append(view.t)
            return len(calls)

        r = s.run()
        self.assertEqual(len(calls), 10)
        self.assertAlmostEqual(r["wheel.rate"][-1], sum(range(1, 11)) * 0.01 / 0.02, 6)

    def test_stepper(self):
        s = motor().scenario(t_end=1.0, step=1e-3).stepper()
        s["motor"] = 1.0
        self.assertTrue(s.advance(0.05))
        here, rate = s.save(), s["wheel.rate"]
        self.assertAlmostEqual(rate, 0.05 / 0.02, 9)
        s["motor"] = -1.0
        s.advance(0.1)
        self.assertAlmostEqual(s["wheel.rate"], 0.0, 9)
        s.restore(here)
        self.assertEqual(s["wheel.rate"], rate)
        self.assertEqual(s.t, here.t)
        with self.assertRaises(carom.InputError) as caught:
            s["moter"] = 1.0
        self.assertEqual(caught.exception.problems[0]["code"], "E0614")
        with self.assertRaises(carom.InputError):
            s["wheel.speed"]


class Studies(unittest.TestCase):
    def test_sweep(self):
        m = carom.load(CRANK, set={"simulation.t_end": 0.01})
        over = {"clearance": [5e-4, 1e-3], "law.steel.normal.restitution": "0:0.8:3"}
        one = m.sweep(over, measure={"worst": "max(guide.impulse_normal)"}, workers=1)
        two = m.sweep(over, measure={"worst": "max(guide.impulse_normal)"}, workers=2)
        self.assertEqual(len(one), 6)
        np.testing.assert_array_equal(one["worst"], two["worst"])
        x, y, z = one.grid("clearance", "law.steel.normal.restitution", "worst")
        self.assertEqual(z.shape, (2, 3))
        self.assertTrue((one["outcome"] == "finished").all())

    def test_converge(self):
        m = carom.load(SOURCE / "scenarios/bouncing_ball.toml")
        report = m.converge(steps="geomspace(10 ms, 1 ms, 4)", schemes=["moreau_jean"], until=0.5)
        self.assertEqual(report["schemes"][0]["scheme"], "moreau_jean")
        self.assertEqual(len(report["schemes"][0]["step"]), 4)


class OwnScheme(unittest.TestCase):
    def test_a_midpoint_rule_in_python_is_the_built_in_one(self):
        class Midpoint(carom.Scheme):
            def step(self, s):
                t, q = s.t + s.dt / 2, s.move(s.q, s.dt / 2 * s.v)
                at = s.evaluate(t, q, s.v)
                free = s.v + np.linalg.solve(at["M"], s.dt * at["h"])
                closed = [k for k, gap in enumerate(at["gaps"]) if s.bilateral[k] or gap <= 1e-9]
                v = s.impact(t, q, free, closed)
                return s.move(q, s.dt / 2 * v), v

        own = ball().run(t_end=1.0, step=1e-3, scheme=Midpoint())
        built_in = ball().run(t_end=1.0, step=1e-3, scheme="moreau_midpoint")
        np.testing.assert_allclose(own["ball.y"], built_in["ball.y"], atol=1e-9)
        self.assertEqual(len(own.contacts), len(built_in.contacts))


class OwnLaw(unittest.TestCase):
    def slide(self, speed, law=None, friction=0.3):
        m = carom.Model("planar")
        m.set_gravity([0, -9.81])
        block = m.add_body(name="block", mass=2.0, inertia=0.1, position=[0, 0.1], velocity=[speed, 0])
        m.add_surface(body=block, shape=carom.polygon([[-0.5, -0.1], [0.5, -0.1], [0.5, 0.1], [-0.5, 0.1]]))
        m.add_surface(body=m.ground(), shape=carom.half_plane(), name="floor")
        m.set_default_contact(carom.Contact(friction=friction))
        if law:
            m.use_law("floor", law)
        return m.run(t_end=0.4, step=1e-3)

    def test_coulomb_in_python_is_the_built_in_one(self):
        class Coulomb(carom.Law):
            calls = 0

            def project(self, x):
                Coulomb.calls += 1
                n = max(0.0, x[0])
                return [n, min(max(x[1], -0.3 * n), 0.3 * n)]

        own, built_in = self.slide(1.0, Coulomb()), self.slide(1.0)
        self.assertGreater(Coulomb.calls, 0)
        np.testing.assert_allclose(own["block.x"], built_in["block.x"], atol=1e-9)
        self.assertEqual(own.outcome, "finished")
        self.assertTrue(own.sound)

    def test_a_law_that_is_not_built_in(self):
        """A ratchet: mu = 0.2 to the right, 0.5 to the left. v falls by mu g t."""

        class Ratchet(carom.Law):
            def project(self, x):
                n = max(0.0, x[0])
                return [n, min(max(x[1], -0.2 * n), 0.5 * n)]

        measured = [abs(speed - self.slide(speed, Ratchet())["block.vx"][-1]) / (9.81 * 0.4) for speed in (2.5, -2.5)]
        np.testing.assert_allclose(sorted(measured), [0.2, 0.5], atol=1e-6)  # which way is which is the contact's frame

    def test_errors_of_a_law_come_through(self):
        class Broken(carom.Law):
            def project(self, x):
                return [0.0]

        with self.assertRaisesRegex(ValueError, "one number for each row"):
            self.slide(1.0, Broken())
        with self.assertRaises(NotImplementedError):
            self.slide(1.0, carom.Law())


class Cost(unittest.TestCase):
    """Loose bounds, as machines are shared: the numbers are printed by benchmarks/python_overhead.py."""

    def test_a_callback_is_cheap(self):
        def seconds(controlled):
            s = motor().scenario(t_end=20.0, step=1e-3)
            if controlled:
                s.controller("motor")(lambda view: 0.0)
            begin = time.process_time()
            s.run(every=1.0)
            return time.process_time() - begin

        plain, called = min(seconds(False) for _ in range(3)), min(seconds(True) for _ in range(3))
        self.assertLess((called - plain) / 20000, 20e-6)


if __name__ == "__main__":
    unittest.main()
