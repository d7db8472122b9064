"""Every example of a docstring, run."""

import doctest
import inspect
import unittest

import numpy as np

import parid
import parid._robot


def documented():
    """(name, text) of everything public that has a docstring, methods of compiled classes too."""
    yield "parid", parid.__doc__
    for name in parid.__all__:
        thing = getattr(parid, name)
        if not (inspect.isclass(thing) or callable(thing)):
            continue
        yield name, thing.__doc__
        if not inspect.isclass(thing):
            continue
        for part in dir(thing):
            if not part.startswith("_") and not hasattr(tuple, part):
                yield f"{name}.{part}", getattr(thing, part).__doc__


class Examples(unittest.TestCase):
    def test_all(self):
        parser, runner = doctest.DocTestParser(), doctest.DocTestRunner()
        seen, examples = set(), 0
        for name, text in documented():
            if not text or text in seen:
                continue
            seen.add(text)
            test = parser.get_doctest(text, {"parid": parid, "np": np}, name, None, 0)
            examples += len(test.examples)
            said = []
            with self.subTest(name):
                self.assertEqual(runner.run(test, out=said.append).failed, 0, "".join(said))
        self.assertGreater(examples, 100)

    def test_every_method_of_a_robot_is_explained(self):
        for name in dir(parid.Robot):
            thing = getattr(parid.Robot, name)
            if not name.startswith("_") and callable(thing):
                with self.subTest(name):
                    self.assertTrue(thing.__doc__, name)

    def test_signatures_can_be_read(self):
        signature = inspect.signature(parid.Robot.inverse_dynamics)
        self.assertEqual(list(signature.parameters), ["self", "q", "v", "a", "out", "threads", "parameters", "gravity",
                          "base_motion", "wrenches"])


if __name__ == "__main__":
    unittest.main()
