#!/usr/bin/env python3
"""Whether the scenes of the galleries stay alive: 3600 generations on, a minute of play, cells live, and the state is not one that
comes again every 840 generations, as still lifes and all periods up to 8 do.

    living_scenes.py PROGRAM LESSON.toml..."""

import json
import subprocess
import sys
import tomllib


def state(program, scene, generations):
    options = [f"--{key}={value}" for key, value in scene.items() if key in ("fractal", "level", "map", "rule", "density", "seed", "block")]
    run = subprocess.run([program, "life", "--backend=cpu", "--json", f"--steps={generations}", "--at-once=1000", *options],
                         check=True, stdout=subprocess.PIPE)
    return json.loads(run.stdout)


def main():
    program, *lessons = sys.argv[1:]
    dull = 0
    for lesson in lessons:
        with open(lesson, "rb") as file:
            content = tomllib.load(file)
        for step in content["step"]:
            scene = content["scene"] | step["scene"]
            once, again = state(program, scene, 2760), state(program, scene, 3600)
            share = again["population"] / again["cells"]
            lives = share > 0.01 and once["hash"] != again["hash"]
            dull += not lives
            print(f"{'alive' if lives else 'DULL '} {step['title']}: {scene['rule']} on {scene['fractal']}, {100 * share:.1f} % alive", flush=True)
    return 1 if dull else 0


if __name__ == "__main__":
    sys.exit(main())
