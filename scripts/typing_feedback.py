#!/usr/bin/env python3
"""How long after a pause in typing the window shows what the code of a thread map does.

  typing_feedback.py PROGRAM [--rounds N] [--output FILE]

Types a character into each template of the custom map in the real window, on a virtual display, and waits until the
state trace has the coverage of the new text, or the error at its line. Each time runs from before the key is sent
until the state has arrived, minus the pause after which the program tries the code; it includes the start of
xdotool. Writes the times in milliseconds as JSON. Exit 1 if a median is above 300 ms.
"""
import argparse
import json
import os
import pathlib
import platform
import statistics
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tests" / "ui"))
from window import Display, Skipped, Window

LIMIT_MS = 300
SCENES = [("sierpinski-gasket", 6), ("sierpinski-carpet", 5), ("sierpinski-carpet", 6), ("sierpinski-carpet", 7)]
SCENES += [(name, 8) for name in ("sierpinski-gasket", "sierpinski-carpet", "vicsek", "x-fractal", "h-fractal", "empty-bottles", "candy",
                                  "chandelier", "cantor")]
TEMPLATES = ("Bounding box", "One thread per row", "λ by loop")


def processor():
    for line in pathlib.Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines():
        if line.startswith("model name"):
            return line.partition(":")[2].strip()
    return platform.processor()


def commit():
    return subprocess.run(["git", "rev-parse", "--short=12", "HEAD"], cwd=ROOT, capture_output=True, text=True, check=True).stdout.strip()


def click(window, name):
    x, y, width, height = window.wait(lambda s: name in s["code"]["places"], name)["code"]["places"][name]
    window.move(x + width / 2, y + height / 2)
    window.xdotool("click", 1)


def up_to_date(state):
    return state["code"]["up_to_date"] and state["code"]["outcome"] == "ran"


def time_key(window, key, wanted):
    """Milliseconds from the key to the state, without the pause."""
    text = window.state["code"]["text"]
    time.sleep(0.3)  # the window rests, as it does before a key
    begin = time.monotonic()
    window.xdotool("key", key)
    state = window.wait(lambda s: s["code"]["text"] != text and s["code"]["up_to_date"] and wanted(s), f"after {key}")
    return (time.monotonic() - begin - state["code"]["pause_seconds"]) * 1000


def measure(display, program, fractal, level, rounds):
    window = Window(display, program, "--paused", "--fractal", fractal, "--level", str(level), "--size", "1280x720")
    window.press("shift+w")
    window.wait(lambda s: s["code"]["shown"] and s["code"]["focused"] and up_to_date(s), "the editor")
    for template in TEMPLATES:
        click(window, "templates")
        click(window, f"template {template}")
        window.wait(lambda s: up_to_date(s) and s["code"]["focused"], template)
        window.press("ctrl+End")
        coverage, error = [], []
        for _ in range(rounds):
            coverage.append(time_key(window, "space", lambda s: s["code"]["coverage"] and not s["code"]["problems"]))
            error.append(time_key(window, "x", lambda s: s["code"]["problems"]))
            time_key(window, "BackSpace", lambda s: not s["code"]["problems"])
        state = window.state["code"]["coverage"]
        yield {"fractal": fractal, "level": level, "template": template, "checked_level": state["level"], "threads": state["threads"], "cells": state["cells"],
               "coverage_ms": {"median": round(statistics.median(coverage), 1), "max": round(max(coverage), 1)},
               "error_ms": {"median": round(statistics.median(error), 1), "max": round(max(error), 1)}}
    window.quit()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--output")
    options = parser.parse_args()
    try:
        display = Display()
    except Skipped as reason:
        sys.exit(str(reason))
    rows = []
    try:
        for fractal, level in SCENES:
            for row in measure(display, options.program, fractal, level, options.rounds):
                rows.append(row)
                print(f"{fractal} level {level}, {row['template']}: coverage {row['coverage_ms']['median']} ms, "
                      f"error {row['error_ms']['median']} ms after the pause", flush=True)
    finally:
        display.close()
    if options.output:
        result = {"what": "time from a pause in typing to the result in the window, at 1280x720 with OpenGL in software",
                  "commit": commit(), "machine": {"processor": processor(), "cores": os.cpu_count(), "load": round(os.getloadavg()[1], 1)},
                  "rounds": options.rounds, "limit_ms": LIMIT_MS, "times": rows}
        pathlib.Path(options.output).write_text(json.dumps(result, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    return 1 if any(row[kind]["median"] > LIMIT_MS for row in rows for kind in ("coverage_ms", "error_ms")) else 0


if __name__ == "__main__":
    sys.exit(main())
