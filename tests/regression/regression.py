#!/usr/bin/env python3
"""What users have today keeps working: regression.py PROGRAM [--record] [WORD...]

Runs the command lines of commands.txt in a copy of the folder files (scenes, fractals, a lesson, an exercise, results, patterns, as users have
them) and compares what they give with expected.txt: exit status, what is printed and written, without times and names of the machine. Prints
the differences, and exits 1 where there are some. With WORDs it runs the commands that contain one of them. With --record it writes
expected.txt anew; then read the difference (git diff): each changed line is a change for users.

A command that begins with "members:" is compared by the names of its JSON members, or by the first line of its CSV, alone.
"""

import argparse
import difflib
import hashlib
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import zlib

HERE = os.path.dirname(os.path.abspath(__file__))
# Members that a machine, a clock or a build decides.
MEASURED = re.compile(r"(^|_)(ms|ns|seconds|samples|noise|date|device|devices_there|backend_reason|machine|version|commit|bytes_free|workers\w*|threads_of_cpu|cells_per_second|"
                      r"bytes_per_second|generations_per_sample|resolution_ns|slot_utilization|tail_\w+|mean_at_once|most_at_once|span\w*)($|_)")


def lasting(value):
    if isinstance(value, dict):
        return {key: lasting(one) for key, one in value.items() if not MEASURED.search(key)}
    return [lasting(one) for one in value] if isinstance(value, list) else value


def names(value, path=""):
    """The paths of all members; elements of a list have the same one."""
    if isinstance(value, dict):
        return set().union(*(names(one, f"{path}.{key}".lstrip(".")) | {f"{path}.{key}".lstrip(".")} for key, one in value.items()))
    return set().union(*(names(one, path + "[]") for one in value)) if isinstance(value, list) else set()


def text_of(value, indent=""):
    """JSON with one member a line; lists of numbers and texts stay in one line."""
    if isinstance(value, dict) and value:
        inner = [f"{indent}  {json.dumps(key)}: {text_of(one, indent + '  ').lstrip()}" for key, one in value.items()]
        return "{\n" + "\n".join(inner) + f"\n{indent}}}"
    if isinstance(value, list) and any(isinstance(one, (dict, list)) for one in value):
        return "[\n" + "\n".join(f"{indent}  {text_of(one, indent + '  ').lstrip()}" for one in value) + f"\n{indent}]"
    return json.dumps(value, ensure_ascii=False)


def pixels(content):
    """The size of a PNG, and a hash of its pixels: how they are compressed is zlib's affair."""
    at, data = 8, b""
    while at < len(content):
        length = int.from_bytes(content[at:at + 4], "big")
        if content[at + 4:at + 8] == b"IDAT":
            data += content[at + 8:at + 8 + length]
        at += 12 + length
    width, height = (int.from_bytes(content[16 + 4 * i:20 + 4 * i], "big") for i in range(2))
    return f"{width} x {height} pixels, {hashlib.sha1(zlib.decompress(data)).hexdigest()[:16]}"


def content_of(file, plain):
    """What was written, in a line or more. Of drawings with text, which depends on the versions of fonts and Cairo, it is the kind alone."""
    with open(file, "rb") as written:
        content = written.read()
    if file.endswith(".png") and plain:
        return pixels(content)
    if file.endswith(".loom"):
        scene, _, packed = content.partition(b"\0")
        return text_of(lasting(json.loads(scene))) + (f"\n{len(packed)} bytes of cells" if packed else "")
    if file.endswith(".csv"):
        return content.decode().replace("\r\n", "\n").rstrip()
    if file.endswith((".png", ".svg")):
        return "PNG" if content.startswith(b"\x89PNG") else "SVG" if b"<svg" in content[:200] else "neither PNG nor SVG"
    return f"{len(content)} bytes, {hashlib.sha1(content).hexdigest()[:16]}"


def run(program, line):
    """What a command gives, as text."""
    members = line.startswith("members:")
    words = shlex.split(line.removeprefix("members:"))
    with tempfile.TemporaryDirectory() as folder:
        shutil.copytree(os.path.join(HERE, "files"), folder, dirs_exist_ok=True)
        before = set(os.listdir(folder))
        environment = {"PATH": os.environ["PATH"], "HOME": folder, "OMP_WAIT_POLICY": "passive", "LANG": "C.UTF-8"}
        done = subprocess.run([program, *words], cwd=folder, env=environment, capture_output=True, text=True, timeout=600)
        said = done.stdout
        try:
            said = json.loads(said)
            said = "\n".join(sorted(names(said))) if members else text_of(lasting(said))
        except ValueError:
            said = said.splitlines()[0] if members and said else re.sub(r"[0-9.]+ ms\b", "# ms", said)
        parts = [f"$ {line}", f"status {done.returncode}", said.rstrip(), done.stderr.rstrip()]
        plain = "--plain" in words
        for name in sorted(set(os.listdir(folder)) - before):
            if os.path.isfile(os.path.join(folder, name)):
                parts.append(f"written {name}: {content_of(os.path.join(folder, name), plain)}")
    return "\n".join(part.replace(folder, "FOLDER") for part in parts if part) + "\n"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("--record", action="store_true")
    parser.add_argument("words", nargs="*")
    options = parser.parse_args()
    program = os.path.abspath(options.program)
    with open(os.path.join(HERE, "commands.txt"), encoding="utf-8") as lines:
        commands = [line.strip() for line in lines if line.strip() and not line.startswith("#")]
    expected_file = os.path.join(HERE, "expected.txt")
    if options.record:
        with open(expected_file, "w", encoding="utf-8") as out:
            out.write("\n".join(run(program, line) for line in commands))
        return 0
    with open(expected_file, encoding="utf-8") as file:
        expected = {part.split("\n", 1)[0][2:]: part for part in re.split(r"\n(?=\$ )", file.read())}
    if list(expected) != commands:
        print("expected.txt is not of the commands of commands.txt: record it")
        return 1
    chosen = [line for line in commands if not options.words or any(word in line for word in options.words)]
    different = 0
    for line in chosen:
        now = run(program, line)
        if now.rstrip() != expected[line].rstrip():
            different += 1
            print(f"$ {line}")
            print("\n".join(list(difflib.unified_diff(expected[line].splitlines(), now.splitlines(), "expected", "now", lineterm="", n=1))[2:]))
    print(f"{len(chosen)} commands, {different} give something else than recorded" if chosen else "no such command")
    return 1 if different or not chosen else 0


if __name__ == "__main__":
    sys.exit(main())
