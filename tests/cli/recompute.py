#!/usr/bin/env python3
"""The numbers of lens, timeline and figure, computed again from their definitions: recompute.py PROGRAM

Nothing of the program is shared: lambda, membership and the compact storage are written here once more, as the papers define
them (docs/explanation/maps.md), a warp's requests from the order in which a thread reads, and a timeline's statistics from its spans.
Exit status 0 the same, 1 a difference.
"""

import json
import os
import subprocess
import sys
import tempfile
import xml.etree.ElementTree

FRACTALS = {
    "sierpinski-gasket": (2, [(0, 0), (0, 1), (1, 1)]),
    "sierpinski-carpet": (3, [(0, 0), (1, 0), (2, 0), (0, 1), (2, 1), (0, 2), (1, 2), (2, 2)]),
}
WARP = 32
SECTOR = 32
AROUND = [(dx, dy) for dy in (-1, 0, 1) for dx in (-1, 0, 1)]
OTHERS = [d for d in AROUND if d != (0, 0)]


class Field:
    def __init__(self, s, offsets, level, tile_size):
        self.s, self.offsets, self.k, self.level, self.tile_size = s, offsets, len(offsets), level, tile_size
        self.side = s ** level
        self.low = 0  # levels within a tile
        while s ** self.low < tile_size:
            self.low += 1
        self.high = level - self.low
        self.columns = self.k ** ((self.high + 1) // 2)
        self.rows = self.k ** (self.high // 2)
        self.number = {offset: i for i, offset in enumerate(offsets)}

    def place(self, digits):
        """The point of a list of digits, the finest level's first."""
        x = sum(self.offsets[digit][0] * self.s ** i for i, digit in enumerate(digits))
        y = sum(self.offsets[digit][1] * self.s ** i for i, digit in enumerate(digits))
        return x, y

    def digits(self, value, count):
        return [value // self.k ** i % self.k for i in range(count)]

    def expand(self, omega_x, omega_y, levels):
        """lambda: odd levels are digits of x, even ones of y."""
        xs = self.digits(omega_x, (levels + 1) // 2)
        ys = self.digits(omega_y, levels // 2)
        return self.place([(ys if i % 2 else xs)[i // 2] for i in range(levels)])

    def find(self, x, y, levels):
        """nu: the digits of a point; None for a hole."""
        found = []
        for _ in range(levels):
            digit = self.number.get((x % self.s, y % self.s))
            if digit is None:
                return None
            found.append(digit)
            x, y = x // self.s, y // self.s
        return found

    def is_cell(self, x, y):
        return self.find(x, y, self.level) is not None

    def tile_base(self, tile_x, tile_y):
        """Where compact storage has a tile; None where it has none."""
        if not (0 <= tile_x < self.side // self.tile_size and 0 <= tile_y < self.side // self.tile_size):
            return None
        found = self.find(tile_x, tile_y, self.high)
        if found is None:
            return None
        x = sum(digit * self.k ** i for i, digit in enumerate(found[0::2]))
        y = sum(digit * self.k ** i for i, digit in enumerate(found[1::2]))
        return (y * self.columns + x) * self.tile_size ** 2


def request(addresses, width=1):
    """Of one access by a warp: whether there is one, sectors, and the bytes that lanes ask for, each once."""
    asked = {a + i for a in addresses if a is not None for i in range(width)}
    return (1 if asked else 0, len({a // SECTOR for a in asked}), len(asked))


def warps_of(field, map_name, intra_block):
    """Lanes of each warp as points of the square, None for idle ones; a thread block has one tile."""
    if intra_block == "sub-box":
        within = [(i % field.tile_size, i // field.tile_size) for i in range(field.tile_size ** 2)]
    else:
        across = field.k ** ((field.low + 1) // 2)
        within = [field.expand(i % across, i // across, field.low) for i in range(field.k ** field.low)]
        if intra_block == "lookup":  # the table has a tile's cells row by row
            within.sort(key=lambda point: (point[1], point[0]))
    if map_name == "bounding-box":
        across = field.side // field.tile_size
        tiles = [(i % across, i // across) for i in range(across ** 2)]
    else:
        tiles = [field.expand(i % field.columns, i // field.columns, field.high) for i in range(field.columns * field.rows)]
    for tile_x, tile_y in tiles:
        for first in range(0, len(within), WARP):
            lanes = []
            for x, y in within[first:first + WARP]:
                point = (tile_x * field.tile_size + x, tile_y * field.tile_size + y)
                lanes.append(point if field.is_cell(*point) else None)
            yield first, len(within), lanes


def lens(field, map_name, intra_block):
    """Requests, sectors and bytes of cells read, tables read and stores, of the kernels that stage nothing."""
    cells, tables, stores = [], [], []
    words = map_name == "lambda" and field.side % 8 == 0
    for first, threads, lanes in warps_of(field, map_name, intra_block):
        if map_name == "compact":
            def address(point, d):
                x, y = point[0] + d[0], point[1] + d[1]
                base = field.tile_base(x // field.tile_size, y // field.tile_size)
                return None if base is None else base + y % field.tile_size * field.tile_size + x % field.tile_size
        else:
            def address(point, d):
                x, y = point[0] + d[0], point[1] + d[1]
                return y * field.side + x if 0 <= x < field.side and 0 <= y < field.side else None

        def read(d, lanes_too=lambda point: True):
            cells.append(request([address(p, d) for p in lanes if p is not None and lanes_too(p)]))

        if map_name != "bounding-box" and intra_block == "lookup":
            tables.append(request([4 * t for t in range(first, min(first + WARP, threads))], 4))
        if words:  # eight cells of each of three rows at a time, and where a cell is at their end the one beyond
            for dy in (0, -1, 1):
                cells.append(request([None if address(p, (0, dy)) is None else address(p, (0, dy)) - p[0] % 8 for p in lanes if p is not None], 8))
            for dy in (0, -1, 1):
                ends = {0: -1, 7: 1}
                cells.append(request([address(p, (ends[p[0] % 8], dy)) for p in lanes if p is not None and p[0] % 8 in ends]))
        elif map_name == "compact":
            for d in [(0, 0)] + OTHERS:
                read(d)
        else:  # the cells at the square's border take a branch of their own
            read((0, 0))
            for inner in (True, False):
                for d in OTHERS:
                    read(d, lambda p: (0 < p[0] < field.side - 1 and 0 < p[1] < field.side - 1) == inner)
        stores.append(request([address(p, (0, 0)) for p in lanes if p is not None]))
    return {name: tuple(map(sum, zip(*of))) if of else (0, 0, 0) for name, of in (("cells_read", cells), ("tables_read", tables), ("stores", stores))}


class Test:
    def __init__(self, program):
        self.program = program
        self.failed = 0
        self.compared = 0

    def run(self, *words):
        done = subprocess.run([self.program, *words, "--json"], capture_output=True, text=True, timeout=120)
        if done.returncode != 0:
            raise RuntimeError(f"{' '.join(words)}: {done.stderr}")
        return json.loads(done.stdout)

    def same(self, what, got, wanted):
        self.compared += 1
        if got != wanted:
            self.failed += 1
            print(f"{what}: the program says {got}, the definition {wanted}")

    def field(self, name, level, tile_size):
        return Field(*FRACTALS[name], level, tile_size)

    def lenses(self):
        for name, level, tile_size in (("sierpinski-gasket", 4, 4), ("sierpinski-gasket", 6, 8), ("sierpinski-gasket", 5, 16), ("sierpinski-gasket", 5, 1),
                                   ("sierpinski-gasket", 5, 2), ("sierpinski-carpet", 3, 3), ("sierpinski-carpet", 3, 9), ("sierpinski-carpet", 3, 1)):
            field = self.field(name, level, tile_size)
            for map_name, intra_block in (("bounding-box", "sub-box"), ("compact", "sub-box"), ("compact", "unrolled"), ("compact", "lookup"),
                                          ("lambda", "sub-box"), ("lambda", "unrolled"), ("lambda", "lookup")):
                words = ["lens", "--fractal", name, "--level", str(level), "--block", str(tile_size), "--map", map_name, "--storage", "bytes", "--tiles", "1"]
                if map_name == "compact":
                    words += ["--halo", "off"]
                if map_name != "bounding-box":
                    words += ["--arithmetic", "loop", "--intra-block", intra_block]
                got = self.run(*words)
                if got["kernel"] not in ("life_expanded_kernel", "life_compact_kernel"):
                    continue  # it gathers in shared memory: tests/explain has that order
                for part, wanted in lens(field, map_name, intra_block).items():
                    one = got[part]
                    self.same(f"{' '.join(words)}: {part}", (one["requests"], one["sectors"], one["bytes_used"]), wanted)
                    self.same(f"{' '.join(words)}: {part}, bytes moved", one["bytes_moved"], one["sectors"] * SECTOR)

    def timelines(self, folder):
        file = os.path.join(folder, "timeline.json")
        for words, tiles in ((["--level", "9", "--block", "4"], 3 ** 7), (["--fractal", "sierpinski-carpet", "--level", "4", "--block", "3", "--map", "compact"], 8 ** 3),
                             (["--level", "7", "--block", "4", "--map", "bounding-box"], 4 ** 5), (["--workspace", "mandelbrot", "--size", "256x256"], None),
                             (["--workspace", "mandelbrot", "--size", "256x256", "--method", "exhaustive"], None)):
            what = "timeline " + " ".join(words)
            told = self.run("timeline", "--backend", "cpu", "--out", file, *words)["figures"]
            with open(file, encoding="utf-8") as text:
                document = json.load(text)
            spans = [dict(zip(document["span_fields"], span)) for span in document["spans"]]
            workers = [dict(zip(document["worker_fields"], worker)) for worker in document["workers"]]
            self.same(f"{what}: statistics of the file", document["figures"], told)
            self.same(f"{what}: spans", told["spans"], len(spans))
            duration = max(s["end_ns"] for s in spans) - min(s["begin_ns"] for s in spans)
            busy = sum(s["end_ns"] - s["begin_ns"] for s in spans)
            self.same(f"{what}: duration", told["duration_ns"], duration)
            self.same(f"{what}: busy", told["busy_ns"], busy)
            self.same(f"{what}: slot_utilization", round(told["slot_utilization"], 9), round(busy / (told["workers"] * told["slots"] * duration), 9))
            used = {s["worker"] for s in spans}
            self.same(f"{what}: workers used", told["workers_used"], len(used))
            ends = [max(s["end_ns"] for s in spans if s["worker"] == one) for one in used]
            if len(used) == told["workers"]:
                self.same(f"{what}: tail", told["tail_ns"], max(ends) - min(ends))
            self.same(f"{what}: tail's share", round(told["tail_share"], 9), round(told["tail_ns"] / duration, 9))
            for number, worker in enumerate(workers):
                own = [s for s in spans if s["worker"] == number]
                if own:
                    self.same(f"{what}: worker {number}", [worker["spans"], worker["busy_ns"], worker["first_begin_ns"], worker["last_end_ns"]],
                              [len(own), sum(s["end_ns"] - s["begin_ns"] for s in own), min(s["begin_ns"] for s in own), max(s["end_ns"] for s in own)])
                    times = sorted((s["begin_ns"], s["end_ns"]) for s in own)
                    self.same(f"{what}: a thread does one thing at a time", [b for a, b in zip(times, times[1:]) if b[0] < a[1]], [])
            for launch, one in enumerate(document["launches"]):
                self.same(f"{what}: spans of launch {launch}", one["blocks"], sum(s["launch"] == launch for s in spans))
            if tiles is not None:
                numbers = sorted(n for s in spans for n in range(s["block"], s["block"] + s["count"]))
                self.same(f"{what}: each tile once", numbers == list(range(tiles)), True)

    def drawn(self, file):
        """Unit squares by the meaning of their colour, and the sizes of outlines in units."""
        colours, rects, outlines, previous = {}, [], [], None
        for element in xml.etree.ElementTree.parse(file).getroot():
            tag = element.tag.rsplit("}", 1)[1]
            if tag == "rect" and not element.get("width").endswith("%"):
                x, y, width, height = (float(element.get(a)) for a in ("x", "y", "width", "height"))
                if element.get("fill") == "none":
                    outlines.append((width, height))
                else:
                    previous = (element.get("fill"), x, y, width, height)
                    rects.append(previous)
            elif tag == "text" and previous is not None:
                colours[previous[0]] = element.text if element.text in ("dead", "alive") else "idle"
                rects.remove(previous)  # a sample of the legend
                previous = None
        unit = min(min(r[3], r[4]) for r in rects)
        left, top = min(r[1] for r in rects), min(r[2] for r in rects)
        points = {}
        for colour, x, y, width, height in rects:
            for row in range(round(height / unit)):
                for column in range(round(width / unit)):
                    at = (round((x - left) / unit) + column, round((y - top) / unit) + row)
                    self.same(f"{file}: point {at} is drawn once", at in points, False)
                    points[at] = colours[colour]
        return points, [(round(w / unit), round(h / unit)) for w, h in outlines]

    def figures(self, folder):
        file = os.path.join(folder, "figure.svg")
        for name, level, tile_size in (("sierpinski-gasket", 4, 4), ("sierpinski-gasket", 5, 2), ("sierpinski-carpet", 2, 3)):
            field = self.field(name, level, tile_size)
            base = ["--fractal", name, "--level", str(level), "--block", str(tile_size), "--backend", "cpu"]
            alive = self.run("life", *base, "--steps", "3")["population"]
            cells = {(x, y) for x in range(field.side) for y in range(field.side) if field.is_cell(x, y)}
            for map_name in ("bounding-box", "lambda", "compact"):
                words = ["figure", *base, "--map", map_name, "--steps", "3", "--out", file]
                what = " ".join(words)
                self.run(*words, "--show", "cells")
                points, _ = self.drawn(file)
                self.same(f"{what}: cells", {at for at, state in points.items() if state in ("dead", "alive")}, cells)
                self.same(f"{what}: population", sum(state == "alive" for state in points.values()), alive)
                self.run(*words, "--show", "threads", "--tiles", "1")
                points, outlines = self.drawn(file)
                self.same(f"{what}: threads with a cell", sum(state in ("dead", "alive") for state in points.values()), len(cells))
                self.same(f"{what}: threads alive", sum(state == "alive" for state in points.values()), alive)
                if map_name == "bounding-box":
                    self.same(f"{what}: threads launched", len(points), field.side ** 2)
                    self.same(f"{what}: thread blocks", outlines, [(tile_size, tile_size)] * (field.side // tile_size) ** 2)


def main():
    test = Test(sys.argv[1])
    with tempfile.TemporaryDirectory() as folder:
        test.lenses()
        test.timelines(folder)
        test.figures(folder)
    print(f"{test.compared - test.failed} passed, {test.failed} failed")
    return 1 if test.failed else 0


if __name__ == "__main__":
    sys.exit(main())
