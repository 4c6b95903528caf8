"""The program in a window on a virtual display of its own, with the means to press keys, move the mouse and wait.

The program is started with --trace-state: it writes its state to standard error, a JSON object a line, whenever the
state changes. Tests wait for a state instead of sleeping, so that they hold on a slow machine.
"""

import itertools
import json
import os
import shutil
import socket
import struct
import subprocess
import tempfile
import threading
import time
import zlib

PATIENCE = 60  # seconds until a state that does not come is a failure


class Skipped(Exception):
    pass


def accepts(number):
    """Whether the X server of this display answers a client's first words (X11 protocol, section 8)."""
    try:
        with socket.socket(socket.AF_UNIX) as client:
            client.settimeout(PATIENCE)
            client.connect(f"/tmp/.X11-unix/X{number}")
            client.sendall(struct.pack("<BxHHHHxx", ord("l"), 11, 0, 0, 0))
            return client.recv(1) == b"\x01"
    except OSError:
        return False


def png_size(path):
    with open(path, "rb") as file:
        head = file.read(24)
    assert head[:8] == b"\x89PNG\r\n\x1a\n", head
    return tuple(int.from_bytes(head[i:i + 4], "big") for i in (16, 20))


def png_chunks(data):
    """Pairs of the kind of a chunk and its bytes, with its length and checksum."""
    at = 8
    while at < len(data):
        end = at + 12 + int.from_bytes(data[at:at + 4], "big")
        yield data[at + 4:at + 8], data[at:end]
        at = end


