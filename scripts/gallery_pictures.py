#!/usr/bin/env python3
"""Takes the pictures of the start screen's gallery again: docs/images/gallery/NUMBER.png, from the scenes of assets/gallery.toml.

    scripts/gallery_pictures.py --program build/release/fractal-loom [--check]

With --check it writes nothing, and exits 1 if a picture is not that of its scene."""

import argparse
import pathlib
import subprocess
import sys
import tempfile
import tomllib

root = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(root / "tests/ui"))
sys.dont_write_bytecode = True
from window import png_chunks, rgb_of  # noqa: E402

PICTURES = root / "docs/images/gallery"
SIZE = "384x168"
# Of 255, over all pixels. The last bits of floating-point numbers differ between machines, and with them single pixels of
# a Mandelbrot set.
MEAN_DIFFERENCE = 2


def draw(program, scene, file):
    options = ["--steps=0"] if scene.get("workspace") != "mandelbrot" and "steps" not in scene else []
    for key, value in scene.items():
        if key not in ("play", "points"):  # it is shown at half its size, which takes the mean of pixels
            options.append(f"--{key}={','.join(map(str, value)) if isinstance(value, list) else value}")
    subprocess.run([program, "shot", "--plain", "--backend=cpu", f"--size={SIZE}", f"--out={file}", *options],
                   check=True, stdout=subprocess.DEVNULL)


def without_scene(png):
    """A picture alone: a saved image also holds its scene."""
    return png[:8] + b"".join(chunk for kind, chunk in png_chunks(png) if kind in (b"IHDR", b"IDAT", b"IEND"))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", required=True)
    parser.add_argument("--check", action="store_true")
    options = parser.parse_args()
    steps = tomllib.loads((root / "assets/gallery.toml").read_text(encoding="utf-8"))["step"]
    wrong = []
    for number, step in enumerate(steps):
        kept = PICTURES / f"{number}.png"
        with tempfile.TemporaryDirectory() as folder:
            drawn = pathlib.Path(folder) / "drawn.png"
            draw(options.program, step["scene"], drawn)
            if options.check:
                difference = [abs(a - b) for a, b in zip(rgb_of(drawn), rgb_of(kept), strict=True)]
                mean = sum(difference) / len(difference)
                print(f"{step['title']}: mean difference {mean:.3f} of 255")
                wrong += [kept.name] if mean > MEAN_DIFFERENCE else []
            else:
                PICTURES.mkdir(parents=True, exist_ok=True)
                kept.write_bytes(without_scene(drawn.read_bytes()))
                print(f"{kept}: {kept.stat().st_size} bytes")
    if wrong:
        sys.exit(f"not the pictures of their scenes: {', '.join(wrong)}; run scripts/gallery_pictures.py --program {options.program}")


if __name__ == "__main__":
    main()
