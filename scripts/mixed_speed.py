#!/usr/bin/env python3
"""Mixed fractals against uniform ones with as many cells and the same scales, on one machine.

  mixed_speed.py PROGRAM [-o FILE.json] [--rounds N] [--backend cuda|cpu] [--quick]

Each case runs the uniform and the mixed fractal in turn and compares the medians of the rounds. Loops over the levels may
take 1.3 times, tables 1.1 times the time of the uniform fractal; exit 1 if one takes longer. The ratios go to standard
output, everything to the file.
"""
import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile

LIMITS = {"loop": 1.3, "table": 1.1}

# The uniform fractal, its mixed counterpart, the level (and that of --quick), and tile sizes.
GASKETS = ("gasket", [(2, [(0, 0), (0, 1), (1, 1)])], [(2, [(0, 0), (0, 1), (1, 1)]), (2, [(0, 0), (1, 0), (1, 1)])])
CARPET = [(x, y) for y in range(3) for x in range(3)]
CARPETS = ("carpet", [(3, [at for at in CARPET if at != (1, 1)])],
           [(3, [at for at in CARPET if at != (1, 1)]), (3, [at for at in CARPET if at != (2, 0)])])
PAIRS = [(GASKETS, 16, 8, (1, 4, 8, 16)), (CARPETS, 8, 4, (1, 3, 9, 27))]


def fractal_file(folder, name, levels):
    """A fractal file of generators, coarsest first."""
    def body(scale, offsets):
        return f"s_x = {scale}\ns_y = {scale}\noffsets = [{', '.join(f'[{x}, {y}]' for x, y in offsets)}]\n"
    path = os.path.join(folder, name + ".toml")
    with open(path, "w", encoding="utf-8") as file:
        file.write(f'name = "{name}"\n')
        if len(levels) == 1:
            file.write(body(*levels[0]))
        for level in levels if len(levels) > 1 else []:
            file.write("[[levels]]\n" + body(*level))
    return path


def measure(program, fractal, level, backend, map_name, tile, arithmetic, workload, steps):
    words = [program, "life", "--json", "--backend", backend, "--fractal-file", fractal, "--level", str(level), "--map", map_name,
             "--block", str(tile), "--arithmetic", arithmetic, "--intra-block", "sub-box", "--storage", "bytes", "--workload",
             workload, "--steps", str(steps)]
    done = subprocess.run(words, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{' '.join(words)}: exit {done.returncode}: {done.stderr.strip()}")
    return json.loads(done.stdout)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("-o", "--out")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--backend", default="cuda", choices=["cuda", "cpu"])
    parser.add_argument("--quick", action="store_true", help="low levels, for a test of this script")
    options = parser.parse_args()
    steps = 10 if options.quick else 60
    rows = []
    print(f"{'fractals':8} {'map':8} {'arithmetic':10} {'workload':12} {'tile':>4} {'uniform ms':>11} {'mixed ms':>11} {'ratio':>6}")
    with tempfile.TemporaryDirectory() as folder:
        for (name, uniform, mixed), high, low, tiles in PAIRS:
            files = [fractal_file(folder, name + "-uniform", uniform), fractal_file(folder, name + "-mixed", mixed)]
            level = low if options.quick else high
            for map_name in ("lambda", "compact"):
                for arithmetic in LIMITS:
                    for workload in ("single-write", "life"):
                        for tile in tiles:
                            times = [[], []]
                            runs = []
                            for _ in range(options.rounds):
                                runs = [measure(options.program, file, level, options.backend, map_name, tile, arithmetic, workload,
                                                steps) for file in files]
                                for of, run in zip(times, runs):
                                    of.append(run["step_ms"]["median"])
                            if runs[0]["cells"] != runs[1]["cells"]:
                                sys.exit(f"{name}: {runs[0]['cells']} and {runs[1]['cells']} cells")
                            uniform_ms, mixed_ms = ({"median": statistics.median(of), "min": min(of), "max": max(of)} for of in times)
                            ratio = mixed_ms["median"] / uniform_ms["median"]
                            rows.append({"fractals": name, "level": level, "map": map_name, "arithmetic": arithmetic,
                                         "workload": workload, "tile": tile, "uniform_ms": uniform_ms, "mixed_ms": mixed_ms,
                                         "ratio": ratio})
                            print(f"{name:8} {map_name:8} {arithmetic:10} {workload:12} {tile:4} {uniform_ms['median']:11.4f} "
                                  f"{mixed_ms['median']:11.4f} {ratio:6.3f}{'  SLOWER' if ratio > LIMITS[arithmetic] else ''}", flush=True)
    slower = [row for row in rows if row["ratio"] > LIMITS[row["arithmetic"]]]
    for arithmetic, limit in LIMITS.items():
        ratios = [row["ratio"] for row in rows if row["arithmetic"] == arithmetic]
        print(f"{arithmetic}: median {statistics.median(ratios):.3f}, largest {max(ratios):.3f}, allowed {limit}")
    if options.out:
        with open(options.out, "w", encoding="utf-8") as file:
            json.dump({"backend": options.backend, "limits": LIMITS, "rows": rows}, file, indent=1)
    return 1 if slower else 0


if __name__ == "__main__":
    sys.exit(main())
