#include "compute/geometry/nbb_catalog.h"

#include <fmt/format.h>

#include <string>

#include "compute/core/error.h"
#include "compute/geometry/catalog_shapes.h"

namespace loom {

const std::vector<NbbFractal>& catalog() {
  static const std::vector<NbbFractal> fractals = [] {
    std::vector<NbbFractal> all;
    for (const CatalogShape& of : kCatalogShapes) {
      all.emplace_back(std::string(of.name), of.s_x, of.s_y,
                       std::vector<Coord32>(of.offsets.begin(), of.offsets.begin() + of.k));
    }
    return all;
  }();
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
