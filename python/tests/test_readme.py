"""The Python examples of README.md and of the documentation run and print what they show."""

import doctest
import pathlib
import re
import unittest

import numpy as np

ROOT = pathlib.Path(__file__).resolve().parents[2]
README = ROOT / "README.md"


class Readme(unittest.TestCase):
    def test_example(self):
        # A fence ends the expected output as an empty line does.
        text = README.read_text().replace("```", "\n")
        test = doctest.DocTestParser().get_doctest(text, {}, "README.md", str(README), 0)
        self.assertGreaterEqual(len(test.examples), 2)
        said = []
        result = doctest.DocTestRunner().run(test, out=said.append)
        self.assertEqual(result.failed, 0, "".join(said))

    def test_pages(self):
        # The blocks of a page run one after another, with states of a panda.
        one, many = np.zeros(7), np.zeros((10, 7))
        for page in ("tutorials/batched-gradients.md", "tour.md", "python.md"):
            blocks = re.findall(r"```python\n(.*?)```", (ROOT / "docs" / page).read_text(), re.DOTALL)
            names = dict(q=one, v=one, a=one, Q=many, V=many, A=many)
            with self.subTest(page):
                self.assertTrue(blocks)
                exec(compile("\n".join(blocks), page, "exec"), names)


if __name__ == "__main__":
    unittest.main()
