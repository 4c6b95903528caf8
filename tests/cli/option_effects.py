#!/usr/bin/env python3
"""Every option does something: option_effects.py PROGRAM

Runs each subcommand with each option that it declares, once with and once without it, and compares exit status, what is
printed and the files that are written (times and other measured numbers aside). An option must change something, or be
refused with status 2, or stand in the table of those that choose how a result is computed and not what it is: then a
wrong value must be refused. An option that is in no table fails, so that a new one needs its line. A run that is done
twice alike must leave the same behind, or nothing could be concluded from a difference. view is run on a display of its
own, for a few frames, and left out where there is no Xvfb.

Then each option is tried alone with each mode of its subcommand: an option or two that decide what others mean. There, too,
some value changes something, or the option is refused with a reason: "has no effect", "excludes", "requires". What only
repeats the option (the rule in JSON) is no effect. Exit 1 with the options that did nothing.
"""

import concurrent.futures
import functools
import hashlib
import json
import os
import re
import subprocess
import sys
import tempfile
import threading

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "ui"))
from window import Display, Skipped  # noqa: E402

# What each subcommand is run with; {} is a folder of its own.
BASE = {
    "shot": "--plain --backend cpu --level 4 --size 96x64 --steps 2 --out {}/a.png --json",
    "video": "--backend cpu --level 4 --size 32x32 --seconds 0.1 --out {}/a.png --json",
    "life": "--backend cpu --level 4 --steps 2 --json",
    "mandelbrot": "--backend cpu --size 64x64 --dwell 100 --png {}/a.png --hash --json",
    "volume": "--backend cpu --size 20 --dwell 30 --g 2 --b 4 --picture 30x20 --png {}/a.png --json",
    "model": "--json",
    "verify": "--backend cpu --fractal vicsek --level-max 1 --steps 2 --json",
    "bench": "--backend cpu --level 1,2 --block 1 --map lambda --max-samples 1 --max-seconds 0.001 --json",
    "plot": "{files}/results.json --kind time --best --out {}/a.svg --json",
    "lesson": "",
    "figure": "--backend cpu --level 4 --block 2 --out {}/a.svg --json",
    "timeline": "--backend cpu --json",
    "lens": "--level 5 --block 4 --json",
    "info": "--json",
    "export": "--cuda {}/a.cu --level 4 --json",
    "manual": "",
    "view": "--backend cpu --level 4 --size 320x240 --frames 4 --json",
}
# What is seen where an option's name stands for something that the base run of its subcommand has not: a second control.
ALSO_TWICE = {"timeline": ["--backend cpu --json --workspace mandelbrot"], "mandelbrot": ["--backend cpu --size 64x64 --dwell 100 --divergence --json"],
              "view": ["--backend cpu --size 320x240 --frames 4 --json --workspace mandelbrot"]}
