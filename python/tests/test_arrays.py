"""What goes in and out: shapes, types, layouts, copies, messages."""

import subprocess
import sys
import textwrap
import unittest

import numpy as np

import parid

rng = np.random.default_rng(1)
ARM = parid.load("panda")
N = 200
Q, V, A = (rng.uniform(-1, 1, (N, 7)) for _ in range(3))
TAU = np.array([ARM.inverse_dynamics(q, v, a) for q, v, a in zip(Q, V, A)])


class Shapes(unittest.TestCase):
    def test_rows_are_samples(self):
        np.testing.assert_allclose(ARM.inverse_dynamics(Q, V, A), TAU, rtol=0, atol=1e-12)

    def test_every_question_has_the_same_rows(self):
        calls = {
            "inverse_dynamics": (Q, V, A),
            "forward_dynamics": (Q, V, A),
            "mass_matrix": (Q,),
            "bias": (Q, V),
            "gravity_torques": (Q,),
            "coriolis_matrix": (Q, V),
            "inverse_gradient": (Q, V, A),
            "forward_gradient": (Q, V, A),
            "inverse_vector_product": (Q, V, A, V),
            "forward_vector_product": (Q, V, A, V),
            "inverse_jacobian_product": (Q, V, A, V, A, Q),
            "forward_jacobian_product": (Q, V, A, V, A, Q),
            "inverse_hessian_product": (Q, V, A, V, A, Q, V),
            "elastic_inverse_dynamics": (Q, V, A, V, A),
            "elastic_forward_dynamics": (Q, A, V, A, V),
            "inverse_mass_matrix": (Q,),
            "coriolis_product": (Q, V, A),
            "energy_gradient": (Q, V),
            "centroidal_momentum_matrix": (Q, V),
            "centre_of_mass": (Q,),
            "operational_space": (Q, V),
            "jacobian_local": (Q,),
            "jacobian_world": (Q,),
            "jacobian_rate_product": (Q, V),
            "regressor": (Q, V, A),
            "energy": (Q, V),
            "kinematics": (Q,),
            "jacobian": (Q,),
            "inverse_dynamics_with_friction": (Q, V, A),
            "friction": (Q, V, A),
            "forward_dynamics_with_friction": (Q, V, A),
            "integrate": (Q, V),
            "difference": (Q, V),
            "rnea": (Q, V, A),
            "crba": (Q,),
            "aba": (Q, V, A),
        }
        for name, arrays in calls.items():
            ask = getattr(ARM, name)
            with self.subTest(name):
                many, one = ask(*(x[:20] for x in arrays)), ask(*(x[3] for x in arrays))
                many = many if isinstance(many, tuple) else (many,)
                one = one if isinstance(one, tuple) else (one,)
                for x, y in zip(many, one):
                    self.assertEqual(x.shape, (20, *y.shape))
                    scale = max(1.0, float(np.abs(y).max()))
                    np.testing.assert_allclose(x[3], y, rtol=0, atol=1e-11 * scale)

    def test_one_sample_beside_many_holds_for_all(self):
        np.testing.assert_array_equal(
            ARM.inverse_dynamics(Q, V[0], np.zeros(7)),
            ARM.inverse_dynamics(Q, np.tile(V[0], (N, 1)), np.zeros((N, 7))),
        )
        f = ARM.friction(Q, V[0], A)
        np.testing.assert_array_equal(f.total, ARM.friction(Q, np.tile(V[0], (N, 1)), A).total)

    def test_no_rows_and_one_row(self):
        none = np.empty((0, 7))
        self.assertEqual(ARM.inverse_dynamics(none, none, none).shape, (0, 7))
        self.assertEqual(ARM.coriolis_matrix(none, none).shape, (0, 7, 7))
        self.assertEqual(ARM.inverse_dynamics(Q[:1], V[:1], A[:1]).shape, (1, 7))

    def test_positions_may_be_more_than_velocities(self):
        base = parid.load("quadruped")
        self.assertEqual((base.nq, base.nv), (19, 18))
        q = np.tile(base.neutral, (5, 1))
        self.assertEqual(base.inverse_dynamics(q, np.zeros((5, 18)), np.zeros(18)).shape, (5, 18))
        v = rng.uniform(-1, 1, (5, 18))
        np.testing.assert_allclose(base.difference(q, base.integrate(q, v)), v, atol=1e-12)

    def test_lists_will_do(self):
        self.assertEqual(ARM.inverse_dynamics([0] * 7, [0.0] * 7, [0] * 7).dtype, np.float64)


