#pragma once

#include <cstdint>
#include <string>
#include <type_traits>

#include "compute/core/coord.h"
#include "compute/geometry/nbb_fractal.h"
#include "compute/geometry/solid_fractal.h"
#include "compute/map/map_method.h"
#include "compute/workload/workload.h"

namespace loom {

/// A fractal of two or three dimensions, and an expanded coordinate.
template <int kDimensions>
using FractalOf = std::conditional_t<kDimensions == 2, NbbFractal, SolidFractal>;
template <int kDimensions>
using PointOf = std::conditional_t<kDimensions == 2, Coord64, Coord3>;

/// The settings that an engine is built from: everything that determines its memory and its method. In three
/// dimensions, the cell storage is always bytes and the arithmetic loop or table.
template <int kDimensions>
struct FractalConfigOf {
  FractalOf<kDimensions> fractal;
  int level = 0;
  std::uint32_t tile_size = 1;  ///< rho_x = s_x^j; the other sides follow
  MapMethod method = {};
  friend bool operator==(const FractalConfigOf&, const FractalConfigOf&) = default;
};
using FractalConfig = FractalConfigOf<2>;
using SolidConfig = FractalConfigOf<3>;

/// Whether two configurations have the same cells, whatever their methods.
template <int kDimensions>
bool is_same_field(const FractalConfigOf<kDimensions>& a, const FractalConfigOf<kDimensions>& b) {
  return a.level == b.level && a.fractal == b.fractal;
}

/// Validates a configuration without allocating memory: level within 64 bits, tile size a power s_x^j with
/// rho_x * rho_y <= 1024 and j <= level, and a method that is possible for the tiles. Throws InputError with
/// the allowed values.
void validate(const FractalConfig& config);

/// The states that a workload's cells have: two except for life, whose rule says.
template <int kDimensions>
std::uint32_t states_of(const WorkOf<kDimensions>& work) {
  return work.workload == Workload::kLife ? work.rule.states : 2;
}
/// Why a configuration cannot do a workload, with what is allowed; empty if it can: its storage must hold the
/// states, and count the neighbours of the rule.
template <int kDimensions>
std::string work_problem(const FractalConfigOf<kDimensions>& config, const WorkOf<kDimensions>& work);
/// Throws InputError with that reason.
template <int kDimensions>
void check_work(const FractalConfigOf<kDimensions>& config, const WorkOf<kDimensions>& work);

/// Replaces the method by the nearest one that is valid with the other settings (nearest_valid()).
void keep_method_valid(FractalConfig& config);

/// Bytes of the cells of a configuration: two generations and, for bit rows, the mask of the points that are
/// cells. Saturates at 2^64 - 1.
std::uint64_t bytes_needed(const FractalConfig& config);

/// The highest level whose coordinates the maps and pictures of a fractal can have.
int highest_level(const NbbFractal& fractal);
inline int highest_level(const SolidFractal& fractal) {
  return fractal.max_level();
}

/// The highest level that fits into `free_bytes` with the other settings of `config`, with a smaller tile
/// size if the level requires it; -1 if none fits.
template <int kDimensions>
int largest_level(const FractalConfigOf<kDimensions>& config, std::uint64_t free_bytes) {
  FractalConfigOf<kDimensions> candidate = config;
  for (int level = highest_level(config.fractal); level >= 0; --level) {
    candidate.level = level;
    candidate.tile_size = nearest_tile_size(config.fractal, level, config.tile_size);
    if (bytes_needed(candidate) <= free_bytes) return level;
  }
  return -1;
}

}  // namespace loom
