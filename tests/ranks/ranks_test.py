"""ranks_test.py PROGRAM MPIRUN: life and the Mandelbrot set shared out among processes on the CPU backend are those of
one process, what cannot be shared is refused once with status 2, and a process that dies ends the others. bench measures
in processes what it does in one, and keeps what is done."""

import concurrent.futures
import contextlib
import json
import os
import shlex
import signal
import subprocess
import sys
import tempfile
import time
import unittest

PROGRAM, MPIRUN = sys.argv[1:3]
FIELD = ["life", "--backend", "cpu", "--map", "compact", "--storage", "bits", "--json"]
BYTES = ["life", "--backend", "cpu", "--map", "compact", "--json"]
BENCH = ["bench", "--backend", "cpu", "--map", "compact", "--storage", "bits", "--block", "1", "--max-seconds", "0.05"]
LEVELS = {"sierpinski-gasket": 11, "sierpinski-carpet": 6, "vicsek": 7, "x-fractal": 7, "h-fractal": 6, "candy": 5,
          "empty-bottles": 6, "chandelier": 8, "cantor": 15}


DWELLS = ["mandelbrot", "--backend", "cpu", "--json"]
PICTURES = {"ask": ["--size", "256x256"], "dp": ["--size", "211x157", "--method", "dp", "--g", "5"],
            "exhaustive": ["--size", "97x203", "--method", "exhaustive"],
            "double": ["--size", "128x96", "--precision", "double", "--window=-0.7565,-0.7365,0.09,0.11", "--dwell", "900"],
            "published": ["--size", "200x200", "--ideas", "none", "--g", "8"], "one region": ["--size", "60x60", "--g", "1"],
            "thin": ["--size", "300x1"], "dwells of 32 bits": ["--size", "64x48", "--dwell", "70000"]}


def together(count, *words):
    """A command that mpirun starts `count` times, with the cores shared by all: MPI else gives two of them one each."""
    root = ["--allow-run-as-root"] if os.geteuid() == 0 else []
    return [MPIRUN, *root, "--oversubscribe", "--bind-to", "none", "-n", str(count), PROGRAM, *words]


def read(file):
    with open(file, encoding="utf-8") as text:
        return json.load(text)


@contextlib.contextmanager
def session():
    """The environment of one mpirun: its session's folder is its own, since several that make a common one at once fail. Its
    name is short: sockets lie there."""
    with tempfile.TemporaryDirectory(prefix="lr", dir="/tmp", ignore_cleanup_errors=True) as folder:
        yield dict(os.environ, TMPDIR=folder)


def run(command):
    """Once more where mpirun itself crashed, as that of Debian 13 does now and then when processes end early: that says nothing of
    the program, whose status it would have returned."""
    for _ in range(3):
        with session() as environment:
            done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False, env=environment)
        if command[0] != MPIRUN or done.returncode != -signal.SIGSEGV:
            break
    return done


