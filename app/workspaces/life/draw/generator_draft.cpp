#include "app/workspaces/life/draw/generator_draft.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "app/files/fractal_file.h"
#include "compute/core/error.h"
#include "compute/core/integer_math.h"
#include "compute/geometry/nbb_catalog.h"

namespace loom::app {
namespace {

const NbbFractal* of_catalogue(const std::string& name) {
  const auto found = std::ranges::find(catalog(), name, &NbbFractal::name);
  return found == catalog().end() ? nullptr : &*found;
}

/// Renames a draft that no longer equals the built-in fractal of its name.
void leave_catalogue(GeneratorDraft& draft) {
  const NbbFractal* const same_name = of_catalogue(draft.name);
  if (same_name == nullptr) return;
  GeneratorDraft of_that_name = draft_of(*same_name);
  if (draft.s_x != of_that_name.s_x || draft.s_y != of_that_name.s_y ||
      draft.offsets() != of_that_name.offsets()) {
    draft.name = "my " + draft.name;
  }
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

const char* name_of(Symmetry symmetry) {
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

GeneratorDraft draft_of(const NbbFractal& fractal) {
  GeneratorDraft draft{.name = fractal.name(), .s_x = fractal.shape().s_x, .s_y = fractal.shape().s_y};
  for (const Coord32& at : fractal.offsets()) draft.set(at.x, at.y, true);
  return draft;
}

std::string problem_of(const GeneratorDraft& draft) {
  if (draft.s_x * draft.s_y < 2) return "A grid of 1 × 1 has no room for two replicas. Add columns or rows";
  const std::uint32_t replicas = draft.replicas();
  if (replicas == 0) return "No replicas yet. Click positions of the grid; at least 2 are needed";
  if (replicas == 1) return "One replica is a single point at every level; at least 2 are needed";
  if (draft.name.empty()) return "Enter a name";
  if (!is_fractal_name(draft.name))
    return fmt::format("The name is longer than {} bytes or contains control characters", kMaxFractalName);
  const NbbFractal* const same_name = of_catalogue(draft.name);
  if (same_name != nullptr && draft_of(*same_name) != draft)
    return fmt::format("A built-in fractal is named '{}'. Choose another name", draft.name);
  return {};
}

std::optional<NbbFractal> fractal_of(const GeneratorDraft& draft) {
  if (!problem_of(draft).empty()) return std::nullopt;
  return NbbFractal(draft.name, draft.s_x, draft.s_y, draft.offsets());
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

std::vector<Coord32> stroke(const GeneratorDraft& draft, Coord32 place, Symmetry symmetry) {
  std::vector<Coord32> places = {place};
  const auto add = [&](std::uint32_t x, std::uint32_t y) {
    const Coord32 at{x, y};
    if (std::ranges::find(places, at) == places.end()) places.push_back(at);
  };
  const std::uint32_t across = draft.s_x - 1 - place.x;
  const std::uint32_t below = draft.s_y - 1 - place.y;
  if (symmetry == Symmetry::kMirrorX || symmetry == Symmetry::kBoth) add(across, place.y);
  if (symmetry == Symmetry::kMirrorY || symmetry == Symmetry::kBoth) add(place.x, below);
  if (symmetry == Symmetry::kBoth || symmetry == Symmetry::kHalfTurn || symmetry == Symmetry::kQuarterTurns)
    add(across, below);
  if (symmetry == Symmetry::kQuarterTurns && draft.s_x == draft.s_y) {
    add(below, place.x);
    add(place.y, across);
  }
  return places;
}

void paint(GeneratorDraft& draft, Coord32 place, bool on, Symmetry symmetry) {
  for (const Coord32& at : stroke(draft, place, symmetry)) draft.set(at.x, at.y, on);
  leave_catalogue(draft);
}

void resize(GeneratorDraft& draft, std::uint32_t s_x, std::uint32_t s_y) {
  draft.s_x = std::clamp<std::uint32_t>(s_x, 1, kMaxScale);
  draft.s_y = std::clamp<std::uint32_t>(s_y, 1, kMaxScale);
  leave_catalogue(draft);
}

void fill_randomly(GeneratorDraft& draft, Symmetry symmetry, std::uint64_t seed) {
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

void DraftHistory::note(const GeneratorDraft& before, const GeneratorDraft& after) {
  if (before == after) return;
  if (undo_.size() == kMaxDrafts) undo_.erase(undo_.begin());
  undo_.push_back(before);
  redo_.clear();
}

void DraftHistory::undo(GeneratorDraft& draft) {
  if (undo_.empty()) return;
  redo_.push_back(std::move(draft));
  draft = std::move(undo_.back());
  undo_.pop_back();
}

void DraftHistory::redo(GeneratorDraft& draft) {
  if (redo_.empty()) return;
  undo_.push_back(std::move(draft));
  draft = std::move(redo_.back());
  redo_.pop_back();
}

}  // namespace loom::app
