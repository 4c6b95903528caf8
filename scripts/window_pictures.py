#!/usr/bin/env python3
"""Takes the pictures of the window that the documentation shows, again. Any program works, an installed one too.

    scripts/window_pictures.py --program build/release/fractal-loom [--out docs/images] [KIND...]

Kinds: session (a new user's first one: what is made on the way is checked), class (the class's questions), maps,
threads, mandelbrot, devices, editors and files. Pictures of recordings on a GPU are not among them.

Needs Xvfb, xdotool, xsel, ImageMagick and, for the session, ffmpeg."""

import argparse
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time

root = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(root / "tests/ui"))
sys.dont_write_bytecode = True
from window import Display, Window  # noqa: E402

# A glider of Conway's rule.
kGlider = "#N Glider\nx = 3, y = 3, rule = B3/S23\nbob$2bo$3o!\n"
# Ten cells, some of which fall on holes of the gasket.
kTenCells = "x = 5, y = 3, rule = B2/S23\n2o2bo$b3o$4o!\n"
# In a window of 1280 x 720: over nothing that would show a tooltip.
kNowhere = (700, 705)


class Pictures:
    def __init__(self, display, program, out):
        self.display = display
        self.program = program
        self.out = out

    def window(self, *options, **environment):
        return Window(self.display, self.program, *options, **environment)

    def take(self, window, name, colours=200):
        """At most some 100 KB: 200 colours suffice for the window, fewer for a picture of many."""
        time.sleep(0.7)  # what a key or the mouse has changed is drawn, a tooltip too
        file = self.out / (name + ".png")
        file.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile(suffix=".png") as whole:
            subprocess.run(["import", "-window", window.id, whole.name], env=self.display.environment, check=True)
            subprocess.run(["convert", whole.name, "+dither", "-colors", str(colours), f"PNG8:{file}"], check=True)
        print(f"{file}: {file.stat().st_size} bytes")


def click(w, area):
    x, y, width, height = area
    w.move(x + width / 2, y + height / 2)
    w.xdotool("click", "1")


def write(w, text):
    w.wait(lambda s: s["text_field_active"], "a field to type into")
    w.press("ctrl+a")
    w.xdotool("type", "--delay", "15", text)


def places_of(w, dialog, name):
    return w.wait(lambda s: s[dialog] and name in s[dialog]["places"], f"{name} of {dialog}")[dialog]["places"]


def draw(w, pictures):
    w.press("ctrl+n")
    for scale in ("##s_x", "##s_y"):
        area = places_of(w, "draw", scale)[scale]
        w.move(area[0] + area[2] / 2, area[1] + area[3] / 2)
        w.xdotool("keydown", "ctrl")
        w.xdotool("click", "1")
        w.xdotool("keyup", "ctrl")
        write(w, "4")
        w.press("Return")
        w.wait(lambda s: s["draw"][scale.strip("#")] == 4, scale)
    click(w, places_of(w, "draw", "clear")["clear"])
    w.wait(lambda s: not s["draw"]["offsets"], "an empty box")
    x, y, width, height = places_of(w, "draw", "box")["box"]
    lattice = [[column, row] for row in range(4) for column in range(4) if [column, row] not in ([1, 1], [2, 1], [1, 2])]
    for column, row in lattice:
        click(w, (x + width * column / 4, y + height * row / 4, width / 4, height / 4))
        w.wait(lambda s: [column, row] in s["draw"]["offsets"], "a replica")
    click(w, places_of(w, "draw", "name")["name"])
    write(w, "lattice")
    w.press("Return")
    w.wait(lambda s: s["draw"]["name"] == "lattice" and s["draw"]["problem"] == "", "named")
    w.move(*kNowhere)
    pictures.take(w, "explore-draw")
    click(w, places_of(w, "draw", "use")["use"])
    w.wait(lambda s: s["draw"] is None and s["fractal"] == "lattice" and s["message"], "Use, with a word on its level")
    w.press("Escape")
    w.wait(lambda s: not s["message"], "read")