DWELLS = "--workspace mandelbrot !--level !--steps"
# A value for each option, then what else it needs to mean something; "-" is a flag.
SAMPLES = {
    "--fractal": "vicsek", "--fractal-file": "{files}/own.toml", "--open": "{files}/scene.loom !--level !--block", "--level": "3",
    "--map": "compact", "--storage": "bits --map compact", "--halo": "off --map compact", "--arithmetic": "loop", "--counting": "direct --rule Bugs",
    "--intra-block": "sub-box", "--tiles": "1 --block 4", "--block": "4", "--workload": "single-write", "--reduction": "tensor --workload reduction",
    "--rule": "B3/S23", "--seed": "7", "--density": "0.1", "--backend": "cuda", "--device": "0", "--devices": "2 --map compact --level 6",
    "--palette": "magma", "--colour-by": "block", "--panes": "maps", "--exercise": "lambda !--level", "--thread": "0,15", "--json": "-", "--size": "80x60",
    "--ideas": "none", "--ui-scale": "2 !--plain", "--workspace": "mandelbrot !--level !--steps", "--view": "-0.7,0.1,0.5 " + DWELLS, "--center": "-0.75,0.1 --width 0.01 " + DWELLS,
    "--width": "0.02 --center -0.75,0.1 " + DWELLS, "--angle": "30 " + DWELLS, "--method": "exhaustive " + DWELLS,
    "--formula": "tricorn " + DWELLS, "--formula-file": "{files}/formula.cu " + DWELLS, "--power": "4 --formula multibrot " + DWELLS, "--julia": "-0.4,0.6 " + DWELLS, "--fill": "interior " + DWELLS,
    "--scheme": "mbr " + DWELLS, "--g": "8 " + DWELLS, "--r": "4 " + DWELLS, "--b": "4 " + DWELLS, "--dwell": "20 " + DWELLS,
    "--block-shape": "32x8 " + DWELLS, "--precision": "double --view -0.7436,0.1318,0.0005 --dwell 3000 " + DWELLS,
    "--colouring": "bands " + DWELLS, "--cycle": "3 " + DWELLS, "--interior": "white " + DWELLS, "--points": "2 " + DWELLS,
    "--space": "mandelbulb " + DWELLS, "--regions": "levels " + DWELLS, "--automatic": "on " + DWELLS, "--every-frame": "- " + DWELLS, "--timeline": "- " + DWELLS,
    "--model": "- " + DWELLS, "--region": "1,1,5,5", "--zoom": "2", "--pan": "2,1", "--out": "{}/b.png", "--steps": "1",
    "--no-panels": "- !--plain --size 640x480", "--plain": "-", "--bench": "scene !--plain !--steps", "--fps": "20", "--seconds": "0.2", "--at-once": "2",
    "--to": "0.3,0,0.1 " + DWELLS, "--force": "-", "--save": "{}/b.loom", "--pattern": "{files}/block.rle", "--at": "1,1 --pattern {files}/block.rle",
    "--shares": "1,3 --devices 2 --map compact --level 8", "--runs": "2", "--npy": "{}/a.npy", "--png": "{}/b.png",
    "--check": "-", "--divergence": "-", "--hash": "-", "--n": "2048", "--dimensions": "3", "--p": "0.3", "--lambda": "5", "--q": "7", "--c": "9",
    "--search": "-", "--level-min": "1", "--level-max": "2", "--all": "-", "--samples": "1 --all", "--csv": "{}/a.csv",
    "--kind": "memory", "--best": "-", "--list": "-", "--print": "-", "--fields": "-", "--controls": "-", "--show": "threads",
    "--theme": "light !--plain --size 640x480", "--compare": "- !--plain --size 640x480 " + DWELLS, "--show-me": "- !--level",
    "--cuda": "{}/b.cu", "--cpp": "{}/a.cpp", "--headers": "{}/headers", "--neighbour": "left --show steps --map compact", "--text-size": "20", "--spans": "2", "--warps": "1", "--licenses": "-", "--energy": "-",
}
OF_SET = " --size 32,64 !--level !--block !--map"
OWN = {
    "video": {"--force": "- --out {files}/old.mp4", "--steps": "3"},
    "mandelbrot": {"--open": "{files}/place.kfr", "--formula": "tricorn", "--formula-file": "{files}/formula.cu", "--power": "4 --formula multibrot", "--julia": "-0.4,0.6", "--method": "exhaustive", "--g": "4", "--r": "4", "--b": "4", "--scheme": "mbr", "--dwell": "20", "--block-shape": "32x8",
                   "--precision": "double", "--fill": "interior", "--ideas": "none", "--window": "-1,0,-0.5,0.5", "--devices": "2", "--automatic": "-",
                   "--colouring": "bands", "--cycle": "3", "--interior": "white", "--points": "2",
                   "--center": "-0.75,0.1 --width 0.01", "--width": "0.02 --center -0.75,0.1", "--angle": "30", "--check-samples": "10",
                   "--seed": "7 --check-samples 40 --window -0.755,-0.745,0.095,0.105 --dwell 3000", "--find-nucleus": "- --center -1.75,0 --width 0.1 !--png !--hash"},
    "model": {"--g": "4 --r 2 --b 8", "--r": "4 --g 4 --b 8", "--b": "4 --g 4 --r 2", "--dwell": "100", "--search": "-", "--measure": "- --size 64 --backend cpu",
              "--size": "128 --measure --backend cpu", "--backend": "cuda --measure", "--device": "0 --measure"},
    "verify": {"--level-max": "2", "--fractal": "cantor", "--fractal-file": "{files}/own.toml ^--fractal"},
    "bench": {"--preset": "paper-lambda --level 1", "--level": "3", "--map": "compact", "--storage": "bytes", "--tiles": "1", "--devices": "2 --map compact",
              "--device-list": "0", "--size": "16 --dwell 20 !--level !--block !--map", "--method": "ask" + OF_SET, "--scheme": "mbr" + OF_SET, "--ideas": "none" + OF_SET,
              "--g": "4" + OF_SET, "--r": "4" + OF_SET, "--b": "4" + OF_SET, "--dwell": "20" + OF_SET, "--precision": "double" + OF_SET,
              "--center": "-0.75,0.1" + OF_SET, "--width": "0.5" + OF_SET,
              "--space": "mandelbulb --g 4 --b 4" + OF_SET, "--order": "morton --space mandelbulb --method ask --g 4 --b 4" + OF_SET,
              "--size-min": "64" + OF_SET, "--size-max": "32" + OF_SET, "--repeats": "2", "--max-samples": "2", "--max-seconds": "0.002",
              "--clock": "wall", "--level-min": "2", "--level-max": "1", "--block": "2", "--out": "{}/a.json", "--shard": "1/2",
              "--resume": "-", "--merge": "{files}/results.json", "--yes": "-", "--halo": "off --map compact",
              "--force": "- --out {files}/old.json", "--fractal-file": "{files}/own.toml"},
    "plot": {"--against": "{files}/results.json --kind speedup", "--map": "compact", "--block": "2", "--level": "2", "--out": "{}/b.svg", "--devices": "2", "--best": "-",
             "--over": "g", "--space": "mandelbulb", "--order": "morton", "--p": "0.5", "--lambda": "10", "--q": "4", "--c": "4"},
    "lesson": {"--json": "- --list", "--print": "- lambda", "--check": "- lambda", "--handout": "{}/b.pdf lambda", "--scores": "{}/b.csv lambda",
               "--solutions": "- lambda --handout {}/b.pdf"},
    "figure": {"--fractal": "vicsek --block 3", "--workload": "single-write --steps 3", "--rule": "B3/S23 --steps 3", "--arithmetic": "loop --show steps",
               "--intra-block": "sub-box --show steps", "--reduction": "tensor --workload reduction --steps 1", "--steps": "3", "--tiles": "3",
               "--halo": "off --map compact --show lens --thread 0,15", "--out": "{}/b.svg"},
    "timeline": {"--center": "-0.75,0.1 --width 0.01 " + DWELLS, "--width": "0.02 --center -0.75,0.1 " + DWELLS, "--block-shape": "32x8 " + DWELLS, "--precision": "double " + DWELLS, "--fill": "interior " + DWELLS, "--ideas": "none " + DWELLS,
                 "--window": "-1,0,-0.5,0.5 " + DWELLS, "--size": "64x64 " + DWELLS, "--out": "{}/a.json", "--spans": "2 --level 12 --block 4"},
    "volume": {"--set": "quaternion-julia", "--formula-file": "{files}/space.cu", "--c": "0,0.5,0,0 --set quaternion-julia", "--box": "0,1,0,1,0,1", "--size": "16", "--dwell": "20", "--method": "exhaustive !--g !--b",
               "--g": "4", "--r": "3 !--g --g 2", "--b": "1", "--order": "morton", "--power": "3", "--runs": "2", "--npy": "{}/a.npy", "--png": "{}/b.png !--picture", "--picture": "40x20",
               "--surface": "9", "--turn": "30,10", "--scheme": "mbr", "--colour-by": "level", "--cut-axis": "x", "--cut": "0.6 --cut-axis x", "--boxes": "-",
               "--misses": "- --check --set quaternion-julia --c 0,0,0,0 --box=-4,4,-4,4,-4,4 --g 1 --b 20 !--g !--b"},
    "lens": {"--block": "8", "--fractal": "vicsek --block 3"},
    "manual": {"--out": "{}/pages"},
}
OWN["view"] = {"--fractal": "vicsek --block 3", "--level": "3", "--ui-scale": "2", "--frames": "2", "--steps": "3", "--lesson": "lambda !--level",
               "--trace-state": "-", "--paused": "-", "--no-config": "-", "--open": "{files}/scene.loom !--level", "--bench": "scene"}
