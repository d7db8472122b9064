"""Motions, simulation, control, programs, schedules, hardware: against the program and the laws of
physics."""

import ctypes
import json
import os
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

import numpy as np

import parid

PROGRAM = os.environ.get("PARID_PROGRAM", "parid")


def program(*words):
    ran = subprocess.run([PROGRAM, *words], capture_output=True, text=True)
    if ran.returncode > 1:
        raise AssertionError(ran.stderr)
    return json.loads(ran.stdout)


class Motions(unittest.TestCase):
    def test_shows_itself_briefly(self):
        motion = parid.load("planar2").motion()
        self.assertEqual(
            repr(motion),
            "Motion(t=<array (201,)>, q=<array (201, 2)>, v=<array (201, 2)>, a=<array (201, 2)>, "
            "tau=None, factor=1.0, binding=[])",
        )

    def test_files(self):
        r = parid.load("puma560")
        m = r.motion(rate=100)
        with tempfile.TemporaryDirectory() as folder:
            for ending in ("csv", "npz", "npy"):
                path = Path(folder) / f"motion.{ending}"
                r.write_motion(m, path)
                again = r.motion(path)
                np.testing.assert_allclose(again.q, m.q, atol=1e-15)
                np.testing.assert_allclose(again.a, m.a, atol=1e-15)
            (Path(folder) / "bad.csv").write_text("t,q1\n0,0\n")
            with self.assertRaises(parid.Error):
                r.motion(Path(folder) / "bad.csv")
        with self.assertRaisesRegex(parid.Error, "did you mean 'default'"):
            r.motion("defualt")

    def test_quaternions_are_scaled(self):
        r = parid.load("quadruped")
        m = r.motion()
        q = m.q.copy()
        q[:, 3:7] *= 1.05
        with tempfile.TemporaryDirectory() as folder:
            file = os.path.join(folder, "long.npz")
            np.savez(file, t=m.t, q=q, v=m.v, a=m.a)
            with self.assertWarnsRegex(UserWarning, "quaternion of joint '.*' has length 1.05"):
                read = r.motion(file)
        np.testing.assert_allclose(read.q, m.q, atol=1e-15)

    def test_within_limits(self):
        r = parid.load("puma560")
        m = r.motion(within_limits="uniform")
        self.assertTrue(m.binding)
        tau = r.inverse_dynamics(m.q, m.v, m.a)
        share = np.maximum(
            np.abs(m.v / r.velocity_limits).max(), np.abs(tau / r.effort_limits).max()
        )
        self.assertAlmostEqual(share, 1, delta=1e-6)
        self.assertEqual(r.broken_limits(m), [])
        self.assertTrue(r.broken_limits(m, 10 * tau))
        fast = r.motion(within_limits="optimal")
        self.assertLess(fast.t[-1], m.t[-1])

    def test_sampling_rate(self):
        told = program("motion", "puma560", "--json")["sampling"]
        self.assertAlmostEqual(parid.load("puma560").sampling_rate().rate, told["rate"], delta=1e-6)


class Simulations(unittest.TestCase):
    def test_as_the_program(self):
        told = program("simulate", "planar2", "--from", "0.5,0", "--time", "1", "--limits", "none",
                       "--json")
        s = parid.load("planar2").simulate([0.5, 0], time=1, limits="none")
        self.assertEqual(s.end, "finished")
        np.testing.assert_allclose(s.q, told["q"], atol=1e-12)

    def test_torques_of_all_kinds_agree(self):
        r = parid.load("planar2")
        t = np.linspace(0, 1, 101)
        tau = np.stack([3 * np.sin(t), np.cos(t)], axis=1)
        by_samples = r.simulate(torque=(t, tau), time=1, limits="none")
        by_function = r.simulate(
            torque=lambda s, q, v: [np.interp(s, t, tau[:, 0]), np.interp(s, t, tau[:, 1])],
            time=1,
            limits="none",
        )
        np.testing.assert_allclose(by_function.q, by_samples.q, atol=1e-6)

    def test_a_function_that_fails(self):
        r = parid.load("planar2")

        def law(t, q, v):
            raise KeyError("broken")

        with self.assertRaises(KeyError):
            r.simulate(torque=law, time=0.1)
        with self.assertRaisesRegex(ValueError, "give 2"):
            r.simulate(torque=lambda t, q, v: [1, 2, 3], time=0.1)

    def test_a_controller_follows(self):
        r = parid.load("puma560")
        m = r.motion(rate=200)
        s = r.simulate(controller="computed_torque", motion=m, rate=200)
        self.assertTrue(s)
        self.assertLess(np.abs(s.q[-1] - m.q[-1]).max(), 1e-3)
        with self.assertRaises(ValueError):
            r.simulate(motion=m)
        with self.assertRaisesRegex(parid.Error, "did you mean 'computed_torque'"):
            r.simulate(controller="computed_torqe")