def rgb_of(path):
    """The pixels of a PNG file with 8 bits of red, green and blue."""
    with open(path, "rb") as file:
        packed = b"".join(chunk[8:-4] for kind, chunk in png_chunks(file.read()) if kind == b"IDAT")
    width, height = png_size(path)
    raw, stride, rows, above = zlib.decompress(packed), 3 * width, bytearray(), bytes(3 * width)
    for y in range(height):
        kind, row = raw[y * (stride + 1)], bytearray(raw[y * (stride + 1) + 1:(y + 1) * (stride + 1)])
        for i in range(stride):
            left, up, corner = (row[i - 3] if i >= 3 else 0), above[i], (above[i - 3] if i >= 3 else 0)
            near = min((left, up, corner), key=lambda one: abs(left + up - corner - one))
            row[i] = (row[i] + (0, left, up, (left + up) // 2, near)[kind]) & 255
        rows += row
        above = row
    return bytes(rows)


class Display:
    """An X server without a screen, on a display number that nobody else has. It goes by this process: of a server that ends, the
    number is free a moment before its socket is removed, and a server that took it in between would lose its own."""

    started = itertools.count()

    def __init__(self, *options):
        self.options = options
        for tool in ("Xvfb", "xdotool"):
            if shutil.which(tool) is None:
                raise Skipped(f"{tool} is not installed")
        deadline = time.monotonic() + PATIENCE
        number = None
        while number is None:
            number = self._start(1000 + (os.getpid() + next(Display.started)) % 30000)
            if number is None and time.monotonic() > deadline:
                raise RuntimeError("Xvfb did not start")
        while not accepts(number):
            if self.server.poll() is not None or time.monotonic() > deadline:
                raise RuntimeError(f"Xvfb on display {number} takes no client")
            time.sleep(0.05)
        self.environment = dict(os.environ, DISPLAY=f":{number}", XDG_SESSION_TYPE="x11")
        self.environment.pop("WAYLAND_DISPLAY", None)
        # What the program remembers between starts: it was here before.
        self.state_home = tempfile.TemporaryDirectory()
        os.mkdir(os.path.join(self.state_home.name, "fractal-loom"))
        open(os.path.join(self.state_home.name, "fractal-loom", "visited"), "w").close()
        for folder in ("STATE", "CONFIG", "DATA"):
            self.environment[f"XDG_{folder}_HOME"] = self.state_home.name

    def _start(self, wanted):
        """Returns its display's number once it listens; None where it ended, as it does where another one has the number."""
        read_end, write_end = os.pipe()
        # Without -noreset it would refuse clients for a moment whenever its last one has gone.
        self.server = subprocess.Popen(
            ["Xvfb", f":{wanted}", "-displayfd", str(write_end), "-screen", "0", "1920x1080x24", "-nolisten", "tcp", "-noreset", *self.options],
            pass_fds=[write_end], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(write_end)
        with os.fdopen(read_end) as numbers:
            number = numbers.readline().strip()
        if number:
            return int(number)
        self.server.wait()
        return None

    def set_resources(self, text):
        """What xrdb does: sets the property RESOURCE_MANAGER (atom 23, a STRING, atom 31) of the root window (X11 protocol, section 9)."""
        data = text.encode()
        padded = data + bytes(-len(data) % 4)
        with socket.socket(socket.AF_UNIX) as client, client.makefile("rb") as replies:
            client.settimeout(PATIENCE)
            client.connect(f"/tmp/.X11-unix/X{self.environment['DISPLAY'][1:]}")
            client.sendall(struct.pack("<BxHHHHxx", ord("l"), 11, 0, 0, 0))
            setup = replies.read(4 * struct.unpack("<6xH", replies.read(8))[0])
            vendor, formats = struct.unpack_from("<H3xB", setup, 16)
            root, = struct.unpack_from("<I", setup, 32 + vendor + -vendor % 4 + 8 * formats)
            client.sendall(struct.pack("<BBHIIIB3xI", 18, 0, 6 + len(padded) // 4, root, 23, 31, 8, len(data)) + padded)
            client.sendall(struct.pack("<BxH", 43, 1))  # GetInputFocus: its reply comes after the change
            replies.read(32)

    def close(self):
        self.server.terminate()
        self.server.wait()
        self.state_home.cleanup()


class Window:
    def __init__(self, display, program, *options, **environment):
        self.display = display
        self.states = []
        self.acted = 0  # states there were before the last action of the test
        self.changed = threading.Condition()
        self.noise = []
        self.output = tempfile.TemporaryFile("w+")
        self.config_home = tempfile.TemporaryDirectory()
        self.process = subprocess.Popen(
            [program, "view", "--backend", "cpu", "--json", "--trace-state", *options],
            # What one window remembers is the next one's only where a test wants it so.
            env=dict(display.environment, **(environment or {"XDG_CONFIG_HOME": self.config_home.name})), stdout=self.output, stderr=subprocess.PIPE, text=True)
        self.reader = threading.Thread(target=self._read, daemon=True)
        self.reader.start()
        self.wait(lambda s: s["picture"][3] > 0 or s["workspace"] != "life", "the first frame")
        self.id = self._find()
        self.move(*self.centre())
        self.xdotool("windowfocus", self.id)

    def _read(self):
        for line in self.process.stderr:
            try:
                state = json.loads(line)
            except ValueError:
                self.noise.append(line)
                continue
            with self.changed:
                self.states.append(state)
                self.changed.notify_all()
        with self.changed:
            self.changed.notify_all()

    def _find(self):
        deadline = time.monotonic() + PATIENCE
        while time.monotonic() < deadline:
            found = subprocess.run(["xdotool", "search", "--onlyvisible", "--name", "(^| - )Fractal Loom$"],
                                   env=self.display.environment, capture_output=True, text=True)
            if found.stdout.split():
                return found.stdout.split()[0]
            time.sleep(0.05)
        raise AssertionError("the window did not appear")

    @property
    def state(self):
        return self.states[-1]

    def act(self):
        """The test does something now, which seen() waits to see the effect of."""
        self.acted = max(0, len(self.states) - 1)

    def seen(self, wanted, what):
        """Returns the first state since the last action that was as wanted, though another one may have come since: for what goes by
        itself, as a message does."""
        return self._first(lambda: next((s for s in self.states[self.acted:] if wanted(s)), None), what)

    def wait(self, wanted, what):
        """Returns the latest state, once it is as wanted. What goes by itself may be gone between two looks: see seen()."""
        return self._first(lambda: self.states[-1] if self.states and wanted(self.states[-1]) else None, what)

    def settle(self):
        """Waits until nothing has moved for seconds since the last action."""
        self.seen(lambda s: not s["rests"], "the action arrives")
        self.wait(lambda s: s["rests"], "nothing more comes of it")

    def _first(self, look, what):
        deadline = time.monotonic() + PATIENCE
        with self.changed:
            while (found := look()) is None:
                left = deadline - time.monotonic()
                ended = self.process.poll() is not None and not self.reader.is_alive()
                if left <= 0 or ended:
                    why = "the program ended" if ended else f"waited {PATIENCE} s"
                    last = self.states[-1] if self.states else None
                    raise AssertionError(f"{what}: {why}; last state {last}; other output {self.noise}")
                self.changed.wait(min(left, 0.5))
            return found

    def xdotool(self, *words):
        subprocess.run(["xdotool", *map(str, words)], env=self.display.environment, check=True, timeout=PATIENCE)

    def press(self, *keys):
        self.act()
        for key in keys:
            self.xdotool("key", key)

    def move(self, x, y):
        self.xdotool("mousemove", round(x), round(y))

    def press_on(self, *keys):
        """Keys that each move the cursor of the controls: the next comes when it has moved."""
        for key in keys:
            before = self.state["key_cursor"]
            self.press(key)
            self.wait(lambda s: s["key_cursor"] not in (0, before), f"{key} moves the cursor of the keys")

    def resize(self, width, height):
        self.xdotool("windowsize", self.id, width, height)
        return self.wait(lambda s: s["size"] == [width, height], f"size {width} x {height}")

    def centre(self):
        x, y, width, height = self.state["picture"]
        return int(x + width / 2), int(y + height / 2)  # whole pixels, so that a drag is as long as asked

    def cell_on_screen(self, x, y):
        """The middle of a cell."""
        state = self.state
        left, top = state["picture"][:2]
        return (left + (x + 0.5 - state["view_origin"][0]) / state["cells_per_pixel"][0],
                top + (y + 0.5 - state["view_origin"][1]) / state["cells_per_pixel"][1])

    def hover(self, x, y):
        self.move(*self.cell_on_screen(x, y))
        return self.wait(lambda s: s["hovered_cell"] == [x, y], f"cursor on cell {x}, {y}")

    def drag(self, start, end, button, gesture):
        """Waits for each part: the gesture is this one, and it shows what it does while it lasts."""
        self.move(*start)
        self.xdotool("mousedown", button)
        self.wait(lambda s: s["gesture"] == gesture, f"the gesture {gesture} begins")
        self.move(*end)
        if gesture != "box":  # the others show what they do at once; a box shows when it is let go
            before = self.state
            self.wait(lambda s: s["hovered_cell"] != before["hovered_cell"] or s["view_origin"] != before["view_origin"]
                      or s is before, "the drag")
        self.xdotool("mouseup", button)
        return self.wait(lambda s: s["gesture"] == "none", f"the gesture {gesture} ends")

    def finish(self):
        """Waits for the end and returns what was printed."""
        status = self.process.wait(PATIENCE)
        self.reader.join(PATIENCE)
        self.output.seek(0)
        text = self.output.read()
        assert status == 0, f"exit status {status}; {self.noise}"
        assert not self.noise, f"unexpected output: {self.noise}"
        return json.loads(text)

    def quit(self):
        self.press("ctrl+q")
        return self.finish()