def copy(pictures, text):
    """Into the clipboard, of which xsel becomes the owner a moment after it has ended."""
    xsel = {"text": True, "env": pictures.display.environment, "check": True}
    subprocess.run(["xsel", "--clipboard", "--input"], input=text, **xsel)
    while subprocess.run(["xsel", "--clipboard", "--output"], stdout=subprocess.PIPE, **xsel).stdout != text:
        time.sleep(0.1)


def paste(w, pictures):
    while w.state["level"] > 3:
        level = w.state["level"]
        w.press("less")
        w.wait(lambda s: s["level"] == level - 1, "a level less")
    w.press("ctrl+BackSpace")
    w.wait(lambda s: s["population"] == 0, "cleared")
    copy(pictures, kGlider)
    w.press("ctrl+v")
    w.wait(lambda s: s["ghost"], "the pattern")
    w.hover(18, 50)
    w.wait(lambda s: s["ghost"]["counted"], "what falls on holes is counted")
    pictures.take(w, "explore-paste")
    if "rule" in w.state["edit_bar"]:
        click(w, w.state["edit_bar"]["rule"])
        w.wait(lambda s: s["rule"] == "B3/S23", "its rule")
        w.hover(18, 50)
    w.hover(3, 50)
    w.press("Return")
    return w.wait(lambda s: s["population"] > 0 and not s["ghost"], "placed")


def run_and_go_back(w, pictures):
    placed = w.state["hash"]
    w.press("period")
    first = w.wait(lambda s: s["generation"] == 1, "a generation")["hash"]
    w.press("period")
    w.wait(lambda s: s["generation"] == 2, "another")
    w.press("comma")
    w.wait(lambda s: s["generation"] == 1 and s["hash"] == first, "a step back")
    w.press("ctrl+z", "ctrl+z", "ctrl+z")
    w.wait(lambda s: s["hash"] == placed or s["generation"] == 0, "undone")
    w.press("shift+r")
    w.wait(lambda s: s["population"] > 500, "a random start")
    w.press("space")
    w.wait(lambda s: s["playing"], "it plays")
    time.sleep(1.5)
    w.press("space")
    w.wait(lambda s: not s["playing"] and s.get("generation", 0) > 8, "and stands, some generations later")
    w.move(*kNowhere)
    pictures.take(w, "explore-run")


def save_and_open(w, pictures):
    """Returns the window that has opened what was saved."""
    file = pathlib.Path("lattice.loom")
    before = w.state
    w.press("ctrl+s")
    w.wait(lambda s: s["files"]["open"] and "browser name" in s["files"]["places"], "the dialog")
    write(w, str(file))
    w.wait(lambda s: s["files"]["name"] == str(file), "the name")
    w.move(*kNowhere)
    pictures.take(w, "explore-save")
    w.press("Return")
    w.wait(lambda s: not s["files"]["open"] and file.exists(), "saved")
    w.quit()
    again = pictures.window("--paused", "--size", "1280x720")
    again.press("ctrl+o")
    again.wait(lambda s: s["files"]["open"] and "browser name" in s["files"]["places"], "the dialog")
    write(again, str(file))
    again.press("Return")
    again.wait(lambda s: (s["fractal"], s["hash"], s["generation"]) == ("lattice", before["hash"], before["generation"]),
               "the same cells")
    return again


def make(w, pictures, key, dialog, file, choice, name):
    """A picture or a film: the dialog is seen, and what it makes is waited for."""
    w.wait(lambda s: not s["message"], "the last message goes")
    w.press(key)
    click(w, places_of(w, dialog, choice)[choice])
    time.sleep(0.3)
    click(w, places_of(w, dialog, "file")["file"])
    write(w, str(file))
    w.wait(lambda s: s[dialog]["file"] == str(file), "its name")
    w.move(*kNowhere)
    pictures.take(w, name)
    click(w, places_of(w, dialog, "save")["save"])
    w.wait(lambda s: s[dialog]["done"].startswith("saved ") and str(file) in s[dialog]["done"], f"saved {file}")
    w.press("Escape")
    w.wait(lambda s: not s[dialog]["open"], "closed")


def probe(film):
    words = ["ffprobe", "-v", "error", "-count_frames", "-select_streams", "v:0", "-show_entries",
             "stream=nb_read_frames,width,height", "-of", "json", str(film)]
    return json.loads(subprocess.run(words, capture_output=True, text=True, check=True).stdout)["streams"][0]


