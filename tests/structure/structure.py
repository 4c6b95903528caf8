"""What the folders of the source tree may include, which clocks they may ask, which documents and sources their texts name, that no merge is left
unresolved in them, and that they do not grow.

structure.py ROOT prints one line for each fault below ROOT and exits 1 where there is one.
"""

import os
import re
import sys

# The layers, and the layers that each may include.
LAYERS = {"compute": {"compute"}, "render": {"render"}, "app": {"app", "compute", "render"}}
# Folders of ImGui, OpenGL, GLFW, GLM: what compute never sees, not even from the system.
WINDOW_HEADERS = re.compile(r"(GL|GLFW|glad|EGL|glm)/|imgui")
# Folders that stand in a circle today. The list may only shrink: one that is here and in no circle is a fault.
KNOWN_IN_A_CIRCLE = frozenset()

SOURCES = (".h", ".cpp", ".cu", ".cuh")
TEXTS = SOURCES + (".c", ".md", ".py", ".sh", ".cmake", ".txt", ".toml", ".vert", ".frag")
INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*(?:"([^"]+)"|<([^>]+)>)', re.MULTILINE)
# Clocks that may be set while the program runs, or that may be such a one: what takes time is measured by steady_clock.
SET_CLOCK = re.compile(r"\b(?:system_clock|high_resolution_clock|utc_clock|gettimeofday|CLOCK_REALTIME\w*|std::time)\b")
# Writes the date into results.
DATE = "app/bench/machine.cpp"
# Names documents that do not exist, on purpose.
NO_TEXT = "tests/structure/structure_test.py"
CONFLICT = re.compile(r"(<<<<<<<|>>>>>>>) ")
# Guides for developers, and how they name a source.
GUIDES = ("CONTRIBUTING.md", "docs/architecture.md")
NAMED_SOURCE = re.compile(r"`([\w./-]+\.(?:h|cpp|cu|cuh|cmake|py|sh))`")
# How a comment of a source names another, and those of other projects that some name.
COMMENT = re.compile(r"(?:^|\s)//+\s(.*)")
SOURCE_IN_COMMENT = re.compile(r"(?<![\w/<.])([\w/-]+\.(?:h|cpp|cu|cuh|py|sh))\b")
FOREIGN_SOURCES = {"imgui.h", "imgui_internal.h", "nvml.h", "convert_corners.cpp", "fractal.cpp", "readpattern.cpp"}
# What size_faults() counts, and how much there may be of each.
SIZES = "tests/structure/sizes.txt"
SIZED_SOURCES = SOURCES + (".frag", ".vert")
TYPE = re.compile(r"\b(?:class|struct)\s+([A-Z]\w*)")  # an enum class too
WORKSPACE = "app/shell/workspace.h"
DOCUMENT = re.compile(r"(?<![\w/.-])(?:\.{1,2}/)*[\w-]+(?:/[\w-]+)*\.md\b")


def files_below(root, folders, endings):
    """Paths relative to root, with / between their parts, in order."""
    for folder in folders:
        for place, inner, names in os.walk(os.path.join(root, folder)):
            inner.sort()
            for name in sorted(names):
                if name.endswith(endings):
                    yield os.path.relpath(os.path.join(place, name), root).replace(os.sep, "/")


def read(root, path):
    with open(os.path.join(root, path), encoding="utf-8") as file:
        return file.read()


def includes_of(root):
    """(including file, included path, whether in quotes) for every #include of the layers."""
    for path in files_below(root, sorted(LAYERS), SOURCES):
        for quoted, angled in INCLUDE.findall(read(root, path)):
            yield path, quoted or angled, bool(quoted)


def folder_of(path):
    return path.rpartition("/")[0]


def graph_of(includes):
    """Folder -> the other folders that its files include in quotes. A generated header has no folder."""
    graph = {}
    for path, included, quoted in includes:
        here, there = folder_of(path), folder_of(included)
        graph.setdefault(here, set())
        if quoted and there and there != here:
            graph[here].add(there)
            graph.setdefault(there, set())
    return graph


def circles(graph):
    """The sets of folders that reach each other, of two folders or more, each sorted."""
    def reach(start):
        seen, todo = set(), [start]
        while todo:
            for folder in graph[todo.pop()] - seen:
                seen.add(folder)
                todo.append(folder)
        return seen

    reached = {folder: reach(folder) for folder in graph}
    found = {tuple(sorted(other for other in reached[folder] if folder in reached[other]))
             for folder in graph if folder in reached[folder]}
    return sorted(found)


def circle_faults(graph, known):
    faults = []
    in_a_circle = set()
    for circle in circles(graph):
        in_a_circle.update(circle)
        if set(circle) <= known:
            continue
        edges = [f"{a} -> {b}" for a in circle for b in sorted(graph[a]) if b in circle]
        faults.append("folders include each other in a circle: " + ", ".join(edges))
    for folder in sorted(known - in_a_circle):
        faults.append(f"{folder} stands in no circle any more: take it out of KNOWN_IN_A_CIRCLE")
    return faults