class Control(unittest.TestCase):
    def test_as_the_program(self):
        words = ["control", "planar3", "--policy", "binder_herzog", "--rate", "333", "--gains",
                 "100,20"]
        told = program(*words, "--pose", "0.5,0.8,-0.6", "--offset", "0.01,0,0", "--time", "1",
                       "--json")
        run = parid.load("planar3").control(
            "binder_herzog", rate=333, kp=100, kd=20, pose=[0.5, 0.8, -0.6],
            start_offset=[0.01, 0, 0], time=1
        )
        self.assertEqual(run.diverged_at, told["diverged_at"])
        self.assertAlmostEqual(run.max_error, told["max_error"], delta=1e-9)
        np.testing.assert_allclose(run.max_error_by_coordinate, told["max_error_by_coordinate"],
                                   atol=1e-9)

    def test_stability_as_the_program(self):
        told = program(
            "stability", "planar3", "--gains", "100,20", "--pose", "0.5,0.8,-0.6", "--policy",
            "hamilton",
            "--policy", "exact", "--json",
        )
        s = parid.load("planar3").stability("hamilton", "exact", kp=100, kd=20,
                                            poses=[0.5, 0.8, -0.6])
        for row in told["policies"]:
            mine = s[row["policy"] if "policy" in row else row["id"]]
            safe = next(row[k] for k in ("safe_period", "safe", "largest_safe_period") if k in row)
            self.assertAlmostEqual(mine.safe, safe, delta=1e-6 * safe)
        with self.assertRaises(KeyError):
            s["nobody"]

    def test_tables_of_ages(self):
        r = parid.load("planar3")
        options = dict(kp=100, kd=20, poses=[0.5, 0.8, -0.6], count=3)
        table = {"name": "boxes", "ages": {v: 1 for v in ("w", "wd", "e", "f", "n")}}
        table["ages"]["alpha"] = {"neighbour": 1}
        s = r.stability("hamilton_boxes", table, **options)
        self.assertEqual(s["boxes"].safe, s["hamilton_boxes"].safe)
        text = parid.policy_table("hamilton_boxes")
        self.assertEqual(parid.policy_table(text), text)
        late = {"link": [{"joint": "joint2", "ages": {"f": {"neighbour": 3}}}]}
        self.assertLess(r.stability(late, **options).policies[0].safe, s["hamilton_boxes"].safe * 20)
        with self.assertRaisesRegex(parid.Error, "no reader 'across'"):
            r.control({"ages": {"wd": {"across": 1}}})
        with self.assertRaisesRegex(parid.Error, "no moving joint 'knee'"):
            r.control({"link": [{"joint": "knee", "ages": {"f": 1}}]})
        self.assertIn("rank=same", r.flow_diagram("hamilton", dot=True))

    def test_faults_as_the_program(self):
        told = program("control", "puma560", "--rate", "200", "--time", "1", "--json", "--fault",
                       "collision:link3=0,0,-60@0.4+0.2")["faults"][0]
        r = parid.load("puma560")
        found = r.detect_fault("collision:link3=0,0,-60@0.4+0.2", rate=200, time=1)
        self.assertEqual(found.detected_at, told["detected_at"])
        self.assertEqual(found.coordinate, told["coordinate"])
        np.testing.assert_allclose(found.peak, told["peak"], rtol=1e-6, atol=1e-12)
        self.assertEqual(found.residual.shape, (len(found.t), 6))
        self.assertFalse(r.detect_fault(None, rate=200, time=0.2))
        with self.assertRaisesRegex(parid.Error, "no joint 'knee'"):
            r.detect_fault("loss:knee=0.5@1")
        with self.assertRaisesRegex(TypeError, "unknown option"):
            r.detect_fault(None, nothing=1)

    def test_friction_is_compensated(self):
        r = parid.load("puma560")
        m = r.motion(rate=200)
        worst = [
            np.abs(r.simulate(controller="pd+feedforward", motion=m, rate=200, friction=True,
                              compensate_friction=on).q - m.q).max()
            for on in (False, True)
        ]
        self.assertLess(worst[1], 0.5 * worst[0])
        with self.assertRaises(ValueError):
            r.simulate(compensate_friction=True)

    def test_a_model_that_is_wrong(self):
        r = parid.load("planar3")
        right = r.control(rate=500, pose=[0.3, 0.3, 0.3], time=0.5)
        wrong = r.control(rate=500, pose=[0.3, 0.3, 0.3], time=0.5, model=r.with_payload(3))
        self.assertGreater(wrong.final_error, 10 * right.final_error + 1e-6)