def session(pictures):
    with tempfile.TemporaryDirectory(prefix="my-fractals-") as folder:
        os.chdir(folder)
        pictures.display.environment["HOME"] = folder  # where dialogs begin
        w = pictures.window("--paused", "--size", "1280x720")
        draw(w, pictures)
        paste(w, pictures)
        run_and_go_back(w, pictures)
        w = save_and_open(w, pictures)
        seen = w.state["picture"]
        picture = pathlib.Path("lattice-level-3.png")
        make(w, pictures, "F12", "save_picture", picture, "4\u00d7", "explore-picture")
        width, height = map(int, subprocess.run(["identify", "-format", "%w %h", picture], capture_output=True, text=True,
                                                check=True).stdout.split())
        assert width == 4 * round(seen[2]) and abs(height - 4 * seen[3]) <= 4, (width, height, seen)
        film = pathlib.Path("lattice.mp4")
        make(w, pictures, "ctrl+shift+f", "save_film", film, "720p", "explore-film")
        said = w.state["save_film"]["done"]
        w.quit()
        found = probe(film)
        assert (found["width"], found["height"]) == (1280, 720) and int(found["nb_read_frames"]) == 300, found
        os.chdir(root)
        print(f"the picture has {width} x {height} pixels; {said}; ffprobe reads {found['nb_read_frames']} frames")


def class_pictures(pictures):
    for points, row in ((16, (390, 499)), (24, (620, 571))):
        def of(*options, steps=2):
            w = pictures.window("--paused", "--size", "1280x720", *options)
            step(w, steps)
            if points == 24:
                w.press("p")
                w.wait(lambda s: s["ui_pixels"] == 24 and not s["message"], "lecture mode, and its message goes")
            return w

        w = of("--level", "4", "--map", "compact", "--block", "4", "--thread", "6,15")
        w.wait(lambda s: "cell (6, 15)" in s["thread"] and s["thread_path"] >= 1, "the thread")
        w.move(*kNowhere)
        pictures.take(w, f"class/thread-{points}")
        w.quit()
        w = of("--level", "5", "--map", "bounding-box", "--block", "4")
        w.move(*kNowhere)
        pictures.take(w, f"class/wasted-{points}")
        w.quit()
        w = of("--level", "5", "--map", "lambda", "--block", "4", "--arithmetic", "loop", "--panes", "spaces", "--thread", "4,29",
               steps=0)
        w.wait(lambda s: len(s["panes_beside"]) == 3 and "cell (4, 29)" in s["thread"] and s["thread_path"] >= 1, "the spaces")
        if points == 24:
            w.press("F9")
            w.wait(lambda s: s["tabs"] and s["tabs"][0][2] > 0, "the side panel")
        w.move(*row)  # the third of the table
        pictures.take(w, f"class/level-{points}")
        w.quit()
        w = of("--level", "5", "--map", "bounding-box", "--block", "4", "--panes", "maps", steps=6)
        w.wait(lambda s: all(p["equal"] for p in s["panes_beside"]), "equal")
        w.move(*kNowhere)
        pictures.take(w, f"class/equal-{points}")
        w.quit()


def step(w, generations):
    for generation in range(1, generations + 1):
        w.press("period")
        w.wait(lambda s: s["generation"] == generation, "a generation")


def maps(pictures):
    w = pictures.window("--paused", "--level", "8", "--size", "1280x720")
    step(w, 40)
    w.move(*kNowhere)
    pictures.take(w, "window")
    w.quit()
    w = pictures.window("--paused", "--level", "6", "--block", "8", "--map", "bounding-box", "--size", "1280x720")
    step(w, 40)
    w.move(*kNowhere)
    pictures.take(w, "bounding-box")
    w.quit()
    w = pictures.window("--paused", "--level", "8", "--panes", "maps", "--size", "1280x720")
    step(w, 40)
    w.press("k")
    w.wait(lambda s: s["measured_together"], "the maps are benchmarked")
    w.wait(lambda s: not s["message"], "the message goes")
    w.move(*w.cell_on_screen(128, 170))
    w.wait(lambda s: s["memory_strips"][0]["byte"] is not None, "a cell, and its bytes")
    pictures.take(w, "panes")
    w.quit()


