#!/usr/bin/env python3
"""Random commands: random_commands.py PROGRAM [--seed N] [--count N] [--seconds S]

Runs fractal-loom with options drawn from what its own --help declares and values of every sort, right and wrong, in a
folder of their own. Of each it checks the exit status (0 to 3, 130), that an error is one line on standard error and
nothing on standard output, that a success says nothing on standard error and, with --json, one JSON object on standard
output, and that no file is there afterwards that was not asked for. What takes longer than --limit is ended; it counts
apart, and must leave nothing behind either. The same seed gives the same commands. Exit 1 with what failed.
"""

import argparse
import json
import os
import random
import re
import resource
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import time

OPTION = re.compile(r"^  (-[-\w,]+)(?:[ =](\S+))?")
NASTY = ["", " ", "-1", "0", "1", "2", "3", "7", "nan", "inf", "1e999", "99999999999999999999", "-0", "0x10", "1.5", "auto",
         "all", "x", "λ", os.fsdecode(b"\xff\xfe"), "a,b", "1..4", "4..1", "1,,2", ",", "'", "\n", "--", "{}", "%s", "A" * 5000]
# What makes a run long is mostly small, so that most commands come to their end.
SMALL = {"--level": "0 1 2 3 4 5 6 7", "--level-min": "0 1 2", "--level-max": "0 1 2 3", "--steps": "0 1 2 10 60",
         "--size": "1x1 8x8 33x17 64x64 64 100x30 200x150", "--size-min": "1", "--size-max": "64 128",
         "--max-samples": "1 2", "--max-seconds": "0.001 0.01", "--repeats": "1 2", "--runs": "1 2 3",
         "--samples": "0 1 5", "--spans": "2 3 100", "--dwell": "1 2 64 512 65535", "--frames": "1", "--block": "1 2 3 4 8 9 16 32",
         "--g": "1 2 3 4 32", "--r": "2 3 4", "--b": "1 2 8 32", "--n": "8 64 1024", "--text-size": "4 11 40",
         "--ui-scale": "0.5 1 1.5 2", "--warps": "1 10 1000", "--density": "0 0.3 1", "--seed": "0 1 18446744073709551615",
         "--counting": "auto direct sums bits tensor", "--rule": "B3/S23 B2/S23 R2,C0,M1,S3..9,B4..7,NC R16,C9,M0,S9..400,B90..200,NM B/S B012345678/S012345678", "--backend": "cpu cpu cpu auto", "--point": "0,0 3,5 1,1",
         "--window": "-1.5,0.5,-1,1 0,1,0,1", "--view": "-0.5,0,3", "--tiles": "auto 1 2 3 9", "--halo": "on off auto",
         "--region": "0,0,4,4 1,1,2,3 -1,0,9,9", "--zoom": "1 2 5", "--pan": "0,0 3,-2", "--to": "-0.7,0,1 0.3,0,0.1",
         "--fps": "1 5 30", "--seconds": "0 0.1", "--at-once": "0 1 3", "--preset": "paper-lambda paper-compact", "--lesson": "lambda", "--bench": "scene"}
ALWAYS = {"bench": ["--max-seconds", "0.001", "--max-samples", "1", "--json"], "video": ["--seconds", "0.1"]}
OUTPUTS = {"--out", "--npy", "--png", "--csv"}
SUBCOMMANDS_OF_COST = {"lesson": 0.2, "verify": 0.3, "bench": 0.7, "shot": 0.7, "view": 0.3, "video": 0.4}
# Names that are suggested where none is given, and folders of numbered pictures.
SUGGESTED = {"bench": r"bench-[\w-]+\.json", "shot": r"[\w-]+\.png", "plot": r"[\w-]+\.svg", "video": r".*-frames/\d+\.png"}


def declared(program):
    """Subcommand -> [(option, whether it takes a value, words of its help)]."""
    root = subprocess.run([program, "--help"], capture_output=True, text=True, check=True).stdout
    commands = re.findall(r"^  ([a-z]+) ", root[root.index("Subcommands:"):], re.MULTILINE)
    found = {}
    for command in commands:
        text = subprocess.run([program, command, "--help"], capture_output=True, text=True, check=True).stdout
        options = []
        for line in text.splitlines():
            match = OPTION.match(line)
            if match and "--help" not in line:
                name = match.group(1).split(",")[-1]
                takes = match.group(2) is not None
                options.append((name, takes, re.findall(r"[A-Za-z0-9][\w.+-]*", line[match.end():])))
        found[command] = options
    return found


