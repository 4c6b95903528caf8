"""Small trees with one fault each, which structure.py must find, and the same trees without it."""

import os
import tempfile
import unittest

import structure


class StructureTest(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def write(self, path, *lines):
        place = os.path.join(self.folder.name, path)
        os.makedirs(os.path.dirname(place), exist_ok=True)
        with open(place, "w", encoding="utf-8") as file:
            file.write("".join(line + "\n" for line in lines))

    def faults(self, known=()):
        return structure.faults_of(self.folder.name, frozenset(known))

    def test_a_chain_of_folders_is_no_fault(self):
        self.write("compute/a/one.h", '#include "compute/b/two.h"', '#include "compute/a/other.h"')
        self.write("compute/b/two.h", '#include "compute/c/three.h"', '#include "generated.h"')
        self.assertEqual(self.faults(), [])

    def test_two_folders_that_include_each_other_are_found(self):
        self.write("compute/a/one.h", '#include "compute/b/two.h"')
        self.write("compute/b/other.cpp", '  #  include "compute/a/third.h"')
        (fault,) = self.faults()
        self.assertIn("compute/a -> compute/b, compute/b -> compute/a", fault)

    def test_a_circle_through_three_folders_is_found(self):
        self.write("app/a/one.cpp", '#include "app/b/two.h"')
        self.write("app/b/two.cu", '#include "app/b/c/three.h"')
        self.write("app/b/c/three.cuh", '#include "app/a/one.h"')
        self.write("app/d/four.h", '#include "app/a/one.h"')
        (fault,) = self.faults()
        self.assertIn("app/b/c -> app/a", fault)
        self.assertNotIn("app/d", fault)

    def test_a_folder_and_the_folder_in_it_may_stand_in_a_circle_too(self):
        self.write("render/one.cpp", '#include "render/gl/two.h"')
        self.write("render/gl/two.h", '#include "render/one.h"')
        self.assertEqual(len(self.faults()), 1)

    def test_a_known_circle_passes_until_it_is_gone(self):
        self.write("app/a/one.h", '#include "app/b/two.h"')
        self.write("app/b/two.h", '#include "app/a/one.h"')
        self.assertEqual(self.faults({"app/a", "app/b"}), [])
        self.assertEqual(len(self.faults({"app/a"})), 1, "a known folder excuses no other")
        self.write("app/b/two.h", "#include <vector>")
        self.assertEqual(self.faults({"app/a", "app/b"}),
                         ["app/a stands in no circle any more: take it out of KNOWN_IN_A_CIRCLE",
                          "app/b stands in no circle any more: take it out of KNOWN_IN_A_CIRCLE"])

    def test_layers_include_only_what_they_may(self):
        self.write("app/one.cpp", '#include "compute/two.h"', '#include "render/three.h"')
        self.assertEqual(self.faults(), [])
        os.remove(os.path.join(self.folder.name, "app/one.cpp"))
        for path, included in (("compute/a.h", "render/b.h"), ("compute/a.h", "app/b.h"),
                               ("compute/a.h", "tests/b.h"), ("render/a.h", "compute/b.h"),
                               ("render/a.h", "app/b.h")):
            self.write(path, f'#include "{included}"')
            self.assertEqual(self.faults(), [f"{path}: {path.split('/')[0]} may not include {included}"])
            os.remove(os.path.join(self.folder.name, path))

    def test_compute_sees_no_window(self):
        for header in ("glad/gl.h", "GLFW/glfw3.h", "glm/vec2.hpp", "imgui.h"):
            self.write("render/a.cpp", f"#include <{header}>")
            self.write("compute/a.cpp", f"#include <{header}>")
            self.assertEqual(self.faults(), [f"compute/a.cpp: compute may not include {header}"])

    def test_documents_that_are_named_exist(self):
        self.write("compute/a.h", "#include <vector>", "/// docs/maps.md and README.md explain it.")
        self.write("docs/maps.md", "See [bench](bench.md) and ../README.md.")
        self.write("README.md", "docs/none.md is missing.")
        self.write("docs/bench.md", "")
        self.assertEqual(self.faults(), ["README.md:1: there is no document docs/none.md"])
        self.write("README.md", "")
        self.write("compute/a.h", "#include <vector>", "// DESIGN.md has it.")
        self.assertEqual(self.faults(), ["compute/a.h:2: there is no document DESIGN.md"])

    def test_sources_that_guides_name_exist(self):
        self.write("app/shell/message.cpp", "#include <vector>")
        self.write("CONTRIBUTING.md", "`app/shell/message.cpp`, `message.cpp` and `scripts/run.sh --all`")
        self.write("docs/architecture.md", "`app/shell/`, `age.cpp`", "`shell/none.h`")
        self.assertEqual(self.faults(), ["docs/architecture.md:1: there is no source age.cpp",
                                         "docs/architecture.md:2: there is no source shell/none.h"])

    def test_sources_that_a_comment_names_exist(self):
        self.write("app/shell/message.cpp", "#include <vector>", "int a;  // as shell/message.cpp, not age.h", "// age.h of <cuda.h>; imgui.h", "age.h")
        self.assertEqual(self.faults(), [f"app/shell/message.cpp:{line}: there is no source age.h" for line in (2, 3)])

    def test_conflicts_of_a_merge_are_found(self):
        self.write("compute/a.h", "#include <vector>")
        self.write("docs/maps.md", "<<<<<<< HEAD", "one", "=======", "other", ">>>>>>> branch")
        self.assertEqual(self.faults(), [f"docs/maps.md:{line}: a conflict of a merge is not resolved" for line in (1, 5)])

    def test_clocks_that_may_be_set_are_found(self):
        self.write("app/bench/machine.cpp", "#include <ctime>", "std::time(nullptr)")
        self.write("app/a.cpp", "#include <chrono>", "using Clock = std::chrono::steady_clock;", "constexpr const char* a = \"std::timer\";")
        self.assertEqual(self.faults(), [])
        self.write("app/a.cpp", "#include <chrono>", "using Clock = std::chrono::system_clock;")
        self.assertEqual(len(self.faults()), 1)

    def test_what_grows_past_its_number_is_found(self):
        numbers = [6, 3, 3, 1, 1]
        names = ["lines", "source files", "types", "types named Solid...", "lines with virtual in app/shell/workspace.h"]

        def faults():
            self.write("tests/structure/sizes.txt", "# at most", *(f"{number} {name}" for number, name in zip(numbers, names)))
            return structure.size_faults(self.folder.name)

        self.write("app/shell/workspace.h", "class Workspace;", "  virtual ~Workspace();", "enum class Kind { kOne };")
        self.write("compute/solid.cuh", "struct SolidEngine;  // one class Of many", "class SolidEngine {};")
        self.write("shaders/a.frag", "void main() {}")
        self.write("docs/a.md", "class Other")
        self.assertEqual(faults(), [])
        numbers[0] = 5
        (fault,) = faults()
        self.assertIn("lines: 6, 1 more than the 5 of tests/structure/sizes.txt. The numbers there only fall", fault)
        numbers[:] = [0, 0, 0, 0, 0]
        self.assertEqual([fault.split(":")[0] for fault in faults()], names)
        names[1] = "files"
        self.assertIn("files", faults()[0])

    def test_a_tree_without_sources_is_a_fault(self):
        self.assertEqual(len(self.faults()), 1)


if __name__ == "__main__":
    unittest.main()
