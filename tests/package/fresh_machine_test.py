"""scripts/fresh_machine.sh where debootstrap cannot be had: it says that it is skipped, and why, and fails nothing."""

import os
import subprocess
import sys
import tempfile
import unittest

SCRIPT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "scripts", "fresh_machine.sh")


class FreshMachine(unittest.TestCase):
    def run_with(self, **programs):
        """The script as root sees it, with these programs before all others."""
        with tempfile.TemporaryDirectory() as folder:
            for name, body in dict({"id": "echo 0"}, **programs).items():
                file = os.path.join(folder, name.replace("_", "-"))
                with open(file, "w", encoding="utf-8") as out:
                    out.write(f"#!/bin/sh\n{body}\n")
                os.chmod(file, 0o755)
            return subprocess.run([SCRIPT, "--first"], env=dict(os.environ, PATH=folder + ":" + os.environ["PATH"]), capture_output=True, text=True,
                                  timeout=60, check=False)

    def test_skips_where_apt_cannot_install_debootstrap(self):
        for apt in ("exit 100", 'case "$*" in *install*) exit 100 ;; esac'):
            done = self.run_with(dpkg_query="exit 1", apt_get=apt, sudo='exec "$@"')
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertIn("skipped: apt-get cannot install debootstrap here", done.stdout + done.stderr)

    def test_skips_who_is_not_root(self):
        done = self.run_with(id="echo 1000")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("skipped: it needs root", done.stdout + done.stderr)


if __name__ == "__main__":
    unittest.main()
