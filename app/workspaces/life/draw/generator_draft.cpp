#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>

#include "app/files/fractal_file.h"
#include "app/workspaces/life/draw/fractal_editor.h"
#include "compute/core/error.h"
#include "compute/core/integer_math.h"
#include "compute/geometry/nbb_catalog.h"

namespace loom::app {
namespace {

const NbbFractal* of_catalogue(const std::string& name) {
  const auto found = std::ranges::find(built_in_fractals(), name, &NbbFractal::name);
  return found == built_in_fractals().end() ? nullptr : &*found;
}

bool has_same_grid(const GeneratorDraft& a, const GeneratorDraft& b) {
  if (a.s_x != b.s_x || a.s_y != b.s_y || a.offsets() != b.offsets()) return false;
  return std::ranges::all_of(a.offsets(),
                             [&](Coord32 at) { return a.turn(at.x, at.y) == b.turn(at.x, at.y); });
}

/// The grid of a draft, without its name and its other levels.
GeneratorDraft grid_of(const GeneratorDraft& draft) {
  return {.s_x = draft.s_x, .s_y = draft.s_y, .rows = draft.rows, .turns = draft.turns};
}
void set_grid(GeneratorDraft& draft, const GeneratorDraft& grid) {
  draft.s_x = grid.s_x;
  draft.s_y = grid.s_y;
  draft.rows = grid.rows;
  draft.turns = grid.turns;
}

/// All grids of a draft, and the other way round.
std::vector<GeneratorDraft> grids_of(const GeneratorDraft& draft) {
  std::vector<GeneratorDraft> grids;
  for (std::size_t i = 0; i < draft.levels(); ++i) grids.push_back(grid_of(draft.level(i)));
  return grids;
}
void set_grids(GeneratorDraft& draft, std::vector<GeneratorDraft> grids, std::size_t selected) {
  set_grid(draft, grids[selected]);
  const auto at = grids.begin() + static_cast<std::ptrdiff_t>(selected);
  draft.finer.assign(at + 1, grids.end());
  draft.coarser.assign(grids.begin(), at);
}

GeneratorDraft grid_of(const Generator& generator) {
  GeneratorDraft grid{.s_x = generator.s_x, .s_y = generator.s_y};
  for (std::size_t b = 0; b < generator.offsets.size(); ++b) {
    const Coord32 at = generator.offsets[b];
    grid.set(at.x, at.y, true);
    if (!generator.orientations.empty()) grid.turns[at.y * kMaxScale + at.x] = generator.orientations[b];
  }
  return grid;
}

Generator generator_of(const GeneratorDraft& grid) {
  Generator generator{.s_x = grid.s_x, .s_y = grid.s_y, .offsets = grid.offsets()};
  if (grid.is_turned()) {
    for (const Coord32& at : generator.offsets) generator.orientations.push_back(grid.turn(at.x, at.y));
    return generator;
  }
  // A built-in generator keeps its name and the numbers of its replicas.
  for (const NbbFractal& fractal : catalog()) {
    const Generator& built_in = fractal.generators().front();
    if (!has_same_grid(grid_of(built_in), grid)) continue;
    generator = built_in;
    generator.name = fractal.name();
  }
  return generator;
}

/// What is wrong with one grid.
std::string grid_problem(const GeneratorDraft& draft) {
  if (draft.s_x * draft.s_y < 2) return "A grid of 1 × 1 has no room for two replicas. Add columns or rows";
  const std::uint32_t replicas = draft.replicas();
  if (replicas == 0) return "No replicas yet. Click positions of the grid; at least 2 are needed";
  if (replicas == 1) return "One replica is a single point at every level; at least 2 are needed";
  return {};
}

/// Renames a draft that no longer equals the built-in fractal of its name.
void leave_catalogue(GeneratorDraft& draft) {
  const NbbFractal* const same_name = of_catalogue(draft.name);
  if (same_name == nullptr) return;
  if (!has_same_levels(draft, draft_of(*same_name))) draft.name = "my " + draft.name;
}

/// Number of replicas that are connected with the first one over sides and corners.
std::size_t connected(const std::vector<Coord32>& all) {
  std::vector<Coord32> reached = {all.front()};
  for (std::size_t next = 0; next < reached.size(); ++next) {
    for (const Coord32& other : all) {
      const auto apart = [](std::uint32_t a, std::uint32_t b) { return a > b ? a - b : b - a; };
      const bool touches = apart(other.x, reached[next].x) <= 1 && apart(other.y, reached[next].y) <= 1;
      if (touches && std::ranges::find(reached, other) == reached.end()) reached.push_back(other);
    }
  }
  return reached.size();
}

/// True if the first or last column or row of the grid has no replica.
bool has_empty_edge(const GeneratorDraft& draft) {
  const auto column = [&](std::uint32_t x) {
    for (std::uint32_t y = 0; y < draft.s_y; ++y) {
      if (draft.at(x, y)) return true;
    }
    return false;
  };
  const auto row = [&](std::uint32_t y) { return (draft.rows[y] & ((1u << draft.s_x) - 1u)) != 0; };
  return !column(0) || !column(draft.s_x - 1) || !row(0) || !row(draft.s_y - 1);
}

}  // namespace

bool has_same_levels(const GeneratorDraft& a, const GeneratorDraft& b) {
  if (a.levels() != b.levels() || a.repeats != b.repeats) return false;
  for (std::size_t i = 0; i < a.levels(); ++i) {
    if (!has_same_grid(a.level(i), b.level(i))) return false;
  }
  return true;
}

const char* name_of(BrushSymmetry symmetry) {
  static constexpr std::array kNames = {"none",           "mirror x",    "mirror y",
                                        "mirror x and y", "rotate 180°", "rotate 90°"};
  return kNames[static_cast<std::size_t>(symmetry)];
}

void GeneratorDraft::set(std::uint32_t x, std::uint32_t y, bool on) {
  const auto bit = static_cast<std::uint8_t>(1u << x);
  rows[y] = static_cast<std::uint8_t>(on ? rows[y] | bit : rows[y] & ~bit);
}

std::uint32_t GeneratorDraft::replicas() const {
  std::uint32_t count = 0;
  for (std::uint32_t y = 0; y < s_y; ++y)
    count += static_cast<std::uint32_t>(std::popcount(rows[y] & ((1u << s_x) - 1u)));
  return count;
}

std::vector<Coord32> GeneratorDraft::offsets() const {
  std::vector<Coord32> all;
  for (std::uint32_t y = 0; y < s_y; ++y) {
    for (std::uint32_t x = 0; x < s_x; ++x) {
      if (at(x, y)) all.push_back({x, y});
    }
  }
  return all;
}

const GeneratorDraft& GeneratorDraft::level(std::size_t i) const {
  if (i < coarser.size()) return coarser[i];
  return i == coarser.size() ? *this : finer[i - coarser.size() - 1];
}

bool GeneratorDraft::is_turned() const {
  return std::ranges::any_of(offsets(),
                             [&](Coord32 at) { return turn(at.x, at.y) != loom::Symmetry::kIdentity; });
}

GeneratorDraft draft_of(const NbbFractal& fractal) {
  GeneratorDraft draft{.name = fractal.name(), .repeats = fractal.repeats()};
  std::vector<GeneratorDraft> grids;
  for (const Generator& generator : fractal.generators()) grids.push_back(grid_of(generator));
  set_grids(draft, std::move(grids), 0);
  return draft;
}

DraftSize size_of(const GeneratorDraft& draft, int level) {
  DraftSize size;
  for (int i = 0; i < level; ++i) {
    const GeneratorDraft& grid = draft.level(static_cast<std::size_t>(i) % draft.levels());
    size.width *= grid.s_x;
    size.height *= grid.s_y;
    size.cells *= grid.replicas();
  }
  return size;
}

std::string problem_of(const GeneratorDraft& draft) {
  bool turned = false;
  bool oblong = false;
  for (std::size_t i = 0; i < draft.levels(); ++i) {
    const GeneratorDraft& grid = draft.level(i);
    if (std::string problem = grid_problem(grid); !problem.empty())
      return draft.levels() == 1 ? problem : fmt::format("Generator {}: {}", i + 1, problem);
    turned = turned || grid.is_turned();
    oblong = oblong || grid.s_x != grid.s_y;
  }
  if (turned && oblong) return "Turned replicas need as many columns as rows, at all levels";
  if (draft.name.empty()) return "Enter a name";
  if (!is_fractal_name(draft.name))
    return fmt::format("The name is longer than {} bytes or contains control characters", kMaxFractalName);
  const NbbFractal* const same_name = of_catalogue(draft.name);
  if (same_name != nullptr && !has_same_levels(draft_of(*same_name), draft))
    return fmt::format("A built-in fractal is named '{}'. Choose another name", draft.name);
  return {};
}

std::optional<NbbFractal> fractal_of(const GeneratorDraft& draft) {
  if (!problem_of(draft).empty()) return std::nullopt;
  std::vector<Generator> generators;
  for (std::size_t i = 0; i < draft.levels(); ++i) generators.push_back(generator_of(draft.level(i)));
  if (generators.size() == 1) generators.front().name.clear();
  try {
    return NbbFractal(draft.name, std::move(generators), draft.repeats);
  } catch (const InputError&) {
    return std::nullopt;  // a list that does not repeat, of too many cells
  }
}

std::string advice_on(const GeneratorDraft& draft) {
  const auto all = draft.offsets();
  if (all.size() < 2) return {};
  if (all.size() == std::size_t{draft.s_x} * draft.s_y) return "A full grid is a full square without holes";
  if (has_empty_edge(draft)) return "Empty edge: copies will not touch on that side";
  if (connected(all) < all.size()) return "Not all replicas touch: cells have few neighbours and die quickly";
  if (draft.s_x != draft.s_y) return "The grid is not square: points are stretched to fit the view";
  return {};
}

std::vector<Coord32> stroke(const GeneratorDraft& draft, Coord32 place, BrushSymmetry symmetry) {
  std::vector<Coord32> places = {place};
  const auto add = [&](std::uint32_t x, std::uint32_t y) {
    const Coord32 at{x, y};
    if (std::ranges::find(places, at) == places.end()) places.push_back(at);
  };
  const std::uint32_t across = draft.s_x - 1 - place.x;
  const std::uint32_t below = draft.s_y - 1 - place.y;
  if (symmetry == BrushSymmetry::kMirrorX || symmetry == BrushSymmetry::kBoth) add(across, place.y);
  if (symmetry == BrushSymmetry::kMirrorY || symmetry == BrushSymmetry::kBoth) add(place.x, below);
  if (symmetry == BrushSymmetry::kBoth || symmetry == BrushSymmetry::kHalfTurn ||
      symmetry == BrushSymmetry::kQuarterTurns)
    add(across, below);
  if (symmetry == BrushSymmetry::kQuarterTurns && draft.s_x == draft.s_y) {
    add(below, place.x);
    add(place.y, across);
  }
  return places;
}

void paint(GeneratorDraft& draft, Coord32 place, bool on, BrushSymmetry symmetry) {
  for (const Coord32& at : stroke(draft, place, symmetry)) draft.set(at.x, at.y, on);
  leave_catalogue(draft);
}

void turn(GeneratorDraft& draft, Coord32 place, loom::Symmetry by) {
  loom::Symmetry& own = draft.turns[place.y * kMaxScale + place.x];
  own = compose(by, own);
  leave_catalogue(draft);
}

void set_generator(GeneratorDraft& draft, const NbbFractal& fractal) {
  set_grid(draft, grid_of(fractal.generators().front()));
  leave_catalogue(draft);
}

void select_level(GeneratorDraft& draft, std::size_t i) {
  set_grids(draft, grids_of(draft), std::min(i, draft.levels() - 1));
}

void add_level(GeneratorDraft& draft) {
  if (draft.levels() >= kMaxDraftLevels) return;
  draft.coarser.push_back(grid_of(draft));
  leave_catalogue(draft);
}

void remove_level(GeneratorDraft& draft) {
  if (draft.levels() == 1) return;
  std::vector<GeneratorDraft> grids = grids_of(draft);
  const std::size_t here = draft.coarser.size();
  grids.erase(grids.begin() + static_cast<std::ptrdiff_t>(here));
  set_grids(draft, std::move(grids), std::min(here, draft.levels() - 2));
  leave_catalogue(draft);
}

void move_level(GeneratorDraft& draft, std::size_t i) {
  std::vector<GeneratorDraft> grids = grids_of(draft);
  const std::size_t to = std::min(i, grids.size() - 1);
  const auto at = [&](std::size_t place) { return grids.begin() + static_cast<std::ptrdiff_t>(place); };
  const GeneratorDraft moved = grids[draft.coarser.size()];
  grids.erase(at(draft.coarser.size()));
  grids.insert(at(to), moved);
  set_grids(draft, std::move(grids), to);
  leave_catalogue(draft);
}

void resize(GeneratorDraft& draft, std::uint32_t s_x, std::uint32_t s_y) {
  draft.s_x = std::clamp<std::uint32_t>(s_x, 1, kMaxScale);
  draft.s_y = std::clamp<std::uint32_t>(s_y, 1, kMaxScale);
  leave_catalogue(draft);
}

void fill_randomly(GeneratorDraft& draft, BrushSymmetry symmetry, std::uint64_t seed) {
  const std::uint32_t places = draft.s_x * draft.s_y;
  constexpr std::uint64_t kTries = 256;
  for (std::uint64_t attempt = 0; attempt < kTries; ++attempt) {
    const std::uint64_t key = splitmix64(splitmix64(seed) + attempt);
    draft.rows = {};
    std::array<std::uint8_t, kMaxScale> seen = {};
    for (std::uint32_t i = 0; i < places; ++i) {
      const Coord32 at{i % draft.s_x, i / draft.s_x};
      if ((seen[at.y] >> at.x & 1u) != 0) continue;
      const bool on = splitmix64(key + splitmix64(i)) % 8 < 5;
      for (const Coord32& with : stroke(draft, at, symmetry)) {
        seen[with.y] = static_cast<std::uint8_t>(seen[with.y] | 1u << with.x);
        draft.set(with.x, with.y, on);
      }
    }
    const std::uint32_t count = draft.replicas();
    if (count >= 2 && (count < places || places == 2)) break;
    // One orbit of the symmetry may be the whole grid: then no hole is possible.
    if (attempt + 1 == kTries) draft.rows.fill(0xff);
  }
  leave_catalogue(draft);
}

namespace {

class Raster {
 public:
  Raster(const GeneratorDraft& draft, int levels, int width, int height)
      : draft_(draft),
        width_(width),
        height_(height),
        pixels_(static_cast<std::size_t>(width) * static_cast<std::size_t>(height)),
        shares_(static_cast<std::size_t>(levels) + 1, 1) {
    for (int depth = levels - 1; depth >= 0; --depth) {
      const GeneratorDraft& grid = grid_at(depth);
      shares_[static_cast<std::size_t>(depth)] = shares_[static_cast<std::size_t>(depth) + 1] *
                                                 static_cast<double>(grid.replicas()) / (grid.s_x * grid.s_y);
    }
  }

