#include "compute/check/reference_life.h"

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <new>
#include <utility>

#include "compute/check/reference_map.h"
#include "compute/core/error.h"

namespace loom {
namespace {

using Point = ReferenceLife::Point;
using Level = ReferenceLife::Level;

// Of its own, since what checks shares no code with what is checked.
std::uint64_t scramble(std::uint64_t z) {
  z += 0x9E3779B97F4A7C15u;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
  return z ^ (z >> 31);
}

std::vector<Level> levels_of(const NbbFractal& fractal, int level) {
  std::vector<Level> levels;
  for (int mu = 1; mu <= level; ++mu) {
    const Generator& generator = fractal.generator(level, mu);
    Level one{
        .scale = {generator.s_x, generator.s_y, 1}, .offsets = {}, .symmetries = generator.orientations};
    for (const Coord32& offset : generator.offsets) one.offsets.push_back({offset.x, offset.y, 0});
    levels.push_back(std::move(one));
  }
  return levels;
}

std::vector<Level> levels_of(const SolidFractal& fractal, int level) {
  const Coord3 scale = fractal.shape().scale;
  Level one{.scale = {scale.x, scale.y, scale.z}, .offsets = {}};
  for (const Coord3& offset : fractal.offsets()) one.offsets.push_back({offset.x, offset.y, offset.z});
  std::vector<Level> levels;
  for (int mu = 1; mu <= level; ++mu) levels.push_back(one);
  return levels;
}

std::uint64_t bytes_of(long double points, std::uint64_t cells) {
  // Per cell its point and, while replicas are placed, a coordinate and an index in each of two lists.
  const auto bytes = 2 * points + 9 * sizeof(std::uint64_t) * static_cast<long double>(cells);
  // This bound keeps every later product, and the sizes of the vectors, within 63 bits.
  if (bytes >= 0x1p62L) return std::numeric_limits<std::uint64_t>::max();
  return static_cast<std::uint64_t>(bytes);
}

}  // namespace

std::uint64_t ReferenceLife::bytes_needed(const NbbFractal& fractal, int level) {
  return bytes_of(static_cast<long double>(fractal.width(level)) * fractal.height(level),
                  fractal.cells(level));
}

std::uint64_t ReferenceLife::bytes_needed(const SolidFractal& fractal, int level) {
  const Coord3 size = fractal.size(level);
  return bytes_of(static_cast<long double>(size.x) * size.y * size.z, fractal.cells(level));
}

ReferenceLife::ReferenceLife(const NbbFractal& fractal, int level)
    : ReferenceLife(2, levels_of(fractal, level), bytes_needed(fractal, level)) {}

ReferenceLife::ReferenceLife(const SolidFractal& fractal, int level)
    : ReferenceLife(3, levels_of(fractal, level), bytes_needed(fractal, level)) {}

ReferenceLife::ReferenceLife(int dimensions, std::vector<Level> levels, std::uint64_t bytes)
    : dimensions_(dimensions), levels_(std::move(levels)) {
  if (bytes == std::numeric_limits<std::uint64_t>::max()) throw std::bad_alloc();
  std::uint64_t cells = 1;
  for (const Level& level : levels_) {
    for (std::size_t axis = 0; axis < 3; ++axis) sides_[axis] *= level.scale[axis];
    cells *= level.offsets.size();
  }
  places_.resize(cells);
  grid_.assign(sides_[0] * sides_[1] * sides_[2], kHole);
  place_replicas();
  next_ = grid_;
}

// A fractal of level mu consists of k fractals of level mu - 1, its content; replica b is turned by its
// symmetry and moved by H[b] times the content's size. The replica number is the digit of level mu, on axis
// (mu - 1) mod D of compact space.
void ReferenceLife::place_replicas() {
  struct Cell {
    Point at;
    std::uint64_t index;
  };
  const auto axis_of = [&](std::size_t i) { return i % static_cast<std::size_t>(dimensions_); };
  Point extent = {1, 1, 1};  // of compact space
  for (std::size_t i = 0; i < levels_.size(); ++i) extent[axis_of(i)] *= levels_[i].offsets.size();
  Point weight = {1, extent[0], extent[0] * extent[1]};  // of the next digit of each axis
  std::vector<Cell> content = {{{0, 0, 0}, 0}};
  Point size = {1, 1, 1};
  for (std::size_t i = 0; i < levels_.size(); ++i) {
    const auto& [scale, offsets, symmetries] = levels_[i];
    std::vector<Cell> whole;
    whole.reserve(content.size() * offsets.size());
    for (std::size_t b = 0; b < offsets.size(); ++b) {
      for (Cell cell : content) {
        if (!symmetries.empty()) {
          const Coord64 turned = reference_turn(symmetries[b], {cell.at[0], cell.at[1]}, size[0]);
          cell.at = {turned.x, turned.y, 0};
        }
        for (std::size_t axis = 0; axis < 3; ++axis) cell.at[axis] += offsets[b][axis] * size[axis];
        cell.index += b * weight[axis_of(i)];
        whole.push_back(cell);
      }
    }
    weight[axis_of(i)] *= offsets.size();
    for (std::size_t axis = 0; axis < 3; ++axis) size[axis] *= scale[axis];
    content = std::move(whole);
  }
  for (const Cell& cell : content) {
    places_[cell.index] = point_at(cell.at);
    grid_[places_[cell.index]] = kDead;
  }
}

void ReferenceLife::reset(const RandomStart& start) {
  for (std::uint64_t i = 0; i < places_.size(); ++i) {
    const double unit = static_cast<double>(scramble(start.seed + scramble(i)) >> 11) * 0x1p-53;
    grid_[places_[i]] = unit < start.density ? kAlive : kDead;
  }
}

std::uint32_t ReferenceLife::living_neighbours(const Point& at) const {
  std::uint32_t living = 0;
  const int depth = dimensions_ == 3 ? 1 : 0;
  for (int dz = -depth; dz <= depth; ++dz) {
    for (int dy = -1; dy <= 1; ++dy) {
      for (int dx = -1; dx <= 1; ++dx) {
        if (dx == 0 && dy == 0 && dz == 0) continue;
        const Point beside = {at[0] + dx, at[1] + dy, at[2] + dz};  // below 0 it wraps around
        if (beside[0] >= sides_[0] || beside[1] >= sides_[1] || beside[2] >= sides_[2]) continue;
        living += grid_[point_at(beside)] == kAlive;
      }
    }
  }
  return living;
}

void ReferenceLife::step_once(std::uint32_t birth, std::uint32_t survival, std::uint32_t states) {
  std::uint64_t place = 0;
  for (Point at = {0, 0, 0}; at[2] < sides_[2]; ++at[2]) {
    for (at[1] = 0; at[1] < sides_[1]; ++at[1]) {
      for (at[0] = 0; at[0] < sides_[0]; ++at[0], ++place) {
        if (grid_[place] == kHole) continue;
        const std::uint8_t state = grid_[place];
        if (state > kAlive) {
          next_[place] = static_cast<std::uint8_t>((state + 1u) % states);
          continue;
        }
        const std::uint32_t counts = state == kAlive ? survival : birth;
        const std::uint8_t otherwise = state == kAlive && states > 2 ? kAlive + 1 : kDead;
        next_[place] = (counts >> living_neighbours(at)) % 2 == 1 ? std::uint8_t{kAlive} : otherwise;
      }
    }
  }
  grid_.swap(next_);
}

void ReferenceLife::step_larger(const LargerThanLife& rule, std::uint32_t states) {
  const std::int64_t radius = rule.radius;
  const auto is_near = [&](std::int64_t dx, std::int64_t dy) {
    switch (rule.shape) {
      case Neighbourhood::kBox:
        return true;
      case Neighbourhood::kDiamond:
        return std::abs(dx) + std::abs(dy) <= radius;
      case Neighbourhood::kCircle:
        return dx * dx + dy * dy <= radius * radius + radius;
    }
    return false;
  };
  const auto width = static_cast<std::int64_t>(sides_[0]);
  const auto height = static_cast<std::int64_t>(sides_[1]);
  for (const std::uint64_t place : places_) {
    const auto x = static_cast<std::int64_t>(place % sides_[0]);
    const auto y = static_cast<std::int64_t>(place / sides_[0]);
    const std::uint8_t state = grid_[place];
    std::uint32_t living = 0;
    for (std::int64_t v = std::max<std::int64_t>(0, y - radius); v <= std::min(height - 1, y + radius); ++v) {
      for (std::int64_t u = std::max<std::int64_t>(0, x - radius); u <= std::min(width - 1, x + radius);
           ++u) {
        if (u == x && v == y && !rule.middle) continue;
        if (is_near(u - x, v - y) && grid_[static_cast<std::uint64_t>(v * width + u)] == kAlive) ++living;
      }
    }
    if (state == kDead) {
      next_[place] = rule.birth.first <= living && living <= rule.birth.last ? kAlive : kDead;
    } else if (state == kAlive && rule.survival.first <= living && living <= rule.survival.last) {
      next_[place] = kAlive;
    } else {
      next_[place] = static_cast<std::uint8_t>((state + 1u) % states);
    }
  }
  grid_.swap(next_);
}

// Stripes or layers across the diagonal, eight cells wide, alternately dead and alive, which move by one cell
// per generation.
void ReferenceLife::single_write(std::uint64_t generation) {
  for (const std::uint64_t place : places_) {
    const Point at = coordinate(place);
    grid_[place] = (at[0] + at[1] + at[2] + generation) / 8 % 2 == 1 ? kAlive : kDead;
  }
}

// A living cell counts 1 plus the exclusive or of the last three bits of its coordinates.
std::uint64_t ReferenceLife::reduction_sum() const {
  std::uint64_t sum = 0;
  for (const std::uint64_t place : places_) {
    if (grid_[place] != kAlive) continue;
    const Point at = coordinate(place);
    sum += 1 + ((at[0] % 8) ^ (at[1] % 8) ^ (at[2] % 8));
  }
  return sum;
}

Census ReferenceLife::census() const {
  Census census;
  for (std::uint64_t i = 0; i < places_.size(); ++i) {
    if (grid_[places_[i]] == kAlive) ++census.population;
    census.hash += grid_[places_[i]] * scramble(i);
  }
  return census;
}

std::vector<std::uint8_t> ReferenceLife::cells() const {
  std::vector<std::uint8_t> result(places_.size());
  for (std::uint64_t i = 0; i < places_.size(); ++i) result[i] = grid_[places_[i]];
  return result;
}

}  // namespace loom
