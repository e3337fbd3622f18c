"""What holds for every file of the runtime."""

import ast
import unittest

from fakes import RUNTIME


def functions(tree):
    return [node for node in ast.walk(tree) if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))]


def untyped(function):
    """The parameters without annotation, and `return` when the result has none."""
    given = function.args.posonlyargs + function.args.args + function.args.kwonlyargs
    missing = [one.arg for one in given if one.annotation is None and one.arg != "self"]
    return missing + ([] if function.returns is not None else ["return"])


class Runtime(unittest.TestCase):
    def setUp(self):
        self.texts = {file.name: file.read_text() for file in sorted(RUNTIME.glob("*.py"))}
        self.trees = {name: ast.parse(text, feature_version=(3, 11)) for name, text in self.texts.items()}

    def test_every_function_is_typed(self):
        bare = {
            f"{name}: {function.name}": untyped(function)
            for name, tree in self.trees.items()
            for function in functions(tree)
            if untyped(function)
        }
        self.assertEqual(bare, {})

    def test_the_head_says_what_wrote_it(self):
        for name, text in self.texts.items():
            self.assertIn("@VERSION@", "\n".join(text.splitlines()[:5]), name)

    def test_functions_are_short(self):
        for name, tree in self.trees.items():
            for function in functions(tree):
                self.assertLess(function.end_lineno - function.lineno, 40, f"{name}: {function.name}")


if __name__ == "__main__":
    unittest.main()