# These choose how a result is computed, not what it is.
HOW = {"map run": "--time-limit", "map check": "--time-limit", "video": "--map --storage --halo --counting --arithmetic --intra-block --tiles --block --reduction --devices --method --scheme --g --r --b --block-shape --fill",
       "figure": "--reduction"}
# Refused as they are here: what they name is not there, or means nothing beside the rest.
REFUSED = {"bench": "--device --device-list --devices --resume --merge", "plot": "--arithmetic --intra-block --fractal --workload --backend --devices --method --ideas --scheme --g --r --b --dwell --precision --size --width --space --order --over --p --lambda --q --c",
           "figure": "--storage", "lens": "--storage --counting", "timeline": "--storage", "export": "--storage --workload --reduction", "volume": "--scheme"}
# Seen elsewhere: --yes in sweeps of over 100000 configurations, --device where there are GPUs; --search is the default; a window
# that is run for figures neither reads nor writes what is kept (ui.habits and ui.two_windows see --no-config).
UNSEEN = {"bench": "--yes", "info": "--device", "model": "--search", "view": "--no-config"}
# Refused with status 3 where the machine has no GPU.
LACKS = ("--backend", "--device")

# What each subcommand is run with where its modes are tried: less, so that nothing hides what is missing.
MODE_BASE = {
    "shot": "--plain --backend cpu --level 3 --size 40x30 --out {}/a.png --json",
    "video": "--backend cpu --level 3 --size 16x16 --seconds 0.1 --out {}/a.png --json",
    "life": "--backend cpu --level 4 --block 2 --steps 2 --json",
    "mandelbrot": "--backend cpu --size 32x32 --dwell 60 --json",
    "verify": "--backend cpu --level-max 1 --steps 2 --fractal vicsek --json",
    "bench": "--backend cpu --max-samples 1 --max-seconds 0.001 --json",
    "figure": "--backend cpu --level 4 --block 2 --out {}/a.svg --json",
    "map run": "{files}/map.cu --backend cpu --level 3 --json",
    "map check": "{files}/map.cu --backend cpu --exercise rows --json",
    "map exercises": "",
    "export": "--cuda {}/a.cu --level 4 --block 2 --json", "lesson": "", "manual": "", "info": "", "lens": "--level 4 --json", "timeline": "--backend cpu --level 4 --json", "plot": BASE["plot"], "model": "--json",
    "volume": "--backend cpu --size 12 --dwell 20 --json",
}
SOLID = "--fractal menger-sponge --level 1 --block 1"
MAPS = "--map bounding-box|--map lambda|--map compact|--map compact --storage bits|--map bounding-box --storage bits"
WORK = "--workload single-write|--workload reduction"
SETS = "--method exhaustive|--method dp|--method ask"
MODES = {
    "life": f"|{MAPS}|{WORK}|{SOLID}|--fractal menger-sponge --workload reduction --level 1 --block 1|--pattern {{files}}/block.rle"
            "|--open {files}/scene.loom !--level !--block|--map compact --devices 2 --level 6|--fractal-file {files}/own.toml|--steps 0",
    "mandelbrot": f"|{SETS}|--find-nucleus --center=-1.75,0.03 --width 0.1|--center=-0.75,0.1 --width 0.01|--png {{}}/b.png|--npy {{}}/b.npy|--check"
                  "|--check-samples 9|--png {}/b.png --colouring histogram|--hash|--divergence|--devices 2 --hash|--automatic",
    "volume": f"|{SETS}|--set quaternion-julia|--png {{}}/b.png --picture 40x30|--npy {{}}/b.npy|--check",
    "shot": f"|--workspace mandelbrot !--level|--workspace mandelbrot --method exhaustive !--level|{SOLID}|--open {{files}}/scene.loom !--level"
            "|--workspace solid !--level",
    "video": f"|--workspace mandelbrot !--level|--fractal menger-sponge --level 2 --block 1|--show-me !--level|--open {{files}}/scene.loom !--level",
    "export": f"|--map bounding-box|--map lambda|--map compact|{SOLID}|--fractal-file {{files}}/own.toml",
    "verify": "|--all --samples 0|--fractal octahedral",
    "bench": "--level 1,2 --block 1|--level 1,2 --block 1 --map lambda|--level 1,2 --block 1 --map bounding-box|--level 1,2 --block 1 --map compact --storage bits"
             "|--level 1,2 --block 1 --workload reduction|--level 1,2 --block 1 --workload single-write|--level 1,2 --block 1 --fractal menger-sponge"
             "|--size 16,32 --dwell 20 --method exhaustive|--size 16,32 --dwell 20 --method ask|--merge {files}/results.json --json !--backend !--max-samples !--max-seconds",
    "figure": "|--show threads|--show memory|--show steps|--show steps --map compact|--show fragments --arithmetic tensor-1|--show timeline|--show lens"
              "|--map compact|--colour-by block|--show steps --out {}/b.csv",
    "timeline": "|--map bounding-box|--map lambda|--map compact|--workspace mandelbrot --size 32x32 !--level|--workspace mandelbrot --size 32x32 --method exhaustive !--level",
    "lens": "|--map bounding-box|--map lambda|--map compact",
    "plot": "|--kind memory|--kind utilization|--best",
    "map run": "|--measure|--fractal vicsek",
    "map check": "|--csv !--json",
    "map exercises": "|--starter lambda|--json",
    "lesson": "--list|--print|--fields|--controls|--print lambda",
    "manual": "|--json|--out {}/pages",
    "info": "|--licenses",
    "model": "|--search|--g 4 --r 2 --b 8",
}
# Values that are tried with modes, alone and separated by "|"; others of SAMPLES and OWN without what they need.
VALUES = {
    "--level": "2", "--block": "1|4|3", "--tiles": "1|2|3|4|9|1 --block 4", "--halo": "off|on", "--arithmetic": "loop|table", "--intra-block": "unrolled|linear|lookup|sub-box",
    "--storage": "bits|bytes|bits --map compact", "--reduction": "tensor|warp", "--seed": "7|7 --steps 0|7 --density 0.4", "--density": "0.1|0.1 --steps 0", "--fractal": "cantor|vicsek|vicsek --block 3|vicsek --level 2 --block 3",
    "--steps": "1|0|3", "--thread": "0,15|0,1|0,1,0", "--panes": "maps|arithmetics", "--precision": "double|perturbed|double --view -0.7436,0.1318,0.0005 --dwell 3000", "--method": "ask|dp|exhaustive",
    "--g": "2|4|8", "--r": "4|2", "--b": "4|2", "--interior": "white|black", "--cycle": "3", "--colouring": "smooth|histogram", "--ideas": "none|all",
    "--fill": "interior", "--formula": "tricorn|multibrot", "--formula-file": "{files}/formula.cu|{files}/space.cu", "--power": "4|4 --formula multibrot", "--julia": "-0.4,0.6", "--spans": "2|2 --level 12", "--devices": "2|1", "--device-list": "0", "--shares": "1,3", "--rule": "B3/S23|B1..3/S2..9|B3/S23 --steps 3", "--center": "-0.75,0.1",
    "--width": "0.02|0.5", "--angle": "30|-90", "--window": "-1,0,-0.5,0.5", "--map": "compact|lambda|bounding-box", "--scheme": "mbr|sbr", "--block-shape": "32x8", "--dwell": "20|2",
    "--workload": "single-write|reduction|life|single-write --steps 3", "--at": "1,1", "--region": "1,1,5,5", "--at-once": "2", "--neighbour": "left|up",
    "--colour-by": "block|thread|level", "--view": "-0.7,0.1,0.5", "--solutions": "-", "--level-min": "1|2", "--level-max": "0|1", "--samples": "1",
    "--to": "0.3,0,0.1", "--size": "24x24|2x64|8|32", "--text-size": "20", "--out": "{}/c.svg|{}/c.png|{}/c.json|{}/c", "--csv": "{}/c.csv|-", "--check": "-", "--kind": "memory",
    "--starter": "rows", "--measure": "-", "--time-limit": "0.2", "--exercise": "lambda", "--best": "-", "--open": "{files}/scene.loom|{files}/place.kfr",
    "--size-min": "20", "--size-max": "20", "--max-seconds": "0.002", "--clock": "wall", "--shard": "1/2|1/1", "--resume": "-", "--merge": "{files}/results.json",
    "--seconds": "0.2", "--fps": "20", "--handout": "{}/b.pdf", "--scores": "{}/b.csv", "--save": "{}/b.loom", "--pattern": "{files}/block.rle",
}
# What repeats the option: no effect by itself. Where the settings are what is seen (shot), they are the effect.
ECHOES = {"life": "rule seed density", "verify": "rule seed density"}
# What is given without a name.
ARGUMENTS = {"lesson": "lambda", "manual": "life"}
# An option is refused for a reason, not for its value.
REASON = re.compile(r"no effect|exclude|belong together|require|only one of|together|allowed: (with|without|one of|--search|--workspace)|two-dimensional|three-dimensional"
                    r"|needs a view|cannot be distributed|options of one kind|no bit-packed storage|no exact arithmetic")

