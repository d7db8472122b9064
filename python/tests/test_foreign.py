"""Inputs and outputs as people have them: leading dimensions, data frames, arrays of others."""

import array
import unittest

import numpy as np

import parid

try:
    import pandas
except ImportError:
    pandas = None
try:
    import torch
except ImportError:
    torch = None

rng = np.random.default_rng(3)
ARM = parid.load("panda")
Q, V, A = (rng.uniform(-1, 1, (4, 5, 7)) for _ in range(3))


def one_by_one(method, *arrays):
    """The reference: NumPy broadcasts, and every sample is one call."""
    leading = np.broadcast_shapes(*(x.shape[:-1] for x in arrays))
    whole = [np.broadcast_to(x, leading + x.shape[-1:]) for x in arrays]
    found = [method(*(x[at].copy() for x in whole)) for at in np.ndindex(*leading)]
    return np.array(found).reshape(leading + np.shape(found[0]))


class Leading(unittest.TestCase):
    def test_dimensions_broadcast(self):
        for q, v, a in [
            (Q, V, A),
            (Q, V[0], A[0, 0]),
            (Q[:, :1], V[:1], A),
            (Q[0, 0], V[:, None], A),  # (4, 1, 5, 7) and (4, 5, 7)
            (Q[::2, ::-1], V[1:3], A[0, ::-1]),
            (np.broadcast_to(Q[:, :1], Q.shape), V, A),  # views whose strides are 0
            (Q, np.broadcast_to(V[:1], V.shape), np.broadcast_to(A[0, 0], A.shape)),
            (np.asfortranarray(Q), V.transpose(1, 0, 2).copy().transpose(1, 0, 2), A),
        ]:
            np.testing.assert_allclose(ARM.inverse_dynamics(q, v, a),
                                       one_by_one(ARM.inverse_dynamics, q, v, a), rtol=0,
                                       atol=1e-12)

    def test_matrices_scalars_and_dense_methods(self):
        np.testing.assert_allclose(ARM.mass_matrix(Q), one_by_one(ARM.mass_matrix, Q), atol=1e-12)
        np.testing.assert_allclose(ARM.energy(Q, V[0]).kinetic,
                                   one_by_one(lambda q, v: ARM.energy(q, v).kinetic, Q, V[0]),
                                   atol=1e-12)
        np.testing.assert_allclose(ARM.integrate(Q, V[:, :1]),
                                   one_by_one(ARM.integrate, Q, V[:, :1]), atol=1e-12)
        self.assertEqual(ARM.kinematics(Q).rotation.shape, (4, 5, 3, 3))
        self.assertEqual(ARM.inverse_gradient(Q, V, A).dq.shape, (4, 5, 7, 7))

    def test_none_and_empty(self):
        self.assertEqual(ARM.inverse_dynamics(Q[:0], V[:0], A[0]).shape, (0, 5, 7))
        self.assertEqual(ARM.gravity_torques(Q[:1, :1]).shape, (1, 1, 7))

    def test_out(self):
        expected = ARM.inverse_dynamics(Q, V, A)
        for out in (np.empty((4, 5, 7)), np.empty((4, 5, 14))[..., ::2], np.empty((7, 5, 4)).T,
                    np.empty((8, 5, 7))[::-2]):
            self.assertIs(ARM.inverse_dynamics(Q, V, A, out=out), out)
            np.testing.assert_array_equal(out, expected)
        same = Q.copy()
        ARM.inverse_dynamics(same, V, A, out=same)
        np.testing.assert_array_equal(same, expected)

    def test_single_precision(self):
        q, v, a = (x.astype(np.float32) for x in (Q, V, A))
        tau = ARM.inverse_dynamics(q, v, a)
        self.assertEqual((tau.dtype, tau.shape), (np.float32, (4, 5, 7)))
        np.testing.assert_allclose(tau, ARM.inverse_dynamics(Q, V, A), atol=1e-3)


