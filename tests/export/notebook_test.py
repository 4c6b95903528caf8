"""Executes the notebooks of docs/notebooks with the program that was built: notebook_test.py PROGRAM FOLDER

Each cell must run without an error. Skipped where jupyter or matplotlib is not installed."""

import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

SKIPPED = 77


def main():
    program, folder = sys.argv[1:]
    # Debian's packages are for its own interpreter, which may not be the first in PATH.
    python = "/usr/bin/python3"
    found = subprocess.run([python, "-c", "import matplotlib, nbconvert, ipykernel, numpy"], capture_output=True, text=True)
    if found.returncode != 0:
        print(f"skipped: {found.stderr.strip().splitlines()[-1]} (packages jupyter-nbconvert, python3-ipykernel, python3-matplotlib)")
        return SKIPPED
    place = tempfile.mkdtemp()
    try:
        for notebook in sorted(pathlib.Path(folder).glob("*.ipynb")):
            environment = dict(os.environ, FRACTAL_LOOM=program, MPLBACKEND="agg", HOME=place, JUPYTER_PATH="/usr/share/jupyter")
            environment["PATH"] = "/usr/bin:/bin"
            done = subprocess.run([python, "-m", "nbconvert", "--to", "notebook", "--execute", "--output-dir", place, notebook],
                                  capture_output=True, text=True, env=environment)
            if done.returncode != 0:
                print(f"{notebook}\n{done.stderr[-4000:]}")
                return 1
            print(f"{notebook}: executed")
    finally:
        shutil.rmtree(place)
    return 0


if __name__ == "__main__":
    sys.exit(main())
