#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/patterns/pattern.h"

namespace loom::app::patterns {

/// The field that a pattern is for; in its file a comment line "fractal: NAME, level N".
struct Home {
  std::string fractal;
  int level = 0;
};
std::optional<Home> home_of(const Pattern& pattern);

/// What becomes of a pattern there under its rule; in its file a comment line "does: still", "does: period
/// 6", "does: settles after 287, period 2" or "does: dies after 57".
struct Fate {
  std::uint64_t settles = 0;  ///< the first generation that comes again, or without a living cell
  std::uint64_t period = 1;   ///< after so many
  bool dies = false;
  std::string words() const;  ///< "has period 2 after 287 generations"
};
std::optional<Fate> read_fate(std::string_view text);

/// A pattern that comes with the program. tests/patterns checks with the plain reference that it does what it
/// says.
struct BundledPattern {
  std::string name;  ///< "gasket-seven", as on the command line
  Pattern pattern;   ///< with its rule and its place
  Home home = {};
  Fate does = {};
};
/// By fractal, in the order of the catalogue. scripts/pattern_search.cpp found them.
const std::vector<BundledPattern>& bundled_patterns();
/// Throws InputError that lists the names.
const BundledPattern& find_bundled(std::string_view name);
/// A file where there is one of that name or it has the ending of a pattern, else a bundled one. Throws
/// InputError.
Pattern find_pattern(const std::string& name_or_file);

}  // namespace loom::app::patterns
