#!/usr/bin/env python3
"""Two builds of the program in turn on one machine: every figure of docs/results.md that one command gives, as a ratio.

  side_by_side.py OLD NEW [-o FILE.json] [--rounds N] [--backend cuda|cpu] [--quick] [--only TEXT]

Each case runs OLD, NEW, OLD, NEW, ... and compares the medians of the rounds; states, dwells and coverage must be the same. The
table goes to standard output, medians with their spread to the file. Exit 1 where a state differs, or a time grew by more than 3 %.
On the CPU an interpreter runs the custom map, in older builds a compiler: its times are printed and not compared.
"""
import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile

from custom_map_speed import LAMBDA

SLOWER = 1.03


def life(level, map_name, block, workload="life", steps=40, **method):
    words = ["life", "--level", str(level), "--map", map_name, "--block", str(block), "--workload", workload,
             "--steps", str(steps), "--json"]
    for name, value in method.items():
        words += ["--" + name.replace("_", "-"), str(value)]
    return words, lambda run: (run["step_ms"]["median"], run["hash"], run["population"], run["sum"])


def mandelbrot(size, method, runs=7, **options):
    words = ["mandelbrot", "--size", size if isinstance(size, str) else f"{size}x{size}", "--method", method, "--runs", str(runs), "--hash", "--json"]
    for name, value in options.items():
        words.append(f"--{name}={value}")  # a centre may begin with a minus sign
    return words, lambda run: (run["ms"]["median"], run["hash"])


def custom_map(file, level, block):
    words = ["map", "run", file, "--level", str(level), "--block", str(block), "--measure", "--json"]
    return words, lambda run: (run["single_write_ms"], run["coverage"])


def cases(quick, folder, backend):
    top = 12 if quick else 16
    for workload in ("life", "single-write", "reduction"):
        yield life(top, "bounding-box", 16, workload)
        for block in (1, 8, 16, 32):
            yield life(top, "lambda", block, workload)
        for block in (8, 16, 32):
            yield life(top, "compact", block, workload)
    yield life(top, "compact", 16, halo="off")
    yield life(top, "lambda", 16, "reduction", reduction="tensor")
    for arithmetic in ("loop", "shuffle", "tensor-1", "tensor-2", "tensor-3"):
        yield life(top, "lambda", 16, "single-write", arithmetic=arithmetic)
    yield life(top, "compact", 32, arithmetic="tensor")
    yield life(top, "compact", 16, arithmetic="shuffle")
    for intra_block in ("sub-box", "unrolled"):
        yield life(top, "lambda", 16, intra_block=intra_block)
        yield life(top, "compact", 16, intra_block=intra_block)
    yield life(top, "lambda", 32, tiles=1)
    yield life(top, "compact", 16, tiles=1)
    for map_name in ("bounding-box", "lambda", "compact"):
        yield life(8 if not quick else 6, map_name, 27, fractal="sierpinski-carpet")
    yield life(21 if not quick else 14, "compact", 27, fractal="cantor")  # 64-bit coordinates
    if not quick:
        yield life(20, "compact", 16, steps=10)
    for storage in ("bits", "bytes"):
        yield life(top, "bounding-box", 16, storage=storage)
    for level, at_once in ((top, 1), (top, 16), (20, 1), (20, 16)):
        if level == top or not quick:
            yield life(level, "compact", 16, storage="bits", at_once=at_once)
    yield life(11 if not quick else 6, "compact", 9, storage="bits", fractal="sierpinski-carpet")
    for map_name in ("bounding-box", "lambda", "compact"):
        yield life(6 if not quick else 3, map_name, 9, fractal="menger-sponge")
        if map_name != "bounding-box":
            yield life(11 if not quick else 5, map_name, 8, fractal="sierpinski-tetrahedron")
            for arithmetic in ("loop", "table"):
                yield life(12 if not quick else 6, map_name, 6, fractal="gasket-2-3", arithmetic=arithmetic)
                yield life(8 if not quick else 4, map_name, 16, fractal="pinwheel-carpet", arithmetic=arithmetic)
    path = os.path.join(folder, "lambda.map.cu")
    with open(path, "w", encoding="utf-8") as file:
        file.write(LAMBDA)
    yield custom_map(path, 16 if not quick and backend == "cuda" else 8, 16)
    # Widths with double and with wide numbers: a minibrot in the seahorse valley, and the tip of the antenna.
    size = "96x54" if quick else "1920x1080"
    for method in ("exhaustive", "ask", "dp"):
        yield mandelbrot(size, method, center="-0.743643887037158704752191506114774,0.131825904205311970493132056385139", width="1e-20")
        yield mandelbrot(size, method, center="-2,0", width="1e-400", dwell=4000)
    n = 2048 if quick else 16384
    yield mandelbrot(n, "exhaustive")
    yield mandelbrot(n, "ask")
    yield mandelbrot(n, "ask", ideas="none")
    yield mandelbrot(n, "dp")
    yield mandelbrot(n, "dp", ideas="none")
    yield mandelbrot(n, "dp", scheme="mbr")
    if not quick:
        yield mandelbrot(65536, "ask", runs=3)
        yield mandelbrot(65536, "ask", runs=3, ideas="none")


def run(program, words, backend):
    done = subprocess.run([program, *words, "--backend", backend], capture_output=True, text=True)
    return (json.loads(done.stdout), "") if done.returncode == 0 else (None, done.stderr.strip())


def main():
    a = argparse.ArgumentParser()
    a.add_argument("old")
    a.add_argument("new")
    a.add_argument("-o", "--out")
    a.add_argument("--rounds", type=int, default=3)
    a.add_argument("--backend", default="cuda")
    a.add_argument("--quick", action="store_true")
    a.add_argument("--only", default="", help="cases whose command has this text")
    o = a.parse_args()
    record = {"backend": o.backend, "rounds": o.rounds, "cases": []}
    info, _ = run(o.new, ["info", "--json"], o.backend)
    record["machine"] = info
    bad = 0
    folder = tempfile.TemporaryDirectory()
    for words, read in cases(o.quick, folder.name, o.backend):
        if o.only not in " ".join(words):
            continue
        old, new, same, problem = [], [], True, ""
        for _ in range(o.rounds):
            a_run, a_why = run(o.old, words, o.backend)
            b_run, b_why = run(o.new, words, o.backend)
            if a_run is None or b_run is None:
                problem = b_why or a_why
                break
            (a_ms, *a_state), (b_ms, *b_state) = read(a_run), read(b_run)
            old.append(a_ms)
            new.append(b_ms)
            same = same and a_state == b_state
        case = {"command": " ".join(w.replace(folder.name + os.sep, "") for w in words if w not in ("--json", "--hash")), "problem": problem}
        if not problem:
            ratio = statistics.median(new) / statistics.median(old)
            case |= {name: {"median": statistics.median(ms), "min": min(ms), "max": max(ms)} for name, ms in (("old_ms", old), ("new_ms", new))}
            case |= {"ratio": ratio, "same": same}
            compared = o.backend == "cuda" or words[0] != "map"
            case["compared"] = compared
            mark = "DIFFERS" if not same else "" if not compared else "slower" if ratio > SLOWER else ""
            print(f"{statistics.median(old):10.4f} {statistics.median(new):10.4f} {ratio:7.3f}  {mark:8}{case['command']}",
                  flush=True)
            bad += bool(mark)
        else:
            print(f"{'':30}{case['command']}: {problem}", flush=True)
            bad += 1
        record["cases"].append(case)
        if o.out:
            with open(o.out, "w") as file:
                json.dump(record, file, indent=1)
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