class Programs(unittest.TestCase):
    def test_counts_as_the_program(self):
        told = program("generate", "puma560", "inverse", "--json")
        p = parid.load("puma560").generate()
        for key in ("multiplications", "additions", "depth", "fma_slots", "base_parameters",
                    "takes", "gives"):
            self.assertEqual(getattr(p, key), told[key], key)

    @unittest.skipUnless(shutil.which("cc"), "no C compiler")
    def test_generated_c_runs(self):
        r = parid.load("ur5")
        with tempfile.TemporaryDirectory() as folder:
            paths = r.generate("inverse").write(folder)
            source = next(p for p in paths if p.suffix == ".c")
            library = Path(folder) / "ur5.so"
            subprocess.run(["cc", "-O1", "-shared", "-fPIC", source, "-o", library, "-lm"],
                           check=True)
            function = getattr(ctypes.CDLL(str(library)), source.stem)
            x = [np.random.default_rng(k).uniform(-1, 1, 6) for k in range(3)]
            tau = np.empty(6)
            pointer = lambda a: a.ctypes.data_as(ctypes.POINTER(ctypes.c_double))
            function(*map(pointer, x), pointer(tau))
            np.testing.assert_allclose(tau, r.inverse_dynamics(*x), atol=1e-11)

    def test_words_and_languages(self):
        r = parid.load("planar2")
        for language in parid.languages():
            self.assertTrue(r.generate("gravity", language).text)
        with self.assertRaisesRegex(parid.Error, "did you mean 'inverse'"):
            r.generate("invers")
        with self.assertRaisesRegex(parid.Error, "did you mean 'gravity'"):
            r.generate("inverse", inputs=["gravty"])
        self.assertIn("pi", r.generate("inverse", inputs=["parameters"]).takes)


