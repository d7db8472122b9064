"""Arguments that differ from row to row, derivatives by inertial parameters, second derivatives."""

import unittest

import numpy as np

import parid


def state(robot, rows, seed=1):
    rng = np.random.default_rng(seed)
    q = np.array([robot.integrate(robot.neutral, rng.normal(size=robot.nv)) for _ in range(rows)])
    return q, rng.normal(size=(rows, robot.nv)), rng.normal(size=(rows, robot.nv))


class TestRowArguments(unittest.TestCase):
    def test_every_row_is_a_robot_of_its_own(self):
        robot = parid.load("panda")
        q, v, a = state(robot, 9)
        rng = np.random.default_rng(2)
        factors = rng.uniform(0.5, 2, size=9)
        g = rng.normal(size=(9, 3))
        wrench = rng.normal(size=(9, 6))
        base = rng.normal(size=(9, 9))
        parameters = factors[:, None] * robot.regressor_parameters
        tau = robot.inverse_dynamics(q, v, a, parameters=parameters, gravity=g,
                                     wrenches={robot.tip: wrench}, base_motion=base)
        for k in range(9):
            plain = parid.Workspace(robot.with_gravity(g[k]))
            plain.set_base_motion(base[k, :3], base[k, 3:6], base[k, 6:])
            rigid = plain.inverse_dynamics(q[k], v[k], a[k])
            plain.set_wrench(robot.tip, wrench[k, :3], wrench[k, 3:])
            pushed = plain.inverse_dynamics(q[k], v[k], a[k])
            np.testing.assert_allclose(tau[k], factors[k] * rigid + pushed - rigid, atol=1e-10)

    def test_one_sample_and_broadcasting(self):
        robot = parid.load("puma560")
        q, v, a = state(robot, 4)
        heavy = 2 * robot.regressor_parameters
        many = robot.mass_matrix(q, parameters=heavy)
        one = robot.mass_matrix(q[2], parameters=heavy)
        self.assertEqual(one.shape, (6, 6))
        np.testing.assert_allclose(many[2], one, rtol=1e-12)
        rows = robot.inverse_dynamics(q[0], v[0], a[0], gravity=np.eye(3))
        self.assertEqual(rows.shape, (3, 6))

    def test_some_links(self):
        robot = parid.load("puma560")
        q, v, a = state(robot, 3)
        names, own = robot.regressor_names, robot.regressor_parameters
        link = names[30].rsplit(".")[0]
        changed = own.copy()
        changed[30:40] *= 1.5
        np.testing.assert_allclose(
            robot.forward_dynamics(q, v, a, parameters={link: changed[30:40]}),
            robot.forward_dynamics(q, v, a, parameters=changed), rtol=1e-9, atol=1e-9)

    def test_wrenches_of_several_links(self):
        robot = parid.load("puma560")
        q, v, a = state(robot, 3)
        w = np.arange(18.0).reshape(3, 6)
        np.testing.assert_array_equal(robot.inverse_dynamics(q, v, a, wrenches={}),
                                      robot.inverse_dynamics(q, v, a))
        one = robot.inverse_dynamics(q, v, a, wrenches={"link6": w[:1], "link4": w})
        all_rows = robot.inverse_dynamics(q, v, a, wrenches={"link6": w[[0, 0, 0]], "link4": w})
        np.testing.assert_array_equal(one, all_rows)
        with self.assertRaisesRegex(ValueError, "wrenches: the links have different numbers"):
            robot.inverse_dynamics(q, v, a, wrenches={"link6": w[:2], "link4": w})

    def test_single_precision(self):
        robot = parid.load("puma560")
        q, v, a = (x.astype(np.float32) for x in state(robot, 5))
        tau = robot.inverse_dynamics(q, v, a, parameters=robot.regressor_parameters)
        self.assertEqual(tau.dtype, np.float32)
        np.testing.assert_allclose(tau, robot.inverse_dynamics(q, v, a), atol=1e-3)

    def test_messages(self):
        robot = parid.load("puma560")
        z = np.zeros(6)
        with self.assertRaisesRegex(ValueError, "does not depend on gravity"):
            robot.mass_matrix(z, gravity=[0, 0, 1])
        with self.assertRaisesRegex(TypeError, "dictionary"):
            robot.inverse_dynamics(z, z, z, wrenches=np.zeros(6))
        with self.assertRaisesRegex(ValueError, "needs \\(60,\\)"):
            robot.inverse_dynamics(z, z, z, parameters=np.zeros(59))
        with self.assertRaisesRegex(ValueError, "rows"):
            robot.inverse_dynamics(np.zeros((3, 6)), z, z, gravity=np.zeros((4, 3)))
        with self.assertRaisesRegex(parid.Error, "nowhere"):
            robot.inverse_dynamics(z, z, z, wrenches={"nowhere": np.zeros(6)})
        with self.assertRaises(TypeError):
            robot.integrate(z, z, gravity=[0, 0, 1])


