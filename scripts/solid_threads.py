#!/usr/bin/env python3
"""Draws docs/images/solid-threads.svg: threads launched per generation by level, for the three maps.

solid_threads.py PROGRAM OUT. The numbers are counted by `life --json` on the CPU; levels whose bounding box is too large to count
are left out.
"""

import json
import math
import subprocess
import sys

MAPS = [("bounding-box", "bounding box", "#d9690a", "4 0"), ("lambda", "λ", "#1487f0", "8 4"), ("compact", "compact", "#bf6c97", "2 3")]
FRACTALS = [("menger-sponge", "Menger sponge, ρ = 9", 9, range(2, 6)), ("sierpinski-tetrahedron", "Sierpinski tetrahedron, ρ = 8", 8, range(3, 9))]
SUPERSCRIPTS = "⁰¹²³⁴⁵⁶⁷⁸⁹"
WIDTH, HEIGHT, LEFT, TOP, BOTTOM, GAP = 860, 340, 70, 40, 50, 60


def counted(program, fractal, level, block, of_map):
    command = [program, "life", "--backend", "cpu", "--json", "--fractal", fractal, "--level", str(level), "--block", str(block),
               "--map", of_map, "--intra-block", "sub-box", "--steps", "1"]
    run = subprocess.run(command, capture_output=True, text=True, check=True)
    return json.loads(run.stdout)["threads_launched"]


def panel(program, fractal, title, block, levels, x0, width):
    lines = {of_map: [(level, counted(program, fractal, level, block, of_map)) for level in levels] for of_map, *_ in MAPS}
    lowest = math.floor(math.log10(min(n for line in lines.values() for _, n in line)))
    highest = math.ceil(math.log10(max(n for line in lines.values() for _, n in line)))
    height = HEIGHT - TOP - BOTTOM
    at_x = lambda level: x0 + width * (level - levels[0]) / (levels[-1] - levels[0])
    at_y = lambda n: TOP + height * (highest - math.log10(n)) / (highest - lowest)
    out = [f'<text x="{x0 + width / 2}" y="22" text-anchor="middle" font-size="15">{title}</text>']
    for power in range(lowest, highest + 1):
        y = at_y(10 ** power)
        out.append(f'<line x1="{x0}" y1="{y:.1f}" x2="{x0 + width}" y2="{y:.1f}" stroke="#ccc"/>')
        out.append(f'<text x="{x0 - 8}" y="{y + 4:.1f}" text-anchor="end">10{SUPERSCRIPTS[power]}</text>')
    for level in levels:
        out.append(f'<text x="{at_x(level):.1f}" y="{HEIGHT - BOTTOM + 18}" text-anchor="middle">{level}</text>')
    out.append(f'<text x="{x0 + width / 2}" y="{HEIGHT - 10}" text-anchor="middle">level</text>')
    for of_map, label, colour, dash in MAPS:
        points = " ".join(f"{at_x(level):.1f},{at_y(n):.1f}" for level, n in lines[of_map])
        out.append(f'<polyline points="{points}" fill="none" stroke="{colour}" stroke-width="2.5" stroke-dasharray="{dash}"/>')
    first = lines["bounding-box"][-2]
    out.append(f'<text x="{at_x(first[0]) - 8:.1f}" y="{at_y(first[1]) - 8:.1f}" text-anchor="end" fill="#a04d05">bounding box</text>')
    last = lines["compact"][-2]
    out.append(f'<text x="{at_x(last[0]) + 6:.1f}" y="{at_y(last[1]) + 20:.1f}" fill="#0b5ea9">λ and compact</text>')
    return out


def main():
    program, to = sys.argv[1:]
    width = (WIDTH - 2 * LEFT - GAP + 20) / 2
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif" font-size="12">',
           f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#fff"/>']
    for i, (fractal, title, block, levels) in enumerate(FRACTALS):
        out += panel(program, fractal, title, block, list(levels), LEFT + i * (width + GAP), width)
    out.append("</svg>")
    with open(to, "w", encoding="utf-8") as file:
        file.write("\n".join(out) + "\n")


if __name__ == "__main__":
    main()
