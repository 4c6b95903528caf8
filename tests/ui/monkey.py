#!/usr/bin/env python3
"""A monkey at the real window: monkey.py PROGRAM [--seed N] [--seconds S] [--panes]

Keys, clicks, wheel, drags, resizes, and switches of workspace and fractal, drawn from a seed, under a display of its own.
The program must live, answer a key within --freeze seconds, end in order when it is closed, say nothing but its state, and
its memory must reach a plateau. Where it does not, the events are played again without this or that part of them, for
--shrink seconds, and the shortest list that still fails is printed. A build with AddressSanitizer finds more:
build/asan/fractal-loom. With --panes most keys open, close and change panes, and the rest steps and switches what they show.
The summary has the resident memory of each tenth of the time. Exit status 0 passed, 1 failed, 77 skipped.
"""

import argparse
import random
import signal
import subprocess
import sys
import time

from window import Display, Skipped, Window

# What opens, closes or changes panes in either workspace.
PANE_KEYS = "v v u u q q n d k o j x g m Tab Escape Escape".split()
KEYS = ("1 2 3 bracketleft bracketright less greater Prior Next space period comma r c e f b plus minus Left Right Up Down g t a i w m "
        "z z p q o h l question Escape Escape Tab Return F6 F11 Home s d n j k x v u BackSpace shift+BackSpace ctrl+Delete shift+a shift+k shift+o shift+v ctrl+a ctrl+c ctrl+x ctrl+v ctrl+b ctrl+d ctrl+n ctrl+z ctrl+y ctrl+e ctrl+plus ctrl+minus").split()
SIZES = ((1280, 720), (1600, 1000), (640, 400), (1900, 1060), (300, 900), (120, 100), (1, 480), (1000, 700))
START = ("--size", "1280x720", "--level", "6")
# A higher one would be slow for good reasons.
HIGHEST_LEVEL = 10
# Seconds until a key is pressed again that had no answer.
AGAIN = 0.4


class Trouble(Exception):
    pass


def draw(pick, size, panes=False):
    """The next event, and the window's size after it."""
    if panes and pick.random() < 0.7:
        return ("key", pick.choice(PANE_KEYS)), size
    width, height = size
    # Half of all clicks among the controls.
    across = pick.randrange(min(330, width)) if pick.random() < 0.5 else pick.randrange(width)
    at = (across, pick.randrange(height))
    dice = pick.random()
    if dice < 0.45:
        return ("key", pick.choice(KEYS)), size
    if dice < 0.68:
        return ("mousemove", "--window", "W", *at, "click", 1), size
    if dice < 0.78:
        return ("mousemove", "--window", "W", *at, "click", "--repeat", pick.randint(1, 8), "--delay", 5, pick.choice((4, 5))), size
    if dice < 0.9:
        to = (pick.randrange(width), pick.randrange(height))
        return ("mousemove", "--window", "W", *at, "mousedown", pick.choice((1, 1, 3)), "mousemove", "--window", "W", *to, "mouseup", 1,
                "mouseup", 3), size
    size = pick.choice(SIZES)
    return ("windowsize", "W", *size), size


def resident(w):
    """KiB of it in memory, and what it shows."""
    try:
        with open(f"/proc/{w.process.pid}/status", encoding="ascii") as status:
            kib = next(int(line.split()[1]) for line in status if line.startswith("VmRSS"))
    except (OSError, StopIteration):
        kib = 0
    return kib, " ".join(str(w.state[what]) for what in ("workspace", "fractal", "level", "map", "storage", "devices", "size") if what in w.state)


def answers(w, patience):
    """Whether a key changes the state in time. It is pressed again and again, since the first may only have closed something."""
    before = len(w.states)
    deadline = time.monotonic() + patience
    while time.monotonic() < deadline:
        w.xdotool("key", "Escape", "key", "t")
        again = min(deadline, time.monotonic() + AGAIN)
        while time.monotonic() < again:
            if len(w.states) > before:
                return True
            if w.process.poll() is not None:
                return False
            time.sleep(0.01)
    return False


