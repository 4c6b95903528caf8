#include "compute/check/reference_solid.h"

#include <limits>
#include <new>

namespace loom {
namespace {

std::uint64_t raise(std::uint64_t base, int exponent) {
  std::uint64_t result = 1;
  for (int i = 0; i < exponent; ++i) result *= base;
  return result;
}

// splitmix64 by its definition, for the random start and the hash.
std::uint64_t scramble(std::uint64_t z) {
  z += 0x9E3779B97F4A7C15u;
  z ^= z >> 30;
  z *= 0xBF58476D1CE4E5B9u;
  z ^= z >> 27;
  z *= 0x94D049BB133111EBu;
  return z ^ (z >> 31);
}

}  // namespace

ReferenceSolid::ReferenceSolid(const SolidFractal& fractal, int level) {
  for (const Coord3& offset : fractal.offsets()) offsets_.push_back({offset.x, offset.y, offset.z});
  const Coord3 scale = fractal.shape().scale;
  scales_ = {scale.x, scale.y, scale.z};
  const std::uint64_t cells = fractal.cells(level);
  if (bytes_needed(fractal, level) == std::numeric_limits<std::uint64_t>::max()) throw std::bad_alloc();
  for (int axis = 0; axis < 3; ++axis) sides_[axis] = raise(scales_[axis], level);
  // Level mu multiplies the side of axis (mu - 1) mod 3 of compact space by k.
  for (int mu = 1; mu <= level; ++mu) compact_sides_[(mu - 1) % 3] *= offsets_.size();
  places_.resize(cells);
  grid_.assign(sides_[0] * sides_[1] * sides_[2], kHole);
  place_replicas(level, {0, 0, 0}, {0, 0, 0});
  next_ = grid_;
}

std::uint64_t ReferenceSolid::bytes_needed(const SolidFractal& fractal, int level) {
  const Coord3 size = fractal.size(level);
  const long double points = static_cast<long double>(size.x) * size.y * size.z;
  const long double bytes = 2 * points + 8 * static_cast<long double>(fractal.cells(level));
  if (bytes >= 0x1p62L) return std::numeric_limits<std::uint64_t>::max();
  return static_cast<std::uint64_t>(bytes);
}

// A fractal of level r consists of k fractals of level r - 1; replica b is at its offset times their size.
// Its number is the digit of level r, on axis (r - 1) mod 3 of compact space.
void ReferenceSolid::place_replicas(int level, Triple corner, Triple compact) {
  if (level == 0) {
    const std::uint64_t index =
        compact[0] + compact_sides_[0] * (compact[1] + compact_sides_[1] * compact[2]);
    places_[index] = point(corner);
    grid_[point(corner)] = kDead;
    return;
  }
  const int axis = (level - 1) % 3;
  std::uint64_t weight = 1;
  for (int mu = axis + 1; mu < level; mu += 3) weight *= offsets_.size();
  for (std::uint64_t b = 0; b < offsets_.size(); ++b) {
    Triple replica_corner = corner;
    for (int i = 0; i < 3; ++i) replica_corner[i] += offsets_[b][i] * raise(scales_[i], level - 1);
    Triple replica_compact = compact;
    replica_compact[axis] += b * weight;
    place_replicas(level - 1, replica_corner, replica_compact);
  }
}

void ReferenceSolid::reset(const RandomStart& start) {
  for (std::uint64_t i = 0; i < places_.size(); ++i) {
    const double unit = static_cast<double>(scramble(start.seed + scramble(i)) >> 11) * 0x1p-53;
    grid_[places_[i]] = unit < start.density ? kAlive : kDead;
  }
}

std::uint32_t ReferenceSolid::living_neighbours(const Triple& at) const {
  std::uint32_t living = 0;
  for (int dz = -1; dz <= 1; ++dz) {
    for (int dy = -1; dy <= 1; ++dy) {
      for (int dx = -1; dx <= 1; ++dx) {
        if (dx == 0 && dy == 0 && dz == 0) continue;
        const Triple beside = {at[0] + dx, at[1] + dy, at[2] + dz};
        bool inside = true;
        for (int i = 0; i < 3; ++i) inside = inside && beside[i] < sides_[i];
        if (inside && grid_[point(beside)] == kAlive) ++living;
      }
    }
  }
  return living;
}

void ReferenceSolid::step(std::uint32_t generations, SolidRule rule) {
  for (std::uint32_t generation = 0; generation < generations; ++generation) {
    for (const std::uint64_t place : places_) {
      const std::uint32_t counts = grid_[place] == kAlive ? rule.survival : rule.birth;
      next_[place] = (counts >> living_neighbours(coordinate(place))) % 2 == 1 ? kAlive : kDead;
    }
    grid_.swap(next_);
  }
}

// Layers eight cells wide across the diagonal, alternately dead and alive, which move by one cell per
// generation.
void ReferenceSolid::single_write(std::uint64_t generation) {
  for (const std::uint64_t place : places_) {
    const Triple at = coordinate(place);
    grid_[place] = (at[0] + at[1] + at[2] + generation) / 8 % 2 == 1 ? kAlive : kDead;
  }
}

// A living cell counts 1 plus the exclusive or of the last three bits of its coordinates.
std::uint64_t ReferenceSolid::reduction_sum() const {
  std::uint64_t sum = 0;
  for (const std::uint64_t place : places_) {
    if (grid_[place] != kAlive) continue;
    const Triple at = coordinate(place);
    sum += 1 + ((at[0] % 8) ^ (at[1] % 8) ^ (at[2] % 8));
  }
  return sum;
}

Census ReferenceSolid::census() const {
  Census census;
  for (std::uint64_t i = 0; i < places_.size(); ++i) {
    if (grid_[places_[i]] != kAlive) continue;
    ++census.population;
    census.hash += scramble(i);
  }
  return census;
}

std::vector<std::uint8_t> ReferenceSolid::cells() const {
  std::vector<std::uint8_t> result(places_.size());
  for (std::uint64_t i = 0; i < places_.size(); ++i) result[i] = grid_[places_[i]];
  return result;
}

}  // namespace loom
