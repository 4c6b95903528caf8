"""Programs that `fractal-loom export` writes, for tests and for scripts/exported_programs.py: which there are, how several
become one source file, and what fractal-loom itself computes."""

import json
import re
import subprocess

MAPS = ["--map bounding-box"] + [f"--map {map} --arithmetic {arithmetic}" for map in ("lambda", "compact") for arithmetic in ("loop", "table")]
INTRA_BLOCK = ["sub-box", "unrolled", "lookup"]
RULES = ["B2/S23", "B3/S23", "B2/S345/C4", "R3,C0,M1,S3..12,B4..9,NC"]
SOLID_RULES = ["B5..7/S4..7", "B4,6/S3..8/C3"]


def run(*words, **more):
    return subprocess.run([str(word) for word in words], capture_output=True, text=True, **more)


def fractals(program):
    """The names of the built-in fractals: of two dimensions, and of three."""
    named = run(program, "life", "--fractal", "?").stderr
    names = named.split("allowed: ")[1].strip().split(", ")
    solid = {name for name in names if run(program, "lens", "--fractal", name).returncode == 2}
    return [name for name in names if name not in solid], [name for name in names if name in solid]


def choices(program):
    """Every built-in fractal with every map and arithmetic, as words of a command line. Levels, intra-block mappings, rules and
    halos change from one to the next."""
    plane, solid = fractals(program)
    found = []
    for name in plane + solid:
        for map in MAPS:
            i = len(found)
            level = 3 + i % 2 if name in plane else 2 + i % 2
            words = ["--fractal", name, "--level", str(level), *map.split(), "--seed", str(i + 1), "--steps", "6"]
            rules = RULES if name in plane else SOLID_RULES
            words += ["--density", "0.4", "--rule", rules[i % len(rules)]]
            if "bounding-box" not in map:
                words += ["--intra-block", INTRA_BLOCK[i % 3]]
            if "compact" in map and i % 5 == 0:
                words += ["--halo", "off"]
            found.append(words)
    return found


def exported(program, choice, language, folder):
    """The text of a program."""
    file = folder / f"{language}.txt"
    done = run(program, "export", f"--{language}", file, *choice)
    assert done.returncode == 0, f"{choice}: {done.stderr}"
    return file.read_text()


def computed(program, choice, *more):
    """What fractal-loom computes, as JSON."""
    done = run(program, "life", *choice, "--json", *more)
    assert done.returncode == 0, f"{choice}: {done.stderr}"
    return json.loads(done.stdout)


def joined(texts):
    """Programs as one source file, which runs each of them; those with the same definitions share them."""
    includes, groups, calls = set(), {}, []
    for i, text in enumerate(texts):
        includes |= set(re.findall(r"^#include <.*>$", text, re.MULTILINE))
        body = re.sub(r"^#include <.*>$\n|^//.*\n", "", text, flags=re.MULTILINE)
        definitions, own = body.split("}  // namespace fractal_maps\n")
        group = groups.setdefault(definitions, [])
        group.append(f"namespace program_{i} {{\n" + own.replace("\nint main(int argc", "\nint run_all(int argc") + "}\n")
        calls.append((i, definitions))
    names = {definitions: f"group_{number}" for number, definitions in enumerate(groups)}
    bodies = [f"namespace {names[definitions]} {{\n{definitions}}}\n{''.join(group)}}}\n" for definitions, group in groups.items()]
    called = "".join(f"  status += {names[definitions]}::program_{i}::run_all(argc, argv);\n" for i, definitions in calls)
    return "\n".join(sorted(includes)) + "\n" + "".join(bodies) + f"int main(int argc, char** argv) {{\n  int status = 0;\n{called}  return status;\n}}\n"


def hashes(output):
    return re.findall(r"^hash ([0-9a-f]{16})$", output, re.MULTILINE)
