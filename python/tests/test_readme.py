"""The Python example of README.md prints what it shows."""

import doctest
import pathlib
import unittest

README = pathlib.Path(__file__).resolve().parents[2] / "README.md"


class Readme(unittest.TestCase):
    def test_example(self):
        # A fence ends the expected output as an empty line does.
        text = README.read_text().replace("```", "\n")
        test = doctest.DocTestParser().get_doctest(text, {}, "README.md", str(README), 0)
        self.assertGreaterEqual(len(test.examples), 2)
        said = []
        result = doctest.DocTestRunner().run(test, out=said.append)
        self.assertEqual(result.failed, 0, "".join(said))


if __name__ == "__main__":
    unittest.main()
