#include "compute/check/reference_life.h"

#include <limits>
#include <new>
#include <utility>

#include "compute/check/reference_map.h"
#include "compute/core/error.h"

namespace loom {
namespace {

// Of its own, since what checks shares no code with what is checked.
std::uint64_t scramble(std::uint64_t z) {
  z += 0x9E3779B97F4A7C15u;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
  return z ^ (z >> 31);
}

}  // namespace

ReferenceLife::ReferenceLife(const NbbFractal& fractal, int level)
    : width_(fractal.width(level)), height_(fractal.height(level)) {
  if (bytes_needed(fractal, level) == std::numeric_limits<std::uint64_t>::max()) throw std::bad_alloc();
  places_.resize(fractal.cells(level));
  grid_.assign(width_ * height_, kHole);
  place_replicas(fractal, level);
  next_ = grid_;
}

std::uint64_t ReferenceLife::bytes_needed(const NbbFractal& fractal, int level) {
  const auto points = static_cast<long double>(fractal.width(level)) * fractal.height(level);
  // Per cell its position and, while replicas are placed, two coordinates in each of two lists.
  const auto bytes = 2 * points + 9 * sizeof(std::uint64_t) * static_cast<long double>(fractal.cells(level));
  // This bound keeps every later product, and the sizes of the vectors, within 63 bits.
  if (bytes >= 0x1p62L) return std::numeric_limits<std::uint64_t>::max();
  return static_cast<std::uint64_t>(bytes);
}

// A fractal of level mu consists of k fractals of level mu - 1, its content; replica b is turned by its
// symmetry and moved by H[b] times the content's size. The replica number is the digit of level mu: of nu_x
// if mu is odd, of nu_y if it is even.
void ReferenceLife::place_replicas(const NbbFractal& fractal, int level) {
  struct Cell {
    Coord64 at;
    Coord64 compact;
  };
  std::vector<Cell> content = {{{0, 0}, {0, 0}}};
  std::uint64_t size_x = 1;
  std::uint64_t size_y = 1;
  std::uint64_t weights[2] = {1, 1};
  for (int mu = 1; mu <= level; ++mu) {
    const Generator& generator = fractal.generator(level, mu);
    std::vector<Cell> whole;
    whole.reserve(content.size() * generator.offsets.size());
    for (std::uint64_t b = 0; b < generator.offsets.size(); ++b) {
      const auto symmetry = generator.orientations.empty() ? Symmetry::kIdentity : generator.orientations[b];
      for (const Cell& cell : content) {
        const Coord64 turned = reference_turn(symmetry, cell.at, size_x);
        Cell placed{{turned.x + generator.offsets[b].x * size_x, turned.y + generator.offsets[b].y * size_y},
                    cell.compact};
        (mu % 2 == 1 ? placed.compact.x : placed.compact.y) += b * weights[(mu + 1) % 2];
        whole.push_back(placed);
      }
    }
    weights[(mu + 1) % 2] *= generator.offsets.size();
    size_x *= generator.s_x;
    size_y *= generator.s_y;
    content = std::move(whole);
  }
  for (const Cell& cell : content) {
    const std::uint64_t place = cell.at.y * width_ + cell.at.x;
    places_[cell.compact.y * weights[0] + cell.compact.x] = place;
    grid_[place] = kDead;
  }
}

void ReferenceLife::reset(const RandomStart& start) {
  for (std::uint64_t i = 0; i < places_.size(); ++i) {
    const double unit = static_cast<double>(scramble(start.seed + scramble(i)) >> 11) * 0x1p-53;
    grid_[places_[i]] = unit < start.density ? kAlive : kDead;
  }
}

std::uint32_t ReferenceLife::living_neighbours(std::uint64_t x, std::uint64_t y) const {
  std::uint32_t living = 0;
  for (int dy = -1; dy <= 1; ++dy) {
    for (int dx = -1; dx <= 1; ++dx) {
      if (dx == 0 && dy == 0) continue;
      if ((x == 0 && dx < 0) || (y == 0 && dy < 0)) continue;
      if (x + dx >= width_ || y + dy >= height_) continue;
      living += grid_[(y + dy) * width_ + (x + dx)] == kAlive;
    }
  }
  return living;
}

void ReferenceLife::step(std::uint32_t generations, LifeRule rule) {
  for (std::uint32_t generation = 0; generation < generations; ++generation) {
    for (std::uint64_t y = 0; y < height_; ++y) {
      for (std::uint64_t x = 0; x < width_; ++x) {
        const std::uint64_t place = y * width_ + x;
        if (grid_[place] == kHole) continue;
        const std::uint32_t counts = grid_[place] == kAlive ? rule.survival : rule.birth;
        next_[place] = (counts >> living_neighbours(x, y)) % 2 == 1 ? kAlive : kDead;
      }
    }
    grid_.swap(next_);
  }
}

// Diagonal stripes, eight cells wide, alternately dead and alive, which move by one cell per generation.
void ReferenceLife::single_write(std::uint64_t generation) {
  for (std::uint64_t i = 0; i < places_.size(); ++i) {
    const std::uint64_t diagonal = places_[i] % width_ + places_[i] / width_ + generation;
    grid_[places_[i]] = diagonal / 8 % 2 == 1 ? kAlive : kDead;
  }
}

// A living cell counts 1 plus the exclusive or of the last three bits of x and y.
std::uint64_t ReferenceLife::reduction_sum() const {
  std::uint64_t sum = 0;
  for (const std::uint64_t place : places_) {
    if (grid_[place] != kAlive) continue;
    sum += 1 + ((place % width_ % 8) ^ (place / width_ % 8));
  }
  return sum;
}

Census ReferenceLife::census() const {
  Census census;
  for (std::uint64_t i = 0; i < places_.size(); ++i) {
    if (grid_[places_[i]] != kAlive) continue;
    ++census.population;
    census.hash += scramble(i);
  }
  return census;
}

std::vector<std::uint8_t> ReferenceLife::cells() const {
  std::vector<std::uint8_t> result(places_.size());
  for (std::uint64_t i = 0; i < places_.size(); ++i) result[i] = grid_[places_[i]];
  return result;
}

}  // namespace loom