# Not seen: where the search for a plan begins shows in what is measured alone.
IN_MODE = {("mandelbrot", "--automatic"): "--g --r --b",
           # A rule without a generation: numbers refuse nothing.
           ("life", "--steps 0"): "--rule",
           # Expanded memory is the same for all tile sizes, which its threads (--thread, --colour-by) show.
           ("figure", "--show memory"): "--block",
           # The default g is larger than these cubes.
           ("bench", "--size 16,32 --dwell 20 --method ask"): "--space",
           # It has the same view as none.
           ("video", "--workspace mandelbrot !--level"): "--open"}
# Only their defaults have program text.
IN_MODE.update({("export", mode): "--storage --workload" for mode in MODES["export"].split("|")})

# Keys of what is measured: two equal runs differ in them.
MEASURED = {"step_ms", "ms", "seconds", "date", "bytes_per_second", "cells_per_second", "samples", "generations_per_sample", "noise", "bytes_free",
            "fps", "stages", "busy_ns", "duration_ns", "mean_at_once", "most_at_once", "tail_ns", "tail_share", "slot_utilization", "workers_used",
            "rests", "resolution_ns", "joules", "joules_min", "joules_max", "watts", "idle_watts", "idle_share", "cells_per_joule"}


def plain(value):
    """A JSON value without what is measured."""
    if isinstance(value, dict):
        return {key: one if key == "settings" else plain(one) for key, one in value.items() if key not in MEASURED}
    return [plain(one) for one in value] if isinstance(value, list) else value


