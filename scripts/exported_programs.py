#!/usr/bin/env python3
"""On a machine with a GPU and nvcc: compiles and runs programs that `fractal-loom export --cuda` writes, and compares their state
hash and time per generation with those of `fractal-loom life` with one tile per thread block.

  exported_programs.py PROGRAM [--count N] [--json FILE]

Exit status 1 if a hash differs. A time that differs by more than a tenth is marked."""

import argparse
import concurrent.futures
import json
import pathlib
import re
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "tests/export"))
import programs  # noqa: E402

# Large enough that a generation takes longer than its launch.
TIMED = ["--fractal sierpinski-gasket --level 14", "--fractal sierpinski-carpet --level 8", "--fractal carpet-vicsek --level 9",
         "--fractal mirrored-gasket --level 13", "--fractal menger-sponge --level 5"]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", type=pathlib.Path)
    parser.add_argument("--count", type=int, default=20, help="programs with small levels, besides those that are timed")
    parser.add_argument("--json", type=pathlib.Path)
    options = parser.parse_args()
    program = options.program.resolve()
    all_choices = programs.choices(program)
    sample = all_choices[::max(1, len(all_choices) // options.count)][:options.count]
    timed = [f"{scene} {map} --steps 200 --seed 3 --density 0.4".split() for scene in TIMED for map in programs.MAPS]
    with tempfile.TemporaryDirectory() as place:
        def compiled(i, choice):
            folder = pathlib.Path(place) / str(i)
            folder.mkdir()
            (folder / "life.cu").write_text(programs.exported(program, choice, "cuda", folder))
            done = programs.run("nvcc", "-O3", "-arch=native", folder / "life.cu", "-o", folder / "life")
            assert done.returncode == 0, f"{choice}: {done.stderr}"
            return folder / "life"

        choices = sample + timed
        with concurrent.futures.ThreadPoolExecutor() as pool:
            files = list(pool.map(compiled, range(len(choices)), choices))
        rows = []
        for choice, file in zip(choices, files):
            own = programs.computed(program, choice, "--backend", "cuda", "--tiles", "1")
            printed = min((programs.run(file).stdout for _ in range(3)), key=step_of)
            rows.append({"choice": " ".join(choice), "same_hash": programs.hashes(printed) == [own["hash"]], "step_ms": step_of(printed),
                         "own_step_ms": own["step_ms"]["median"], "timed": choice in timed})
            ratio = rows[-1]["step_ms"] / rows[-1]["own_step_ms"]
            print(f"{'ok  ' if rows[-1]['same_hash'] else 'HASH'} {rows[-1]['step_ms']:9.4f} ms, own {rows[-1]['own_step_ms']:9.4f} ms"
                  f"{', x %.2f' % ratio if rows[-1]['timed'] else ''}{' <--' if rows[-1]['timed'] and ratio > 1.1 else ''}  {rows[-1]['choice']}", flush=True)
    if options.json:
        options.json.write_text(json.dumps(rows, indent=1) + "\n")
    return 0 if all(row["same_hash"] for row in rows) else 1


def step_of(printed):
    found = re.search(r"^step ([0-9.]+) ms$", printed, re.MULTILINE)
    return float(found.group(1)) if found else float("inf")


if __name__ == "__main__":
    sys.exit(main())
