#pragma once

#include <cstdint>

#include "compute/geometry/nbb_fractal.h"
#include "compute/map/map_method.h"

namespace loom {

/// What an engine is built from: everything that fixes its memory and its method.
struct FractalConfig {
  NbbFractal fractal;
  int level = 0;
  std::uint32_t block = 1;  ///< rho_x = s_x^j; rho_y = s_y^j follows
  MapMethod method = {};
  friend bool operator==(const FractalConfig&, const FractalConfig&) = default;
};

/// Checks a configuration by itself, without memory: level within 64 bits, block size a power s_x^j with
/// rho_x * rho_y <= 1024 and j <= level, a method that the blocks allow. Throws InputError that lists the
/// allowed values.
void validate(const FractalConfig& config);

/// Makes the method the nearest that goes with the rest (nearest_valid()).
void keep_method_valid(FractalConfig& config);

/// Bytes the cells of a configuration take (two generations, and in bit rows the mask of the points that are
/// cells); saturates at 2^64 - 1.
std::uint64_t bytes_needed(const FractalConfig& config);

/// The highest level that fits into `free_bytes` with the other settings as in `config` (block size lowered
/// where the level needs it); -1 if none.
int largest_level(const FractalConfig& config, std::uint64_t free_bytes);

}  // namespace loom
