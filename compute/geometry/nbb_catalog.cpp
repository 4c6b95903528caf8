#include "compute/geometry/nbb_catalog.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "compute/core/error.h"

namespace loom {

const std::vector<NbbFractal>& catalog() {
  static const std::vector<NbbFractal> fractals = [] {
    std::vector<NbbFractal> all;
    for (const CatalogShape& of : kCatalogShapes) {
      const NbbShape shape = of.shape();
      std::vector<Coord32> offsets;
      for (std::uint32_t b = 0; b < shape.k; ++b) offsets.push_back({shape.offset_x[b], shape.offset_y[b]});
      all.emplace_back(std::string(of.name), of.s_x, of.s_y, offsets);
    }
    return all;
  }();
  return fractals;
}

namespace {

constexpr Symmetry kId = Symmetry::kIdentity;
constexpr Symmetry kR90 = Symmetry::kRotate90;
constexpr Symmetry kR180 = Symmetry::kRotate180;
constexpr Symmetry kR270 = Symmetry::kRotate270;
constexpr Symmetry kMx = Symmetry::kMirrorX;
constexpr Symmetry kMy = Symmetry::kMirrorY;
constexpr Symmetry kT = Symmetry::kTranspose;
constexpr Symmetry kAt = Symmetry::kAntitranspose;

Generator generator_of(std::string_view name) {
  for (const NbbFractal& fractal : catalog()) {
    if (fractal.name() != name) continue;
    Generator generator = fractal.generators().front();
    generator.name = fractal.name();
    return generator;
  }
  throw InputError(fmt::format("unknown generator '{}'", name));
}

/// All points of the scale box but some, row by row.
Generator all_but(std::uint32_t s_x, std::uint32_t s_y, const std::vector<Coord32>& holes) {
  Generator generator{s_x, s_y, {}};
  for (std::uint32_t y = 0; y < s_y; ++y) {
    for (std::uint32_t x = 0; x < s_x; ++x) {
      if (std::find(holes.begin(), holes.end(), Coord32{x, y}) == holes.end())
        generator.offsets.push_back({x, y});
    }
  }
  return generator;
}

struct Described {
  NbbFractal fractal;
  std::string_view description;
};

const std::vector<Described>& described() {
  static const std::vector<Described> all = [] {
    const Generator gasket = generator_of("sierpinski-gasket");
    const Generator triangle{3, 3, {{0, 0}, {0, 1}, {1, 1}, {0, 2}, {1, 2}, {2, 2}}};
    Generator mirrored = gasket;
    mirrored.name.clear();
    mirrored.orientations = {kId, kR90, kMx};
    Generator dragon = gasket;
    dragon.name.clear();
    dragon.orientations = {kR270, kId, kR90};
    const Generator hilbert{2, 2, {{0, 0}, {0, 1}, {1, 1}, {1, 0}}, {kT, kId, kId, kAt}};
    Generator pinwheel = all_but(4, 4, {{2, 0}, {0, 1}, {3, 2}, {1, 3}});
    pinwheel.orientations = {kId, kMx, kR90, kId, kR90, kT, kAt, kR270, kR180, kR270, kMy, kR180};
    std::vector<Described> list;
    list.push_back({NbbFractal("carpet-vicsek", {generator_of("sierpinski-carpet"), generator_of("vicsek")}),
                    "Sierpinski carpet and Vicsek cross by turns, both of scale 3."});
    list.push_back({NbbFractal("gasket-2-3", {gasket, triangle}),
                    "Gaskets of scale 2 and scale 3 by turns: levels with different scales."});
    list.push_back({NbbFractal("sieve", {all_but(4, 4, {{2, 1}}), all_but(5, 5, {{2, 2}})}),
                    "Nearly full: one hole in 4 x 4 and one in 5 x 5 by turns."});
    list.push_back({NbbFractal("thin-cross", {generator_of("vicsek"), Generator{2, 2, {{0, 0}, {1, 1}}}}),
                    "Thin: a Vicsek cross, then two replicas on a diagonal."});
    list.push_back(
        {NbbFractal("hilbert-square", {hilbert}),
         "The full square; digits of cells follow the Hilbert curve, by two transposed quarters."});
    list.push_back(
        {NbbFractal("dragon-gasket", {dragon}),
         "The gasket's offsets with two replicas rotated: a curve that branches like a dragon curve."});
    list.push_back({NbbFractal("pinwheel-carpet", {pinwheel}),
                    "A carpet of scale 4 whose quarters are rotated by 90 degrees each, with mirrored "
                    "replicas between."});
    list.push_back({NbbFractal("mirrored-gasket", {mirrored}),
                    "The gasket's offsets with one replica rotated and one mirrored."});
    return list;
  }();
  return all;
}

}  // namespace

const std::vector<NbbFractal>& level_catalog() {
  static const std::vector<NbbFractal> fractals = [] {
    std::vector<NbbFractal> all;
    for (const Described& of : described()) all.push_back(of.fractal);
    return all;
  }();
  return fractals;
}

const std::vector<NbbFractal>& built_in_fractals() {
  static const std::vector<NbbFractal> fractals = [] {
    std::vector<NbbFractal> all = catalog();
    all.insert(all.end(), level_catalog().begin(), level_catalog().end());
    return all;
  }();
  return fractals;
}

std::string_view description_of(std::string_view name) {
  for (const Described& of : described()) {
    if (of.fractal.name() == name) return of.description;
  }
  return {};
}

const NbbFractal& find_fractal(std::string_view name) {
  std::string names;
  for (const NbbFractal& fractal : built_in_fractals()) {
    if (fractal.name() == name) return fractal;
    names += (names.empty() ? "" : ", ") + fractal.name();
  }
  throw InputError(fmt::format("unknown fractal '{}'; allowed: {}", name, names));
}

}  // namespace loom