def outcome(program, command, words, files):
    """What a run leaves behind; of two that are the same, that of the first."""
    key = (command, *words)
    words = words[1:] if words[:1] == ("again",) else words
    with LOCK:
        made = OUTCOMES.setdefault(key, functools.lru_cache(None)(functools.partial(run, program, command, words, files)))
        lock = LOCKS.setdefault(key, threading.Lock())
    with lock:
        return made()


OUTCOMES, LOCKS, LOCK = {}, {}, threading.Lock()
DISPLAY = None  # of view


def run(program, command, words, files):
    """What a run leaves behind: exit status, what it says, its files by name and content."""
    with tempfile.TemporaryDirectory() as folder:
        words = [word.format(folder, files=files) for word in words]
        environment = {k: v for k, v in os.environ.items() if k not in ("DISPLAY", "WAYLAND_DISPLAY")}
        if command == "view":
            environment = dict(DISPLAY.environment, **{f"XDG_{one}_HOME": os.path.join(files, "home") for one in ("STATE", "CONFIG", "DATA")})
        done = subprocess.run([program, *command.split(), *words], cwd=folder, env=environment, capture_output=True, text=True, timeout=150)
        said = done.stdout.replace(folder, "")
        try:
            said = plain(json.loads(said))
        except ValueError:
            said = re.sub(r"[0-9.]+ ([mµun]?s|%)", "", said)
        if command == "view":  # frames that were drawn show in standard error alone where the state is traced
            said = (said, "--trace-state" in words and done.stderr != "")
        left = {}
        for where, _, names in os.walk(folder):
            for name in names:
                file = os.path.join(where, name)
                content = open(file, "rb").read()
                if name.endswith((".json", ".csv")) and command != "figure":
                    content = b""  # they have times
                left[re.sub(r"[0-9]{8}T[0-9]+Z?", "", os.path.relpath(file, folder))] = hashlib.sha1(content).hexdigest()
        return done.returncode, said, left, done.stderr