class Layouts(unittest.TestCase):
    def same(self, *arrays, **more):
        np.testing.assert_allclose(ARM.inverse_dynamics(*arrays, **more), TAU, rtol=0, atol=1e-12)

    def test_columns(self):
        q, v, a = map(np.asfortranarray, (Q, V, A))
        self.same(q, v, a)
        self.assertTrue(ARM.inverse_dynamics(q, v, a).flags.f_contiguous)  # as it came
        out = np.empty((N, 7), order="F")
        self.assertIs(ARM.inverse_dynamics(Q, V, A, out=out), out)
        self.same(Q, V, A, out=out)

    def test_records_side_by_side(self):
        data = np.zeros((N, 40))
        data[:, 3:10], data[:, 10:17], data[:, 20:34:2] = Q, V, A
        out = data[:, 33:40]
        self.same(data[:, 3:10], data[:, 10:17], data[:, 20:34:2], out=out)
        np.testing.assert_allclose(data[:, 33:40], TAU, rtol=0, atol=1e-12)

    def test_structured(self):
        record = np.zeros(N, dtype=[("q", float, 7), ("flag", "u1"), ("v", float, 7),
                                    ("a", float, 7)])
        record["q"], record["v"], record["a"] = Q, V, A
        self.same(record["q"], record["v"], record["a"])  # odd strides, unaligned

    def test_backwards_and_swapped(self):
        self.same(np.ascontiguousarray(Q[::-1])[::-1], V, A)
        self.same(Q.astype(">f8"), V, A)
        out = np.empty((N, 14))[:, ::-2]
        self.same(Q, V, A, out=out)

    def test_single_samples_of_any_layout(self):
        block = np.asfortranarray(Q)
        np.testing.assert_array_equal(ARM.inverse_dynamics(block[5], V[5], A[5]), TAU[5])
        out = np.zeros((7, 3))
        self.assertEqual(ARM.inverse_dynamics(Q[5], V[5], A[5], out=out[:, 1]).base is out, True)
        np.testing.assert_array_equal(out[:, 1], TAU[5])
        self.assertFalse(out[:, 0].any() or out[:, 2].any())

    def test_out_may_be_an_input(self):
        for rows in (slice(None), 3):
            a = A[rows].copy()
            self.assertIs(ARM.inverse_dynamics(Q[rows], V[rows], a, out=a), a)
            np.testing.assert_allclose(a, TAU[rows], rtol=0, atol=1e-12)
        data = np.vstack([A, A])  # rows of out begin among those of a
        ARM.inverse_dynamics(Q, V, data[:N], out=data[1 : N + 1])
        np.testing.assert_allclose(data[1 : N + 1], TAU, rtol=0, atol=1e-12)

    def test_out_of_matrices(self):
        want = ARM.mass_matrix(Q)
        out = np.empty((N, 7, 7))
        self.assertIs(ARM.mass_matrix(Q, out=out), out)
        np.testing.assert_array_equal(out, want)
        padded = np.zeros((N, 8, 9))
        ARM.mass_matrix(Q, out=padded[:, :7, :7])
        np.testing.assert_array_equal(padded[:, :7, :7], want)
        self.assertFalse(padded[:, 7].any())

    def test_several_outs(self):
        want = ARM.inverse_gradient(Q, V, A)
        out = tuple(np.empty((N, 7, 7)) for _ in range(3))
        got = ARM.inverse_gradient(Q, V, A, out=out)
        for x, y, z in zip(got, out, want):
            self.assertIs(x, y)
            np.testing.assert_array_equal(x, z)
        self.assertIs(ARM.inverse_gradient(Q[0], V[0], A[0], out=tuple(x[0] for x in out)).dq.base,
                      out[0])
        pose = ARM.kinematics(Q[0], out=(np.empty((3, 3)), np.empty(3)))
        self.assertEqual(pose.position.shape, (3,))


