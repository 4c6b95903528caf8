#include "compute/geometry/nbb_fractal.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "compute/core/error.h"
#include "compute/core/input_text.h"
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

/// Products beyond it are refused for fractals that are not uniform.
constexpr std::uint64_t kMaxProduct = std::uint64_t{1} << 62;

bool has_turns(const Generator& generator) {
  return std::any_of(generator.orientations.begin(), generator.orientations.end(),
                     [](Symmetry at) { return at != Symmetry::kIdentity; });
}

}  // namespace

NbbFractal::NbbFractal(std::string name, std::uint32_t s_x, std::uint32_t s_y,
                       const std::vector<Coord32>& offsets)
    : NbbFractal(std::move(name), std::vector<Generator>{{s_x, s_y, offsets}}) {}

NbbFractal::NbbFractal(std::string name, std::vector<Generator> generators, bool repeats)
    : name_(std::move(name)), generators_(std::move(generators)), repeats_(repeats) {
  if (generators_.empty() || generators_.size() > kMaxLevels) {
    throw InputError(
        fmt::format("fractal '{}': {} levels; allowed: 1 to {}", name_, generators_.size(), kMaxLevels));
  }
  bool turned = false;
  for (Generator& generator : generators_) {
    const NbbShape shape = make_shape(name_, generator.s_x, generator.s_y, generator.offsets);
    if (&generator == &generators_.front()) shape_ = shape;
    if (!generator.orientations.empty() && generator.orientations.size() != generator.offsets.size()) {
      throw InputError(
          fmt::format("fractal '{}': {} orientations for {} offsets; allowed: one for each offset", name_,
                      generator.orientations.size(), generator.offsets.size()));
    }
    if (has_turns(generator)) {
      turned = true;
    } else {
      generator.orientations.clear();
    }
  }
  for (const Generator& generator : generators_) {
    if (turned && generator.s_x != generator.s_y) {
      throw InputError(fmt::format("fractal '{}': orientations with the scale {}x{}; allowed: square scales",
                                   name_, generator.s_x, generator.s_y));
    }
  }
  const bool alike = std::all_of(generators_.begin(), generators_.end(), [&](const Generator& generator) {
    return generator.s_x == shape_.s_x && generator.s_y == shape_.s_y &&
           generator.offsets == generators_.front().offsets;
  });
  if (turned) {
    levels_.kind = LevelKind::kTurned;
  } else if (!alike) {
    levels_.kind = LevelKind::kMixed;
  } else if (repeats_) {
    generators_.resize(1);
  }
  find_max_level();
  if (!is_uniform()) build_levels();
}

void NbbFractal::find_max_level() {
  const auto fits = [&](int level) {
    if (is_uniform() && repeats_) {
      return checked_power(shape_.s_x, level) && checked_power(shape_.s_y, level) &&
             checked_power(shape_.k, level);
    }
    std::uint64_t width = 1, height = 1, cells = 1;
    for (int mu = 1; mu <= level; ++mu) {
      const Generator& of = generator(level, mu);
      if (width > kMaxProduct / of.s_x || height > kMaxProduct / of.s_y ||
          cells > kMaxProduct / of.offsets.size()) {
        return false;
      }
      width *= of.s_x;
      height *= of.s_y;
      cells *= of.offsets.size();
    }
    return true;
  };
  const int most = repeats_ ? 64 : static_cast<int>(generators_.size());
  while (max_level_ < most && fits(max_level_ + 1)) ++max_level_;
  if (!repeats_ && max_level_ < most) {
    throw InputError(
        fmt::format("fractal '{}': with {} levels, the width, the height or the number of cells exceeds "
                    "2^62; allowed: {} "
                    "levels",
                    name_, most, max_level_));
  }
}