class Machines(unittest.TestCase):
    def test_schedules_as_the_program(self):
        told = program("schedule", "stanford", "-p", "3", "--json")
        s = parid.load("stanford").schedule(3)
        for key in ("makespan", "tasks", "edges", "total", "critical_path", "lower_bound",
                    "optimal", "unit"):
            self.assertEqual(getattr(s, key), told[key], key)
        self.assertAlmostEqual(s.speedup, told["speedup"])
        self.assertEqual(len(s.placements), s.tasks)
        self.assertTrue(s.gantt_svg.startswith("<svg") or "<svg" in s.gantt_svg)
        # another program than planar2's
        heavy = parid.load("planar2").with_payload(2, [0.1, 0.2, 0.3])
        self.assertGreater(
            heavy.schedule(2, tasks="graph", scheduler="heft").total,
            parid.load("planar2").schedule(2, tasks="graph", scheduler="heft").total,
        )

    def test_control_steps_pictures_and_programs(self):
        self.assertEqual(set(parid.control_graphs()), {"orin", "hierarchy"})
        told = program("schedule", "panda", "orin", "-p", "3", "--json", "--operation-time", "45")
        s = parid.load("panda").schedule(3, "orin")
        self.assertEqual((s.tasks, s.makespan, s.decomposition), (10, told["makespan"], "stages"))
        x = s.sampling(45e-6)
        self.assertAlmostEqual(1e3 * x.period, told["period_ms"])
        self.assertAlmostEqual(x.natural_frequency, told["natural_frequency_hz"])
        self.assertIn('"inverse_dynamics"', s.task_graph("dot"))
        self.assertIn("</svg>", s.task_graph())
        with self.assertRaisesRegex(ValueError, "svg, dot"):
            s.task_graph("png")
        with self.assertRaisesRegex(parid.Error, "part"):
            s.task_graph(part="9")
        files = s.programs()
        self.assertEqual(len(files), 5)
        self.assertIn("panda_orin_p3.c", files)
        with self.assertRaisesRegex(parid.Error, "no operations"):
            parid.load("stanford").schedule(2, tasks="printed").programs()
        told = program("schedule", "scara", "-p", "2", "--speeds", "1,0.5", "--scheduler", "heft",
                       "--latency", "1", "--json")
        s = parid.load("scara").schedule(2, speeds=[1, 0.5], scheduler="heft", latency=1)
        for key in ("unit", "total", "makespan", "critical_path"):
            self.assertEqual(getattr(s, key), told[key], key)
        with self.assertRaisesRegex(parid.Error, "speeds"):
            parid.load("scara").schedule(2, speeds=[1])
        joint = parid.load("stanford").schedule(6, tasks="coarse", scheduler="luh_lin")
        self.assertTrue(joint.best_order)
        self.assertIsNone(s.best_order)

    def test_schedules_have_the_operations_of_the_program(self):
        r = parid.load("puma560")
        made = r.generate("ik")
        kinds = ("multiplications", "additions", "divisions", "square_roots", "sincos",
                 "arc_tangents")
        s = r.schedule(2, "ik", seconds=0.3)
        self.assertEqual(s.operations, {kind: getattr(made, kind) for kind in kinds})
        self.assertEqual(s.total, sum(s.operations.values()))
        self.assertEqual(s.critical_path, made.critical_path)
        free = r.schedule(2, "ik", scheduler="hlf", weights={"sine": 0, "arctangent": 0})
        self.assertEqual(free.critical_path, made.depth)
        told = program(
            *"schedule puma560 ik -p 2 --scheduler hlf --grain 5 --weights root=9,add=2"
            " --json".split()
        )
        same = r.schedule(2, "ik", scheduler="hlf", grain=5, weights={"root": 9, "add": 2})
        for key in (
            *("total", "critical_path", "program_critical_path", "weights", "operations",
              "prepared"),
            *("optimal", "optimal_for_tasks", "makespan"),
        ):
            self.assertEqual(getattr(same, key), told[key], key)
        for wrong in ({"mul": 1}, {"add": -1}, {"add": 1.5}, {"add": "much"}):
            with self.assertRaises(parid.Error):
                r.schedule(2, "ik", weights=wrong)

    def test_controller_core(self):
        told = program("hardware", "puma560", "controller", "--verify", "model", "--json")
        core = parid.load("puma560").controller_core()
        for key in ("interval", "latency", "feedback_latency", "max_error", "error_bound"):
            self.assertEqual(told[key], getattr(core, key), key)
        p, s = core.predict("pick-and-place"), core.simulate("pick-and-place")
        self.assertAlmostEqual(p.degradation / told["prediction"]["degradation"], 1, 9)
        self.assertAlmostEqual(s.degradation / told["verification"]["degradation"], 1, 9)
        self.assertLess(abs(s.degradation - p.degradation), 0.1 * p.degradation)
        self.assertIn("module puma560_controller (", core.files(2)["puma560_controller.v"])
        q = [0.3, -0.8, 0.5, 0.4, 0.7, 0.2]
        torque, status = core.step(q, q)
        self.assertEqual(status, [])
        gravity = parid.load("puma560").gravity_torques(q)
        self.assertLess(float(abs(torque - gravity).max()), 1e-3)
        with self.assertRaisesRegex(parid.Error, "12 to 64"):
            parid.load("puma560").controller_core(word=8)

    def test_pipelines_as_the_program(self):
        for what in ("ik", "gravity"):
            told = program("hardware", "puma560", what, "--json")
            p = parid.load("puma560").hardware(what)
            for key in ("modules", "stages", "buffers", "interval", "latency", "word", "max_error"):
                self.assertEqual(getattr(p, key), told[key], key)
            self.assertIn("module", next(iter(p.files.values())))
            self.assertEqual(p.outputs, list(parid.load("puma560").velocity_names) if what == "ik"
                             else None)
        with self.assertRaisesRegex(parid.Error, "closed-form"):
            parid.load("panda").hardware("ik")

    def test_words_of_a_target_floating_point_and_any_quantity(self):
        r = parid.load("planar2")
        p = r.hardware("inverse", max_error=1e-4, units=2)
        told = program("hardware", "planar2", "inverse", "--max-error", "1e-4", "--units", "2",
                       "--json")
        for key in ("word", "mean_word", "product_bits", "method", "max_error", "error_bound",
                    "latency"):
            self.assertEqual(getattr(p, key), told[key], key)
        self.assertLess(p.error_bound, 1e-4)
        f = r.hardware("forward", floating=(8, 23), units=2)
        self.assertEqual((f.unit, f.word, f.dividers), ("float", 32, 1))
        self.assertIsNone(f.error_bound)
        self.assertIn("module planar2_forward_quotient", f.files["planar2_forward.v"])
        self.assertNotEqual(r.hardware("inverse", method="lathrop").files,
                            r.hardware("inverse").files)
        self.assertNotEqual(r.hardware("jacobian", link="link1").files, r.hardware("jacobian").files)
        for wrong in ({"floating": (2, 9)}, {"max_error": 2.0}, {"method": "nobody"},
                      {"floating": (8, 23), "word": 32}, {"link": "link1"}, {"effort": -1.0}):
            with self.assertRaises(parid.Error):
                r.hardware("inverse", **wrong)

    def test_older_names_warn(self):
        with self.assertWarns(DeprecationWarning):
            self.assertEqual(parid.words(), parid.quantities())
        r = parid.load("planar2")
        with self.assertWarns(DeprecationWarning):
            self.assertEqual(r.pipeline("gravity").files, r.hardware("gravity").files)

    def test_shared_units_have_verilog(self):
        r = parid.load("planar2")
        own, shared = r.hardware("inverse"), r.hardware("inverse", units=2)
        self.assertGreater(shared.interval, own.interval)
        self.assertEqual(shared.multipliers, 2)
        self.assertIn("module planar2_inverse", shared.files["planar2_inverse.v"])
        self.assertNotEqual(shared.files, own.files)
        with tempfile.TemporaryDirectory() as folder:
            told = program("hardware", "planar2", "inverse", "--units", "2", "-o", folder, "--json")
            self.assertEqual(shared.interval, told["interval"])
            self.assertEqual(
                shared.files["planar2_inverse.v"], (Path(folder) / "planar2_inverse.v").read_text()
            )

    def test_evaluation_on_processors_as_the_program(self):
        for name, p, cells in (("puma560", 4, 0), ("stanford", 6, 9)):
            words = ["--matrix-cells", str(cells)] if cells else []
            told = program("compare", name, "--samples", "1", "--only", "lee_chang_pfold",
                           "--processors", str(p), *words, "--json")["scans"]["evaluation"]
            r = parid.load(name)
            e = r.parallel_evaluation(p, matrix_cells=cells)
            for key in ("processors_used", "links_per_processor", "k1", "k2", "over_bound",
                        "speedup"):
                self.assertEqual(getattr(e, key), told[key], key)
            for key in ("time", "serial", "lower_bound"):
                self.assertEqual(list(getattr(e, key)), told[key], key)
            self.assertEqual([list(x) for x in e.operations], told["operations"])
            for ours, theirs in zip(e.networks, told["networks"]):
                for key in ("network", "links", "moves", "words", "word_times"):
                    self.assertEqual(getattr(ours, key), theirs[key], key)
            q, v, a = np.full(6, 0.3), np.full(6, -0.2), np.full(6, 0.7)
            tau = r.inverse_dynamics(q, v, a)
            by = r.torques_by("lee_chang_pfold", q, v, a, processors=p)
            self.assertLess(np.abs(by - tau).max(), 1e-12 * np.abs(tau).max())
        with self.assertRaisesRegex(parid.Error, "6 moving links"):
            r.parallel_evaluation(7)
        with self.assertRaisesRegex(parid.Error, "lee_chang_pfold"):
            r.torques_by("lathrop", q, v, a, processors=2)

    def test_arrays_as_the_program(self):
        for name, kind, folded in (("puma560", "linear", False), ("stanford", "log", True)):
            words = ["--folded"] if folded else []
            told = program("hardware", name, "inverse", "--array", kind, *words, "--json")
            a = parid.load(name).systolic(kind, folded=folded)
            keys = ("interval", "latency", "nodes", "widest_tier", "internal_buffers")
            for key in keys + ("backward_processors", "forward_processors", "utilisation"):
                self.assertEqual(getattr(a, key), told[key], key)
            self.assertEqual(a.formula_backward, told["formula"]["backward_processors"])
            self.assertLess(a.max_error, 1e-12)
            self.assertLessEqual(a.backward_processors, a.formula_backward)
            self.assertIn("module parid_vector_processor", a.files["parid_vector_processor.v"])
            self.assertEqual(a.variables, told["variables"])
            self.assertIn("digraph", a.files[f"{name}_{kind}_nodes.dot"])
        whole, one = parid.load("puma560").systolic("log"), parid.load("puma560").systolic("log",
            folded=True)
        self.assertEqual((whole.formula_backward, whole.formula_forward), (468, 169))
        self.assertEqual((one.formula_backward, one.formula_forward), (108, 39))
        self.assertLess(one.backward_processors, whole.backward_processors)
        self.assertGreater(one.interval, whole.interval)
        for wrong, says in (
            (lambda: parid.load("puma560").systolic("ring"), "choose from linear, log"),
            (lambda: parid.load("puma560").systolic(word=1000), "word: .*give 6 to 100"),
            (lambda: parid.load("quadruped").systolic(), "chain"),
        ):
            with self.assertRaisesRegex(parid.Error, says):
                wrong()

    def test_tables(self):
        r = parid.load("planar2")
        rng = np.random.default_rng(3)
        q, v, a = (rng.uniform(-1, 1, (20, 2)) for _ in range(3))
        exact = r.inverse_dynamics(q, v, a)
        for kind, points in (("configuration", 33), ("state", [17, 17]), ("cmac", ())):
            t = r.table(kind, points=points, cells=1 << 14, lessons=20_000)
            self.assertEqual(t.kind, kind)
            tau = t.torque(q, v, a)
            self.assertLess(np.abs(tau - exact).max(), 0.3 * np.abs(exact).max(), kind)
            np.testing.assert_array_equal(t.torque(q[3], v[3], a[3]), tau[3])
            with tempfile.TemporaryDirectory() as folder:
                path = Path(folder) / "table.parid"
                t.save(path)
                np.testing.assert_array_equal(r.table(load=path).torque(q, v, a), tau)
                with self.assertRaises(parid.Error):
                    parid.load("scara").table(load=path)
        t = r.table(points=9)
        told = program("table", "planar2", "--points", "9", "--samples", "300", "--json")
        self.assertEqual((t.bytes, t.multiplications), (told["bytes"], told["multiplications"]))
        e = t.error(samples=300)
        self.assertAlmostEqual(e.rms_relative_error, told["error"]["rms_relative_error"])
        self.assertGreater(t.error(samples=300, robot=r.with_payload(5)).max_error, e.max_error)
        for wrong, says in (
            (lambda: r.table("cmca"), "did you mean 'cmac'"),
            (lambda: r.table(points=0), "points: 0"),
            (lambda: r.table(points=1000, memory=1e-6), "memory|GB|MB"),
            (lambda: t.error(samples=0), "samples"),
        ):
            with self.assertRaisesRegex(parid.Error, says):
                wrong()

    def test_claims_as_the_program(self):
        told = program("reproduce", "hollerbach", "--json")["claims"]
        claims = parid.reproduce("hollerbach")
        self.assertEqual([c.ours for c in claims], [c["ours"] for c in told])
        self.assertEqual([c.basis for c in claims], [c["basis"] for c in told])
        self.assertTrue(all(c.explained for c in claims))
        with self.assertRaisesRegex(parid.Error, "did you mean 'lathrop'"):
            parid.reproduce("lathropp")
        told = program("reproduce", "hamilton", "--errata", "--json")["errata"]
        self.assertEqual([e.effect for e in parid.errata("hamilton")], [e["effect"] for e in told])

    def test_formulations(self):
        rows = parid.load("puma560").compare(samples=5, timed=False)
        self.assertEqual([f.id for f in rows], list(parid.formulations()))
        for f in rows:
            if f.exact and f.max_relative_error is not None:
                self.assertLess(f.max_relative_error, 1e-12)
        told = {f["id"]: f for f in program("compare", "puma560", "--samples", "5",
                                            "--json")["formulations"]}
        for f in rows:
            if f.as_written:
                self.assertEqual(f.as_written,
                                 (told[f.id]["multiplications"], told[f.id]["additions"]))


