"""The work of gpu-check.sh: runs the parts one by one and writes one JSON result after each, so that an interrupted
run keeps what was done. Exit status: 0 all passed, 1 a part failed, 2 bad usage, 3 no GPU or no build."""

import argparse
import concurrent.futures
import csv
import datetime
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
BUILD = pathlib.Path(os.environ.get("BUILD_DIR", ROOT / "build" / "release")).resolve()
PROGRAM = BUILD / "fractal-loom"
DEVICE_PROGRAMS = ("cuda_tests", "device_tests", "sliced_tests")  # nothing of which may be skipped
TEST_PROGRAMS = DEVICE_PROGRAMS + ("render_gl_tests", "fault_tests")
SANITIZERS = ("memcheck", "racecheck", "initcheck", "synccheck")
FORMAT = "fractal-loom gpu-check 1"

# Small enough for the sanitizers, and together every kind of scale of the catalogue and odd and even block levels:
# `verify --all` runs every map, block size, arithmetic, intra-block mapping and halo on each. None has a check value,
# whose hundred generations would take minutes under a sanitizer.
SANITIZED = (("vicsek", 3), ("candy", 2), ("chandelier", 3), ("cantor", 4))
# The tests that reach the other kernels (cells in and out, edits, both ways to resolve, steps), without long runs.
SANITIZED_TESTS = "Life.EditsClearsAndAsks:Life.PartsOf*:Life.ReportsWhat*:Resolve.Counts*:Resolve.Outside*"


# Cells as bits from the level on at which several generations are made at once, and two that take whole bytes and two
# groups a word.
SANITIZED_IN_BITS = (("sierpinski-gasket", 11), ("vicsek", 6), ("x-fractal", 6), ("chandelier", 9), ("cantor", 16),
                     ("sierpinski-carpet", 5), ("candy", 4))


class CommandFailed(Exception):
    pass


def run(command, timeout):
    """The finished process of `command`; a time-out counts as a failure."""
    try:
        return subprocess.run([str(word) for word in command], capture_output=True, text=True, timeout=timeout)
    except subprocess.TimeoutExpired:
        raise CommandFailed(f"{command[0]} ran longer than {timeout} s") from None
    except OSError as error:
        raise CommandFailed(f"{command[0]}: {error.strerror}") from None


def last_line(process):
    lines = (process.stderr.strip() or process.stdout.strip()).splitlines()
    return lines[-1] if lines else f"exit status {process.returncode}"


def program_json(arguments, timeout):
    """What fractal-loom prints with --json, and its exit status. Status 1, a failed check, has its JSON too."""
    process = run([PROGRAM, *arguments, "--json"], timeout)
    if process.returncode not in (0, 1):
        raise CommandFailed(last_line(process))
    return json.loads(process.stdout), process.returncode


def commit():
    if "COMMIT" in os.environ:
        return os.environ["COMMIT"]
    process = subprocess.run(["git", "-C", str(ROOT), "describe", "--always", "--dirty", "--abbrev=12"],
                             capture_output=True, text=True, check=False) if shutil.which("git") else None
    return process.stdout.strip() if process and process.returncode == 0 else "unknown (set COMMIT)"


def nvidia_smi():
    fields = ("name", "driver_version", "memory.total", "clocks.sm", "clocks.max.sm", "clocks.mem", "power.limit")
    if shutil.which("nvidia-smi") is None:
        return None
    process = subprocess.run(["nvidia-smi", "--query-gpu=" + ",".join(fields), "--format=csv,noheader"],
                             capture_output=True, text=True, check=False)
    rows = [dict(zip(fields, (part.strip() for part in line.split(",")))) for line in process.stdout.splitlines()]
    return rows if process.returncode == 0 else None