def layer_faults(includes):
    faults = []
    for path, included, quoted in includes:
        layer, target = path.split("/")[0], included.split("/")[0]
        if quoted and "/" in included and target not in LAYERS[layer]:
            faults.append(f"{path}: {layer} may not include {included}")
        if layer == "compute" and WINDOW_HEADERS.match(included):
            faults.append(f"{path}: compute may not include {included}")
    return faults


def clock_faults(root):
    """Sources that ask a clock which may be set: waits and durations would be wrong, or without end."""
    return [f"{path}: asks {found[0]}, which may be set at any time: steady_clock measures time"
            for path in files_below(root, sorted(LAYERS), SOURCES) if path != DATE
            if (found := SET_CLOCK.search(read(root, path)))]


def text_faults(root, folders):
    """Conflict markers of a merge, and names of .md files that are neither beside the file that names them nor at the root nor in docs."""
    faults = []
    beside_the_folders = sorted(name for name in os.listdir(root)
                                if name.endswith(TEXTS) and os.path.isfile(os.path.join(root, name)))
    for path in [*beside_the_folders, *files_below(root, folders, TEXTS)]:
        if path == NO_TEXT:
            continue
        for number, line in enumerate(read(root, path).splitlines(), 1):
            if CONFLICT.match(line):
                faults.append(f"{path}:{number}: a conflict of a merge is not resolved")
            for name in DOCUMENT.findall(line):
                places = (os.path.join(root, folder_of(path)), root, os.path.join(root, "docs"))
                if not any(os.path.isfile(os.path.join(place, name)) for place in places):
                    faults.append(f"{path}:{number}: there is no document {name}")
    return faults


def named_source_faults(root):
    """Sources that a guide for developers or a comment names and that do not exist: a path, or the end of one."""
    sources = ["/" + path for path in files_below(root, [*sorted(LAYERS), "tests", "scripts"], (*SOURCES, ".cmake", ".py", ".sh"))]
    guides = [guide for guide in GUIDES if os.path.isfile(os.path.join(root, guide))]
    faults = []
    for file in guides + [path[1:] for path in sources if path.endswith(SOURCES)]:
        for number, line in enumerate(read(root, file).splitlines(), 1):
            comment = COMMENT.search(line)
            names = NAMED_SOURCE.findall(line) if file in guides else SOURCE_IN_COMMENT.findall(comment[1]) if comment else []
            for name in names:
                if name not in FOREIGN_SOURCES and not any(path.endswith("/" + name) for path in sources):
                    faults.append(f"{file}:{number}: there is no source {name}")
    return faults


def sizes_of(root):
    """What is counted -> how much there is of it in the layers and shaders."""
    sources = {path: read(root, path).splitlines() for path in files_below(root, [*sorted(LAYERS), "shaders"], SIZED_SOURCES)}
    types = {name for lines in sources.values() for line in lines for name in TYPE.findall(line.split("//")[0])}
    return {"lines": sum(map(len, sources.values())), "source files": len(sources), "types": len(types),
            "types named Solid...": sum(name.startswith("Solid") for name in types),
            f"lines with virtual in {WORKSPACE}": sum("virtual" in line for line in sources.get(WORKSPACE, ()))}


def size_faults(root):
    """What grew past its number in SIZES. Every count has a number there."""
    allowed = {}
    for line in read(root, SIZES).splitlines():
        if line and not line.startswith("#"):
            number, name = line.split(maxsplit=1)
            allowed[name] = int(number)
    sizes = sizes_of(root)
    if allowed.keys() != sizes.keys():
        return [f"{SIZES} has numbers of {', '.join(sorted(allowed))}, and not of {', '.join(sorted(sizes))}"]
    return [f"{name}: {size:,}, {size - allowed[name]:,} more than the {allowed[name]:,} of {SIZES}. The numbers there only fall: delete or merge what the "
            "change makes superfluous" for name, size in sizes.items() if size > allowed[name]]


def faults_of(root, known=KNOWN_IN_A_CIRCLE):
    includes = list(includes_of(root))
    if not includes:
        return [f"{root}: no #include below {', '.join(sorted(LAYERS))}"]
    folders = [*sorted(LAYERS), "assets", "bench", "cmake", "docs", "scripts", "shaders", "tests"]
    return circle_faults(graph_of(includes), known) + layer_faults(includes) + clock_faults(root) + text_faults(root, folders) + named_source_faults(root)


def main():
    faults = faults_of(sys.argv[1]) + size_faults(sys.argv[1])
    print("\n".join(faults) if faults else "no fault")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