class Ik(unittest.TestCase):
    def test_a_tip_that_the_link_carries(self):
        turned = np.array([[0.0, -1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]])
        for name in ("puma560", "panda"):
            r = parid.load(name)
            tool = r.with_frame("tool", r.tip, (0.05, 0.0, 0.12), turned)
            q = 0.5 * (r.lower + r.upper) + 0.1
            pose = tool.kinematics(q, link="tool")
            ik = r.inverse_kinematics(offset=(0.05, 0.0, 0.12), offset_rotation=turned)
            found = ik.solve(pose.position, pose.rotation, q)
            self.assertTrue(found, found.why)
            back = tool.kinematics(found.q, link="tool")
            np.testing.assert_allclose(back.position, pose.position, atol=1e-8)
            np.testing.assert_allclose(back.rotation, pose.rotation, atol=1e-8)

    def test_rows_and_one(self):
        r = parid.load("panda")
        q = np.random.default_rng(1).uniform(r.lower, r.upper, (20, 7))
        poses = r.kinematics(q)
        ik = parid.InverseKinematics(r, threads=2)
        found = ik.solve(poses.position, poses.rotation, seed=q)
        self.assertTrue(found.converged.all())
        reached = r.kinematics(found.q)
        np.testing.assert_allclose(reached.position, poses.position, atol=1e-8)
        one = ik.solve(poses.position[0], poses.rotation[0], q[0])
        np.testing.assert_allclose(r.kinematics(one.q).rotation, poses.rotation[0], atol=1e-8)
        alone = ik.solve(poses.position[0])
        np.testing.assert_allclose(r.kinematics(alone.q).position, poses.position[0], atol=1e-8)
        for wrong in (
            lambda: ik.solve([0, 0]),
            lambda: ik.solve(poses.position),
            lambda: ik.solve(poses.position, np.eye(4)),
            lambda: ik.solve(poses.position, poses.rotation[:3]),
            lambda: ik.solve(poses, np.eye(3)),
            lambda: ik.solve(poses.position, np.eye(3), quaternion=[0, 0, 0, 1]),
            lambda: ik.solve(poses.position[0], quaternion=[0, 0, 0, 0]),
            lambda: ik.solve(poses.position[0], quaternion=[0, 0, 1]),
        ):
            self.assertRaises(ValueError, wrong)

    def test_rotations(self):
        R = parid.rotation(rpy=[0.1, 0.2, 0.3])
        np.testing.assert_allclose(parid.rotation(quaternion=parid.quaternion(R)), R, atol=1e-15)