def threads(pictures):
    w = pictures.window("--paused", "--level", "6", "--block", "8", "--panes", "maps", "--thread", "36,52", "--size", "1600x900")
    step(w, 12)
    w.wait(lambda s: all(p["equal"] for p in s["panes_beside"]) and "(36, 52)" in s["thread"] and s["thread_path"] >= 1,
           "the thread")
    w.move(800, 885)
    pictures.take(w, "thread")
    w.quit()
    w = pictures.window("--paused", "--level", "5", "--block", "4", "--panes", "spaces", "--thread", "10,27", "--size", "1600x900")
    step(w, 12)
    w.wait(lambda s: len(s["panes_beside"]) == 3 and "(10, 27)" in s["thread"] and s["thread_path"] >= 1, "the spaces")
    w.move(800, 885)
    pictures.take(w, "spaces")
    w.quit()


def devices(pictures):
    w = pictures.window("--paused", "--level", "9", "--map", "compact", "--panes", "devices", "--colour-by", "device",
                        "--size", "1280x720")
    step(w, 12)
    w.wait(lambda s: s["panes_beside"][0]["devices"] == 2 and s["panes_beside"][0]["equal"], "one device and two")
    w.move(*kNowhere)
    pictures.take(w, "two-devices")
    w.quit()


def pick_in_grid(w, columns, rows, column, row):
    x, y, width, height = places_of(w, "draw", "box")["box"]
    before = w.state["draw"]["offsets"]
    click(w, (x + width * column / columns, y + height * row / rows, width / columns, height / rows))
    w.wait(lambda s: s["draw"]["offsets"] != before, "a replica")


def editors(pictures):
    w = pictures.window("--paused", "--fractal", "vicsek", "--level", "5", "--size", "1280x720")
    w.press("ctrl+n")
    pick_in_grid(w, 3, 3, 0, 0)
    w.move(*kNowhere)
    pictures.take(w, "draw-fractal")
    w.quit()
    w = pictures.window("--paused", "--level", "5", "--block", "4", "--size", "1280x720")
    copy(pictures, kTenCells)
    w.press("ctrl+v")
    w.wait(lambda s: s["ghost"], "the pattern")
    w.hover(20, 20)
    w.wait(lambda s: s["ghost"]["counted"], "what falls on holes is counted")
    pictures.take(w, "pattern-ghost")
    w.quit()
    w = pictures.window("--paused", "--level", "6", "--size", "1280x720")
    w.press("shift+w")
    w.wait(lambda s: s["code"]["focused"] and s["code"]["up_to_date"] and s["code"]["coverage"], "the editor")
    click(w, w.state["code"]["places"]["templates"])
    name = "template λ by loop"
    click(w, w.wait(lambda s: name in s["code"]["places"], "the templates")["code"]["places"][name])
    w.wait(lambda s: s["code"]["focused"] and s["code"]["up_to_date"] and "digit" in s["code"]["text"], "λ by loop")
    w.press("F11")
    w.wait(lambda s: s["code"]["stepping"] is not None and s["code"]["stepping"]["recorded"], "stepping")
    while w.state["code"]["stepping"]["statement"] < 22:
        before = w.state["code"]["stepping"]["statement"]
        w.press("F11")
        w.wait(lambda s: s["code"]["stepping"]["statement"] > before, "a statement")
    click(w, w.state["code"]["places"]["step lane 5"])
    w.wait(lambda s: s["code"]["stepping"]["lane"] == 5, "a lane")
    w.move(*kNowhere)
    pictures.take(w, "stepping")
    w.quit()
    w = pictures.window("--workspace", "mandelbrot", "--size", "1280x720")
    w.wait(lambda s: s["mandelbrot"]["divisor"] == 1 and not s["progress"], "the picture")
    click(w, w.state["mandelbrot"]["edit_palette"])
    editor = w.wait(lambda s: s["mandelbrot"]["palette_editor"] and "close" in s["mandelbrot"]["palette_editor"]["places"], "Edit")
    click(w, editor["mandelbrot"]["palette_editor"]["places"]["even"])
    w.wait(lambda s: s["mandelbrot"]["palette"] == "my blue-gold", "a custom palette")
    time.sleep(1)
    w.wait(lambda s: not s["progress"], "the samples too")
    w.move(*kNowhere)
    pictures.take(w, "palettes")
    w.quit()