def check_tests(options):
    """Each test program in full. On a machine with a GPU no CUDA test may be skipped."""
    results = {}
    for name in TEST_PROGRAMS:
        path = BUILD / name
        if not path.exists():
            results[name] = {"outcome": "failed", "reason": f"{path} is not built"}
            continue
        with tempfile.TemporaryDirectory() as folder:
            report = pathlib.Path(folder) / "report.json"
            process = run([path, f"--gtest_output=json:{report}"], options.timeout)
            if not report.exists():
                results[name] = {"outcome": "failed", "reason": last_line(process)}
                continue
            suites = json.loads(report.read_text())
        cases = [case for suite in suites["testsuites"] for case in suite["testsuite"]]
        label = lambda case: f"{case['classname']}.{case['name']}"
        failed = [label(case) for case in cases if "failures" in case]
        skipped = [label(case) for case in cases if case["result"] == "SKIPPED"]
        passed = process.returncode == 0 and not failed and not (skipped and name in DEVICE_PROGRAMS)
        results[name] = {"outcome": "passed" if passed else "failed", "tests": len(cases), "failed": failed,
                         "skipped": skipped}
    outcome = "passed" if all(result["outcome"] == "passed" for result in results.values()) else "failed"
    return {"outcome": outcome, "programs": results}


def check_verify(options):
    result, status = program_json(["verify", "--backend", "cuda", "--all", "--level-max", options.verify_level_max],
                                  options.timeout)
    kept = {key: result[key] for key in ("passed", "different", "skipped", "level_min", "level_max", "steps", "rule",
                                         "seed", "density", "backends", "check_values", "sampled", "tensor_fp16", "skips",
                                         "seconds")}
    kept["differences"] = result["differences"][:20]
    return {"outcome": "passed" if status == 0 and result["ok"] else "failed", **kept}


def find_sanitizer():
    on_path = shutil.which("compute-sanitizer")
    usual = pathlib.Path("/usr/local/cuda/bin/compute-sanitizer")
    return on_path or (str(usual) if usual.exists() else None)


def sanitize(sanitizer, tool, name, command, timeout):
    begin = time.monotonic()
    try:
        process = run([sanitizer, "--tool", tool, "--error-exitcode", 99, *command], timeout)
    except CommandFailed as error:
        return {"tool": tool, "case": name, "outcome": "failed", "summary": str(error)}
    summary = re.findall(r"(?:ERROR|RACECHECK) SUMMARY: (.*)", process.stdout + process.stderr)
    clean = bool(summary) and re.match(r"0 (errors|hazards)", summary[-1]) is not None
    return {"tool": tool, "case": name, "exit_status": process.returncode,
            "summary": summary[-1] if summary else last_line(process),
            "outcome": "passed" if process.returncode == 0 and clean else "failed",
            "seconds": round(time.monotonic() - begin, 1)}


def check_sanitizer(options):
    sanitizer = find_sanitizer()
    if sanitizer is None:
        return {"outcome": "failed", "reason": "compute-sanitizer was not found"}
    commands = [(f"verify --all {fractal} level {level}",
                 [PROGRAM, "verify", "--all", "--backend", "cuda", "--fractal", fractal, "--level-min", level,
                  "--level-max", level, "--steps", 2, "--samples", 0])
                for fractal, level in SANITIZED]
    commands += [(f"life in bits {fractal} level {level}",
                  [PROGRAM, "life", "--backend", "cuda", "--fractal", fractal, "--level", level, "--map", "compact", "--storage",
                   "bits", "--rule", rule, "--steps", 5, "--at-once", 4])
                 for fractal, level in SANITIZED_IN_BITS for rule in ("B2/S23", "B02/S13")]
    if (BUILD / "cuda_tests").exists():
        commands.append((f"cuda_tests {SANITIZED_TESTS}", [BUILD / "cuda_tests", f"--gtest_filter={SANITIZED_TESTS}"]))
    # They hardly load the GPU: the time goes into instrumenting kernels, on one core each. Each takes a gigabyte of the GPU.
    with concurrent.futures.ThreadPoolExecutor(max_workers=min(12, max(2, (os.cpu_count() or 2) - 2))) as pool:
        pending = [pool.submit(sanitize, sanitizer, tool, name, command, options.sanitizer_timeout)
                   for tool in SANITIZERS for name, command in commands]
        runs = [entry.result() for entry in pending]
    outcome = "passed" if all(entry["outcome"] == "passed" for entry in runs) else "failed"
    return {"outcome": outcome, "tool": sanitizer, "runs": runs}


