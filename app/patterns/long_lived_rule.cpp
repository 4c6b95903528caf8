#include "app/patterns/long_lived_rule.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "compute/geometry/nbb_catalog.h"
#include "compute/workload/rule_text.h"

namespace loom::app::patterns {
namespace {

struct Measured {
  std::string_view fractal;
  std::string_view rule;
};
// Chosen from the named rules and 1300 others: those with the most change that have a name or are short. No
// two cells of cantor touch, so each of its cells can only switch on and off.
constexpr std::array kMeasured = {
    Measured{"sierpinski-gasket", "B1/S1"},
    Measured{"sierpinski-carpet", "B2/S23"},
    Measured{"vicsek", "B12/S2"},
    Measured{"x-fractal", "B1/S1"},
    Measured{"h-fractal", "B1/S1"},
    Measured{"empty-bottles", "B1/S1"},
    Measured{"candy", "B2/S23"},
    Measured{"chandelier", "B12/S1"},
    Measured{"cantor", "B0/S"},
};

}  // namespace

std::optional<LifeRule> long_lived_rule(const NbbFractal& fractal) {
  const auto& all = catalog();
  if (std::ranges::find(all, fractal) == all.end()) return std::nullopt;  // only the same name
  const auto found = std::ranges::find(kMeasured, fractal.name(), &Measured::fractal);
  if (found == kMeasured.end()) return std::nullopt;
  return parse_rule(found->rule);
}

}  // namespace loom::app::patterns