  /// The content of `depth` levels from the coarsest down, turned by `symmetry`.
  void draw(int depth, double x, double y, double width, double height,
            loom::Symmetry symmetry = loom::Symmetry::kIdentity) {
    // A part of at most half a pixel is drawn as grey: its fraction of cells.
    constexpr double kFine = 0.5;
    if (depth + 1 == static_cast<int>(shares_.size()) || (width <= kFine && height <= kFine)) {
      add(x, y, width, height, shares_[static_cast<std::size_t>(depth)]);
      return;
    }
    const GeneratorDraft& grid = grid_at(depth);
    const double inner_width = width / grid.s_x;
    const double inner_height = height / grid.s_y;
    for (const Coord32& own : grid.offsets()) {
      // Oblong grids are not turned; such a draft is invalid.
      const bool turns = grid.s_x == grid.s_y;
      const Coord32 at = turns ? apply(symmetry, own, grid.s_x) : own;
      draw(depth + 1, x + at.x * inner_width, y + at.y * inner_height, inner_width, inner_height,
           turns ? compose(symmetry, grid.turn(own.x, own.y)) : symmetry);
    }
  }

  std::vector<float> take() { return std::move(pixels_); }

 private:
  void add(double x, double y, double width, double height, double weight) {
    const int right = std::min(width_, static_cast<int>(std::ceil(x + width)));
    const int bottom = std::min(height_, static_cast<int>(std::ceil(y + height)));
    for (int row = std::max(0, static_cast<int>(y)); row < bottom; ++row) {
      const double high = std::min(y + height, row + 1.0) - std::max(y, static_cast<double>(row));
      for (int column = std::max(0, static_cast<int>(x)); column < right; ++column) {
        const double wide = std::min(x + width, column + 1.0) - std::max(x, static_cast<double>(column));
        if (wide <= 0 || high <= 0) continue;
        auto& pixel = pixels_[static_cast<std::size_t>(row) * static_cast<std::size_t>(width_) +
                              static_cast<std::size_t>(column)];
        pixel = std::min(1.0f, pixel + static_cast<float>(wide * high * weight));
      }
    }
  }

  const GeneratorDraft& grid_at(int depth) const {
    return draft_.level(static_cast<std::size_t>(depth) % draft_.levels());
  }

  const GeneratorDraft& draft_;
  int width_;
  int height_;
  std::vector<float> pixels_;
  std::vector<double> shares_;  ///< fraction of cells of the content at each depth
};

}  // namespace

std::vector<float> level_coverage(const GeneratorDraft& draft, int level, int width, int height,
                                  bool square_points) {
  Raster raster(draft, level, width, height);
  double wide = width;
  double high = height;
  if (square_points) {
    const DraftSize size = size_of(draft, level);
    const double points = std::max(size.width / width, size.height / height);
    wide = size.width / points;
    high = size.height / points;
  }
  raster.draw(0, (width - wide) / 2, (height - high) / 2, wide, high);
  return raster.take();
}

}  // namespace loom::app