TIMED_FIELDS = ("map", "block", "halo", "arithmetic", "intra_block", "step_ms", "tiles_launched", "threads_launched", "threads_active", "bytes",
                "hash")


def time_life(options, level, steps, *arguments):
    result, _ = program_json(["life", "--backend", "cuda", "--fractal", options.fractal, "--level", level, "--steps",
                              steps, *arguments], options.timeout)
    return {field: result[field] for field in TIMED_FIELDS}


def best_by_map(rows):
    best = {}
    for row in rows:
        name = row["map"]
        if name not in best or row["step_ms"]["median"] < best[name]["step_ms"]["median"]:
            best[name] = row
    return best


def check_timing(options):
    """Every map at every block size; all must end in the same state."""
    rows = []
    plain = ["--arithmetic", "loop", "--intra-block", "sub-box"]
    shuffle = ["--arithmetic", "shuffle", "--intra-block", "sub-box"]
    fast = ["--arithmetic", "table", "--intra-block", "lookup"]
    for arguments in (["--map", "bounding-box"], ["--map", "lambda", *plain], ["--map", "lambda", *shuffle],
                      ["--map", "lambda", *fast], ["--map", "compact", "--halo", "on", *shuffle],
                      ["--map", "compact", "--halo", "on", *plain], ["--map", "compact", "--halo", "off", *plain],
                      ["--map", "compact", "--halo", "on", *fast], ["--map", "compact", "--halo", "off", *fast]):
        for block in options.blocks:
            rows.append(time_life(options, options.level, options.steps, *arguments, "--block", block))
    # The plain forms (level by level, bounding sub-box) are compared apart from the fastest ones.
    best = best_by_map(row for row in rows if row["intra_block"] == "sub-box" and row["arithmetic"] != "shuffle")
    fastest = best_by_map(rows)
    median = {name: row["step_ms"]["median"] for name, row in best.items()}
    least = {name: row["step_ms"]["median"] for name, row in fastest.items()}
    ratios = {
        "bounding_box_over_lambda": median["bounding-box"] / median["lambda"],
        "bounding_box_over_compact": median["bounding-box"] / median["compact"],
        "compact_over_lambda": median["compact"] / median["lambda"],
        "bounding_box_over_fastest_lambda": least["bounding-box"] / least["lambda"],
        "bounding_box_over_fastest_compact": least["bounding-box"] / least["compact"],
        "bytes_bounding_box_over_compact":
            {str(box["block"]): box["bytes"] / compact["bytes"] for box in rows if box["map"] == "bounding-box"
             for compact in rows if compact["map"] == "compact" and compact["block"] == box["block"]},
    }
    same = len({row["hash"] for row in rows}) == 1
    return {"outcome": "passed" if same else "failed", "fractal": options.fractal, "level": options.level,
            "steps": options.steps, "same_hash": same, "best": best, "fastest": fastest, "ratios": ratios, "rows": rows}


def check_large(options):
    """The highest level that only the compact map holds."""
    try:
        row = time_life(options, options.large_level, 10, "--map", "compact", "--block", max(options.blocks[:5]))
    except CommandFailed as error:
        return {"outcome": "skipped", "reason": str(error), "level": options.large_level}
    return {"outcome": "passed", "fractal": options.fractal, "level": options.large_level, "steps": 10, **row}


BITS_FIELDS = ("fractal", "level", "map", "storage", "rule", "at_once", "step_ms", "bytes", "population", "hash",
               "threads_launched", "threads_active")