def sample_of(command, option):
    return OWN.get(command, {}).get(option, SAMPLES.get(option))


def without(words, names):
    """The words of a command without some options and their values."""
    words = list(words)
    for name in names:
        if name in words and name.startswith("--"):
            at = words.index(name)
            flag = at + 1 == len(words) or words[at + 1].startswith("--")
            del words[at:at + (1 if flag else 2)]
    return words


def joined(words, more):
    """The words of a command, and more of them: an option is given once, and "!--level" takes one away."""
    return without(words, [word.lstrip("!") for word in more]) + [word for word in more if word[0] != "!"]


def check(program, files, command, option):
    """Why the option is not as it should be; None where it is."""
    sample = sample_of(command, option)
    if sample is None:
        return "is in no table"
    value, *needed = sample.split()
    instead = [word[1:] for word in needed if word[0] == "^"]  # of what the option takes the place
    base = joined(without(BASE[command].split(), [option]), [word for word in needed if word[0] != "^"])
    given = [option] if value == "-" else [option, value]
    replaced = value != "-" and option in BASE[command].split() and not needed
    before = outcome(program, command, BASE[command].split() if replaced else base, files)
    base = without(base, instead)
    with_it = outcome(program, command, base + given, files)
    if option in HOW.get(command, "").split():
        wrong = outcome(program, command, base + [option, "no-such"], files)
        return None if with_it[:3] == before[:3] and wrong[0] == 2 else f"changes what is computed: {with_it[3]}"
    if with_it[0] in (2, 3):
        lacks = option in LACKS and (with_it[0] == 3 or option == "--device")
        may = lacks or option in REFUSED.get(command, "").split()
        return None if may and with_it[3].count("\n") == 1 else f"is refused: {with_it[3].strip()}"
    unseen = option in UNSEEN.get(command, "").split()
    return "changes nothing" if (with_it[:3] == before[:3]) != unseen else None