class Types(unittest.TestCase):
    def test_single_precision_stays(self):
        q, v, a = (x.astype(np.float32) for x in (Q, V, A))
        for rows in (slice(None), 3):
            tau = ARM.inverse_dynamics(q[rows], v[rows], a[rows])
            self.assertEqual(tau.dtype, np.float32)
            np.testing.assert_allclose(tau, TAU[rows], rtol=0, atol=2e-4)
        for name, arrays in {"forward_dynamics": (q, v, a), "mass_matrix": (q,),
                             "jacobian": (q,)}.items():
            for rows in (slice(None), 3):
                x = getattr(ARM, name)(*(y[rows] for y in arrays))
                self.assertEqual(x.dtype, np.float32)
                want = getattr(ARM, name)(*(y[rows].astype(float) for y in arrays))
                np.testing.assert_allclose(x, want, rtol=0, atol=2e-4 * max(1, abs(want).max()))
        pose = ARM.kinematics(q[3], "link3")
        np.testing.assert_allclose(pose.position, ARM.kinematics(Q[3], "link3").position, atol=1e-6)

    def test_out_decides(self):
        out = np.empty(7, np.float32)
        self.assertIs(ARM.inverse_dynamics(Q[0], V[0], A[0], out=out), out)
        np.testing.assert_allclose(out, TAU[0], rtol=0, atol=2e-4)

    def test_others_are_converted(self):
        whole = np.arange(7)
        np.testing.assert_array_equal(
            ARM.gravity_torques(whole), ARM.gravity_torques(whole.astype(float))
        )
        mixed = ARM.inverse_dynamics(Q[0].astype(np.float32), V[0], A[0])
        self.assertEqual(mixed.dtype, np.float64)


class Messages(unittest.TestCase):
    def test_shapes(self):
        for call, words in [
            (lambda: ARM.inverse_dynamics(np.zeros(6), V[0], A[0]),
             ["q has shape (6,)", "'panda'", "(7,)", "(N, 7)"]),
            (lambda: ARM.inverse_dynamics(Q, V[:5], A), ["q has 200 rows", "v has 5"]),
            (lambda: ARM.inverse_dynamics(Q.reshape(4, 50, 7), V[:5], A[0]),
             ["v has the leading dimensions (5,)", "(4, 50)", "broadcast"]),
            (lambda: ARM.inverse_dynamics(Q[..., :6], V, A), ["q has shape (200, 6)", "(…, 7)"]),
            (lambda: ARM.inverse_dynamics(3.0, V, A), ["q has shape ()"]),
            (lambda: ARM.mass_matrix(Q, out=np.zeros((N, 7))),
             ["out for M", "(200, 7)", "(200, 7, 7)"]),
            (lambda: ARM.bias(Q, V, out=np.zeros((N, 7), int)), ["int64", "float64"]),
            (lambda: ARM.bias(Q, V, threads=0), ["threads", "1 or more"]),
        ]:
            with self.assertRaises(ValueError) as caught:
                call()
            for word in words:
                self.assertIn(word, str(caught.exception))

    def test_arguments(self):
        for call, words in [
            (lambda: ARM.inverse_dynamics(Q, V), ["q, v, a", "a is missing"]),
            (lambda: ARM.inverse_dynamics(Q, V, A, A), ["by position"]),
            (lambda: ARM.inverse_dynamics(Q, V, A, thread=2), ["no argument 'thread'"]),
            (lambda: ARM.inverse_dynamics(Q, V, A, q=Q), ["more than one 'q'"]),
            (lambda: ARM.inverse_dynamics(Q + 1j, V, A), ["complex128", "real numbers"]),
            (lambda: ARM.inverse_dynamics(["a"] * 7, V[0], A[0]), ["real numbers"]),
            (lambda: ARM.inverse_gradient(Q, V, A, out=Q), ["3 arrays: (dq, dv, da)"]),
            (lambda: ARM.integrate(Q, V, threads=2), ["no argument 'threads'"]),
            (lambda: ARM.jacobian(Q, 3), ["name of a link"]),
        ]:
            with self.assertRaises(TypeError) as caught:
                call()
            for word in words:
                self.assertIn(word, str(caught.exception))
        with self.assertRaisesRegex(parid.Error, "did you mean 'link3'"):
            ARM.jacobian(Q, "lnik3")

    def test_read_only(self):
        out = np.zeros((N, 7))
        out.flags.writeable = False
        with self.assertRaisesRegex(ValueError, "read-only"):
            ARM.inverse_dynamics(Q, V, A, out=out)

    def test_names_of_arguments(self):
        np.testing.assert_array_equal(ARM.inverse_dynamics(a=A, v=V, q=Q),
                                      ARM.inverse_dynamics(Q, V, A))