# Levels whose two generations take a gigabyte or more, where a step is as fast as memory is.
LARGE_IN_BITS = {"sierpinski-gasket": 21, "sierpinski-carpet": 11, "vicsek": 14, "x-fractal": 14, "h-fractal": 12,
                 "empty-bottles": 12, "candy": 9, "chandelier": 16, "cantor": 33}


def time_bits(options, fractal, level, steps, *arguments):
    result, _ = program_json(["life", "--backend", "cuda", "--fractal", fractal, "--level", level, "--steps", steps,
                              *arguments], options.timeout)
    return {field: result[field] for field in BITS_FIELDS}


def check_bits(options):
    """Cells as bits: equal to bytes, and how fast at the levels that bits are for."""
    bits, bytes_ = ("--map", "compact", "--storage", "bits"), ("--map", "compact", "--storage", "bytes")
    pairs = []
    for fractal, large in LARGE_IN_BITS.items():
        level = large * 2 // 3
        pairs.append([time_bits(options, fractal, level, 20, "--rule", "B23/S0234", *storage)
                      for storage in (bits, bytes_, (*bits, "--at-once", 20))])
    rows = [time_bits(options, "sierpinski-gasket", level, 60, *bits) for level in (16, 18, 20, 22, 23, 24)]
    rows += [time_bits(options, fractal, level, 30, *bits) for fractal, level in LARGE_IN_BITS.items()]
    rows += [time_bits(options, "sierpinski-gasket", 16, 30, "--map", "bounding-box", "--storage", storage)
             for storage in ("bits", "bytes")]
    for row in rows:
        row["terabytes_a_second"] = row["bytes"] / row["step_ms"]["median"] * 1e-9
    # Several generations a launch, where that pays; the last with a rule that no kernel is compiled for.
    at_once = [time_bits(options, "sierpinski-gasket", level, 64, "--at-once", 16, *bits) for level in (16, 18, 20, 22, 24)]
    at_once += [time_bits(options, fractal, level, 96, "--at-once", 16, *bits) for fractal, level in LARGE_IN_BITS.items()]
    at_once += [time_bits(options, "sierpinski-gasket", 20, 96, "--at-once", times, *bits) for times in (2, 4, 8, 32)]
    at_once += [time_bits(options, "sierpinski-gasket", 20, 96, "--at-once", 16, "--rule", "B36/S23", *bits)]
    same = all(row["hash"] == pair[0]["hash"] for pair in pairs for row in pair) and rows[-1]["hash"] is not None
    return {"outcome": "passed" if same else "failed", "against_bytes": pairs, "rows": rows, "at_once": at_once}


def timed_rows(value):
    """Every dictionary within a result that has the time of a step, by what it is of."""
    if isinstance(value, list):
        value = dict(enumerate(value))
    if not isinstance(value, dict):
        return {}
    if isinstance(value.get("step_ms"), dict):
        fields = ("fractal", "level", "map", "storage", "block", "halo", "arithmetic", "intra_block")
        key = tuple((name, value.get(name)) for name in fields) + (("at_once", value.get("at_once", 1)),)
        return {key: value["step_ms"]["median"]}
    return {key: time for part in value.values() for key, time in timed_rows(part).items()}


def slower_than(before, now):
    """What takes more than 5 % longer than in an earlier result of the same kind of machine."""
    kind = lambda result: [device["name"] for device in result["machine"]["cuda"]["devices"]]
    if kind(before) != kind(now):
        return f"not compared: {kind(before)} is another kind of machine than {kind(now)}"
    old = timed_rows(before["parts"])
    return [{"what": {name: of for name, of in key if of is not None}, "before_ms": old[key], "now_ms": time}
            for key, time in timed_rows(now["parts"]).items() if key in old and time > 1.05 * old[key]]


# What the profiler counts of a kernel's loads and stores in global memory, and what the lens calls it.
COUNTERS = {f"l1tex__t_{counter}_pipe_lsu_mem_global_op_{op}.sum": (name, counter)
            for op, name in (("ld", "loads"), ("st", "stores")) for counter in ("requests", "sectors")}


