#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/explain/thread_space.h"

namespace loom::app::diagram {

/// A line of the program's source, and the value of its variable after the line was executed.
struct SourceLine {
  std::string text;
  std::string value;  ///< "β = 2"; may be empty
};
/// The text of a function in its source file, embedded at build time.
struct SourceListing {
  std::string file;
  std::vector<SourceLine> lines;
};

/// The function that computes lambda (nu) with the current arithmetic. The CPU backend runs the same
/// function, except for arithmetics that use a whole warp. With loop and table, the values are those of level
/// or look-up `row`, counted from 0; if negative, those of the last. Throw InputError as lambda_steps() and
/// nu_steps() do. For the bounding box, lambda_source() returns the identity.
SourceListing lambda_source(const explain::ThreadSpace& threads, Coord64 omega, int row);
/// With tensor arithmetics, the values are those of the last level and the result. nu of a tile is a column
/// of the product that maps all eight neighbours of `centre`, so it has values only if `centre` is given.
SourceListing nu_source(const explain::ThreadSpace& threads, Coord64 place, int row,
                        const std::optional<Coord64>& centre = {});

/// The source of the kernel that computes a generation of life with this method: the kernel, the work of its
/// thread blocks, and the map, each with the name of its file.
std::string kernel_source(const explain::ThreadSpace& threads);

}  // namespace loom::app::diagram
