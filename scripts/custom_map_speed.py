#!/usr/bin/env python3
"""A custom map that is textually λ by loop beside the built-in maps: single write on the gasket.

  custom_map_speed.py PROGRAM [--level R] [--rounds N]

Prints the medians of the rounds and their ratios. With CUDA, exit 1 if the custom map takes more than 1.1 times as long as the
built-in λ by loop with one thread per tile (ρ = 1), whose threads do the same work. Without CUDA an interpreter runs the
maps: its times are printed at a lower level, say nothing about compiled code, and fail nothing.
"""
import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile

LIMIT = 1.1

# One thread per cell, the template "λ by loop" of the window.
LAMBDA = """
__host__ Launch launch(Fractal f) { return grid1d((f.cells + 127) / 128, 128); }

__device__ Cell cell_of_thread(Fractal f) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= f.cells) return none();
  int x = 0;
  int y = 0;
  int side_x = 1;
  int side_y = 1;
  for (int level = 0; level < f.level; ++level) {
    int digit = i % f.k;
    x += offset_x(digit) * side_x;
    y += offset_y(digit) * side_y;
    i /= f.k;
    side_x *= f.s_x;
    side_y *= f.s_y;
  }
  return cell(x, y);
}
"""


def run(words):
    done = subprocess.run(words, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{' '.join(words)}: exit {done.returncode}: {done.stderr.strip()}")
    return json.loads(done.stdout)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--level", type=int, help="16 with CUDA, else 8")
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    compiled = run([options.program, "info", "--json"])["backend"]["chosen"] == "cuda"
    level = options.level if options.level is not None else 16 if compiled else 8
    if not compiled:
        print(f"no CUDA: times of the interpreter on the CPU, level {level}; the ratios are not checked", flush=True)
    slow = False
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "lambda.map.cu")
        with open(path, "w", encoding="utf-8") as file:
            file.write(LAMBDA)
        for block in (1, 16):
            custom, built_in, by_loop = [], [], []
            for _ in range(options.rounds):
                result = run([options.program, "map", "run", path, "--level", str(level), "--block", str(block), "--measure", "--json"])
                if not result["coverage"]["exact"]:
                    sys.exit("the coverage is not exact")
                custom.append(result["single_write_ms"])
                built_in.append(result["built_in_single_write_ms"]["lambda"])
                loop = run([options.program, "life", "--level", str(level), "--map", "lambda", "--arithmetic", "loop",
                            "--intra-block", "sub-box", "--block", str(block), "--workload", "single-write", "--steps", "60", "--json"])
                by_loop.append(loop["step_ms"]["median"])
            times = [statistics.median(of) for of in (custom, built_in, by_loop)]
            ratios = [times[0] / time for time in times[1:]]
            print(f"rho {block:2}: custom {times[0]:.3f} ms, built-in lambda {times[1]:.3f} ms (ratio {ratios[0]:.3f}), "
                  f"by loop in steps {times[2]:.3f} ms (ratio {ratios[1]:.3f})", flush=True)
            slow = slow or (compiled and block == 1 and ratios[0] > LIMIT)
    return 1 if slow else 0


if __name__ == "__main__":
    sys.exit(main())