def find_profiler():
    on_path = shutil.which("ncu")
    usual = pathlib.Path("/usr/local/cuda/bin/ncu")
    return on_path or (str(usual) if usual.exists() else None)


def profile_step(profiler, options, arguments):
    """Requests and sectors of the kernel of one generation: {"loads": {"requests": ...}, "stores": {...}}, its name."""
    process = run([profiler, "--clock-control", "none", "--csv", "--kernel-name", "regex:^life_", "--launch-count", 1,
                   "--metrics", ",".join(COUNTERS), PROGRAM, "life", "--backend", "cuda", "--steps", 1, *arguments],
                  options.timeout)
    lines = [line for line in process.stdout.splitlines() if line.startswith('"')]
    if not lines:
        raise CommandFailed(f"{profiler}: {last_line(process)}")
    counted, kernel = {"loads": {}, "stores": {}}, ""
    for row in csv.DictReader(lines):
        if row["Metric Name"] in COUNTERS:
            name, counter = COUNTERS[row["Metric Name"]]
            counted[name][counter] = int(float(row["Metric Value"].replace(",", "")))
            kernel = row["Kernel Name"]
    if any(len(figures) != 2 for figures in counted.values()):
        raise CommandFailed(f"{profiler} did not count all of {', '.join(COUNTERS)}")
    return counted, kernel


def compare_with_lens(row):
    """Whether lens and profiler agree within 1 %: stores always, loads where the lens leaves nothing out. Of loads in
    chunks of 16 bytes a lane that begin within a sector, as thread blocks of the compact map that stage their tiles copy
    them, the profiler counts up to a fortieth more sectors than they touch."""
    row["sectors_per_request"] = {
        name: {who: row[who][name]["sectors"] / max(1, row[who][name]["requests"]) for who in ("lens", "profiler")}
        for name in ("loads", "stores")}
    row["left_out_loads"] = {counter: row["profiler"]["loads"][counter] - row["lens"]["loads"][counter]
                             for counter in ("requests", "sectors")}
    within_sectors = row["profiled_kernel"] == "life_compact_rows_kernel"

    def near(name):
        for counter in ("requests", "sectors"):
            more = row["profiler"][name][counter] - row["lens"][name][counter]
            allowed = 0.025 if within_sectors and (name, counter) == ("loads", "sectors") and more > 0 else 0.01
            if abs(more) > allowed * row["profiler"][name][counter]:
                return False
        return True

    whole = row["left_out"] == "nothing"
    return near("stores") and (near("loads") if whole else all(value >= 0 for value in row["left_out_loads"].values()))


def check_lens(options):
    """The warp lens' totals against the profiler's, of one generation of life under every map."""
    profiler = find_profiler()
    if profiler is None:
        return {"outcome": "failed", "reason": "ncu (Nsight Compute) was not found"}
    rows = []
    for method in (["bounding-box"], ["lambda", "--arithmetic", "loop"], ["lambda", "--arithmetic", "table"],
                   ["compact", "--arithmetic", "loop", "--halo", "off"], ["compact", "--arithmetic", "loop", "--halo", "on"],
                   ["compact", "--arithmetic", "table", "--halo", "off"]):
        for block in options.lens_blocks:
            arguments = ["--fractal", options.fractal, "--level", options.lens_level, "--map", *method, "--block", block]
            lens, _ = program_json(["lens", *arguments], options.timeout)
            counted, kernel = profile_step(profiler, options, arguments)
            row = {key: lens[key] for key in ("map", "block", "arithmetic", "intra_block", "halo", "kernel", "warps", "exact",
                                              "left_out")}
            row["profiled_kernel"] = re.search(r"life_\w+", kernel).group()
            row["lens"] = {name: {counter: lens[name][counter] for counter in ("requests", "sectors")}
                           for name in ("loads", "stores")}
            row["profiler"] = counted
            row["agrees"] = compare_with_lens(row)
            rows.append(row)
    agree = all(row["agrees"] and row["exact"] for row in rows)
    return {"outcome": "passed" if agree else "failed", "tool": profiler, "fractal": options.fractal,
            "level": options.lens_level, "rows": rows}


