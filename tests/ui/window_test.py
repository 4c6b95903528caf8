"""One scenario of the window tests: window_test.py --program FILE --ask-to-close FILE SCENARIO; --list prints the scenarios.

Exit status 0 passed, 1 failed, 77 skipped.
"""

import argparse
import contextlib
import decimal
import fcntl
import itertools
import json
import math
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import time

from window import Display, Skipped, Window, png_size, rgb_of


def close(a, b):
    return abs(a - b) <= 1e-9 * max(1.0, abs(a), abs(b))


def maps(t):
    """1, 2, 3 switch the map; the cells and the generation stay."""
    w = t.window("--paused", "--level", "6")
    start = w.state
    assert start["map"] == "lambda" and start["generation"] == 0
    for key, name in (("1", "bounding-box"), ("3", "compact"), ("2", "lambda"), ("3", "compact")):
        w.press(key)
        state = w.wait(lambda s: s["map"] == name, f"key {key}")
        assert (state["hash"], state["generation"]) == (start["hash"], 0), state
    w.press("period")
    w.wait(lambda s: s["generation"] == 1, "a step on compact")
    w.press("1")
    w.wait(lambda s: s["map"] == "bounding-box", "key 1")
    end = w.quit()
    assert end["map"] == "bounding-box"
    assert end["hash"] == t.life_hash("--level", "6", "--steps", "1"), end


def map_morph(t):
    """A change of the map moves the tiles from one launch grid to the other for 0.6 s, unless View > Animations is off."""
    w = t.window("--paused", "--map", "bounding-box", "--level", "7", "--size", "1280x720")

    def switch(key, name):
        w.press(key)
        w.seen(lambda s: s["map"] == name, name)

    for key, name in (("2", "lambda"), ("3", "compact"), ("1", "bounding-box")):
        switch(key, name)
        w.seen(lambda s: s["map_morph"] is not None and 0 < s["map_morph"] < 1, f"{name}: the tiles move")
        w.wait(lambda s: s["map_morph"] is None and s["map"] == name, "and end")
    w.press("greater")
    w.wait(lambda s: s["level"] == 8, "another level")
    assert all(s["map_morph"] is None for s in w.states[w.acted:]), "only the map moves tiles"
    click_menu(w, "View", "Window", "Animations")
    w.wait(lambda s: not s["animations"], "switched off")
    switch("2", "lambda")
    w.settle()
    assert all(s["map_morph"] is None for s in w.states[w.acted:]), "nothing moves"
    w.quit()


def methods(t):
    """A and I go through the methods and W through the workloads; the cells stay, and a reduction shows its sum."""
    w = t.window("--paused", "--level", "6", "--arithmetic", "loop", "--intra-block", "sub-box")
    start = w.state
    assert (start["workload"], start["wrong"]) == ("life", "")
    w.press("a")
    state = w.wait(lambda s: s["arithmetic"] == "shuffle", "key A")
    w.press("i")
    state = w.wait(lambda s: s["intra_block"] == "unrolled", "key I")
    assert state["hash"] == start["hash"]
    w.press("w")
    w.wait(lambda s: s["workload"] == "single-write", "key W")
    w.press("w")
    w.wait(lambda s: s["workload"] == "reduction", "key W again")
    w.press("period")
    state = w.wait(lambda s: s["sum"] is not None, "a sum")
    assert state["hash"] == start["hash"] and state["generation"] == 0
    assert state["sum"] == t.life_json("--level", "6", "--steps", "1", "--workload", "reduction")["sum"]
    w.press("w")
    w.wait(lambda s: s["workload"] == "life" and s["sum"] is None, "key W a third time")
    w.quit()


def life(t):
    """Space plays, '.' advances by exactly one and pauses; the result is that of `life`."""
    w = t.window("--paused", "--level", "6")
    for generation in (1, 2, 3):
        w.press("period")
        state = w.wait(lambda s: s["generation"] == generation, f"step {generation}")
        assert not state["playing"]
        assert state["hash"] == t.life_hash("--level", "6", "--steps", str(generation))
    w.press("space")
    w.wait(lambda s: s["playing"], "space plays")
    w.press("space")
    paused = w.wait(lambda s: not s["playing"], "space pauses")
    assert paused["generation"] > 3
    w.press("space")
    w.wait(lambda s: s["playing"], "space plays again")
    w.press("period")
    w.wait(lambda s: not s["playing"], "a step pauses")
    end = w.quit()
    assert end["generation"] > paused["generation"]
    assert end["hash"] == t.life_hash("--level", "6", "--steps", str(end["generation"]))


def reseed_clear(t):
    """R begins anew with the next seed, C kills all cells."""
    w = t.window("--paused", "--level", "5", "--seed", "41")
    w.press("period")
    w.wait(lambda s: s["generation"] == 1, "a step")
    w.press("shift+r")
    state = w.wait(lambda s: s["seed"] == 42 and s["generation"] == 0, "R")
    assert state["hash"] == t.life_hash("--level", "5", "--seed", "42", "--steps", "0")
    w.press("ctrl+BackSpace")
    w.wait(lambda s: s["population"] == 0 and s["generation"] == 0, "C")
    assert w.quit()["population"] == 0


def mouse(t):
    """The wheel zooms at the cursor, a drag moves the picture, F fits it again, keys do the same."""
    w = t.window("--paused", "--level", "6")
    fitted = hide_metrics(w)
    w.hover(5, 50)
    w.xdotool("click", "4")
    zoomed = w.wait(lambda s: s["cells_per_pixel"][0] < fitted["cells_per_pixel"][0] and not s["zooming"], "wheel up zooms in")
    assert close(zoomed["cells_per_pixel"][0] * 1.5, fitted["cells_per_pixel"][0]), "1.5 times a notch"
    assert zoomed["hovered_cell"] == [5, 50], "the cell under the cursor stays there"
    x, y = w.centre()
    w.drag((x, y), (x + 60, y + 35), 1, "pan")
    moved = w.wait(lambda s: s["view_origin"] != zoomed["view_origin"], "a drag moves the picture")
    step = zoomed["cells_per_pixel"]
    assert close(moved["view_origin"][0], zoomed["view_origin"][0] - 60 * step[0]), moved
    assert close(moved["view_origin"][1], zoomed["view_origin"][1] - 35 * step[1]), moved
    w.xdotool("click", "5")
    w.wait(lambda s: s["cells_per_pixel"][0] > zoomed["cells_per_pixel"][0] and not s["zooming"], "wheel down zooms out")
    w.press("f")
    back = w.wait(lambda s: s["view_origin"] == fitted["view_origin"], "F fits")
    assert back["cells_per_pixel"] == fitted["cells_per_pixel"]
    w.hover(5, 50)
    w.xdotool("mousedown", "1")
    w.wait(lambda s: s["gesture"] == "pan", "a click begins")
    w.xdotool("mouseup", "1")
    w.wait(lambda s: s["gesture"] == "none" and s["show_thread"], "and ends: it explains the cell")
    w.press("x")
    w.wait(lambda s: not s["show_thread"], "X hides that, and arrows move the view again")
    size = w.state["size"]
    w.resize(700, 500)
    w.wait(lambda s: s["cells_per_pixel"] != fitted["cells_per_pixel"], "what is fitted follows the window's size")
    w.resize(*size)
    w.wait(lambda s: s["view_origin"] == fitted["view_origin"], "and back")
    w.press("plus")
    zoomed = w.wait(lambda s: s["cells_per_pixel"][0] < fitted["cells_per_pixel"][0], "+ zooms in")
    w.press("Right")
    w.wait(lambda s: s["view_origin"][0] > zoomed["view_origin"][0], "right arrow")
    w.press("minus")
    end = w.wait(lambda s: s["cells_per_pixel"][0] > zoomed["cells_per_pixel"][0], "- zooms out")
    assert end["hash"] == w.quit()["hash"]


def whole_set(state):
    """Whether the picture holds all of the Mandelbrot set, [-2, 0.4712] x [-1.1225, 1.1225], and some margin."""
    re, im, width = state["mandelbrot"]["view"]
    height = width * state["picture_area"][3] / state["picture_area"][2]  # the legend takes some of it
    return re - width / 2 < -2.04 and re + width / 2 > 0.51 and im + height / 2 > 1.16 and im - height / 2 < -1.16


def formulas(w):
    """The choice of formulas shows another set whole; Ctrl Shift J and clicks on the inset go to a Julia set and back to the same view; a drag in
    the inset moves its point; undo brings set and view back."""
    def own():
        return w.state["mandelbrot"]

    def inset(across, down):
        left, top, width, height = own()["inset"]
        return left + across * width, top + down * height

    w.press("g", "g", "f")  # no overlay, all of the set
    w.wait(lambda s: whole_set(s) and s["mandelbrot"]["fitted"] and s["mandelbrot"]["divisor"] == 1, "the set")
    views = own()["views_behind"]
    click(w, own()["formula_choice"])
    w.wait(lambda s: s["popups"] == 1 and s["rests"] and s["mandelbrot"]["formula_rows"][2][2] > 0, "the formulas, where they stay")
    click(w, own()["formula_rows"][2])
    w.wait(lambda s: s["mandelbrot"]["formula"] == "tricorn" and s["mandelbrot"]["fitted"] and s["mandelbrot"]["view"][0] == -0.25, "tricorn, whole")
    assert own()["views_behind"] == views + 1, own()["views_behind"]
    w.press("plus")
    plane = w.wait(lambda s: not s["mandelbrot"]["fitted"] and s["mandelbrot"]["divisor"] == 1, "+ zooms in")["mandelbrot"]["view"]
    left, top, width, height = own()["picture"]
    w.move(left + 0.45 * width, top + 0.4 * height)
    w.wait(lambda s: s["mandelbrot"]["hovered"], "a point")
    w.press("ctrl+shift+j")
    julia = w.wait(lambda s: s["mandelbrot"]["julia_point"] and s["mandelbrot"]["fitted"] and s["mandelbrot"]["view"][:2] == [0, 0], "its Julia set")
    re, im = (float(number) for number in julia["mandelbrot"]["julia_point"].split(","))
    spacing = plane[2] / width
    assert abs(re - (plane[0] - 0.05 * plane[2])) < 2 * spacing and abs(im - (plane[1] - 0.1 * height * spacing)) < 2 * spacing, (re, im, plane)
    w.move(*inset(0.5, 0.5))
    w.xdotool("mousedown", "1")
    w.wait(lambda s: s["mandelbrot"]["dragging"], "a drag begins in the inset")
    w.move(*inset(0.3, 0.6))
    w.wait(lambda s: s["mandelbrot"]["julia_point"] != julia["mandelbrot"]["julia_point"], "which moves the point")
    w.xdotool("mouseup", "1")
    moved = w.wait(lambda s: not s["mandelbrot"]["dragging"], "and ends")["mandelbrot"]["julia_point"]
    w.press("ctrl+z")
    w.wait(lambda s: s["mandelbrot"]["julia_point"] == julia["mandelbrot"]["julia_point"], "undo: the point before the drag")
    w.press("ctrl+y")
    w.wait(lambda s: s["mandelbrot"]["julia_point"] == moved, "redo")
    w.move(*inset(0.5, 0.5))
    w.xdotool("click", "1")
    w.wait(lambda s: s["mandelbrot"]["julia_point"] is None and s["mandelbrot"]["view"] == plane, "a click on the inset goes back to the same view")
    w.press("ctrl+z")
    w.wait(lambda s: s["mandelbrot"]["julia_point"] == moved and s["mandelbrot"]["view"][:2] == [0, 0], "undo: the Julia set")
    w.press("ctrl+z", "ctrl+z", "ctrl+z", "ctrl+z")
    w.wait(lambda s: s["mandelbrot"]["formula"] == "mandelbrot" and whole_set(s), "undo: the Mandelbrot set")
    # A click pins the point, which stays on the way to the inset; a right-click opens its Julia set, and goes back.
    w.move(left + 0.45 * width, top + 0.4 * height)
    w.wait(lambda s: s["mandelbrot"]["hovered"], "a point")
    w.xdotool("click", "1")
    pinned = w.wait(lambda s: s["mandelbrot"]["julia_pinned"], "a click pins it")["mandelbrot"]["inset_point"]
    w.move(*inset(0.5, 0.5))
    w.wait(lambda s: not s["mandelbrot"]["hovered"], "the mouse is in the inset")
    assert own()["inset_point"] == pinned, own()["inset_point"]
    w.xdotool("click", "1")
    state = w.wait(lambda s: s["mandelbrot"]["julia_point"], "a click on the inset opens its Julia set")
    assert [float(number) for number in state["mandelbrot"]["julia_point"].split(",")] == pinned, (state["mandelbrot"]["julia_point"], pinned)
    w.move(left + 0.6 * width, top + 0.4 * height)
    w.xdotool("click", "3")
    w.wait(lambda s: s["mandelbrot"]["julia_point"] is None and s["mandelbrot"]["divisor"] == 1 and s["mandelbrot"]["hovered"], "back")
    w.xdotool("click", "3")
    w.wait(lambda s: s["mandelbrot"]["julia_point"] and s["mandelbrot"]["inset_point"] != pinned, "and to another one")
    w.xdotool("click", "3")
    w.wait(lambda s: s["mandelbrot"]["julia_point"] is None, "back again")
    # A pinned point belongs to its view.
    w.xdotool("click", "1")
    w.wait(lambda s: s["mandelbrot"]["julia_pinned"], "pinned")
    w.move(5, 5)
    w.press("r", "r")
    state = w.wait(lambda s: s["mandelbrot"]["view"][2] < 0.05 and not s["mandelbrot"]["julia_pinned"], "another view")["mandelbrot"]
    view, point = state["view"], state["inset_point"]
    assert all(abs(one - middle) < view[2] for one, middle in zip(point, view)), (point, view)
    w.press("f")
    w.wait(whole_set, "the whole set")


def own_formula(t, w):
    """Shift W opens the editor of formulas: Run shows the set of the text, errors are named and the last picture stays, F11 steps through the code;
    code of a scene waits for Run."""
    def editor(state):
        return state["mandelbrot"]["formula_editor"]

    def inside(state):
        return state["mandelbrot"]["divisor"] == 1 and state["mandelbrot"].get("inside")

    w.press("shift+w")
    w.wait(lambda s: editor(s)["shown"] and editor(s)["focused"] and s["text_field_active"], "the editor has the keyboard")
    type_code(w, """
        Complex next(Complex z, Complex c) {
        z = conj(z);
        return z * z + c;
        }""")
    w.wait(lambda s: "z * z" in editor(s)["text"] and not editor(s)["waits"], "typed")
    assert w.state["mandelbrot"]["formula"] == "mandelbrot", "nothing runs before Run"
    w.press("ctrl+Return")
    w.wait(lambda s: s["mandelbrot"]["formula"] == "custom" and editor(s)["status"].startswith("\u2713") and inside(s), "Run")
    shown = w.state["mandelbrot"]["inside"]
    w.xdotool("type", "x")
    w.wait(lambda s: editor(s)["status"].startswith("\u2717 line 5"), "an error is named")
    assert w.state["mandelbrot"]["inside"] == shown, "the last picture stays"
    w.press("BackSpace")
    w.wait(lambda s: editor(s)["status"].startswith("\u2713 The picture") and inside(s) == shown, "repaired")
    w.press("F11")
    w.wait(lambda s: editor(s)["stepping"] and editor(s)["stepping"]["line"] == 2, "F11: the first statement")
    before = editor(w.state)["stepping"]["variables"]
    w.press("F11")
    state = w.wait(lambda s: editor(s)["stepping"] and editor(s)["stepping"]["line"] == 3, "and the next one")
    after = editor(state)["stepping"]["variables"]
    assert float(after["z.im"]) == -float(before["z.im"]) and after["c.re"] == before["c.re"], (before, after)
    w.press("Escape")
    w.wait(lambda s: not s["text_field_active"], "Esc leaves the editor")
    w.press("Escape")
    w.wait(lambda s: not editor(s)["stepping"] and editor(s)["shown"], "and ends stepping")
    with tempfile.TemporaryDirectory() as folder:
        scene = os.path.join(folder, "formula.loom")
        browse(w, "ctrl+s", scene)
        w.seen(lambda s: s["files"]["done"].startswith("saved formula.loom"), "saved")
        other = t.window("--open", scene, "--size", "900x700")
        state = other.wait(lambda s: editor(s)["shown"] and "z * z" in editor(s)["text"], "the code is kept in the scene")
        time.sleep(1)
        assert editor(other.state)["origin"] == "the scene" and not inside(other.state), "it does not run before Run"
        click(other, editor(other.state)["places"]["Run"])
        other.wait(lambda s: editor(s)["origin"] == "" and inside(s), "Run runs it")
        other.process.terminate()  # keys go to the first window
        other.process.wait(60)
    w.press("Escape")
    w.wait(lambda s: not editor(s)["shown"], "Esc closes the editor")
    w.press("shift+w")
    w.wait(lambda s: editor(s)["shown"] and s["text_field_active"], "opened again")
    type_code(w, """
        Vector next(Vector v, Vector c) {
        c = vector(-0.2, 0.6, 0.2);
        return vector(v.x * v.x - v.y * v.y - v.z * v.z, 2 * v.x * v.y, 2 * v.x * v.z) + c;
        }""")
    w.wait(lambda s: editor(s)["status"].startswith("Run shows"), "a formula in space waits for Run")
    assert not w.state["mandelbrot"]["volume"]["shown"]
    w.press("ctrl+Return")
    w.wait(lambda s: s["mandelbrot"]["formula"] == "custom" and s["mandelbrot"]["volume"]["shown"] and s["mandelbrot"]["volume"]["whole"], "Run shows its set in space")
    computed = w.state["mandelbrot"]["volume"]["computed_samples"]
    w.xdotool("type", "x")
    w.wait(lambda s: editor(s)["status"].startswith("\u2717 line 5") and "line 5" in s["mandelbrot"]["volume"]["problem"], "an error is named")
    w.press("BackSpace")
    w.wait(lambda s: editor(s)["status"].startswith("\u2713 The picture") and s["mandelbrot"]["volume"]["computed_samples"] == computed, "repaired")
    w.press("F11")
    w.wait(lambda s: editor(s)["stepping"] and editor(s)["stepping"]["line"] == 2, "F11 steps through it too")
    w.press("F11")
    state = w.wait(lambda s: editor(s)["stepping"] and editor(s)["stepping"]["line"] == 3, "and the next statement")
    assert float(editor(state)["stepping"]["variables"]["c.y"]) == 0.6, editor(state)["stepping"]
    w.press("Escape")
    w.wait(lambda s: not s["text_field_active"], "Esc leaves the editor")
    w.press("Escape")
    w.wait(lambda s: not editor(s)["stepping"], "and ends stepping")
    w.press("Escape")
    w.wait(lambda s: not editor(s)["shown"], "Esc closes the editor")


def volume(t):
    """A set in space: switched to, turned, verified, cut, with boxes and misses, copied as a command, zoomed and refined, compared, saved, and opened again."""
    def own(s):
        return s["mandelbrot"]["volume"]

    def complete(s):
        return own(s)["shown"] and own(s)["whole"] and own(s)["samples_shown"] == own(s)["size"]

    def command(text):
        w.press("ctrl+p")
        w.wait(lambda s: s["palette_open"] and s["text_field_active"], "the palette")
        w.xdotool("type", "--delay", "15", text)
        w.wait(lambda s: s["palette_filter"] == text, text)
        w.press("Return")
        w.wait(lambda s: not s["palette_open"], "Enter runs it")

    w = t.window("--workspace", "mandelbrot", "--size", "900x600", "--method", "ask")
    w.wait(lambda s: s["mandelbrot"]["divisor"] == 1, "a set in the plane")
    command("quaternion")
    w.wait(lambda s: complete(s) and own(s)["set"] == "quaternion-julia", "a set in space")
    command("mandelbulb")
    state = w.wait(lambda s: complete(s) and own(s)["set"] == "mandelbulb", "and the other one")
    before = own(state)
    assert 0 < before["computed_samples"] < before["size"] ** 3, before
    left, top, width, height = state["mandelbrot"]["picture"]
    centre = int(left + width / 2), int(top + height / 2)
    w.move(*centre)
    w.xdotool("mousedown", "1")
    w.move(centre[0] + 60, centre[1] + 10)
    w.wait(lambda s: own(s)["camera"]["orientation"] != before["camera"]["orientation"], "dragging turns it")
    w.xdotool("mouseup", "1")
    after = own(w.wait(complete, "and the picture becomes whole again"))
    assert (after["computed_samples"], after["ms"]) == (before["computed_samples"], before["ms"]), "the camera only draws"
    w.press("V")
    w.wait(lambda s: own(s)["different"] is not None, "Shift V counts what was filled wrongly")
    w.press("slash")
    w.wait(lambda s: own(s)["cut_axis"] == "x" and complete(s), "a cut")
    w.press("g")
    w.wait(lambda s: own(s)["boxes"] and complete(s), "G shows the filled boxes")
    command("misses")
    w.wait(lambda s: own(s)["misses"] and complete(s), "and what was filled wrongly")
    w.press("ctrl+shift+c")
    text = w.wait(lambda s: s["message"].startswith("Copied: fractal-loom volume "), "copied")["message"]
    words = shlex.split(text.removeprefix("Copied: fractal-loom volume "))
    assert "--boxes" in words and "--misses" in words and "--cut" in words, words
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run([t.program, "volume", *words, "--json"], cwd=folder, capture_output=True, text=True, check=True)
        assert json.loads(done.stdout)["computed_samples"] == before["computed_samples"], done.stdout
        assert json.loads(done.stdout)["check"]["different"] == own(w.state)["different"], done.stdout
        assert os.path.getsize(os.path.join(folder, "mandelbulb.png")) > 0
        # The picture fills a file that is wider.
        wide = os.path.join(folder, "wide.png")
        dialog = dialog_of(w, "save_picture")
        w.press("F12")
        choose(w, dialog, ("other", "with"))
        click(w, dialog(lambda d: "size" in d["places"], "the size")["places"]["size"])
        w.wait(lambda s: s["text_field_active"], "its field")
        w.press("ctrl+a")
        w.xdotool("type", "--delay", "1", "900x200")
        click(w, name_file(w, dialog, wide)["places"]["save"])
        w.wait(lambda s: s["save_picture"]["done"].startswith("saved " + wide), "saved")
        pixels = rgb_of(wide)
        rows = [pixels[2700 * y:2700 * (y + 1)] for y in (5, 100, 195)]
        assert all(row[:3] == row[600:603] == row[-3:] for row in rows) and len({row[:3] for row in rows}) == 3, [row[:3] for row in rows]
    w.press("c")
    w.wait(lambda s: own(s)["colour_by"] == "level" and complete(s), "coloured by level")
    w.press("ctrl+z")
    w.wait(lambda s: own(s)["colour_by"] == "dwell" and complete(s), "undo")
    w.move(*centre)
    for _ in range(4):
        w.xdotool("click", "4")
        time.sleep(0.1)
    w.wait(lambda s: own(s)["may_refine"] and complete(s) and s["rests"], "the wheel zooms")
    command("refine this part")
    state = w.wait(lambda s: own(s)["views_behind"] == 1 and complete(s), "a part with all samples")
    assert own(state)["box"] != before["box"] and own(state)["computed_samples"] != before["computed_samples"], own(state)
    with tempfile.TemporaryDirectory() as folder:
        scene = os.path.join(folder, "bulb.loom")
        browse(w, "ctrl+s", scene)
        w.seen(lambda s: s["files"]["done"].startswith("saved bulb.loom"), "saved")
        other = t.window("--open", scene, "--size", "900x600")
        again = own(other.wait(complete, "the scene"))
        for key in ("set", "power", "box", "size", "surface", "cut_axis", "cut", "boxes", "misses", "camera", "computed_samples"):
            assert again[key] == own(state)[key], (key, again[key], own(state)[key])
        other.process.terminate()  # keys go to the first window
        other.process.wait(60)
    w.press("BackSpace")
    w.wait(lambda s: own(s)["views_behind"] == 0 and own(s)["box"] == before["box"] and complete(s), "Backspace: the larger cube")
    w.press("v")
    w.wait(lambda s: s["mandelbrot"]["compare"] and complete(s) and own(s)["different"] is not None, "V: three methods")
    w.press("v")
    command("set in the plane")
    w.wait(lambda s: not own(s)["shown"] and s["mandelbrot"]["divisor"] == 1, "the plane again")
    w.press("ctrl+shift+c")
    w.wait(lambda s: s["message"].startswith("Copied: fractal-loom view "), "the cut plane, which is not shown, is no obstacle")
    w.press("Escape")
    w.wait(lambda s: s["message"] == "", "what was saved is told for a while, nothing else")
    assert w.quit()["message"] == ""


def mandelbrot(t):
    """Z changes the workspace; the wheel zooms, Backspace and Shift Backspace go back and forward, keys choose; Life stands still."""
    w = t.window("--paused", "--level", "5", "--size", "900x700")
    start = w.state
    w.press("z")
    state = w.wait(lambda s: s["workspace"] == "mandelbrot" and s["mandelbrot"]["divisor"] == 1, "Z, and a picture")
    state = hide_metrics(w)
    assert whole_set(state), state["mandelbrot"]
    w.resize(900, 420)
    w.wait(lambda s: whole_set(s) and s["mandelbrot"]["view"] != state["mandelbrot"]["view"], "all of the set in a flat window")
    w.press("plus")
    w.wait(lambda s: s["mandelbrot"]["views_behind"] == 1 and not s["mandelbrot"]["fitted"], "+ zooms in")
    w.press("f")
    w.wait(lambda s: whole_set(s) and s["mandelbrot"]["views_behind"] == 2, "and F fits")
    w.resize(900, 700)
    w.wait(lambda s: s["mandelbrot"]["view"] == state["mandelbrot"]["view"], "which follows the window's size too")
    w.press("u")
    said = w.seen(lambda s: s["message"].startswith("U is for Life: "), "a key of the other workspace says so")
    assert said["message_kind"] == "warning", said["message_kind"]
    first = state["mandelbrot"]["view"]
    before = w.state["mandelbrot"]["views_behind"]
    w.move(*w.centre())
    w.xdotool("click", "4")
    w.wait(lambda s: s["mandelbrot"]["view"][2] < first[2] and not s["mandelbrot"]["zooming"], "the wheel zooms in")
    assert w.state["mandelbrot"]["views_behind"] == before + 1
    w.press("BackSpace")
    w.wait(lambda s: s["mandelbrot"]["view"] == first, "Backspace goes back")
    w.press("shift+BackSpace")
    w.wait(lambda s: s["mandelbrot"]["view"][2] < first[2], "Shift Backspace goes forward")
    w.press("r")
    own = w.wait(lambda s: s["mandelbrot"]["views_behind"] == before + 2, "R goes to the tour's first stop")["mandelbrot"]
    assert (own["center_re"], own["width"], own["dwell_by_depth"]) == ("-0.6", "4.2", True), own
    w.press("1")
    w.wait(lambda s: s["mandelbrot"]["method"] == "exhaustive" and s["mandelbrot"]["divisor"] == 1, "1 is exhaustive")
    w.press("shift+v")
    w.wait(lambda s: s["mandelbrot"]["different"] == 0, "Shift V finds no pixel that differs")
    w.press("3", "g")
    w.wait(lambda s: s["mandelbrot"]["method"] == "ask" and s["mandelbrot"]["regions"] == "levels", "3 and G")
    w.press("g", "g")
    w.wait(lambda s: s["mandelbrot"]["regions"] == "waits" and 0 < (s["mandelbrot"].get("method_waiting") or 0) < 1, "waits")
    formulas(w)
    own_formula(t, w)
    w.press("z")
    state = w.wait(lambda s: s["workspace"] == "life", "Z goes back")
    assert (state["hash"], state["generation"], state["map"]) == (start["hash"], 0, start["map"]), state
    w.quit()


def mandelbrot_compare(t):
    """V shows exhaustive, DP and ASK of the same view; their views move together; a header makes its method the scene's."""
    def complete(s):
        compared = s["mandelbrot"]["compared"]
        return compared and all(one["ms"] and one["picture"] for one in compared.values()) and \
            all(compared[m]["different"] is not None for m in ("dp", "ask"))

    w = t.window("--workspace", "mandelbrot", "--size", "1100x700", "--dwell", "200", "--method", "dp")
    w.wait(lambda s: s["mandelbrot"]["divisor"] == 1, "a picture")
    assert w.state["mandelbrot"]["compared"] is None and w.state["mandelbrot"]["regions"] == "off", w.state["mandelbrot"]
    w.press("v")
    own = w.wait(lambda s: s["mandelbrot"]["compare"] and complete(s), "V: three methods are compared")["mandelbrot"]
    first = own["compared"]
    exhaustive, dp, ask = (first[m] for m in ("exhaustive", "dp", "ask"))
    assert own["regions"] == "kinds", own["regions"]
    assert exhaustive["computed_pixels"] == exhaustive["pixels"] == ask["pixels"] == dp["pixels"], first
    assert ask["computed_pixels"] < 0.9 * ask["pixels"] and dp["computed_pixels"] == ask["computed_pixels"], first
    assert (exhaustive["launches"], exhaustive["regions"], exhaustive["different"]) == (1, 0, None), first
    assert 1 < ask["launches"] < dp["launches"] == dp["regions"] == ask["regions"] == ask["listed_regions"], first
    assert dp["different"] == ask["different"] <= 0.001 * ask["pixels"], first
    assert len({tuple(one["picture"][2:]) for one in first.values()}) == 1, first  # equal sizes, so that times are comparable
    assert "fastest here: " in own["verdict"] or own["verdict"].startswith("No clear winner: "), own["verdict"]
    # The wheel over a pane that is not the active one moves all of them.
    view = own["view"]
    left, top, width, height = ask["picture"]
    w.move(left + 0.3 * width, top + 0.4 * height)
    w.xdotool("click", "4")
    w.wait(lambda s: s["mandelbrot"]["view"] != view and complete(s) and not s["mandelbrot"]["zooming"] and s["mandelbrot"]["views_behind"] == 1, "all three are zoomed")
    # A click on a header.
    click(w, w.state["mandelbrot"]["compared"]["ask"]["header"])
    w.wait(lambda s: s["mandelbrot"]["method"] == "ask" and complete(s), "ASK is active")
    w.press("1")
    w.wait(lambda s: s["mandelbrot"]["method"] == "exhaustive" and complete(s), "1: exhaustive is active")
    w.press("v")
    own = w.wait(lambda s: s["mandelbrot"]["compared"] is None and not s["mandelbrot"]["compare"], "V: one picture")["mandelbrot"]
    assert own["regions"] == "off" and own["method"] == "exhaustive", own
    w.press("ctrl+z")
    w.wait(lambda s: s["mandelbrot"]["compare"] and s["mandelbrot"]["regions"] == "kinds" and complete(s), "undo: the comparison")
    w.press("ctrl+z", "ctrl+z")
    w.wait(lambda s: s["mandelbrot"]["compare"] and s["mandelbrot"]["method"] == "dp", "and the method")
    w.press("ctrl+z", "ctrl+z")
    w.wait(lambda s: not s["mandelbrot"]["compare"] and s["mandelbrot"]["fitted"] and s["mandelbrot"]["regions"] == "off",
           "and the view and the single picture")
    w.quit()


def mandelbrot_cancel(t):
    """Escape ends a picture that takes long: the one before stays, and it is said; any change begins anew."""
    w = t.window("--workspace", "mandelbrot", "--method", "exhaustive", "--dwell", "65535",
                 "--view=-0.745,0.1,0.03", "--size", "1200x800")
    w.wait(lambda s: s["mandelbrot"]["divisor"] == 1, "a picture")
    assert not w.state["mandelbrot"]["left_behind"], w.state["mandelbrot"]
    w.move(*w.centre())
    for key in ("plus", "Right", "Left", "plus", "Up", "Down") * 3:  # until one takes long enough
        view = w.state["mandelbrot"]["view"]
        w.press(key)
        w.wait(lambda s: s["mandelbrot"]["view"] != view, key)
        w.press("Escape")
        state = w.wait(lambda s: s["mandelbrot"]["left_behind"] or (s["mandelbrot"]["divisor"] == 1 and not s["progress"]), key)
        if state["mandelbrot"]["left_behind"]:
            break
    state = w.wait(lambda s: s["mandelbrot"]["left_behind"] and s["mandelbrot"]["nothing_button"][2] > 0, "a button goes on")
    click(w, state["mandelbrot"]["nothing_button"])
    w.wait(lambda s: s["mandelbrot"]["divisor"] == 1 and not s["mandelbrot"]["left_behind"] and not s["progress"], "the same view")
    w.press("Left")
    w.wait(lambda s: s["mandelbrot"]["divisor"] == 1 and not s["mandelbrot"]["left_behind"], "another view")
    w.quit()


def mandelbrot_deep(t):
    """The wheel zooms from the whole set past 1e-20 without a stop, and a typed place at 1e-1000 is shown; the dwells are those of the
    command line. A text that is no number changes nothing; undo comes back to a deep view."""
    w = t.window("--workspace", "mandelbrot", "--size", "760x481", "--method", "ask", "--dwell", "4000", "--automatic", "off")

    def complete(s):
        return s["mandelbrot"]["divisor"] == 1 and not s["progress"] and s["mandelbrot"]["ms"] is not None

    def middle():
        left, top, area_width, area_height = w.state["mandelbrot"]["picture"]
        return int(left + area_width / 2), int(top + area_height / 2)

    def type_place(**texts):
        for name, text in texts.items():
            click(w, w.state["mandelbrot"]["place_fields"][("re", "im", "width").index(name)])
            w.wait(lambda s: s["text_field_active"], "the field")
            w.press("ctrl+a")
            w.xdotool("type", "--delay", "1", "--", text)
            w.press("Return")
            w.wait(lambda s: not s["text_field_active"], "entered")

    def check_dwells(own):
        """Five pixels of the picture against the command line."""
        width, height = own["image"]
        with tempfile.TemporaryDirectory() as folder:
            file = os.path.join(folder, "dwells.npy")
            subprocess.run([t.program, "mandelbrot", f"--center={own['center_re']},{own['center_im']}", "--width", own["width"], "--backend", "cpu",
                            "--method", "ask", "--g", "4", "--r", "2", "--b", "16", "--dwell", "4000", "--size", f"{width}x{height}", "--npy", file], check=True, capture_output=True)
            data = open(file, "rb").read()
        dwells = data[10 + int.from_bytes(data[8:10], "little"):]
        left, top, area_width, area_height = w.state["mandelbrot"]["picture"]
        seen = set()
        for x, y in ((0.5, 0.5), (0.3, 0.4), (0.61, 0.52), (0.8, 0.3), (0.53, 0.48)):
            w.move(left + x * area_width, top + y * area_height)
            column, row = int(x * area_width), int(y * area_height)
            hovered = w.wait(lambda s: s["mandelbrot"]["hovered"] and max(abs(a - b) for a, b in zip(s["mandelbrot"]["hovered"]["pixel"], (column, row))) <= 1,
                             "a pixel")["mandelbrot"]["hovered"]
            at = 4 * (hovered["pixel"][1] * width + hovered["pixel"][0])
            assert hovered["dwell"] == int.from_bytes(dwells[at:at + 4], "little"), (hovered, own["width"])
            seen.add(hovered["dwell"])
        assert len(seen) > 1, seen

    w.wait(complete, "a picture")
    # A text that is no number gives way to the view with Reset and with Esc, also where the view stays.
    buttons = w.state["mandelbrot"]["place_fields"]
    for texts, key in (({"re": "-0,75"}, "f"), ({"width": "abc"}, "Escape")):
        type_place(**texts)
        w.wait(lambda s: s["mandelbrot"]["place_problem"] and s["mandelbrot"]["fitted"], "no number")
        w.press(key)
        w.wait(lambda s: s["mandelbrot"]["place_problem"] == "" and s["mandelbrot"]["fitted"], key)
    assert w.state["mandelbrot"]["place_fields"] == buttons, "and nothing moves"
    # The point i, at the boundary at any depth, is exactly under the mouse: the sides of the picture are even.
    assert all(side % 2 == 0 for side in w.state["mandelbrot"]["image"]), w.state["mandelbrot"]["image"]
    type_place(re="0", im="1", width="3")
    w.wait(lambda s: s["mandelbrot"]["width"] == "3" and s["mandelbrot"]["evaluator"] == "float" and complete(s), "the place")
    w.move(*middle())
    w.wait(lambda s: s["mandelbrot"]["hovered"] and s["mandelbrot"]["hovered"]["pixel"] == [side // 2 for side in s["mandelbrot"]["image"]], "the middle")
    evaluators = []
    while decimal.Decimal(w.state["mandelbrot"]["width"]) > decimal.Decimal("1e-20"):
        before = decimal.Decimal(w.state["mandelbrot"]["width"])
        w.xdotool("click", "--repeat", "5", "--delay", "15", "4")
        own = w.wait(lambda s: decimal.Decimal(s["mandelbrot"]["width"]) < before / 4 and not s["mandelbrot"]["zooming"], "the wheel zooms in")["mandelbrot"]
        evaluators.append(own["evaluator"])
    assert sorted(set(evaluators), key=evaluators.index) == ["float", "double", "perturbed-double"], evaluators
    own = w.wait(complete, "the picture at the end")["mandelbrot"]
    assert decimal.Decimal(own["width"]) < decimal.Decimal("1e-20"), own["width"]
    assert own["orbit_length"] > 1 and own["precision"] == "auto", own
    check_dwells(own)
    deep = w.state["mandelbrot"]["width"]

    type_place(width="1e-1x")
    state = w.wait(lambda s: s["mandelbrot"]["place_problem"], "no number")
    assert state["mandelbrot"]["width"] == own["width"] and "allowed: a decimal number" in state["mandelbrot"]["place_problem"], state["mandelbrot"]
    # Enter takes all three fields; the view changes once they are all numbers.
    type_place(width="1e-1000", re="-2", im="0")
    own = w.wait(lambda s: (s["mandelbrot"]["center_re"], s["mandelbrot"]["center_im"], s["mandelbrot"]["width"]) == ("-2", "0", "1e-1000") and complete(s),
                 "the typed place")["mandelbrot"]
    assert own["evaluator"] == "perturbed-wide" and own["place_problem"] == "", own
    check_dwells(own)
    for _ in range(3):  # changes of the view within a second are one step
        if w.state["mandelbrot"]["width"] == deep:
            break
        place = [w.state["mandelbrot"][part] for part in ("center_re", "center_im", "width")]
        w.press("ctrl+z")
        w.wait(lambda s: [s["mandelbrot"][part] for part in ("center_re", "center_im", "width")] != place, "undo")
    own = w.state["mandelbrot"]
    assert (own["center_re"], own["center_im"], own["width"]) == ("0", "1", deep), own
    w.press("f")
    w.wait(lambda s: s["mandelbrot"]["fitted"] and s["mandelbrot"]["evaluator"] == "float" and complete(s), "the whole set")

    w.press("ctrl+m")
    w.wait(lambda s: s["message"].startswith("The minibrot of lowest period here (period 1) is wider"), "the whole set is no small copy")
    # The nearest minibrot, and the autopilot from there.
    type_place(re="-1.755", im="0.0001", width="0.1")
    w.wait(lambda s: s["mandelbrot"]["width"] == "0.1" and complete(s), "near the minibrot of period 3")
    w.press("ctrl+m")
    own = w.wait(lambda s: s["mandelbrot"]["minibrot_period"] == 3 and complete(s), "centred on it")["mandelbrot"]
    assert own["center_re"].startswith("-1.75487766624669276"), own["center_re"]
    w.press("ctrl+shift+m")
    before = decimal.Decimal(own["width"])
    w.wait(lambda s: s["mandelbrot"]["autopilot"] and decimal.Decimal(s["mandelbrot"]["width"]) < before / 2, "the autopilot zooms")
    w.press("c")
    w.seen(lambda s: not s["mandelbrot"]["autopilot"] and s["message"].startswith("Autopilot stopped at width ")
           and s["message"].endswith(": a key was pressed"), "any key stops it, which is said")
    w.press("ctrl+z")  # the flight and the key that ended it are one step
    w.wait(lambda s: decimal.Decimal(s["mandelbrot"]["width"]) == before and s["mandelbrot"]["colouring"] == "adaptive", "undo: back to the start")
    mandelbrot_deepest(t, w, complete, type_place)


def mandelbrot_turn(t):
    """Shift + right drag turns the picture about its middle, with the point under the mouse, as one step of undo; { and } turn it by 15
    degrees, Angle to what is typed. Its dwells are those of the command line, and the command that is copied shows it again."""
    w = t.window("--workspace", "mandelbrot", "--size", "900x700", "--view=-0.75,0.1,0.5", "--method", "exhaustive", "--automatic", "off", "--dwell", "200")

    def complete(s):
        return s["mandelbrot"]["divisor"] == 1 and not s["progress"]

    def place(s):
        return [s["mandelbrot"][part] for part in ("center_re", "center_im", "width")]

    def turn_by_mouse(degrees):
        left, top, width, height = w.state["mandelbrot"]["picture"]
        w.move(left + width / 2 + 150, top + height / 2)
        w.xdotool("keydown", "shift", "mousedown", 3)
        w.wait(lambda s: s["mandelbrot"]["dragging"], "the drag begins")
        for step in range(1, 13):
            way = math.radians(degrees * step / 12)
            w.move(left + width / 2 + 150 * math.cos(way), top + height / 2 - 150 * math.sin(way))
        w.xdotool("mouseup", 3, "keyup", "shift")
        return w.wait(lambda s: not s["mandelbrot"]["dragging"] and complete(s), "the drag ends")

    w.wait(complete, "a picture")
    before = w.state
    state = turn_by_mouse(120)
    assert abs(state["mandelbrot"]["angle"] - 120) < 1.5, state["mandelbrot"]["angle"]
    assert place(state) == place(before) and state["mandelbrot"]["views_behind"] == before["mandelbrot"]["views_behind"] + 1, state["mandelbrot"]
    by_mouse = state["mandelbrot"]["angle"]
    w.press("ctrl+z")
    w.wait(lambda s: s["mandelbrot"]["angle"] == 0 and place(s) == place(before), "undo takes the whole drag back")
    w.press("ctrl+y")
    w.wait(lambda s: s["mandelbrot"]["angle"] == by_mouse, "redo")
    time.sleep(1)  # changes of the view within 0.7 s are one step
    state = turn_by_mouse(-120)
    assert abs(state["mandelbrot"]["angle"]) < 2, state["mandelbrot"]["angle"]
    w.press("ctrl+z")
    w.wait(lambda s: s["mandelbrot"]["angle"] == by_mouse, "a second drag is a step of its own")
    w.press("braceleft")
    w.wait(lambda s: abs(s["mandelbrot"]["angle"] - by_mouse - 15) < 1e-9, "{ turns left")
    w.press("braceright", "braceright")
    w.wait(lambda s: abs(s["mandelbrot"]["angle"] - by_mouse + 15) < 1e-9, "} turns right")

    click(w, w.state["mandelbrot"]["place_fields"][3])
    w.wait(lambda s: s["text_field_active"], "the field of the angle")
    w.press("ctrl+a")
    w.xdotool("type", "--delay", "1", "--", "37.5")
    w.press("Return")
    own = w.wait(lambda s: s["mandelbrot"]["angle"] == 37.5 and not s["text_field_active"] and complete(s), "the typed angle")["mandelbrot"]
    assert place(w.state) == place(before), own
    width, height = own["image"]
    with tempfile.TemporaryDirectory() as folder:
        file = os.path.join(folder, "dwells.npy")
        subprocess.run([t.program, "mandelbrot", f"--center={own['center_re']},{own['center_im']}", "--width", own["width"], "--angle", "37.5", "--backend", "cpu",
                        "--method", "exhaustive", "--dwell", "200", "--size", f"{width}x{height}", "--npy", file], check=True, capture_output=True)
        data = open(file, "rb").read()
    dwells = data[10 + int.from_bytes(data[8:10], "little"):]
    left, top, area_width, area_height = own["picture"]
    seen = set()
    for x, y in ((0.1, 0.1), (0.3, 0.2), (0.85, 0.15), (0.9, 0.8), (0.2, 0.4)):
        w.move(left + x * area_width, top + y * area_height)
        column, row = int(x * area_width), int(y * area_height)
        hovered = w.wait(lambda s: s["mandelbrot"]["hovered"] and max(abs(a - b) for a, b in zip(s["mandelbrot"]["hovered"]["pixel"], (column, row))) <= 1,
                         "a pixel")["mandelbrot"]["hovered"]
        at = 4 * (hovered["pixel"][1] * width + hovered["pixel"][0])
        assert hovered["dwell"] == int.from_bytes(dwells[at:at + 4], "little"), hovered
        seen.add(hovered["dwell"])
    assert len(seen) > 1, seen

    w.press("ctrl+shift+c")
    text = w.wait(lambda s: s["message"].startswith("Copied: fractal-loom view "), "copied")["message"]
    words = shlex.split(text.removeprefix("Copied: fractal-loom view "))
    w.quit()
    second = t.window(*words)
    state = second.wait(lambda s: complete(s), "the copied command")
    assert state["mandelbrot"]["angle"] == 37.5 and place(state) == place(before), (state["mandelbrot"], words)
    second.press("f")
    second.wait(lambda s: s["mandelbrot"]["fitted"] and s["mandelbrot"]["angle"] == 0, "the whole set is not turned")
    second.quit()


def mandelbrot_deepest(t, w, complete, type_place):
    """A position below the smallest width is refused. A million digits move with the wheel, which ends at the smallest width; the window
    answers while a reference orbit is computed that would take days, and a forced end keeps the view, with the right digits."""
    def drop(name, *, re, im, zoom, iterations):
        file = os.path.join(folder.name, name)
        with open(file, "w") as out:
            out.write(f"Re: {re}\nIm: {im}\nZoom: {zoom}\nIterations: {iterations}\n")
        subprocess.run([t.drop_files, w.id, file], env=t.display.environment, check=True, timeout=60)

    def place(s):
        return [s["mandelbrot"][part] for part in ("center_re", "center_im", "width")]

    def notch():
        before = place(w.state)
        w.act()
        w.xdotool("click", "4")
        return w.wait(lambda s: place(s) != before and not s["mandelbrot"]["zooming"], "a notch of the wheel")["mandelbrot"]

    folder = tempfile.TemporaryDirectory()
    before = place(w.state)
    drop("c.kfr", re="-0.7", im="0.1", zoom="1E9000000", iterations="99999999999999999999")
    message = w.wait(lambda s: s["message_kind"] == "error", "c.kfr")["message"]
    assert message.startswith("c.kfr: ") and "1e-1000000 to 1e6" in message and place(w.state) == before, message

    re, im = "0.37" + "74" * 500_000, "0.61" + "0123456789" * 100_000
    drop("deep.kfr", re=re, im=im, zoom="4E999990", iterations="100")
    own = w.wait(lambda s: s["mandelbrot"].get("orbit_bits", 0) > 3_321_928 and complete(s), "a picture of a million digits")["mandelbrot"]
    assert own["center_re"].startswith("0.377474") and own["center_re"].endswith("... (1000002 digits)"), own["center_re"]
    assert own["dwell_limit"] == 100 and own["width"].endswith(("e-999990", "e-999991")), own
    left, top, area_width, area_height = own["picture"]
    x, y = int(left + 0.8 * area_width), int(top + 0.3 * area_height)
    w.move(x, y)
    wide = decimal.Decimal(own["width"])
    own = notch()
    width = decimal.Decimal(own["width"])
    assert abs(width / wide * decimal.Decimal("1.5") - 1) < 1e-14, width
    own = w.wait(lambda s: complete(s) and s["mandelbrot"]["hovered"] and s["mandelbrot"].get("orbit_reused"), "the picture after it")["mandelbrot"]
    assert own["hovered"]["dwell"] > 1, own

    # Twenty notches while the orbit of an interior point is computed.
    re = "-0.1" + re[3:]
    drop("inside.kfr", re=re, im=im.replace("0.61", "0.01"), zoom="4E999990", iterations="2000000000")
    w.wait(lambda s: s["mandelbrot"]["center_re"].startswith("-0.17") and s["progress"].startswith("computing the reference orbit"), "an orbit without end")
    w.move(x - 20, y)  # the drop has moved the cursor of the window, not that of the display
    w.move(x, y)
    for _ in range(20):
        own = notch()
        assert own["divisor"] != 1 or not complete(w.state), own
    zoomed = decimal.Decimal(own["width"])  # at least 1.5 times a notch, more where they follow quickly
    assert zoomed < wide / decimal.Decimal("1.5") ** 20 * decimal.Decimal("1.000001"), zoomed
    w.wait(lambda s: s["progress"].startswith("computing the reference orbit"), "it is still computed")
    # The number that is not typed keeps all its digits.
    type_place(width="1.1e-1000000")
    w.wait(lambda s: s["mandelbrot"]["width"] == "1.1e-1000000", "the width")
    w.move(x, y)
    own = notch()
    assert own["width"] == "1e-1000000", own["width"]
    w.seen(lambda s: s["message"] == "The zoom ends at a width of 1e-1000000, the smallest one of auto precision", "the reason")
    w.xdotool("click", "4")
    last = [part.split("...")[0] for part in place(w.state)]
    w.process.send_signal(signal.SIGTERM)
    w.finish()
    with open(os.path.join(t.display.state_home.name, "fractal-loom", "last.loom"), "rb") as file:
        view = json.loads(file.read().split(b"\0")[0])["mandelbrot"]["view"]
    assert view["width"] == "1e-1000000", view["width"]
    # The point under the mouse stays there: all notches together move the centre by its distance times the change of the width.
    with decimal.localcontext() as exact:
        exact.prec, exact.Emin = 1_000_100, -2_000_000
        pixels = decimal.Decimal(x - left) / decimal.Decimal(area_width) - decimal.Decimal("0.5")
        moved = decimal.Decimal(view["re"]) - decimal.Decimal(re)
        assert abs(moved / wide - pixels * (1 - zoomed / wide)) < 1e-9, float(moved / wide)
    w = t.window()
    w.wait(lambda s: s["files"]["offered"] != "" and "restore" in s["files"]["places"], "the offer")
    click(w, w.state["files"]["places"]["restore"])
    w.wait(lambda s: s["workspace"] == "mandelbrot" and [part.split("...")[0] for part in place(s)] == last, "the view was kept")
    w.quit()
    folder.cleanup()


def rest(t):
    """A window where nothing moves draws few frames; it answers at once, and does not rest while it plays."""
    w = t.window("--paused", "--level", "6", "--size", "900x700")
    w.wait(lambda s: s["rests"], "nothing moves")
    start = time.monotonic()
    w.press("plus")
    w.wait(lambda s: not s["rests"], "somebody does something")
    assert time.monotonic() - start < 2, "at once"
    w.press("space")
    time.sleep(6)  # no state says that time passes while it plays, and longer than a window needs to rest is what is tested
    w.press("space")  # whatever comes now, no state of the six seconds was one at rest
    with w.changed:
        played = [state for state in w.states if state["playing"]]
    assert played and not any(state["rests"] for state in played), played[-1]
    w.wait(lambda s: s["rests"], "nothing moves any more")
    w.press("z")
    w.wait(lambda s: s["workspace"] == "mandelbrot" and s["mandelbrot"]["divisor"] == 1 and s["rests"], "nor there")
    w.quit()


def box_zoom(t):
    """Shift + drag, and B with a drag, show the box."""
    w = t.window("--paused", "--level", "6", "--size", "900x700")
    fitted = hide_metrics(w)
    for prepare, undo in ((("keydown", "shift"), ("keyup", "shift")), (("key", "b"), None)):
        start, end = w.cell_on_screen(8, 30), w.cell_on_screen(23, 45)
        w.xdotool(*prepare)
        w.drag(start, end, 1, "box")
        if undo:
            w.xdotool(*undo)
        state = w.wait(lambda s: s["cells_per_pixel"][0] < fitted["cells_per_pixel"][0] / 2, "the box is shown")
        width, height = state["picture"][2:]
        middle = [state["view_origin"][0] + width / 2 * state["cells_per_pixel"][0],
                  state["view_origin"][1] + height / 2 * state["cells_per_pixel"][1]]
        assert abs(middle[0] - 16) < 0.5 and abs(middle[1] - 38) < 0.5, (middle, state)
        w.press("f")
        w.wait(lambda s: s["cells_per_pixel"] == fitted["cells_per_pixel"], "F fits")
    w.quit()


def edit(t):
    """In edit mode a click flips a cell, a drag paints along its way, holes stay holes; else a click does nothing."""
    w = t.window("--paused", "--level", "3", "--block", "2")
    hide_metrics(w)
    w.press("ctrl+BackSpace")
    w.wait(lambda s: s["population"] == 0, "cleared")
    w.hover(0, 0)
    w.xdotool("click", "1")
    w.press("e")
    state = w.wait(lambda s: s["edit_cells"], "E")
    assert state["population"] == 0, "a click paints in edit mode only"
    w.xdotool("click", "1")
    w.wait(lambda s: s["population"] == 1, "a click brings a cell to life")
    w.xdotool("click", "1")
    w.wait(lambda s: s["population"] == 0, "another kills it")
    w.hover(7, 0)
    w.xdotool("click", "1")  # a hole of the gasket
    w.drag(w.cell_on_screen(0, 7), w.cell_on_screen(7, 7), 1, "paint")
    w.wait(lambda s: s["population"] == 8, "the bottom row is painted, the hole is not")
    w.hover(4, 7)
    origin = w.state["view_origin"]
    w.drag(w.cell_on_screen(4, 7), w.cell_on_screen(2, 6), 3, "pan")
    w.wait(lambda s: s["view_origin"] != origin, "the right button still moves the picture")
    assert w.quit()["population"] == 8
    # A brush of a refractory state: cell 0, then from a cell in this state on, dead.
    with tempfile.TemporaryDirectory() as folder:
        scene = os.path.join(folder, "refractory.loom")
        subprocess.run([t.program, "life", "--backend", "cpu", "--level", "3", "--block", "2", "--rule", "B2/S345/C5", "--steps", "0",
                        "--density", "0", "--save", scene], check=True, capture_output=True, timeout=60)
        content, cells = read_scene(scene)
        content["life"]["brush_state"] = 3
        content["life"]["edit_cells"] = True
        write_scene(scene, content, cells)
        w = t.window("--paused", "--open", scene)
        hide_metrics(w)
        w.wait(lambda s: s["edit_cells"], "as saved")
        w.hover(0, 0)
        w.xdotool("click", "1")
        three = 3 * 0xE220A8397B1DCDAF % 2**64  # splitmix64(0)
        w.wait(lambda s: s["hash"] == "%016x" % three and s["population"] == 0, "cell 0 is in state 3")
        w.xdotool("click", "1")
        w.wait(lambda s: s["hash"] == "0" * 16, "and dead")
        w.quit()


def bar(w, name):
    """Presses a button of the line below the picture."""
    click(w, w.wait(lambda s: name in s["edit_bar"], "the button " + name)["edit_bar"][name])


def patterns(t):
    """Ctrl and a drag select, Ctrl C copies as RLE, Ctrl V shows it where the cursor is, a click places it; each undone by one step."""
    w = t.window("--paused", "--level", "5", "--block", "4")
    w.press("t", "ctrl+BackSpace", "e")
    w.wait(lambda s: s["population"] == 0 and s["edit_cells"], "cleared, E")
    w.hover(0, 31)
    w.drag(w.cell_on_screen(0, 31), w.cell_on_screen(4, 31), 1, "paint")
    w.wait(lambda s: s["population"] == 5, "five cells in the bottom row")
    w.press("e")
    w.wait(lambda s: not s["edit_cells"], "E again")
    w.hover(0, 30)
    w.xdotool("keydown", "ctrl")
    w.drag(w.cell_on_screen(0, 30), w.cell_on_screen(5, 31), 1, "select")
    w.xdotool("keyup", "ctrl")
    w.wait(lambda s: s["selection"] == [0, 30, 6, 2], "a selection of 6 x 2")
    w.press("ctrl+c")
    w.wait(lambda s: "copied 5" in s["editor_note"] and not s["editor_busy"], "five cells are copied")
    w.press("ctrl+v")
    w.wait(lambda s: s["ghost"], "the pattern")
    w.hover(20, 20)
    ghost = w.wait(lambda s: s["ghost"]["x"] == 17 and s["ghost"]["counted"], "it follows the cursor")["ghost"]
    assert ghost["cells"] + ghost["holes"] == 5 and ghost["holes"] > 0, ghost
    w.xdotool("click", "1")
    w.wait(lambda s: not s["ghost"] and s["population"] == 5 + ghost["cells"], "a click places what falls on cells")
    assert w.state["pinned"] is None, "that click pins nothing"
    w.press("ctrl+z")
    w.wait(lambda s: s["population"] == 5, "one step takes it back")
    w.press("ctrl+v")
    w.wait(lambda s: s["ghost"], "the pattern again")
    w.press("Escape")
    w.wait(lambda s: not s["ghost"] and s["selection"], "Escape drops it and leaves the selection")

    # Turned in place: the row stands up, and what falls on holes is lost and said; undone, it lies again.
    before = w.state["hash"]
    bar(w, "turn_right")
    w.wait(lambda s: s["hash"] != before and s["selection"][2:] == [2, 6], "turned")
    w.press("ctrl+z")
    w.wait(lambda s: s["hash"] == before, "and back")
    w.press("ctrl+a")
    w.wait(lambda s: s["selection"] == [0, 0, 32, 32], "all of it")
    w.press("ctrl+x")
    w.wait(lambda s: s["population"] == 0, "cut")
    w.press("ctrl+z")
    w.wait(lambda s: s["hash"] == before, "the cells are back")
    bar(w, "fill")
    w.wait(lambda s: s["population"] > 50, "filled at random")
    w.press("ctrl+Delete")
    w.wait(lambda s: s["population"] == 0, "Ctrl Del clears the selection")
    w.press("Escape")
    w.wait(lambda s: not s["selection"], "Escape deselects")
    w.press("ctrl+c")
    w.wait(lambda s: "Nothing is selected" in s["message"], "nothing to copy")
    w.quit()


def pattern_browser(t):
    """Edit > Patterns... lists the bundled patterns with their pictures; words narrow the list, arrow keys mark one, Enter places it."""
    w = t.window("--paused", "--level", "5", "--block", "4")
    before = w.state["hash"]
    click(w, w.wait(lambda s: "Edit" in s["menus"], "the titles")["menus"]["Edit"])
    click(w, w.wait(lambda s: "Edit/Patterns..." in s["menus"], "the menu")["menus"]["Edit/Patterns..."])
    state = w.wait(lambda s: s["patterns"] and len(s["patterns"]["names"]) == 20, "all patterns")
    w.xdotool("type", "--delay", "15", "VICSEK period")
    w.wait(lambda s: s["patterns"]["words"] == "VICSEK period", "words")
    state = w.wait(lambda s: len(s["patterns"]["names"]) == 2, "those that have them")
    assert state["patterns"]["names"] == ["vicsek-scissors", "vicsek-eight"] and state["patterns"]["marked"] == 0, state["patterns"]
    w.press("Right")
    w.wait(lambda s: s["patterns"]["marked"] == 1, "the second is marked")
    w.press("Return")
    state = w.wait(lambda s: s["patterns"] is None and s["fractal"] == "vicsek" and s["level"] == 4 and s["population"] == 9, "Enter places it")
    w.press("ctrl+p")
    w.wait(lambda s: s["palette_open"], "the command palette")
    w.xdotool("type", "--delay", "15", "patterns...")
    w.wait(lambda s: s["palette_filter"] == "patterns...", "finds it too")
    w.press("Return")
    w.wait(lambda s: s["patterns"], "the list again")
    w.xdotool("type", "--delay", "15", "nothing has this")
    w.wait(lambda s: s["patterns"]["names"] == [], "no pattern")
    w.press("Return", "Escape")
    state = w.wait(lambda s: s["patterns"] is None, "Escape closes it")
    assert (state["fractal"], state["population"]) == ("vicsek", 9), state
    while w.state["undo"]["behind"] > 0:
        behind = w.state["undo"]["behind"]
        w.press("ctrl+z")
        w.wait(lambda s: s["undo"]["behind"] < behind, "a step back")
    w.wait(lambda s: s["fractal"] == "sierpinski-gasket" and s["level"] == 5 and s["hash"] == before, "undone")
    w.quit()


def pattern_files(t):
    """A pattern is opened like a scene and lies below the cursor; one that is broken is refused with its line."""
    with tempfile.TemporaryDirectory() as folder:
        good = os.path.join(folder, "row.rle")
        bad = os.path.join(folder, "bad.rle")
        with open(good, "w") as file:
            file.write("#N Row\nx = 3, y = 1, rule = B36/S23\n3o!\n")
        with open(bad, "w") as file:
            file.write("x = 3, y = 1\n3z!\n")
        w = t.window("--paused", "--level", "4", "--block", "4")
        w.press("ctrl+BackSpace")
        w.wait(lambda s: s["population"] == 0, "cleared")
        browse(w, "ctrl+o", bad)
        w.wait(lambda s: "bad.rle, line 2" in s["message"], "it is refused")
        assert w.state["ghost"] is None
        w.wait(lambda s: not s["files"]["open"], "the dialog is closed")
        browse(w, "ctrl+o", good)
        w.wait(lambda s: s["ghost"] and not s["files"]["open"], "the pattern")
        bar(w, "rule")
        w.wait(lambda s: s["rule"] == "B36/S23", "its rule is taken")
        w.hover(1, 7)
        w.wait(lambda s: s["ghost"]["cells"] == 3, "on three cells")
        w.press("Return")
        w.wait(lambda s: s["population"] == 3 and not s["ghost"], "Enter places it")
        w.quit()


def drop(t):
    """Files let go over the window are what they are: a scene, a pattern, a place; what is none of them is refused in words."""
    with tempfile.TemporaryDirectory() as folder:
        def written(name, text):
            file = os.path.join(folder, name)
            with open(file, "w") as out:
                out.write(text)
            return file

        scene = os.path.join(folder, "a scene, ü.loom")
        subprocess.run([t.program, "life", "--backend", "cpu", "--fractal", "vicsek", "--level", "3", "--steps", "7", "--save", scene],
                       check=True, stdout=subprocess.DEVNULL, timeout=120)
        w = t.window("--paused", "--level", "6")

        def let_go(*files):
            w.act()
            subprocess.run([t.drop_files, w.id, *files], env=t.display.environment, check=True, timeout=60)

        let_go(scene)
        state = w.wait(lambda s: s["fractal"] == "vicsek" and s["generation"] == 7, "the scene")
        assert state["hash"] == t.life_hash("--fractal", "vicsek", "--level", "3", "--steps", "7"), state
        before = state["hash"]
        let_go(written("broken.loom", "{"))
        state = w.seen(lambda s: "broken.loom" in s["message"], "what is wrong is said")
        assert state["hash"] == before, "and nothing changes"
        w.press("Escape")
        w.wait(lambda s: s["message"] == "", "read")
        let_go(written("blinker.rle", "x = 3, y = 1\n3o!\n"))
        w.wait(lambda s: s["ghost"] is not None, "the pattern follows the cursor")
        w.press("Escape")
        w.wait(lambda s: s["ghost"] is None, "dropped again")
        let_go(written("first.rle", "x = 3, y = 1\n3o!\n"), written("second.rle", "x = 4, y = 1\n4o!\n"))
        w.seen(lambda s: s["ghost"] is not None and s["patterns_waiting"] == 1, "of two patterns the first comes first")
        w.seen(lambda s: "second.rle comes next" in s["message"], "and it is said that the second waits")
        cells = w.state["ghost"]["cells"] + w.state["ghost"]["holes"] + w.state["ghost"]["outside"]
        w.press("Escape")
        w.wait(lambda s: s["patterns_waiting"] == 0 and s["ghost"] is not None, "then the second")
        assert cells == 3 and sum(w.state["ghost"][what] for what in ("cells", "holes", "outside")) == 4, w.state["ghost"]
        w.press("Escape")
        w.wait(lambda s: s["ghost"] is None, "dropped too")
        let_go(written("third.rle", "x = 5, y = 1\n5o!\n"))
        w.wait(lambda s: s["ghost"] is not None, "one is to be placed")
        let_go(written("fourth.rle", "x = 6, y = 1\n6o!\n"))
        w.wait(lambda s: s["patterns_waiting"] == 1, "one that is dropped later waits")
        assert sum(w.state["ghost"][what] for what in ("cells", "holes", "outside")) == 5, w.state["ghost"]
        w.press("less")
        w.wait(lambda s: s["level"] == 2 and s["patterns_waiting"] == 0 and s["ghost"] is None, "another field ends both")
        w.press("greater")
        w.wait(lambda s: s["level"] == 3 and s["ghost"] is None, "and they do not come back")
        let_go(scene)
        w.wait(lambda s: s["hash"] == before, "the scene again")
        let_go(written("place.kfr", "Re: -0.75\nIm: 0.1\nZoom: 100\nIterations: 700\n"))
        w.wait(lambda s: s["workspace"] == "mandelbrot" and s["mandelbrot"]["dwell_limit"] == 700, "the place")
        w.press("z")
        w.wait(lambda s: s["workspace"] == "life", "Z")
        w.press("shift+r")
        w.wait(lambda s: s["hash"] != before and s["generation"] == 0, "other cells")
        let_go(written("no scene.txt", "words"), scene)
        w.seen(lambda s: "no scene.txt: has an unknown ending; allowed: a scene (.loom), " in s["message"], "two at once: the first is refused")
        w.wait(lambda s: s["hash"] == before, "and the second is opened")

        let_go(written("two colours.map", "0 0 0\n255 255 255\n"))
        w.wait(lambda s: s["palette"] == "two colours" and s["own_palettes"] == ["two colours"], "a palette is imported and chosen")
        let_go(written("corner.toml", 'name = "corner"\ns_x = 2\ns_y = 2\noffsets = [[0, 0], [1, 0], [0, 1]]\nrule = "B36/S23"\n'))
        w.wait(lambda s: s["fractal"] == "corner" and s["rule"] == "B36/S23", "a fractal is shown, with its rule")
        w.press("ctrl+z")
        w.wait(lambda s: s["fractal"] == "vicsek", "and undone")
        let_go(written("glider.lif", "#Life 1.06\n0 -1\n1 0\n-1 1\n0 1\n1 1\n"))
        w.wait(lambda s: s["ghost"] is not None and sum(s["ghost"][what] for what in ("cells", "holes", "outside")) == 5, "Life 1.06")
        w.press("Escape")
        # Where XaoS shows 2.5 by 2.5, the picture is at least as wide and as high; the view fits the picture that there is.
        for name, text in (("square.XPF", "(initstate)\n(formula 'mandel)\n(view -0.75 0 2.5 2.5)\n"),
                           ("three.f3.toml", 'location.real = "-0.75"\nlocation.zoom = "1.6"\n')):
            let_go(written(name, text))
            state = w.wait(lambda s: s["workspace"] == "mandelbrot" and s["mandelbrot"]["view"][:2] == [-0.75, 0], name)
            _, _, width, height = state["mandelbrot"]["picture"]
            assert width > height and abs(state["mandelbrot"]["view"][2] / (2.5 * width / height) - 1) < 0.01, state["mandelbrot"]
            before = state["mandelbrot"]["view"]
            let_go(written("julia.xpf", "(plane 1)(view 0 0 1 1)"))
            state = w.seen(lambda s: "julia.xpf: its plane is 1, which is another set" in s["message"], "another set")
            assert state["mandelbrot"]["view"] == before, state["mandelbrot"]["view"]
            w.press("Escape", "f")
            w.wait(lambda s: s["message"] == "" and s["mandelbrot"]["view"][0] != -0.75, "elsewhere")
        let_go(written("solid.toml", 'name = "solid corner"\ns_x = 2\ns_y = 2\ns_z = 2\noffsets = [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]\n'))
        w.wait(lambda s: s["workspace"] == "solid" and s["solid"]["fractal"] == "solid corner", "a fractal of three dimensions")
        assets = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../assets")
        let_go(os.path.join(assets, "exercises/rows.toml"))
        w.wait(lambda s: s["workspace"] == "life" and s["code"]["shown"] and "exercise" in s["code"], "an exercise")
        let_go(os.path.join(assets, "lessons/blocks.toml"))
        w.wait(lambda s: s["lesson"] and s["lesson"].get("step") == 1 and s["text_field_active"], "a lesson, whose answer is typed")
        w.press("Escape")
        w.wait(lambda s: not s["text_field_active"], "out of it")

        # What is no file with an end is refused, and nothing waits for it: the window goes on, and ends.
        pipe = os.path.join(folder, "pipe.rle")
        os.mkfifo(pipe)
        for wrong, why in ((pipe, "is not a regular file"), (folder, "is a folder"), (os.path.join(folder, "gone.kfr"), "cannot be read")):
            w.press("Escape")
            w.wait(lambda s: s["message"] == "", "read")
            let_go(wrong)
            state = w.seen(lambda s: why in s["message"] and "; allowed: a scene" in s["message"], why)
            assert not state["editor_busy"], state["message"]
        w.quit()

        # The command line opens what the window opens.
        for name, is_opened in (("place.kfr", lambda s: s["workspace"] == "mandelbrot" and s["mandelbrot"]["dwell_limit"] == 700),
                                ("first.rle", lambda s: s["ghost"] is not None and not s["start_cards"])):
            w = t.window("--paused", os.path.join(folder, name))
            w.wait(is_opened, name)
            w.quit()


def extinct(t):
    """Where all cells are dead the window says so and plays a rule that lives; a period is found and said since when."""
    w = t.window("--paused", "--fractal", "x-fractal", "--level", "4")
    w.press("space")
    w.wait(lambda s: "living_rule" in s["edit_bar"], "all cells die under B2/S23")
    w.press("space")
    w.wait(lambda s: not s["playing"], "paused")
    for _ in range(5):  # one by one, each is counted
        generation = w.state["generation"]
        w.press("period")
        w.wait(lambda s: s["generation"] == generation + 1, "a generation")
    state = w.wait(lambda s: s["repeats"], "dead is a period of 1")
    assert state["population"] == 0 and state["rule"] == "B2/S23" and state["repeats"]["period"] == 1, state["repeats"]
    bar(w, "living_rule")
    w.wait(lambda s: s["rule"] == "B1/S1" and s["playing"] and not s["edit_bar"], "another rule plays")
    w.press("space")
    w.wait(lambda s: not s["playing"] and (s["population"] or 0) > 50 and not s["edit_bar"], "paused, and it survives")
    w.quit()


def enter_rule_field(w):
    click(w, w.state["rule_field"])
    w.wait(lambda s: s["text_field_active"], "the click activates the field")


def rule_field(t):
    """Keys that are typed into a text field do nothing else; a rule takes effect when it is one."""
    w = t.window("--paused", "--level", "5", "--size", "1280x1000")
    population = w.state["population"]
    enter_rule_field(w)
    w.press("ctrl+a", "ctrl+x")
    state = w.wait(lambda s: s["rule_text"] == "", "the field's text is cut")
    w.press("ctrl+v")
    w.wait(lambda s: s["rule_text"] != "", "and pasted")
    assert (state["population"], state["selection"], w.state["ghost"]) == (population, None, None), "and no cells"
    w.press("ctrl+a")
    w.xdotool("type", "--delay", "60", "b3/s23")
    state = w.wait(lambda s: s["rule"] == "B3/S23", "the typed rule")
    assert (state["map"], state["generation"], state["seed"]) == ("lambda", 0, 1), state
    w.press("period")  # B3/S23. is no rule
    w.press("BackSpace", "Return")
    state = w.wait(lambda s: not s["text_field_active"], "Return leaves the field")
    assert (state["rule"], state["generation"]) == ("B3/S23", 0), state
    w.press("period")
    state = w.wait(lambda s: s["generation"] == 1, "keys work again")
    assert state["hash"] == t.life_hash("--level", "5", "--rule", "B3/S23", "--steps", "1")
    assert w.quit()["rule"] == "B3/S23"
    # A rule of several states needs bytes; undo restores cells in all states.
    w = t.window("--paused", "--level", "5", "--size", "1280x1000", "--map", "compact", "--storage", "bits")
    enter_rule_field(w)
    w.press("ctrl+a")
    w.xdotool("type", "--delay", "60", "345/2/6")
    w.press("Return")
    w.wait(lambda s: s["rule"] == "B2/S345/C6" and s["storage"] == "bytes" and not s["text_field_active"], "six states, in bytes")
    hashes = {}
    for generation in range(1, 6):
        w.press("period")
        hashes[generation] = w.wait(lambda s: s["generation"] == generation, "a generation")["hash"]
    assert hashes[5] == t.life_hash("--level", "5", "--rule", "B2/S345/C6", "--steps", "5")
    for generation in (4, 3):
        w.press("comma")
        state = w.wait(lambda s: s["generation"] == generation, "a generation back")
        assert state["hash"] == hashes[generation], state
    w.quit()
    # Larger than Life.
    w = t.window("--paused", "--level", "5", "--size", "1280x1000", "--map", "compact", "--storage", "bits")
    enter_rule_field(w)
    w.press("ctrl+a")
    w.xdotool("type", "--delay", "60", "R3,C4,M1,S5..12,B4..9,NC")
    w.press("Return")
    w.wait(lambda s: s["rule"] == "R3,C4,M1,S5..12,B4..9,NC" and s["storage"] == "bytes" and not s["text_field_active"], "in bytes")
    for generation in range(1, 4):
        w.press("period")
        state = w.wait(lambda s: s["generation"] == generation, "a generation")
    assert state["hash"] == t.life_hash("--level", "5", "--rule", "R3,C4,M1,S5..12,B4..9,NC", "--steps", "3"), state
    w.press("comma")
    w.wait(lambda s: s["generation"] == 2, "a generation back")
    # Its sliders act while it plays, on the cells as they are; a drag is one undo step.
    w.press("space")
    w.wait(lambda s: s["playing"], "it plays")
    x, y, width, height = w.state["rule_sliders"]["Radius"]
    w.move(x + width / 4, y + height / 2)
    w.xdotool("mousedown", "1")
    for part in (0.3, 0.5, 0.9):
        w.move(x + part * width, y + height / 2)
        w.wait(lambda s, least=16 * part - 2: s["radius"] >= least, "the radius follows the mouse")
    w.xdotool("mouseup", "1")
    state = w.wait(lambda s: s["undo"]["undoes"] == "rule" and s["playing"], "it still plays")
    assert state["rule"].startswith(f"R{state['radius']},C4,M1,S") and state["radius"] > 12, state["rule"]
    w.press("space")
    w.wait(lambda s: not s["playing"] and s.get("generation", 0) > 2, "paused, generations later")
    w.press("ctrl+z")
    w.wait(lambda s: s["rule"] == "R3,C4,M1,S5..12,B4..9,NC", "the drag is one step")
    enter_rule_field(w)
    w.press("ctrl+a")
    w.xdotool("type", "--delay", "60", "R17,C0,M1,S5..12,B4..9,NC")
    w.wait(lambda s: s["rule_text"].startswith("R17") and s["rule"] == "R3,C4,M1,S5..12,B4..9,NC", "no such radius")
    w.press("Escape")
    w.quit()


def fast_hands(t):
    """What is done faster than frames come, here within a millisecond, is what it would be done slowly."""
    w = t.window("--paused", "--level", "3", "--block", "2", "--size", "1280x1000")
    hide_metrics(w)
    w.press("ctrl+BackSpace", "e")
    w.wait(lambda s: s["population"] == 0 and s["edit_cells"], "cleared, E")
    start, end = w.cell_on_screen(0, 7), w.cell_on_screen(7, 7)
    w.xdotool("mousemove", *map(round, start), "mousedown", "1", "mousemove", *map(round, end), "mouseup", "1")
    w.wait(lambda s: s["population"] == 8 and s["gesture"] == "none", "a drag paints from where it began to where it ended")
    w.xdotool("mousemove", *map(round, start), "click", "1", "click", "1", "click", "1", "mousemove", *map(round, end))
    state = w.wait(lambda s: s["hovered_cell"] == [7, 7] and s["population"] == 7, "three clicks where the mouse was")
    generation = state["generation"]
    w.xdotool(*["key", "--delay", "0", "period"] * 5)
    w.wait(lambda s: s["generation"] == generation + 5, "each tap is a generation")
    w.press("shift+r")  # what Ctrl Backspace would clear
    alive = w.wait(lambda s: s["population"] and s["generation"] == 0, "a start")
    x, y, width, height = alive["rule_field"]
    w.xdotool("mousemove", round(x + width / 2), round(y + height / 2), "click", "1", "key", "--delay", "0", "ctrl+a",
              "type", "--delay", "0", "b36/s23c")
    w.xdotool("key", "--delay", "0", "BackSpace", "key", "--delay", "0", "Return", "key", "--delay", "0", "period")
    state = w.wait(lambda s: s["generation"] == 1, "text, then the field is left, then a generation")
    assert (state["rule"], state["seed"], state["map"]) == ("B36/S23", alive["seed"], alive["map"]), state
    assert not state["text_field_active"] and state["edit_cells"], state
    w.quit()


def layouts(t):
    """Ctrl and a letter means what is printed on the key: on a French keyboard A is where Q is on others."""
    if shutil.which("setxkbmap") is None:
        raise Skipped("setxkbmap is not installed")
    w = t.window("--paused", "--level", "5", "--size", "1280x1000")
    # With the window open: a server that nobody is connected to forgets it again.
    subprocess.run(["setxkbmap", "fr"], env=t.display.environment, check=True)
    enter_rule_field(w)
    w.press("ctrl+a")
    w.xdotool("type", "--delay", "60", "b3s23")
    w.wait(lambda s: s["rule"] == "B3/S23", "Ctrl A selected what was there")
    w.press("ctrl+z")
    w.wait(lambda s: s["rule"] != "B3/S23", "Ctrl Z takes it back")
    w.quit()
    # On a Dvorak keyboard / is where [ is on others, and at its place is Z.
    w = code_panel(t)
    subprocess.run(["setxkbmap", "us", "dvorak"], env=t.display.environment, check=True)
    first = w.state["code"]["text"]
    w.press("ctrl+slash")
    w.wait(lambda s: s["code"]["text"] == first.removeprefix("// "), "Ctrl /")
    w.press("ctrl+z")
    w.wait(lambda s: s["code"]["text"] == first, "Ctrl Z")
    w.quit()


def resize(t):
    """Any size, 1 x 1 included, while it plays; and the picture comes back."""
    w = t.window("--level", "6")
    first = w.state
    for width, height in ((640, 400), (1, 1), (200, 3), (3, 300), (333, 222), (1, 1), (1280, 720)):
        w.resize(width, height)
    last = w.wait(lambda s: s["picture"] == first["picture"], "the layout of the first frame")
    assert last["view_origin"] == first["view_origin"] and last["cells_per_pixel"] == first["cells_per_pixel"]
    w.press("space")
    w.wait(lambda s: not s["playing"], "still alive")
    end = w.quit()
    assert end["hash"] == t.life_hash("--level", "6", "--steps", str(end["generation"]))


def block_and_level(t):
    """[ and ] change the tile size, < and > the level, within what is allowed."""
    w = t.window("--paused", "--level", "3", "--block", "4")
    start = w.state["hash"]
    w.press("bracketright")
    w.wait(lambda s: s["block"] == 8, "]")
    w.press("bracketright", "bracketleft")  # 16 needs level 4
    state = w.wait(lambda s: s["block"] == 4, "[")
    assert state["hash"] == start and "larger tile size" in state["message"], state["message"]
    w.press("greater")
    w.wait(lambda s: s["level"] == 4, ">")
    w.press("Page_Up")
    state = w.wait(lambda s: s["level"] == 5, "Page up")
    assert state["generation"] == 0 and state["cells"] == 243
    w.press("less", "Page_Down", "Page_Down", "Page_Down")
    state = w.wait(lambda s: s["level"] == 1, "down again")
    assert state["block"] == 2, "the tile size follows the level"
    assert w.quit()["level"] == 1


def too_large(t):
    """A map that memory has no room for: the old state stays and the message says what is needed and free."""
    with tempfile.NamedTemporaryFile("w", suffix=".toml") as file:
        file.write('name = "sparse"\ns_x = 8\ns_y = 8\noffsets = [[0, 0], [7, 7]]\n')
        file.flush()
        w = t.window("--paused", "--fractal-file", file.name, "--level", "9", "--map", "compact", "--block", "8")
        start = w.state
        assert start["cells"] == 512
        w.press("1")  # the square of 8^9 x 8^9 points
        state = w.wait(lambda s: s["message"] != "", "a message")
        assert "bytes" in state["message"] and "free" in state["message"], state["message"]
        assert (state["map"], state["level"], state["hash"]) == ("compact", 9, start["hash"]), state
        assert state["problem"]["text"] == state["message"], "the panel says it, too"
        w.press("period")
        w.wait(lambda s: s["generation"] == 1, "the old engine runs on")
        w.press("Escape")
        w.wait(lambda s: s["message"] == "" and s["problem"], "Escape closes the message; the bounding box is still selected")
        w.press("ctrl+z")
        w.wait(lambda s: "problem" not in s, "undone")
        w.press("1")
        w.wait(lambda s: s.get("problem") and s["message"], "it is tried again")
        w.press("Escape")
        w.wait(lambda s: s["message"] == "", "Escape closes the message")
        click(w, w.state["problem"]["select"])
        w.wait(lambda s: "problem" not in s and s["map"] == "compact" and s["generation"] == 1, "what runs is selected")
        w.quit()


def text_size(t):
    """Ctrl + and Ctrl - change the text, P is lecture mode: large text, no side panel; F9 folds the side panel alone. Text and window
    follow the density of the screen (Xft.dpi), the window within the screen, unless its size is typed or stored."""
    w = t.window("--paused", "--level", "5")
    start = w.state["ui_pixels"]
    w.press("ctrl+plus")
    w.wait(lambda s: s["ui_pixels"] == start + 2, "Ctrl +")
    w.press("ctrl+minus", "ctrl+minus")
    w.wait(lambda s: s["ui_pixels"] == start - 2, "Ctrl -")
    steps = w.state["undo"]["behind"]
    w.press("p")
    state = w.wait(lambda s: s["ui_pixels"] == 24 and s["controls_area"][2] == 0, "P")
    assert state["undo"]["behind"] == steps, "lecture mode is no step"
    w.press("ctrl+z")
    w.wait(lambda s: s["undo"]["behind"] == steps - 1 and s["ui_pixels"] == 24 and s["controls_area"][2] == 0, "undo stays in it")
    w.press("ctrl+y")
    w.wait(lambda s: s["undo"]["behind"] == steps, "redo")
    width, height = state["size"]
    picture = state["picture_area"]
    assert picture[2] * picture[3] >= 0.6 * width * height and picture[3] >= 480, picture
    w.press("p")
    w.wait(lambda s: s["ui_pixels"] == start - 2 and s["controls_area"][2] > 0, "P again")
    w.press("F9")
    w.wait(lambda s: s["ui_pixels"] == start - 2 and s["controls_area"][2] == 0, "F9")
    w.press("F9")
    w.wait(lambda s: s["controls_area"][2] > 0, "F9 again")
    assert w.quit()["ui_pixels"] == start - 2

    with tempfile.TemporaryDirectory() as home:
        for dpi, options, text, size in ((72, (), 16, [1280, 720]), (120, (), 20, [1600, 900]), (192, (), 32, [1920, 1080]),
                                         (192, ("--size", "1280x720"), 32, [1280, 720]), (120, ("--ui-scale", "1"), 16, [1600, 900])):
            t.display.set_resources(f"Xft.dpi:\t{dpi}\n")
            w = t.window("--paused", "--level", "5", *options)
            w.wait(lambda s: (s["ui_pixels"], s["size"]) == (text, size), f"{dpi} dots per inch, {options}: {text} pixels, {size}")
            w.quit()
        w = t.window("--paused", "--level", "5", XDG_CONFIG_HOME=home)
        w.resize(1000, 700)
        w.quit()
        t.display.set_resources("Xft.dpi:\t192\n")
        w = t.window("--paused", "--level", "5", XDG_CONFIG_HOME=home)
        w.wait(lambda s: s["size"] == [1000, 700], "the stored size")
        w.quit()


def help_and_timing(t):
    """? shows the keys, which a text filters; T hides the timing overlay."""
    w = t.window("--paused", "--level", "5")
    w.press("question")
    w.wait(lambda s: s["show_help"], "?")
    w.press("Escape")
    w.wait(lambda s: not s["show_help"], "Escape")
    w.press("h")
    w.wait(lambda s: s["show_help"], "H")
    w.wait(lambda s: s["text_field_active"] and "Only in Mandelbrot: O" in s["help"]["rows"], "all keys, those of Mandelbrot too")
    assert "View: X" in w.state["help"]["rows"] and "Mouse: Wheel" in w.state["help"]["rows"], w.state["help"]
    named = [one for one in w.state["help"]["meanings"] if "show this workspace" in one]
    assert [one.split(":")[0] for one in named] == ["Life", "Mandelbrot", "3-D", "Benchmark"], named
    w.xdotool("type", "--delay", "20", "explain thread")
    w.wait(lambda s: s["help"]["rows"] == ["View: X", "Mouse: Click"], "filtered")
    x, y, width, height = w.state["picture_area"]
    w.move(x + width / 2, y + height / 2)
    w.xdotool("click", 1)
    w.wait(lambda s: not s["text_field_active"], "a click on the list")
    w.xdotool("type", "--delay", "20", "spotlight")
    state = w.wait(lambda s: s["help"]["filter"] == "spotlight", "what is typed is for the field again")
    assert state["help"]["rows"] == ["View: F8"] and state["level"] == 5, state["help"]
    w.press("Escape")
    w.wait(lambda s: not s["show_help"], "Escape closes it from the field")
    hide_metrics(w)
    w.quit()


def documentation(t):
    """Ctrl H opens the documentation: links, back and forward by key and mouse, a search over all pages, Esc closes."""
    w = t.window("--paused", "--level", "5", "--size", "1280x720")
    w.press("ctrl+h")
    state = w.wait(lambda s: s["documentation"]["open"] and s["text_field_active"], "Ctrl H")
    assert state["documentation"]["page"] == "README.md", state["documentation"]
    w.wait(lambda s: s["documentation"]["pictures"]["shown"] == 1, "its first picture, loaded in the background")
    w.xdotool("type", "--delay", "20", "spotlight")
    w.wait(lambda s: s["documentation"]["hits"], "hits")
    w.press("Return")
    w.wait(lambda s: s["documentation"]["visit"] == 1 and not s["text_field_active"], "Enter opens the first")
    first = w.state["documentation"]["page"]
    w.wait(lambda s: len(s["documentation"]["hits"]) > 1, "the hits stay")
    w.press("BackSpace")
    w.wait(lambda s: s["documentation"]["page"] == "README.md", "Backspace goes back")
    w.press("shift+BackSpace")
    w.wait(lambda s: s["documentation"]["page"] == first, "and Shift Backspace forward")
    w.press("BackSpace")
    w.wait(lambda s: s["documentation"]["page"] == "README.md", "back")
    w.press("End")
    state = w.wait(lambda s: s["documentation"]["page"] == "README.md" and s["documentation"]["scroll"] > 100 and
                   s["documentation"]["first_link"][2] > 0, "End scrolls")
    assert state["level"] == 5, "and no key of the page acts on the scene"
    click(w, state["documentation"]["first_link"])
    w.wait(lambda s: s["documentation"]["page"] != "README.md" or "Copied" in s["message"], "a link is followed")
    # What prints goes to the search, without a click on it, and replaces what was there; nothing reaches the scene.
    scene = {key: state[key] for key in ("workspace", "hash", "level", "map", "block", "rule", "playing", "edit_cells", "view_origin",
                                         "show_panels", "show_timing", "ui_pixels")}
    w.wait(lambda s: not s["text_field_active"], "the page has the keys")
    w.xdotool("type", "--delay", "0", "Lambda 3?")
    w.wait(lambda s: s["documentation"]["search"] == "Lambda 3?" and s["text_field_active"], "all of it in the search")
    w.press("ctrl+a", "BackSpace")
    w.xdotool("type", "--delay", "20", "spotlight")
    w.press("Return")
    w.wait(lambda s: s["documentation"]["page"] == first and not s["text_field_active"], "Enter opens the first hit again")
    w.press("Tab", "Delete", "Up")
    w.xdotool("type", "--delay", "20", "ez")
    state = w.wait(lambda s: s["documentation"]["search"] == "ez" and s["text_field_active"], "a new search")
    assert {key: state[key] for key in scene} == scene and not state["show_help"], (state, scene)
    w.press("Escape")
    w.wait(lambda s: not s["documentation"]["open"], "Escape closes it from the field")
    # At once, before the field has the keys: Ctrl X cuts its words.
    w.xdotool("key", "--delay", "0", "ctrl+h", "ctrl+x")
    w.wait(lambda s: s["documentation"]["open"] and s["documentation"]["search"] == "", "a key with Ctrl in the field's first frame")
    w.press("Escape")
    w.wait(lambda s: not s["documentation"]["open"], "closed")
    w.press("F6")
    w.wait(lambda s: s["keys_in_controls"], "keyboard control")
    w.xdotool("key", "--delay", "5", "ctrl+h", "Escape", "ctrl+h")
    w.wait(lambda s: s["documentation"]["open"] and s["documentation"]["visit"] == state["documentation"]["visit"], "opened, closed, opened")
    w.press("Escape")
    state = w.wait(lambda s: not s["documentation"]["open"], "Escape closes the page")
    assert state["keys_in_controls"] and {key: state[key] for key in scene} == scene, state
    w.quit()


def pen(t):
    """F7 draws on the picture instead of acting on it; Ctrl Z, Esc; F12 saves the strokes; F8 is a spotlight while held, and a tap switches
    it."""
    with tempfile.TemporaryDirectory() as folder:
        w = t.window("--paused", "--level", "5", "--size", "1000x700", HOME=folder, XDG_CONFIG_HOME=folder)
        # The first frame may come before the window has its size, to which the picture is fitted.
        origin = w.wait(lambda s: s["rests"] and s["size"] == [1000, 700], "the window has its size")["view_origin"]
        x, y = w.centre()

        def stroke(count):
            w.move(x - 60, y)
            w.xdotool("mousedown", 1)
            w.wait(lambda s: s["pen"]["strokes"] == count, "the pen is down")
            w.move(x + 60, y + 40)
            w.wait(lambda s: s["pen"]["points"] > 1, "it draws")
            w.xdotool("mouseup", 1)
            w.wait(lambda s: s["pen"]["strokes"] == count, f"{count} strokes")

        w.press("F7")
        w.wait(lambda s: s["pen"]["on"], "F7")
        stroke(1)
        stroke(2)
        w.press("ctrl+z")
        w.wait(lambda s: s["pen"]["strokes"] == 1, "Ctrl Z undoes a stroke")
        assert w.state["view_origin"] == origin, (w.state["view_origin"], origin)
        w.press("F7")
        w.wait(lambda s: not s["pen"]["on"] and s["pen"]["strokes"] == 1, "F7 again keeps what is drawn")
        dialog = dialog_of(w, "save_picture")
        path = os.path.join(folder, "drawn.png")
        w.press("F12")
        choose(w, dialog, ["screen", "with"])
        click(w, name_file(w, dialog, path)["places"]["save"])
        w.wait(lambda s: s["save_picture"]["done"].startswith("saved " + path), "saved")
        assert bytes((255, 64, 180)) in rgb_of(path), "the pen's colour is in the image"
        w.press("Escape")
        w.wait(lambda s: s["pen"]["strokes"] == 0, "Esc erases")
        w.xdotool("keydown", "F8")
        w.wait(lambda s: s["pen"]["spotlight"], "F8")
        time.sleep(0.6)  # longer than a tap
        w.xdotool("keyup", "F8")
        w.wait(lambda s: not s["pen"]["spotlight"], "released")
        w.press("F8")
        w.settle()
        assert w.state["pen"]["spotlight"], "a tap leaves it on"
        w.press("F8")
        w.wait(lambda s: not s["pen"]["spotlight"], "and switches it off")
        w.quit()


def overlap(a, b):
    return a[0] < b[0] + b[2] and b[0] < a[0] + a[2] and a[1] < b[1] + b[3] and b[1] < a[1] + a[3]


def docked(t):
    """Controls, figures and picture cover nothing of each other; Tab leaves the picture alone; S makes a small scene."""
    w = t.window("--paused", "--level", "7", "--size", "1280x720")
    for workspace in ("life", "mandelbrot"):
        for projector in (False, True):
            for size in ((1280, 720), (1900, 1000), (700, 500)):
                w.resize(*size)

                def apart(s):
                    areas = [s["toolbar_area"], s["controls_area"], s["dock_area"], s["picture_area"]]
                    wide = size[0] < 1280 or s["picture_area"][2] >= 0.6 * size[0]
                    right = max(area[0] + area[2] for area in areas) == size[0]
                    return wide and right and not any(overlap(a, b) for a, b in itertools.combinations(areas, 2))

                w.wait(apart, f"{workspace} at {size}: controls, figures and picture apart")
            w.press("p")
            w.wait(lambda s: s["ui_pixels"] == (16 if projector else 24), "P")
        w.press("shift+F9")
        state = w.wait(lambda s: not s["show_panels"] and s["controls_area"][2] == 0, "Shift F9")
        w.wait(lambda s: s["picture_area"] == [0, 0, 700, 500], "the picture alone")
        w.press("shift+F9")
        w.wait(lambda s: s["show_panels"] and s["controls_area"][2] > 0, "Shift F9 again")
        w.press("z")
        w.wait(lambda s: s["workspace"] != workspace, "Z")
    w.press("s")
    w.wait(lambda s: s["level"] == 4 and s["block"] == 4 and not s["playing"], "S")
    w.press("F11")
    full = w.wait(lambda s: s["full_screen"] and s["size"] != [700, 500], "F11")
    assert full["size"] == [1920, 1080], full["size"]
    w.press("F11")
    w.wait(lambda s: not s["full_screen"] and s["size"] == [700, 500], "F11 again")
    w.quit()


def panes(t):
    """Panes side by side hold the same cells whatever is done in any of them, and say where one differs."""
    w = t.window("--paused", "--level", "6", "--block", "4")

    def together(count, why):
        return w.wait(lambda s: len(s["panes_beside"]) == count and s.get("hash") is not None and
                      all(p["equal"] and p.get("generation") == s["generation"] for p in s["panes_beside"]), why)

    w.press("v")
    together(2, "V: three maps")
    assert w.state["map"] == "lambda", "the active map stays"
    w.press("v")
    w.wait(lambda s: s["panes_beside"] == [] and s["map"] == "lambda", "V again: one pane")
    w.press("v")
    state = together(2, "V: three maps")
    w.press("p")  # at projector size there is little room in the headers: the names stay
    state = w.wait(lambda s: s["ui_pixels"] > 16 and [p["heading"][:1] for p in s["panes_beside"]] == ["b", "c"], "names")
    assert not any(p["heading_cut"] for p in state["panes_beside"]), state["panes_beside"]
    w.press("p")
    state = w.wait(lambda s: s["ui_pixels"] == 16, "P again")
    assert [state["map"]] + [p["map"] for p in state["panes_beside"]] == ["lambda", "bounding-box", "compact"]
    for _ in range(3):
        w.press("period")
    w.wait(lambda s: s["generation"] == 3, "three generations")
    together(2, "at generation 3")
    w.press("e")
    w.wait(lambda s: s["edit_cells"], "E")
    before = w.state["hash"]
    x, y, width, height = w.state["panes_beside"][1]["picture"]
    below = y + height / 2 + 126  # the lowest row, which is all cells
    w.drag((x + width / 2 - 40, below), (x + width / 2 + 40, below), 1, "paint")
    w.wait(lambda s: s["hash"] not in (None, before), "painted in the last pane")
    together(2, "painted")
    w.press("e", "space")
    w.wait(lambda s: s["playing"], "it plays")
    w.press("greater", "bracketleft", "space")
    w.wait(lambda s: s["level"] == 7 and s["block"] == 2 and not s["playing"], "another level and tile size")
    together(2, "at another level")
    w.press("n")
    together(3, "N: one more pane")
    w.press("n", "shift+r", "w", "w", "w")
    together(3, "there are four at most")
    w.resize(700, 500)
    w.press("p", "p", "z", "z", "shift+F9", "shift+F9", "m", "m")
    together(3, "other sizes, workspaces and panels")
    w.press("v")
    w.wait(lambda s: not s["panes_beside"], "V again: one pane")
    for _ in range(5):  # another method while panes are being built
        w.press("v", "n", "a", "greater", "a", "less", "a")
        together(3, "whatever was wished for meanwhile")
        w.press("v")
        w.wait(lambda s: not s["panes_beside"], "one pane")
    w.quit()
    # The square of this one fits into no machine's memory: its panes say so, and the others go on.
    w = t.window("--paused", "--level", "22", "--fractal", "cantor", "--map", "compact")
    w.press("v")
    w.wait(lambda s: len(s["panes_beside"]) == 2 and all("needs" in p["problem"] for p in s["panes_beside"]) and s["map"] == "compact",
           "what does not fit is refused, pane by pane")
    w.press("period")
    w.wait(lambda s: s["generation"] == 1, "and the other one goes on")
    w.quit()
    w = t.window("--paused", "--level", "8", "--block", "1", "--fractal", "vicsek", "--map", "lambda",
                 "--arithmetic", "tensor-fp16")
    w.press("n", "a")
    state = w.wait(lambda s: len(s["panes_beside"]) == 1 and s["arithmetic"] != "tensor-fp16", "N, A")
    w.press("period")
    state = w.wait(lambda s: s["panes_beside"] and s["panes_beside"][0]["equal"] is False, "plain fp16 weights differ")
    assert state["panes_beside"][0]["cells_that_differ"] > 0
    w.wait(lambda s: str(s["panes_beside"][0]["cells_that_differ"])[:2] in s["panes_beside"][0]["heading"], "how many is read off")
    w.quit()


def memory_strips(t):
    """Strips below the panes of a comparison are as long as their bytes, and mark the cell under the cursor in each."""
    w = t.window("--paused", "--level", "6", "--block", "4", "--map", "bounding-box", "--panes", "maps", "--size", "1600x900")
    state = w.wait(lambda s: len(s["memory_strips"]) == 3 and all(p["equal"] for p in s["panes_beside"]), "three strips")
    assert [one["map"] for one in state["memory_strips"]] == ["bounding-box", "lambda", "compact"], state["memory_strips"]
    assert [one["bytes"] for one in state["memory_strips"]] == [64 * 64, 64 * 64, 81 * 16], state["memory_strips"]
    for one in state["memory_strips"]:
        share = one["place"][2] / state["memory_strips"][0]["place"][2]
        assert abs(share - one["bytes"] / state["memory_strips"][0]["bytes"]) < 0.01, state["memory_strips"]
    w.hover(10, 63)  # the lowest row is all cells
    state = w.wait(lambda s: s["memory_strips"][0]["byte"] == 63 * 64 + 10 and
                   all(one["byte"] is not None for one in s["memory_strips"]),
                   "the bounding box stores the square row by row")
    for one in state["memory_strips"]:
        x, _, width, _ = one["place"]
        assert abs(one["marked_x"] - (x + width * (one["byte"] + 0.5) / one["bytes"])) < 0.6, one
    x, y, width, height = state["memory_strips"][2]["place"]
    w.move(x + width * 0.5, y + height * 0.5)
    w.wait(lambda s: s["hovered_cell"] is not None and abs(s["memory_strips"][2]["byte"] - 0.5 * 81 * 16) < 70,
           "a byte of a strip shows its cell")
    w.quit()


def map_metrics(t):
    """Shift T opens the metrics of the three maps beside them: those of `lens`, with the kernels' source."""
    w = t.window("--paused", "--level", "6", "--block", "4")
    w.press("shift+t")
    shown = w.wait(lambda s: len(s["panes_beside"]) == 3 and s["panes_beside"][2]["shows"] == "metrics" and
                   len(s["panes_beside"][2]["metrics"]) == 3, "the maps and their metrics")["panes_beside"][2]
    for one in shown["metrics"]:
        words = ["lens", "--level", "6", "--block", "4", "--map", one["map"], "--json"]
        lens = json.loads(subprocess.run([t.program, *words], capture_output=True, text=True, check=True).stdout)
        assert one["exact"] and lens["exact"]
        for counter, name in (("requests", "requests"), ("sectors", "sectors"), ("bytes_requested", "bytes_used"),
                              ("bytes_moved", "bytes_moved")):
            assert one[counter] == lens["loads"][name] + lens["stores"][name], (one, lens)
    assert [one["threads"] for one in shown["metrics"]] == [64 * 64, 729, 729], shown["metrics"]
    assert shown["source_lines"] > 20
    w.resize(1920, 1080)
    w.wait(lambda s: s["panes_beside"][2]["width"] > shown["width"] + 5, "the bars fill a wider pane")
    if w.state["backend"] == "cpu":
        assert shown["rows"]["Occupancy"] == ["no GPU"] * 3, shown["rows"]
    w.press("shift+t")
    w.wait(lambda s: [p["shows"] for p in s["panes_beside"]] == ["cells", "cells"], "Shift T again closes them")
    w.quit()


def show_me(t):
    """F5 plays the animation of the maps; keys and slider move in it, Escape leaves, and the scene is as it was."""
    w = t.window("--paused", "--level", "6", "--block", "4", "--map", "compact")
    before = w.wait(lambda s: s.get("hash") is not None, "a scene")
    w.press("F5")
    w.wait(lambda s: s["show_me"] and s["show_me"]["playing"] and s["show_me"]["seconds"] > 0.2, "it plays")
    w.press("space")
    w.wait(lambda s: not s["show_me"]["playing"], "Space pauses")
    w.press("End")
    w.wait(lambda s: s["show_me"]["seconds"] == 60 and s["show_me"]["title"].startswith("ν"), "End")
    w.press("Left")
    w.wait(lambda s: s["show_me"]["seconds"] == 58, "two seconds back")
    w.press("Home", "1", "period", "g")
    w.wait(lambda s: s["show_me"]["seconds"] == 0, "Home; keys of the scene do nothing meanwhile")
    x, y, width, height = w.state["show_me"]["slider"]
    w.move(x + width * 0.5, y + height / 2)
    w.xdotool("click", "1")
    w.wait(lambda s: 25 < s["show_me"]["seconds"] < 35, "the slider")
    # The toolbar has a group of its own, which goes from scene to scene.
    w.press("Home")
    for title in ("Bounding box", "Idle threads"):
        click(w, w.state["show_me"]["next"])
        w.wait(lambda s: s["show_me"]["title"] == title, "the next scene")
    w.press("Escape")
    after = w.wait(lambda s: s["show_me"] is None, "Escape leaves")
    for name in ("map", "level", "block", "hash", "generation", "view_origin", "undo"):
        assert after.get(name) == before.get(name), (name, before.get(name), after.get(name))
    w.press("shift+F9")
    w.wait(lambda s: not s["show_panels"], "without panels")
    w.press("F5")
    w.wait(lambda s: s["show_me"] and s["show_panels"], "the animation brings them back")
    w.press("shift+F9", "space")
    assert w.wait(lambda s: not s["show_me"]["playing"], "Space")["show_panels"], "and Shift F9 does not hide it"
    # In a lecture the captions are larger, the page is nearly as large, and the message that says so leaves the slider free.
    page, captions = w.state["show_me"]["font_size"], w.state["show_me"]["captions"]
    w.press("p")
    state = w.seen(lambda s: s["show_me"]["slider"][3] >= 30 and s["message"].startswith("Lecture mode") and
                   s["message_area"][3] > 0, "P, and a message")
    _, top, _, height = state["message_area"]
    assert top + height < 0.3 * state["show_me"]["slider"][1], ("the sentence and the slider are free", state["message_area"])
    assert state["show_me"]["font_size"] >= 0.85 * page and state["show_me"]["captions"] >= 1.3 * captions, (state["show_me"], page, captions)
    w.press("p")
    w.wait(lambda s: s["show_me"]["font_size"] == page, "P again")
    w.press("Escape")
    w.wait(lambda s: s["show_me"] is None, "Escape")
    w.quit()
    # In a lesson it takes the place of the question, which then stands where it was.
    w = t.window("--paused", "--lesson", "bounding-box")
    high = w.wait(lambda s: s["text_field_active"], "the field")["strip_area"][3]
    w.press("Escape")
    w.wait(lambda s: not s["text_field_active"], "out of it")
    w.press("F5")
    w.wait(lambda s: s["show_me"] and s["strip_area"][3] == 0, "no question")
    w.press("Return")
    w.press("Escape")
    w.wait(lambda s: s["show_me"] is None and s["strip_area"][3] == high and s["lesson"]["step"] == 1, "and there it is again")
    w.quit()


def read_scene(file):
    """The JSON of a scene, and the packed cells that follow it."""
    with open(file, "rb") as scene:
        text, _, cells = scene.read().partition(b"\0")
    return json.loads(text), cells


def write_scene(file, scene, cells):
    with open(file, "wb") as to:
        to.write(json.dumps(scene).encode() + (b"\0" + cells if cells else b""))


def code_panel(t, *options, level=6):
    """A window with the panel of the custom map, once it has its first coverage."""
    w = t.window("--paused", "--level", str(level), "--size", "1280x720", *options)
    w.press("shift+w")
    w.wait(lambda s: s["code"]["shown"] and s["code"]["focused"] and s["text_field_active"], "the editor has the keyboard")
    w.wait(lambda s: s["code"]["up_to_date"] and s["code"]["coverage"], "coverage without Run")
    return w


def type_code(w, text):
    """Types lines in place of the code. The editor indents them, so that they are given without indentation."""
    w.press("ctrl+a", "Delete")
    for line in text.strip().splitlines():
        w.xdotool("type", "--delay", "15", line.strip())
        w.xdotool("key", "Return")


def map_code(t):
    """A wrong map gets its error at its line while one types, a repaired one its coverage; pointing at a cell shows its thread; undo,
    find, comments and templates work by keyboard and mouse."""
    w = code_panel(t)
    # Faster than frames come: the field of Find gets its letters and its Esc, and the editor the next Esc.
    # GLFW drops a second press of a key in the same millisecond.
    w.xdotool("key", "--delay", "5", "ctrl+f", "x", "z", "Return", "Escape", "Escape")
    w.wait(lambda s: "'xz' is not in the code" in s["message"] and not s["code"]["focused"] and not s["code"]["finds"],
           "searched, back to the code, and out of it")
    assert w.state["code"]["shown"] and not w.state["show_thread"] and w.state["workspace"] == "life", "no key was the scene's"
    w.press("Return")
    w.wait(lambda s: s["code"]["focused"] and s["text_field_active"], "Enter: back to the code")
    coverage = w.state["code"]["coverage"]
    assert coverage["exact"] and coverage["once"] == 729 and coverage["threads"] == 4096, coverage
    first = w.state["code"]["text"]
    type_code(w, """
        __host__ Launch launch(Fractal f) { return grid1d(1, 32); }
        __device__ Cell cell_of_thread(Fractal f) {
        int y = threadIdx.x;
        return cell(0, yy);
        }""")
    state = w.wait(lambda s: s["code"]["up_to_date"] and s["code"]["problems"], "the error")
    problem = state["code"]["problems"][0]
    assert (problem["line"], problem["column"]) == (4, 18) and "'yy'" in problem["message"], problem
    assert state["code"]["text"].splitlines()[3] == "  return cell(0, yy);", state["code"]["text"]
    assert state["code"]["coverage"] == coverage and state["code"]["dimmed"], "the last good result stays, dimmed"
    # Find goes there; the second y is deleted.
    w.press("ctrl+f")
    w.wait(lambda s: s["code"]["finds"] and not s["code"]["focused"], "Ctrl F")
    w.xdotool("type", "yy")
    w.press("Return")
    w.press("Escape")
    w.wait(lambda s: s["code"]["focused"] and not s["code"]["finds"], "Esc: back to the code")
    w.xdotool("type", "y")
    state = w.wait(lambda s: s["code"]["up_to_date"] and s["code"]["coverage"]["once"] == 32, "repaired")
    assert state["code"]["problems"] == [] and state["code"]["coverage"]["missed"] == 697 and not state["code"]["dimmed"], state["code"]
    w.press("ctrl+slash")
    w.wait(lambda s: "  // return cell(0, y);" in s["code"]["text"], "Ctrl /")
    w.press("ctrl+z")
    w.wait(lambda s: "  return cell(0, y);" in s["code"]["text"], "Ctrl Z")
    w.press("ctrl+KP_Divide")
    w.wait(lambda s: "  // return cell(0, y);" in s["code"]["text"], "Ctrl / of the keypad")
    w.press("ctrl+KP_Divide")
    w.wait(lambda s: "  return cell(0, y);" in s["code"]["text"], "and again")
    x, y, width, height = w.state["code"]["places"]["cells"]
    w.move(x + width * 0.5 / 64, y + height * 7.5 / 64)
    w.wait(lambda s: s["code"]["hovered"] == [0, 7] and s["code"]["hovered_thread"] == 7, "from the cell to its thread")
    x, y, width, height = w.state["code"]["places"]["threads"]
    w.move(x + 3, y + 3)
    w.wait(lambda s: s["code"]["hovered_thread"] == 0 and s["code"]["hovered"] == [0, 0], "from the thread to its cell")
    click(w, w.state["code"]["places"]["templates"])
    click(w, w.wait(lambda s: "template Bounding box" in s["code"]["places"], "the list")["code"]["places"]["template Bounding box"])
    w.wait(lambda s: s["code"]["text"] == first and s["code"]["up_to_date"] and s["code"]["coverage"]["exact"], "a template")
    w.press("ctrl+Return")
    w.wait(lambda s: s["code"]["measured"], "Run measures it beside the built-in maps")
    begin = len(w.states) - 1
    time.sleep(1)
    pictures = {tuple(s["code"]["places"]["cells"]) for s in w.states[begin + 1:] or w.states[begin:]}
    assert len(pictures) == 1, f"the layout stays without input: {pictures}"
    w.press("Escape")
    w.wait(lambda s: not s["text_field_active"] and s["code"]["shown"], "Esc leaves the editor")
    # Outside of the editor, Ctrl Z undoes changes of the code as those of other settings.
    w.press("ctrl+z")
    w.wait(lambda s: "  return cell(0, y);" in s["code"]["text"] and s["code"]["up_to_date"] and
           s["code"]["coverage"]["once"] == 32, "the window's undo brings the code back, which is tried at once")
    w.press("ctrl+y")
    w.wait(lambda s: s["code"]["text"] == first and s["code"]["up_to_date"] and s["code"]["coverage"]["exact"], "redo")
    w.press("Return")
    w.wait(lambda s: s["code"]["focused"], "back to the code")
    open_built_in_maps(w, first)
    step_through(w)
    w.press("Escape")
    w.wait(lambda s: not s["code"]["shown"] and s["map"] == "lambda", "Esc leaves the panel")
    w.quit()


def open_built_in_maps(w, bounding_box):
    """Templates, below Open as code: all of the built-in maps, stepped with the path of a lane."""
    for name, code, path in (("Compact: λ and ν", "Cell nu(", [1, 1]), ("λ by table", "table_x[digits_x", [1, 0]), ("λ by loop", "// λ by loop", [1, 1]),
                             ("Bounding box", bounding_box, None)):
        click(w, w.state["code"]["places"]["templates"])
        click(w, w.wait(lambda s: f"built-in {name}" in s["code"]["places"], "the built-in maps")["code"]["places"][f"built-in {name}"])
        w.wait(lambda s: s["code"]["up_to_date"] and s["code"]["coverage"]["exact"] and s["code"]["focused"] and
               code in s["code"]["text"], f"{name} as code")
        if path is not None:  # of lane 5: digits 2 (level 1) and 1 (level 3) of x in base 3; levels of y have the digit 0
            w.press("F5")
            ended = w.wait(lambda s: s["code"]["stepping"] is not None and s["code"]["stepping"]["ended"] and s["code"]["stepping"]["recorded"],
                           "it is stepped to its end")
            click(w, ended["code"]["places"]["step lane 5"])
            steps = w.wait(lambda s: s["code"]["stepping"]["lane"] == 5, "lane 5")["code"]["stepping"]["path"]
            assert steps[0] == [0, 0] and path in steps and [5, 0] not in steps and steps[-1] == [1, 5], (name, steps)
            click(w, w.state["code"]["places"]["step lane 0"])
            w.wait(lambda s: s["code"]["stepping"]["lane"] == 0, "lane 0")
            w.press("shift+F5")
            w.wait(lambda s: s["code"]["stepping"] is None, "Shift F5")
    w.press("F11")
    w.wait(lambda s: s["code"]["stepping"] is not None, "stepping")
    w.press("ctrl+Return")
    w.wait(lambda s: s["code"]["stepping"] is None and not s["code"]["running"], "Run ends stepping, so that its results are seen")


def step_through(w):
    """Steps through the template of the bounding box, thread blocks of 16 x 16: by keys, buttons, clicks and fields."""
    def stepping(what, **wanted):
        return w.wait(lambda s: s["code"]["stepping"] is not None and
                      all(s["code"]["stepping"][name] == value for name, value in wanted.items()), what)["code"]["stepping"]

    lines = w.state["code"]["text"].splitlines()
    first = next(i for i, line in enumerate(lines, 1) if "int x = " in line)
    assert "int y = " in lines[first] and "return is_cell" in lines[first + 1], lines
    w.press("F11")
    stepping("F11 begins before the first statement", line=first, statement=0, mask=2**32 - 1, block=[0, 0], warp=0, lane=0)
    assert not w.state["full_screen"] and w.state["code"]["focused"], "the key is the editor's"
    w.press("F10")
    stepping("F10", line=first + 1, statement=1)
    w.press("F10", "shift+F10")
    stepping("and back", line=first + 1, statement=1)
    # A click on a cell chooses its thread, at the same statement. The lowest row is all cells.
    x, y, width, height = w.state["code"]["places"]["cells"]
    w.move(x + width * 37.5 / 64, y + height * 63.5 / 64)
    w.wait(lambda s: s["code"]["hovered"] == [37, 63], "on a cell")
    w.xdotool("click", 1)
    # Row 15 of thread block (2, 3), column 5: thread 245 of the block.
    chosen = stepping("a click", block=[2, 3], warp=7, lane=21, line=first + 1, statement=1)
    assert chosen["variables"]["x"] == 37 and "Lane 21: " in chosen["sentence"], chosen
    w.wait(lambda s: s["hovered_cell"] is None or s["code"]["hovered"] == [37, 63], "the cell is the window's selection")
    w.press("F5")
    ended = stepping("F5 goes to the end", ended=True, line=0)
    assert ended["path"][-1] == [37, 63] and ended["sentence"] == "Lane 21 has returned cell(37, 63)", ended
    ended = stepping("all statements are known", recorded=True)
    assert ended["statement"] == ended["of"] == 3, ended
    # Outside of the editor, the arrow keys move the chosen cell. Escape leaves neither the stepping nor the cell.
    w.press("Left")
    stepping("arrow keys", lane=20, block=[2, 3], ended=True)
    w.press("shift+F10")
    stepping("back from the end", line=first + 2, ended=False)
    click(w, w.state["code"]["places"]["step Back"])
    stepping("a button", line=first + 1)
    x, y, width, height = w.state["code"]["places"]["step lane"]
    w.move(x + width / 2, y + height / 2)
    w.xdotool("click", 1)
    w.wait(lambda s: s["text_field_active"], "a field")
    w.press("ctrl+a")
    w.xdotool("type", "3")
    three = stepping("a lane by its number", lane=3, warp=7)
    assert three["variables"]["x"] == 35 and three["variables"].get("y", 62) == 62, three
    w.press("Return")
    w.wait(lambda s: not s["text_field_active"], "out of the field")
    # A breakpoint by a click on the number of a line; another by F9.
    w.press("shift+F5")
    w.wait(lambda s: s["code"]["stepping"] is None, "Shift F5 stops")
    x, y, width, height = w.state["code"]["places"]["line 1"]
    w.move(x + width / 2, y + height * (first + 0.5))
    w.xdotool("click", 1)
    w.wait(lambda s: s["code"]["breakpoints"] == [first + 1] and s["code"]["focused"], "a click on a line number")
    w.press("ctrl+Home", "Return")
    w.wait(lambda s: s["code"]["breakpoints"] == [first + 2], "it stays with its line")
    w.press("F5")
    stepping("F5 goes to the breakpoint", line=first + 2, statement=1)
    w.press("F9", "ctrl+Home", "BackSpace")
    w.wait(lambda s: s["code"]["breakpoints"] == [] and s["code"]["stepping"] is not None, "F9 removes it; nothing was erased")
    w.press("Delete")
    w.wait(lambda s: s["code"]["stepping"] is None and s["code"]["text"].splitlines() == lines, "a change of the code ends stepping")
    w.wait(lambda s: s["code"]["up_to_date"] and s["code"]["coverage"]["exact"], "its coverage")
    # A hundred thousand instructions: there and back at once.
    type_code(w, """
        __host__ Launch launch(Fractal f) { return grid1d(1, 32); }
        __device__ Cell cell_of_thread(Fractal f) {
        int x = 0;
        for (int i = 0; i < 20000; ++i) x = (x + i) % 7;
        return cell(0, threadIdx.x);
        }""")
    w.wait(lambda s: s["code"]["up_to_date"] and s["code"]["coverage"]["once"] == 32, "a long loop")
    for key, end in (("F5", True), ("shift+F10", False)):
        begin = time.monotonic()
        w.press(key)
        stepping(f"{key} in a long loop", ended=end)
        print(f"{key}: {1000 * (time.monotonic() - begin):.0f} ms with the key's own way")
        assert time.monotonic() - begin < 3, f"{key} took {time.monotonic() - begin:.1f} s"
    # Divergence is a colouring of the pictures.
    click(w, w.state["code"]["places"]["step Stop"])
    w.wait(lambda s: s["code"]["stepping"] is None, "Stop")
    click(w, w.state["code"]["places"]["divergence"])
    w.wait(lambda s: s["code"]["divergence"], "coloured by divergence")
    assert w.state["clipped"] == [], w.state["clipped"]
    while w.state["code"]["text"].splitlines() != lines:  # a pause while typing is a step of its own
        before = w.state["code"]["text"]
        w.press("ctrl+z")
        w.wait(lambda s: s["code"]["text"] != before, "the window's undo")
    w.wait(lambda s: s["code"]["up_to_date"], "its coverage")


def map_code_large(t):
    """On a level with too many points, the feedback while one types is that of a lower one, and says so."""
    w = code_panel(t, "--fractal", "sierpinski-carpet", level=8)
    coverage = w.state["code"]["coverage"]
    level = coverage["level"]  # 7, or a lower one where the machine is slow
    assert level < 8 and coverage["once"] == 8**level and coverage["exact"], coverage
    type_code(w, """
        __host__ Launch launch(Fractal f) { return grid1d(f.width, 1); }
        __device__ Cell cell_of_thread(Fractal f) { return cell(blockIdx.x, 0); }""")
    w.wait(lambda s: s["code"]["up_to_date"] and s["code"]["coverage"]["once"] == 3**s["code"]["coverage"]["level"] < 3**8, "the row of a lower level")
    w.press("ctrl+Return")
    w.wait(lambda s: s["code"]["coverage"]["level"] == 8 and s["code"]["coverage"]["once"] == 3**8, "Run counts on the scene's level")
    # A line of 60 KB takes no more time than what is seen of it.
    with tempfile.TemporaryDirectory() as folder:
        file = os.path.join(folder, "long.map.cu")
        with open(file, "w") as out:
            out.write("int table[30000] = {" + "1," * 30000 + "1};\n" + FOREIGN)
        open_code(w, file)
        w.wait(lambda s: s["code"]["origin"] == "long.map.cu" and s["code"]["focused"], "a long line")
    begin = time.monotonic()
    w.xdotool("type", " " * 20)
    w.wait(lambda s: s["code"]["text"].startswith(" " * 20 + "int"), "twenty keys")
    assert time.monotonic() - begin < 5, f"20 keys took {time.monotonic() - begin:.1f} s"
    w.quit()


def map_code_linked(t):
    """Panes stay below the custom map: a cell or thread of its pictures is marked in each of them, and a cell of theirs in its pictures."""
    w = code_panel(t, "--block", "4")
    w.resize(1920, 1080)
    click(w, w.state["code"]["places"]["compare"])
    state = w.wait(lambda s: len(s["panes_beside"]) == 2 and all(p["equal"] for p in s["panes_beside"]) and
                   len(s["memory_strips"]) == 3, "three maps below the code")
    x, y, width, height = state["code"]["places"]["editor"]
    pictures = [state["picture"]] + [p["picture"] for p in state["panes_beside"]]
    assert all(p[1] >= y + height and p[2] > 100 and p[3] > 100 for p in pictures), (state["code"]["places"], pictures)

    def marked(s, cell):
        return (s["hovered_cell"] == cell and s["code"]["hovered"] == cell and all(one["byte"] is not None for one in s["memory_strips"]) and
                s["memory_strips"][0]["byte"] == cell[1] * 64 + cell[0])

    # The lowest row is all cells. Bounding box, 16 x 16 threads a block: the row 15 of the blocks (·, 3).
    x, y, width, height = state["code"]["places"]["cells"]
    w.move(x + width * 21.5 / 64, y + height * 63.5 / 64)
    state = w.wait(lambda s: marked(s, [21, 63]), "from the coverage to each pane")
    assert state["code"]["hovered_text"] == "thread (5, 15) of block (1, 3) \u2192 (21, 63)", state["code"]["hovered_text"]
    x, y, width, height = state["code"]["places"]["threads"]
    w.move(x + width * 9.5 / 64, y + height * 63.5 / 64)
    state = w.wait(lambda s: marked(s, [9, 63]), "from a thread of the launch to each pane")
    for pane in range(3):
        column = 10 + 20 * pane
        x, y, width, height = pictures[pane]
        side = min(width, height)  # the square is fitted
        scale = 1 / w.state["cells_per_pixel"][0]
        assert side >= 64 * scale, (side, scale)
        # Rounded down: panes may be a pixel wider than the first, whose picture all of them show.
        w.move(int(x + width / 2 + (column + 0.5 - 32) * scale), int(y + height / 2 + 31.5 * scale))
        state = w.wait(lambda s: marked(s, [column, 63]), f"from pane {pane} to the coverage")
        thread = f"thread ({column % 16}, 15) of block ({column // 16}, 3) \u2192 ({column}, 63)"
        assert state["code"]["hovered_text"] == thread, state["code"]["hovered_text"]
    # Beside all pictures nothing is marked.
    x, y, width, height = w.state["code"]["places"]["editor"]
    w.move(x + width / 2, y + height / 2)
    w.wait(lambda s: s["hovered_cell"] is None and s["code"]["hovered"] is None, "nothing under the cursor")
    # What the custom map misses is said for a cell of any pane.
    assert w.state["code"]["focused"], "after the button the keys go to the editor"
    type_code(w, """
        __host__ Launch launch(Fractal f) { return grid1d(1, 32); }
        __device__ Cell cell_of_thread(Fractal f) {
        return cell(0, threadIdx.x);
        }""")
    w.wait(lambda s: s["code"]["up_to_date"] and s["code"]["coverage"]["missed"] == 697, "a map that misses cells")
    x, y, width, height = pictures[1]
    w.move(x + width / 2 + (40.5 - 32) * scale, y + height / 2 + 31.5 * scale)
    state = w.wait(lambda s: marked(s, [40, 63]), "a missed cell")
    assert state["code"]["hovered_thread"] is None and state["code"]["hovered_text"] == "No thread reaches the cell (40, 63)", state["code"]
    # In a lecture the panes leave the code little room. A stepped warp keeps its table in it.
    w.press("Escape")
    w.wait(lambda s: not s["text_field_active"], "out of the editor")
    w.press("p")
    w.wait(lambda s: s["ui_pixels"] == 24 and s["code"]["shown"], "P")
    w.press("Return")
    w.wait(lambda s: s["code"]["focused"], "into the editor")
    w.press("F11")
    places = w.wait(lambda s: "step lane 3" in s["code"]["places"] and s["rests"], "stepping")["code"]["places"]
    assert places["step lane 3"][1] + places["step lane 3"][3] <= places["editor"][1] + places["editor"][3], places
    assert places["step lane"][0] + places["step lane"][2] <= 1920, places
    w.press("shift+F5")
    w.wait(lambda s: s["code"]["stepping"] is None and s["code"]["focused"], "Shift F5")
    click(w, w.state["code"]["places"]["compare"])
    w.wait(lambda s: s["panes_beside"] == [] and s["code"]["shown"], "the code alone again")
    w.quit()


def map_exercise(t):
    """An exercise is solved by keyboard alone, and in a lesson, which goes on by itself."""
    w = t.window("--paused", "--exercise", "bounding-box", "--size", "1280x720")
    w.wait(lambda s: s["code"]["focused"] and s["code"]["exercise"] == "bounding-box" and s["level"] == 6, "the exercise")
    assert not w.state["code"]["passed"]
    w.press("ctrl+Return")
    w.wait(lambda s: s["code"]["up_to_date"] and not s["code"]["running"] and not s["code"]["passed"], "the starter does not pass")
    type_code(w, BOUNDING_BOX)
    w.press("ctrl+Return")
    w.wait(lambda s: s["code"]["passed"] and s["code"]["solved"] == ["bounding-box"], "it passes, on the hidden levels too")
    w.wait(lambda s: "next exercise" in s["code"]["places"], "it goes on")
    w.press("Escape")
    w.wait(lambda s: not s["text_field_active"], "out of the editor")
    w.press("F6")
    w.wait(lambda s: s["keys_in_controls"] and s["key_cursor"], "F6")
    w.press_on("ctrl+Tab", "Down", "Down", "Right", "Right", "Right")  # Run, the task's header, Hint, and the buttons beside it
    w.press("Return")
    w.wait(lambda s: s["code"]["exercise"] == "rows" and s["code"]["focused"] and not s["code"]["passed"], "with the next one")
    w.press("Escape")
    w.wait(lambda s: not s["text_field_active"], "out of the editor")
    w.press("Escape")
    w.wait(lambda s: not s["keys_in_controls"] and s["code"]["shown"], "and of the controls")
    w.press("ctrl+p")
    w.wait(lambda s: s["palette_open"] and s["text_field_active"], "the palette")
    w.xdotool("type", "--delay", "15", "border of the")
    w.wait(lambda s: s["palette_filter"] == "border of the", "words of a title")
    w.press("Return")
    w.wait(lambda s: s["code"]["exercise"] == "border" and s["code"]["shown"] and s["code"]["focused"] and s["fractal"] == "sierpinski-carpet"
           and s["level"] == 3, "its exercise is open")
    click(w, w.state["code"]["places"]["exercises"])
    click(w, w.wait(lambda s: "exercise coalesced-tiles" in s["code"]["places"], "the whole path is in the list")["code"]["places"]["exercise bounding-box"])
    w.wait(lambda s: s["code"]["exercise"] == "bounding-box" and "blockIdx.x * 16" in s["code"]["text"] and s["code"]["trusted"], "what was written for it")
    w.quit()
    w = t.window("--paused", "--exercise", "rows", "--size", "1280x720")
    w.wait(lambda s: s["code"]["exercise"] == "rows" and s["code"]["solved"] == ["bounding-box"], "what is passed is known at the next start")
    w.quit()

    # An exercise that is left gives the scene back, with its cells; its code goes on where it was.
    w = t.window("--paused", "--fractal", "vicsek", "--level", "4", "--block", "3", "--size", "1280x720")
    w.press("period", "period")
    before = w.wait(lambda s: s["generation"] == 2 and s["hash"], "two generations")
    for leaves in ("Escape", "exercise none"):
        w.press("ctrl+p")
        w.wait(lambda s: s["palette_open"] and s["text_field_active"], "the palette")
        w.xdotool("type", "--delay", "15", "border of the")
        w.wait(lambda s: s["palette_filter"] == "border of the", "words of a title")
        w.press("Return")
        w.wait(lambda s: s["code"]["exercise"] == "border" and s["code"]["focused"] and (s["fractal"], s["level"]) == ("sierpinski-carpet", 3), "an exercise")
        if leaves == "exercise none":
            click(w, w.state["code"]["places"]["exercises"])
            click(w, w.wait(lambda s: leaves in s["code"]["places"], "the list")["code"]["places"][leaves])
            w.wait(lambda s: s["code"]["exercise"] == "", "one's own map")
        else:
            w.press("Escape")
            w.wait(lambda s: not s["text_field_active"], "out of the editor")
            w.press("Escape")
            w.wait(lambda s: not s["code"]["shown"], "the exercise is left")
        state = w.wait(lambda s: all(s[key] == before[key] for key in ("fractal", "level", "block", "generation", "hash")), "the scene is back")
        if leaves == "Escape":
            assert state["code"]["exercise"] == "border", state["code"]
            w.press("shift+w")
            w.wait(lambda s: s["code"]["shown"] and (s["fractal"], s["level"]) == ("sierpinski-carpet", 3), "opened again, on its fractal")
            w.press("Escape")
            w.wait(lambda s: not s["text_field_active"], "out of the editor")
            w.press("Escape")
            w.wait(lambda s: not s["code"]["shown"] and s["hash"] == before["hash"], "and left again")
    # What the start screen opens is shown with the scene that comes back.
    w.press("ctrl+p")
    w.wait(lambda s: s["palette_open"] and s["text_field_active"], "the palette")
    w.xdotool("type", "--delay", "15", "border of the")
    w.wait(lambda s: s["palette_filter"] == "border of the", "words of a title")
    w.press("Return")
    w.wait(lambda s: s["code"]["exercise"] == "border" and s["code"]["focused"], "the exercise again")
    click(w, w.state["home"])
    w.wait(lambda s: len(s["start_cards"]) == 4 and not s["text_field_active"], "the start screen")
    w.press("2")
    w.wait(lambda s: len(s["panes_beside"]) == 2 and not s["code"]["shown"] and all(s[key] == before[key] for key in ("fractal", "level", "generation", "hash")),
           "Compare, of the scene from before")
    w.quit()

    # An exercise about some of the cells does not praise a map that reaches all of them, nor blame its solution.
    w = t.window("--paused", "--exercise", "lower-half", "--size", "1280x720")
    w.wait(lambda s: s["code"]["status"] == "486 of the 486 cells that the exercise asks for are reached, 243 threads are on other points",
           "the starter")
    coverage = w.state["code"]["coverage"]
    assert (coverage["missed"], coverage["on_holes"], coverage["exact"]) == (0, 243, False), coverage
    below = w.state["code"]["places"]["solution"][1]
    click(w, w.state["code"]["places"]["hint"])
    w.wait(lambda s: s["code"]["hints"] == 1 and s["code"]["focused"], "a hint, and back to the code")
    assert w.state["code"]["places"]["solution"][1] == below, "the buttons stay where they are"
    click(w, w.state["code"]["places"]["solution"])
    w.wait(lambda s: s["code"]["coverage"]["exact"] and s["code"]["focused"], "the solution")
    click(w, w.state["code"]["places"]["run"])
    w.wait(lambda s: s["code"]["passed"] and s["code"]["focused"], "Run, and back to the code")
    w.quit()

    w = t.window("--paused", "--lesson", "write-a-map", "--size", "1280x720")
    w.wait(lambda s: s["lesson"]["name"] == "write-a-map" and s["code"]["focused"], "a step that asks for code")
    type_code(w, BOUNDING_BOX)
    w.press("ctrl+Return")
    w.wait(lambda s: s["code"]["passed"] and s["lesson"]["right"], "the lesson knows")
    w.press("Escape")
    w.wait(lambda s: not s["text_field_active"], "out of the editor")
    w.press("ctrl+Right")
    w.wait(lambda s: s["lesson"]["step"] == 2 and not s["code"]["shown"], "the next step has no code")
    w.press("ctrl+Left")
    w.wait(lambda s: s["lesson"]["step"] == 1 and s["code"]["shown"] and "is_cell" in s["code"]["text"], "the code stays with its step")
    # What is opened from the start screen ends the lesson, which does not come back over it; its code is not lost.
    click(w, w.state["home"])
    w.wait(lambda s: len(s["start_cards"]) == 4 and not s["text_field_active"], "the start screen")
    w.press("2")
    w.wait(lambda s: s["lesson"]["name"] is None and len(s["panes_beside"]) == 2 and not s["code"]["shown"], "Compare, without the lesson")
    w.press("ctrl+z")
    w.wait(lambda s: s["code"]["exercise"] == "bounding-box" and "is_cell" in s["code"]["text"], "Undo brings its code back")
    w.wait(lambda s: s["text_field_active"], "with the keyboard")
    w.press("Escape")
    w.wait(lambda s: not s["text_field_active"], "out of the editor")
    w.press("ctrl+y")
    w.wait(lambda s: len(s["panes_beside"]) == 2 and not s["code"]["shown"], "Redo")
    w.quit()


BOUNDING_BOX = """
    __host__ Launch launch(Fractal f) {
    return grid2d((f.width + 15) / 16, (f.height + 15) / 16, 16, 16);
    }
    __device__ Cell cell_of_thread(Fractal f) {
    int x = blockIdx.x * 16 + threadIdx.x;
    int y = blockIdx.y * 16 + threadIdx.y;
    return is_cell(x, y) ? cell(x, y) : none();
    }"""


def map_code_hostile(t):
    """An endless loop leaves the window responsive; code from a file, a scene or an exercise runs after Run alone, whatever brings it back."""
    w = code_panel(t)
    good = w.state["code"]["coverage"]
    template = w.state["code"]["text"]
    type_code(w, """
        __host__ Launch launch(Fractal f) { return grid1d(4096, 32); }
        __device__ Cell cell_of_thread(Fractal f) { for (;;) {} return none(); }""")
    w.press("ctrl+Return")
    w.wait(lambda s: s["code"]["running"], "it runs")
    w.xdotool("type", "/")
    state = w.wait(lambda s: s["code"]["text"].endswith("/"), "the window answers")
    assert state["code"]["running"], "while it runs"
    w.press("Escape")
    w.wait(lambda s: not s["text_field_active"], "out of the editor")
    w.press("Escape")
    state = w.wait(lambda s: not s["code"]["running"] or s["code"]["outcome"] == "timeout", "Esc ends the run")
    assert state["code"]["coverage"] == good, "the last good result stays"
    with tempfile.TemporaryDirectory() as folder:
        file = os.path.join(folder, "mine.map.cu")
        with open(file, "w") as out:
            out.write(FOREIGN)
        subprocess.run([t.drop_files, w.id, file], env=t.display.environment, check=True, timeout=60)
        state = w.wait(lambda s: s["code"]["origin"] == "mine.map.cu", "a dropped file")
        assert not state["code"]["trusted"], state["code"]
        time.sleep(1)
        assert w.state["code"]["coverage"] == good, "it does not run before Run"
        if not w.state["code"]["focused"]:
            w.press("Return")
        w.wait(lambda s: s["code"]["focused"], "into the editor")
        w.press("F11")
        w.seen(lambda s: "came with mine.map.cu" in s["message"], "F11 says why")
        assert w.state["code"]["stepping"] is None, "it is not stepped before Run"
        click(w, w.state["code"]["places"]["run"])
        w.wait(lambda s: s["code"]["trusted"] and s["code"]["coverage"] and s["code"]["coverage"]["once"] == 32 and s["code"]["focused"], "Run runs it")
        w.press("Escape")
        w.wait(lambda s: not s["text_field_active"], "out of the editor")
        scene = os.path.join(folder, "scene.loom")
        browse(w, "ctrl+s", scene)
        w.seen(lambda s: s["files"]["done"].startswith("saved scene.loom"), "saved")
        w.quit()
        w = t.window("--open", scene, "--size", "1280x720")
        state = w.wait(lambda s: s["code"]["shown"] and "cell(0, threadIdx.x)" in s["code"]["text"], "the code is kept in the scene")
        assert not state["code"]["trusted"] and state["code"]["origin"] == "the scene", state["code"]
        stays_foreign(w, "the scene")
        # A template, and its undo in the editor and in the window.
        click(w, w.state["code"]["places"]["templates"])
        click(w, w.wait(lambda s: "template Bounding box" in s["code"]["places"], "the list")["code"]["places"]["template Bounding box"])
        trusted(w, template, "a template runs by itself")
        w.press("ctrl+z")
        stays_foreign(w, "the scene")
        w.press("ctrl+y")
        trusted(w, template, "redo")
        w.press("Escape")
        w.wait(lambda s: not s["text_field_active"], "out of the editor")
        w.press("ctrl+z")
        stays_foreign(w, "the scene")
        w.press("ctrl+y")
        trusted(w, template, "the window's redo")
        w.press("ctrl+z")
        stays_foreign(w, "the scene")
        # What is typed into it does not make it the user's.
        w.press("Return")
        w.wait(lambda s: s["code"]["focused"], "into the editor")
        w.xdotool("type", "/")
        stays_foreign(w, "the scene", "/" + FOREIGN)
        w.press("BackSpace")
        stays_foreign(w, "the scene")
        w.press("ctrl+Return")
        trusted(w, FOREIGN, "Run", 32)
        w.press("ctrl+a", "Delete")
        w.wait(lambda s: s["code"]["text"] == "" and s["code"]["dimmed"], "an empty text")
        w.press("ctrl+z")
        trusted(w, FOREIGN, "what was run needs no other Run", 32)
        w.quit()

        # A starter that is a template runs, the solution beside it does not.
        exercise = os.path.join(folder, "ex.toml")
        write_exercise(exercise, template, FOREIGN)
        w = t.window("--paused", "--exercise", exercise, "--size", "1280x720")
        trusted(w, template, "the starter")
        click(w, w.state["code"]["places"]["solution"])
        stays_foreign(w, "the exercise")
        click(w, w.state["code"]["places"]["start again"])
        trusted(w, template, "the starter again")
        w.wait(lambda s: s["code"]["focused"], "the keys go to the editor")
        w.press("ctrl+z")
        stays_foreign(w, "the exercise")
        open_code(w, file)
        stays_foreign(w, "mine.map.cu")
        w.quit()

        # Run runs the text in the editor alone: a solution that grading needs is allowed by itself.
        write_exercise(exercise, FOREIGN + "// starter\n", FOREIGN, "[require]\ncells = 'as-solution'\n")
        w = t.window("--paused", "--exercise", exercise, "--size", "1280x720")
        stays_foreign(w, "the exercise", FOREIGN + "// starter\n")
        w.press("ctrl+Return")
        state = trusted(w, FOREIGN + "// starter\n", "Run", 32)
        assert state["code"]["solution_waits"] and not state["code"]["passed"], "it is not graded"
        click(w, state["code"]["places"]["allow"])
        w.wait(lambda s: not s["code"]["solution_waits"] and s["code"]["passed"], "graded")
        w.quit()


FOREIGN = ("__host__ Launch launch(Fractal f) { return grid1d(1, 32); }\n"
           "__device__ Cell cell_of_thread(Fractal f) { return cell(0, threadIdx.x); }\n")


def write_exercise(file, starter, solution, more=""):
    with open(file, "w") as out:
        out.write(f"title = 'T'\ntask = 'x'\nstarter = '''\n{starter}'''\nsolution = '''\n{solution}'''\n"
                  f"{more}[[case]]\nfractal = 'sierpinski-gasket'\nlevel = 5\n")


def open_code(w, file):
    """Ctrl O in the editor, and the name of a file."""
    w.press("ctrl+o")
    w.wait(lambda s: "browser name" in s["code"]["places"] and s["text_field_active"] and not s["code"]["focused"], "the dialog")
    w.press("ctrl+a")
    w.xdotool("type", file)
    w.press("Return")


def stays_foreign(w, origin, text=FOREIGN):
    """Code that came from elsewhere is in the editor, and does not run for a second."""
    state = w.wait(lambda s: s["code"]["text"] == text and s["code"]["origin"] == origin, f"code from {origin}")
    begin = len(w.states) - 1
    time.sleep(1)
    for later in w.states[begin:]:
        assert later["code"]["text"] == text and not later["code"]["trusted"] and not later["code"]["running"], later["code"]
        assert later["code"]["coverage"] == state["code"]["coverage"], later["code"]
    assert w.state["code"]["dimmed"], "what is shown is not of this code"


def trusted(w, text, what, cells=None):
    """Code runs while one types, and reaches this number of cells once, else each."""
    return w.wait(lambda s: s["code"]["text"] == text and s["code"]["trusted"] and s["code"]["up_to_date"] and s["code"]["coverage"] and
                  (s["code"]["coverage"]["exact"] if cells is None else s["code"]["coverage"]["once"] == cells), what)


def race(t):
    """Shift M races the maps in the background; Escape cancels, and the levels so far stay as a table."""
    w = t.window("--paused", "--level", "6", "--block", "4", "--size", "900x700")
    w.press("shift+m")
    race_of = lambda s: next((p["race"] for p in s["panes_beside"] if p["shows"] == "race"), None)
    # The times of small levels are too small to compare, or shown as equal; then they have no winner.
    won = lambda s: [one for one in race_of(s)["levels"] if one["winner"] is not None]
    state = w.wait(lambda s: race_of(s) and len(race_of(s)["levels"]) >= 2 and won(s), "two levels, and a winner")
    narrow = race_of(state)["width"]
    first = race_of(state)["levels"][0]
    assert first["level"] == 4 and len(first["maps"]) == 3, first
    for level in won(state):
        times = [one["ms"] for one in level["maps"] if one["ms"] is not None]
        assert level["maps"][level["winner"]]["ms"] == min(times) >= 0.02, level
    w.press("Escape")
    state = w.wait(lambda s: not race_of(s)["running"], "Escape cancels")
    assert len(race_of(state)["levels"]) >= 2
    w.resize(1900, 900)
    w.wait(lambda s: race_of(s)["width"] > narrow + 5, "the bars fill a wider pane")
    w.press("shift+m")
    w.wait(lambda s: [p["shows"] for p in s["panes_beside"]] == ["cells", "cells"], "R again closes it")
    w.quit()


def pane_method(t):
    """A pane's own method by keys and by mouse; the other panes and the scene go on as they are."""
    w = t.window("--paused", "--level", "6", "--block", "4", "--map", "lambda", "--size", "1280x720")
    w.press("n", "n")
    w.wait(lambda s: len(s["panes_beside"]) == 2 and all(p["equal"] for p in s["panes_beside"]), "N, N: two panes beside")
    w.press("d")
    w.wait(lambda s: s["pane_method"] and s["pane_method"]["pane"] == 0 and "Tile size ρ" in s["pane_method"]["places"], "D")
    w.press("Down", "space")  # the second row is the tile size
    w.wait(lambda s: "Tile size ρ 8" in s["pane_method"]["places"], "Space opens the list")
    w.press("Down", "space")
    state = w.wait(lambda s: s["panes_beside"][0].get("block") == 8 and s["panes_beside"][0]["equal"], "an arrow key chooses")
    assert (state["block"], state["panes_beside"][1]["block"]) == (4, 4), state
    for key, tile_size in (("ctrl+z", 4), ("ctrl+y", 8)):
        w.press(key)
        state = w.wait(lambda s: s["panes_beside"][0].get("block") == tile_size and s["panes_beside"][0]["equal"], key)
        assert state["pane_method"] and state["list_open"], "it stays open"
    w.press("Escape")
    w.wait(lambda s: s["pane_method"] is None, "Esc closes it")
    w.press("d")
    state = w.wait(lambda s: s["pane_method"] and s["pane_method"]["pane"] == 1 and
                   "Map arithmetic" in s["pane_method"]["places"], "D again: the next pane")
    for row, value, chosen in (("Map arithmetic", "shuffle", lambda p: p.get("arithmetic") == "shuffle"),
                               ("Map", "compact", lambda p: p.get("map") == "compact"),
                               ("Halo", "off", lambda p: p.get("halo") is False),
                               ("Backend", "CPU", lambda p: p.get("backend") == "cpu")):
        click(w, w.wait(lambda s: row in s["pane_method"]["places"], row)["pane_method"]["places"][row])
        name = row + " " + value
        click(w, w.wait(lambda s: name in s["pane_method"]["places"], name)["pane_method"]["places"][name])
        w.wait(lambda s: name not in s["pane_method"]["places"] and chosen(s["panes_beside"][1]), name + " is chosen")
    state = w.wait(lambda s: s["panes_beside"][1].get("map") == "compact" and s["panes_beside"][1]["halo"] is False and
                   s["panes_beside"][1]["equal"], "another map of this pane")
    assert state["panes_beside"][1]["arithmetic"] == "shuffle" and state["map"] == "lambda", state
    click(w, state["pane_method"]["places"]["Map arithmetic"])
    name = "Map arithmetic tensor-2"  # is no form of the compact map
    click(w, w.wait(lambda s: name in s["pane_method"]["places"], name)["pane_method"]["places"][name])
    w.press("Escape")
    w.wait(lambda s: s["popups"] == 1 and s["pane_method"] is not None, "Esc closes the list alone")
    w.press("Escape", "period")
    state = w.wait(lambda s: s["generation"] == 1 and all(p["equal"] and p["generation"] == 1 for p in s["panes_beside"]),
                   "all go on together")
    assert state["panes_beside"][1]["arithmetic"] == "shuffle", state
    w.quit()


def thread(t):
    """X explains the thread under the cursor; a click pins it, arrow keys walk, Esc lets go; other maps, other threads."""
    w = t.window("--paused", "--map", "lambda", "--size", "1280x720")
    w.press("s", "x")
    w.wait(lambda s: s["show_thread"] and s["level"] == 4 and s["block"] == 4, "S, X")
    w.move(*w.cell_on_screen(0, 15))
    w.wait(lambda s: "cell (0, 15)" in s["thread"], "hovered")
    w.xdotool("click", 1)
    w.wait(lambda s: s["pinned"] == [0, 15], "a click pins")
    w.move(20, 20)
    origin = w.state["view_origin"]
    w.press("Right", "Right", "Up", "Down")
    state = w.wait(lambda s: s["pinned"] == [2, 15] and "cell (2, 15)" in s["thread"], "arrow keys walk")
    assert state["view_origin"] == origin, "and do not move the picture"
    w.press("Up")
    w.wait(lambda s: s["pinned"] == [2, 14] and "byte" in s["thread"], "a cell, and where it is stored")
    w.press("Right")
    w.wait(lambda s: s["pinned"] == [3, 14] and "byte" not in s["thread"], "a hole")
    w.press("1")
    w.wait(lambda s: s["map"] == "bounding-box" and "idle" in s["thread"], "in the bounding box its thread idles")
    w.press("2")
    # The fields take an index, the cell's one a point too; what is wrong is said until the thread or the text is another one.
    field = lambda name: w.state["thread_fields"][name]

    def type_field(name, text):
        click(w, field(name)["place"])
        w.wait(lambda s: s["text_field_active"], "the field")
        w.press("ctrl+a")
        w.xdotool("type", "--delay", "15", text)
        w.wait(lambda s: s["thread_fields"][name]["text"] == text and s["pinned"] == pinned, "nothing is applied while it is typed")
        w.press("Return")

    pinned = [3, 14]
    type_field("cell", "0, 15")
    pinned = w.wait(lambda s: s["pinned"] == [0, 15] and s["thread_fields"]["cell"]["problem"] == "", "a point is pinned")["pinned"]
    for name, text, allowed in (("cell", "81", "0 to 80"), ("cell", "3,16", "an index from 0 to 80, or a point x, y up to 15, 15"),
                                ("thread", "15x", "0 to 80"), ("thread", "81", "0 to 80")):
        type_field(name, text)
        state = w.wait(lambda s: s["thread_fields"][name]["problem"].endswith("allowed: " + allowed) and s["text_field_active"] and s["rests"],
                       f"{text}: allowed is {allowed}, and the field has the cursor again")
        assert state["pinned"] == pinned and state["thread_fields"][name]["text"] == text, state["thread_fields"]
    # The field waits for the correction: what is typed is no shortcut.
    w.press("ctrl+a", "3", "7", "Return")
    pinned = w.wait(lambda s: s["thread_fields"]["thread"] != "" and s["pinned"] != pinned and s["map"] == "lambda"
                    and all(one["problem"] == "" for one in s["thread_fields"].values()), "the correction pins a thread")["pinned"]
    type_field("cell", "0, 15")
    w.wait(lambda s: s["pinned"] == [0, 15], "the point again")
    w.press("Up", "Right")
    pinned = w.wait(lambda s: s["pinned"] == [1, 14] and all(one["problem"] == "" for one in s["thread_fields"].values()), "another thread: nothing is wrong")["pinned"]
    type_field("cell", "80")
    w.wait(lambda s: s["pinned"] not in (None, pinned) and s["thread_fields"]["cell"]["text"] == "80", "an index")
    w.press("Escape")
    w.wait(lambda s: s["pinned"] is None, "Esc lets go")
    # In a lecture, where the panel has no room, the line below the picture has its sentence.
    w.press("p")
    w.wait(lambda s: s["ui_pixels"] == 24 and s["dock_area"][2] == 0 and s["rests"], "P")
    w.move(*w.cell_on_screen(0, 15))
    w.wait(lambda s: s["hovered_cell"] == [0, 15] and s["caption"] == s["thread"] and "cell (0, 15)" in s["caption"], "the sentence")
    w.press("x")
    w.wait(lambda s: not s["show_thread"] and "(0, 15)" in s["caption"] and s["caption"] != s["thread"], "X again")
    w.quit()


def spaces(t):
    """Cells, threads, memory and steps: a point chosen in any of them is the same thread in all, by number too."""
    w = t.window("--paused", "--map", "compact", "--size", "1280x720")
    w.press("s", "u")
    kinds = ["threads", "memory", "steps"]
    w.wait(lambda s: [p["shows"] for p in s["panes_beside"]] == kinds and s["show_thread"] and
           s["panes_beside"][0]["picture"][2] > 0, "S, U")
    for arithmetic in range(5):
        w.move(*w.cell_on_screen(1, 15))
        state = w.wait(lambda s: "cell (1, 15)" in s["thread"] and s["panes_beside"][0]["marked_at"] and
                       s["panes_beside"][1]["marked_at"], "hovered among the cells")
        sentence = state["thread"]
        for pane in (0, 1):
            at = w.state["panes_beside"][pane]["marked_at"]
            w.move(20, 20)
            w.wait(lambda s: s["thread"] == "", "nothing is hovered")
            w.move(*at)
            w.wait(lambda s: s["thread"] == sentence and s["hovered_cell"] == [1, 15], f"the same in {kinds[pane]}")
        arithmetic = w.state["arithmetic"]
        w.press("a")
        w.wait(lambda s: s["arithmetic"] != arithmetic, "another arithmetic")
    at = w.state["panes_beside"][1]["marked_at"]
    w.xdotool("click", 1)
    w.seen(lambda s: s["pinned"] == [1, 15] and s["thread_path"] < 1, "a click in memory pins, and the arrow travels")
    w.wait(lambda s: s["pinned"] == [1, 15] and s["thread_path"] == 1, "to the byte")
    for colours in ("block", "thread", "warp", "tile", "address", "replica", "state"):
        w.press("c")
        w.wait(lambda s: s["colour_by"] == colours and all(p.get("finished", True) for p in s["panes_beside"]), colours)
    w.press("1")
    w.wait(lambda s: s["map"] == "bounding-box" and "byte 241" in s["thread"], "another map, the same point")
    w.press("greater", "greater", "greater", "greater", "greater", "bracketright", "2")
    w.wait(lambda s: s["level"] == 9 and s["map"] == "lambda" and s["panes_beside"][0]["finished"], "another level")
    w.resize(700, 500)
    w.press("p", "p", "z", "z", "shift+F9", "shift+F9", "v", "u")
    w.wait(lambda s: [p["shows"] for p in s["panes_beside"]] == kinds, "other sizes, workspaces and panes")
    w.press("u")
    w.wait(lambda s: not s["panes_beside"], "U again: one pane")
    w.quit()
    w = t.window("--paused", "--level", "5", "--block", "4", "--panes", "lens", "--thread", "4,29")
    w.wait(lambda s: [p["shows"] for p in s["panes_beside"]] == ["lens"] and "byte" in s["thread"], "the lens")
    w.press("1", "a", "3", "a", "a", "Right", "Up", "greater", "bracketright")
    w.wait(lambda s: s["level"] == 6 and s["block"] == 8 and s["pinned"] == [5, 28], "it follows")
    w.quit()


def unfold(t):
    """The tiles fly from the launch to the fractal and back; of very many, those of the first sub-square."""
    w = t.window("--paused", "--map", "lambda", "--level", "5", "--block", "4", "--panes", "unfold")
    w.wait(lambda s: s["panes_beside"][0].get("unfolded") == 0 and s["panes_beside"][0]["play"][2] > 0, "at the launch")
    click(w, w.state["panes_beside"][0]["play"])
    w.wait(lambda s: 0 < s["panes_beside"][0]["unfolded"] < 1, "under way")
    w.wait(lambda s: s["panes_beside"][0]["unfolded"] == 1, "at the fractal")
    w.press("3", "a", "greater", "c")
    w.wait(lambda s: s["map"] == "compact" and s["level"] == 6 and s["panes_beside"][0]["unfolded"] == 1, "another method")
    click(w, w.state["panes_beside"][0]["play"])
    w.wait(lambda s: s["panes_beside"][0]["unfolded"] == 0, "and back")
    w.press("1")
    w.wait(lambda s: s["map"] == "bounding-box" and s["panes_beside"][0]["play"][2] == 0, "nothing moves here")
    w.press("2", *["greater"] * 6, *["bracketleft"] * 2)
    w.wait(lambda s: s["level"] == 12 and s["map"] == "lambda" and s["block"] == 1 and
           s["panes_beside"][0]["play"][2] > 0, "of very many tiles, the first sub-square")
    unfolded = w.state["panes_beside"][0]["unfolded"]
    click(w, w.state["panes_beside"][0]["play"])
    w.wait(lambda s: s["panes_beside"][0]["unfolded"] == 1 - unfolded, "it flies too")
    w.quit()


def timeline(t):
    """One launch is recorded beside the scene, whose cells and figures stay as they are; again when asked."""
    w = t.window("--paused", "--level", "7", "--block", "4", "--panes", "timeline")
    state = w.wait(lambda s: s["panes_beside"][0].get("recorded") and s["panes_beside"][0]["record"][2] > 0, "recorded")
    assert state["generation"] == 0 and state["hash"] == t.life_hash("--level", "7", "--steps", "0"), state["hash"]
    for _ in range(7):
        w.press("c")
    w.wait(lambda s: s["colour_by"] == "multiprocessor", "C reaches the thread that ran a tile, now that it is known")
    w.press("3", "space")
    w.wait(lambda s: s["map"] == "compact" and s["playing"], "another method, which plays")
    w.wait(lambda s: s["colour_by"] == "state" and "captured" in s["message"], "and of which nothing is recorded")
    w.press("Escape")
    click(w, w.state["panes_beside"][0]["record"])
    w.wait(lambda s: s["panes_beside"][0]["recorded"] and not s["panes_beside"][0]["problem"], "recorded while it plays")
    w.press("space", "greater", "z", "z", "shift+F9", "shift+F9", "v")
    w.wait(lambda s: not s["playing"] and not s["panes_beside"], "and away")
    w.quit()
    w = t.window("--paused", "--level", "2", "--block", "4", "--panes", "timeline")
    state = w.wait(lambda s: s["panes_beside"][0].get("recorded"), "a launch of one thread block")
    assert "larger level or a GPU shows more" in state["panes_beside"][0]["remark"], state["panes_beside"][0]
    for level in range(3, 11):
        w.press("greater")
        state = w.wait(lambda s: s["level"] == level and s["hash"] is not None, f"level {level}")
    click(w, state["panes_beside"][0]["record"])
    w.wait(lambda s: s["panes_beside"][0]["remark"] == "" and s["panes_beside"][0]["recorded"], "it does")
    w.quit()


def copied_for_two_devices(w):
    """The words of the command that the window copies, which names two parts of the CPU; without the backend."""
    w.press("ctrl+shift+c")
    text = w.wait(lambda s: s["message"].startswith("Copied: fractal-loom view "), "copied")["message"]
    words = shlex.split(text.removeprefix("Copied: fractal-loom view "))
    at = words.index("--backend")
    assert words[at:at + 4] == ["--backend", "cpu", "--devices", "2"], words
    return words[:at] + words[at + 2:]


def save_and_quit(w, folder):
    file = os.path.join(folder, "two.loom")
    w.press("Escape")
    browse(w, "ctrl+s", file)
    w.wait(lambda s: s["files"]["done"].startswith("saved two.loom") and not s["files"]["open"], "saved")
    w.quit()
    return file


def devices(t):
    """Cells shared out to parts of the CPU while it runs: chosen, coloured, recorded, undone, compared in a pane, kept."""
    method = ("--map", "compact", "--storage", "bits", "--level", "9")

    def choose(w, count):
        one, = (c for c in w.state["device_choices"] if c["devices"] == count)
        assert one["problem"] == "", one
        click(w, one["place"])
        w.wait(lambda s: s["devices"] == count, f"{count} chosen")
        w.move(700, 20)

    w = t.window("--paused", *method, "--size", "1280x1060")
    assert not w.state["method_details"]["open"], "folded at first"
    click(w, w.wait(lambda s: s["method_details"]["place"][2] > 0, "the section")["method_details"]["place"])
    state = w.wait(lambda s: s["method_details"]["open"] and any(c["place"][2] > 0 for c in s["device_choices"]), "the row")
    assert (state["devices"], state["devices_recorded"]) == (1, None), state["devices"]
    w.press("period", "period", "period")
    three = w.wait(lambda s: s["generation"] == 3, "three generations on one device")["hash"]
    choose(w, 2)
    state = w.wait(lambda s: s["devices"] == 2 and s["devices_recorded"] and s["hash"], "two parts, and what they do")
    assert (state["generation"], state["hash"]) == (3, three), state["hash"]
    assert "2 parts" in state["device"], state["device"]
    record = state["devices_recorded"]
    assert record["problem"] == "" and record["clock"] == "steady clock", record
    assert [d["name"] for d in record["devices"]] == ["part 1 of the CPU", "part 2 of the CPU"], record
    assert all(d["step_ns"] > 0 and d["wait_ns"] > 0 for d in record["devices"]), record
    w.press("space")
    w.wait(lambda s: s["playing"], "it plays")
    w.press("t")
    click(w, w.wait(lambda s: s["side_tab"] == "metrics" and s["record_devices"][2] > 0, "the metrics")["record_devices"])
    w.wait(lambda s: s["devices_recorded"] and s["devices_recorded"] != record, "recorded again while it plays")
    click(w, w.state["tabs"][0])
    w.wait(lambda s: s["side_tab"] == "controls", "the controls")
    w.press("space")
    # A generation that was under way when it was paused is still taken.
    end = w.wait(lambda s: not s["playing"] and s["hash"] and s["rests"], "it pauses")
    assert end["hash"] == t.life_hash(*method, "--steps", str(end["generation"])), "the cells are those of one device"
    w.press("c")
    w.wait(lambda s: s["colour_by"] == "device" and "one colour per device (2)" in s["colour_legend"], "C: coloured by device")
    choose(w, 4)
    w.wait(lambda s: s["devices"] == 4 and "one colour per device (4)" in (s["colour_legend"] or ""), "four parts")
    w.press("ctrl+z")
    w.wait(lambda s: s["devices"] == 2 and s["colour_by"] == "device", "undone: two")
    w.press("q")
    w.wait(lambda s: s["panes_beside"] and s["panes_beside"][0]["shows"] == "timeline", "their lanes in a pane")
    w.press("q")
    w.wait(lambda s: not s["panes_beside"], "one pane again")
    w.press("2")
    w.wait(lambda s: s["map"] == "lambda" and s["devices"] == 1 and s["colour_by"] == "state" and
           s["device_choices"][1]["problem"].startswith("Several devices require"), "another method is on one device")
    w.press("ctrl+z")
    state = w.wait(lambda s: s["map"] == "compact" and s["devices"] == 2 and s["hash"] == end["hash"], "undone: two again")
    words = copied_for_two_devices(w)
    with tempfile.TemporaryDirectory() as folder:
        file = save_and_quit(w, folder)
        w = t.window(*words)
        w.wait(lambda s: s["devices"] == 2 and s["hash"] == end["hash"], "the command opens it")
        w.quit()
        w = t.window(file)
        w.wait(lambda s: s["devices"] == 2 and s["hash"] == end["hash"] and s["message"] == "", "the file opens")
        w.quit()
        scene, cells = read_scene(file)
        scene["life"]["devices"] = 9
        write_scene(file, scene, cells)
        w = t.window(file)
        w.wait(lambda s: s["devices"] == 8 and "9" in s["message"], "one that asks for more than there are")
        w.quit()

    w = t.window(*method, "--panes", "devices")
    w.wait(lambda s: s["panes_beside"] and s["panes_beside"][0]["in_step"] and s["panes_beside"][0]["equal"] and
           s["panes_beside"][0]["generation"] > 5, "one beside two, the same cells")
    w.press("space")
    state = w.wait(lambda s: not s["playing"] and s["panes_beside"][0]["equal"] and s["devices_recorded"] and
                   s["panes_beside"][0]["generation"] == s["generation"], "it pauses")
    pane = state["panes_beside"][0]
    assert (state["devices"], pane["devices"]) == (1, 2), pane
    assert pane["step_ms"] > 0 and state["step_ms"] > 0, pane
    assert pane["threads_launched"] >= state["threads_launched"], (pane, state["threads_launched"])
    w.quit()


def mandelbrot_devices(t):
    """A picture shared out to parts of the CPU: switched live, coloured, zoomed, by all methods, undone, kept."""
    def choose(w, count):
        one, = (c for c in w.state["mandelbrot"]["device_choices"] if c["devices"] == count)
        assert one["problem"] == "", one
        click(w, one["place"])
        w.wait(lambda s: s["mandelbrot"]["devices"] == count, f"{count} chosen")
        w.move(700, 20)

    def stands(words, count, **more):
        def is_so(s):
            own = s["mandelbrot"]
            parts = own["parts"]
            return (own["divisor"] == 1 and own["devices"] == count and len(parts) == (count if count > 1 else 0) and
                    (count == 1 or sum(p["rows"] for p in parts) == own["image"][1]) and all(own.get(k) == v for k, v in more.items()))
        return w.wait(is_so, words)["mandelbrot"]

    w = t.window("--workspace", "mandelbrot", "--size", "1280x1060", "--dwell", "300")
    own = w.wait(lambda s: s["mandelbrot"]["method_details"]["place"][2] > 0, "the section")["mandelbrot"]
    assert not own["method_details"]["open"], "folded at first"
    click(w, own["method_details"]["place"])
    w.wait(lambda s: s["mandelbrot"]["method_details"]["open"] and any(c["place"][2] > 0 for c in s["mandelbrot"]["device_choices"]), "the row")
    one = stands("one device", 1)
    assert one["devices_there"] == 8, one["devices_there"]
    choose(w, 2)
    stands("two parts", 2, inside=one["inside"], computed_pixels=one["computed_pixels"])
    w.press("g", "g", "g", "g")
    stands("G, four times: coloured by device", 2, regions="devices")
    w.move(800, 400)
    w.xdotool("click", "4")
    zoomed = w.wait(lambda s: s["mandelbrot"]["view"] != one["view"] and s["mandelbrot"]["divisor"] == 1 and not s["mandelbrot"]["zooming"], "zoomed")
    for key, method in (("1", "exhaustive"), ("2", "dp"), ("3", "ask")):
        w.press(key)
        stands(method, 2, method=method)
    w.press("shift+v")
    w.wait(lambda s: s["mandelbrot"]["different"] is not None, "Shift V: checked")
    w.press("c", "c", "c")
    choose(w, 8)
    stands("eight parts", 8, regions="devices")
    w.press("ctrl+z")
    stands("undone: two", 2, regions="devices")
    w.press("shift+k")
    w.wait(lambda s: s["mandelbrot"]["measure"], "Shift K: every frame")
    choose(w, 4)
    stands("four, while every frame is computed", 4)
    w.press("shift+k")
    w.press("BackSpace")
    stands("Backspace: the first view again", 4, view=one["view"], inside=one["inside"])
    choose(w, 1)
    stands("one, without a colour for it", 1, regions="off")
    w.press("g", "g", "g", "g")
    stands("G goes past what one device has no colours for", 1, regions="off")
    w.press("ctrl+z")
    choose(w, 2)
    words = copied_for_two_devices(w)
    with tempfile.TemporaryDirectory() as folder:
        file = save_and_quit(w, folder)
        w = t.window(*words)
        stands("the command opens it", 2, inside=one["inside"])
        w.quit()
        scene, cells = read_scene(file)
        assert scene["mandelbrot"]["devices"] == 2, scene["mandelbrot"]
        scene["mandelbrot"]["devices"] = 9
        write_scene(file, scene, cells)
        w = t.window(file)
        stands("one that asks for more than there are", 8)
        assert "needs 9" in w.state["message"], w.state["message"]
        w.quit()


def mandelbrot_timeline(t):
    """Q records the picture's computation beside the frame, for each method; pointing at a span says its level."""
    w = t.window("--paused", "--method", "dp", "--size", "1280x720")
    w.press("z")
    w.wait(lambda s: s["workspace"] == "mandelbrot" and s["mandelbrot"]["divisor"] == 1, "a picture")
    w.press("q")

    def recorded(method):
        return w.wait(lambda s: s["mandelbrot"]["timeline"] and s["mandelbrot"]["timeline"]["method"] == method and
                      not s["mandelbrot"]["timeline"]["recording"] and s["mandelbrot"]["timeline"]["lanes"][2] > 0,
                      f"{method} is recorded")["mandelbrot"]["timeline"]

    timeline = recorded("dp")
    x, y, width, height = timeline["lanes"]

    def level_at(x, y):
        """What the frame says that has the mouse there: one before it may still speak of where it was."""
        place = [round(x), round(y)]
        w.move(*place)
        return w.wait(lambda s: s["mandelbrot"]["timeline"]["mouse"] == place, f"the mouse at {place}")["mandelbrot"]["timeline"]["level"]

    # Threads rest as well, and nobody says which of them had work.
    places = [(x + width * across / 40, y + height * down / 8) for down in range(1, 8) for across in range(1, 40)]
    assert any(level_at(*place) is not None for place in places), "a span says its level"
    for key, method in (("3", "ask"), ("1", "exhaustive")):
        w.press(key)
        w.wait(lambda s: s["mandelbrot"]["method"] == method and s["mandelbrot"]["divisor"] == 1, method)
        click(w, w.state["mandelbrot"]["timeline"]["button"])
        timeline = recorded(method)
        assert timeline["problem"] == "", timeline
    w.press("q")
    w.wait(lambda s: s["mandelbrot"]["timeline"] is None, "Q again")
    w.press("z")
    w.wait(lambda s: s["workspace"] == "life", "Z")
    w.press("q")
    w.wait(lambda s: [p["shows"] for p in s["panes_beside"]] == ["timeline"] and s["panes_beside"][0]["recorded"],
           "the same key in Life")
    w.press("q")
    w.wait(lambda s: not s["panes_beside"], "and away")
    w.quit()


def dialog_of(w, name, button="save"):
    """Of a dialog: waits until it is there with its buttons and is as wanted; returns its state."""
    def dialog(wanted, why):
        return w.wait(lambda s: s[name] and s[name].get("open", True) and button in s[name]["places"] and wanted(s[name]),
                      why)[name]
    return dialog


def choose(w, dialog, choices):
    """Presses buttons of a dialog, one after the other."""
    dialog(lambda d: True, "the dialog")
    for choice in choices:
        click(w, dialog(lambda d: choice in d["places"], choice)["places"][choice])
        time.sleep(0.1)


def name_file(w, dialog, path):
    """Types the file's name over the one that is there; returns the dialog's state."""
    click(w, dialog(lambda d: True, "the dialog")["places"]["file"])
    w.wait(lambda s: s["text_field_active"], "the field")
    w.press("ctrl+a")
    w.xdotool("type", "--delay", "1", path)
    return dialog(lambda d: d["file"] == path, "typed")


def save_figure(t):
    """Ctrl E writes what the scene or a pane shows beside the frames; what is there is replaced only when asked twice."""
    with tempfile.TemporaryDirectory() as folder:
        w = t.window("--paused", "--map", "compact", "--level", "5", "--block", "4", "--panes", "spaces", "--thread", "4,29",
                     "--size", "1280x720")
        w.wait(lambda s: [p["shows"] for p in s["panes_beside"]] == ["threads", "memory", "steps"] and s["thread"], "panes")
        w.press("ctrl+e")

        dialog = dialog_of(w, "save_figure")

        assert dialog(lambda d: True, "Ctrl E")["file"] == "cells-sierpinski-gasket-5-compact-4.svg"

        def name(path):
            name_file(w, dialog, path)

        def save(wanted, why):
            click(w, dialog(lambda d: True, "the dialog")["places"]["save"])
            return dialog(wanted, why)

        drawing = os.path.join(folder, "cells.svg")
        name(drawing)
        save(lambda d: d["saved"] == "Saved " + drawing, "written")
        with open(drawing) as file:
            first = file.read()
        command = [t.program, "figure", "--backend", "cpu", "--map", "compact", "--level", "5", "--block", "4", "--thread",
                   "4,29", "--out", os.path.join(folder, "same.svg")]
        subprocess.run(command, check=True, capture_output=True, timeout=60)
        with open(os.path.join(folder, "same.svg")) as file:
            assert file.read() == first, "the same as `fractal-loom figure`"
        save(lambda d: d["problem"].endswith("Replace it?"), "it is there already")
        save(lambda d: d["saved"] == "Saved " + drawing and not d["problem"], "Replace")
        name("/nowhere/at/all.pdf")
        save(lambda d: "cannot be written" in d["problem"], "an error stays in the dialog")
        click(w, w.state["save_figure"]["places"]["close"])
        w.wait(lambda s: s["save_figure"] is None, "closed")
        w.press("shift+F9", "ctrl+e")  # without panels too
        dialog(lambda d: True, "Ctrl E again")
        w.press("Escape")
        w.wait(lambda s: s["save_figure"] is None, "Esc")
        w.quit()


def save_picture(t):
    """F12 saves what is seen, with or without what is drawn over it, in any size; Esc cancels; it opens as a scene."""
    with tempfile.TemporaryDirectory() as folder:
        w = t.window("--paused", "--level", "6", "--seed", "9", "--size", "1000x700", HOME=folder, XDG_CONFIG_HOME=folder)
        w.press("period")
        before = w.wait(lambda s: s["generation"] == 1, "a generation")

        dialog = dialog_of(w, "save_picture")

        def leave():
            w.press("Escape")
            w.wait(lambda s: not s["save_picture"]["open"], "Esc closes the dialog")

        def save(path, *choices):
            w.press("F12")
            choose(w, dialog, choices)
            click(w, name_file(w, dialog, path)["places"]["save"])

        def saved(path):
            w.wait(lambda s: s["save_picture"]["done"].startswith("saved " + path), "saved " + path)
            leave()
            return png_size(path)

        picture = before["picture"]
        seen = os.path.join(folder, "seen.png")
        save(seen)
        assert saved(seen) == (round(picture[2]), round(picture[3])), "without the line below the picture"
        plain = os.path.join(folder, "plain.png")
        save("~/plain.png", "without")  # and says where that is
        assert saved(plain) == (round(picture[2]), round(picture[3]))
        twice = os.path.join(folder, "twice.png")
        save(twice, "2\u00d7", "with")
        assert saved(twice) == (2 * round(picture[2]), 2 * round(picture[3]))
        named = os.path.join(folder, "named.png")
        save(named, "4K", "with")
        assert saved(named) == (3840, 2160), "exactly the size that was chosen"
        wide = os.path.join(folder, "wide.png")
        save(wide, "1080p", "without")
        assert saved(wide) == (1920, 1080)
        w.press("F12")
        choose(w, dialog, ("8K",))
        dialog(lambda d: "7680 × 4320 pixels, at most 94.9 MiB" in d["remark"], "how large it is")
        choose(w, dialog, ("2\u00d7", "with"))
        leave()
        # Several panes are in an image of the screen's size alone; another size says so, and changes no choice.
        w.press("v")
        w.wait(lambda s: len(s["panes_beside"]) == 2 and all(p["equal"] for p in s["panes_beside"]), "a comparison")
        w.press("F12")
        for size, content in (("screen", "All panes with their overlays"), ("4K", "The active pane alone, without overlays"),
                              ("screen", "All panes with their overlays")):
            choose(w, dialog, (size,))
            dialog(lambda d: d["remark"].startswith(content), content)
        leave()
        w.press("v")
        w.wait(lambda s: not s["panes_beside"], "one pane")
        w.press("F12")
        choose(w, dialog, ("2\u00d7", "with"))
        leave()
        save(twice)
        dialog(lambda d: d["problem"].endswith("Replace it?"), "it is there already")
        leave()
        large = os.path.join(folder, "large.png")
        save(large, "16384\u00b2", "without")
        w.wait(lambda s: s["progress"].startswith("drawing"), "progress")
        w.press("Escape")
        w.wait(lambda s: s["message"].startswith("cancelled"), "cancelled")
        assert not os.path.exists(large)
        w.press("Escape")
        w.press("shift+r")
        w.wait(lambda s: s["seed"] == 10, "another start")
        w.quit()
        again = t.window("--paused", "--open", plain)
        assert (again.state["hash"], again.state["generation"]) == (before["hash"], 1), again.state["hash"]
        again.quit()


def save_film(t):
    """Ctrl Shift F films the generations, and a flight to where one is; without ffmpeg there are numbered pictures."""
    with tempfile.TemporaryDirectory() as folder:
        w = t.window("--paused", "--level", "5", "--size", "1000x700", PATH=folder)

        dialog = dialog_of(w, "save_film")

        def make(path, *choices):
            w.press("ctrl+shift+f")
            choose(w, dialog, choices)
            area = dialog(lambda d: True, "the dialog")["places"]["seconds"]
            w.move(area[0] + 2, area[1] + area[3] / 2)
            w.xdotool("click", "1")
            click(w, name_file(w, dialog, path)["places"]["save"])
            w.wait(lambda s: s["save_film"]["done"].startswith("saved " + path), "saved " + path)
            w.press("Escape")

        w.press("ctrl+shift+f")
        assert "install ffmpeg" in dialog(lambda d: d["remark"], "the dialog")["remark"], w.state["save_film"]
        w.press("Escape")
        w.wait(lambda s: not s["save_film"]["open"], "Esc")
        make(os.path.join(folder, "life.mp4"), "square")
        frames = sorted(os.listdir(os.path.join(folder, "life-frames")))
        assert frames[0] == "00001.png" and len(frames) == 15, frames
        assert png_size(os.path.join(folder, "life-frames", frames[-1])) == (1080, 1080)
        w.press("z")
        w.wait(lambda s: s["workspace"] == "mandelbrot" and s["mandelbrot"]["divisor"] == 1, "Z")
        make(os.path.join(folder, "flight.png"), "to here")
        assert len(os.listdir(os.path.join(folder, "flight-frames"))) == 15
        # Enter makes it, in the name's field and where no field has the keyboard; a number's Enter is the number's.
        for name, in_field in (("enter", True), ("return", False)):
            w.press("ctrl+shift+f")
            dialog(lambda d: True, "the dialog")
            name_file(w, dialog, os.path.join(folder, name + ".png"))
            if not in_field:
                area = dialog(lambda d: True, "the dialog")["places"]["rate"]
                w.move(area[0] + area[2] / 2, area[1] + area[3] / 2)
                w.xdotool("keydown", "ctrl", "click", "1", "keyup", "ctrl")
                w.wait(lambda s: s["text_field_active"], "a number is typed")
                w.press("Return")
                state = w.wait(lambda s: not s["text_field_active"], "the number's Enter")
                assert state["save_film"]["open"], "it makes no film"
            w.press("Return")
            w.wait(lambda s: s["save_film"]["done"].startswith("saved " + os.path.join(folder, name)), "Enter makes it")
            w.press("Escape")
        w.quit()


def evil_name(t):
    """A fractal's name that leads to other folders leads nowhere: a picture, a video and a scene stay where they are saved."""
    with tempfile.TemporaryDirectory() as folder:
        inside = os.path.join(folder, "a", "b")
        os.makedirs(inside)
        file = os.path.join(folder, "evil.toml")
        with open(file, "w") as text:
            text.write('name = "../../evil"\ns_x = 2\ns_y = 2\noffsets = [[0, 0], [1, 0], [0, 1]]\n')
        os.chdir(inside)
        # The graphics driver's cache goes elsewhere: what is in the folder is the program's.
        w = t.window("--paused", "--fractal-file", file, "--level", "4", "--size", "1000x700", PATH=folder, HOME=inside,
                     XDG_CACHE_HOME=t.display.state_home.name)

        def stays(name):
            assert "/" not in name and "evil" in name and name[0] not in ".-", name

        dialog = dialog_of(w, "save_picture")
        w.press("F12")
        stays(dialog(lambda d: d["file"], "F12")["file"])
        click(w, dialog(lambda d: True, "F12")["places"]["save"])
        w.wait(lambda s: s["save_picture"]["done"].startswith("saved "), "a picture")
        w.press("Escape")
        w.wait(lambda s: not s["save_picture"]["open"], "Esc")
        dialog = dialog_of(w, "save_film")
        w.press("ctrl+shift+f")
        stays(dialog(lambda d: d["file"], "Ctrl Shift F")["file"])
        area = dialog(lambda d: True, "Ctrl Shift F")["places"]["seconds"]
        w.move(area[0] + 2, area[1] + area[3] / 2)
        w.xdotool("click", "1")
        click(w, dialog(lambda d: True, "Ctrl Shift F")["places"]["save"])
        w.wait(lambda s: s["save_film"]["done"].startswith("saved "), "a video")
        w.press("Escape")
        w.wait(lambda s: not s["save_film"]["open"], "Esc")
        w.press("ctrl+s")
        state = w.wait(lambda s: s["files"]["open"] and "browser name" in s["files"]["places"] and s["text_field_active"], "Ctrl S")
        stays(state["files"]["name"])
        w.press("Return")
        w.wait(lambda s: s["files"]["done"].startswith("saved "), "a scene")
        w.quit()
        os.chdir(folder)
        assert sorted(os.listdir(folder)) == ["a", "evil.toml"] and os.listdir("a") == ["b"], os.listdir(folder)
        assert sorted(os.listdir(inside)) == ["evil-level-4-video-frames", "evil-level-4.loom", "evil-level-4.png"], os.listdir(inside)
        os.chdir("/")


def places(t):
    """Ctrl D keeps a place with its picture, Ctrl B goes back to it; coordinates are typed; all is there the next time."""
    w = t.window("--paused", "--level", "6", "--size", "1000x700")
    w.press("ctrl+d")
    w.wait(lambda s: s["places"]["names"] == ["sierpinski-gasket, level 6"], "Ctrl D")
    w.press("Escape", "z")
    w.wait(lambda s: s["workspace"] == "mandelbrot" and s["mandelbrot"]["divisor"] == 1, "Z, and a picture")

    def dialog(wanted, why):
        return w.wait(lambda s: s["places"]["open"] and "close" in s["places"]["areas"] and wanted(s["places"]), why)["places"]

    def type_place(text):
        click(w, dialog(lambda d: True, "the dialog")["areas"]["coordinates"])
        w.wait(lambda s: s["text_field_active"], "the field")
        w.press("ctrl+a")
        w.xdotool("type", "--delay", "1", "--", text)
        w.press("Return")

    w.press("ctrl+b")
    type_place("-0.745,0.113,1e-9")
    w.wait(lambda s: s["mandelbrot"]["view"] == [-0.745, 0.113, 1e-9] and s["mandelbrot"]["evaluator"] == "double" and not s["places"]["open"], "there")
    w.press("ctrl+b")
    type_place("nowhere")
    dialog(lambda d: "re + im i, width" in d["problem"], "what is wrong")
    type_place("-0.75 + 0.1i, 0.01")
    w.wait(lambda s: s["mandelbrot"]["view"] == [-0.75, 0.1, 0.01] and not s["places"]["open"], "another")
    w.press("ctrl+b")
    click(w, dialog(lambda d: d["problem"] == "", "right again")["areas"]["keep"])
    w.wait(lambda s: s["places"]["count"] == 2, "kept")
    with tempfile.TemporaryDirectory() as folder:
        for name in ("place.kfr", "place.xpf"):
            w.press("ctrl+b")
            click(w, dialog(lambda d: True, "the dialog")["areas"]["save"])
            w.wait(lambda s: s["files"]["asks_where"] and s["files"]["name"] == "mandelbrot.kfr" and s["text_field_active"], "Save asks where")
            w.press("ctrl+a")
            w.xdotool("type", "--delay", "1", os.path.join(folder, name))
            w.press("Return")
            w.wait(lambda s: not s["files"]["asks_where"] and s["popups"] == 0 and not s["text_field_active"] and s["rests"]
                   and os.path.exists(os.path.join(folder, name)), name)
        _, _, width, height = w.state["mandelbrot"]["picture"]
        with open(os.path.join(folder, "place.kfr"), encoding="ascii") as file:
            kalles = dict(line.split(": ") for line in file.read().splitlines())
        assert (kalles["Re"], kalles["Im"]) == ("-0.75", "0.1"), kalles
        assert abs(4 / float(kalles["Zoom"]) * width / height / 0.01 - 1) < 0.01, (kalles, width, height)
        with open(os.path.join(folder, "place.xpf"), encoding="ascii") as file:
            assert "(view -0.75 0.1 0.01 " in file.read()
    w.press("f")
    w.wait(lambda s: s["mandelbrot"]["view"][2] > 1, "elsewhere")
    w.press("ctrl+b")
    click(w, dialog(lambda d: "place 1" in d["areas"], "the list")["areas"]["place 1"])
    w.wait(lambda s: s["mandelbrot"]["view"] == [-0.75, 0.1, 0.01] and not s["places"]["open"], "back, without the dialog")
    w.press("ctrl+b")
    dialog(lambda d: d["selected"] == 0, "the first one is selected")
    w.press("Down")
    dialog(lambda d: d["selected"] == 1, "an arrow key selects another one")
    w.press("Up")
    dialog(lambda d: d["selected"] == 0, "and the first one again")
    w.press("Return")
    w.wait(lambda s: s["workspace"] == "life" and not s["places"]["open"], "Enter opens it: the other workspace")
    w.press("ctrl+b")
    click(w, dialog(lambda d: "forget 0" in d["areas"], "the list")["areas"]["forget 0"])
    w.wait(lambda s: s["places"]["count"] == 1, "forgotten")
    w.press("Escape")
    w.wait(lambda s: not s["places"]["open"], "closed")
    # Zooming for as long as a button is held.
    x, y = w.centre()
    w.move(x, y)
    before = w.state["cells_per_pixel"][0]
    w.xdotool("keydown", "ctrl")
    w.xdotool("mousedown", "1")
    w.wait(lambda s: s["cells_per_pixel"][0] < before * 0.7, "held")
    w.xdotool("mouseup", "1")
    w.xdotool("keyup", "ctrl")
    w.quit()
    again = t.window("--paused", "--level", "3")
    assert again.state["places"]["names"] == ["-0.75 +0.1i, width 0.01"], again.state["places"]["names"]
    again.quit()
    without = t.window("--paused", "--level", "3", "--no-config")
    assert without.state["places"]["count"] == 0
    without.press("ctrl+d")
    without.wait(lambda s: s["message"].startswith("Bookmark added until this window closes"), "it says for how long")
    without.quit()
    # A place that is kept in the last moment is kept.
    last = t.window("--paused", "--level", "4")
    last.xdotool("key", "--delay", "0", "ctrl+d", "ctrl+q")
    last.finish()
    again = t.window("--paused", "--level", "3")
    assert again.state["places"]["names"][1:] == ["sierpinski-gasket, level 4"], again.state["places"]["names"]
    again.quit()


def command(t):
    """Ctrl Shift C copies the command that opens the scene: it does, in both workspaces."""
    life = ("fractal", "level", "map", "block", "storage", "arithmetic", "intra_block", "tiles", "workload", "rule", "seed",
            "density", "generation", "hash", "playing", "palette", "pinned", "colour_by", "size")
    w = t.window("--paused", "--fractal", "vicsek", "--level", "4", "--block", "3", "--map", "compact", "--rule", "B3/S23",
                 "--palette", "magma", "--seed", "77", "--size", "1000x700", "--thread", "40,13")
    w.press("period", "period", "plus", "Right")
    w.wait(lambda s: s["generation"] == 2 and s["cells_per_pixel"][0] < 0.5, "a view of the second generation")
    w.press("Escape")

    def copied():
        w.press("ctrl+shift+c")
        text = w.wait(lambda s: s["message"].startswith("Copied: fractal-loom view "), "copied")["message"]
        return shlex.split(text.removeprefix("Copied: fractal-loom view "))

    words = copied()
    first = w.state
    w.press("Escape", "e")
    w.hover(13, 13)
    w.xdotool("click", "1")
    w.press("ctrl+shift+c")
    w.wait(lambda s: "painted" in s["message"] or "edit_cells" in s["message"], "what no option says")
    w.quit()
    second = t.window(*words)
    state = second.wait(lambda s: s["generation"] == 2 and s["picture"] == first["picture"], "the same generation")
    for key in life:
        assert state[key] == first[key], (key, state[key], first[key], words)
    for key in ("cells_per_pixel", "view_origin"):  # to a thousandth of a pixel
        assert all(abs(a - b) < 1e-4 for a, b in zip(state[key], first[key])), (key, state[key], first[key])
    second.quit()

    w = t.window("--paused", "--workspace", "mandelbrot", "--size", "1000x700")
    w.wait(lambda s: s["mandelbrot"]["divisor"] == 1, "a picture")
    for views, key in enumerate(("plus", "plus", "Left"), 1):  # several of one frame are one view
        w.press(key)
        w.wait(lambda s: s["mandelbrot"]["views_behind"] == views, "another view")
    w.press("c", "1")
    w.wait(lambda s: s["mandelbrot"]["method"] == "exhaustive", "another method")
    words = copied()
    first = w.state["mandelbrot"]
    w.quit()
    third = t.window(*words)
    state = third.wait(lambda s: s["workspace"] == "mandelbrot" and s["mandelbrot"]["divisor"] == 1, "its picture")["mandelbrot"]
    for key in ("view", "method", "scheme", "g", "r", "b", "dwell_limit", "precision", "colouring", "regions"):
        assert state[key] == first[key], (key, state[key], first[key], words)
    third.quit()


def habits(t):
    """Palette, theme, text and window size are there the next time, unless told not to; options change nothing of it; what is unreadable
    is set aside."""
    home = tempfile.TemporaryDirectory()
    file = os.path.join(home.name, "fractal-loom", "settings.json")

    def stored():
        with open(file, "rb") as kept:
            return kept.read()

    os.mkdir(os.path.dirname(file))
    with open(file, "w") as kept:
        json.dump({"format": "fractal-loom settings", "palette": "magma"}, kept)
    w = t.window("--paused", "--level", "3", XDG_CONFIG_HOME=home.name)
    hide_metrics(w)
    w.press("ctrl+plus")
    w.wait(lambda s: s["ui_pixels"] == 18, "larger text")
    click_menu(w, "View", "Window", "Light theme")
    w.wait(lambda s: s["theme"] == "light" and not s["list_open"], "the light theme")
    w.resize(1000, 650)
    w.wait(lambda s: s["size"] == [1000, 650], "another size")
    w.quit()
    assert json.loads(stored()) == {"format": "fractal-loom settings", "palette": "magma", "text_scale": 1.125, "theme": "light",
                                    "window": [1000, 650], "show_timing": False}, stored()
    before = stored()

    def again(*options):
        w = t.window("--paused", "--level", "3", *options, XDG_CONFIG_HOME=home.name)
        state = w.state
        w.quit()
        return state["palette"], state["theme"], state["ui_pixels"], state["show_timing"], state["size"]

    assert again() == ("magma", "light", 18, False, [1000, 650])
    assert again("--no-config") == ("cividis", "dark", 16, True, [1280, 720])
    typed = again("--palette", "viridis", "--theme", "dark", "--size", "900x600", "--ui-scale", "1")
    assert typed == ("viridis", "dark", 16, False, [900, 600]), typed
    scene = os.path.join(home.name, "scene.loom")
    t.life_json("--level", "3", "--save", scene)
    with open(os.path.join(home.name, "two.map"), "w") as palette:
        palette.write("0 0 0\n255 255 255\n")
    for options, wanted in ((("--palette", "viridis"), lambda s: s["palette"] == "viridis"),
                            (("--palette", palette.name), lambda s: s["own_palettes"] == ["two"]),
                            (("--theme", "dark"), lambda s: s["theme"] == "dark"),
                            (("--size", "900x600"), lambda s: s["size"] == [900, 600]),
                            (("--ui-scale", "2"), lambda s: s["ui_pixels"] == 32),
                            (("--open", scene), lambda s: s["palette"] == "cividis"),
                            (("--lesson", "lambda"), lambda s: s["palette"] == "paper" and s["show_timing"])):
        w = t.window(*options, XDG_CONFIG_HOME=home.name)
        w.wait(wanted, options)
        w.quit()
        assert stored() == before, (options, stored())
    assert not os.path.exists(os.path.join(t.display.state_home.name, "fractal-loom", "palettes")), "a palette of an option"
    assert again() == ("magma", "light", 18, False, [1000, 650])
    with open(file, "w") as kept:
        kept.write("mine")
    w = t.window("--paused", "--level", "3", XDG_CONFIG_HOME=home.name)
    w.wait(lambda s: "unreadable-1" in s["message"], "it says so")
    assert w.state["palette"] == "cividis"
    w.press("Escape")
    w.quit()
    with open(file + ".unreadable-1") as kept:
        assert kept.read() == "mine"


def controls_by_keys(t):
    """F6 moves the keys into the toolbar; arrows and Space work them, Esc leaves."""
    w = t.window("--paused", "--level", "4")
    w.press("F6")
    w.wait(lambda s: s["keys_in_controls"] and s["key_cursor"], "F6")
    w.press_on("Right", "Right", "Right")
    w.press("space")
    w.wait(lambda s: s["workspace"] == "mandelbrot", "the fourth button, and Space")
    w.press("Escape")
    state = w.wait(lambda s: not s["keys_in_controls"], "Esc")
    assert not state["playing"], "Space was the control's"
    w.press("z")
    before = w.wait(lambda s: s["workspace"] == "life", "Z")
    w.press("Right")
    w.wait(lambda s: s["view_origin"][0] > before["view_origin"][0], "arrows move the picture again")

    # Enter works a button as Space does; Ctrl Tab goes on to the Bench panel.
    w.press("F6")
    w.wait(lambda s: s["keys_in_controls"] and s["key_cursor"], "F6")
    w.press_on("Right", "Right", "Right")
    w.press("Return")
    w.wait(lambda s: s["workspace"] == "mandelbrot", "Enter on the fourth button")
    w.press("z")
    controls = w.wait(lambda s: s["workspace"] == "life" and s["key_cursor"], "Z")["key_cursor"]
    w.press("ctrl+4")
    w.wait(lambda s: s["workspace"] == "benchmark" and "Open file" in s["bench"]["places"], "Ctrl 4")
    w.press_on("ctrl+Tab")
    w.press("ctrl+1")
    w.wait(lambda s: s["workspace"] == "life", "Ctrl 1")
    w.press("Escape")
    w.wait(lambda s: not s["keys_in_controls"], "Escape leaves")

    # F6 goes on from the toolbar to the side panel, the picture, and the editor of code.
    w.press("Tab")
    w.wait(lambda s: s["key_area"] == 1 and s["key_cursor"], "Tab begins at the toolbar, as F6 does")
    toolbar = w.state["key_cursor"]
    w.press("F6")
    w.wait(lambda s: s["key_area"] == 2 and s["key_cursor"] not in (0, toolbar) and s["keys_in_controls"], "the side panel")
    w.press("F6")
    w.wait(lambda s: s["key_area"] == 3 and s["picture_cursor"] and not s["keys_in_controls"], "the picture")
    w.press("F6")
    w.wait(lambda s: s["key_area"] == 1 and s["keys_in_controls"] and not s["picture_cursor"], "the toolbar again")
    # Tab goes through all controls, of one window after the other, and operates none of them.
    scene = {key: w.state[key] for key in ("workspace", "map", "level", "block", "playing", "generation", "hash", "rule")}
    seen = [w.wait(lambda s: s["key_cursor"], "the first control")["key_cursor"]]
    while len(seen) < 150 and (len(seen) < 2 or seen[-1] != seen[0]):
        w.press_on("Tab")
        seen.append(w.state["key_cursor"])
    assert seen[-1] == seen[0] and len(set(seen)) > 30, seen
    assert {key: w.state[key] for key in scene} == scene, (scene, w.state)
    w.press_on("Tab", "shift+Tab")
    assert w.state["key_cursor"] == seen[0], "Shift Tab goes back"
    w.press("Escape")
    w.wait(lambda s: s["key_area"] == 0 and not s["keys_in_controls"], "Escape")
    w.press("shift+w")
    w.wait(lambda s: s["code"]["focused"] and s["text_field_active"], "the map editor")
    w.press("F6")
    w.wait(lambda s: s["key_area"] == 1 and s["keys_in_controls"] and not s["text_field_active"], "out of it")
    w.press("F6")
    w.wait(lambda s: s["key_area"] == 4 and s["code"]["focused"] and s["text_field_active"], "and into it")
    w.press("Escape")
    w.wait(lambda s: not s["text_field_active"], "Escape")
    w.press("shift+w")
    w.wait(lambda s: not s["code"]["shown"], "Shift W")

    # Dialogs are worked by keys alone, whether or not the controls are.
    w.press("F12")
    w.wait(lambda s: s["save_picture"]["open"] and "close" in s["save_picture"]["places"], "F12")
    name = w.state["save_picture"]["file"]
    w.press_on("Down", "Down", "Down")
    w.press("space")
    w.wait(lambda s: s["text_field_active"], "Space on the name's field")
    w.settle()
    assert w.state["save_picture"]["file"] == name, "that Space is not typed"
    w.press("Escape")
    w.wait(lambda s: not s["text_field_active"], "Escape leaves the field")
    w.press("Escape")
    w.wait(lambda s: not s["save_picture"]["open"], "and then the dialog")
    w.press("F12")
    w.wait(lambda s: s["save_picture"]["open"] and "close" in s["save_picture"]["places"], "F12 again")
    w.press_on("Down", "Down", "Down", "Down", "Right")
    w.press("space")
    w.wait(lambda s: not s["save_picture"]["open"], "the last button is Close")
    w.quit()


def draw_levels(t):
    """The editor's levels and turned replicas, by mouse and keys; the file is what life takes; all three maps agree."""
    with tempfile.TemporaryDirectory() as folder:
        w = t.window("--paused", "--level", "5", "--map", "lambda", "--fractal", "sierpinski-carpet", "--size", "1280x800")
        editor = dialog_of(w, "draw", "use")

        def press(name):
            click(w, editor(lambda d: name in d["places"], name)["places"][name])

        def click_place(column, row):
            d = editor(lambda d: True, "the box")
            x, y, width, height = d["places"]["box"]
            click(w, (x + width * column / d["s_x"], y + height * row / d["s_y"], width / d["s_x"], height / d["s_y"]))

        w.press("ctrl+n")
        editor(lambda d: d["levels"] == 1 and not d["turned"], "one generator")
        press("add level")
        editor(lambda d: (d["levels"], d["selected_level"]) == (2, 1), "two")
        press("catalogue")
        w.wait(lambda s: s["popups"] == 2, "the list of presets")
        w.settle()
        press("vicsek")
        d = editor(lambda d: len(d["offsets"]) == 5, "vicsek below the carpet")
        assert d["levels"] == 2 and d["name"] == "my sierpinski-carpet" and d["problem"] == "", d
        press("level up")
        editor(lambda d: d["selected_level"] == 0 and len(d["offsets"]) == 5, "vicsek above")
        w.press("ctrl+z")
        editor(lambda d: d["selected_level"] == 1 and len(d["offsets"]) == 5, "and back")
        press("rotate")
        click_place(1, 0)
        editor(lambda d: d["turned"], "rotated")
        assert len(w.state["draw"]["offsets"]) == 5, "a click that turns paints nothing"
        w.press("ctrl+z")
        editor(lambda d: not d["turned"], "undone")
        file = os.path.join(folder, "levels.toml")
        press("save")
        w.wait(lambda s: s["draw"]["browser"] and s["text_field_active"], "the browser")
        w.press("ctrl+a")
        w.xdotool("type", "--delay", "20", file)
        w.wait(lambda s: s["draw"]["file"] == file, "typed")
        w.press("Return")
        editor(lambda d: d["told"] == "Saved " + file and not d["browser"], "saved")
        press("use")
        s = w.wait(lambda s: s["draw"] is None and s["fractal"] == "my sierpinski-carpet", "Use")
        assert s["cells"] == 8 * 5 * 8 * 5 * 8, s["cells"]
        same = t.life_json("--fractal-file", file, "--level", "5", "--map", "compact", "--steps", "0")
        assert same["hash"] == s["hash"], (same["hash"], s["hash"])
        for key, name in (("1", "bounding-box"), ("3", "compact"), ("2", "lambda")):
            w.press(key)
            w.wait(lambda s: s["map"] == name and s["hash"] == same["hash"], name)
        w.press("ctrl+n")
        press("mirror")
        click_place(2, 1)
        editor(lambda d: d["turned"] and d["problem"] == "", "mirrored")
        press("use")
        w.wait(lambda s: s["draw"] is None and s["arithmetic"] in ("loop", "table"), "a turned one runs")
        w.press("ctrl+z")
        w.wait(lambda s: s["hash"] == same["hash"], "one step back")
        w.quit()


def draw_fractal(t):
    """Ctrl D draws a fractal: strokes and brushes, why it is none, undo, use, save, open; the file is what life takes."""
    with tempfile.TemporaryDirectory() as folder:
        w = t.window("--paused", "--level", "5", "--map", "compact", "--size", "1280x720")

        editor = dialog_of(w, "draw", "use")

        def press(name):
            click(w, editor(lambda d: name in d["places"], name)["places"][name])

        def click_place(column, row):
            d = editor(lambda d: True, "the box")
            x, y, width, height = d["places"]["box"]
            click(w, (x + width * column / d["s_x"], y + height * row / d["s_y"], width / d["s_x"], height / d["s_y"]))

        w.press("ctrl+n")
        assert editor(lambda d: True, "Ctrl N")["offsets"] == [[0, 0], [0, 1], [1, 1]], "the one that runs"
        press("clear")
        assert editor(lambda d: not d["offsets"], "cleared")["problem"].startswith("No replicas"), w.state["draw"]
        press("use")  # refused
        click_place(0, 0)
        assert "One replica" in editor(lambda d: d["offsets"] == [[0, 0]], "a click")["problem"]
        click_place(1, 0)
        d = editor(lambda d: d["offsets"] == [[0, 0], [1, 0]], "two")
        assert d["problem"] == "" and d["name"] == "my sierpinski-gasket", d
        press("undo")
        editor(lambda d: d["offsets"] == [[0, 0]], "Undo")
        w.press("ctrl+z")
        editor(lambda d: d["offsets"] == [], "Ctrl Z")
        w.press("ctrl+y")
        editor(lambda d: d["offsets"] == [[0, 0]], "Ctrl Y")
        w.press("ctrl+y")
        editor(lambda d: d["offsets"] == [[0, 0], [1, 0]], "Ctrl Y again")
        click_place(1, 1)
        drawn = editor(lambda d: len(d["offsets"]) == 3, "three")["offsets"]
        assert w.state["fractal"] == "sierpinski-gasket", "nothing runs before Use"
        file = os.path.join(folder, "drawn.toml")
        press("save")
        w.wait(lambda s: s["draw"]["browser"] and s["text_field_active"], "the browser")
        w.press("ctrl+a")
        w.xdotool("type", "--delay", "20", file)
        w.wait(lambda s: s["draw"]["file"] == file, "typed")
        w.press("Return")
        editor(lambda d: d["told"] == "Saved " + file and not d["browser"], "saved")
        press("use")
        s = w.wait(lambda s: s["draw"] is None and s["fractal"] == "my sierpinski-gasket", "Use")
        assert (s["level"], s["replicas"], s["scale_x"]) == (5, 3, 2), s
        same = t.life_json("--fractal-file", file, "--level", "5", "--map", "compact", "--steps", "0")
        assert same["hash"] == s["hash"] and same["fractal"] == "my sierpinski-gasket", (same, s["hash"])
        assert drawn == [[0, 0], [1, 0], [1, 1]]
        w.press("ctrl+z")
        w.wait(lambda s: s["fractal"] == "sierpinski-gasket", "undone")
        w.press("ctrl+y")
        w.wait(lambda s: s["fractal"] == "my sierpinski-gasket", "and done again")
        w.press("ctrl+n")
        press("random")
        press("random")
        press("brush")
        w.wait(lambda s: s["popups"] == 2, "a list over the dialog")
        w.press("Escape")
        w.wait(lambda s: s["popups"] == 1 and s["draw"] is not None, "Esc closes the list alone")
        w.press("Escape")
        w.wait(lambda s: s["draw"] is None, "Esc")
        w.press("ctrl+n")
        editor(lambda d: d["name"] == "my sierpinski-gasket", "what was drawn is kept")
        with open(file) as saved:
            assert 'rule = "B2/S23"' in saved.read(), "the rule that runs"
        with open(file, "a") as saved:
            saved.write("# a rule of its own\n")
        with open(file) as saved:
            text = saved.read().replace("B2/S23", "b36s23").replace("my sierpinski-gasket", "with a rule")
        with open(file, "w") as saved:
            saved.write(text)
        press("open")
        w.wait(lambda s: s["draw"]["browser"] and s["text_field_active"], "the browser")
        w.press("ctrl+a")
        w.xdotool("type", "--delay", "20", file)
        w.wait(lambda s: s["draw"]["file"] == file, "typed")
        w.press("Return")
        editor(lambda d: d["name"] == "with a rule" and not d["browser"], "opened")
        assert w.state["rule"] == "B2/S23", "nothing runs before Use"
        press("use")
        w.wait(lambda s: s["fractal"] == "with a rule" and s["rule"] == "B36/S23", "its rule comes with it")
        w.press("ctrl+z")
        w.wait(lambda s: s["fractal"] == "my sierpinski-gasket" and s["rule"] == "B2/S23", "one step back")
        w.quit()

        w = t.window("--paused", "--fractal", "chandelier", "--level", "4")
        before = w.wait(lambda s: s["fractal"] == "chandelier", "3 x 2")["cells_per_pixel"]
        assert before[0] != before[1], before
        w.quit()


def palettes(t):
    """Each workspace has its palette; the editor makes one's own of a built-in one, undone and saved; a file is imported."""
    with tempfile.TemporaryDirectory() as folder:
        file = os.path.join(folder, "two.gpl")
        with open(file, "w") as text:
            text.write("GIMP Palette\nName: Two\n10 20 30\n200 210 220\n")
        w = t.window("--paused", "--level", "5", "--size", "1280x760")
        first = w.wait(lambda s: s["palette"] == "cividis", "Life's")
        assert first["mandelbrot"]["palette"] == "blue-gold", first["mandelbrot"]
        w.press("z")
        w.wait(lambda s: s["workspace"] == "mandelbrot" and s["mandelbrot"]["divisor"] == 1, "Z")

        def editor(wanted, why):
            return w.wait(lambda s: s["mandelbrot"]["palette_editor"] and "close" in s["mandelbrot"]["palette_editor"]["places"]
                          and wanted(s["mandelbrot"]), why)["mandelbrot"]["palette_editor"]

        def press(name):
            click(w, editor(lambda m: name in m["palette_editor"]["places"], name)["places"][name])

        click(w, w.state["mandelbrot"]["edit_palette"])
        editor(lambda m: m["palette"] == "blue-gold", "Edit")
        press("reversed")
        editor(lambda m: m["palette"] == "my blue-gold", "a palette of one's own")
        w.wait(lambda s: s["undo"]["behind"] == 1, "a step")
        press("remove")
        w.wait(lambda s: s["undo"]["behind"] == 2, "another")
        press("even")
        w.wait(lambda s: s["undo"]["behind"] == 3, "and a third")
        for behind in reversed(range(3)):
            w.press("ctrl+z")
            w.wait(lambda s: s["undo"]["behind"] == behind, "a step back")
        editor(lambda m: m["palette"] == "blue-gold", "undone")
        press("import")
        w.wait(lambda s: s["mandelbrot"]["palette_editor"]["browser"] and s["text_field_active"], "the browser")
        w.xdotool("type", "--delay", "20", file + "x")
        w.wait(lambda s: s["mandelbrot"]["palette_editor"]["file"] == file + "x", "typed")
        w.press("Return")
        refused = w.wait(lambda s: s["mandelbrot"]["palette_editor"]["refused"], "there is none")
        click(w, refused["mandelbrot"]["palette_editor"]["places"]["browser name"])
        w.wait(lambda s: s["text_field_active"], "the name again")
        w.press("ctrl+a")
        w.xdotool("type", "--delay", "20", file)
        w.wait(lambda s: s["mandelbrot"]["palette_editor"]["file"] == file, "typed")
        w.press("Return")
        editor(lambda m: m["palette"] == "Two" and not m["palette_editor"]["browser"], "imported")
        press("close")
        s = w.wait(lambda s: s["mandelbrot"]["palette_editor"] is None, "closed")
        assert s["palette"] == "cividis", "Life's is its own"
        w.press("z")
        w.wait(lambda s: s["workspace"] == "life", "Z back")
        scene = os.path.join(folder, "mine.loom")
        browse(w, "ctrl+s", scene)
        w.wait(lambda s: s["files"]["done"].startswith("saved mine.loom") and not s["files"]["open"], "saved")
        w.quit()
        w = t.window(scene)
        w.wait(lambda s: s["mandelbrot"]["palette"] == "Two" and s["palette"] == "cividis", "opened with its palettes")
        w.quit()


def kept_palettes(t):
    """Palettes of one's own are files that the next window has; deleting takes the file and Ctrl Z brings it back; what cannot be read stays as it is."""
    with tempfile.TemporaryDirectory() as home:
        folder = os.path.join(home, "fractal-loom", "palettes")
        file = os.path.join(folder, "my-blue-gold.cpt")

        def wait_for(there, why):
            for _ in range(600):
                if os.path.exists(file) == there:
                    return
                time.sleep(0.1)
            raise AssertionError(why)

        def editor(w, name):
            state = w.wait(lambda s: s["mandelbrot"]["palette_editor"] and name in s["mandelbrot"]["palette_editor"]["places"], name)
            return state["mandelbrot"]["palette_editor"]["places"][name]

        w = t.window("--paused", "--workspace", "mandelbrot", "--size", "1280x760", XDG_DATA_HOME=home)
        w.wait(lambda s: s["mandelbrot"]["divisor"] == 1, "the picture")
        click(w, w.state["mandelbrot"]["edit_palette"])
        click(w, editor(w, "reversed"))
        w.wait(lambda s: s["own_palettes"] == ["my blue-gold"], "one's own")
        wait_for(True, "its file")
        click(w, editor(w, "delete"))
        w.wait(lambda s: s["own_palettes"] == [], "deleted")
        wait_for(False, "the file goes")
        w.press("ctrl+z")
        w.wait(lambda s: s["own_palettes"] == ["my blue-gold"], "undone")
        wait_for(True, "the file is back")
        click(w, editor(w, "close"))
        w.wait(lambda s: s["mandelbrot"]["palette_editor"] is None, "closed")
        w.quit()
        with open(file, "rb") as kept:
            text = kept.read()
        broken = os.path.join(folder, "broken.cpt")
        with open(broken, "w") as other:
            other.write("0 red 1 blue\n")
        w = t.window("--paused", "--level", "3", "--no-config", XDG_DATA_HOME=home)
        assert w.state["own_palettes"] == [], "nothing is read with --no-config"
        w.quit()
        w = t.window("--paused", "--workspace", "mandelbrot", "--palette", file, "--size", "1280x760", XDG_DATA_HOME=home)
        state = w.seen(lambda s: "broken.cpt" in s["message"], "what cannot be read is said")
        assert state["own_palettes"] == ["my blue-gold"] and state["palette"] == "my blue-gold", state
        w.press("Escape")
        w.wait(lambda s: s["message"] == "", "read")
        click(w, w.state["mandelbrot"]["edit_palette"])
        click(w, editor(w, "cyclic"))
        w.wait(lambda s: s["undo"]["behind"] == 1, "changed")
        click(w, editor(w, "close"))
        w.wait(lambda s: s["mandelbrot"]["palette_editor"] is None, "closed")
        w.quit()
        with open(file, "rb") as kept:
            assert kept.read() != text, "what was changed is kept"
        with open(broken) as other:
            assert other.read() == "0 red 1 blue\n"
        assert sorted(os.listdir(folder)) == ["broken.cpt", "my-blue-gold.cpt"], os.listdir(folder)


def points(t):
    """More points a pixel are taken once the picture rests; a move takes them back."""
    w = t.window("--paused", "--size", "900x600", "--points", "4", "--dwell", "100", "--automatic", "off")
    w.press("z")
    w.wait(lambda s: s["mandelbrot"]["points_shown"] == 4, "sixteen points a pixel")
    w.press("plus")
    w.wait(lambda s: s["mandelbrot"]["points_shown"] == 1, "a move")
    w.wait(lambda s: s["mandelbrot"]["points_shown"] == 4, "again")
    w.press("c")
    w.wait(lambda s: s["mandelbrot"]["points_shown"] < 4, "other colours")
    w.wait(lambda s: s["mandelbrot"]["points_shown"] == 4, "again")
    w.quit()
    w = t.window("--paused", "--size", "640x480", "--dwell", "100", "--automatic", "off")
    w.press("z")
    w.wait(lambda s: s["mandelbrot"]["points"] == 0 and s["mandelbrot"]["points_shown"] > 1, "nobody has said how many: those that there is time for")
    w.quit()


def over_picture(s):
    """Whether the start screen's cards are over the picture and in its middle, where they come to rest."""
    x, y, width, height = s["picture_area"]
    cards = s["start_cards"]
    return len(cards) == 4 and all(x <= c[0] and c[0] + c[2] <= x + width and
                                   y <= c[1] and c[1] + c[3] <= y + height for c in cards) and \
        abs(cards[0][0] + cards[3][0] + cards[3][2] - 2 * x - width) < 4


def start(t):
    """A first visit begins with cards to choose from, by mouse or number; the next ones, and those with a scene, do not."""
    def visit(*options, home):
        return t.window("--size", "1280x720", *options, XDG_STATE_HOME=home)

    with tempfile.TemporaryDirectory() as home:
        w = visit("--level", "5", home=home)
        w.wait(lambda s: s["start_cards"] == [], "who asks for a scene gets it")
        w.quit()
        w = visit(home=home)
        hide_metrics(w)  # a window that has just come takes clicks a few frames later
        cards = w.wait(over_picture, "the first visit")["start_cards"]
        click(w, cards[1])
        w.wait(lambda s: s["start_cards"] == [] and len(s["panes_beside"]) == 2, "Compare: the three maps")
        w.press("Home")
        click(w, w.wait(lambda s: len(s["start_cards"]) == 4, "Home brings it back")["start_button"])
        w.wait(lambda s: s["start_cards"] == [] and s["show_me"], "the button plays Show me")
        w.press("Escape")
        w.wait(lambda s: not s["show_me"] and len(s["start_cards"]) == 4, "Esc leads back to where it came from")
        click(w, w.state["start_button"])
        w.wait(lambda s: s["start_cards"] == [] and s["show_me"], "Show me")
        click(w, w.state["home"])
        w.wait(lambda s: len(s["start_cards"]) == 4 and s["show_me"], "the button for the start screen is there too")
        w.press("1")
        w.wait(lambda s: s["start_cards"] == [] and not s["show_me"] and s["panes_beside"] == [], "what is opened is not under the animation")
        click(w, w.state["home"])
        w.wait(lambda s: len(s["start_cards"]) == 4, "Home by the mouse")
        x, y, width, height = w.state["home"]
        w.move(x + width / 2, y + height / 2)
        w.xdotool("mousedown", "1")
        time.sleep(0.4)  # some frames, as a hand presses a button
        w.xdotool("mouseup", "1")
        w.wait(lambda s: s["start_cards"] == [], "a click outside of the start screen arrives")
        click(w, w.state["home"])
        w.wait(lambda s: len(s["start_cards"]) == 4, "Home again")
        w.press("4")
        w.wait(lambda s: s["start_cards"] == [] and s["code"]["focused"], "4: the map editor")
        type_code(w, "// my own map")
        click(w, w.state["home"])
        w.wait(lambda s: len(s["start_cards"]) == 4, "the start screen over it")
        w.press("p")
        w.wait(lambda s: s["ui_pixels"] > 16 and over_picture(s), "at projector size")
        w.press("Escape")
        w.wait(lambda s: s["start_cards"] == [], "Esc closes it")
        w.press("p", "Home", "3")
        w.wait(lambda s: s["start_cards"] == [] and s["lesson"]["list"], "3: the lessons")
        w.press("Home")
        w.wait(lambda s: len(s["start_cards"]) == 4 and not s["lesson"]["list"], "the start screen takes the place of their list")
        w.press("3")
        w.wait(lambda s: s["start_cards"] == [] and s["lesson"]["list"], "and leads back to it")
        w.press("l")
        w.wait(lambda s: not s["lesson"]["list"], "L closes their list")
        w.press("Home", "1")
        w.wait(lambda s: s["start_cards"] == [] and s["map"] == "lambda" and s["panes_beside"] == [], "1 is a card, and no map: the scene alone")
        w.press("Home")
        click(w, w.wait(lambda s: len(s["start_pictures"]) == 8 and over_picture(s), "eight pictures")["start_pictures"][0])
        w.wait(lambda s: s["start_cards"] == [] and s["fractal"] == "sierpinski-carpet" and s["playing"], "a picture opens its scene")
        assert w.state["palette"] == "inferno", w.state["palette"]
        w.press("ctrl+z")
        w.wait(lambda s: s["fractal"] == "sierpinski-gasket" and s["palette"] == "cividis", "undo puts back the scene with its palette")
        w.press("Home")
        click(w, w.wait(lambda s: len(s["start_pictures"]) == 8 and over_picture(s), "the gallery again")["start_pictures"][3])
        click(w, w.wait(lambda s: s["start_cards"] == [] and s["code"]["exercise"] and s["code"]["outcome"] == "ran" and s["level"] == 6 and s["rests"],
                        "another opens an exercise")["code"]["places"]["exercises"])
        click(w, w.wait(lambda s: "exercise none" in s["code"]["places"], "the list of exercises")["code"]["places"]["exercise none"])
        click(w, w.wait(lambda s: not s["code"]["exercise"] and s["code"]["text"].strip() == "// my own map" and s["rests"],
                        "what was typed before is kept")["code"]["places"]["close"])
        w.wait(lambda s: not s["code"]["shown"], "closed")
        w.press("Home", "Right", "Down", *["Right"] * 5, "Return")
        w.wait(lambda s: s["workspace"] == "mandelbrot" and s["start_cards"] == [] and s["mandelbrot"]["view"][2] < 0.1,
               "arrows and Enter choose too")
        assert w.state["palette"] == "magma", "the palette of Life is not that of the Mandelbrot set"
        w.press("Home")
        w.wait(lambda s: len(s["start_cards"]) == 4 and s["start_button"][2] > 0, "over the Mandelbrot set")
        time.sleep(1)  # it comes to rest in its place
        click(w, w.state["start_button"])
        w.wait(lambda s: s["workspace"] == "life" and s["show_me"], "Show me")
        w.press("Escape")
        w.wait(lambda s: s["workspace"] == "mandelbrot" and len(s["start_cards"]) == 4, "and back, to its workspace too")
        w.press("Escape", "z")
        w.quit()
        w = visit(home=home)
        w.wait(lambda s: s["start_cards"] == [] and s["playing"] and s["panes_beside"] == [], "the second visit")
        w.quit()
    w = visit(home="/proc/no-such-folder")
    w.wait(lambda s: len(s["start_cards"]) == 4, "a folder that cannot be written: the cards, and no error")
    w.quit()


def solid(t):
    """The 3-D workspace: maps keep the cells, the mouse turns and zooms, the cut plane moves, undo, and a scene brings all of it back."""
    w = t.window("--workspace", "solid")
    w.wait(lambda s: s["solid"]["generation"] > 0, "it plays")
    w.seen(lambda s: s["solid"]["playing"] and s["solid"]["generation"] > 1 and s["solid"]["population"], "it is counted while it plays")
    w.press("space")
    start = w.wait(lambda s: not s["solid"]["playing"] and s["rests"] and s["solid"]["whole"] and s["solid"]["population"], "a whole picture at rest")["solid"]
    for key, name, threads in (("1", "bounding-box", 19683), ("2", "lambda", 8000), ("3", "compact", 8000)):
        w.press(key)
        state = w.wait(lambda s: s["solid"]["map"] == name and s["solid"]["threads_launched"] == threads and s["solid"]["whole"], f"key {key}")["solid"]
        assert (state["population"], state["generation"]) == (start["population"], start["generation"]), state
    w.press("period")
    w.wait(lambda s: s["solid"]["generation"] == start["generation"] + 1, "a generation")
    centre = w.centre()
    before = w.state["solid"]["camera"]
    w.move(*centre)
    w.xdotool("click", "4")
    w.wait(lambda s: s["solid"]["camera"]["distance"] < before["distance"], "the wheel zooms")
    w.xdotool("mousedown", "1")
    w.move(centre[0] + 60, centre[1] + 10)
    w.wait(lambda s: s["solid"]["camera"]["orientation"] != before["orientation"], "dragging turns it")
    w.xdotool("mouseup", "1")
    w.wait(lambda s: s["solid"]["whole"], "and the picture becomes whole again")
    w.press("ctrl+shift+c")
    message = w.wait(lambda s: s["message_kind"] == "error", "a camera that was moved is no option")["message"]
    assert message.startswith("No option describes the camera of this scene") and message.endswith("The clipboard is unchanged"), message
    w.press("Escape")
    w.wait(lambda s: s["message"] == "", "Esc")
    w.press("slash")
    w.wait(lambda s: s["solid"]["cut_axis"] == "x", "Y cuts")
    w.press("backslash")
    w.wait(lambda s: s["solid"]["living_only"], "Shift Y")
    w.press("Prior")
    w.wait(lambda s: s["solid"]["level"] == 4 and s["solid"]["cells"] == 160000 and s["solid"]["whole"], "Page Up")
    w.press("ctrl+z")
    w.wait(lambda s: s["solid"]["level"] == 3 and s["solid"]["whole"], "undo")
    assert w.quit()["message"] == ""

    # The command that is copied, before the camera moves, shows the same generation.
    w = t.window("--workspace", "solid")
    w.wait(lambda s: s["solid"]["generation"] > 0, "it plays")
    w.press("space")
    before = w.wait(lambda s: not s["solid"]["playing"] and s["rests"] and s["solid"]["whole"] and s["solid"]["population"], "paused")["solid"]
    w.press("ctrl+shift+c")
    text = w.wait(lambda s: s["message"].startswith("Copied: fractal-loom view "), "copied")["message"]
    w.quit()
    w = t.window(*shlex.split(text.removeprefix("Copied: fractal-loom view ")))
    again = w.wait(lambda s: s["solid"]["whole"] and s["solid"]["generation"] == before["generation"] and s["solid"]["population"], "the command")["solid"]
    for key in ("fractal", "level", "map", "block", "rule", "population", "camera", "playing"):
        assert again[key] == before[key], (key, again[key], text)
    w.quit()


def solid_compare(t):
    """V shows the three maps of the same cells; a hovered cell is marked in all of them, a click pins it, Esc unpins; edit mode changes cells, with undo."""
    def compared(s):
        return s["solid"]["compared"] if s["solid"]["compared"] and s["solid"]["comparison_done"] else None

    w = t.window("--workspace", "solid", "--size", "1280x720")
    w.press("v")
    w.wait(lambda s: s["solid"]["compared"] and all(one["step_ms"] for one in s["solid"]["compared"].values()), "the three maps play")
    w.press("space")
    state = w.wait(lambda s: compared(s) and s["solid"]["whole"] and all(s["solid"]["compared"][m]["identical"] for m in ("bounding_box", "lambda")),
                   "at rest, the cells are identical")["solid"]
    panes = state["compared"]
    assert [panes[m]["threads_launched"] for m in panes] == [19683, 8000, 8000], panes
    assert panes["compact"]["bytes"] < panes["lambda"]["bytes"] == panes["bounding_box"]["bytes"], panes
    assert len({tuple(one["picture"][2:]) for one in panes.values()}) == 1, panes
    # A cell under the cursor in the pane of lambda is selected in all of them.
    left, top, width, height = panes["lambda"]["picture"]
    w.move(left + 0.4 * width, top + 0.6 * height)
    state = w.wait(lambda s: s["solid"]["selected"] and not s["solid"]["pinned"], "a cell is hovered")["solid"]
    cell = state["selected"]
    threads = [one["thread"] for one in state["compared"].values()]
    assert all(one["cell"] == cell for one in threads), threads
    assert threads[0]["tile"] == [c // 9 for c in cell] and threads[1]["tile"] == threads[2]["tile"], threads
    assert threads[0]["byte"] == threads[1]["byte"] == (cell[2] * 27 + cell[1]) * 27 + cell[0], threads
    w.xdotool("click", "1")
    w.wait(lambda s: s["solid"]["pinned"], "a click pins it")
    w.move(left + 0.6 * width, top + 0.5 * height)
    w.press("x")
    w.wait(lambda s: s["solid"]["show_thread"] and s["solid"]["selected"] == cell, "X explains the pinned cell")
    w.press("Escape")
    w.wait(lambda s: not s["solid"]["pinned"] and s["solid"]["selected"] != cell, "Esc unpins it")
    w.press("x")
    # A click on a header makes its map the active one.
    click(w, panes["bounding_box"]["header"])
    w.wait(lambda s: s["solid"]["map"] == "bounding-box" and compared(s), "the bounding box is active")
    assert w.state["solid"]["empty_tiles"], "the bounding box is seen to differ"
    w.press("g")
    w.wait(lambda s: not s["solid"]["empty_tiles"], "G hides empty tiles")
    w.press("g")
    w.press("c")
    w.wait(lambda s: s["solid"]["empty_tiles"] and s["solid"]["colour_by"] == "tile" and s["solid"]["whole"], "empty tiles, coloured by tile")
    # Edit mode.
    before = w.state["solid"]["population"]
    w.press("e")
    w.move(left + 0.4 * width, top + 0.6 * height)
    w.wait(lambda s: s["solid"]["edit_cells"] and s["solid"]["selected"] == cell, "the cell again")
    w.xdotool("click", "1")
    same = ("bounding_box", "lambda", "compact")
    state = w.wait(lambda s: compared(s) and s["solid"]["population"] in (before - 1, before + 1), "one cell changes")["solid"]
    assert all(state["compared"][m]["identical"] in (True, None) for m in same), state["compared"]
    w.press("period")
    w.wait(lambda s: compared(s) and s["solid"]["generation"] == state["generation"] + 1 and s["solid"]["population"], "a generation")
    w.press("ctrl+z")
    w.wait(lambda s: compared(s) and s["solid"]["population"] == before and s["solid"]["generation"] == state["generation"], "undo computes the cells before the edit")
    # Changes while the panes are at work.
    w.press("e", "bracketleft", "1", "3", "Prior", "2", "bracketleft", "3", "1")
    w.wait(lambda s: compared(s) and s["solid"]["map"] == "bounding-box" and s["solid"]["level"] == 4 and s["solid"]["whole"]
           and s["solid"]["compared"]["lambda"]["identical"] and s["solid"]["compared"]["compact"]["identical"], "all panes catch up")
    w.press("v")
    w.wait(lambda s: s["solid"]["compared"] is None, "one picture")
    assert w.quit()["message"] == ""


def solid_draw(t):
    """The Fractal editor of the 3-D workspace draws slices, saves and opens TOML, and applies, with undo."""
    w = t.window("--workspace", "solid", "--paused", "--size", "1280x720")
    w.wait(lambda s: s["solid"]["whole"], "a picture")
    w.press("ctrl+n")
    state = w.wait(lambda s: s["solid"]["draw"] and "slice2" in s["solid"]["draw"].get("places", {}), "Ctrl N: three slices of the sponge")
    assert state["solid"]["draw"]["replicas"] == 20, state["solid"]["draw"]
    left, top, width, height = state["solid"]["draw"]["places"]["slice1"]
    click(w, [left + width / 3, top + height / 3, width / 3, height / 3])
    w.wait(lambda s: s["solid"]["draw"]["replicas"] == 21, "a click in the middle slice adds the centre")
    click(w, w.state["solid"]["draw"]["places"]["undo"])
    w.wait(lambda s: s["solid"]["draw"]["replicas"] == 20, "undo")
    w.press("ctrl+y")
    w.wait(lambda s: s["solid"]["draw"]["replicas"] == 21, "Ctrl Y")
    w.press("ctrl+z")
    w.wait(lambda s: s["solid"]["draw"]["replicas"] == 20, "Ctrl Z")
    click(w, w.state["solid"]["draw"]["places"]["z2"])
    w.wait(lambda s: s["solid"]["draw"]["replicas"] == 12 and "slice2" not in s["solid"]["draw"]["places"], "two slices")
    click(w, w.state["solid"]["draw"]["places"]["use"])
    state = w.wait(lambda s: not s["solid"]["draw"] and s["solid"]["replicas"] == 12 and s["solid"]["whole"], "Apply runs it")["solid"]
    assert state["depth"] == 2 ** state["level"] and state["width"] == 3 ** state["level"], state
    w.press("ctrl+z")
    w.wait(lambda s: s["solid"]["replicas"] == 20 and s["solid"]["whole"], "undo: the sponge")
    assert w.quit()["message"] == ""


def workspaces(t):
    """Every order of {the other workspace, another size, projector size, 1 x 1 and back} leaves a whole picture."""
    sizes = itertools.cycle(((900, 640), (1280, 720), (1000, 500)))
    w = t.window("--paused", "--level", "5", "--size", "1000x700")

    def switch():
        other = "mandelbrot" if w.state["workspace"] == "life" else "life"
        w.press("z")
        w.wait(lambda s: s["workspace"] == other, "Z")

    def projector():
        before = w.state["ui_pixels"]
        w.press("p")
        w.wait(lambda s: s["ui_pixels"] != before, "P")

    def resize():
        w.resize(*next(sizes))

    def to_one_pixel_and_back():
        size = w.state["size"]
        w.resize(1, 1)
        w.resize(*size)

    for order in itertools.permutations((switch, resize, projector, to_one_pixel_and_back)):
        for action in order:
            action()
    switch()
    w.wait(lambda s: s["mandelbrot"]["divisor"] == 1 or s["workspace"] == "life", "a whole picture")
    if w.state["workspace"] == "mandelbrot":
        switch()
    w.wait(lambda s: s["message"] == "", "the message of lecture mode goes by itself")
    w.press("comma")
    w.wait(lambda s: "generation 0" in s["message"], "a message about the cells")
    switch()
    w.wait(lambda s: s["message"] == "", "which says nothing about the Mandelbrot set")
    switch()
    w.wait(lambda s: "generation 0" in s["message"], "and is there with the cells")
    w.press("Escape")
    w.wait(lambda s: s["message"] == "", "until it is closed")
    assert w.quit()["message"] == ""


def long_work(t):
    """Building and stepping a field that takes seconds leaves the window answering, and Escape ends it."""
    w = t.window("--fractal", "sierpinski-carpet", "--level", "5", "--map", "bounding-box", "--paused")
    start = w.state
    for _ in range(4):
        w.press("greater")
    w.wait(lambda s: "level 9" in s["progress"], "level 9 is being built")
    for _ in range(3):
        before, asked = w.state["side_tab"], time.monotonic()
        w.press("t")
        w.wait(lambda s: s["side_tab"] != before, "T while it is built")
        assert time.monotonic() - asked < 10, "the window answers meanwhile"
    w.press("Escape")
    state = w.wait(lambda s: s["progress"] == "", "Escape ends it")
    assert state["level"] < 9 or state["cells"] == 8 ** 9, state
    if state["level"] < 9:  # it was not whole yet, so what was before stays
        assert state["message"] != ""
    w.press("Escape")
    w.wait(lambda s: s["message"] == "", "the message goes")
    for _ in range(5):
        w.press("less")
    state = w.wait(lambda s: s["level"] <= 4 and s["progress"] == "", "small again")
    w.press("period")
    w.wait(lambda s: s["generation"] == 1, "and it runs")
    w.quit()


def measure_maps(t):
    """K measures all three maps, and loop, at once; another number of generations a frame drops the figures."""
    w = t.window("--paused", "--level", "5")
    assert not w.state["measured_together"] and w.state["side_tab"] == "controls"
    w.press("k")
    w.wait(lambda s: s["side_tab"] == "metrics", "the figures that show the result open")
    state = w.seen(lambda s: s["measured_together"] and s["message"] != "", "all maps measured together")
    assert state["generation"] == 0, "on engines of their own"
    assert state["message_kind"] == "success" and "rendering paused" in state["message"], state["message"]
    w.wait(lambda s: s["message"] == "", "a success goes by itself")
    w.press("bracketleft")
    state = w.wait(lambda s: s["block"] == 8, "another tile size")
    assert not state["measured_together"], "other conditions"
    w.quit()

    home = w.config_home.name
    file = os.path.join(home, "fractal-loom", "settings.json")
    assert not os.path.exists(file), "what K shows is not what the user chose"
    os.mkdir(os.path.dirname(file))
    with open(file, "w") as hidden:
        json.dump({"format": "fractal-loom settings", "show_timing": False}, hidden)
    w = t.window("--paused", "--level", "5", XDG_CONFIG_HOME=home)
    assert not w.state["show_timing"]
    w.press("k")
    w.wait(lambda s: s["show_timing"] and s["side_tab"] == "metrics" and s["measured_together"], "K shows them")
    w.press("t")
    w.wait(lambda s: not s["show_timing"], "the user hides them")
    w.press("t")
    w.press("h")
    w.wait(lambda s: s["show_timing"] and s["show_help"], "the user shows them")
    w.quit()
    with open(file) as text:
        assert json.load(text) == {"format": "fractal-loom settings", "show_timing": True}, "the user's choice alone"


def open_list(t):
    """A key that is pressed while a list is open does nothing behind it; Escape closes the list."""
    w = t.window("--paused", "--level", "5", "--size", "1280x1000")
    start = w.state
    x, y, width, height = start["rule_field"]
    w.move(x + width + height / 2, y + height / 2)
    w.xdotool("click", "1")
    w.wait(lambda s: s["list_open"], "the list of rules")
    w.press("c", "1")
    w.press("Escape")
    state = w.wait(lambda s: not s["list_open"], "Escape closes it")
    assert (state["population"], state["map"]) == (start["population"], start["map"]), state
    w.press("1")
    w.wait(lambda s: s["map"] == "bounding-box", "keys work again")
    w.quit()


def start_sweep(w):
    """A sweep of levels 0 and 1: presses the Benchmark workspace's Start, once it stays where it is."""
    w.wait(lambda s: "start" in s["bench"]["places"], "the Benchmark workspace")
    type_into(w, "level", "0,1")
    w.wait(lambda s: not s["bench"]["problems"] and s["bench"]["configurations"] <= 12, "two levels")
    place = None
    while place != (now := w.wait(lambda s: "start" in s["bench"]["places"], "the Benchmark workspace")["bench"]["places"]["start"]):
        place = now
        time.sleep(0.2)
    click(w, place)


def swept(w, what):
    """The state once a sweep is done. On a loaded machine each configuration takes its time limit: what is waited for is the next one."""
    state = w.state
    while state["bench"].get("status") != "done":
        done = state["bench"].get("done", 0)
        state = w.wait(lambda s: s["bench"].get("status") == "done" or s["bench"].get("done", 0) > done, what)
    return state


def quit_unsaved(t):
    """With results that no file holds, quitting asks first: saved, not saved, or not at all, by keys; a second Ctrl Q ends."""
    w = t.window("--paused", "--level", "1", "--block", "1")
    w.press("ctrl+4")
    start_sweep(w)
    swept(w, "a sweep of levels 0 and 1")
    w.press("ctrl+q")
    w.wait(lambda s: s["asks_to_quit"], "it asks")
    w.press("Escape")
    w.wait(lambda s: not s["asks_to_quit"], "Escape stays")
    subprocess.run([t.ask_to_close, w.id], env=t.display.environment, check=True)
    state = w.wait(lambda s: s["asks_to_quit"] and s["quit_question"]["focused"], "so does the window's cross")
    assert state["quit_question"]["focused"] == "Save and quit", "what loses nothing is what Enter takes"

    def focus(key, label):
        w.press(key)
        w.wait(lambda s: s["quit_question"]["focused"] == label, f"{key}: {label}")

    focus("Tab", "Quit without saving")
    focus("Right", "Cancel")
    focus("Tab", "Save and quit")
    focus("shift+Tab", "Cancel")
    w.press("Return")
    w.wait(lambda s: not s["asks_to_quit"], "Enter on Cancel stays")
    w.press("ctrl+2")
    w.wait(lambda s: s["workspace"] == "mandelbrot", "whichever workspace is shown")
    with tempfile.TemporaryDirectory() as folder:
        file = os.path.join(folder, "found.json")
        for key in ("Escape", "Return"):  # no file: nothing is saved, and it stays
            w.press("ctrl+q")
            w.wait(lambda s: s["quit_question"]["focused"] == "Save and quit", "it asks")
            w.press("Return")
            w.wait(lambda s: s["files"]["asks_where"] and s["text_field_active"] and "browser name" in s["files"]["places"],
                   "the dialog that scenes are saved by")
            if key == "Return":
                w.press("ctrl+a")
                w.xdotool("type", "--delay", "20", file)
                w.wait(lambda s: s["files"]["name"] == file, "a name")
            w.press(key)
            if key == "Escape":
                w.wait(lambda s: not s["files"]["asks_where"] and not s["asks_to_quit"], "Escape stays")
        w.finish()
        with open(file) as text:
            assert len(json.load(text)["configurations"]) > 0
    w = t.window("--paused", "--level", "1", "--block", "1")
    w.press("ctrl+4")
    start_sweep(w)
    swept(w, "a sweep")
    w.press("ctrl+q")
    state = w.wait(lambda s: "Quit without saving" in s["quit_question"]["places"], "it asks")
    click(w, state["quit_question"]["places"]["Quit without saving"])
    w.finish()


def two_windows(t):
    """What is kept in one window is not lost to what another one keeps, and comes to it; both ended at once leave their settings
    and their scenes."""
    config = t.display.state_home.name
    first = t.window("--paused", "--level", "5", "--size", "900x600", XDG_CONFIG_HOME=config)
    second = t.window("--paused", "--level", "4", "--size", "900x600", XDG_CONFIG_HOME=config)
    windows = subprocess.run(["xdotool", "search", "--onlyvisible", "--name", "(^| - )Fractal Loom$"], env=t.display.environment,
                             capture_output=True, text=True).stdout.split()
    other = next(one for one in windows if one != first.id)
    for window, id in ((first, first.id), (second, other)):
        window.xdotool("windowfocus", id)
        before = window.state["places"]["count"]
        window.press("ctrl+d")
        window.wait(lambda s: s["places"]["count"] > before, "a place is kept")
    file = os.path.join(t.display.state_home.name, "fractal-loom", "places.json")

    def names():
        try:
            with open(file) as text:
                return sorted(one["name"] for one in json.load(text)["places"])
        except (OSError, ValueError):
            return []

    wanted = ["sierpinski-gasket, level 4", "sierpinski-gasket, level 5"]
    deadline = time.monotonic() + 30
    while names() != wanted and time.monotonic() < deadline:
        time.sleep(0.05)
    assert names() == wanted, names()
    second.wait(lambda s: sorted(s["places"]["names"]) == wanted, "the first one's comes to the second")

    timing = first.state["show_timing"]
    first.xdotool("windowfocus", first.id)
    hide_metrics(first)
    size = second.state["ui_pixels"]
    second.xdotool("windowfocus", other)
    second.press("ctrl+plus")
    second.wait(lambda s: s["ui_pixels"] > size, "the second one's settings")
    for window in (first, second):
        window.process.send_signal(signal.SIGTERM)
    for window in (first, second):
        window.finish()
    folder = os.path.dirname(file)
    with open(os.path.join(folder, "settings.json")) as text:
        settings = json.load(text)
    assert settings["show_timing"] != timing and settings["text_scale"] > 1, settings
    levels = []
    for name in ("last.loom", "last-2.loom"):
        levels.append(read_scene(os.path.join(folder, name))[0]["life"]["level"])
    assert sorted(levels) == [4, 5], levels
    with open(os.path.join(folder, "recent-scenes")) as text:
        assert os.path.join(folder, "last-2.loom") in text.read().split("\n")
    assert not [name for name in os.listdir(folder) if name.startswith(".")], os.listdir(folder)


def unfinished(t):
    """What is being made is not lost by leaving, nor by ending something else, and goes by its own name."""
    with tempfile.TemporaryDirectory() as folder:
        w = t.window("--paused", "--fractal", "sierpinski-carpet", "--level", "5", "--map", "bounding-box", "--size", "1000x700",
                     PATH=folder)  # no ffmpeg: pictures, which take long
        film = os.path.join(folder, "life.png")
        dialog = dialog_of(w, "save_film")
        w.press("ctrl+shift+f")
        choose(w, dialog, ["2160p"])
        click(w, name_file(w, dialog, film)["places"]["save"])
        w.wait(lambda s: s["progress"] == "exporting life.png", "a film is made")

        # Its dialog has another name meanwhile; what is made keeps its own.
        w.press("ctrl+shift+f")
        name_file(w, dialog, os.path.join(folder, "other.png"))
        assert w.state["progress"] == "exporting life.png", w.state["progress"]
        click(w, w.state["save_film"]["places"]["close"])
        w.wait(lambda s: not s["save_film"]["open"], "the dialog is closed, and the film goes on")

        # Escape ends what the status line shows, and that alone.
        w.press("greater", "greater", "greater", "greater")
        w.wait(lambda s: "level 9" in s["progress"], "level 9 is being built")
        w.press("Escape")
        w.wait(lambda s: s["progress"] == "exporting life.png", "the film goes on")
        w.press("Escape")  # the message of what was cancelled
        # Levels that were built on the way may still be counted; the film goes on after that.
        w.wait(lambda s: s["message"] == "" and s["progress"] == "exporting life.png", "no message, and the film goes on")

        w.press("ctrl+q")
        w.wait(lambda s: s["asks_to_quit"], "quitting asks")
        w.press("Escape")
        w.wait(lambda s: not s["asks_to_quit"] and s["progress"] == "exporting life.png", "Escape stays, and the film goes on")
        w.press("ctrl+q")
        w.wait(lambda s: s["asks_to_quit"], "it asks again")
        w.process.send_signal(signal.SIGTERM)
        words = ended_with_loss(w)
        assert words.startswith(f"fractal-loom: lost when the window ended: files in progress (The video {film} is not finished yet"), words
        assert os.listdir(folder) == [], os.listdir(folder)


def finish_and_quit(t):
    """Finish and quit: the window closes once the film is done, whatever else is said meanwhile; where the film fails, it stays."""
    with tempfile.TemporaryDirectory() as folder:
        def film(name):
            w = t.window("--paused", "--fractal", "sierpinski-carpet", "--level", "5", "--map", "bounding-box", "--size", "1000x700",
                         PATH=folder)  # no ffmpeg: pictures
            dialog = dialog_of(w, "save_film")
            w.press("ctrl+shift+f")
            choose(w, dialog, ["1080p"])
            area = dialog(lambda d: True, "the dialog")["places"]["seconds"]
            w.move(area[0] + area[2] * 0.05, area[1] + area[3] / 2)
            w.xdotool("click", "1")
            click(w, name_file(w, dialog, os.path.join(folder, name))["places"]["save"])
            w.wait(lambda s: s["progress"] == "exporting " + name, "a film is made")
            w.press("ctrl+q")
            w.wait(lambda s: s["quit_question"]["focused"] == "Finish and quit", "it asks")
            w.press("Return")
            w.wait(lambda s: not s["asks_to_quit"] and "The window closes after this" in s["message"], "it closes later")
            return w

        w = film("done.png")
        nowhere = os.path.join(folder, "nowhere.loom")
        with open(nowhere, "w") as file:
            file.write("{")
        subprocess.run([t.drop_files, w.id, nowhere], env=t.display.environment, check=True, timeout=60)
        w.wait(lambda s: "nowhere.loom" in s["message"] and s["message_kind"] == "error", "another file's error is another matter")
        w.finish()
        frames = os.listdir(os.path.join(folder, "done-frames"))
        assert len(frames) >= 15, frames

        w = film("fails.png")
        pictures = os.path.join(folder, "fails-frames")
        w.wait(lambda s: os.path.isdir(pictures), "its folder")
        os.rename(pictures, os.path.join(folder, "moved"))  # the next picture has no folder
        w.wait(lambda s: s["progress"] == "" and s["message"].startswith("The window stays open"), "it fails, and the window stays")
        w.wait(lambda s: s["message_kind"] == "error", "the error says why")
        w.quit()


def does_nothing(t):
    """A key that does nothing here says why, in a message that goes by itself."""
    def says(w, key, why):
        w.press(key)
        state = w.wait(lambda s: why in s["message"], f"{key} says: {why}")
        assert state["message_kind"] == "warning", state["message_kind"]

    w = t.window("--paused", "--level", "0", "--block", "1", "--map", "bounding-box")
    for key, why in (("less", "Level 0 is the lowest"), ("a", "Press 2 for λ"), ("bracketleft", "no smaller tile size"),
                     ("i", "Press 2 for λ"), ("bracketright", "No larger tile size"), ("d", "no second pane")):
        says(w, key, why)
    for panes in (1, 2, 3):
        w.press("n")
        w.wait(lambda s: len(s["panes_beside"]) == panes, f"N, {panes}")
    says(w, "n", "four panes already")
    w.wait(lambda s: s["message"] == "", "it goes by itself")
    w.press("v", "z")
    w.wait(lambda s: s["workspace"] == "mandelbrot", "Z")
    says(w, "BackSpace", "There is no previous view")
    says(w, "shift+BackSpace", "There is no next view")
    for key, why in (("u", "U is for Life: "), ("e", "E is for Life: edit mode"), ("bracketleft", "[ is for Life"),
                     ("y", "Y is for lessons")):
        says(w, key, why)
    w.press("z")
    w.wait(lambda s: s["workspace"] == "life", "Z again")
    for key, why in (("r", "R is for Mandelbrot: next stop"), ("o", "O is for Mandelbrot: orbit"), ("Delete", "Press Ctrl Del: clear")):
        says(w, key, why)
    w.quit()
    # The highest level of a fractal that memory has room for.
    with tempfile.TemporaryDirectory() as folder:
        file = os.path.join(folder, "line.toml")
        with open(file, "w") as out:
            out.write('name = "line"\ns_x = 8\ns_y = 8\noffsets = [[0, 0], [1, 1]]\n')
        w = t.window("--paused", "--fractal-file", file, "--level", "20", "--map", "compact", "--block", "1")
        says(w, "greater", "the highest level of the fractal")
        w.quit()


def unending(t):
    """Work that does not end is no reason to stay: Escape ends a film whose ffmpeg stands still, and SIGTERM the window, with the
    scene kept, within six seconds."""
    with tempfile.TemporaryDirectory() as folder:
        number = os.path.join(folder, "number")
        with open(os.path.join(folder, "ffmpeg"), "w") as script:
            script.write(f"#!/bin/sh\necho $$ > '{number}'\nexec /bin/sleep 1000\n")
        os.chmod(script.name, 0o755)
        w = t.window("--paused", "--level", "7", "--size", "1000x700", PATH=folder)
        for key in ("Escape", "ctrl+q"):
            dialog = dialog_of(w, "save_film")
            w.press("ctrl+shift+f")
            click(w, name_file(w, dialog, os.path.join(folder, "life.mp4"))["places"]["save"])
            w.wait(lambda s: s["progress"] == "exporting life.mp4", "a film is made")
            deadline = time.monotonic() + 60
            while not (os.path.exists(number) and os.path.getsize(number)) and time.monotonic() < deadline:
                time.sleep(0.05)
            with open(number) as text:
                ffmpeg = int(text.read())
            os.remove(number)
            w.press(key)
            if key == "Escape":
                w.wait(lambda s: s["message"].startswith("cancelled: video"), "Escape")
                w.press("Escape")
                w.wait(lambda s: s["message"] == "", "the message is gone")
            else:
                w.wait(lambda s: s["asks_to_quit"], "it asks")
                w.quit()
            try:
                os.kill(ffmpeg, 0)
                raise AssertionError("ffmpeg is left behind")
            except ProcessLookupError:
                pass

        # A pipe that nobody empties: whoever writes there waits.
        pipe = os.path.join(folder, "picture.png")
        os.mkfifo(pipe)
        for emptied in (True, False):
            reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
            fcntl.fcntl(reader, fcntl.F_SETPIPE_SZ, 4096)
            w = t.window()
            w.press("space")
            w.wait(lambda s: not s["playing"], "space pauses")
            w.press("shift+r")
            w.press("period")
            seed = w.wait(lambda s: s["generation"] == 1, "a reseed and a step")["seed"]
            dialog = dialog_of(w, "save_picture")
            w.press("F12")
            click(w, name_file(w, dialog, pipe)["places"]["save"])
            w.wait(lambda s: s["progress"] == "drawing picture.png", "a picture is made")
            w.process.send_signal(signal.SIGTERM)
            begin = time.monotonic()
            last = w.wait(lambda s: s["asks_to_quit"], "it asks")
            if emptied:  # what would have been lost is done: nothing is left to ask
                os.set_blocking(reader, True)
                while os.read(reader, 1 << 16):
                    pass
                w.finish()
            else:
                # Its last words: on a machine at work a thread of Mesa with idle priority may keep what is left of it for longer.
                while not any("did not end within 6 s" in line for line in w.noise):
                    assert time.monotonic() < begin + 10, "six seconds, and what a machine at work needs"
                    time.sleep(0.05)
                assert w.process.wait(60) == 3
            os.close(reader)
        w = t.window()
        w.wait(lambda s: s["files"]["offered"] != "" and "restore" in s["files"]["places"], "the offer")
        click(w, w.state["files"]["places"]["restore"])
        w.wait(lambda s: all(s.get(key) == last[key] for key in ("seed", "generation", "hash")) and s["seed"] == seed, "the scene was kept")
        w.quit()
        keep_that_hangs(t)


def keep_that_hangs(t):
    """The window's own keep waits for a disk, and another process holds the lock of the folder: SIGTERM ends the window all the same,
    and what is kept is what it showed, edits among it."""
    w = t.window("--paused", "--level", "6", "--seed", "77")
    w.hover(2, 50)
    w.press("e")
    w.wait(lambda s: s["edit_cells"], "E")
    before = w.state["hash"]
    w.xdotool("click", "1")
    w.wait(lambda s: s["hash"] != before, "a cell is painted: no start makes these cells")
    w.press("period")
    w.wait(lambda s: s["generation"] == 1, "a generation")
    w.settle()  # a second, until they are copied, and more
    last = w.state
    folder = os.path.join(t.display.state_home.name, "fractal-loom")
    pipe = os.path.join(folder, f".last.loom.{w.process.pid}.1")
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    writer = os.open(pipe, os.O_WRONLY | os.O_NONBLOCK)
    with contextlib.suppress(BlockingIOError):
        while os.write(writer, bytes(4096)):
            pass
    lock = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    fcntl.flock(lock, fcntl.LOCK_EX)
    begin = time.monotonic()
    w.process.send_signal(signal.SIGTERM)
    w.reader.join(60)
    assert time.monotonic() < begin + 10, "six seconds, and what a machine at work needs"
    assert w.process.wait(60) == 3
    assert any("did not end within 6 s" in line for line in w.noise), w.noise
    os.close(lock)
    os.close(reader)
    os.close(writer)
    os.remove(pipe)
    w = t.window()
    w.wait(lambda s: s["files"]["offered"] != "" and "restore" in s["files"]["places"], "the offer")
    click(w, w.state["files"]["places"]["restore"])
    w.wait(lambda s: all(s.get(key) == last[key] for key in ("generation", "hash", "level")), "all that it showed was kept")
    w.quit()


def click(w, area):
    x, y, width, height = area
    w.move(x + width / 2, y + height / 2)
    w.act()
    w.xdotool("click", "1")


def click_menu(w, *path):
    """A menu, its submenus and an item."""
    for i in range(len(path)):
        name = "/".join(path[:i + 1])
        click(w, w.wait(lambda s: name in s["menus"], name)["menus"][name])


def hide_metrics(w):
    """T shows metrics in a tab that is not selected, and else hides them."""
    w.press("t")
    if w.wait(lambda s: s["side_tab"] == "metrics" or not s["show_timing"], "T")["show_timing"]:
        w.press("t")
    return w.wait(lambda s: not s["show_timing"], "no metrics")


def side_panel(t):
    """Without room for the metrics beside the picture, the side panel has tabs; it folds where the picture would be less than half."""
    w = t.window("--paused", "--level", "5", "--size", "1280x720")
    state = w.wait(lambda s: s["side_tab"] == "controls" and s["tabs"][2][2] > 0, "the controls are first")
    controls = state["controls_area"]
    click(w, state["tabs"][2])
    w.wait(lambda s: s["side_tab"] == "metrics" and s["dock_area"] == controls and s["controls_area"][2] == 0, "metrics alone")
    assert not w.state["undo"]["behind"], "a tab is no step of undo"
    w.press("x")
    w.wait(lambda s: s["side_tab"] == "details" and s["show_thread"], "X selects the thread's tab")
    w.press("x")
    w.wait(lambda s: s["side_tab"] == "controls" and not s["show_thread"], "and X leaves it")
    click(w, w.state["tabs"][1])
    w.wait(lambda s: s["side_tab"] == "details" and s["show_thread"], "the tab explains the thread too")
    click(w, w.state["tabs"][0])
    w.wait(lambda s: s["side_tab"] == "controls" and s["show_thread"], "the picture goes on explaining it")
    click(w, w.state["tabs"][1])
    w.wait(lambda s: s["side_tab"] == "details", "the thread again")
    w.press("ctrl+2")
    w.wait(lambda s: s["workspace"] == "mandelbrot" and s["side_tab"] == "controls", "each workspace has a tab of its own")
    w.press("ctrl+1")
    w.wait(lambda s: s["workspace"] == "life" and s["side_tab"] == "details", "which it remembers")
    click(w, w.state["tabs"][0])
    w.wait(lambda s: s["side_tab"] == "controls", "the controls")
    w.press("x")
    w.wait(lambda s: not s["show_thread"], "X")
    w.press("ctrl+4")
    w.wait(lambda s: s["workspace"] == "benchmark" and s["side_tab"] is None and s["controls_area"][2] > 0, "no tabs without metrics")
    w.press("F9")
    w.wait(lambda s: s["controls_area"][2] == 0 and s["bench"]["places"]["toolbar start"][2] > 0, "Start stays in sight without the side panel")
    w.press("F9")
    w.wait(lambda s: s["controls_area"][2] > 0, "F9")
    w.press("ctrl+1")
    w.resize(1900, 1000)
    w.wait(lambda s: s["side_tab"] is None and s["dock_area"][0] > 1000 and s["controls_area"][2] > 0, "a column of its own")
    w.resize(640, 480)
    w.wait(lambda s: s["controls_area"][2] == 0 and s["picture_area"][2] == 640, "folded")
    w.press("F9")
    w.wait(lambda s: s["controls_area"][2] > 0, "the user unfolds it")
    w.press("F9")
    w.wait(lambda s: s["controls_area"][2] == 0, "and folds it")
    w.resize(1280, 720)
    w.wait(lambda s: s["controls_area"][2] > 0 and s["side_tab"] == "controls", "room again")
    w.quit()


def type_into(w, name, text):
    """Replaces the text of a field of the Benchmark workspace."""
    place = None
    while place != w.state["bench"]["places"][name]:  # the rows move while notes come and go
        place = w.state["bench"]["places"][name]
        time.sleep(0.2)
        w.wait(lambda s: name in s["bench"]["places"], name)
    click(w, place)
    w.wait(lambda s: s["text_field_active"], f"the field {name}")
    w.press("ctrl+a")
    w.xdotool("type", "--delay", "60", text)
    w.press("Return")  # closes a list


def bench(t):
    """The Benchmark workspace: a sweep is typed, measured, paused while another workspace is shown, plotted and saved."""
    folder = tempfile.TemporaryDirectory()
    results, figure = os.path.join(folder.name, "a.json"), os.path.join(folder.name, "a.svg")
    w = t.window("--paused", "--level", "3", "--block", "2", "--size", "1280x820")
    w.press("ctrl+4")
    state = w.wait(lambda s: s["bench"]["shown"] and "start" in s["bench"]["places"], "Ctrl 4")
    assert state["bench"]["status"] == "none" and state["bench"]["configurations"] > 0, state["bench"]

    type_into(w, "level", "3..2")
    state = w.wait(lambda s: any("'3..2'" in p for p in s["bench"]["problems"]), "a wrong range is answered")
    click(w, state["bench"]["places"]["start"])
    type_into(w, "level", "2,3")
    state = w.wait(lambda s: s["bench"]["configurations"] == 3 * (3 + 4), "a right list, whole")
    assert state["bench"]["status"] == "none", "a wrong sweep does not start"
    type_into(w, "block", "1,2")
    state = w.wait(lambda s: s["bench"]["configurations"] == 12, "3 maps, 2 levels, 2 tile sizes")
    assert state["map"] == "lambda", "what is typed into a field is no shortcut"

    click(w, state["bench"]["places"]["start"])
    w.wait(lambda s: s["bench"]["status"] == "running", "Start")
    w.press("Escape")
    state = w.wait(lambda s: "pause" in s["bench"]["places"] and s["bench"]["done"] > 0, "the first result")
    click(w, state["bench"]["places"]["pause"])
    state = w.wait(lambda s: s["bench"]["status"] == "paused", "Pause")
    click(w, state["bench"]["places"]["pause"])
    w.wait(lambda s: s["bench"]["status"] == "running", "Resume")
    w.press("space")
    w.wait(lambda s: s["bench"]["status"] in ("paused", "done"), "Space pauses")
    w.press("space")
    w.wait(lambda s: s["bench"]["status"] in ("running", "done"), "Space resumes")
    w.press("z")
    w.wait(lambda s: not s["bench"]["shown"] and s["bench"]["status"] in ("paused", "done"), "a hidden workspace measures nothing")
    w.press("z")
    state = w.wait(lambda s: s["bench"]["shown"] and ("pause" in s["bench"]["places"] or s["bench"]["status"] == "done"), "shown again")
    if state["bench"]["status"] == "paused":
        w.press("space")
    swept(w, "the end")
    state = w.wait(lambda s: "Results save" in s["bench"]["places"], "its files")
    assert (state["bench"]["done"], state["bench"]["skipped"]) == (12, 0), state["bench"]
    assert (state["generation"], state["map"]) == (0, "lambda"), "the scene is as it was"

    for name, file in (("Results", results), ("Figure", figure)):
        type_into(w, name + " file", file)
        w.press("Return")
        click(w, w.state["bench"]["places"][name + " save"])
        w.wait(lambda s: any(file in saved for saved in s["bench"]["saved"]), f"{name} saved")
    with open(results) as file:
        written = json.load(file)
    assert written["complete"] and len(written["configurations"]) == 12, written
    subprocess.run([t.program, "plot", results, "--kind", "time", "-o", figure], check=True, capture_output=True)

    x, y = w.wait(lambda s: s["bench"]["last_point"], "a figure")["bench"]["last_point"]
    w.move(x, y)
    w.xdotool("click", "1")
    # The last point is of the last line: compact, at its largest tile size.
    state = w.wait(lambda s: s["workspace"] == "life" and s["map"] == "compact", "a click on a point shows its configuration")
    assert (state["level"], state["block"]) == (3, 2), state
    w.quit()


def bench_shard(t):
    """A shard that was ended early is opened as a shard, says so, and goes on with its own configurations."""
    folder = tempfile.TemporaryDirectory()
    file = os.path.join(folder.name, "part.json")
    line = [t.program, "bench", "--level", "2,3", "--block", "1,2", "--map", "lambda", "--backend", "cpu", "--shard", "2/2",
            "--max-samples", "5", "--out", file]
    subprocess.run(line, check=True, capture_output=True)
    with open(file) as part:
        document = json.load(part)
    assert document["planned"] == 2 and document["shards"] == {"of": 2, "have": [2], "configurations": 4}, document
    del document["configurations"][1]
    document["complete"] = False
    with open(file, "w") as part:
        json.dump(document, part)

    w = t.window("--paused", "--level", "3", "--block", "2", "--size", "1280x720")
    w.press("ctrl+4")
    w.wait(lambda s: s["bench"]["shown"] and "Open file" in s["bench"]["places"], "Ctrl 4")
    type_into(w, "Open file", file)
    w.press("Return")
    click(w, w.state["bench"]["places"]["Open open"])
    state = w.wait(lambda s: s["bench"]["done"] == 1 if "done" in s["bench"] else False, "opened")
    assert (state["bench"]["shards"], state["bench"]["planned"]) == ("1 of 2 shards; missing: 1/2", 2), state["bench"]
    assert state["bench"]["opened"][2] == "", state["bench"]
    state = w.wait(lambda s: "go on" in s["bench"]["places"], "it can go on")
    click(w, state["bench"]["places"]["go on"])
    state = swept(w, "its second half")
    assert (state["bench"]["done"], state["bench"]["planned"]) == (2, 2), state["bench"]
    w.press("ctrl+q")
    w.wait(lambda s: s["asks_to_quit"], "results that no file holds")
    w.quit()


def place(w, name):
    """A button or field of the lessons, once it is there."""
    return w.wait(lambda s: name in s["lesson"]["places"], f"{name} in the strip")["lesson"]["places"][name]


def type_answer(w, text):
    click(w, place(w, "answer"))
    w.wait(lambda s: s["text_field_active"], "the field for the answer")
    w.press("ctrl+a")
    w.xdotool("type", "--delay", "60", text)
    w.wait(lambda s: s["lesson"]["typed"] == text, f"typed {text}")


def lesson(t):
    """A lesson is played with keys and mouse: answers, hint, steps; what is changed in a step stays with it, and the
    user's own cells come back at the end."""
    w = t.window("--paused", "--level", "5", "--fractal", "vicsek", "--map", "compact", "--seed", "9", "--size", "1280x720")
    w.press("period", "e")
    w.wait(lambda s: s["generation"] == 1 and s["edit_cells"], "a scene of one's own")
    before = w.state
    w.press("e", "l")
    w.wait(lambda s: s["lesson"]["list"] and s["strip_area"][3] > 0, "L: the list")
    assert not overlap(w.state["strip_area"], w.state["picture_area"]), w.state
    click(w, place(w, "bounding-box"))
    state = w.wait(lambda s: s["lesson"]["name"] == "bounding-box" and s["map"] == "bounding-box" and s["level"] == 4
                   and s["lesson"]["ring"] is not None, "the lesson's first scene, with its control ringed")
    assert (state["fractal"], state["generation"], state["lesson"]["step"]) == ("sierpinski-gasket", 0, 1), state
    click(w, state["home"])
    w.wait(lambda s: len(s["start_cards"]) == 4 and s["lesson"]["ring"] is None, "the ring is not over the start screen")
    w.press("Escape")
    w.wait(lambda s: s["start_cards"] == [] and s["lesson"]["ring"] is not None, "and back")

    type_answer(w, "81")
    w.press("Return")
    w.wait(lambda s: s["lesson"]["wrong"] == 1 and s["lesson"]["hint"], "a wrong answer gets the hint")
    type_answer(w, "16*16")
    click(w, place(w, "Check"))
    state = w.wait(lambda s: s["lesson"]["right"], "a right answer, by the program's own report")
    assert state["lesson"]["step"] == 1, "the next step comes when it is asked for"
    w.wait(lambda s: s["lesson"]["changed"] == "", "all is as the step has it")
    w.press("2")
    w.wait(lambda s: s["map"] == "lambda" and s["lesson"]["changed"] == "map", "the controls work in a lesson, which says so")
    w.press("ctrl+Right")
    state = w.wait(lambda s: s["lesson"]["step"] == 2 and s["map"] == "bounding-box", "Ctrl and right: the next step")
    assert not state["lesson"]["hint"]
    w.wait(lambda s: s["text_field_active"], "its field has the keyboard")
    w.press("y")
    w.wait(lambda s: s["lesson"]["hint"] and s["lesson"]["typed"] == "", "Y: a hint, also from the field")
    click(w, place(w, "Show"))
    w.wait(lambda s: s["lesson"]["shown"] and not s["lesson"]["right"], "the answer is shown when it is asked for")
    w.press("ctrl+Left")
    state = w.wait(lambda s: s["lesson"]["step"] == 1 and s["map"] == "lambda", "what was changed came back with its step")
    assert state["lesson"]["right"], "and what was answered"
    click(w, place(w, "Reset"))
    w.wait(lambda s: s["map"] == "bounding-box" and s["lesson"]["changed"] == "", "Reset brings the step's scene back")
    w.press("Return")
    w.wait(lambda s: s["lesson"]["step"] == 2, "Enter, once the answer is right: the next step")

    click(w, place(w, "Next"))
    w.wait(lambda s: s["lesson"]["step"] == 3 and s["show_thread"] and s["level"] == 4, "a question for a cell")
    for digit in "123":
        w.press(digit)
        state = w.wait(lambda s: "switch the map once" in s["lesson"]["said"], f"{digit} answers nothing here")
        assert state["map"] == "bounding-box", state["map"]
    w.move(*w.cell_on_screen(0, 15))
    w.wait(lambda s: s["hovered_cell"] == [0, 15], "over a cell")
    w.xdotool("click", "1")
    w.wait(lambda s: s["pinned"] == [0, 15] and s["lesson"]["said"] == "", "a click pins it, and nothing more is said")
    w.press("Return")
    w.wait(lambda s: s["lesson"]["wrong"] == 1, "a tile with cells is not the answer")
    w.move(*w.cell_on_screen(15, 1))
    w.xdotool("click", "1")
    w.wait(lambda s: s["pinned"] == [15, 1] and not s["lesson"]["judged"], "another point: the verdict was of the first")
    click(w, place(w, "Check"))
    w.wait(lambda s: s["lesson"]["right"], "a tile without cells is")

    click(w, place(w, "Next"))
    w.wait(lambda s: s["lesson"]["step"] == 4 and s["level"] == 5, "the last step")
    w.press("F1")
    w.wait(lambda s: s["documentation"]["open"] and s["lesson"]["wrong"] == 0, "F1 is help, here too")
    w.press("F1")
    w.wait(lambda s: not s["documentation"]["open"] and not s["text_field_active"], "and closes it")
    w.press("1")
    w.wait(lambda s: s["lesson"]["wrong"] == 1 and not s["lesson"]["complete"], "1: the first choice")
    w.press("1", "0", "9", "3")
    state = w.wait(lambda s: s["lesson"]["wrong"] == 2, "1 is that answer, which was given; 3: the third")
    assert state["map"] == "bounding-box", state["map"]
    w.press("2")
    state = w.wait(lambda s: s["lesson"]["right"] and s["lesson"]["complete"], "the second, and the lesson is complete")
    assert (state["lesson"]["wrong"], state["map"]) == (2, "bounding-box"), state["lesson"]
    w.press("3")
    w.wait(lambda s: s["map"] == "compact", "a question that was answered leaves the digits to the maps")
    assert place(w, "Next lesson"), "by the mouse, and by the key that turns steps"
    w.press("ctrl+Right")
    w.wait(lambda s: s["lesson"]["name"] == "blocks" and s["lesson"]["step"] == 1 and s["text_field_active"],
           "the next lesson of the list")
    click(w, place(w, "Lessons"))
    w.wait(lambda s: s["lesson"]["list"], "the list")
    click(w, place(w, "bounding-box"))
    w.wait(lambda s: s["lesson"]["name"] == "bounding-box", "the first again")
    for step in (2, 3, 4):
        w.press("ctrl+Right")
        w.wait(lambda s: s["lesson"]["step"] == step, f"step {step}")
    assert w.state["lesson"]["solved_before"] and not w.state["lesson"]["right"], w.state["lesson"]
    w.press("ctrl+Right")
    w.press("l")
    w.wait(lambda s: s["lesson"]["list"] and s["lesson"]["step"] == 4, "there is no step after the last; L: the list")
    click(w, place(w, "lambda"))
    w.wait(lambda s: s["lesson"]["name"] == "lambda" and s["pinned"] is not None, "another lesson")
    click(w, place(w, "x"))
    keys = ("fractal", "level", "map", "seed", "generation", "hash", "cells_per_pixel", "workspace", "show_thread")
    w.wait(lambda s: s["lesson"]["name"] is None and all(s[k] == before[k] for k in keys), "one's own scene, cell by cell")
    w.press("z")
    w.wait(lambda s: s["workspace"] == "mandelbrot" and s["mandelbrot"]["divisor"] == 1, "Z")
    assert whole_set(w.state), "a view that was never shown before is that of all of the set"
    assert w.quit()["message"] == ""

    # While a scene plays, generation by generation in the background, its cells are kept too.
    carpet = ("--fractal", "sierpinski-carpet", "--level", "7", "--map", "compact", "--seed", "1")
    w = t.window("--paused", *carpet, "--steps", "100", "--size", "1280x720")
    w.wait(lambda s: s["generation"] == 100, "a hundred generations")
    w.press("space")
    w.wait(lambda s: s["playing"], "it plays")
    time.sleep(0.5)

    def play_lesson():
        w.press("l")
        w.wait(lambda s: s["lesson"]["list"], "L: the list")
        click(w, place(w, "bounding-box"))
        return w.wait(lambda s: s["lesson"]["name"] == "bounding-box" and s["map"] == "bounding-box" and s["lesson"]["ring"] is not None and
                      s.get("hash"), "the lesson's first scene")

    first = play_lesson()
    assert first["generation"] == 0, first["generation"]
    click(w, place(w, "x"))
    w.wait(lambda s: s["lesson"]["name"] is None and s["level"] == 7 and s["playing"], "it plays again")
    w.press("space")
    state = w.wait(lambda s: not s["playing"] and s.get("hash") and s["level"] == 7 and s["rests"], "paused")
    assert state["generation"] > 100, state["generation"]
    assert state["hash"] == t.life_hash(*carpet, "--steps", str(state["generation"])), state["generation"]
    # The gallery's scene, sixty generations on, leaves nothing to the lesson.
    click(w, w.state["home"])
    click(w, w.wait(lambda s: len(s["start_pictures"]) == 8 and over_picture(s), "the gallery")["start_pictures"][0])
    w.wait(lambda s: s["start_cards"] == [] and s["level"] == 5 and s["palette"] == "inferno" and s["playing"], "its carpet")
    state = play_lesson()
    assert (state["generation"], state["hash"]) == (0, first["hash"]), state["generation"]
    click(w, place(w, "x"))
    w.wait(lambda s: s["lesson"]["name"] is None and s["level"] == 5, "the carpet again")
    w.press("space")
    w.wait(lambda s: not s["playing"] and s.get("generation", 0) >= 60, "at the generation that the gallery begins with, or a later one")
    w.quit()


def lecture(t):
    """In lecture mode the picture keeps three fifths of a small projector's image and 480 of its 720 lines, in every step of every
    lesson; what a step highlights is ringed; a lesson is answered there by keys and by the mouse."""
    listed = subprocess.run([t.program, "lesson", "--list", "--json"], capture_output=True, text=True, check=True)
    lessons = json.loads(listed.stdout)["lessons"]
    assert len(lessons) >= 12, lessons
    w = t.window("--paused", "--size", "1280x720", "--lesson", "bounding-box")
    w.wait(lambda s: s["lesson"]["name"] == "bounding-box" and s["text_field_active"], "the field has the keyboard")
    w.press("p")
    w.wait(lambda s: s["ui_pixels"] == 24 and s["lesson"]["typed"] == "", "P: lecture mode, also from the field")
    w.wait(lambda s: s["rests"], "the layout of the large text")
    x, y, width, height = w.state["picture"]
    w.move(x + width / 2, y + height / 2)
    state = w.wait(lambda s: s["hovered_cell"] and s["legend"]["area"][2] > 0, "the legend stays while the picture is hovered")
    left, top, wide, high = state["legend"]["area"]
    assert left >= x and top >= y and left + wide <= x + width and top + high <= y + height, (state["legend"], state["picture"])
    button = state["legend"]["button"]
    click(w, button)
    state = w.wait(lambda s: s["legend"]["folded"] and s["legend"]["area"][2] == 0, "its button folds it")
    assert state["legend"]["button"] == button, (button, state["legend"])
    click(w, button)
    w.wait(lambda s: not s["legend"]["folded"] and s["legend"]["area"][2] > 0, "and unfolds it")
    w.xdotool("type", "--delay", "60", "255")
    w.press("Return")
    w.wait(lambda s: s["lesson"]["wrong"] == 1 and s["lesson"]["judged"], "a wrong answer")
    click(w, place(w, "Hint"))
    w.wait(lambda s: s["lesson"]["hint"] and not s["lesson"]["judged"], "the hint takes the place of the verdict")
    w.press("ctrl+Up")
    w.wait(lambda s: s["lesson"]["shown"], "the answer is shown")
    click(w, place(w, "Show"))
    w.wait(lambda s: not s["lesson"]["shown"], "and hidden")
    above = w.state["picture_area"][1]
    w.press("ctrl+Down")
    w.wait(lambda s: s["lesson"]["whole_text"] and s["picture_area"][1] > above, "the whole text moves the picture down")
    w.press("ctrl+Down")
    w.wait(lambda s: not s["lesson"]["whole_text"], "only the question")
    type_answer(w, "256")
    click(w, place(w, "Check"))
    w.wait(lambda s: s["lesson"]["right"], "a right answer by the mouse")
    for one in lessons:
        if w.state["lesson"]["name"] != one["name"]:
            click(w, place(w, "Lessons"))
            # By keys: the list may be longer than the window.
            w.wait(lambda s: s["lesson"]["list"], "the list")
            while w.state["lesson"]["selected"] != one["name"]:
                selected = w.state["lesson"]["selected"]
                w.press("Down")
                w.wait(lambda s: s["lesson"]["selected"] != selected, "the next lesson")
            w.press("Return")
        for step in range(1, one["steps"] + 1):
            w.wait(lambda s: s["lesson"]["name"] == one["name"] and s["lesson"]["step"] == step, f"{one['name']}, step {step}")
            # The scene of a step, and with it its panes, may come a moment later.
            w.wait(lambda s: s["lesson"]["changed"] == "", f"{one['name']}, step {step}: its scene")
            state = w.wait(lambda s: s["lesson"]["highlight"] is None or in_sight(s["lesson"]["ring"]),
                           f"{one['name']}, step {step}: the ring, around the side panel's button if it is folded")
            _, _, width, height = state["picture_area"]
            assert height >= 480 and width * height >= 0.6 * 1280 * 720, (one["name"], step, state["picture_area"])
            if state["workspace"] == "life" and not state["panes_beside"]:
                assert state["picture"][3] >= 480, (one["name"], step, state["picture"])
            assert state["strip_area"][3] <= 3.2 * 24, state["strip_area"]
            if step < one["steps"]:
                w.press("Next")
    w.press("p")
    w.wait(lambda s: s["ui_pixels"] == 16, "P: back")
    assert w.quit()["lesson"]["solved"]["bounding-box"] == 1
    again = t.window("--paused")
    again.press("l")
    again.wait(lambda s: s["lesson"]["list"] and s["lesson"]["solved"]["bounding-box"] == 1, "what was solved is kept")
    click(again, place(again, "Clear progress"))
    again.wait(lambda s: s["lesson"]["solved"]["bounding-box"] == 0, "until it is cleared")
    again.quit()


def answers_of(t, name):
    """What the lesson's checks say: an answer per step, as text."""
    done = subprocess.run([t.program, "lesson", "--check", name, "--json"], capture_output=True, text=True, check=True, timeout=120)
    return [step["answer"] for step in json.loads(done.stdout)["lessons"][0]["steps"]]


def move_cursor(w, to):
    """Arrow keys bring the picture's cursor to a cell."""
    at = w.wait(lambda s: s["cursor"] is not None, "the cursor of the picture")["cursor"]
    for axis, less, more in ((0, "Left", "Right"), (1, "Up", "Down")):
        for _ in range(abs(to[axis] - at[axis])):
            w.press(less if to[axis] < at[axis] else more)
    w.wait(lambda s: s["cursor"] == list(to) and s["hovered_cell"] == list(to), f"the cursor is at {to}")


def solve_step(w, answer):
    """By keys alone, whatever the question is."""
    state = w.state["lesson"]
    cell = re.search(r"One correct answer: \((\d+), (\d+)\)", answer)
    if cell:
        to = [int(cell[1]), int(cell[2])]
        move_cursor(w, to)
        w.press("Return")
        w.wait(lambda s: s["pinned"] == to and not s["lesson"]["judged"], "Enter pins the point and answers nothing")
        w.press("Return")
    elif re.fullmatch(r".*= [\d.]+|[\d.]+", answer):
        w.xdotool("type", "--delay", "60", answer.split("= ")[-1])
        w.wait(lambda s: s["lesson"]["typed"] == answer.split("= ")[-1], f"typed {answer}")
        w.press("Return")
    else:
        for choice in "1234":
            wrong = w.state["lesson"]["wrong"]
            w.press(choice)
            if w.wait(lambda s: s["lesson"]["right"] or s["lesson"]["wrong"] > wrong, f"choice {choice}")["lesson"]["right"]:
                break
    w.wait(lambda s: s["lesson"]["right"], f"step {state['step']}: {answer}")


def keyboard_lesson(t):
    """Lessons are found and solved by the keyboard alone: numbers, choices, and points of the picture."""
    w = t.window("--paused", "--size", "1280x720")
    w.move(1, 1)
    w.press("l")
    w.wait(lambda s: s["lesson"]["list"] and s["lesson"]["selected"] == "bounding-box", "L: the list, with the first open lesson")
    for _ in range(2):
        w.press("Down")
    w.wait(lambda s: s["lesson"]["selected"] == "lambda", "the third lesson")
    w.press("Return")
    answers = answers_of(t, "lambda")
    for number, answer in enumerate(answers, 1):
        w.wait(lambda s: s["lesson"]["name"] == "lambda" and s["lesson"]["step"] == number, f"step {number}")
        if "One correct" not in answer:
            w.wait(lambda s: s["text_field_active"], "the field has the keyboard")
        hidden = "lambda" if number in (2, 3, 4) else None
        w.wait(lambda s: s["lesson"]["hidden"] == hidden, "λ's table is hidden where it has the answer")
        if hidden:
            w.move(*w.cell_on_screen(10, 15))
            w.wait(lambda s: "(10, 15)" in s["caption"] and "ω" not in s["caption"], "nor does the line below the picture give it")
            w.move(1, 1)
        solve_step(w, answer)
        w.wait(lambda s: s["lesson"]["hidden"] is None, "and shown with the answer")
        if number < len(answers):
            w.press("Return")
    w.wait(lambda s: s["lesson"]["complete"] and s["lesson"]["solved"]["lambda"] == len(answers), "lesson 3 is complete")

    # Points of other lessons, also in lecture mode; a wrong point is moved away from.
    w.press("l")
    w.wait(lambda s: s["lesson"]["list"] and s["lesson"]["selected"] == "bounding-box", "L: the first open lesson")
    w.press("Return")
    w.wait(lambda s: s["lesson"]["name"] is not None and s["lesson"]["step"] == 1, "another lesson")
    w.quit()
    for lecture in (False, True):
        w = t.window("--lesson", "bounding-box", "--size", "1280x720")
        w.move(1, 1)
        if lecture:
            w.press("p")
        w.press("ctrl+Right", "ctrl+Right")
        state = w.wait(lambda s: s["lesson"]["step"] == 3 and s["cursor"] is not None and s["show_thread"], "a question for a point")
        start = state["cursor"]
        w.press("shift+Left")
        w.wait(lambda s: s["cursor"] == [start[0] - state["block"], start[1]], "Shift: by a tile")
        move_cursor(w, [0, 15])
        w.press("Return")
        w.wait(lambda s: s["pinned"] == [0, 15], "pinned")
        w.press("Return")
        w.wait(lambda s: s["lesson"]["wrong"] == 1, "a tile with cells is not the answer")
        for _ in range(15):
            w.press("Right")
        for _ in range(14):
            w.press("Up")
        w.wait(lambda s: s["pinned"] == [15, 1] and not s["lesson"]["judged"], "arrow keys move the pinned point")
        w.press("Return")
        w.wait(lambda s: s["lesson"]["right"], "an empty tile")
        w.quit()


def picture_cursor(t):
    """F10: a cursor in the picture, in linked panes and in Mandelbrot; the mouse takes it back, Esc ends it."""
    w = t.window("--paused", "--fractal", "sierpinski-gasket", "--level", "5", "--block", "4", "--size", "1280x720")
    w.move(1, 1)
    before = w.state["view_origin"]
    w.press("F10")
    at = w.wait(lambda s: s["cursor"] is not None, "F10")["cursor"]
    w.press("Right", "Down", "Down")
    w.wait(lambda s: s["cursor"] == [at[0] + 1, at[1] + 2] == s["hovered_cell"], "arrow keys move it")
    w.press("shift+Up")
    state = w.wait(lambda s: s["cursor"] == [at[0] + 1, at[1] - 2], "Shift: by a tile")
    assert state["view_origin"] == before, "and not the view"
    w.press("v")
    w.wait(lambda s: len(s["panes_beside"]) == 2 and s["cursor"] == [at[0] + 1, at[1] - 2], "it stays in a comparison")
    w.wait(lambda s: all(strip["marked_x"] is not None for strip in s["memory_strips"]), "and the strips mark it")
    w.press("v", "Return")
    state = w.wait(lambda s: s["pinned"] == [at[0] + 1, at[1] - 2] and s["show_thread"], "Enter pins and explains")
    w.press("Left")
    w.wait(lambda s: s["pinned"] == [at[0], at[1] - 2] == s["cursor"], "arrow keys move the pinned point")
    w.press("Escape")
    w.wait(lambda s: s["pinned"] is None and s["cursor"] == [at[0], at[1] - 2], "Esc unpins; the cursor stays")
    w.hover(3, 30)
    w.wait(lambda s: s["cursor"] is None and s["picture_cursor"], "the mouse takes it back")
    w.press("e", "Left")
    state = w.wait(lambda s: s["cursor"] == [2, 30] and s["edit_cells"], "from where the mouse is")
    w.press("Left", "Down")
    population = w.wait(lambda s: s["cursor"] == [1, 31], "a cell")["population"]
    w.press("Return")
    w.wait(lambda s: s["population"] is not None and abs(s["population"] - population) == 1, "Enter flips it in edit mode")
    w.press("e", "plus", "plus", "plus", "plus", "plus", "shift+Right", "shift+Right", "shift+Right", "shift+Right")
    w.wait(lambda s: s["cursor"] == [17, 31] and s["view_origin"] != before, "the view follows it")
    w.press("Escape")
    w.wait(lambda s: not s["picture_cursor"] and s["cursor"] is None, "Esc ends it")
    w.press("z")
    w.wait(lambda s: s["workspace"] == "mandelbrot" and s["mandelbrot"]["divisor"] == 1, "Mandelbrot")
    w.move(1, 1)
    w.press("F10")
    at = w.wait(lambda s: s["mandelbrot"]["cursor"] is not None, "F10")["mandelbrot"]["cursor"]
    w.press("Right", "shift+Down")
    state = w.wait(lambda s: s["mandelbrot"]["cursor"] == [at[0] + 1, at[1] + 16], "by a pixel and by 16")
    view = state["mandelbrot"]["view"]
    w.press("Escape", "shift+Right")
    w.wait(lambda s: s["mandelbrot"]["cursor"] is None and s["mandelbrot"]["view"][0] > view[0] + view[2] * 0.4, "Esc; Shift moves half the picture")
    w.quit()


def lesson_field(t):
    """A question's field has the keyboard wherever a student comes from; what is typed changes no scene."""
    w = t.window("--paused", "--level", "5", "--size", "1280x720")

    def is_typed(text):
        return w.wait(lambda s: s["lesson"]["typed"] == text, f"typed {text}")

    w.press("l")
    click(w, place(w, "bounding-box"))
    w.wait(lambda s: s["lesson"]["name"] == "bounding-box" and s["text_field_active"], "opened by the mouse")
    population = w.wait(lambda s: s["level"] == 4 and s["population"], "its scene")["population"]
    w.xdotool("type", "--delay", "60", "13")
    assert is_typed("13")["map"] == "bounding-box", "a digit is no map"
    w.press("ctrl+a", "ctrl+x")
    state = is_typed("")
    assert (state["population"], state["selection"]) == (population, None), "the text is cut, and no cell"
    w.move(*w.cell_on_screen(3, 3))
    w.xdotool("click", "1")
    w.wait(lambda s: not s["text_field_active"], "a click on the picture leaves the field")
    w.xdotool("type", "--delay", "0", "123")
    state = w.wait(lambda s: s["lesson"]["typed"] == "123" and s["text_field_active"], "digits go to it all the same")
    assert state["map"] == "bounding-box", state["map"]
    w.press("Return")
    w.wait(lambda s: s["lesson"]["wrong"] == 1 and s["text_field_active"], "wrong: another answer is awaited")
    # What a number may begin with goes to the field too, however fast it is typed.
    scene = ("generation", "cells_per_pixel", "map")
    for number in ("1.5", "-0.25", ".75", "-.5"):
        before = [w.state[key] for key in scene]
        w.move(*w.cell_on_screen(3, 3))
        w.xdotool("click", "1")
        w.wait(lambda s: not s["text_field_active"], "out of the field")
        w.xdotool("type", "--delay", "0", "--", number)
        state = w.wait(lambda s: s["lesson"]["typed"].endswith(number) and s["text_field_active"], f"{number} is typed")
        assert [state[key] for key in scene] == before, state
        w.press("ctrl+a", "BackSpace")
        is_typed("")
    w.press("2")
    state = is_typed("2")
    assert not state["lesson"]["judged"] and state["lesson"]["hint"], "the verdict was of the other"
    click(w, place(w, "Next"))
    w.wait(lambda s: s["lesson"]["step"] == 2 and s["text_field_active"], "Next")
    for plays in (True, False):
        w.press("space")
        w.wait(lambda s: s["playing"] == plays and s["text_field_active"] and s["lesson"]["typed"] == "", "Space before a number plays and pauses")
    w.press("4")
    is_typed("4")
    w.press("space")
    is_typed("4 ")
    w.press("BackSpace")
    is_typed("4")
    click(w, place(w, "Back"))
    w.wait(lambda s: s["lesson"]["step"] == 1 and s["text_field_active"] and s["lesson"]["typed"] == "2", "Back")
    w.press("Escape")
    w.wait(lambda s: not s["text_field_active"], "Esc leaves the field")
    w.press("shift+F9")
    w.wait(lambda s: s["strip_area"][3] == 0, "the picture alone")
    w.press("2")
    w.wait(lambda s: s["map"] == "lambda" and s["lesson"]["typed"] == "2", "a field that is not seen takes no digits")
    w.press("shift+F9")
    w.wait(lambda s: s["strip_area"][3] > 0, "the panels")
    click(w, place(w, "Reset"))
    w.wait(lambda s: s["map"] == "bounding-box" and s["lesson"]["changed"] == "", "the step's scene")
    type_answer(w, "256")
    w.press("Return")
    w.wait(lambda s: s["lesson"]["right"] and not s["text_field_active"], "the right answer")
    w.quit()
    # With large text the question is beside a long step, in sight.
    w = t.window("--paused", "--size", "900x600", "--ui-scale", "1.8", "--lesson", "bounding-box")
    state = w.wait(lambda s: s["lesson"]["name"] == "bounding-box" and "answer" in s["lesson"]["places"], "the lesson")
    strip, answer = state["strip_area"], state["lesson"]["places"]["answer"]
    assert answer[1] + answer[3] <= strip[1] + strip[3], (answer, strip)
    w.xdotool("type", "--delay", "0", "--", "-1.5")
    state = w.wait(lambda s: s["lesson"]["typed"] == "-1.5" and s["text_field_active"], "digits go to it")
    assert (state["map"], state["generation"]) == ("bounding-box", 0), state
    w.quit()


def lesson_point(t):
    """The thread that a lesson asks about stays pinned; Escape closes what else there is."""
    w = t.window("--paused", "--level", "5", "--size", "1280x720", "--lesson", "lambda")
    w.wait(lambda s: s["pinned"] == [13, 15] and s["text_field_active"], "the lesson's thread")
    w.press("Escape")
    w.wait(lambda s: not s["text_field_active"], "Esc leaves the field")
    w.press("h")
    w.wait(lambda s: s["show_help"], "the list of keys")
    w.press("Escape")
    w.wait(lambda s: not s["show_help"] and s["pinned"] == [13, 15], "Esc closes it, and the thread stays")
    w.hover(0, 15)
    w.xdotool("click", "1")
    w.wait(lambda s: s["pinned"] == [0, 15], "another thread")
    w.press("Escape")
    w.wait(lambda s: s["pinned"] == [13, 15], "Esc goes back to the lesson's")
    w.press("x")
    w.wait(lambda s: s["pinned"] is None and s["lesson"]["changed"] == "pinned thread", "without it, the step says so")
    w.press("ctrl+r")
    w.wait(lambda s: s["pinned"] == [13, 15] and s["lesson"]["changed"] == "", "Reset")
    click(w, place(w, "x"))
    w.wait(lambda s: s["lesson"]["name"] is None and s["pinned"] is None, "no lesson")
    w.press("x")
    w.hover(3, 5)
    w.xdotool("click", "1")
    w.wait(lambda s: s["pinned"] == [3, 5], "one's own thread")
    w.press("Escape")
    w.wait(lambda s: s["pinned"] is None, "is unpinned")
    w.quit()


def menus(t):
    """Every command is in a menu and in the palette, with its key; a menu closes by Esc, and both run the command."""
    w = t.window("--paused", "--level", "5", "--map", "lambda")
    titles = ["File", "Edit", "View", "Simulation", "Compare", "Learn", "Help"]
    w.wait(lambda s: all(title in s["menus"] for title in titles), "the titles")
    for title, item in (("File", "Save scene as..."), ("Edit", "Undo"), ("View", "Window"), ("Simulation", "Step forward"),
                        ("Compare", "Compare maps"), ("Learn", "Lessons..."), ("Help", "Keys and mouse")):
        click(w, w.state["menus"][title])
        w.wait(lambda s: f"{title}/{item}" in s["menus"] and s["list_open"], title)
        w.press("Escape")
        w.wait(lambda s: f"{title}/{item}" not in s["menus"] and not s["list_open"], "Esc closes it")
    click(w, w.state["menus"]["Simulation"])
    click(w, w.wait(lambda s: "Simulation/Step forward" in s["menus"], "open")["menus"]["Simulation/Step forward"])
    w.wait(lambda s: s["generation"] == 1 and not s["list_open"], "an item runs its command")
    w.press("ctrl+p")
    w.wait(lambda s: s["palette_open"] and s["text_field_active"], "the palette")
    w.xdotool("type", "--delay", "15", "bounding")
    w.wait(lambda s: s["palette_filter"] == "bounding", "typed: no key acts")
    assert w.state["map"] == "lambda" and w.state["generation"] == 1, w.state["map"]
    w.press("Return")
    w.wait(lambda s: not s["palette_open"] and s["map"] == "bounding-box", "Enter runs the first")
    w.press("ctrl+p")
    w.wait(lambda s: s["palette_open"] and s["palette_filter"] == "", "again, empty")
    w.press("Escape")
    w.wait(lambda s: not s["palette_open"], "Esc closes it")
    w.press("ctrl+p")
    w.wait(lambda s: s["palette_open"] and s["text_field_active"], "once more")
    w.xdotool("type", "--delay", "15", "pen")
    w.wait(lambda s: s["palette_filter"] == "pen", "which is a part of Open...")
    w.press("Return")
    w.wait(lambda s: s["pen"]["on"] and not s["list_open"], "the command of this name comes first")
    w.press("F7")
    w.wait(lambda s: not s["pen"]["on"], "F7 puts it down")
    w.press("z")
    w.wait(lambda s: s["workspace"] == "mandelbrot", "the other workspace")
    click(w, w.state["menus"]["Compare"])
    click(w, w.wait(lambda s: "Compare/Exhaustive" in s["menus"], "its own commands")["menus"]["Compare/Exhaustive"])
    w.wait(lambda s: s["mandelbrot"]["method"] == "exhaustive", "and they run")
    # A menu that the mouse has opened takes arrow keys and Enter, which then belong to the picture again.
    click(w, w.state["menus"]["Help"])
    w.wait(lambda s: "Help/Start screen" in s["menus"], "Help")
    w.press_on("Down")
    w.press("Return")
    w.wait(lambda s: (s["show_help"] or s["start_button"][2] > 0) and not s["list_open"], "Enter runs one of the first items")
    w.press("Escape")
    before = w.wait(lambda s: not s["show_help"] and s["start_button"][2] == 0, "Esc")["mandelbrot"]["view"]
    w.press("Right")
    w.wait(lambda s: s["mandelbrot"]["view"][0] > before[0] and not s["keys_in_controls"], "the picture moves")

    def find(text, wanted, why):
        w.press("ctrl+p")
        w.wait(lambda s: s["palette_open"] and s["text_field_active"], "the palette")
        w.xdotool("type", "--delay", "15", text)
        w.wait(lambda s: s["palette_filter"] == text, text)
        w.press("Return")
        return w.wait(lambda s: not s["palette_open"] and wanted(s), why)

    # What is no command: of this workspace and of others.
    find("vicsek", lambda s: s["workspace"] == "life" and s["fractal"] == "vicsek", "a fractal")
    find("seahorse", lambda s: s["workspace"] == "mandelbrot" and s["mandelbrot"]["view"][2] == 0.02, "a stop of the tour")
    find("play tour", lambda s: s["mandelbrot"]["tour_plays"] and s["mandelbrot"]["view"][2] == 0.02, "the tour goes on from there")
    w.press("space")
    w.wait(lambda s: not s["mandelbrot"]["tour_plays"], "Space pauses it")
    find("gasket-seven", lambda s: s["workspace"] == "life" and s["fractal"] == "sierpinski-gasket" and s["population"], "a pattern")
    find("tile size", lambda s: s["ringed"] == "block", "a setting is ringed")
    w.wait(lambda s: s["ringed"] is None, "for a while")
    w.press("ctrl+d")
    w.wait(lambda s: s["places"]["count"] == 1, "a bookmark")
    name = w.state["places"]["names"][0]
    w.press("1", "z")
    w.wait(lambda s: s["workspace"] == "mandelbrot", "elsewhere")
    find(name, lambda s: s["workspace"] == "life", "the bookmark")
    find("share", lambda s: "painted cells" in s["message"], "Copy as command, by a word of what it is for: a pattern is no option")
    w.quit()


def tooltips(t):
    """A tooltip comes after a while, beside what it is about, and goes with a click."""
    w = t.window("--paused", "--level", "5", "--size", "1280x1000")
    undo = w.state["undo"]["place"]
    for area in (undo, [undo[0] + undo[2] + 20, undo[1], 60, undo[3]]):  # Redo stands beside it
        x, y, width, height = area
        w.move(x + width / 2, y + height / 2)
        asked = time.monotonic()
        tip = w.wait(lambda s: s["tooltip"]["text"] and s["tooltip"]["item"][0] >= x - 20, "a tooltip")["tooltip"]
        assert time.monotonic() - asked > 0.7, "it comes too soon"
        assert not overlap(tip["item"], tip["area"]), tip
        w.move(*w.centre())
        w.wait(lambda s: s["tooltip"]["text"] == "", "it goes with the mouse")
    x, y, width, height = w.state["rule_field"]
    w.move(x + width / 2, y + height / 2)
    w.wait(lambda s: s["tooltip"]["text"], "the rule's")
    w.xdotool("click", "1")
    w.wait(lambda s: s["tooltip"]["text"] == "" and s["text_field_active"], "a click is what it explained")
    w.quit()


def nothing_in_view(t):
    """Where nothing is to be seen, the picture says how to come back: in both workspaces."""
    w = t.window("--paused", "--level", "5", "--size", "1000x700")
    assert not w.state["nothing_in_view"]
    for key in ("Right", "Up"):
        for _ in range(8):
            w.press(key)
    for _ in range(4):
        w.press("plus")
    w.wait(lambda s: s["nothing_in_view"], "the hole in the corner of the square")
    w.press("1")
    w.wait(lambda s: s["map"] == "bounding-box" and not s["nothing_in_view"], "tiles are launched for it, and drawn")
    w.press("g")
    w.wait(lambda s: s["nothing_in_view"], "without the grid nothing of them is seen")
    w.press("c")
    w.wait(lambda s: s["colour_by"] == "block" and not s["nothing_in_view"], "unless they are coloured")
    w.press("2", "f")
    w.wait(lambda s: s["map"] == "lambda" and not s["nothing_in_view"], "F")
    w.quit()
    # A hole within a tile: the tile is seen by its idle threads, where the grid shows them.
    w = t.window("--paused", "--level", "5", "--block", "16", "--size", "1000x700")
    w.hover(12, 19)
    while w.state["cells_per_pixel"][0] > 0.005:
        before = w.state["cells_per_pixel"]
        w.xdotool("click", "4")
        w.wait(lambda s: s["cells_per_pixel"] != before and not s["zooming"], "the wheel")
    assert w.state["hovered_cell"] == [12, 19] and not w.state["nothing_in_view"], w.state["hovered_cell"]
    for grid in (False, True):
        w.press("g")
        w.wait(lambda s: s["nothing_in_view"] != grid, f"the grid: {grid}")
    w.press("g")
    w.wait(lambda s: s["nothing_in_view"], "without the grid")
    w.quit()
    w = t.window("--paused", "--level", "5", "--size", "1000x700")
    w.press("z")
    w.wait(lambda s: s["workspace"] == "mandelbrot" and not s["mandelbrot"]["nothing_in_view"], "Z")
    for _ in range(16):
        w.press("Right")
    for _ in range(4):
        w.press("plus")
    w.wait(lambda s: s["mandelbrot"]["nothing_in_view"], "far right of the set")
    w.press("f")
    w.wait(lambda s: not s["mandelbrot"]["nothing_in_view"], "F")
    # In the middle of the set no pixel escapes: Back leads out.
    whole = w.wait(lambda s: s["mandelbrot"]["fitted"] and s["mandelbrot"]["divisor"] == 1 and s["rests"], "the whole set")["mandelbrot"]["view"]
    w.move(*w.centre())
    w.xdotool("click", "--repeat", "12", "--delay", "40", "4")
    state = w.wait(lambda s: s["mandelbrot"]["nothing_in_view"] and s["mandelbrot"]["nothing_button"][2] > 0 and not s["mandelbrot"]["zooming"],
                   "one colour")
    state = w.wait(lambda s: s["rests"] and s["mandelbrot"]["views_behind"] >= state["mandelbrot"]["views_behind"], "and rests")
    # On a busy machine the notches are more than one step of the views.
    while state["mandelbrot"]["view"] != whole:
        behind = state["mandelbrot"]["views_behind"]
        click(w, state["mandelbrot"]["nothing_button"]) if state["mandelbrot"]["nothing_in_view"] else w.press("BackSpace")
        # At rest, since a button that comes and goes with a coarse picture takes no click.
        state = w.wait(lambda s: s["mandelbrot"]["views_behind"] < behind and not s["mandelbrot"]["zooming"] and s["rests"]
                       and s["mandelbrot"]["nothing_in_view"] == (s["mandelbrot"]["nothing_button"][2] > 0), "Back")
    assert not state["mandelbrot"]["nothing_in_view"], state["mandelbrot"]
    w.quit()


def lesson_views(t):
    """The views of the Mandelbrot set that a lesson goes to are none of one's own, to which Backspace goes back; nor are its settings."""
    w = t.window("--paused", "--level", "5", "--size", "1280x720", "--g", "8")
    w.press("z")
    w.wait(lambda s: s["workspace"] == "mandelbrot" and s["mandelbrot"]["divisor"] == 1, "Z")
    for views in (1, 2):
        w.press("plus")  # two of one frame are one view
        w.wait(lambda s: s["mandelbrot"]["views_behind"] == views, "+")
    w.press("BackSpace")
    before = w.wait(lambda s: s["mandelbrot"]["views_behind"] == 1 and s["mandelbrot"]["views_ahead"] == 1, "views")

    def entry_of_menu():
        click_menu(w, "Learn", "Start lesson")
        entry = "Learn/Start lesson/20. The cost model"
        area = w.wait(lambda s: entry in s["menus"], "the menu of lessons")["menus"][entry]
        w.move(*w.centre())  # over its item the submenu would open again
        w.wait(lambda s: s["popups"] == 2, "the menu and its submenu")
        for popups in (1, 0):
            w.press("Escape")
            w.wait(lambda s: s["popups"] == popups, "Esc")
        return area

    entry = entry_of_menu()
    w.press("l")
    w.wait(lambda s: s["lesson"]["list"], "L: the list")
    click(w, place(w, "dp-and-ask"))
    w.wait(lambda s: s["lesson"]["name"] == "dp-and-ask" and s["mandelbrot"]["view"] != before["mandelbrot"]["view"] and
           s["mandelbrot"]["divisor"] == 1, "the lesson's view")
    w.press("ctrl+Right")
    w.wait(lambda s: s["lesson"]["step"] == 2, "the next step")
    w.wait(lambda s: s["rests"], "the field for the answer has the keyboard")
    assert entry_of_menu() == entry, "a lesson moves no entry of the menu"
    w.press("plus")
    click(w, place(w, "x"))
    keys = ("view", "views_behind", "views_ahead", "g", "r", "b")
    w.wait(lambda s: s["lesson"]["name"] is None and all(s["mandelbrot"][k] == before["mandelbrot"][k] for k in keys),
           "one's own views")
    # A second lesson begins before the workspace shows what the first one has put back.
    w.press("z")
    w.wait(lambda s: s["workspace"] == "life", "Z")
    for name in ("dp-and-ask", "cost-model"):
        w.press("l")
        w.wait(lambda s: s["lesson"]["list"], "L: the list")
        click(w, place(w, name))
        w.wait(lambda s: s["lesson"]["name"] == name and s["mandelbrot"]["g"] != before["mandelbrot"]["g"] and s["mandelbrot"]["divisor"] == 1, name)
        click(w, place(w, "x"))
        w.wait(lambda s: s["lesson"]["name"] is None and s["workspace"] == "life", "the lesson ends")
    w.press("z")
    w.wait(lambda s: s["workspace"] == "mandelbrot" and all(s["mandelbrot"][k] == before["mandelbrot"][k] for k in keys), "one's own settings")
    w.quit()


def in_sight(ring):
    """Whether the ring around a highlighted control is in a window of 1280 x 720."""
    if ring is None:
        return False
    x, y, width, height = ring
    return width > 20 and height > 15 and x >= 0 and y >= 0 and x + width <= 1281 and y + height <= 721


def lesson_highlights(t):
    """Every control that a bundled lesson points at is really ringed, in sight, with the large text of a projector."""
    lessons = json.loads(subprocess.run([t.program, "lesson", "--list", "--json"], capture_output=True, text=True,
                                        check=True).stdout)["lessons"]
    w = t.window("--paused", "--level", "4", "--size", "1280x720", "--ui-scale", "1.5")
    ringed = set()

    w.press("l")
    for one in lessons:
        # By keys: the last ones of the list are below its edge.
        w.wait(lambda s: s["lesson"]["list"] and one["name"] in s["lesson"]["places"], f"the list has {one['name']}")
        while w.state["lesson"]["selected"] != one["name"]:
            selected = w.state["lesson"]["selected"]
            w.press("Down")
            w.wait(lambda s: s["lesson"]["selected"] != selected, "the next lesson")
        w.press("Return")
        for step in range(1, one["steps"] + 1):
            if step > 1:
                w.press("Next")  # Ctrl Right is a key of the editor of code
            state = w.wait(lambda s: s["lesson"]["name"] == one["name"] and s["lesson"]["step"] == step
                           and (s["lesson"]["highlight"] is None or in_sight(s["lesson"]["ring"]))
                           and s["lesson"]["changed"] is not None, f"{one['name']}, step {step}: the ring")
            assert state["lesson"]["changed"] == "", (one["name"], step, "it begins with its own scene", state["lesson"])
            assert state["message"] == "", (one["name"], step, state["message"])
            if state["lesson"]["highlight"]:
                ringed.add(state["lesson"]["highlight"])
        click(w, place(w, "Lessons"))
        w.wait(lambda s: s["lesson"]["list"], "the list")
    assert len(ringed) >= 12, ringed
    w.quit()


def clipping(t):
    """From 800 x 600 to 3840 x 2160 and with text of 1 to 2.5 times the size, no window has content beyond its edges, unless it
    scrolls."""
    screen = Display("-screen", "0", "3840x2160x24")
    try:
        for scale in ("1", "1.5", "2", "2.5"):
            w = Window(screen, t.program, "--paused", "--level", "6", "--size", "1280x720", "--ui-scale", scale)
            t.windows.append(w)

            def unclipped(what):
                w.wait(lambda s: s["clipped"] == [], f"{what}: at text scale {scale} and {w.state['size']} nothing is clipped")

            for size in ((800, 600), (1280, 720), (1920, 1080), (3840, 2160)):
                w.resize(*size)
                unclipped("Life")
            w.resize(1280, 720)
            w.press("x")
            w.wait(lambda s: s["show_thread"], "X")
            unclipped("Explain")
            w.press("v")
            w.wait(lambda s: len(s["panes_beside"]) == 2, "V")
            for size in ((1280, 720), (1920, 1080)):
                w.resize(*size)
                unclipped("Compare")
            w.press("v", "z")
            w.wait(lambda s: s["workspace"] == "mandelbrot", "Z")
            for size in ((800, 600), (1280, 720), (3840, 2160)):
                w.resize(*size)
                unclipped("Mandelbrot")
            w.press("l")
            w.wait(lambda s: s["lesson"]["list"], "the list of lessons")
            unclipped("Lessons")
            w.quit()
    finally:
        screen.close()


def lesson_file(t):
    """A lesson of one's own is played, and read again when it was changed; one with a mistake changes nothing."""
    with tempfile.NamedTemporaryFile("w+", suffix=".toml") as file:
        def write(text):
            file.seek(0)
            file.truncate()
            file.write('title = "Mine"\n' + text)
            file.flush()

        step = '[[step]]\ntext = "There are {=cells} cells."\n[step.scene]\nlevel = 3\n'
        write(step)
        w = t.window("--paused", "--lesson", file.name, "--level", "5")
        w.wait(lambda s: s["lesson"]["name"] == file.name and s["level"] == 3, "one's own lesson")
        write(step + "fractal = \"sierpinsky\"\n")
        click(w, place(w, "Reload"))
        state = w.wait(lambda s: s["lesson"]["message"] != "", "a mistake is answered")
        assert f"{file.name}:6: unknown fractal 'sierpinsky'" in state["lesson"]["message"], state["lesson"]
        assert (state["level"], state["lesson"]["step"]) == (3, 1), "all is as it was"
        # A level that no machine holds ends no window.
        write(step.replace("level = 3", "level = 41"))
        click(w, place(w, "Reload"))
        state = w.wait(lambda s: "level 41" in s["lesson"]["message"], "so is a level that no memory holds")
        assert f"{file.name}:5: " in state["lesson"]["message"] and state["level"] == 3, state["lesson"]
        write(step + step.replace("level = 3", "level = 2"))
        click(w, place(w, "Reload"))
        w.wait(lambda s: s["lesson"]["message"] == "" and s["lesson"]["steps"] == 2, "the changed lesson")
        w.press("shift+F9")
        w.wait(lambda s: s["strip_area"][3] == 0 and not s["show_panels"], "Tab: the picture alone")
        w.press("shift+F9", "ctrl+Right")
        w.wait(lambda s: s["level"] == 2 and s["strip_area"][3] > 0, "its second step")
        w.press("z")
        w.wait(lambda s: s["workspace"] == "mandelbrot" and s["strip_area"][3] > 0, "over the other workspace too")
        w.press("ctrl+Left")
        w.wait(lambda s: s["workspace"] == "life" and s["level"] == 3, "a step of the first workspace")
        w.quit()


def browse(w, key, name):
    """Opens a file dialog, types a name over the one that is there and takes it."""
    w.press(key)
    w.wait(lambda s: s["files"]["open"] and "browser name" in s["files"]["places"] and s["text_field_active"], "the dialog")
    w.press("ctrl+a")
    w.xdotool("type", "--delay", "20", name)
    w.wait(lambda s: s["files"]["name"] == name, "the name")
    w.press("Return")


def scene_files(t):
    """Save, go on, open: the same cells, settings and view; by key, from the list of recent files, from the command line."""
    with tempfile.TemporaryDirectory() as folder:
        file = os.path.join(folder, "mine.loom")
        w = t.window("--paused", "--level", "6", "--map", "compact", "--rule", "B3/S23")
        w.wait(lambda s: s["title"] == "Life - Fractal Loom", "a new scene has the name of its workspace")
        w.press("period", "period", "period")
        w.wait(lambda s: s["generation"] == 3, "three generations")
        w.hover(2, 50)
        w.press("e")
        w.wait(lambda s: s["edit_cells"], "E")
        before = w.state["hash"]
        w.xdotool("click", "1")
        w.wait(lambda s: s["hash"] != before, "a cell is painted")
        w.press("plus", "plus", "z")
        w.wait(lambda s: s["workspace"] == "mandelbrot" and s["mandelbrot"]["divisor"] == 1, "Z")
        w.wait(lambda s: s["title"] == "Mandelbrot* - Fractal Loom", "the scene is not saved")
        w.press("i", "z")
        saved = w.wait(lambda s: s["workspace"] == "life" and s["mandelbrot"]["scheme"] == "mbr", "I, Z")
        browse(w, "ctrl+s", file)
        state = w.seen(lambda s: s["files"]["done"].startswith("saved mine.loom") and not s["files"]["open"] and s["message"], "saved")
        assert state["message"].startswith("Saved " + file) and state["message_kind"] == "success", state["message"]
        w.wait(lambda s: s["title"] == "mine.loom - Fractal Loom", "the title names the file")
        scene, _ = read_scene(file)
        assert (scene["life"]["cells"]["hash"], scene["life"]["cells"]["generation"]) == (saved["hash"], 3), scene
        w.press("ctrl+BackSpace", "f", "1", "shift+r")
        w.wait(lambda s: s["generation"] == 0 and s["map"] == "bounding-box" and s["hash"] != saved["hash"], "something else")
        w.wait(lambda s: s["title"] == "mine.loom* - Fractal Loom", "and that the scene is another")
        click(w, w.state["menus"]["File"])
        recent = w.wait(lambda s: "recent 0" in s["files"]["places"], "the menu")["files"]["places"]["recent 0"]
        click(w, recent)
        same = ("hash", "generation", "map", "rule", "level", "cells_per_pixel", "view_origin", "edit_cells", "seed")
        back = w.wait(lambda s: s["hash"] == saved["hash"], "the saved cells")
        back = w.wait(lambda s: all(s[key] == saved[key] for key in same), "all as it was")
        assert back["mandelbrot"]["scheme"] == "mbr"
        w.wait(lambda s: s["title"] == "mine.loom - Fractal Loom", "opened, it is the file's")
        w.press("ctrl+z")
        w.wait(lambda s: s["map"] == "bounding-box" and s["generation"] == 0, "opening is undone")
        w.wait(lambda s: s["title"] == "mine.loom* - Fractal Loom", "which is another scene")
        w.press("ctrl+y")
        w.wait(lambda s: s["map"] == "compact" and s["title"] == "mine.loom - Fractal Loom", "redone")
        name = subprocess.run(["xdotool", "getwindowname", w.id], env=t.display.environment, capture_output=True, text=True)
        assert name.stdout == "mine.loom - Fractal Loom\n", name.stdout
        w.quit()

        w = t.window(file)
        again = w.wait(lambda s: s["hash"] == saved["hash"], "opened from the command line")
        assert all(again[key] == saved[key] for key in same), again
        assert again["files"]["file"] == file
        w.press("period")
        w.wait(lambda s: s["generation"] == 4, "it goes on")
        w.press("ctrl+s")
        w.wait(lambda s: s["files"]["done"].startswith("saved mine.loom"), "saved over itself, unasked")
        for _ in range(2):  # each time the name is there to be typed over
            w.press("ctrl+shift+s")
            w.wait(lambda s: s["files"]["open"] and s["text_field_active"], "the dialog")
            w.settle()
            w.xdotool("type", "--delay", "60", "other")
            w.wait(lambda s: s["files"]["name"].endswith("other"), "typed")
            assert w.state["files"]["name"] == "other", w.state["files"]["name"]
            w.press("Escape")
            w.wait(lambda s: not s["files"]["open"], "Escape")
        w.press("l")
        w.wait(lambda s: s["lesson"]["list"], "the lessons")
        w.press("Return")
        w.wait(lambda s: s["lesson"]["name"] == "bounding-box" and s["text_field_active"], "a lesson")
        w.press("Escape")
        w.wait(lambda s: not s["text_field_active"], "out of its field")
        browse(w, "ctrl+o", file)
        w.wait(lambda s: s["lesson"]["name"] is None and s["map"] == "compact" and s["generation"] == 4, "a scene that is opened ends the lesson")
        w.quit()
        result = t.life_json("--open", file, "--steps", "6")
        assert result["generation"] == 10

        picture = os.path.join(folder, "picture.png")
        subprocess.run([t.program, "shot", "--backend", "cpu", "--open", file, "--steps", "2", "--out", picture], check=True,
                       timeout=120)
        assert t.life_json("--open", picture, "--steps", "0")["hash"] == t.life_hash("--open", file, "--steps", "2")
        w = t.window(picture)
        w.wait(lambda s: s["generation"] == 6 and s["map"] == "compact", "a picture opens")
        w.quit()


def bad_scene(t):
    """What is no scene is answered, and the window stays as it was."""
    with tempfile.TemporaryDirectory() as folder:
        good = os.path.join(folder, "good.loom")
        t.life_json("--level", "6", "--steps", "3", "--save", good)
        scene, cells = read_scene(good)
        w = t.window("--paused", "--level", "5")
        start = w.state
        for name, change, word in (("newer", lambda j: j.update(version=99), "newer"),
                                   ("deep", lambda j: j["life"].update(level=60), "level"),
                                   ("large", lambda j: j["life"].update(level=30), "needs"),
                                   ("broken", None, "JSON")):
            file = os.path.join(folder, name + ".loom")
            wrong = json.loads(json.dumps(scene))
            if change:
                change(wrong)
            write_scene(file, wrong, cells)
            if not change:
                os.truncate(file, 99)
            browse(w, "ctrl+o", file)
            # It is said in the last frame of the dialog, which an Escape in that frame would be for.
            said = w.wait(lambda s: word in s["message"] and not s["files"]["open"], f"{name} is refused")
            assert said["files"]["done"] == "" and said["message"].count(name + ".loom") == 1, said["message"]
            for key in ("hash", "level", "generation", "rule", "palette", "workspace"):
                assert said[key] == start[key], (name, key)
            w.press("Escape")
            w.wait(lambda s: s["message"] == "", "Escape closes the message")
            done = subprocess.run([t.program, "life", "--backend", "cpu", "--open", file], capture_output=True, text=True)
            assert done.returncode in (2, 3) and done.stderr.count("\n") == 1 and word in done.stderr, done
        browse(w, "ctrl+o", os.path.join(folder, "none.loom"))
        w.wait(lambda s: "does not exist" in s["files"]["problem"], "the dialog stays and says why")
        w.press("Escape")
        w.wait(lambda s: not s["files"]["open"], "Escape closes it")
        w.quit()


def kept_scene(t):
    """What was shown when the window ended is offered by the next one: after a quit, SIGTERM and a lost screen."""
    def open_and_change():
        w = t.window()
        w.press("space")
        w.wait(lambda s: not s["playing"], "space pauses")
        w.press("shift+r", "period")
        return w, w.wait(lambda s: s["generation"] == 1, "a reseed and a step")

    def is_offered(seed):
        w = t.window()
        w.wait(lambda s: s["files"]["offered"] != "" and "restore" in s["files"]["places"], "the offer")
        w.press("space")
        w.wait(lambda s: not s["playing"], "space pauses")
        click(w, w.state["files"]["places"]["restore"])
        return w, w.wait(lambda s: s["generation"] == 1 and s["seed"] == seed, "it goes on")

    w, ended = open_and_change()
    w.quit()
    w, offered = is_offered(ended["seed"])
    assert offered["hash"] == ended["hash"]
    w.press("shift+r", "period")
    # Without a hash the engine still works on the reseed.
    ended = w.wait(lambda s: s["generation"] == 1 and s["seed"] != offered["seed"] and s["hash"] is not None, "another")
    w.process.terminate()
    w.finish()
    w, offered = is_offered(ended["seed"])
    assert offered["hash"] == ended["hash"]
    w.quit()
    # Who begins something else is offered nothing more; the File menu still has it.
    w = t.window()
    w.wait(lambda s: s["files"]["offered"] != "", "the offer")
    w.press("space")
    w.wait(lambda s: not s["playing"], "space pauses")
    w.press("ctrl+BackSpace")
    state = w.wait(lambda s: s["population"] == 0 and s["files"]["offered"] == "", "cleared: no offer")
    assert state["files"]["last_session"] != "", state["files"]
    click(w, state["menus"]["File"])
    w.wait(lambda s: s["list_open"] and "last_session" in s["files"]["places"], "the File menu")
    click(w, w.state["files"]["places"]["last_session"])
    w.wait(lambda s: s["generation"] == 1 and s["seed"] == offered["seed"] and s["hash"] == offered["hash"], "restored")
    w.quit()
    w = t.window()
    w.wait(lambda s: "dismiss" in s["files"]["places"], "the offer")
    click(w, w.state["files"]["places"]["dismiss"])
    session = w.wait(lambda s: s["files"]["offered"] == "" and s["files"]["last_session"] != "", "dismissed")["files"]["last_session"]
    w.quit()
    # Where nothing was done, the last session stays; where something was, it is among the recent files.
    w = t.window()
    assert w.wait(lambda s: s["files"]["offered"] != "", "the offer")["files"]["last_session"] == session
    w.press("space", "ctrl+BackSpace")
    w.wait(lambda s: not s["playing"] and s.get("population") == 0, "cleared")
    w.quit()
    kept = os.path.join(t.display.state_home.name, "fractal-loom", "last-2.loom")
    cells = read_scene(kept)[0]["life"]["cells"]
    assert cells.get("seed") == offered["seed"], cells
    # A screen of its own to lose.
    screen = Display()
    w = Window(screen, t.program, XDG_STATE_HOME=t.display.state_home.name)
    w.press("space")
    w.wait(lambda s: not s["playing"], "space pauses")
    w.press("shift+r", "shift+r", "period")
    ended = w.wait(lambda s: s["generation"] == 1, "reseeds and a step")
    screen.server.terminate()
    assert w.process.wait(60) == 3
    screen.close()
    w, offered = is_offered(ended["seed"])
    assert offered["hash"] == ended["hash"]
    w.quit()
    # Where it cannot be kept, the window asks, once it knows; what is lost is printed. A limit of file sizes is as a full disk.
    last = os.path.join(t.display.state_home.name, "fractal-loom", "last.loom")
    with open(last, "rb") as kept:
        before = kept.read()
    with tempfile.TemporaryDirectory() as folder:
        program = os.path.join(folder, "limited")
        with open(program, "w", encoding="ascii") as script:
            script.write(f'#!/bin/bash\nulimit -f 24\nexec "{t.program}" "$@"\n')
        os.chmod(program, 0o755)
        w = Window(t.display, program, "--paused", "--level", "12", "--size", "900x600")
        t.windows.append(w)
        w.press("e")
        w.wait(lambda s: s["edit_cells"], "E")
        w.xdotool("click", "1")
        w.wait(lambda s: s["undo"]["undoes"] == "painted cells", "66 KB of cells")
        w.press("ctrl+q")
        w.wait(lambda s: s["asks_to_quit"], "what it found when it saved is no reason to lose it")
        w.press("Escape")
        w.wait(lambda s: not s["asks_to_quit"], "Escape stays")
        w.process.terminate()
        words = ended_with_loss(w)
        assert words.startswith(f"fractal-loom: lost when the window ended: the scene ({last}: cannot be written: File too large"), words
        assert words.count("\n") == 1, words
    with open(last, "rb") as kept:
        assert kept.read() == before, "the previous scene is still there"
    screen = Display()
    state = os.path.join(screen.state_home.name, "file")
    open(state, "w").close()
    w = Window(screen, t.program, "--paused", "--workspace", "mandelbrot", XDG_STATE_HOME=state)
    w.press("plus")
    w.wait(lambda s: s["undo"]["undoes"] == "view", "+")
    screen.server.terminate()
    words = ended_with_loss(w)
    screen.close()
    assert words == (f"fractal-loom: lost when the window ended: the scene ({state}/fractal-loom/last.loom: cannot be written: Not a directory)\n"
                     "fractal-loom: the display is gone\n"), words


def undo(t):
    """Ctrl+Z and Ctrl+Y: cells, settings, levels and views; comma goes back a generation."""
    w = t.window("--paused", "--level", "6")
    hashes = {0: w.state["hash"]}
    for generation in range(1, 71):
        w.press("period")
        hashes[generation] = w.wait(lambda s: s["generation"] == generation, f"step {generation}")["hash"]
    for generation in range(69, -1, -1):
        w.press("comma")
        state = w.wait(lambda s: s["generation"] == generation, f"back to {generation}")
        assert state["hash"] == hashes[generation] and not state["playing"], generation
    w.press("comma")
    w.wait(lambda s: "generation 0" in s["message"], "there is none before 0")
    w.press("Escape")
    assert w.state["undo"]["steps"] == 0, "generations are no steps"
    for _ in range(5):
        w.press("period")
    state = w.wait(lambda s: s["generation"] == 5, "five generations")
    assert state["hash"] == hashes[5]

    def back_and_forth(before, after, what):
        w.wait(lambda s: s["undo"]["undoes"] == what, what)
        w.press("ctrl+z")
        w.wait(before, f"{what} undone")
        w.press("ctrl+y")
        w.wait(after, f"{what} done again")
        w.press("ctrl+z")
        return w.wait(before, f"{what} undone again")

    was = lambda s: s["hash"] == hashes[5] and s["generation"] == 5
    w.press("ctrl+BackSpace")
    back_and_forth(was, lambda s: s["population"] == 0, "clear all cells")
    w.press("shift+r")
    back_and_forth(lambda s: was(s) and s["seed"] == 1, lambda s: s["seed"] == 2 and s["generation"] == 0, "random start")
    w.press("greater")
    back_and_forth(lambda s: was(s) and s["level"] == 6, lambda s: s["level"] == 7, "level")
    w.press("3")
    back_and_forth(lambda s: was(s) and s["map"] == "lambda", lambda s: s["map"] == "compact", "thread map")
    fitted = w.state
    w.press("plus")
    back_and_forth(lambda s: s["view_origin"] == fitted["view_origin"] and s["cells_per_pixel"] == fitted["cells_per_pixel"],
                   lambda s: s["cells_per_pixel"] != fitted["cells_per_pixel"], "view")
    w.press("x")
    w.wait(lambda s: s["show_thread"], "X")
    w.press("e")
    w.wait(lambda s: s["edit_cells"], "E")
    w.drag(w.cell_on_screen(5, 50), w.cell_on_screen(5, 62), 1, "paint")
    painted = w.wait(lambda s: s["hash"] != hashes[5] and s["undo"]["undoes"] == "painted cells", "painted")
    w.press("ctrl+z")
    w.wait(was, "a stroke is one step")
    w.press("ctrl+y")
    w.wait(lambda s: s["hash"] == painted["hash"], "painted again")
    w.press("period", "period")
    w.wait(lambda s: s["generation"] == 7, "two generations on")
    w.press("ctrl+z")
    w.wait(was, "painting is undone, with what came of it")
    hide_metrics(w)
    w.press("ctrl+z")
    w.wait(lambda s: s["show_timing"], "T undone")
    w.press("z")
    w.wait(lambda s: s["workspace"] == "mandelbrot" and s["mandelbrot"]["divisor"] == 1, "Z")
    w.press("i")
    w.wait(lambda s: s["mandelbrot"]["scheme"] == "mbr", "I")
    w.press("ctrl+z")
    w.wait(lambda s: s["mandelbrot"]["scheme"] == "sbr", "I undone")
    w.press("plus")
    w.wait(lambda s: not s["mandelbrot"]["fitted"] and s["undo"]["undoes"] == "view", "+")
    w.resize(700, 640)
    w.press("ctrl+z")
    state = w.wait(lambda s: s["mandelbrot"]["fitted"], "the view of before was fitted, and is so in the window's new size")
    assert whole_set(state), state["mandelbrot"]["view"]
    fitted = state["mandelbrot"]["view"]
    w.resize(1100, 640)
    w.wait(lambda s: s["mandelbrot"]["view"] != fitted and whole_set(s), "and follows it")
    w.press("ctrl+y")
    w.wait(lambda s: not s["mandelbrot"]["fitted"], "+ again")
    w.press("ctrl+z")
    w.wait(lambda s: s["mandelbrot"]["fitted"], "and undone")
    w.press("ctrl+z")
    w.wait(lambda s: s["workspace"] == "life" and not s["show_thread"], "a step of the other workspace shows it")
    assert w.state["edit_cells"], "edit mode is no step"
    w.quit()


def slow_motion(t):
    """J: four generations a second, one, one in two seconds, and at full speed again."""
    w = t.window("--paused", "--level", "5")
    for speed in (250, 1000, 2000):
        w.press("j")
        w.wait(lambda s: s["ms_per_generation"] == speed, f"J, {speed} ms")
    begin = time.monotonic()
    w.press("space")
    w.wait(lambda s: s["playing"], "space plays")
    time.sleep(3)  # a speed is tested, and no state says that time passes while it plays
    w.press("space")
    end = w.wait(lambda s: not s["playing"], "space pauses")
    most = (time.monotonic() - begin) / 2 + 1
    assert 2 <= end["generation"] <= most, (end["generation"], most)
    w.press("j")
    w.wait(lambda s: s["ms_per_generation"] == 0, "J, full speed")
    w.quit()


def close_button(t):
    """The window's cross ends the program in order, even while it plays."""
    w = t.window("--level", "6")
    w.wait(lambda s: s["playing"], "it plays")
    subprocess.run([t.ask_to_close, w.id], env=t.display.environment, check=True)
    assert w.finish()["playing"]


def signals(t):
    """SIGTERM, SIGHUP and Ctrl-C in the terminal close the window as its cross does: in order, and not without a word."""
    for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT):
        w = t.window("--level", "6")
        w.wait(lambda s: s["playing"], "it plays")
        w.process.send_signal(number)
        assert w.finish()["playing"], number
    w = t.window("--paused", "--level", "1", "--block", "1")
    w.press("ctrl+4")
    start_sweep(w)
    swept(w, "results that no file holds")
    for _ in range(2):
        w.process.send_signal(signal.SIGTERM)
        w.wait(lambda s: s["asks_to_quit"], "it asks")
        w.press("Escape")  # on its way before anyone has seen the question: no answer
        w.wait(lambda s: s["asks_to_quit"] and s["quit_question"]["focused"], "it takes answers after a pause")
        w.press("Escape")
        w.wait(lambda s: not s["asks_to_quit"], "Escape stays")
    w.press("ctrl+q")
    w.wait(lambda s: s["asks_to_quit"], "it asks Ctrl Q too")
    w.press("Escape")
    state = w.wait(lambda s: not s["asks_to_quit"], "Escape stays")
    # Where nobody answers, as when the system shuts down, it ends all the same, and the next window has the results.
    w.press("ctrl+o")
    w.wait(lambda s: s["files"]["open"], "whatever else is open")
    w.process.send_signal(signal.SIGTERM)
    w.wait(lambda s: s["asks_to_quit"], "it asks once more")
    w.finish()
    next = t.window("--paused", "--level", "3", "--block", "1")
    next.press("ctrl+4")
    kept = next.wait(lambda s: s["bench"]["to_open"] != "", "the kept results are offered")["bench"]
    assert kept["to_open"].endswith("bench-results.json") and "Unsaved results" in kept["opened"][0], kept
    click(next, kept["places"]["Open open"])
    opened = next.wait(lambda s: s["bench"].get("done") == state["bench"]["done"], "they are there")["bench"]
    assert opened["status"] == "done" and opened["opened"][1] == "", opened
    next.quit()


def resizes(t):
    """A window that is pulled about between slivers and wholes never shows a picture of another moment's size."""
    w = t.window("--level", "6")
    sizes = ((1, 480), (1599, 1300), (300, 1), (1900, 1000))
    for i in range(120):
        w.xdotool("windowsize", w.id, *sizes[i % len(sizes)])
    w.resize(1000, 700)
    w.press("space")
    w.wait(lambda s: not s["playing"] and s["picture"][2] <= 1000, "it still answers")
    assert w.quit()["message"] == ""


def ended_with_loss(w):
    """What a window says that ends with status 3."""
    status = w.process.wait(60)
    w.reader.join(60)
    assert status == 3, (status, w.noise)
    return "".join(w.noise)


def display_gone(t):
    """Without its display the program ends with status 3 and one line."""
    display = Display()
    try:
        w = Window(display, t.program, "--level", "6")
        display.server.kill()
        status = w.process.wait(60)
        w.reader.join(60)
    finally:
        display.close()
    assert status == 3, (status, w.noise)
    assert w.noise == ["fractal-loom: the display is gone\n"], w.noise


def ctrl_q(t):
    """Ctrl Q quits, also from a text field."""
    w = t.window("--paused", "--level", "5", "--size", "1280x1000")
    enter_rule_field(w)
    w.quit()


def frames(t):
    """--frames N plays N frames and prints figures for every stage."""
    done = subprocess.run([t.program, "view", "--backend", "cpu", "--frames", "40", "--json", "--level", "6"],
                          env=t.display.environment, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done
    assert done.stderr == "", done.stderr
    result = json.loads(done.stdout)
    assert result["generation"] == 40
    assert result["hash"] == t.life_hash("--level", "6", "--steps", "40")
    parts = ("step", "resolve", "transfer", "draw", "panels", "present", "other")
    for stage in (*parts, "frame"):
        figures = result["stages"][stage]
        assert 0 < figures["median"] <= figures["p95"], (stage, figures)
    assert result["fps"] > 0
    whole = result["stages"]["frame"]["mean"]
    assert abs(sum(result["stages"][stage]["mean"] or 0 for stage in parts) - whole) < 0.02 * whole, result["stages"]


def no_display(t):
    """Without a display: exit 3, one line, pointing to shot."""
    environment = {k: v for k, v in os.environ.items() if k not in ("DISPLAY", "WAYLAND_DISPLAY")}
    done = subprocess.run([t.program, "view"], env=environment, capture_output=True, text=True, timeout=60)
    assert done.returncode == 3, done
    assert done.stderr.count("\n") == 1 and "shot" in done.stderr, done.stderr
    assert done.stdout == "", done.stdout


def no_glx(t):
    """A display without OpenGL: exit 3, one line, pointing to shot."""
    display = Display("-extension", "GLX")
    try:
        done = subprocess.run([t.program, "view"], env=display.environment, capture_output=True, text=True, timeout=60)
    finally:
        display.close()
    assert done.returncode == 3 and done.stdout == "", done
    assert done.stderr.count("\n") == 1 and "GLX" in done.stderr and "shot" in done.stderr, done.stderr


def thread_seconds(w):
    """What the window's own thread has computed, without its background tasks."""
    with open(f"/proc/{w.process.pid}/task/{w.process.pid}/stat", encoding="ascii") as stat:
        times = stat.read().rsplit(")", 1)[1].split()
    return (int(times[11]) + int(times[12])) / os.sysconf("SC_CLK_TCK")


def large_clipboard(t):
    """10 MB in the clipboard: a pattern of them is read in the background or refused, and a text field refuses them."""
    owner = os.path.join(os.path.dirname(t.ask_to_close), "own_clipboard")  # built beside it
    if not os.path.exists(owner):
        raise Skipped("own_clipboard was not built")
    row = "bo2o3bo" * 400 + "$\n"
    texts = {"small": b"no pattern", "pattern": ("x = 3200, y = 3600, rule = B3/S23\n" + row * (10_000_000 // len(row)) + "!\n").encode(),
             "garbage": b"abc defgh\nijk lm " * 600_000, "binary": bytes(range(1, 256)) * 40_000, "most": b"o" * 17_000_000}
    w = t.window("--paused", "--level", "5", "--size", "1280x1000")
    population = w.state["population"]
    with tempfile.TemporaryDirectory() as folder:
        def own(name):
            file = os.path.join(folder, name)
            with open(file, "wb") as out:
                out.write(texts[name])
            process = subprocess.Popen([owner, file], env=t.display.environment, stdout=subprocess.PIPE, text=True)
            t.helpers.append(process)
            assert process.stdout.readline() == "ready\n"

        for name, problem in (("small", "is not a cell"), ("pattern", "living cells"), ("garbage", "line 1"), ("binary", "clipboard"),
                              ("most", "17000000 bytes")):
            own(name)
            before = thread_seconds(w)
            w.press("ctrl+v")
            state = w.wait(lambda s: problem in s["message"], f"{name} is refused")
            used = thread_seconds(w) - before
            assert state["ghost"] is None and state["population"] == population, state
            # GLFW joins the pieces, some 0.1 s for 10 MB; the rest are frames.
            assert used < 1.5, f"{name}: {used:.2f} s of the window's thread"
            w.press("Escape")
            w.wait(lambda s: s["message"] == "", "read")
        own("garbage")
        enter_rule_field(w)
        before = w.state["rule_text"]
        used = thread_seconds(w)
        w.press("ctrl+a", "ctrl+v")
        state = w.wait(lambda s: "a text field takes at most 64" in s["message"], "the field refuses it")
        assert state["rule_text"] == before, state["rule_text"]
        w.xdotool("type", "--delay", "60", "b3/s23")
        w.wait(lambda s: s["rule"] == "B3/S23", "and can be typed into")
        assert thread_seconds(w) - used < 5, "a field of 10 MB takes a second a frame"
        w.press("Return", "z")
        w.wait(lambda s: s["workspace"] == "mandelbrot" and s["mandelbrot"]["divisor"] == 1, "Z, and a picture")
        view = w.state["mandelbrot"]["view"]
        w.press("ctrl+v")
        w.wait(lambda s: "contains no position" in s["message"], "no place either")
        assert w.state["mandelbrot"]["view"] == view
        w.press("Escape")
        w.quit()


def damaged_places(t):
    """Damaged files of XaoS and Kalles Fraktaler, dropped: a message each, and nothing of the scene is lost."""
    kalles = "Re: -0.745\r\nIm: 0.113\r\nZoom: 1E3\r\nIterations: 1000\r\n"
    xaos = "(initstate)\n(view -0.745 0.113 0.01 0.01)\n(maxiter 500)\n"
    noise = bytes((i * i * 31 + i // 7) % 256 for i in range(100_000))
    large = None
    files = {
        "cut.kfr": (kalles[:20], "no Re, Im and Zoom"), "digits.kfr": (kalles.replace("0.745", "9" * 100_000), "out of range"),
        "exponent.kfr": (kalles.replace("1E3", "1E999999999999"), "out of range"), "nan.kfr": (kalles.replace("1E3", "nan"), "not a number"),
        "negative.kfr": (kalles.replace("1E3", "-5"), "not above 0"), "empty.kfr": ("", "is empty"), "noise.kfr": (noise, "noise.kfr"),
        "large.kfr": (large, "holds a zero byte"), "cut.xpf": (xaos[:30], "not closed"), "huge.xpf": (xaos.replace("0.745", "1e400"), "is not allowed"),
        "infinite.xpf": (xaos.replace("0.01 0.01", "inf inf"), "not a number"), "flat.xpf": (xaos.replace("0.01 0.01", "0 0"), "width"),
        "noise.xpf": (noise, "noise.xpf"), "brackets.xpf": ("(" * 1_000_000, "not closed"), "commands.xpf": ("(a)" * 300_000, "no (view"),
        "large.xpf": (large, "holds a zero byte")}
    w = t.window("--paused", "--level", "5")
    before = w.state

    def let_go(file):
        subprocess.run([t.drop_files, w.id, file], env=t.display.environment, check=True, timeout=60)

    with tempfile.TemporaryDirectory() as folder:
        for name, (content, problem) in files.items():
            file = os.path.join(folder, name)
            with open(file, "wb") as out:
                if content is large:
                    out.truncate(100 << 20)
                else:
                    out.write(content if isinstance(content, bytes) else content.encode())
            let_go(file)
            state = w.wait(lambda s: name in s["message"] and problem in s["message"], name)
            assert len(state["message"]) < 300 and state["message_kind"] == "error", state["message"]
            assert (state["workspace"], state["hash"]) == ("life", before["hash"]), state
            w.press("Escape")
            w.wait(lambda s: s["message"] == "", "read")
        os.mkfifo(os.path.join(folder, "pipe.kfr"))
        let_go(os.path.join(folder, "pipe.kfr"))
        w.wait(lambda s: "regular file" in s["message"], "a pipe without a writer")
        w.press("Escape")
        with open(os.path.join(folder, "whole.kfr"), "w", encoding="ascii") as out:
            out.write(kalles)
        let_go(os.path.join(folder, "whole.kfr"))
        w.wait(lambda s: s["workspace"] == "mandelbrot", "a whole one")
    assert w.quit()["workspace"] == "mandelbrot"


def read_only_home(t):
    """Another user than root, whose home cannot be written: the window says what is not saved, works, and ends in order."""
    if os.geteuid() == 0 and shutil.which("setpriv") is None:
        raise Skipped("setpriv is not installed")
    with tempfile.TemporaryDirectory() as folder:
        home = os.path.join(folder, "home")
        os.mkdir(home, 0o555)
        program = t.program
        if os.geteuid() == 0:  # of whom no folder is read-only; the copy is where nobody may read it
            os.chmod(folder, 0o755)
            shutil.copy(t.program, folder)
            program = os.path.join(folder, "as_nobody")
            with open(program, "w", encoding="ascii") as script:
                script.write(f'#!/bin/sh\nexec setpriv --reuid 65534 --regid 65534 --clear-groups "{folder}/{os.path.basename(t.program)}" "$@"\n')
            os.chmod(program, 0o755)
        for variable in ("STATE", "CONFIG", "DATA"):
            t.display.environment.pop(f"XDG_{variable}_HOME")
        w = Window(t.display, program, "--paused", "--level", "5", HOME=home)
        t.windows.append(w)
        said = [s["message"] for s in w.states if s["message"]]
        what = "Not saved in this session: settings, bookmarks and palettes, last scene and lesson progress"
        assert said and what in said[0] and "Permission denied" in said[0], said
        w.press("period")
        w.wait(lambda s: s["generation"] == 1, "it works")
        w.press("ctrl+d")
        w.wait(lambda s: "Bookmarks cannot be saved" in s["message"] and "Permission denied" in s["message"], "a place is not saved")
        w.press("Escape", "ctrl+BackSpace")
        w.wait(lambda s: s["population"] == 0 and what in s["message"] and "Ctrl S" in s["message"], "at the first change, until it is read")
        w.press("Escape", "ctrl+plus", "ctrl+q")
        w.wait(lambda s: s["asks_to_quit"] and s["quit_question"]["focused"] == "Save and quit", "it asks")
        w.press("Escape")
        w.wait(lambda s: not s["asks_to_quit"] and s["message"] == "", "Escape stays, and it is said once")
        w.process.send_signal(signal.SIGHUP)
        w.wait(lambda s: s["asks_to_quit"], "it asks for four seconds")
        words = ended_with_loss(w)
        assert words.startswith("fractal-loom: lost when the window ended: bookmarks (") and words.count("\n") == 1, words
        for lost in ("settings (", f"the scene ({home}/.local/state/fractal-loom/last.loom: cannot be written: Permission denied)"):
            assert lost in words, words
        # A scene that is saved elsewhere is not lost.
        w = Window(t.display, program, "--paused", "--level", "5", HOME=home)
        t.windows.append(w)
        w.press("ctrl+BackSpace")
        w.wait(lambda s: s["population"] == 0 and what in s["message"], "cleared")
        w.press("Escape", "ctrl+q")
        w.wait(lambda s: s["quit_question"]["focused"] == "Save and quit", "it asks")
        w.press("Return")
        w.wait(lambda s: s["files"]["open"] and s["files"]["saves"] and s["text_field_active"], "where to save")
        w.press("Escape")
        w.wait(lambda s: not s["files"]["open"] and "stays open" in s["message"], "nowhere: it stays")
        w.press("ctrl+q")
        w.wait(lambda s: s["quit_question"]["focused"] == "Save and quit", "it asks again")
        w.press("Return")
        w.wait(lambda s: s["files"]["open"] and s["text_field_active"], "where to save")
        open_to_all = os.path.join(folder, "elsewhere")
        os.mkdir(open_to_all)
        os.chmod(open_to_all, 0o777)
        file = os.path.join(open_to_all, "scene.loom")
        w.press("ctrl+a")
        w.xdotool("type", "--delay", "20", file)
        w.wait(lambda s: s["files"]["name"] == file, "a name")
        w.press("Return")
        w.finish()
        assert read_scene(file)[0]["life"]["level"] == 5
        w = Window(t.display, program, "--paused", "--level", "5", HOME=home)
        t.windows.append(w)
        w.process.send_signal(signal.SIGTERM)
        w.finish()  # nothing was changed: nothing is lost
        assert os.listdir(home) == []
        os.chmod(home, 0o755)


class Scenario:
    def __init__(self, arguments, display):
        self.program = os.path.abspath(arguments.program)
        self.ask_to_close = os.path.abspath(arguments.ask_to_close)
        self.drop_files = os.path.join(os.path.dirname(self.ask_to_close), "drop_files")  # built beside it
        self.display = display
        self.windows = []
        self.helpers = []  # programs beside the window

    def window(self, *options, **environment):
        self.windows.append(Window(self.display, self.program, *options, **environment))
        return self.windows[-1]

    def life_json(self, *options):
        done = subprocess.run([self.program, "life", "--backend", "cpu", "--json", *options],
                              capture_output=True, text=True, check=True, timeout=120)
        return json.loads(done.stdout)

    def life_hash(self, *options):
        return self.life_json(*options)["hash"]

    def clean_up(self):
        for helper in self.helpers:
            helper.kill()
            helper.wait()
            helper.stdout.close()
        for window in self.windows:
            if window.process.poll() is None:
                window.process.kill()
                window.process.wait()


def main():
    scenarios = (maps, map_morph, methods, life, solid, solid_compare, solid_draw, reseed_clear, mouse, mandelbrot, mandelbrot_compare, mandelbrot_cancel, mandelbrot_deep, mandelbrot_turn, volume, rest, menus, box_zoom, edit, patterns, pattern_browser, pattern_files, drop, extinct, rule_field, fast_hands, side_panel, layouts, resize,
                 block_and_level, too_large, text_size, help_and_timing, documentation, pen, docked, panes, memory_strips, map_metrics, show_me, map_code, map_code_large, map_code_linked, map_exercise, map_code_hostile, race, pane_method, thread, spaces, unfold, timeline, devices, mandelbrot_devices, mandelbrot_timeline, save_figure, save_picture, save_film, evil_name, places, command, habits, does_nothing, controls_by_keys, draw_fractal, draw_levels, palettes, kept_palettes, points, start, workspaces, long_work,
                 measure_maps, open_list, bench, bench_shard, quit_unsaved, unfinished, finish_and_quit, unending, two_windows, lesson, keyboard_lesson, picture_cursor, lecture, lesson_field, lesson_point, lesson_views, lesson_highlights, clipping, tooltips, nothing_in_view,
                 lesson_file, scene_files, bad_scene, kept_scene, undo, slow_motion, close_button, signals, resizes, display_gone, ctrl_q, frames, no_display, no_glx, large_clipboard, damaged_places, read_only_home)
    if sys.argv[1:] == ["--list"]:
        print("\n".join(s.__name__ for s in scenarios))
        return 0
    parser = argparse.ArgumentParser()
    parser.add_argument("--program", required=True)
    parser.add_argument("--ask-to-close", required=True)
    parser.add_argument("scenario", choices=[s.__name__ for s in scenarios])
    arguments = parser.parse_args()
    try:
        display = Display()
    except Skipped as reason:
        print("skipped:", reason)
        return 77
    test = Scenario(arguments, display)
    try:
        next(s for s in scenarios if s.__name__ == arguments.scenario)(test)
    except Skipped as reason:
        print("skipped:", reason)
        return 77
    finally:
        test.clean_up()
        display.close()
    return 0


if __name__ == "__main__":
    sys.exit(main())
