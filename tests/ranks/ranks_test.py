"""ranks_test.py PROGRAM MPIRUN: life shared out among processes on the CPU backend is life in one process, what
cannot be shared is refused once with status 2, and a process that dies ends the others."""

import json
import os
import signal
import subprocess
import sys
import time
import unittest

PROGRAM, MPIRUN = sys.argv[1:3]
FIELD = ["life", "--backend", "cpu", "--map", "compact", "--storage", "bits", "--json"]
LEVELS = {"sierpinski-gasket": 11, "sierpinski-carpet": 6, "vicsek": 7, "x-fractal": 7, "h-fractal": 6, "candy": 5,
          "empty-bottles": 6, "chandelier": 8, "cantor": 15}


def together(count, *words):
    """A command that mpirun starts `count` times."""
    root = ["--allow-run-as-root"] if os.geteuid() == 0 else []
    return [MPIRUN, *root, "--oversubscribe", "-n", str(count), PROGRAM, *words]


def run(command):
    return subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)


def state(command):
    done = run(command)
    assert done.returncode == 0, done.stderr
    result = json.loads(done.stdout)  # of the first process alone
    return {key: result[key] for key in ("population", "hash", "cells", "generation", "threads_active", "sum")}


class Ranks(unittest.TestCase):
    def test_cells_are_those_of_one_process(self):
        for fractal, level in LEVELS.items():
            words = [*FIELD, "--fractal", fractal, "--level", str(level), "--steps", "9", "--rule", "B3/S23", "--seed", "5"]
            alone = run([PROGRAM, *words])
            expected = json.loads(alone.stdout)
            for count in (2, 4):
                with self.subTest(fractal=fractal, ranks=count):
                    found = state(together(count, *words))
                    self.assertEqual(found["hash"], expected["hash"])
                    self.assertEqual(found["population"], expected["population"])

    def test_other_work_and_starts(self):
        for words in (["--workload", "reduction", "--steps", "2"], ["--workload", "single-write", "--steps", "3"],
                      ["--pattern", "gasket-seven", "--level", "9", "--steps", "7"], ["--density", "0", "--steps", "4", "--rule", "B0/S8"]):
            field = FIELD if "--level" in words else [*FIELD, "--level", "9"]
            expected = json.loads(run([PROGRAM, *field, *words]).stdout)
            found = state(together(3, *field, *words))
            with self.subTest(words=words):
                self.assertEqual({key: found[key] for key in ("hash", "population", "sum")},
                                 {key: expected[key] for key in ("hash", "population", "sum")})

    def refused(self, command, words):
        done = run(command)
        said = [line for line in done.stderr.splitlines() if line.startswith("fractal-loom: ")]
        self.assertEqual(done.returncode, 2, done.stderr)
        self.assertEqual(len(said), 1, done.stderr)
        self.assertIn(words, said[0])
        self.assertEqual(done.stdout, "")

    def test_what_cannot_be_shared_is_refused_once(self):
        self.refused(together(2, "verify"), "'verify' runs in one process")
        self.refused(together(3, *FIELD, "--level", "3"), "cannot be dealt to 3 parts")
        self.refused(together(2, "life", "--backend", "cpu", "--level", "9"), "--map compact --storage bits")
        self.refused(together(2, *FIELD, "--level", "9", "--save", "a.loom"), "--save is for one process")
        self.refused(together(2, *FIELD, "--level", "nine"), "a whole number")
        other = together(1, *FIELD, "--level", "9") + [":", "-n", "1", PROGRAM, *FIELD, "--level", "9", "--seed", "3"]
        self.refused(other, "different options")

    def test_a_process_that_dies_ends_the_others(self):
        command = together(2, *FIELD, "--level", "13", "--steps", "100000000")
        with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as runner:
            end = time.monotonic() + 60
            ranks = []
            while len(ranks) < 2 and time.monotonic() < end:
                time.sleep(0.2)
                listed = subprocess.run(["ps", "-o", "pid=,args=", "--ppid", str(runner.pid)], capture_output=True, text=True,
                                        check=False).stdout
                ranks = [int(line.split()[0]) for line in listed.splitlines() if PROGRAM in line]
            self.assertEqual(len(ranks), 2)
            time.sleep(2)
            os.kill(ranks[1], signal.SIGKILL)
            begin = time.monotonic()
            out, err = runner.communicate(timeout=60)
            self.assertLess(time.monotonic() - begin, 10)
            self.assertNotEqual(runner.returncode, 0)
            self.assertIn("rank 1", err.lower())
            self.assertEqual(out, "")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