def files(pictures):
    with tempfile.TemporaryDirectory(prefix="my-fractals-") as folder:
        for name in ("sierpinski-carpet", "sierpinski-gasket", "vicsek"):
            words = [pictures.program, "life", "--fractal", name, "--level", "5", "--steps", "0", "--backend", "cpu", "--save", name + ".loom"]
            subprocess.run(words, cwd=folder, check=True, capture_output=True)
        os.mkdir(os.path.join(folder, "lessons"))
        os.chdir(folder)
        pictures.display.environment["HOME"] = folder
        w = pictures.window("--paused", "--size", "1280x720")
        w.press("ctrl+o")
        w.wait(lambda s: s["files"]["open"] and "browser name" in s["files"]["places"], "the dialog")
        write(w, "vicsek.loom")
        w.wait(lambda s: s["files"]["name"] == "vicsek.loom", "the name")
        w.move(*kNowhere)
        pictures.take(w, "open-scene")
        w.quit()
        os.chdir(root)
    w = pictures.window("--paused", "--level", "6", "--size", "1280x720")
    w.press("ctrl+d")
    w.wait(lambda s: s["places"]["count"] == 1, "a bookmark of Life")
    w.press("Escape", "z")
    w.wait(lambda s: s["workspace"] == "mandelbrot" and s["mandelbrot"]["divisor"] == 1 and not s["progress"], "Z")
    w.press("ctrl+d")
    w.wait(lambda s: s["places"]["count"] == 2, "and one of it")
    w.press("ctrl+b")
    w.wait(lambda s: s["places"]["open"] and "place 1" in s["places"]["areas"] and not s["message"], "the list")
    w.move(*kNowhere)
    pictures.take(w, "places")
    w.quit()


def mandelbrot(pictures):
    w = pictures.window("--workspace", "mandelbrot", "--method", "exhaustive", "--regions", "waits", "--size", "1280x720")
    w.wait(lambda s: s["mandelbrot"]["divisor"] == 1 and not s["progress"] and s["rests"], "the picture, with its time")
    w.move(*kNowhere)
    pictures.take(w, "waits")
    w.quit()
    w = pictures.window("--workspace", "mandelbrot", "--method", "ask", "--regions", "kinds", "--size", "1280x720")
    w.wait(lambda s: s["mandelbrot"]["divisor"] == 1, "the picture")
    x, y, width, height = w.state["picture_area"]
    w.move(x + 0.33 * width, y + 0.38 * height)
    w.wait(lambda s: not s["progress"], "all of it")
    w.move(x + 0.33 * width, y + 0.3 * height)
    time.sleep(1)
    w.wait(lambda s: not s["progress"], "the samples too")
    pictures.take(w, "mandelbrot", 100)
    w.quit()


def main():
    kinds = {"session": session, "class": class_pictures, "maps": maps, "threads": threads, "mandelbrot": mandelbrot,
             "devices": devices, "editors": editors, "files": files}
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", required=True, type=pathlib.Path)
    parser.add_argument("--out", default=root / "docs/images", type=lambda path: pathlib.Path(path).resolve())
    parser.add_argument("kinds", nargs="*", metavar="KIND", help=", ".join(kinds) + "; all of them by default")
    arguments = parser.parse_args()
    unknown = set(arguments.kinds) - set(kinds)
    if unknown:
        parser.error(f"no pictures {', '.join(sorted(unknown))}; allowed: {', '.join(kinds)}")
    display = Display()
    try:
        for kind in arguments.kinds or kinds:
            display.environment["HOME"] = os.environ["HOME"]
            kinds[kind](Pictures(display, arguments.program.resolve(), arguments.out))
    finally:
        display.close()


if __name__ == "__main__":
    main()