def ask(w, patience):
    """Seconds until it answered."""
    begin = time.monotonic()
    answered = answers(w, patience)
    if w.process.poll() is not None:
        raise Trouble(f"it ended by itself with status {w.process.returncode}")
    if not answered:
        raise Trouble(f"no answer to a key within {time.monotonic() - begin:.1f} s")
    return time.monotonic() - begin


def play(program, events, options):
    """Plays them in a fresh window. Returns the list played, the slowest answer and the most memory, and what went wrong, if anything."""
    display = Display()
    display.environment["OMP_WAIT_POLICY"] = "passive"
    played = []
    memory = []
    slowest = 0
    held = ""
    trouble = None
    w = None
    try:
        w = Window(display, program, *START)
        for event in events:
            played.append(event)
            w.xdotool(*(w.id if word == "W" else word for word in event))
            if isinstance(w.state["level"], int) and w.state["level"] > HIGHEST_LEVEL:
                w.xdotool("key", "Next", "key", "Next")
            if len(played) % 8 == 0:
                slowest = max(slowest, ask(w, options.freeze))
                memory.append(resident(w))
        slowest = max(slowest, ask(w, options.freeze))
        w.process.send_signal(signal.SIGTERM)
        try:
            w.process.wait(2)
        except subprocess.TimeoutExpired:  # it asks: something is unsaved
            w.press("ctrl+q", "ctrl+q")
            w.process.wait(20)
        if w.process.returncode != 0:
            raise Trouble(f"closed, it ended with status {w.process.returncode}")
        w.reader.join(20)
        if w.noise:
            raise Trouble("it says something else than its state")
        tenth = max(1, len(memory) // 10)
        medians = [sorted(kib for kib, _ in memory[at:at + tenth])[tenth // 2] >> 10 for at in range(0, tenth * (len(memory) // tenth), tenth)]
        held = f"at most {max(memory)[0] >> 10} MiB ({max(memory)[1]}), in time {' '.join(map(str, medians))} MiB" if memory else ""
        third = len(memory) // 3
        if third > 15:
            # What a view takes goes with it; what is lost stays under all of them, also where it came late and at one stroke.
            first, last = (sorted(kib for kib, _ in part)[len(part) // 4] for part in (memory[:third], memory[-(third // 2):]))
            if last > 1.25 * first + 65536:
                raise Trouble(f"memory grows: for most of the first third {first} KiB and more, {last} of the last sixth; {held}")
    except (Trouble, AssertionError, subprocess.SubprocessError) as error:
        words = " | ".join(line.strip() for line in (w.noise[-12:] if w else []))
        trouble = f"{error}; {words}" if words else str(error)
    finally:
        if w is not None and w.process.poll() is None:
            w.process.kill()
            w.process.wait()
        display.close()
    return played, f"slowest answer {slowest:.2f} s, {held}", trouble


def shortest(program, events, options):
    """Leaves out ever smaller parts for as long as there is time and it still fails."""
    deadline = time.monotonic() + options.shrink
    part = max(1, len(events) // 2)
    while time.monotonic() < deadline:
        begin = 0
        shorter = False
        while begin < len(events) and time.monotonic() < deadline:
            candidate = events[:begin] + events[begin + part:]
            if candidate and play(program, candidate, options)[2]:
                events = candidate
                shorter = True
            else:
                begin += part
        if part == 1 and not shorter:
            break
        part = max(1, part // 2)
    return events


def until(deadline, pick, panes):
    size = SIZES[0]
    while time.monotonic() < deadline:
        event, size = draw(pick, size, panes)
        yield event


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=15)
    parser.add_argument("--freeze", type=float, default=2)
    parser.add_argument("--shrink", type=float, default=120)
    parser.add_argument("--panes", action="store_true")
    options = parser.parse_args()
    try:
        deadline = time.monotonic() + options.seconds
        played, told, trouble = play(options.program, until(deadline, random.Random(options.seed), options.panes), options)
    except Skipped as reason:
        print(f"skipped: {reason}")
        return 77
    print(f"seed {options.seed}: {len(played)} events, {told}: {trouble or 'no trouble'}")
    if not trouble:
        return 0
    least = shortest(options.program, played, options)
    print(f"the shortest list found that still fails has {len(least)} events (W is the window):")
    for event in least:
        print("  xdotool", *event)
    return 1


if __name__ == "__main__":
    sys.exit(main())