class ByDlpack:
    """Has DLPack and nothing else."""

    def __init__(self, x):
        self.x = x

    def __dlpack__(self, stream=None):
        return self.x.__dlpack__()

    def __dlpack_device__(self):
        return self.x.__dlpack_device__()


class Others(unittest.TestCase):
    def test_dlpack_and_buffers(self):
        expected = ARM.inverse_dynamics(Q, V, A)
        np.testing.assert_array_equal(ARM.inverse_dynamics(ByDlpack(Q), ByDlpack(V), A), expected)
        q = array.array("d", Q[0, 0])
        np.testing.assert_array_equal(ARM.gravity_torques(memoryview(q)),
                                      ARM.gravity_torques(Q[0, 0]))
        out = array.array("d", [0.0] * 7)
        self.assertIs(ARM.gravity_torques(q, out=out), out)
        np.testing.assert_array_equal(np.array(out), ARM.gravity_torques(Q[0, 0]))
        np.testing.assert_array_equal(np.from_dlpack(ARM.gravity_torques(Q)),
                                      ARM.gravity_torques(Q))

    def test_out_of_nothing(self):
        for out in ("tau", [0.0] * 7, object()):
            with self.assertRaisesRegex(TypeError, "buffer protocol or DLPack"):
                ARM.gravity_torques(Q[0, 0], out=out)
        with self.assertRaisesRegex(ValueError, "read-only"):
            ARM.gravity_torques(Q[0, 0], out=memoryview(array.array("d", [0.0] * 7)).toreadonly())

    @unittest.skipIf(torch is None, "python3-torch is not installed")
    def test_torch(self):
        q, out = torch.tensor(Q), torch.zeros(4, 5, 7, dtype=torch.float64)
        self.assertIs(ARM.inverse_dynamics(q, V, A, out=out), out)
        np.testing.assert_array_equal(out.numpy(), ARM.inverse_dynamics(Q, V, A))
        single = ARM.gravity_torques(q.float())
        self.assertEqual(single.dtype, np.float32)
        tau = ARM.gravity_torques(q)
        shared = torch.from_dlpack(tau)
        tau[0, 0, 0] = 7.0
        self.assertEqual(float(shared[0, 0, 0]), 7.0)


@unittest.skipIf(pandas is None, "python3-pandas is not installed")
class Frames(unittest.TestCase):
    def frame(self, prefix=""):
        names = [prefix + n for n in ARM.position_names]
        frame = pandas.DataFrame(Q[0], columns=names)
        return frame[names[::-1]].assign(t=range(5))

    def test_columns_by_name(self):
        expected = ARM.gravity_torques(Q[0])
        np.testing.assert_array_equal(ARM.gravity_torques(self.frame()), expected)
        np.testing.assert_array_equal(ARM.gravity_torques(self.frame("q:")), expected)
        np.testing.assert_array_equal(ARM.gravity_torques(self.frame().iloc[2]), expected[2])
        both = self.frame("q:").join(pandas.DataFrame(V[0], columns=[f"v:{n}" for n in
                                                                    ARM.velocity_names]))
        np.testing.assert_array_equal(ARM.bias(both, both), ARM.bias(Q[0], V[0]))

    def test_columns_by_name_beside_arguments_by_row(self):
        g = [0.0, 1.0, -3.0]
        np.testing.assert_array_equal(ARM.gravity_torques(self.frame(), gravity=g),
                                      ARM.gravity_torques(Q[0], gravity=g))

    def test_missing_and_double(self):
        with self.assertRaisesRegex(ValueError, "q: the table has no column 'joint3'"):
            ARM.gravity_torques(self.frame().drop(columns="joint3"))
        with self.assertRaisesRegex(ValueError, "no column 'v:joint3'"):
            ARM.bias(Q[0], self.frame("v:").drop(columns="v:joint3"))
        twice = pandas.concat([self.frame(), self.frame()[["joint2"]]], axis=1)
        with self.assertRaisesRegex(ValueError, "several columns 'joint2'"):
            ARM.gravity_torques(twice)


if __name__ == "__main__":
    unittest.main()
