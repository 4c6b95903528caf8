"""What `fractal-loom export` writes: programs whose state hash is that of `fractal-loom life`, and a header library that a
project outside of the tree uses."""

import argparse
import concurrent.futures
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

import programs
from programs import run

options = None
WARNINGS = ["-Wall", "-Wextra", "-pedantic", "-Wno-unknown-pragmas", "-Werror"]


class Test(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)

    def succeed(self, *words, **more):
        done = run(*words, **more)
        self.assertEqual(done.returncode, 0, f"{words}\n{done.stdout[-4000:]}\n{done.stderr[-4000:]}")
        return done.stdout


class Programs(Test):
    def test_every_fractal_and_map_has_the_hash_of_life(self):
        def checked(number):
            folder = self.folder / str(number)
            folder.mkdir()
            own = all_choices[number::4]
            texts = [programs.exported(options.program, choice, "cpp", folder) for choice in own]
            (folder / "all.cpp").write_text(programs.joined(texts))
            self.succeed("g++", "-std=c++17", "-O0", *WARNINGS, folder / "all.cpp", "-o", folder / "all")
            hashes = programs.hashes(self.succeed(folder / "all"))
            self.assertEqual(len(hashes), len(own))
            for choice, hash in zip(own, hashes):
                self.assertEqual(hash, programs.computed(options.program, choice, "--backend", "cpu")["hash"], " ".join(choice))
            return len(own)

        all_choices = programs.choices(options.program)
        self.assertGreaterEqual(len(all_choices), 24 * 5)
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            self.assertEqual(sum(pool.map(checked, range(4))), len(all_choices))

    def test_threads_of_the_cpu_compute_the_contracts_hash(self):
        choice = "--fractal sierpinski-gasket --level 8 --map compact --rule B2/S23 --seed 1 --density 0.5 --steps 100".split()
        text = programs.exported(options.program, choice, "cpp", self.folder)
        self.assertEqual(text, programs.exported(options.program, choice, "cpp", self.folder))
        (self.folder / "life.cpp").write_text(text)
        self.succeed("g++", "-std=c++17", "-O2", "-fopenmp", self.folder / "life.cpp", "-o", self.folder / "life")
        self.assertEqual(programs.hashes(self.succeed(self.folder / "life")), ["2e269e30ff0b89dd"])
        self.assertEqual(programs.hashes(self.succeed(self.folder / "life", 0)),
                         [programs.computed(options.program, choice[:-1] + ["0"], "--backend", "cpu")["hash"]])
        for part in ("Permission is hereby granted", "[lambda-2020]", "sum over"):
            self.assertIn(part, text)
        for other in ("class SolidFractal", "struct LargeRule", "turned_lambda_map(", "catalog"):
            self.assertNotIn(other, text)

    def test_a_custom_fractal_keeps_its_name_and_its_cells(self):
        file = self.folder / "own.toml"
        file.write_text('name = "a \\"b\\" \\\\ @level@ ??/"\nlevels = ["vicsek", { s_x = 2, s_y = 2, offsets = [[0, 0], [1, 1]], orientations = ["r90", "id"] }]\n')
        choice = ["--fractal-file", str(file), "--level", "5", "--map", "compact"]
        (self.folder / "life.cpp").write_text(programs.exported(options.program, choice, "cpp", self.folder))
        self.succeed("g++", "-std=c++17", "-O1", *WARNINGS, self.folder / "life.cpp", "-o", self.folder / "life")
        self.assertEqual(programs.hashes(self.succeed(self.folder / "life")),
                         [programs.computed(options.program, choice, "--backend", "cpu")["hash"]])

    def test_nvcc_compiles_them(self):
        nvcc = shutil.which("nvcc") or "/usr/local/cuda/bin/nvcc"
        if not os.path.exists(nvcc):
            self.skipTest("nvcc is not there")
        sample = programs.choices(options.program)[::17]
        texts = [programs.exported(options.program, choice, "cuda", self.folder) for choice in sample]
        (self.folder / "all.cu").write_text(programs.joined(texts))
        self.succeed(nvcc, "-O3", "-Werror", "all-warnings", "-c", self.folder / "all.cu", "-o", self.folder / "all.o")

    def test_bad_input_is_one_line_that_says_what_is_allowed(self):
        out = ["--cuda", str(self.folder / "a.cu")]
        for words, allowed in [
                ([], "--cuda FILE, --cpp FILE or --headers FOLDER"),
                ([*out, "--map", "lambda", "--arithmetic", "shuffle"], "loop, table"),
                ([*out, "--map", "compact", "--arithmetic", "tensor"], "loop, table"),
                ([*out, "--workload", "reduction"], "life"),
                ([*out, "--map", "compact", "--storage", "bits"], "bytes"),
                ([*out, "--block", "4", "--tiles", "3"], "--tiles 1"),
                ([*out, "--rule", "Bugs", "--counting", "sums"], "--counting direct"),
                ([*out, "--level", "30"], "allowed: 0 to"),
                ([*out, "--fractal", "carpet-vicsek", "--level", "99"], "allowed: 0 to"),
                ([*out, "--fractal", "menger-sponge", "--level", "12", "--map", "lambda"], "allowed: 0 to"),
                ([*out, "--steps", "-1"], "0 to"),
                (["--cuda", str(self.folder / "no" / "a.cu")], "folder"),
                (["--headers", "/proc/headers"], "folder"),
                (["--headers", str(self.folder), "--level", "4"], "with --cuda or --cpp"),
                ([*out, "--cpp", out[1]], "two files")]:
            done = run(options.program, "export", *words)
            self.assertEqual((done.returncode, done.stdout), (2, ""), words)
            self.assertEqual(done.stderr.count("\n"), 1, done.stderr)
            self.assertIn(allowed, done.stderr)
        self.assertEqual(list(self.folder.iterdir()), [])