class NoisyLogs(unittest.TestCase):
    """Identification from positions with noise: filtered, refused, or warned about."""

    def setUp(self):
        self.robot = parid.load("ur5")
        m = self.robot.exciting_motion(10.0)
        rng = np.random.default_rng(5)
        tau = self.robot.inverse_dynamics(m.q, m.v, m.a) + 0.5 * m.v + 8 * np.sign(m.v)
        self.motion = m
        self.log = parid.Motion.measured(m.t, m.q + 1e-4 * rng.standard_normal(m.q.shape), tau)

    def test_a_filter_recovers_the_robot(self):
        for kind in ("butterworth", "savitzky-golay"):
            found = self.robot.identify(self.log, filter=kind)
            self.assertEqual(found.verdict, "good")
            self.assertLess(found.residual, 0.01)
            self.assertTrue(found.filters[0].chosen)
            self.assertAlmostEqual(found.filters[0].position_noise[0], 1e-4, delta=2e-5)
            self.assertEqual(len(found.torques), 6)
        self.assertEqual(self.robot.identify(self.log, filter=kind, cutoff=4).filters[0].cutoff, 4)

    def test_a_poor_fit_raises(self):
        with self.assertRaisesRegex(parid.Error, "the fit is poor"):
            self.robot.identify(self.log, filter="butterworth", friction=False, max_residual=0.05)

    def test_a_missing_effect_warns(self):
        with self.assertWarnsRegex(RuntimeWarning, "worse than the noise"):
            found = self.robot.identify(self.log, filter="butterworth", friction="viscous")
        self.assertEqual((found.verdict, found.friction), ("above noise", "viscous"))

    def test_a_log_without_velocities_needs_a_filter(self):
        with self.assertRaisesRegex(parid.Error, "no velocities and accelerations; use filter="):
            self.robot.identify(self.log)
        with self.assertRaisesRegex(parid.Error, "no filter 'boxcar'"):
            self.robot.identify(self.log, filter="boxcar")
        with self.assertRaisesRegex(parid.Error, "cut-off"):
            m = self.motion
            self.robot.identify(parid.Motion(m.t, m.q, m.v, m.a, self.log.tau), cutoff=5)

    def test_accelerations_are_limited(self):
        m = self.robot.exciting_motion(10.0, acceleration=0.5)
        self.assertLessEqual(np.abs(m.a).max(), 0.5)
        self.assertGreater(np.abs(self.motion.a).max(), 0.5)


