#!/usr/bin/env python3
"""What two builds of the window show after each of the same events: trace.py OLD NEW [--seed N] [--events N] [--panes]

Draws events as monkey.py does and plays them to both programs, one after the other, each paused and under a display of its own. After each
event it waits until nothing moves, and prints a hash of the state that --trace-state writes, without times, messages and what is under way.
Where the hashes differ it prints the members that do, and ends. Events that start something without an end are left out. The same program
twice shows whether the trace is repeatable. Exit status 0 alike, 1 different, 77 skipped.
"""

import argparse
import hashlib
import json
import random
import re
import sys
import time

from monkey import START, draw
from window import Display, Skipped, Window

# What depends on the time that passes, not on the events.
VOLATILE = re.compile(r"(^|_)ms(_|$)|^(rests|message|message_kind|message_area|tooltip|map_morph|thread_path|progress|fps|samples|bytes_free|"
                      r"pause_seconds)$")
# Keys that play, measure or record: what they show depends on the machine.
TIMED = {"space", "k", "shift+k", "ctrl+e", "F6"}
LEAST = (320, 240)  # smaller windows show nothing to compare
QUIET = 0.4  # seconds without a new state; more where the program answers slowly
PATIENCE = 8  # seconds until it is said to move by itself


class Moving(Exception):
    """After the event with this index the window does not come to rest."""


def lasting(value):
    """A state without what is volatile."""
    if isinstance(value, dict):
        return {key: lasting(one) for key, one in value.items() if not VOLATILE.search(key)}
    return [lasting(one) for one in value] if isinstance(value, list) else value


def members(value, path=""):
    """Path -> value of everything that is no object."""
    if isinstance(value, dict):
        return {inner: one for key, part in value.items() for inner, one in members(part, f"{path}.{key}" if path else key).items()}
    return {path: value}


def settle(w, size, odd, answers):
    """The state once the last event has had its effect: a change of the window's height, which nothing holds back, comes after it."""
    wanted = [size[0], size[1] + odd]
    begin = time.monotonic()
    w.xdotool("windowsize", w.id, *wanted)
    w.wait(lambda s: s["size"] == wanted, f"size {wanted}")
    answers.append(time.monotonic() - begin)
    quiet = max(QUIET, 4 * max(answers[-8:]))
    deadline = time.monotonic() + PATIENCE + quiet
    seen, since = w.state, time.monotonic()
    while time.monotonic() - since < quiet or w.state["progress"]:
        if time.monotonic() > deadline:
            return None
        time.sleep(0.02)
        if lasting(w.state) != lasting(seen):
            seen, since = w.state, time.monotonic()
    plays = w.state["playing"] or w.state["solid"]["playing"] or w.state["mandelbrot"]["autopilot"]
    return None if plays else lasting(w.state)


def record(program, events):
    """The states after the events, one after the other."""
    display = Display()
    w = None
    try:
        w = Window(display, program, "--paused", "--no-config", *START)
        w.wait(lambda s: s["rests"], "the first picture is complete")
        size = [int(one) for one in START[1].split("x")]
        answers = []  # seconds
        for at, event in enumerate(events):
            if event[0] == "windowsize":
                size = [max(least, one) for least, one in zip(LEAST, event[2:])]
            else:
                w.xdotool(*(w.id if word == "W" else word for word in event))
            state = settle(w, size, 1 - at % 2, answers)
            if state is None:
                raise Moving(at)
            yield state
    finally:
        if w is not None and w.process.poll() is None:
            w.process.kill()
            w.process.wait()
        display.close()


def hash_of(state):
    return hashlib.sha256(json.dumps(state, sort_keys=True).encode()).hexdigest()[:16]


def drawn(options):
    """The events of a seed."""
    pick, size = random.Random(options.seed), (1280, 720)
    events = []
    while len(events) < options.events:
        event, size = draw(pick, size, options.panes)
        if "--repeat" in event:  # what several notches are depends on how many come within a frame
            event = event[:6] + event[-1:]
        if not TIMED.intersection(event):
            events.append(event)
    return events


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("old")
    parser.add_argument("new")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--events", type=int, default=60)
    parser.add_argument("--panes", action="store_true")
    options = parser.parse_args()
    events = drawn(options)
    old = None
    while old is None:
        try:
            old = list(record(options.old, events))
        except Moving as moving:
            print("left out, since it does not come to rest:", *events.pop(moving.args[0]), flush=True)
        except Skipped as reason:
            print("skipped:", reason)
            return 77
    try:
        for at, state in enumerate(record(options.new, events)):
            print(f"{at + 1:4}  {hash_of(state)}  {' '.join(map(str, events[at]))}", flush=True)
            before, after = members(old[at]), members(state)
            different = [path for path in {**before, **after} if before.get(path) != after.get(path)]
            if different:
                print(f"the first difference, after event {at + 1}: {hash_of(old[at])}, now {hash_of(state)}")
                for path in different:
                    print(f"  {path}: {before.get(path)}, now {after.get(path)}")
                return 1
    except Moving as moving:
        print(f"the first difference: after event {moving.args[0] + 1} the new program does not come to rest:", *events[moving.args[0]])
        return 1
    print(f"seed {options.seed}: the same state after each of {len(events)} events")
    return 0


if __name__ == "__main__":
    sys.exit(main())