@contextlib.contextmanager
def started(command):
    """A command that runs meanwhile."""
    with session() as environment, subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                                                    env=environment) as runner:
        yield runner


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

    def test_bytes_are_those_of_one_process(self):
        for number, (fractal, level) in enumerate(LEVELS.items()):
            words = [*BYTES, "--fractal", fractal, "--level", str(level), "--block", "1", "--steps", "9", "--rule", "B3/S23", "--seed", "5"]
            expected = json.loads(run([PROGRAM, *words]).stdout)
            count = (2, 4)[number % 2]  # who gets which part is the same as for bits
            with self.subTest(fractal=fractal, ranks=count):
                found = state(together(count, *words))
                self.assertEqual(found["hash"], expected["hash"])
                self.assertEqual(found["population"], expected["population"])
                self.assertEqual(found["threads_active"], found["cells"])
        for words in (["--workload", "reduction", "--steps", "2"], ["--workload", "single-write", "--steps", "3"], ["--block", "4", "--steps", "9"]):
            expected = json.loads(run([PROGRAM, *BYTES, "--level", "9", *words]).stdout)
            found = state(together(3, *BYTES, "--level", "9", *words))
            with self.subTest(words=words):
                self.assertEqual({key: found[key] for key in ("hash", "population", "sum")},
                                 {key: expected[key] for key in ("hash", "population", "sum")})

    def test_other_work_and_starts(self):
        for words in (["--workload", "reduction", "--steps", "2"], ["--workload", "single-write", "--steps", "3"],
                      ["--pattern", "gasket-seven", "--level", "9", "--steps", "7"], ["--density", "0", "--steps", "4", "--rule", "B0/S8"]):
            field = FIELD if "--level" in words else [*FIELD, "--level", "9"]
            expected = json.loads(run([PROGRAM, *field, *words]).stdout)
            found = state(together(3, *field, *words))
            with self.subTest(words=words):
                self.assertEqual({key: found[key] for key in ("hash", "population", "sum")},
                                 {key: expected[key] for key in ("hash", "population", "sum")})

    def test_dwells_are_those_of_one_process(self):
        for name, words in PICTURES.items():
            words = [*DWELLS, *words, "--hash", "--check", "--divergence"]
            expected = json.loads(run([PROGRAM, *words]).stdout)
            for count in (1, 2, 4):
                done = run(together(count, *words))
                with self.subTest(picture=name, ranks=count):
                    self.assertEqual(done.returncode, 0, done.stderr)
                    found = json.loads(done.stdout)  # of the first process alone
                    self.assertEqual(found["ranks"], count)
                    for key in ("hash", "interior_pixels", "computed_pixels", "check", "divergence"):
                        self.assertEqual(found[key], expected[key], key)

    def test_files_are_those_of_one_process(self):
        with tempfile.TemporaryDirectory() as folder:
            for number, words in enumerate((["--colouring", "bands"], ["--colouring", "smooth"], ["--points", "2"])):
                files = []
                for count in (1, 3):
                    npy, png = os.path.join(folder, f"{number}-{count}.npy"), os.path.join(folder, f"{number}-{count}.png")
                    done = run(together(count, *DWELLS, "--size", "150x101", *words, "--npy", npy, "--png", png))
                    self.assertEqual(done.returncode, 0, done.stderr)
                    with open(npy, "rb") as dwells, open(png, "rb") as picture:
                        files.append((dwells.read(), picture.read()))
                with self.subTest(words=words):
                    self.assertTrue(files[0] == files[1])

    def test_the_first_process_plans_and_the_others_follow(self):
        done = run(together(2, *DWELLS, "--size", "200x200", "--automatic", "--runs", "3", "--hash"))
        self.assertEqual(done.returncode, 0, done.stderr)
        found = json.loads(done.stdout)
        self.assertEqual(found["runs"], 3)
        names = ("method",) if found["method"] == "exhaustive" else ("method", "g", "r", "b")
        cut = [word for name in names for word in (f"--{name}", str(found[name]))]
        alone = run([PROGRAM, *DWELLS, "--size", "200x200", *cut, "--hash"])
        self.assertEqual(found["hash"], json.loads(alone.stdout)["hash"])

    def refused(self, *cases):
        """Cases of a command and words that its refusal has. MPI waits for a while where a process ends early: side by side."""
        with concurrent.futures.ThreadPoolExecutor(4) as several:
            finished = list(several.map(run, (command for command, _ in cases)))
        for done, (command, words) in zip(finished, cases):
            with self.subTest(command=command):
                said = [line for line in done.stderr.splitlines() if line.startswith("fractal-loom: ")]
                self.assertEqual(done.returncode, 2, done.stderr)
                self.assertEqual(len(said), 1, done.stderr)
                self.assertIn(words, said[0])
                self.assertEqual(done.stdout, "")

    def test_what_cannot_be_shared_is_refused_once(self):
        other = together(2, *FIELD, "--level", "9")
        # Each process has its rank as seed. Two commands in one mpirun would be shorter, but crash that of Debian 13.
        other[other.index(PROGRAM):] = ["sh", "-c", f"exec {shlex.join([PROGRAM, *FIELD, '--level', '9'])} --seed $OMPI_COMM_WORLD_RANK"]
        self.refused(
            (together(2, "verify"), "'verify' runs in one process"),
            (together(3, *FIELD, "--level", "3"), "cannot be distributed over 3 partitions"),
            (together(2, "life", "--backend", "cpu", "--level", "9"), "--map compact"),
            (together(3, *BYTES, "--level", "5", "--block", "16"), "cannot be distributed over 3 partitions"),
            (together(2, *FIELD, "--level", "9", "--save", "a.loom"), "--save runs in one process"),
            (together(2, *FIELD, "--level", "nine"), "a whole number"),
            (together(2, *DWELLS, "--devices", "0,1"), "--devices is for one process"),
            (together(2, *DWELLS, "--size", "0x5"), "--size"),
            (together(2, *DWELLS, "--npy", "/nowhere/a.npy"), "/nowhere"),
            (other, "different options"))

    def test_what_goes_wrong_with_the_first_is_said_once(self):
        done = run(together(2, *DWELLS, "--size", "64x64", "--npy", "/dev/full"))
        said = [line for line in done.stderr.splitlines() if line.startswith("fractal-loom: ")]
        self.assertEqual(len(said), 1, done.stderr)
        self.assertIn("/dev/full", said[0])
        self.assertEqual(done.returncode, 3, done.stderr)
        self.assertEqual(json.loads(done.stdout)["ranks"], 2)

    def test_bench_measures_together(self):
        with tempfile.TemporaryDirectory() as folder:
            files = {count: os.path.join(folder, f"{count}.json") for count in (1, 2, 4)}
            words = [*BENCH, "--level", "9,10"]
            found = {1: run([PROGRAM, *words, "--clock", "wall", "--out", files[1]])}
            for count in (2, 4):
                found[count] = run(together(count, *words, "--out", files[count]))
            for count, done in found.items():
                with self.subTest(ranks=count):
                    self.assertEqual(done.returncode, 0, done.stderr)
                    self.assertEqual(done.stdout.count("results: "), 1, done.stdout)  # of the first process alone
                    results = read(files[count])
                    self.assertTrue(results["complete"])
                    self.assertEqual(results["settings"].get("ranks", 1), count)
                    self.assertEqual(results["settings"]["clock"], "wall")
                    self.assertEqual([one["level"] for one in results["configurations"]], [9, 10])
                    for one in results["configurations"]:
                        self.assertEqual(one.get("devices", 1), count)
                        self.assertGreater(one["step_ms"]["median"], 0)
                        self.assertEqual(one["threads_active"], {9: 27, 10: 81}[one["level"]])
            figure = os.path.join(folder, "scaling.svg")
            drawn = run([PROGRAM, "plot", *files.values(), "--kind", "scaling", "--out", figure, "--json"])
            self.assertEqual(drawn.returncode, 0, drawn.stderr)
            self.assertEqual(json.loads(drawn.stdout)["panels"], 2)
            merged = run([PROGRAM, "bench", "--merge", files[1], files[2], "--out", os.path.join(folder, "m.json")])
            self.assertEqual(merged.returncode, 2)
            self.assertIn("settings.ranks: none and 2", merged.stderr)

    def test_bench_goes_on_together(self):
        with tempfile.TemporaryDirectory() as folder:
            out = os.path.join(folder, "a.json")
            words = [*BENCH, "--level", "9..11", "--out", out]
            whole = run(together(2, *words))
            self.assertEqual(whole.returncode, 0, whole.stderr)
            results = read(out)
            first = results["configurations"][0]
            results.update(complete=False, configurations=[first])
            with open(out, "w", encoding="utf-8") as file:
                json.dump(results, file)
            again = run(together(2, *words, "--resume"))
            self.assertEqual(again.returncode, 0, again.stderr)
            after = read(out)
            self.assertTrue(after["complete"])
            self.assertEqual(after["configurations"][0], first)
            self.assertEqual(len(after["configurations"]), 3)

    def test_what_bench_cannot_share_is_refused_once(self):
        self.refused(
            (together(2, *BENCH, "--level", "9", "--devices", "2"), "--devices is for one process"),
            (together(2, *BENCH, "--level", "9", "--device-list", "all"), "--device-list is for one process"),
            (together(2, "bench", "--backend", "cpu", "--map", "lambda", "--level", "9", "--block", "1"), "--map compact"),
            (together(3, *BENCH, "--level", "1"), "cannot be distributed over 3 partitions"),
            (together(2, "bench", "--size", "64"), "Mandelbrot sweeps run in one process"),
            (together(2, "bench", "--merge", "a.json", "b.json"), "--merge runs in one process"),
            (together(2, *BENCH, "--level", "9", "--out", "/nowhere/a.json"), "folder /nowhere does not exist"),
            (together(2, *BENCH, "--level", "9", "--clock", "engine"), "allowed here: wall"))

    def test_bench_keeps_what_is_done_when_a_process_dies(self):
        with tempfile.TemporaryDirectory() as folder:
            out = os.path.join(folder, "a.json")
            command = together(2, *BENCH, "--level", "9,10", "--repeats", "1000", "--out", out)
            with started(command) as runner:
                ranks = self.ranks_of(runner)
                end = time.monotonic() + 60
                done = 0
                while done == 0 and time.monotonic() < end:
                    time.sleep(0.2)
                    if os.path.exists(out):
                        done = len(read(out)["configurations"])
                os.kill(ranks[1], signal.SIGKILL)
                begin = time.monotonic()
                said, err = runner.communicate(timeout=60)
                self.assertLess(time.monotonic() - begin, 10)
                self.assertNotEqual(runner.returncode, 0)
                self.assertIn("rank 1", err.lower())
            kept = read(out)
            self.assertGreaterEqual(len(kept["configurations"]), max(done, 1))
            self.assertFalse(kept["complete"])
            # On a busy machine the second between mpirun's SIGTERM and SIGKILL may not suffice to say so.
            self.assertEqual(kept["interrupted"], "interrupted: " in said)

    def ranks_of(self, runner):
        """The processes of an mpirun with two, in their order."""
        end = time.monotonic() + 60
        ranks = []
        while len(ranks) < 2 and time.monotonic() < end:
            time.sleep(0.2)
            listed = subprocess.run(["ps", "-o", "pid=,args=", "--ppid", str(runner.pid)], capture_output=True, text=True,
                                    check=False).stdout
            ranks = [int(line.split()[0]) for line in listed.splitlines() if PROGRAM in line]
        self.assertEqual(len(ranks), 2)
        return ranks

    def wait_until_at_work(self, ranks):
        """Until each has used more time of a processor than it takes to begin."""
        def seconds(process):
            with open(f"/proc/{process}/stat", encoding="utf-8") as stat:
                fields = stat.read().rpartition(")")[2].split()
            return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

        end = time.monotonic() + 60
        while not all(seconds(process) >= 1.5 for process in ranks) and time.monotonic() < end:
            time.sleep(0.05)

    def test_a_process_that_dies_ends_the_others(self):
        for words in ([*FIELD, "--level", "13", "--steps", "100000000"],
                      [*DWELLS, "--size", "2048x2048", "--runs", "100000", "--ideas", "none"]):
            with self.subTest(words=words):
                self.ends_the_others(words)

    def ends_the_others(self, words):
        command = together(2, *words)
        with started(command) as runner:
            ranks = self.ranks_of(runner)
            self.wait_until_at_work(ranks)
            os.kill(ranks[1], signal.SIGKILL)
            begin = time.monotonic()
            out, err = runner.communicate(timeout=60)
            self.assertLess(time.monotonic() - begin, 10)
            self.assertNotEqual(runner.returncode, 0)
            self.assertIn("rank 1", err.lower())
            self.assertEqual(out, "")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
