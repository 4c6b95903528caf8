"""Packs the program that was built, looks at the package with Debian's own tools, unpacks it into an empty root and
runs it from there. And configures with CUDA toolkits that cannot build the program: they are named, and it is built
for the CPU alone."""

import argparse
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

options = None


def run(*words, **more):
    return subprocess.run(words, capture_output=True, text=True, **more)


class Package(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = pathlib.Path(tempfile.mkdtemp())
        done = run("cpack", "--config", f"{options.build}/CPackConfig.cmake", "-G", "DEB", "-B", cls.folder / "pack")
        assert done.returncode == 0, done.stdout + done.stderr
        (cls.package,) = (cls.folder / "pack").glob("*.deb")
        cls.root = cls.folder / "root"
        subprocess.run(["dpkg-deb", "-x", cls.package, cls.root], check=True)
        cls.program = cls.root / "usr/bin/fractal-loom"

    @classmethod
    def tearDownClass(cls):
        shutil.rmtree(cls.folder)

    def start(self, *words):
        """Runs the unpacked program, which finds nothing of the source tree and no home."""
        return run(self.program, *words, cwd=self.folder, env={"PATH": "/usr/bin:/bin", "HOME": str(self.folder)})

    def test_the_unpacked_program_runs(self):
        self.assertEqual(self.start("--version").stdout.split()[0], "fractal-loom")
        life = self.start("life", "--backend", "cpu", "--level", "4", "--steps", "3")
        self.assertEqual((life.returncode, life.stderr), (0, ""))
        self.assertIn("hash", life.stdout)
        self.assertIn("sierpinski-gasket", self.start("lesson", "--list").stdout + life.stdout)
        notices = self.start("info", "--licenses")
        self.assertIn("Bitstream", notices.stdout)

    def test_it_is_small_enough(self):
        self.assertLess(self.program.stat().st_size, 40 * 1024 * 1024)

    def test_it_depends_on_the_packages_that_it_links(self):
        depends = run("dpkg-deb", "-f", self.package, "Depends").stdout
        for package in ("libc6", "libstdc++6", "libglfw3", "libgl1", "libpng16", "libcairo2", "libmd4c0", "libmpfr6", "libgmp10"):
            self.assertIn(package, depends)
        self.assertNotIn("cudart", depends)

    def test_lintian_finds_no_error(self):
        if not shutil.which("lintian"):
            self.skipTest("lintian is not there")
        done = run("lintian", "--fail-on", "error", self.package)
        self.assertEqual(done.returncode, 0, done.stdout)

    def test_the_desktop_finds_what_it_needs(self):
        share = self.root / "usr/share"
        (entry,) = (share / "applications").glob("*.desktop")
        if shutil.which("desktop-file-validate"):
            done = run("desktop-file-validate", entry)
            self.assertEqual((done.returncode, done.stdout), (0, ""))
        (about,) = (share / "metainfo").glob("*.xml")
        if shutil.which("appstreamcli"):
            done = run("appstreamcli", "validate", "--no-net", about)
            # There is no homepage yet, and versions differ in whether they fail on it.
            faults = [line for line in done.stdout.splitlines() if line.startswith(("E:", "W:")) and "url-homepage-missing" not in line]
            self.assertEqual(faults, [], done.stdout)
        named = dict(line.split("=", 1) for line in entry.read_text().splitlines() if "=" in line)
        self.assertTrue((share / f"icons/hicolor/scalable/apps/{named['Icon']}.svg").is_file())
        (kind,) = (share / "mime/packages").glob("*.xml")
        for media_type in named["MimeType"].strip(";").split(";"):
            if not media_type.startswith("image/"):  # every desktop knows those
                self.assertIn(f'type="{media_type}"', kind.read_text())

    def test_every_command_has_a_page_that_man_can_lay_out(self):
        pages = self.root / "usr/share/man/man1"
        listed = self.start("--help").stdout.split("Subcommands:")[1]
        commands = [line.split()[0] for line in listed.splitlines() if line.startswith("  ") and line[2] != " "]
        self.assertGreater(len(commands), 10)
        for name in ["fractal-loom"] + [f"fractal-loom-{command}" for command in commands]:
            page = pages / f"{name}.1.gz"
            self.assertTrue(page.is_file(), name)
            if shutil.which("groff"):
                roff = run("gzip", "-dc", page).stdout
                laid_out = run("groff", "-man", "-Tutf8", "-wall", input=roff)
                self.assertEqual((laid_out.returncode, laid_out.stderr), (0, ""), name)

    def complete(self, *words):
        """What bash offers for the last of these words."""
        script = self.root / "usr/share/bash-completion/completions/fractal-loom"
        return run("bash", "-c", 'source "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); compopt() { :; }; '
                   '_fractal_loom; printf "%s\\n" "${COMPREPLY[@]}"', "bash", script, *words).stdout.split()

    def test_bash_completes_commands_options_and_values(self):
        self.assertEqual(self.complete("fractal-loom", "li"), ["life"])
        self.assertIn("--storage", self.complete("fractal-loom", "life", "--st"))
        self.assertIn("--storage", self.complete("fractal-loom", "--st"))
        self.assertEqual(self.complete("fractal-loom", "life", "--halo", "a"), ["auto"])
        self.assertEqual(self.complete("fractal-loom", "info", "--level"), [])

    def test_the_other_shells_read_their_completions(self):
        share = self.root / "usr/share"
        for shell, script in (("zsh", "zsh/vendor-completions/_fractal-loom"),
                              ("fish", "fish/vendor_completions.d/fractal-loom.fish")):
            self.assertTrue((share / script).is_file())
            if shutil.which(shell):
                done = run(shell, "-n", share / script)
                self.assertEqual((done.returncode, done.stderr), (0, ""), shell)


class Portable(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        if not shutil.which("patchelf"):
            raise unittest.SkipTest("patchelf is not there")
        cls.folder = pathlib.Path(tempfile.mkdtemp())
        cls.addClassCleanup(shutil.rmtree, cls.folder)
        for place in ("one", "two"):
            # Compressed fast: the highest takes a minute, and is smaller.
            done = run(f"{options.source}/scripts/portable.sh", options.build, cls.folder / place, env={**os.environ, "XZ_OPT": "-1"})
            assert done.returncode == 0, done.stdout + done.stderr
        (cls.archive,) = (cls.folder / "one").iterdir()
        subprocess.run(["tar", "-xf", cls.archive, "-C", cls.folder], check=True)
        (unpacked,) = cls.folder.glob("fractal-loom-*")
        cls.tree = unpacked.rename(cls.folder / 'it is "here" for $5')

    def test_two_archives_are_equal_and_small(self):
        (other,) = (self.folder / "two").iterdir()
        self.assertEqual(self.archive.read_bytes(), other.read_bytes())
        self.assertLess(self.archive.stat().st_size, 60_000_000)

    def test_it_runs_with_the_libraries_beside_it(self):
        done = run(self.tree / "fractal-loom", "life", "--backend", "cpu", "--level", "4", "--json", env={"HOME": str(self.folder), "PATH": "/usr/bin:/bin"})
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        beside = {file.name for file in (self.tree / "lib").iterdir()}
        for line in run("ldd", self.tree / "bin/fractal-loom").stdout.splitlines():
            name = line.split()[0]
            self.assertNotIn("not found", line)
            self.assertEqual(name in beside, str(self.tree) in line, line)
        for name in ("libc.so.6", "libstdc++.so.6", "libGL.so.1", "libX11.so.6", "libcuda.so.1"):
            self.assertNotIn(name, beside)

    def test_it_installs_its_desktop_entry_for_the_user(self):
        data = self.folder / "data"
        environment = {"HOME": str(self.folder), "XDG_DATA_HOME": str(data), "PATH": "/usr/bin:/bin"}
        done = run(self.tree / "fractal-loom", "--install-desktop", env=environment)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        (entry,) = (data / "applications").glob("*.desktop")
        path = str(self.tree / "fractal-loom").replace('"', '\\\\"').replace("$", "\\\\$")
        self.assertIn(f'Exec="{path}" %f\n', entry.read_text())
        if shutil.which("desktop-file-validate"):
            self.assertEqual(run("desktop-file-validate", entry).stdout, "")
        self.assertEqual(run(self.tree / "fractal-loom", "--remove-desktop", env=environment).returncode, 0)
        self.assertFalse(entry.exists())


class Toolkit(unittest.TestCase):
    def configure(self, nvcc):
        """Configures anew with this as the toolkit's compiler, a script; returns what CMake says."""
        with tempfile.TemporaryDirectory() as folder:
            compiler = pathlib.Path(folder, "bin/nvcc")
            compiler.parent.mkdir()
            compiler.write_text("#!/bin/sh\n" + nvcc)
            compiler.chmod(0o755)
            done = run("cmake", "-S", options.source, "-B", f"{folder}/build", "-G", "Ninja", "-DLOOM_TESTS=OFF",
                       env={**os.environ, "CUDACXX": str(compiler)})
            said = " ".join((done.stdout + done.stderr).split())
            self.assertEqual(done.returncode, 0, said)
            self.assertIn("CUDA backend off", said)
            return said

    def test_one_that_is_too_old_is_named(self):
        said = self.configure('echo "Cuda compilation tools, release 11.4, V11.4.120"\n')
        self.assertIn("CUDA 11.4", said)
        self.assertIn("12.0 or newer", said)

    def test_one_that_refuses_the_host_compiler_is_named(self):
        said = self.configure('case "$*" in *--version*) echo "Cuda compilation tools, release 12.4, V12.4.131";;\n'
                              '*) echo "error: -- unsupported GNU version! gcc versions later than 13" >&2; exit 1;; esac\n')
        self.assertIn("CUDA 12.4", said)
        self.assertIn("unsupported GNU version", said)


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", required=True)
    parser.add_argument("--source", required=True)
    options, rest = parser.parse_known_args()
    unittest.main(argv=sys.argv[:1] + rest)