def seen(command, result, noise):
    """Of what a run leaves behind, what is compared."""
    status, said, left, _ = result
    if isinstance(said, dict):
        hidden = {*noise, *ECHOES.get(command, "").split()}
        said = {key: value for key, value in said.items() if key not in hidden}
    return status, said, left


def check_in_mode(program, files, command, mode, option):
    """Why the option is not as it should be in a mode of its subcommand; None where it is."""
    base = joined(MODE_BASE[command].split(), mode.split())
    if option == "--force" or option in mode.split() or (command, option) in {(one, name) for one, names in UNSEEN.items() for name in names.split()}:
        return None
    sample = VALUES.get(option) or (sample_of(command, option) or "-").split()[0]
    if sample == "-":
        base = without(base, [option])
    before = outcome(program, command, base, files)
    if before[0] not in (0, 1):
        return f"cannot be tried with '{mode}': {before[3].strip()}"
    again = outcome(program, command, ("again", *base), files)[1]
    noise = [key for key in before[1] if before[1][key] != again.get(key)] if isinstance(before[1], dict) else []
    alike, unfit = [], []
    for value in sample.split("|"):
        more = [option, *([] if value == "-" else value.split())]
        if any(word in mode.split() for word in more if word.startswith("--")):
            continue
        result = outcome(program, command, joined(base, more), files)
        if result[0] in (2, 3):
            if result[1] or result[3].count("\n") != 1:
                return f"with '{mode}' is refused in more than one line: {result[3]}"
            if REASON.search(result[3]) or option in LACKS:
                return None
            unfit.append(result[3].strip())
        elif seen(command, result, noise) != seen(command, before, noise):
            return None
        else:
            alike.append(value)
    if option in HOW.get(command, "").split() or option in IN_MODE.get((command, mode), "").split() or not alike + unfit:
        return None
    if unfit and option in REFUSED.get(command, "").split():
        return None
    return f"with '{mode}' changes nothing" if alike else f"has no value to try with '{mode}': {unfit[-1]}"


def differs(program, files, command, base):
    """Why two equal runs are not alike; None where they are."""
    first, second = (run(program, command, base.split(), files) for _ in range(2))
    if first[:3] == second[:3]:
        return None
    return f"run twice as '{base}' is not the same: {first[:3]} and {second[:3]}"


