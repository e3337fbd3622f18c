"""A project in a folder of its own, and lhp (the program that LHP names) run in it."""

import os
import subprocess
import tempfile
import unittest
from pathlib import Path


class ProjectTest(unittest.TestCase):
    def setUp(self):
        self.root = self.folder()

    def folder(self):
        made = tempfile.TemporaryDirectory()
        self.addCleanup(made.cleanup)
        return Path(made.name)

    def write(self, files, root=None):
        for path, text in files.items():
            file = (root or self.root) / path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text)

    def lhp(self, *words, root=None, status=0):
        done = subprocess.run([os.environ["LHP"], *words], cwd=root or self.root, text=True, capture_output=True)
        self.assertEqual(done.returncode, status, done.stdout + done.stderr)
        return done.stdout
