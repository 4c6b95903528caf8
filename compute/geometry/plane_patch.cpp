#include "compute/geometry/plane_patch.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "compute/geometry/plane_program.h"

namespace loom {
namespace {

using Cell = std::pair<std::int64_t, std::int64_t>;

/// The largest number of cells around a replica; more cells would not fit into the allowed number of groups,
/// and the search stops.
constexpr std::size_t kMaxHaloCells = 20000;
/// The search around replicas with longer sides would take too long.
constexpr std::uint64_t kMostSide = 1 << 16;

/// A replica and its eight possible neighbours of the same size. Cells are given by coordinate; the replica's
/// own cells start at (0, 0).
class Surroundings {
 public:
  Surroundings(const NbbShape& shape, int levels)
      : shape_(shape),
        levels_(levels),
        occur_(directions_that_occur(shape)),
        width_(static_cast<std::int64_t>(small_power(shape.s_x, levels))),
        height_(static_cast<std::int64_t>(small_power(shape.s_y, levels))) {}

  /// The direction of the replica that contains a point; kDirections for the one in the middle.
  int box_of(Cell at) const {
    const auto side = [](std::int64_t v, std::int64_t size) { return v < 0 ? -1 : v >= size ? 1 : 0; };
    return direction_of(side(at.first, width_), side(at.second, height_));
  }
  /// The digits of a cell within its replica; -1 for a hole.
  std::int64_t digits_of(Cell at) const {
    std::int64_t x = at.first < 0 ? at.first + width_ : at.first % width_;
    std::int64_t y = at.second < 0 ? at.second + height_ : at.second % height_;
    std::int64_t digits = 0;
    std::int64_t weight = 1;
    for (int mu = 0; mu < levels_; ++mu) {
      const int replica =
          shape_.replica_at[static_cast<std::size_t>(y % shape_.s_y * shape_.s_x + x % shape_.s_x)];
      if (replica < 0) return -1;
      digits += weight * replica;
      weight *= shape_.k;
      x /= shape_.s_x;
      y /= shape_.s_y;
    }
    return digits;
  }
  bool outside(Cell at) const {
    const int box = box_of(at);
    return box != kDirections && (occur_ >> box & 1u) && digits_of(at) >= 0;
  }
  bool inside(Cell at) const { return box_of(at) == kDirections && digits_of(at) >= 0; }

  /// The cells outside that are at most `steps` steps away from a cell inside; empty if there are more than
  /// kMaxHaloCells.
  std::set<Cell> reach(int steps) const {
    std::set<Cell> seen;
    if (occur_ == 0) return seen;
    std::vector<Cell> front;
    const auto add = [&](Cell at) {
      if (outside(at) && seen.insert(at).second) front.push_back(at);
    };
    const auto touches = [&](Cell at) {
      for (std::size_t d = 0; d < kDirections; ++d) {
        if (inside({at.first + kDirectionX[d], at.second + kDirectionY[d]})) return true;
      }
      return false;
    };
    for (std::int64_t x = -1; x <= width_; ++x) {
      for (const std::int64_t y : {std::int64_t{-1}, height_}) {
        if (touches({x, y})) add({x, y});
      }
    }
    for (std::int64_t y = 0; y < height_; ++y) {
      for (const std::int64_t x : {std::int64_t{-1}, width_}) {
        if (touches({x, y})) add({x, y});
      }
    }
    for (int step = 1; step < steps; ++step) {
      for (const Cell& at : std::exchange(front, {})) {
        for (std::size_t d = 0; d < kDirections; ++d)
          add({at.first + kDirectionX[d], at.second + kDirectionY[d]});
      }
      if (seen.size() > kMaxHaloCells) return {};
    }
    return seen;
  }

 private:
  NbbShape shape_;
  int levels_;
  std::uint32_t occur_;
  std::int64_t width_;
  std::int64_t height_;
};

}  // namespace

PlanePatch make_plane_patch(const BitPlanes& planes, int levels, int generations, std::uint32_t most) {
  const NbbShape& shape = planes.shape;
  const int group_levels = planes.split.plane_levels + planes.split.bit_levels;
  PlanePatch patch;
  if (levels < 0 || group_levels + levels > planes.level) return patch;
  const std::uint64_t inside = small_power(shape.k, levels);
  const bool halo_exists = directions_that_occur(shape) != 0;
  if (std::max(small_power(shape.s_x, group_levels + levels), small_power(shape.s_y, group_levels + levels)) >
          kMostSide &&
      halo_exists)
    return patch;
  const Surroundings around(shape, group_levels + levels);
  const std::uint64_t cells_of_group = small_power(shape.k, group_levels);
  std::map<std::pair<int, std::uint64_t>, std::uint16_t> halo;  // (neighbouring replica, group in it)
  const std::set<Cell> cells = around.reach(generations);
  for (const Cell& at : cells)
    halo[{around.box_of(at), static_cast<std::uint64_t>(around.digits_of(at)) / cells_of_group}] = 0;
  if ((cells.empty() && halo_exists) || inside + halo.size() > most ||
      inside + halo.size() >= PlanePatch::kNone)
    return patch;
  patch.levels = levels;
  patch.inside = static_cast<std::uint32_t>(inside);
  patch.members = static_cast<std::uint32_t>(inside + halo.size());
  patch.generations = generations;
  std::uint32_t member = patch.inside;
  for (auto& [group, number] : halo) number = static_cast<std::uint16_t>(member++);

  const auto find = [&](int box, std::int64_t group) {
    if (group < 0) return PlanePatch::kNone;
    if (box == kDirections) return static_cast<std::uint16_t>(group);
    const auto found = halo.find({box, static_cast<std::uint64_t>(group)});
    return found == halo.end() ? PlanePatch::kNone : found->second;
  };
  patch.beside.assign(std::size_t{kDirections} * patch.members, PlanePatch::kNone);
  patch.halo.assign(halo.size(), {PlanePatch::kNone, 0});
  for (int d = 0; d < kDirections; ++d) {
    std::uint16_t* const beside = patch.beside.data() + static_cast<std::size_t>(d) * patch.members;
    for (std::uint64_t i = 0; i < inside; ++i) {
      const PlainNeighbour next = plain_neighbour(shape, levels, i, d);
      beside[i] = find(next.leaves, next.digits);
      if (beside[i] != PlanePatch::kNone && beside[i] >= inside)
        patch.halo[beside[i] - inside] = {static_cast<std::uint16_t>(i), static_cast<std::uint16_t>(d)};
    }
    for (const auto& [group, number] : halo) {
      const PlainNeighbour next = plain_neighbour(shape, levels, group.second, d);
      const auto from = static_cast<std::size_t>(group.first);
      int x = kDirectionX[from];
      int y = kDirectionY[from];
      if (next.leaves != kDirections) {
        x += kDirectionX[next.leaves];
        y += kDirectionY[next.leaves];
      }
      if (x < -1 || x > 1 || y < -1 || y > 1) continue;
      beside[number] = find(direction_of(x, y), next.digits);
    }
  }
  // A halo group that is adjacent to no inner group could not be located by its neighbour.
  if (std::any_of(patch.halo.begin(), patch.halo.end(),
                  [](const PlanePatch::HaloMember& at) { return at.inside == PlanePatch::kNone; }))
    return {};
  return patch;
}

}  // namespace loom
