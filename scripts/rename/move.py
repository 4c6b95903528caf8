#!/usr/bin/env python3
"""move.py TREE : moves folders and files to the target tree and adapts paths in includes, CMake, scripts, tests, docs."""
import re, subprocess, sys, os
os.chdir(sys.argv[1])
run = lambda *a: subprocess.run(a, capture_output=True, text=True, check=True).stdout
DIRS = [("app/life","app/workspaces/life"),("app/mandelbrot","app/workspaces/mandelbrot"),
        ("app/sketch","app/explain/diagram"),("app/teach","app/explain"),
        ("app/scene","app/document/scene"),("app/places","app/document/bookmarks"),
        ("app/picture","app/document/image"),("app/film","app/document/video"),
        ("compute/split","compute/distributed"),("compute/cuda/split","compute/cuda/distributed"),
        ("tests/sketch","tests/diagram"),("tests/teach","tests/explain")]
OPT = "cut_options dwell_colour_options device_selection life_view_options mandelbrot_options mandelbrot_scene_options picture_options image_options scene_options read_number output_option typed_options open_scene".split()
PROG = "program program_bookmark_host program_image_host program_lesson_host program_scene_host lesson_scene lesson_changes lesson_check scene_command".split()
FILES = [(f"app/cli/{n}.{e}", f"app/cli/options/{n}.{e}") for n in OPT for e in ("h","cpp")] + \
        [(f"app/cli/{n}.{e}", f"app/program/{n}.{e}") for n in PROG for e in ("h","cpp")]
mapping = {}
listed = [f for f in run("git","ls-files").split("\n") if f]
for f in listed:
    for a, b in FILES:
        if f == a: mapping[f] = b
    for a, b in DIRS:
        if f.startswith(a + "/"): mapping[f] = b + f[len(a):]
for a, b in mapping.items():
    os.makedirs(os.path.dirname(b), exist_ok=True)
    os.rename(a, b)
run("git","add","-A")
# full paths first, then folder prefixes
skip = ("bench/results","docs/images","tests/fuzz/corpus","CHANGELOG.md","scripts/rename")
full = re.compile("(?<![\\w/])(" + "|".join(re.escape(a) for a in sorted(mapping, key=len, reverse=True)) + ")(?![\\w])")
dirs = re.compile("(?<![\\w/])(" + "|".join(re.escape(a) for a, _ in sorted(DIRS, key=lambda d: -len(d[0]))) + ")(?=[/`\"' ),.;*]|$)", re.M)
dmap = dict(DIRS)
for f in run("git","ls-files").split("\n"):
    if not f or f.startswith(skip): continue
    try: s = open(f, encoding="utf-8").read()
    except Exception: continue
    r = full.sub(lambda t: mapping[t.group(1)], s)
    r = dirs.sub(lambda t: dmap[t.group(1)], r)
    if r != s: open(f,"w",encoding="utf-8").write(r)