class Commands:
    def __init__(self, program, seed):
        self.declared = declared(program)
        self.pick = random.Random(seed)
        self.names = sorted(self.declared)
        self.weights = [SUBCOMMANDS_OF_COST.get(name, 1) for name in self.names]

    def file(self, name):
        pick = self.pick
        if name == "--fractal-file":
            return pick.choice(["good.toml", "good.toml", "bad.toml", "none.toml", ".", "/dev/null"])
        if name in OUTPUTS:
            ending = pick.choice([".png", ".svg", ".json", ".csv", ".npy", ".pdf", ".tex", ""])
            return pick.choice(["out" + ending, "./out" + ending, "none/out" + ending, "/dev/null", "/dev/full", ".", "old"])
        return None

    def value(self, name, words):
        pick = self.pick
        dice = pick.random()
        file = self.file(name)
        if file is not None and dice < 0.9:
            return file
        if name in SMALL and dice < 0.85:
            return pick.choice(SMALL[name].split())
        if words and dice < 0.8:
            return pick.choice(words)
        return pick.choice(NASTY)

    def next(self):
        pick = self.pick
        command = pick.choices(self.names, self.weights)[0]
        words = [command]
        if command == "plot":
            words.append(pick.choice(["results.json", "results.json", "results.json", "good.toml", "none.json", "/dev/null"]))
        if command == "lesson" and pick.random() < 0.5:
            words.append(pick.choice(["lambda", "lesson.toml", "good.toml", "none"]))
        options = self.declared[command]
        chosen = pick.sample(options, min(len(options), pick.choice((0, 1, 1, 2, 2, 3, 4, 6))))
        typed = {name for name, _, _ in chosen}
        # Required ones mostly, and small sizes where nothing else was said.
        for name, takes, text in options:
            required = command in ("plot", "figure", "shot", "video") and name == "--out"
            if name not in typed and ((required and pick.random() < 0.9) or (name in ("--level", "--size", "--level-max", "--runs")
                                                                             and pick.random() < 0.95)):
                chosen.append((name, takes, text))
        for name, takes, text in chosen:
            words.append(name)
            if takes and pick.random() < 0.98:
                words.append(self.value(name, text))
        if pick.random() < 0.03:
            words.append(pick.choice(NASTY))
        return words + [w for w in ALWAYS.get(command, []) if pick.random() < 1]


def files_of(folder):
    return {os.path.join(at, name)[len(folder) + 1:] for at, _, names in os.walk(folder) for name in names}


def prepare(folder, program):
    with open(os.path.join(folder, "good.toml"), "w") as file:
        file.write('name = "mine"\ns_x = 2\ns_y = 2\noffsets = [[0, 0], [0, 1], [1, 1]]\n')
    with open(os.path.join(folder, "bad.toml"), "w") as file:
        file.write('name = "mine"\ns_x = 2\ns_y = 2\noffsets = [[0, 0], [0, 1], [5, 1]]\n')
    with open(os.path.join(folder, "lesson.toml"), "w") as file:
        file.write('title = "mine"\n[[step]]\ntext = "mine"\n')
    with open(os.path.join(folder, "old"), "w") as file:
        file.write("old")
    subprocess.run([program, "bench", "--level", "1,2", "--block", "1", "--backend", "cpu", "--max-samples", "1",
                    "--max-seconds", "0.001", "--out", "results.json"], cwd=folder, check=True, stdout=subprocess.DEVNULL)
    return files_of(folder)


def is_asked_for(file, words):
    """Named, or in a folder that is: the manual pages go into one."""
    named = {os.path.normpath(word) for word in words}
    if words[0] == "manual" and "." in named:
        return True  # this folder
    parts = file.split("/")
    return any("/".join(parts[:i]) in named for i in range(1, len(parts) + 1))


