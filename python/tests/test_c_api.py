"""The C API, called through ctypes."""

import ctypes
import os
import re
import unittest
from ctypes import POINTER, c_char_p, c_double, c_float, c_int, c_size_t, c_void_p
from pathlib import Path

import numpy as np

import parid

LIBRARY = os.environ.get("PARID_LIBRARY")
HEADER = Path(__file__).parents[2] / "include" / "parid" / "parid.h"


def pointer(x, kind=c_double):
    return x.ctypes.data_as(POINTER(kind))


@unittest.skipUnless(LIBRARY, "PARID_LIBRARY does not name libparid.so")
class CApi(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.c = ctypes.CDLL(LIBRARY)
        cls.c.parid_load.restype = c_void_p
        cls.c.parid_load.argtypes = [c_char_p]
        cls.c.parid_load_abi.restype = c_void_p
        cls.c.parid_load_abi.argtypes = [c_char_p, c_int, c_int]
        cls.c.parid_last_error.restype = c_char_p
        cls.c.parid_version.restype = c_char_p
        cls.c.parid_velocity_name.restype = c_char_p
        cls.c.parid_velocity_name.argtypes = [c_void_p, c_int]
        cls.c.parid_engine_new.restype = c_void_p
        cls.c.parid_engine_new.argtypes = [c_void_p, c_int]
        for name in ("parid_free", "parid_engine_free", "parid_nv", "parid_prepare", "parid_tip"):
            getattr(cls.c, name).argtypes = [c_void_p]
        cls.c.parid_inverse_dynamics.argtypes = [c_void_p] + 4 * [POINTER(c_double)]
        cls.c.parid_jacobian.argtypes = [c_void_p, POINTER(c_double), c_int, POINTER(c_double)]
        cls.c.parid_engine_rows_float.argtypes = [c_void_p, c_char_p, c_char_p, c_size_t, c_void_p,
                                                  c_void_p]

    def test_every_function_of_the_header_is_there(self):
        text = re.sub(r"/\*.*?\*/", "", HEADER.read_text(), flags=re.DOTALL)
        names = set(re.findall(r"\b(parid_[a-z_]+)\s*\(", text))
        self.assertGreater(len(names), 40)
        for name in names:
            self.assertTrue(hasattr(self.c, name), name)

    def test_every_function_is_documented_as_real_time_safe_or_not(self):
        # A declaration's own comment, or the nearest one above it that speaks of real time.
        marks = 0
        said = None
        pattern = r"/\*.*?\*/|^PARID_EXPORT (?:[a-z][\w ]*?[\s*]+)parid_\w+\([^;]*;[^\n]*"
        for part in re.findall(pattern, HEADER.read_text().split("extern \"C\" {\n#endif", 1)[1],
                               re.DOTALL | re.MULTILINE):
            mark = re.search(r"\[(not RT|RT prepared|RT)\]", part)
            if part.startswith("/*"):
                if "----" in part:
                    said = None
                said = mark or said
            else:
                marks += 1
                self.assertTrue(mark or said, part)
        self.assertGreater(marks, 40)

    def test_a_robot(self):
        self.assertEqual(self.c.parid_version().decode(), parid.__version__)
        arm = self.c.parid_load(b"panda")
        r = parid.load("panda")
        self.assertEqual(self.c.parid_nv(arm), 7)
        self.assertEqual(self.c.parid_velocity_name(arm, 2).decode(), r.velocity_names[2])
        self.assertEqual(self.c.parid_prepare(arm), 0)
        q, v, a = np.random.default_rng(1).uniform(-1, 1, (3, 7))
        tau, J = np.empty(7), np.empty((6, 7))
        self.assertEqual(self.c.parid_inverse_dynamics(arm, pointer(q), pointer(v), pointer(a),
                                                       pointer(tau)), 0)
        np.testing.assert_array_equal(tau, r.inverse_dynamics(q, v, a))
        self.assertEqual(self.c.parid_jacobian(arm, pointer(q), self.c.parid_tip(arm), pointer(J)),
                         0)
        np.testing.assert_array_equal(J, r.jacobian(q))
        rows = [np.random.default_rng(k).uniform(-1, 1, (100, 7)).astype(np.float32)
                for k in range(3)]
        out = np.empty((100, 7), np.float32)
        engine = self.c.parid_engine_new(arm, 2)
        inputs = (POINTER(c_float) * 3)(*(pointer(x, c_float) for x in rows))
        outputs = (POINTER(c_float) * 1)(pointer(out, c_float))
        self.assertEqual(self.c.parid_engine_rows_float(engine, b"inverse", None, 100, inputs,
                                                        outputs), 0)
        np.testing.assert_array_equal(out, r.inverse_dynamics(*rows))
        self.c.parid_engine_free(engine)
        self.c.parid_free(arm)

    def test_mistakes(self):
        self.assertIsNone(self.c.parid_load(b"pandda"))
        self.assertIn(b"did you mean 'panda'?", self.c.parid_last_error())
        self.assertIsNone(self.c.parid_load_abi(b"panda", self.c.parid_abi_version() + 1, 0))
        self.assertIn(b"ABI", self.c.parid_last_error())


if __name__ == "__main__":
    unittest.main()
