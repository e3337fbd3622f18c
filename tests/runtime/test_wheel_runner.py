import builtins
import sys
import tempfile
import unittest
from pathlib import Path

from fakes import runtime_load


class WheelRunner(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        package = Path(folder.name) / "lhp_packed"
        package.mkdir()
        (package / "__init__.py").write_text("seen = []\n")
        for name in ("b", "a"):
            (package / f"{name}.py").write_text(f"import lhp_packed\nlhp_packed.seen.append(('{name}', spark))\n")
        sys.path.insert(0, folder.name)
        self.addCleanup(sys.path.remove, folder.name)
        for name in ("spark", "dbutils"):
            self.addCleanup(lambda gone: vars(builtins).pop(gone, None), name)

    def test_imports_every_module_with_what_a_notebook_has(self):
        runtime_load("wheel_runner.py", PACKAGE="lhp_packed", spark="session")
        self.assertEqual(sys.modules["lhp_packed"].seen, [("a", "session"), ("b", "session")])
        self.assertFalse(hasattr(builtins, "dbutils"))


if __name__ == "__main__":
    unittest.main()