class Devices(unittest.TestCase):
    def setUp(self):
        try:
            if parid.devices():
                return
            reason = "OpenCL has no device here"
        except parid.Error as missing:
            reason = str(missing)
        self.skipTest(reason)

    def test_lists_devices(self):
        for device in parid.devices():
            self.assertTrue(device.name)
            self.assertIn(device.kind, ("GPU", "CPU", "accelerator", "custom"))

    def test_equals_the_cpu(self):
        robot = parid.load("panda")
        q, v, a = np.random.default_rng(3).uniform(-2, 2, (3, 100, 7))
        engine = robot.device_engine(
            "inverse", "mass", "inverse_gradient", device=0, launch_rows=32
        )
        self.assertEqual(engine.device, parid.devices()[0])
        want = robot.inverse_dynamics(q, v, a)
        np.testing.assert_allclose(engine.inverse(q, v, a), want, rtol=0, atol=1e-12 * 100)
        np.testing.assert_allclose(
            engine.evaluate("mass", q).reshape(-1, 7, 7), robot.mass_matrix(q), rtol=0, atol=1e-12
        )
        self.assertEqual(len(engine.evaluate("inverse_gradient", q, v, a)), 3)

    def test_float32(self):
        robot = parid.load("puma560")
        q, v, a = np.random.default_rng(4).uniform(-2, 2, (3, 50, 6)).astype("f4")
        engine = robot.device_engine(float32=True)
        self.assertTrue(engine.float32)
        tau = engine.inverse(q, v, a)
        self.assertEqual(tau.dtype, np.float32)
        want = robot.inverse_dynamics(q.astype("f8"), v.astype("f8"), a.astype("f8"))
        np.testing.assert_allclose(tau, want, rtol=0, atol=2e-5 * np.abs(want).max())

    def test_refuses(self):
        robot = parid.load("planar2")
        with self.assertRaisesRegex(parid.Error, "there is no OpenCL device"):
            robot.device_engine(device="no such device")
        with self.assertRaisesRegex(parid.Error, "was not prepared"):
            robot.device_engine("mass").inverse(*np.zeros((3, 1, 2)))
        engine = robot.device_engine()
        with self.assertRaisesRegex(TypeError, "takes 3 arrays"):
            engine.evaluate("inverse", np.zeros((1, 2)))
        with self.assertRaisesRegex(ValueError, "q: give an array of shape"):
            engine.inverse(*np.zeros((3, 2)))
        with self.assertRaisesRegex(ValueError, "v has 2 rows"):
            engine.inverse(np.zeros((1, 2)), np.zeros((2, 2)), np.zeros((1, 2)))


if __name__ == "__main__":
    unittest.main()