class TestParameterProducts(unittest.TestCase):
    def test_against_differences(self):
        for name in ("panda", "quadruped"):
            robot = parid.load(name)
            q, v, x = (y[0] for y in state(robot, 1))
            rng = np.random.default_rng(3)
            pi, g = robot.regressor_parameters, robot.gravity
            dpi, dg = rng.normal(size=pi.size), rng.normal(size=3)
            w, step = rng.normal(size=robot.nv), 1e-6
            for kind in ("inverse", "forward"):
                f = getattr(robot, kind + "_dynamics")
                change = (f(q, v, x, parameters=pi + step * dpi, gravity=g + step * dg)
                          - f(q, v, x, parameters=pi - step * dpi, gravity=g - step * dg))
                along = getattr(robot, kind + "_parameter_jacobian_product")(q, v, x, dpi, dg)
                scale = np.abs(along).max()
                np.testing.assert_allclose(along, change / (2 * step), atol=1e-5 * scale)
                by = getattr(robot, kind + "_parameter_vector_product")(q, v, x, w)
                self.assertAlmostEqual(by.parameters @ dpi + by.gravity @ dg, w @ along,
                                       delta=1e-9 * scale * robot.nv)


class TestSecondDerivatives(unittest.TestCase):
    def test_against_differences(self):
        robot = parid.load("quadruped")
        q, v, x = (y[0] for y in state(robot, 1))
        step, k = 1e-6, 4
        e = step * np.eye(robot.nv)[k]
        for kind, third in (("inverse", "qa"), ("forward", "qtau")):
            gradient = getattr(robot, kind + "_gradient")
            hessian = getattr(robot, kind + "_hessian")(q, v, x)
            high, low = gradient(robot.integrate(q, e), v, x), gradient(robot.integrate(q, -e), v, x)
            faster, slower = gradient(q, v + e, x), gradient(q, v - e, x)
            for got, a, b in ((hessian.qq, high[0], low[0]), (hessian.qv, high[1], low[1]),
                              (getattr(hessian, third), high[2], low[2]),
                              (hessian.vv, faster[1], slower[1])):
                expected = (a - b) / (2 * step)
                np.testing.assert_allclose(got[:, :, k], expected,
                                           atol=1e-5 * max(1, np.abs(expected).max()))
        H = robot.jacobian_hessian(q)
        change = robot.jacobian(robot.integrate(q, e)) - robot.jacobian(robot.integrate(q, -e))
        np.testing.assert_allclose(H[:, :, k], change / (2 * step), atol=1e-6)

    def test_manifold(self):
        robot = parid.load("quadruped")
        q, v, _ = state(robot, 3)
        d = robot.d_integrate(q, v)
        self.assertEqual(d.by_v.shape, (3, robot.nv, robot.nv))
        step, k = 1e-6, 4
        e = step * np.eye(robot.nv)[k]
        at = robot.integrate(q[0], v[0])
        moved = robot.difference(at, robot.integrate(q[0], v[0] + e)) / step
        np.testing.assert_allclose(d.by_v[0, :, k], moved, atol=1e-5)
        b = robot.d_difference(q[0], at)
        change = robot.difference(q[0], robot.integrate(at, e)) - robot.difference(q[0], at)
        np.testing.assert_allclose(b.by_q1[:, k], change / step, atol=1e-5)

    def test_operational_space_of_links(self):
        robot = parid.load("panda")
        q, v, _ = (y[0] for y in state(robot, 1))
        links = [robot.links[4], robot.tip]
        x = robot.operational_space_of(q, v, links)
        J = np.vstack([robot.jacobian(q, link) for link in links])
        np.testing.assert_allclose(x.jacobian, J, atol=1e-12)
        np.testing.assert_allclose(x.inverse_inertia, J @ np.linalg.solve(robot.mass_matrix(q), J.T),
                                   atol=1e-9)
        with self.assertRaises(parid.Error):
            robot.operational_space_of(q, v, ["nowhere"])


if __name__ == "__main__":
    unittest.main()