def make_files(program, folder):
    with open(os.path.join(folder, "formula.cu"), "w") as file:
        file.write("Complex next(Complex z, Complex c) { return z * z * z + c; }\n")
    with open(os.path.join(folder, "space.cu"), "w") as file:
        file.write("Vector next(Vector v, Vector c) { return vector(v.x * v.x - v.y * v.z, 2 * v.x * v.y, v.z) + c; }\n")
    with open(os.path.join(folder, "own.toml"), "w") as file:
        file.write('name = "own"\ns_x = 2\ns_y = 2\noffsets = [[0, 0], [1, 1]]\n')
    with open(os.path.join(folder, "block.rle"), "w") as file:
        file.write("x = 2, y = 2\n2o$2o!\n")
    with open(os.path.join(folder, "map.cu"), "w") as file:
        file.write("__host__ Launch launch(Fractal f) { return grid1d(f.height, f.width); }\n__device__ Cell cell_of_thread(Fractal f) {\n"
                   "  return is_cell(threadIdx.x, blockIdx.x) ? cell(threadIdx.x, blockIdx.x) : none();\n}\n")
    with open(os.path.join(folder, "place.kfr"), "w") as file:
        file.write("Re: -0.75\nIm: 0.1\nZoom: 100\nIterations: 70\n")
    for name in ("old.mp4", "old.json"):
        open(os.path.join(folder, name), "w").close()
    for words in (f"life --backend cpu --level 3 --steps 1 --fractal vicsek --save {folder}/scene.loom",
                  f"bench --backend cpu --level 1,2 --block 1,2 --map lambda,compact --max-samples 1 --max-seconds 0.001 --out {folder}/results.json"):
        subprocess.run([program, *words.split()], check=True, capture_output=True, timeout=60)


def main():
    program = os.path.abspath(sys.argv[1])
    declared = json.loads(subprocess.run([program, "manual", "--json"], check=True, capture_output=True, text=True).stdout)
    options = [(command["name"], option["names"][-1]) for command in declared["commands"] if command["name"] in BASE
               for option in command["options"] if option["names"][-1].startswith("--") and option["names"][-1] != "--help"]
    missing = {command["name"] for command in declared["commands"]} - set(BASE) - {"map"}
    wrong = [f"{name} is in no table" for name in missing]
    of_modes = [*options, *ARGUMENTS.items()]
    for command in ("map run", "map check", "map exercises"):  # alone they are run by tests/cli/map_test.py
        text = subprocess.run([program, *command.split(), "--help"], check=True, capture_output=True, text=True).stdout
        of_modes += [(command, name) for name in re.findall(r"^  (--[\w-]+)", text, re.MULTILINE)]
    with tempfile.TemporaryDirectory() as files, concurrent.futures.ThreadPoolExecutor(os.cpu_count() or 1) as pool:
        make_files(program, files)
        try:
            global DISPLAY
            DISPLAY = Display()
        except Skipped as why:
            print(f"view is not run: {why}")
            options = [one for one in options if one[0] != "view"]
            of_modes = [one for one in of_modes if one[0] != "view"]
        wanted = sys.argv[2:]
        runs = [(command, base) for command in dict.fromkeys(one[0] for one in options) if len(sys.argv) < 3 or command in sys.argv[2:]
                for base in (BASE[command], *ALSO_TWICE.get(command, []))]
        wrong += filter(None, pool.map(lambda one: (why := differs(program, files, *one)) and f"{one[0]} {why}", runs))
        chosen = [one for one in options if len(sys.argv) < 3 or one[0] in sys.argv[2:]]
        for one, why in zip(chosen, pool.map(lambda o: check(program, files, *o), chosen)):
            if why:
                wrong.append(f"{one[0]} {one[1]} {why}")
        pairs = [(command, mode, option) for command, option in of_modes if not wanted or command in wanted
                 for mode in MODES.get(command, "").split("|") if command in MODES]
        for (command, mode, option), why in zip(pairs, pool.map(lambda one: check_in_mode(program, files, *one), pairs)):
            if why:
                wrong.append(f"{command} {option} {why}")
        if DISPLAY:
            DISPLAY.close()
    print("\n".join(wrong) or f"{len(chosen)} options, {len(pairs)} pairs with modes, and each does something")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
