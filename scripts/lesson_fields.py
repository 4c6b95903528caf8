#!/usr/bin/env python3
"""Writes the tables of docs/reference/lesson-fields.md from the list of fields of a program.

    scripts/lesson_fields.py --program build/release/fractal-loom [--check]

With --check it writes nothing, and exits 1 if the tables of the page are not those of the program."""

import argparse
import json
import pathlib
import re
import subprocess
import sys

PAGE = pathlib.Path(__file__).resolve().parent.parent / "docs/reference/lesson-fields.md"
TABLE = re.compile(r"^## ([^\n]+)\n(?:(?!## |\|)[^\n]*\n)*((?:\|[^\n]*\n)+)", re.MULTILINE)
PANE = "pane#."


def section_of(name, names):
    """The heading of the page, and the name below it; nothing for a field that a sentence of the page covers."""
    for prefix, heading in (("thread.", "Thread"), ("code.", "Custom map"), ("mandelbrot.", "Mandelbrot"), ("solid.", "3-D")):
        if name.startswith(prefix):
            return heading, name[len(prefix):]
    if name.startswith(PANE):
        return None if name[len(PANE):] in names else ("Comparison with the scene", name)
    return ("Panes" if PANE + name in names else "Scene"), name


def tables(fields):
    """Heading -> its table."""
    names = {field["name"] for field in fields}
    found = {}
    for field in fields:
        if place := section_of(field["name"], names):
            rows = found.setdefault(place[0], ["| field | kind | meaning |", "|---|---|---|"])
            rows.append(f"| `{place[1]}` | {field['kind']} | {field['meaning']} |")
    return {heading: "\n".join(rows) + "\n" for heading, rows in found.items()}


def with_tables(text, new):
    missing = new.keys() - {match[1] for match in TABLE.finditer(text)}
    if missing:
        sys.exit(f"{PAGE}: no table below the heading {', '.join(sorted(missing))}")
    return TABLE.sub(lambda match: match[0][: -len(match[2])] + new.get(match[1], ""), text)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", required=True)
    parser.add_argument("--check", action="store_true")
    options = parser.parse_args()
    listed = subprocess.run([options.program, "lesson", "--fields", "--json"], check=True, stdout=subprocess.PIPE).stdout
    before = PAGE.read_text(encoding="utf-8")
    after = with_tables(before, tables(json.loads(listed)["fields"]))
    if not options.check:
        PAGE.write_text(after, encoding="utf-8")
    elif before != after:
        sys.exit(f"{PAGE} lists other fields than the program: run scripts/lesson_fields.py --program {options.program}")


if __name__ == "__main__":
    main()
