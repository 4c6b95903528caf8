#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace loom::app::exporting {

/// A source file of this program, which it contains.
struct SourceFile {
  std::string_view path;
  std::string_view text;
};

/// What is taken from the sources.
struct Selection {
  std::vector<std::string> paths = {};  ///< files in an order in which each follows those that it includes
  std::string uses = {};                ///< text whose names are needed
  /// Names that stand for others, "nu_map" for "uniform_nu_map": their own definitions are left out.
  std::vector<std::pair<std::string, std::string>> aliases = {};
  std::string_view notes =
      {};  ///< lines "FILE NAME", each followed by lines that join the comment of that name
  std::vector<std::string> without = {};  ///< declarations that are left out, as they begin: "SolidFractal()"
};

/// A trimmed file: what is needed of it, as C++17 in the namespace fractal_maps.
struct TrimmedFile {
  std::string path;
  std::vector<std::string> includes;  ///< "<cstdint>", "\"compute/core/coord.h\""
  std::string text;                   ///< empty if nothing is needed; without namespace and includes
};

/// The declarations and definitions that `selection.uses` needs, and what these need, from headers and the
/// .cpp files behind them: a name brings all that is declared by it, a class its data, constructors and
/// operators, and other members by name. Comments, order and layout stay. Functions of .cpp files become
/// inline. Throws std::logic_error for a path that is not among the sources.
std::vector<TrimmedFile> trim(std::span<const SourceFile> sources, const Selection& selection);

}  // namespace loom::app::exporting
