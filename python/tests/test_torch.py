"""parid.torch: values, first and second derivatives, shapes and messages."""

import pathlib
import re
import runpy
import unittest

import numpy as np

import parid

try:
    import torch
except ImportError:
    torch = None
if torch is not None:
    import parid.torch

@unittest.skipIf(torch is None, "PyTorch is not installed (package python3-torch)")
class Torch(unittest.TestCase):
    def test_inertias_are_learnt(self):
        # The example of docs/tutorials/learn-inertias.md, with fewer samples.
        path = pathlib.Path(__file__).resolve().parents[1] / "examples" / "learn_inertias.py"
        example = runpy.run_path(str(path))
        losses, first, last = example["learn"](20_000, 6, 500)
        self.assertGreater(first, 0.1)
        self.assertLess(last, 0.02)  # the noise is 0.01
        self.assertLess(losses[-1], losses[0] / 50)
        svg = example["curve"](losses)
        self.assertEqual(svg.count("<polyline"), 1)
        self.assertLess(len(svg), 60_000)

    def test_tutorial(self):
        page = pathlib.Path(__file__).resolve().parents[2] / "docs/tutorials/learn-inertias.md"
        blocks = re.findall(r"```python\n(.*?)```", page.read_text(), re.DOTALL)
        self.assertGreater(len(blocks), 2)
        torch.manual_seed(1)
        exec(compile("\n".join(blocks), page.name, "exec"), {})

    def setUp(self):
        self.rng = np.random.default_rng(5)

    def robots(self):
        return [parid.load("panda"), parid.load("quadruped")]

    def state(self, robot, *lead):
        size = int(np.prod(lead, dtype=int))
        v = self.rng.uniform(-1, 1, (3, size, robot.nv))
        q = robot.integrate(np.tile(robot.neutral, (size, 1)), v[0])
        return [torch.tensor(x.reshape(*lead, x.shape[-1]), requires_grad=True)
                for x in (q, v[1], v[2])]

    def test_values(self):
        for robot in self.robots():
            q, v, a = self.state(robot, 4)
            n = [x.detach().numpy() for x in (q, v, a)]
            np.testing.assert_array_equal(
                parid.torch.inverse_dynamics(robot, q, v, a).detach(), robot.inverse_dynamics(*n))
            np.testing.assert_array_equal(
                parid.torch.forward_dynamics(robot, q, v, a).detach(), robot.forward_dynamics(*n))
            np.testing.assert_array_equal(
                parid.torch.mass_matrix(robot, q).detach(), robot.mass_matrix(n[0]))
            R, p = parid.torch.kinematics(robot, q)
            np.testing.assert_array_equal(R.detach(), robot.kinematics(n[0]).rotation)
            np.testing.assert_array_equal(p.detach(), robot.kinematics(n[0]).position)

    def test_first_derivatives(self):
        for robot in self.robots():
            q, v, a = self.state(robot, 2)
            f = parid.torch
            check = dict(eps=1e-6, atol=1e-4, rtol=1e-5)
            for call, inputs in (
                (lambda *x: f.inverse_dynamics(robot, *x), (q, v, a)),
                (lambda *x: f.forward_dynamics(robot, *x), (q, v, a)),
                (lambda x: f.mass_matrix(robot, x), (q,)),
                (lambda x: f.kinematics(robot, x), (q,)),
            ):
                self.assertTrue(torch.autograd.gradcheck(call, inputs, **check), robot.name)

    def test_second_derivatives(self):
        robot = parid.load("panda")
        self.assertTrue(torch.autograd.gradgradcheck(
            lambda *x: parid.torch.inverse_dynamics(robot, *x), self.state(robot, 2),
            eps=1e-6, atol=1e-4, rtol=1e-5))

    def test_leading_dimensions_and_types(self):
        robot = parid.load("panda")
        q, v, a = self.state(robot, 3, 2)
        one = v[0, 0]
        tau = parid.torch.inverse_dynamics(robot, q, one, a)
        self.assertEqual(tau.shape, (3, 2, 7))
        tau.sum().backward()
        self.assertEqual(v.grad.shape, v.shape)
        single = parid.torch.inverse_dynamics(robot, *(x.float() for x in (q, v, a)))
        self.assertEqual(single.dtype, torch.float32)
        np.testing.assert_allclose(
            single.detach(), parid.torch.inverse_dynamics(robot, q, v, a).detach(), atol=1e-3)
        alone = parid.torch.inverse_dynamics(robot, q[0, 0], v[0, 0], a[0, 0])
        self.assertEqual(alone.shape, (7,))

    def test_parameters(self):
        robot = parid.load("panda")
        q, v, a = (x.detach() for x in self.state(robot, 20))
        pi = torch.tensor(robot.regressor_parameters)
        np.testing.assert_allclose(
            parid.torch.inverse_dynamics(robot, q, v, a, parameters=pi),
            parid.torch.inverse_dynamics(robot, q, v, a), atol=1e-10)
        other = (pi * 1.1).requires_grad_()
        self.assertTrue(torch.autograd.gradcheck(
            lambda x: parid.torch.inverse_dynamics(robot, q[:2], v[:2], a[:2], parameters=x),
            (other,), eps=1e-6, atol=1e-4))
        with self.assertRaisesRegex(ValueError, r"needs \(..., 70\)"):
            parid.torch.inverse_dynamics(robot, q, v, a, parameters=pi[:-1])

    def test_a_robot_for_each_row(self):
        robot = parid.load("quadruped")
        q, v, a = self.state(robot, 2)
        own = torch.tensor(robot.regressor_parameters)
        pi = (own * torch.tensor([[0.9], [1.2]], dtype=own.dtype)).requires_grad_()
        for function in (parid.torch.inverse_dynamics, parid.torch.forward_dynamics):
            self.assertTrue(torch.autograd.gradcheck(
                lambda *x: function(robot, *x), (q, v, a, pi), eps=1e-6, atol=1e-4, rtol=1e-4))
            alone = function(robot, q[1], v[1], a[1], pi[1])
            np.testing.assert_allclose(function(robot, q, v, a, pi)[1].detach(), alone.detach(),
                                       rtol=1e-9, atol=1e-9)

    def test_messages(self):
        robot = parid.load("panda")
        q = torch.zeros(2, 7, dtype=torch.float64)
        with self.assertRaisesRegex(ValueError, r"v has the shape \(2, 6\); panda needs"):
            parid.torch.inverse_dynamics(robot, q, q[:, :6], q)
        with self.assertRaisesRegex(TypeError, "give a torch.Tensor"):
            parid.torch.inverse_dynamics(robot, np.zeros(7), q, q)
        with self.assertRaisesRegex(TypeError, "one type"):
            parid.torch.inverse_dynamics(robot, q, q.float(), q)
        with self.assertRaisesRegex(TypeError, "float64 or float32"):
            parid.torch.inverse_dynamics(robot, q.long(), q, q)


if __name__ == "__main__":
    unittest.main()