class Copies(unittest.TestCase):
    """A process that has not enough memory left for a copy: whatever is copied, it fails."""

    def run_with_little_memory(self, text):
        head = """
            import resource, numpy as np, parid
            from numpy.lib.stride_tricks import as_strided

            def leave(megabytes):
                with open("/proc/self/statm") as f:
                    now = int(f.read().split()[0]) * resource.getpagesize()
                limit = now + (megabytes << 20)
                resource.setrlimit(resource.RLIMIT_AS, (limit, limit))

            r = parid.load("chain:60")
            r.compile(kernel="generic")
            warm = np.zeros((2000, 60))
            r.inverse_dynamics(warm, warm, warm, threads=1)
            r.inverse_dynamics(warm.astype("f"), warm.astype("f"), warm.astype("f"), threads=1)
        """
        ran = subprocess.run(
            [sys.executable, "-c", textwrap.dedent(head) + textwrap.dedent(text)],
            capture_output=True,
            text=True,
        )
        self.assertEqual(ran.returncode, 0, ran.stderr)
        return ran.stdout.strip()

    def test_rows_one_after_another(self):
        for dtype in ("float64", "float32"):
            said = self.run_with_little_memory(
                f"""
                x, out = (np.zeros((100_000, 60), {dtype!r}) for _ in range(2))   # 46 or 23 MB each
                leave(megabytes=16)
                print(r.inverse_dynamics(x, x, x, out=out, threads=1) is out, bool(out[-1].any()))
                """
            )
            self.assertEqual(said, "True True")

    def test_strides(self):
        said = self.run_with_little_memory(
            """
            one, row = np.zeros(60), np.zeros(60)
            x = np.broadcast_to(one, (100_000, 60))          # 46 MB that are not there
            out = as_strided(row, (100_000, 60), (0, 8))
            leave(megabytes=16)
            r.inverse_dynamics(x, x, x, out=out, threads=1)
            print(bool(row.any()))
            """
        )
        self.assertEqual(said, "True")

    def test_the_limit_bites(self):
        """What must be converted needs the memory: the proof above can fail."""
        said = self.run_with_little_memory(
            """
            x, out = np.zeros((100_000, 60), int), np.zeros((100_000, 60))
            leave(megabytes=16)
            try:
                r.inverse_dynamics(x, x, x, out=out, threads=1)
            except MemoryError:
                print("not enough memory")
            """
        )
        self.assertEqual(said, "not enough memory")


if __name__ == "__main__":
    unittest.main()
