#!/usr/bin/env python3
"""States after each generation equal those of Golly's bgolly, whose holes are cleared after each: golly.py PROGRAM

Skipped (status 77) where bgolly is not installed (Debian: golly). Positions of cells, random start and hash are computed here.
"""

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

MASK = (1 << 64) - 1
SEED = 3
DENSITY = 0.45
GENERATIONS = 6
FRACTALS = {  # level, and the scale box row by row
    "square": (5, 2, "##" "##"),
    "sierpinski-gasket": (6, 2, "#." "##"),
    "sierpinski-carpet": (4, 3, "###" "#.#" "###"),
}
# The rule, Golly's algorithm and its name for the rule, and the options of methods.
BYTES = [["--map", map] for map in ("bounding-box", "lambda", "compact")]
BITS = [["--map", map, "--storage", "bits"] for map in ("bounding-box", "compact")]
COUNTINGS = [["--map", "compact", "--counting", counting] for counting in ("direct", "sums", "bits", "tensor")]
RULES = [
    ("B3/S23", "QuickLife", "B3/S23", BYTES + BITS),
    ("B2/S23", "QuickLife", "B2/S23", BYTES + BITS),
    ("B2/S345/C4", "Generations", "345/2/4", BYTES),
    ("B3/S23/C7", "Generations", "23/3/7", BYTES),
    ("R5,C0,M1,S10..40,B10..25,NM", "Larger than Life", "R5,C0,M1,S10..40,B10..25,NM", COUNTINGS + BITS),
    ("R1,C0,M0,S2..3,B3..3,NM", "Larger than Life", "R1,C0,M0,S2..3,B3..3,NM", COUNTINGS + BITS),
    ("R8,C0,M0,S20..150,B20..80,NM", "Larger than Life", "R8,C0,M0,S20..150,B20..80,NM", COUNTINGS + BITS),
    ("R3,C5,M1,S4..20,B4..12,NN", "Larger than Life", "R3,C5,M1,S4..20,B4..12,NN", COUNTINGS[:2]),
]


def scrambled(z):
    z = (z + 0x9E3779B97F4A7C15) & MASK
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9 & MASK
    z = (z ^ z >> 27) * 0x94D049BB133111EB & MASK
    return z ^ z >> 31


def cells_of(level, side, box):
    """The positions of all cells in the canonical order."""
    offsets = [(i % side, i // side) for i, point in enumerate(box) if point == "#"]
    k = len(offsets)
    extent = k ** ((level + 1) // 2)
    for index in range(k ** level):
        compact = [index % extent, index // extent]
        x = y = 0
        for mu in range(1, level + 1):
            digits = compact[(mu - 1) % 2]
            compact[(mu - 1) % 2] = digits // k
            x += offsets[digits % k][0] * side ** (mu - 1)
            y += offsets[digits % k][1] * side ** (mu - 1)
        yield x, y


def golly_states(bgolly, folder, places, side, reach, algorithm, rule, start):
    """The states of the places in each generation, with all other points of the plane cleared after each."""
    pattern = os.path.join(folder, "start.rle")
    script = os.path.join(folder, "steps.txt")
    cells = set(places)
    with open(pattern, "w") as file:
        rows = ("".join("bo"[(x, y) in start] for x in range(side)) for y in range(side))
        file.write(f"x = {side}, y = {side}, rule = {rule}\n" + "$\n".join(rows) + "!\n")
    around = range(-reach, side + reach)
    clear = "".join(f"unset {x} {y}\n" for y in around for x in around if (x, y) not in cells)
    get = "".join(f"get {x} {y}\n" for x, y in places)
    with open(script, "w") as file:
        file.write((f"step 1\n{clear}{get}") * GENERATIONS + "quit\n")
    result = subprocess.run([bgolly, "-a", algorithm, "--exec", script, pattern], capture_output=True, text=True)
    found = [int(state) for state in re.findall(r"-> (\d+)", result.stdout)]
    if len(found) != GENERATIONS * len(places):
        sys.exit(f"bgolly failed on {rule}: {result.stdout[-300:]}{result.stderr[-300:]}")
    return [found[i:i + len(places)] for i in range(0, len(found), len(places))]


def main():
    program = sys.argv[1]
    bgolly = os.environ.get("LOOM_BGOLLY") or shutil.which("bgolly")
    if bgolly is None:
        print("skipped: bgolly is not installed (Debian: apt install golly)")
        sys.exit(77)
    compared = 0
    with tempfile.TemporaryDirectory() as folder:
        square = os.path.join(folder, "square.toml")
        with open(square, "w") as file:
            file.write('name = "square"\ns_x = 2\ns_y = 2\noffsets = [[0, 0], [1, 0], [0, 1], [1, 1]]\n')
        for fractal, (level, s_x, box) in FRACTALS.items():
            places = list(cells_of(level, s_x, box))
            values = [scrambled(i) for i in range(len(places))]
            start = {place for place, value in zip(places, values)
                     if (scrambled((SEED + value) & MASK) >> 11) / 2 ** 53 < DENSITY}
            where = ["--fractal-file", square] if fractal == "square" else ["--fractal", fractal]
            for rule, algorithm, in_golly, methods in RULES:
                reach = int(re.match(r"R(\d+)|", rule).group(1) or 1)
                all_states = golly_states(bgolly, folder, places, s_x ** level, reach, algorithm, in_golly, start)
                for generation, states in enumerate(all_states, 1):
                    expected = (states.count(1), sum(state * value for state, value in zip(states, values)) & MASK)
                    # All methods at the last generation, each generation by one of them.
                    for method in methods if generation == GENERATIONS else [methods[generation % len(methods)]]:
                        run = subprocess.run([program, "life", *where, "--level", str(level), "--rule", rule, "--seed",
                                              str(SEED), "--density", str(DENSITY), "--steps", str(generation), "--json",
                                              "--backend", "cpu", *method], capture_output=True, text=True)
                        if run.returncode != 0:
                            sys.exit(f"{fractal}, {rule}, {' '.join(method)}: {run.stderr}")
                        result = json.loads(run.stdout)
                        if (result["population"], int(result["hash"], 16)) != expected:
                            sys.exit(f"{fractal}, {rule}, generation {generation}, {' '.join(method)}: population "
                                     f"{result['population']} and hash {result['hash']}, Golly's {expected[0]} and {expected[1]:016x}")
                        compared += 1
                if not any(all_states[0]):
                    sys.exit(f"{fractal}, {rule}: no living cell to compare")
    print(f"{compared} states equal Golly's")


if __name__ == "__main__":
    main()