LANES = "smsp__thread_inst_executed_per_inst_executed.ratio"


def check_divergence(options):
    """Lanes of a warp at work in the exhaustive kernel: counted from the dwells, and as the profiler counts them over all
    instructions, those outside of the loop too. They are few next to the loop where all pixels run it: without `interior`."""
    profiler = find_profiler()
    if profiler is None:
        return {"outcome": "failed", "reason": "ncu (Nsight Compute) was not found"}
    rows = []
    for shape in ("32x1", "8x4", "16x16", "64x8", "4x8"):
        arguments = ["mandelbrot", "--method", "exhaustive", "--backend", "cuda", "--size", options.divergence_size,
                     "--ideas", "none", "--block-shape", shape]
        counted, _ = program_json([*arguments, "--divergence"], options.timeout)
        process = run([profiler, "--clock-control", "none", "--csv", "--kernel-name", "regex:^exhaustive_", "--launch-count",
                       1, "--metrics", LANES, PROGRAM, *arguments], options.timeout)
        lines = [line for line in process.stdout.splitlines() if line.startswith('"')]
        if not lines:
            raise CommandFailed(f"{profiler}: {last_line(process)}")
        profiled = float(next(csv.DictReader(lines))["Metric Value"].replace(",", ""))
        lanes = 32 * (1 - counted["divergence"]["total"]["idle_fraction"])
        rows.append({"block_shape": shape, "divergence": counted["divergence"]["total"], "lanes_counted": lanes,
                     "lanes_profiled": profiled, "ratio": profiled / lanes})
    near = all(abs(row["ratio"] - 1) <= 0.05 for row in rows)
    return {"outcome": "passed" if near else "failed", "size": options.divergence_size, "rows": rows}


def check_timeline(options):
    """When which thread block ran where: life under every map, and the Mandelbrot set by every method."""
    rows = []
    for name in ("bounding-box", "lambda", "compact"):
        for block in options.timeline_blocks:
            row, _ = program_json(["timeline", "--backend", "cuda", "--fractal", options.fractal, "--level", options.level,
                                   "--map", name, "--block", block], options.timeline_timeout)
            rows.append(row)
    for method in ("exhaustive", "dp", "ask"):
        for scheme in ("sbr", "mbr")[:1 if method == "exhaustive" else 2]:
            row, _ = program_json(["timeline", "--workspace", "mandelbrot", "--backend", "cuda", "--method", method,
                                   "--scheme", scheme, "--size", options.timeline_size, "--spans", 1 << 20],
                                  options.timeline_timeout)
            rows.append(row)
    # Whatever was recorded: no multiprocessor held more than the calculator allows, and all of the work is there. Thread
    # blocks that launch from the device go on with one thread when their other warps have ended, and may make room early.
    fits = all(row["figures"]["most_at_once"] <= row["figures"]["slots"] for row in rows if row.get("method") != "dp")
    whole = all(row["figures"]["spans"] == row["spans_kept"] + row["spans_left_out"] for row in rows)
    return {"outcome": "passed" if fits and whole else "failed", "rows": rows}


PARTS = {"tests": check_tests, "verify": check_verify, "sanitizer": check_sanitizer, "timing": check_timing,
         "large": check_large, "bits": check_bits, "lens": check_lens, "divergence": check_divergence,
         "timeline": check_timeline}


