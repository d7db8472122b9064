"""The numbers themselves: against closed forms and differences written in NumPy, and the program's
own."""

import json
import os
import platform
import subprocess
import sys
import tempfile
import unittest

import numpy as np

import parid

PROGRAM = os.environ.get("PARID_PROGRAM", "parid")
rng = np.random.default_rng(2)


def program(*words):
    ran = subprocess.run([PROGRAM, *words], capture_output=True, text=True)
    if ran.returncode > 1:
        raise AssertionError(ran.stderr)
    return json.loads(ran.stdout)


class AgainstNumPy(unittest.TestCase):
    def setUp(self):
        self.r = parid.load("ur5")
        self.q, self.v, self.a = (rng.uniform(-1.5, 1.5, 6) for _ in range(3))

    def kinetic(self, q, v):
        """½ Σ m |c|² + ω·I ω from poses alone: positions and rotations differentiated
        numerically."""
        h, energy = 1e-5, 0.0
        for body in self.r.bodies:
            if body.mass == 0:
                continue
            place = lambda s: self.r.kinematics(q + s * v, body.name)
            ahead, behind, now = place(h), place(-h), place(0)
            c = ((ahead.rotation - behind.rotation) @ body.centre + ahead.position
                 - behind.position) / (2 * h)
            W = (ahead.rotation - behind.rotation) / (2 * h) @ now.rotation.T
            w = now.rotation.T @ np.array([W[2, 1], W[0, 2], W[1, 0]])
            energy += 0.5 * (body.mass * c @ c + w @ body.inertia @ w)
        return energy

    def potential(self, q):
        total = 0.0
        for body in self.r.bodies:
            pose = self.r.kinematics(q, body.name)
            total -= body.mass * self.r.gravity @ (pose.rotation @ body.centre + pose.position)
        return total

    def test_mass_matrix_is_that_of_the_kinetic_energy(self):
        rotors = [j.rotor_inertia for j in self.r.joints if j.type != "fixed"]
        M = self.r.mass_matrix(self.q) - np.diag(rotors)
        for v in (self.v, self.a):
            self.assertAlmostEqual(0.5 * v @ M @ v, self.kinetic(self.q, v), delta=1e-7)

    def test_gravity_is_the_potentials_gradient(self):
        h = 1e-5
        slope = [
            (self.potential(self.q + h * e) - self.potential(self.q - h * e)) / (2 * h)
            for e in np.eye(6)
        ]
        np.testing.assert_allclose(self.r.gravity_torques(self.q), slope, atol=1e-6)

    def test_power_is_the_change_of_energy(self):
        h = 1e-6
        tau = self.r.inverse_dynamics(self.q, self.v, self.a)

        def energy(s):
            v = self.v + s * self.a
            q = self.q + s * self.v + 0.5 * s * s * self.a
            e = self.r.energy(q, v)
            return float(e.kinetic + e.potential)

        rotors = np.array([j.rotor_inertia for j in self.r.joints if j.type != "fixed"])
        power = (energy(h) - energy(-h)) / (2 * h) + (rotors * self.a) @ self.v
        self.assertAlmostEqual(float(tau @ self.v), power, delta=1e-5 * max(1, abs(power)))

    def test_torques_from_their_parts(self):
        r, q, v, a = self.r, self.q, self.v, self.a
        tau = r.inverse_dynamics(q, v, a)
        np.testing.assert_allclose(tau, r.mass_matrix(q) @ a + r.bias(q, v), atol=1e-10)
        np.testing.assert_allclose(
            tau, r.mass_matrix(q) @ a + r.coriolis_matrix(q, v) @ v + r.gravity_torques(q),
            atol=1e-10
        )
        np.testing.assert_allclose(r.forward_dynamics(q, v, tau), a, atol=1e-9)

    def test_gradients_are_differences(self):
        r, q, v, a, h = self.r, self.q, self.v, self.a, 1e-6
        g = r.inverse_gradient(q, v, a)
        for got, f in [
            (g.dq, lambda d: r.inverse_dynamics(q + d, v, a)),
            (g.dv, lambda d: r.inverse_dynamics(q, v + d, a)),
            (g.da, lambda d: r.inverse_dynamics(q, v, a + d)),
        ]:
            want = np.stack([(f(h * e) - f(-h * e)) / (2 * h) for e in np.eye(6)], axis=1)
            np.testing.assert_allclose(got, want, atol=1e-6)

    def test_jacobian_is_a_difference_of_poses(self):
        h = 1e-6
        J = self.r.jacobian(self.q)
        move = lambda s: self.r.kinematics(self.q + s * self.v).position
        np.testing.assert_allclose(J[:3] @ self.v, (move(h) - move(-h)) / (2 * h), atol=1e-8)
        np.testing.assert_allclose(J @ self.v, np.concatenate(self.r.link_velocity(self.q, self.v)),
                                   atol=1e-12)
        point = [0.1, 0.2, 0.3]
        J = self.r.point_jacobian(self.q, point=point, axes="link")
        rate = self.r.link_velocity(self.q, self.v, point=point, axes="link")
        np.testing.assert_allclose(J @ self.v, np.concatenate(rate), atol=1e-12)

    def test_a_wrench_is_the_jacobians_transpose(self):
        w = parid.Workspace(self.r)
        force, moment = np.array([1.0, -2.0, 3.0]), np.array([0.3, 0.2, -0.1])
        w.set_wrench(self.r.tip, force, moment)
        J = self.r.point_jacobian(self.q, axes="link")
        pushed = w.inverse_dynamics(self.q, self.v, self.a)
        np.testing.assert_allclose(
            self.r.inverse_dynamics(self.q, self.v, self.a) - pushed,
            J.T @ np.concatenate([force, moment]),
            atol=1e-10,
        )
        many = w.inverse_dynamics(np.tile(self.q, (3, 1)), self.v, self.a)
        np.testing.assert_allclose(many, np.tile(pushed, (3, 1)), atol=1e-11)
        single = w.inverse_dynamics(*(x.astype(np.float32) for x in (self.q, self.v, self.a)))
        np.testing.assert_allclose(single, pushed, atol=1e-3)
        w.clear_wrenches()
        np.testing.assert_array_equal(
            w.inverse_dynamics(self.q, self.v, self.a),
            self.r.inverse_dynamics(self.q, self.v, self.a)
        )

    def test_a_base_that_rises_weighs_more(self):
        w = parid.Workspace(self.r)
        w.set_base_motion(linear_acceleration=[0, 0, 9.81])
        np.testing.assert_allclose(
            w.gravity_torques(self.q), 2 * self.r.gravity_torques(self.q), atol=1e-10
        )
        np.testing.assert_allclose(
            w.forward_dynamics(self.q, self.v, w.inverse_dynamics(self.q, self.v, self.a)), self.a,
            atol=1e-9
        )
        rows = np.tile(self.q, (4, 1))
        np.testing.assert_allclose(w.gravity_torques(rows)[2], w.gravity_torques(self.q),
                                   atol=1e-11)

    def test_kernels_agree(self):
        rows = rng.uniform(-1, 1, (3, 300, 6))
        generic = self.r.inverse_dynamics(*rows)
        r = parid.load("ur5")
        self.assertEqual(r.compile(kernel="interpreted"), {"inverse": "interpreted"})
        np.testing.assert_allclose(r.inverse_dynamics(*rows), generic, atol=1e-10)
        got = r.compile("inverse", "mass")
        self.assertIn(got["inverse"], ("compiled", "machine", "interpreted"))
        np.testing.assert_allclose(r.inverse_dynamics(*rows), generic, atol=1e-10)
        np.testing.assert_allclose(r.inverse_dynamics(*rows[:, 0]), generic[0], atol=1e-10)
        np.testing.assert_allclose(r.mass_matrix(rows[0]), self.r.mass_matrix(rows[0]), atol=1e-10)

    @unittest.skipUnless(platform.machine() == "x86_64", "machine code is for x86-64")
    def test_machine_code(self):
        rows = rng.uniform(-1, 1, (3, 300, 6))
        q, v, a = rows
        r = parid.load("ur5")
        names = ("inverse", "mass", "forward", "inverse_gradient")
        self.assertEqual(r.compile(*names, kernel="machine"), dict.fromkeys(names, "machine"))
        self.assertEqual(r.kernel_note, "")
        for name in ("inverse_dynamics", "forward_dynamics"):
            generic = getattr(self.r, name)(*rows)
            np.testing.assert_allclose(getattr(r, name)(*rows), generic, rtol=1e-9, atol=1e-9)
            np.testing.assert_allclose(getattr(r, name)(q[0], v[0], a[0]), generic[0],
                                       rtol=1e-9, atol=1e-9)
        np.testing.assert_allclose(r.mass_matrix(q), self.r.mass_matrix(q), atol=1e-12)
        np.testing.assert_allclose(r.mass_matrix(q[0]), self.r.mass_matrix(q[0]), atol=1e-12)
        self.assertIn(r.compile("bias", kernel="automatic")["bias"], ("compiled", "machine"))
        np.testing.assert_allclose(r.bias(q, v), self.r.bias(q, v), atol=1e-11)

    def test_without_a_compiler_all_is_the_same(self):
        text = """
import numpy as np, parid
r = parid.load("planar2")
q = np.random.default_rng(1).uniform(-1, 1, (200_000, 2))
tau = r.inverse_dynamics(q, q, q)               # so many would be compiled
assert np.allclose(tau[::1000], [r.inverse_dynamics(x, x, x) for x in q[::1000]], atol=1e-12)
print(r.compile(), bool(r.kernel_note))
print(r.compile(kernel="generic"))
"""
        with tempfile.TemporaryDirectory() as cache:
            env = {**os.environ, "PARID_CC": "/nowhere/cc", "PARID_CACHE": cache}
            ran = subprocess.run([sys.executable, "-c", text], capture_output=True, text=True,
                                 env=env)
        kind = "machine" if platform.machine() == "x86_64" else "interpreted"
        self.assertEqual(ran.stdout, f"{{'inverse': '{kind}'}} True\n{{'inverse': 'generic'}}\n",
                         ran.stderr)

    def test_threads_do_not_change_bits(self):
        rows = rng.uniform(-1, 1, (3, 3000, 6))
        one = self.r.inverse_dynamics(*rows, threads=1)
        for threads in (2, 3, None):
            np.testing.assert_array_equal(self.r.inverse_dynamics(*rows, threads=threads), one)