void NbbFractal::build_levels() {
  const auto table = std::make_shared<LevelTable>();
  const int levels = std::min(kMaxLevels, max_level_);
  for (int i = 0; i < levels; ++i) {
    const Generator& of = generators_[static_cast<std::size_t>(i) % generators_.size()];
    LevelShape& level = table->shapes[i];
    level.shape = make_shape(name_, of.s_x, of.s_y, of.offsets);
    for (const Coord32& offset : of.offsets)
      level.occupied |= std::uint64_t{1} << (offset.y * of.s_x + offset.x);
    std::copy(of.orientations.begin(), of.orientations.end(), level.symmetry);
    const auto divide_by = [&](auto& divisors) {
      using Divisor = decltype(divisors.k);
      divisors = {Divisor(level.shape.k), Divisor(of.s_x), Divisor(of.s_y)};
    };
    divide_by(table->narrow[i]);
    divide_by(table->wide[i]);
  }
  table_ = table;
  levels_.host = table_.get();
}

bool NbbFractal::has_same_cells(const NbbFractal& other) const {
  if (repeats_ != other.repeats_ || generators_.size() != other.generators_.size()) return false;
  return std::ranges::equal(generators_, other.generators_, [](const Generator& a, const Generator& b) {
    return a.s_x == b.s_x && a.s_y == b.s_y && a.offsets == b.offsets && a.orientations == b.orientations;
  });
}

NbbFractal NbbFractal::content(int level, int tile_level) const {
  if (generators_.size() == 1 && repeats_) return *this;
  std::vector<Generator> low;
  for (int mu = tile_level; mu >= 1; --mu) low.push_back(generator(level, mu));
  if (low.empty()) low.push_back(generators_.front());
  return NbbFractal(name_, std::move(low), false);
}

std::vector<Coord32> NbbFractal::offsets() const {
  return generators_.front().offsets;
}

void NbbFractal::check_level(int level) const {
  if (level >= 0 && level <= max_level_) return;
  const char* const why = !repeats_      ? "the length of its list of levels"
                          : is_uniform() ? "which fit in 64 bits"
                                         : "which fit in 62 bits";
  throw InputError(
      fmt::format("level {} of {} is not allowed; allowed: 0 to {}, {}", level, name_, max_level_, why));
}

std::uint64_t NbbFractal::width(int level) const {
  check_level(level);
  if (generators_.size() == 1) return *checked_power(shape_.s_x, level);
  std::uint64_t width = 1;
  for (int mu = 1; mu <= level; ++mu) width *= generator(level, mu).s_x;
  return width;
}

std::uint64_t NbbFractal::height(int level) const {
  check_level(level);
  if (generators_.size() == 1) return *checked_power(shape_.s_y, level);
  std::uint64_t height = 1;
  for (int mu = 1; mu <= level; ++mu) height *= generator(level, mu).s_y;
  return height;
}

std::uint64_t NbbFractal::cells(int level) const {
  const Coord64 extent = compact_extent(level);
  return extent.x * extent.y;
}

Coord64 NbbFractal::compact_extent(int level) const {
  check_level(level);
  if (generators_.size() == 1)
    return {*checked_power(shape_.k, (level + 1) / 2), *checked_power(shape_.k, level / 2)};
  Coord64 extent{1, 1};
  for (int mu = 1; mu <= level; ++mu)
    (mu % 2 == 1 ? extent.x : extent.y) *= generator(level, mu).offsets.size();
  return extent;
}

double NbbFractal::dimension() const {
  double replicas = 0;
  double scales = 0;
  for (const Generator& generator : generators_) {
    replicas += std::log(double(generator.offsets.size()));
    scales += std::log(double(generator.s_x)) + std::log(double(generator.s_y));
  }
  return 2 * replicas / scales;
}

std::string_view name_of(Symmetry symmetry) {
  return value_for<Symmetry::kAntitranspose>({"id", "t", "mx", "r90", "my", "r270", "r180", "at"}, symmetry);
}

Symmetry parse_symmetry(std::string_view name) {
  return parse_choice("orientation", name, kSymmetries);
}

}  // namespace loom