def parse_options():
    parser = argparse.ArgumentParser(prog="gpu-check.sh", description="Check a build of Fractal Loom on a GPU.",
                                     formatter_class=argparse.ArgumentDefaultsHelpFormatter)
    parser.add_argument("--out", type=pathlib.Path, default=pathlib.Path("gpu-check.json"), help="the JSON result")
    parser.add_argument("--parts", nargs="+", choices=PARTS, default=list(PARTS), help="which parts to run")
    parser.add_argument("--against", type=pathlib.Path, help="an earlier result: says what became slower by more than 5 %%")
    parser.add_argument("--fractal", default="sierpinski-gasket", help="the fractal that is timed")
    parser.add_argument("--level", type=int, default=16, help="the level that is timed")
    parser.add_argument("--large-level", type=int, default=20, help="a level for the compact map alone")
    parser.add_argument("--blocks", type=int, nargs="+", default=[1, 2, 4, 8, 16, 32], help="block sizes that are timed")
    parser.add_argument("--steps", type=int, default=50, help="generations that are timed")
    parser.add_argument("--lens-level", type=int, default=10, help="the level at which lens and profiler are compared")
    parser.add_argument("--lens-blocks", type=int, nargs="+", default=[4, 8, 16], help="block sizes that are compared")
    parser.add_argument("--divergence-size", default="1024x1024", help="the Mandelbrot image of the divergence")
    parser.add_argument("--timeline-blocks", type=int, nargs="+", default=[4, 8, 16], help="block sizes of timelines")
    parser.add_argument("--timeline-size", default="4096x4096", help="the Mandelbrot image of timelines")
    parser.add_argument("--timeline-timeout", type=int, default=60, help="seconds that one timeline may take")
    parser.add_argument("--verify-level-max", type=int, default=6, help="highest level that verify checks")
    parser.add_argument("--sanitizer-timeout", type=int, default=200, help="seconds that one sanitizer run may take")
    parser.add_argument("--timeout", type=int, default=600, help="seconds that one command may take")
    return parser.parse_args()


def refuse(reason):
    print(f"gpu-check: {reason}", file=sys.stderr)
    return 3


def main():
    options = parse_options()
    if not PROGRAM.exists():
        return refuse(f"{PROGRAM} is not built; set BUILD_DIR to the folder of the built programs")
    try:
        info, _ = program_json(["info"], options.timeout)
    except CommandFailed as error:
        return refuse(f"fractal-loom info: {error}")
    if not info["cuda"]["available"]:
        return refuse(f"no CUDA device ({info['cuda']['reason']})")
    result = {"format": FORMAT, "date": datetime.datetime.now(datetime.timezone.utc).isoformat(timespec="seconds"),
              "commit": commit(), "machine": info, "nvidia_smi": nvidia_smi(), "parts": {}, "ok": False}
    failed = []
    for name in options.parts:
        print(f"== {name}", flush=True)
        begin = time.monotonic()
        try:
            part = PARTS[name](options)
        except CommandFailed as error:
            part = {"outcome": "failed", "reason": str(error)}
        part["part_seconds"] = round(time.monotonic() - begin, 1)
        result["parts"][name] = part
        if part["outcome"] == "failed":
            failed.append(name)
        print(f"   {part['outcome']} in {part['part_seconds']} s", part.get("reason", ""), flush=True)
        result["ok"] = not failed and len(result["parts"]) == len(options.parts)
        options.out.parent.mkdir(parents=True, exist_ok=True)
        options.out.write_text(json.dumps(result, indent=1) + "\n")
    if "timing" in result["parts"] and "ratios" in result["parts"]["timing"]:
        timing = result["parts"]["timing"]
        for row in (*timing["best"].values(), *timing["fastest"].values()):
            print(f"   {row['map']} {row['arithmetic']} {row['intra_block']}: block {row['block']}, "
                  f"{row['step_ms']['median']:.3f} ms a generation")
        print("   ratios:", json.dumps(timing["ratios"]))
    if options.against:
        result["slower"] = slower_than(json.loads(options.against.read_text()), result)
        options.out.write_text(json.dumps(result, indent=1) + "\n")
        print("   slower:", json.dumps(result["slower"], indent=1))
    print(f"== {'passed' if not failed else 'FAILED: ' + ', '.join(failed)}; result in {options.out}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
