#include "compute/geometry/nbb_fractal.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "compute/core/error.h"
#include "compute/core/integer_math.h"

namespace loom {
namespace {

NbbShape make_shape(const std::string& name, std::uint32_t s_x, std::uint32_t s_y,
                    const std::vector<Coord32>& offsets) {
  if (s_x < 1 || s_y < 1 || s_x > kMaxScale || s_y > kMaxScale || s_x * s_y < 2) {
    throw InputError(
        fmt::format("fractal '{}': scale {}x{} is not allowed; allowed: s_x and s_y from 1 to {}, not both 1",
                    name, s_x, s_y, kMaxScale));
  }
  if (offsets.size() < 2) {
    throw InputError(fmt::format("fractal '{}': {} offset(s); allowed: at least 2", name, offsets.size()));
  }
  NbbShape shape;
  shape.s_x = s_x;
  shape.s_y = s_y;
  std::fill(std::begin(shape.replica_at), std::end(shape.replica_at), std::int8_t{-1});
  for (const Coord32& offset : offsets) {
    if (offset.x >= s_x || offset.y >= s_y) {
      throw InputError(
          fmt::format("fractal '{}': offset ({}, {}) is outside of the scale box; allowed: x from 0 to {}, y "
                      "from 0 to {}",
                      name, offset.x, offset.y, s_x - 1, s_y - 1));
    }
    std::int8_t& replica = shape.replica_at[offset.y * s_x + offset.x];
    if (replica >= 0) {
      throw InputError(fmt::format("fractal '{}': offset ({}, {}) occurs twice; allowed: different offsets",
                                   name, offset.x, offset.y));
    }
    replica = static_cast<std::int8_t>(shape.k);
    shape.offset_x[shape.k] = static_cast<std::uint8_t>(offset.x);
    shape.offset_y[shape.k] = static_cast<std::uint8_t>(offset.y);
    ++shape.k;
  }
  return shape;
}

}  // namespace

NbbFractal::NbbFractal(std::string name, std::uint32_t s_x, std::uint32_t s_y,
                       const std::vector<Coord32>& offsets)
    : name_(std::move(name)), shape_(make_shape(name_, s_x, s_y, offsets)) {
  const auto fits = [&](int level) {
    return checked_power(s_x, level) && checked_power(s_y, level) && checked_power(shape_.k, level);
  };
  while (fits(max_level_ + 1)) ++max_level_;
}

std::vector<Coord32> NbbFractal::offsets() const {
  std::vector<Coord32> result;
  for (std::uint32_t b = 0; b < shape_.k; ++b) result.push_back({shape_.offset_x[b], shape_.offset_y[b]});
  return result;
}

void NbbFractal::check_level(int level) const {
  if (level < 0 || level > max_level_) {
    throw InputError(fmt::format("level {} of {} is not allowed; allowed: 0 to {}, which fit in 64 bits",
                                 level, name_, max_level_));
  }
}

std::uint64_t NbbFractal::width(int level) const {
  check_level(level);
  return *checked_power(shape_.s_x, level);
}

std::uint64_t NbbFractal::height(int level) const {
  check_level(level);
  return *checked_power(shape_.s_y, level);
}

std::uint64_t NbbFractal::cells(int level) const {
  check_level(level);
  return *checked_power(shape_.k, level);
}

double NbbFractal::dimension() const {
  return 2 * std::log(double(shape_.k)) / (std::log(double(shape_.s_x)) + std::log(double(shape_.s_y)));
}

}  // namespace loom
