"""Sub-interpreters, and what runs while the interpreter exits. Each case is a process of its
own."""

import os
import subprocess
import sys
import textwrap
import unittest


def run(script: str, timeout: float = 120) -> "subprocess.CompletedProcess[str]":
    """A script, in the same environment; a deadlock is a failure."""
    return subprocess.run(
        [sys.executable, "-c", textwrap.dedent(script)],
        capture_output=True,
        text=True,
        timeout=timeout,
        env=dict(os.environ),
    )


class SubInterpreters(unittest.TestCase):
    def setUp(self):
        try:
            import _xxsubinterpreters  # noqa: F401
        except ImportError:
            self.skipTest("this Python has no _xxsubinterpreters")

    def refused(self, before: str) -> None:
        done = run(
            f"""
            import _xxsubinterpreters as interpreters
            {before}
            inside = interpreters.create()
            for _ in range(2):
                try:
                    interpreters.run_string(inside, "import parid")
                    print("imported")
                except interpreters.RunFailedError as error:
                    print(error)
            import parid
            print(parid.load("planar2").nv)
            """
        )
        self.assertEqual(done.returncode, 0, done.stderr)
        first, second, here = done.stdout.splitlines()
        for said in (first, second):
            self.assertIn("ImportError", said)
            self.assertIn("parid cannot be imported in a sub-interpreter", said)
        self.assertEqual(here, "2")

    def test_first_import_is_refused(self):
        self.refused("")

    def test_import_after_the_main_interpreters_is_refused(self):
        self.refused("import parid")


class Exit(unittest.TestCase):
    """The interpreter exits while daemon threads are at work."""

    def ends_cleanly(self, work: str, threads: int = 2) -> None:
        done = run(
            f"""
            import sys, threading, time
            import numpy as np
            import parid
            r = parid.load("puma560")
            q = np.random.default_rng(1).uniform(-1, 1, (200_000, 6))
            begun = threading.Barrier({threads} + 1)
            def work():
                begun.wait()
                while True:
                    {work}
            for _ in range({threads}):
                threading.Thread(target=work, daemon=True).start()
            begun.wait()
            time.sleep(0.2)
            print("end")
            """
        )
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "end\n", ""))

    def test_in_a_batch(self):
        self.ends_cleanly("r.inverse_dynamics(q, q, q)")

    def test_in_a_batch_of_one_thread(self):
        self.ends_cleanly("r.forward_gradient(q[:20_000], q[:20_000], q[:20_000], threads=1)")

    def test_in_short_batches(self):
        self.ends_cleanly("r.inverse_dynamics(q[:64], q[:64], q[:64])", threads=4)

    def test_in_results_that_python_code_makes(self):
        for _ in range(3):
            self.ends_cleanly("r.forward_gradient(q[0], q[0], q[0])", threads=8)

    def test_in_rows_one_by_one(self):
        self.ends_cleanly("r.coriolis_matrix(q[:5000], q[:5000])")

    def test_batches_at_exit_are_answered(self):
        done = run(
            """
            import atexit
            import numpy as np
            def last():
                q = np.ones((20_000, 6))
                print(r.inverse_dynamics(q, q, q).shape)
            atexit.register(last)
            import parid  # after it, so that it is asked after the module's own exit
            r = parid.load("puma560")
            """
        )
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "(20000, 6)\n", ""))

    def test_a_forked_child_exits(self):
        done = run(
            """
            import os, sys, threading, time
            import numpy as np
            import parid
            r = parid.load("puma560")
            q = np.ones((500_000, 6))
            threading.Thread(target=lambda: r.inverse_dynamics(q, q, q), daemon=True).start()
            time.sleep(0.05)
            child = os.fork()
            if child == 0:
                sys.exit(0)
            print(os.waitpid(child, 0)[1])
            """
        )
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "0\n", ""))


if __name__ == "__main__":
    unittest.main()
