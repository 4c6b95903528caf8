#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/explain/thread_space.h"

namespace loom::app::diagram {

/// A line of the program's source, and the value of its variable after it ran.
struct SourceLine {
  std::string text;
  std::string value;  ///< "β = 2"; empty where nothing is to be said
};
/// A function as in its source file, embedded when the program is built.
struct SourceListing {
  std::string file;
  std::vector<SourceLine> lines;
};

/// The function that computes lambda (nu) under the arithmetic in use, which a GPU and, but for the forms of
/// a whole warp, a CPU run. With loop and table, values of `row`: the level, from 0, or the look-up; below 0:
/// of the last. Throw InputError as the steppers do. For the bounding box lambda_source gives its identity.
SourceListing lambda_source(const explain::ThreadSpace& threads, Coord64 omega, int row);
/// For the tensor forms: the values of the last level and the result. nu of a tile is a column of the product
/// that maps all eight neighbours of `centre`, and has values if `centre` is given.
SourceListing nu_source(const explain::ThreadSpace& threads, Coord64 place, int row,
                        const std::optional<Coord64>& centre = {});

}  // namespace loom::app::diagram