def complaint(words, values, status, out, err, before, after):
    """What is wrong, or nothing. What stands behind one of `values` is its value, whatever it looks like."""
    wants_json = any(word == "--json" and last not in values for last, word in zip(words, words[1:]))
    if status not in (0, 1, 2, 3):
        return f"status {status}"
    if status == 1 and words[0] not in ("verify", "mandelbrot"):
        return "status 1 of a command that checks nothing"
    if status in (0, 1) and err:
        return "says something on standard error"
    if status in (2, 3):
        if len(err.splitlines()) != 1 or not err.endswith("\n") or not err.startswith("fractal-loom: "):
            return "an error is not one line"
        # What was computed is printed although it could not be written.
        if out and "annot be written" not in err:
            return "an error with something on standard output"
    if status == 0 and wants_json and "--help" not in words and "--version" not in words:
        try:
            if not isinstance(json.loads(out), dict):
                return "not one JSON object"
        except ValueError as error:
            return f"no JSON: {error}"
    left = {file for file in after - before if not is_asked_for(file, words)}
    if words[0] in SUGGESTED and status == 0:
        left = {file for file in left if not re.fullmatch(SUGGESTED[words[0]], file)}
    if left:
        return f"left files behind: {sorted(left)}"
    if before - after:
        return f"files are gone: {sorted(before - after)}"
    return None


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=250)
    parser.add_argument("--seconds", type=float, default=float("inf"), help="stop after so many")
    parser.add_argument("--limit", type=float, default=5, help="seconds of one command")
    arguments = parser.parse_args()
    program = os.path.abspath(arguments.program)
    commands = Commands(program, arguments.seed)
    environment = dict(os.environ, OMP_WAIT_POLICY="passive")
    for display in ("DISPLAY", "WAYLAND_DISPLAY"):
        environment.pop(display, None)

    def bound():
        # Memory that a mistake takes is the program's to refuse, not this machine's to lose.
        resource.setrlimit(resource.RLIMIT_AS, (4 << 30, 4 << 30))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))

    values = {name for options in commands.declared.values() for name, takes, _ in options if takes}
    tally = {}
    faults = []
    begin = time.monotonic()
    folder = tempfile.mkdtemp(prefix="loom-commands-")
    for one in ("STATE", "CONFIG", "DATA"):
        environment[f"XDG_{one}_HOME"] = os.path.join(folder, one.lower())
    try:
        original = os.path.join(folder, "original")
        os.mkdir(original)
        before = prepare(original, program)
        here = os.path.join(folder, "here")
        shutil.copytree(original, here)
        for _ in range(arguments.count):
            if time.monotonic() - begin > arguments.seconds:
                break
            words = commands.next()
            typed = [os.fsencode(word) for word in words]
            with subprocess.Popen([program.encode(), *typed], cwd=here, env=environment, stdout=subprocess.PIPE,
                                  stderr=subprocess.PIPE, stdin=subprocess.DEVNULL, preexec_fn=bound) as process:
                try:
                    out, err = process.communicate(timeout=arguments.limit)
                    status = process.returncode
                except subprocess.TimeoutExpired:
                    process.send_signal(signal.SIGKILL)
                    out, err = process.communicate()
                    status = "long"
            after = files_of(here)
            if status == "long":
                left = {file for file in after - before
                        if not is_asked_for(file, words) and not re.fullmatch(SUGGESTED.get(words[0], "x"), file)}
                fault = f"ended by force, it left {sorted(left)}" if left else None
            else:
                fault = complaint(words, values, status, os.fsdecode(out), os.fsdecode(err), before, after)
            tally[status] = tally.get(status, 0) + 1
            if fault:
                faults.append(f"{fault}: fractal-loom {' '.join(map(shlex.quote, words))}\n  {os.fsdecode(err)[:500]!r}")
                if len(faults) == 10:
                    break
            if after != before or any(word in OUTPUTS for word in words):
                shutil.rmtree(here)
                shutil.copytree(original, here)
    finally:
        shutil.rmtree(folder)
    shares = ", ".join(f"{count} of status {status}" for status, count in sorted(tally.items(), key=lambda one: str(one[0])))
    print(f"seed {arguments.seed}: {sum(tally.values())} commands in {time.monotonic() - begin:.0f} s: {shares}")
    for fault in faults:
        print("FAULT: " + fault.encode("utf-8", "replace").decode())
    # Commands that all fail, or all take too long, would show nothing. About a tenth succeed.
    done = sum(tally.values())
    if done >= 100 and (tally.get(0, 0) < done / 25 or tally.get(2, 0) < done / 10 or tally.get("long", 0) > done / 5):
        print("the commands are no longer varied: look at SMALL and the options' help")
        return 1
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
