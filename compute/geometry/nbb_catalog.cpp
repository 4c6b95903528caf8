#include "compute/geometry/nbb_catalog.h"

#include <fmt/format.h>

#include <string>

#include "compute/core/error.h"

namespace loom {

const std::vector<NbbFractal>& catalog() {
  static const std::vector<NbbFractal> fractals = {
      {"sierpinski-gasket", 2, 2, {{0, 0}, {0, 1}, {1, 1}}},
      {"sierpinski-carpet", 3, 3, {{0, 0}, {1, 0}, {2, 0}, {0, 1}, {2, 1}, {0, 2}, {1, 2}, {2, 2}}},
      {"vicsek", 3, 3, {{1, 0}, {0, 1}, {1, 1}, {2, 1}, {1, 2}}},
      {"x-fractal", 3, 3, {{0, 0}, {2, 0}, {1, 1}, {0, 2}, {2, 2}}},
      {"h-fractal", 3, 3, {{0, 0}, {2, 0}, {0, 1}, {1, 1}, {2, 1}, {0, 2}, {2, 2}}},
      {"empty-bottles", 3, 3, {{1, 0}, {0, 1}, {1, 1}, {2, 1}, {0, 2}, {1, 2}, {2, 2}}},
      {"candy",
       4,
       4,
       {{1, 0}, {2, 0}, {0, 1}, {1, 1}, {2, 1}, {3, 1}, {0, 2}, {1, 2}, {2, 2}, {3, 2}, {1, 3}, {2, 3}}},
      {"chandelier", 3, 2, {{0, 0}, {1, 0}, {2, 0}, {1, 1}}},
      {"cantor", 3, 1, {{0, 0}, {2, 0}}},
  };
  return fractals;
}

const NbbFractal& find_fractal(std::string_view name) {
  std::string names;
  for (const NbbFractal& fractal : catalog()) {
    if (fractal.name() == name) return fractal;
    names += (names.empty() ? "" : ", ") + fractal.name();
  }
  throw InputError(fmt::format("unknown fractal '{}'; allowed: {}", name, names));
}

}  // namespace loom
