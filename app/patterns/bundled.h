#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/patterns/pattern.h"
#include "compute/geometry/nbb_fractal.h"
#include "compute/workload/game_of_life.h"

namespace loom::app::patterns {

/// The field of a pattern; in its file the comment line "fractal: NAME, level N".
struct TargetField {
  std::string fractal;
  int level = 0;
};
std::optional<TargetField> target_field_of(const Pattern& pattern);

/// The outcome of a pattern on that field under its rule; in its file the comment line "does: still", "does:
/// period 6", "does: settles after 287, period 2" or "does: dies after 57".
struct PatternOutcome {
  std::uint64_t settles = 0;  ///< first generation that recurs, or that has no living cell
  std::uint64_t period = 1;   ///< period in generations
  bool dies = false;
  std::string words() const;  ///< "has period 2 after 287 generations"
};
std::optional<PatternOutcome> parse_outcome(std::string_view text);

/// A bundled pattern. tests/patterns checks its outcome with the reference.
struct BundledPattern {
  std::string name;  ///< "gasket-seven", as on the command line
  Pattern pattern;   ///< with rule and position
  TargetField target = {};
  PatternOutcome outcome = {};
};
/// Sorted by fractal, in the order of the catalogue. Found by scripts/pattern_search.cpp.
const std::vector<BundledPattern>& bundled_patterns();
/// Throws InputError that lists the names.
const BundledPattern& find_bundled_pattern(std::string_view name);
/// The file of that name if it exists or the name has the ending of a pattern, otherwise a bundled pattern.
/// Throws InputError.
Pattern find_pattern(const std::string& name_or_file);

/// A rule under which a random start keeps changing on a fractal of the catalogue: after 300 generations at
/// least a twentieth of the cells is alive and a tenth changes (checked by tests/patterns). Empty for other
/// fractals.
std::optional<LifeRule> long_lived_rule(const NbbFractal& fractal);

}  // namespace loom::app::patterns
