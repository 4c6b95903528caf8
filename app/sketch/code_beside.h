#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/teach/thread_space.h"

namespace loom::app::sketch {

/// A line of the program's own source, and what stands in its variables once it was run.
struct CodeLine {
  std::string text;
  std::string value;  ///< "β = 2"; empty where nothing is to be said
};
/// A function as it stands in its file, taken from there when the program is built.
struct CodeBeside {
  std::string file;
  std::vector<CodeLine> lines;
};

/// The function that computes lambda (nu) under the arithmetic in use, which a GPU and, but for the forms of
/// a whole warp, a CPU run. With loop and table, values of `row`: the level, from 0, or the look-up; below 0:
/// of the last. Throw InputError as the steppers do. For the bounding box code_of_lambda gives its identity.
CodeBeside code_of_lambda(const teach::ThreadSpace& threads, Coord64 omega, int row);
/// With the tensor forms, those of the last level and what comes out; nu of a block is a column of the
/// product that maps all eight neighbours of `centre`, and has values where that is named.
CodeBeside code_of_nu(const teach::ThreadSpace& threads, Coord64 place, int row,
                      const std::optional<Coord64>& centre = {});

}  // namespace loom::app::sketch