class Library(Test):
    @classmethod
    def setUpClass(cls):
        cls.prefix = pathlib.Path(tempfile.mkdtemp())
        cls.addClassCleanup(shutil.rmtree, cls.prefix)
        done = run("cmake", "--install", options.build, "--prefix", cls.prefix)
        assert done.returncode == 0, done.stderr
        cls.headers = cls.prefix / "include/fractal_maps"

    def test_each_header_is_complete_and_needs_no_library(self):
        standard = re.compile(r"^#include (<[a-z_]+>|\"fractal_maps/[a-z_]+\.h\")$")
        for header in sorted(self.headers.iterdir()):
            for line in header.read_text().splitlines():
                if line.startswith("#include"):
                    self.assertRegex(line, standard, header.name)
        sources = self.folder / "each.cpp"
        for header in sorted(self.headers.iterdir()):
            sources.write_text(f"#include <fractal_maps/{header.name}>\n#include <fractal_maps/{header.name}>\n")
            self.succeed("g++", "-std=c++17", *WARNINGS, "-fsyntax-only", "-I", self.prefix / "include", sources)

    def test_the_page_s_example_finds_the_package_and_runs(self):
        page = (pathlib.Path(options.source) / "docs/how-to/use-a-map-in-your-code.md").read_text()
        blocks = dict(re.findall(r"```(cmake|cpp|text)\n(.*?)```", page, re.DOTALL))
        project = self.folder / "project"
        project.mkdir()
        (project / "CMakeLists.txt").write_text(blocks["cmake"])
        (project / "sum.cpp").write_text(blocks["cpp"])
        self.assertLessEqual(len(blocks["cpp"].splitlines()), 24)
        self.succeed("cmake", "-S", project, "-B", project / "build", f"-DCMAKE_PREFIX_PATH={self.prefix}")
        self.succeed("cmake", "--build", project / "build")
        self.assertEqual(self.succeed(project / "build/sum"), blocks["text"])

    def test_the_installed_headers_are_those_that_export_writes(self):
        self.succeed(options.program, "export", "--headers", self.folder)
        for header in self.headers.iterdir():
            self.assertEqual(header.read_text(), (self.folder / "fractal_maps" / header.name).read_text())


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--program", required=True)
    parser.add_argument("--build", required=True)
    parser.add_argument("--source", required=True)
    options, rest = parser.parse_known_args()
    unittest.main(argv=[sys.argv[0], *rest], verbosity=2)