class AgainstTheProgram(unittest.TestCase):
    def test_torques(self):
        for name, options in [("puma560", {}), ("ur5", {"payload": 5})]:
            words = ["--payload", "5,0,0,0.1"] if options else []
            told = program("torque", name, "--json", *words)
            r = parid.load(name)
            if options:
                r = r.with_payload(5, [0, 0, 0.1])
            m = r.motion()
            np.testing.assert_allclose(m.t, told["t"], atol=1e-15)
            np.testing.assert_allclose(r.inverse_dynamics(m.q, m.v, m.a), told["tau"], atol=1e-12)

    def test_friction(self):
        told = program("torque", "puma560-positioning", "--motion", "dhanaraj", "--friction",
                       "--json")
        r = parid.load("puma560-positioning")
        m = r.motion("dhanaraj")
        f = r.friction(m.q, m.v, m.a)
        for name, x in [("tau", f.total), ("rigid", f.rigid), ("bearing", f.bearing),
                        ("drive", f.drive)]:
            np.testing.assert_allclose(x, told[name], atol=1e-11)

    def test_facts(self):
        told = program("info", "panda", "--json")
        r = parid.load("panda")
        self.assertEqual(told["velocities"], list(r.velocity_names))
        self.assertEqual(told["tip"], r.tip)
        self.assertAlmostEqual(told["mass"], r.mass)
        self.assertEqual([j["type"] for j in told["joints"]], [j.type for j in r.joints])


if __name__ == "__main__":
    unittest.main()
