#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "compute/distributed/fractal_partition.h"
#include "compute/solid/solid_engine.h"

namespace loom::cpu {

// Engines on this process's threads, of valid configurations. Each throws std::bad_alloc.

/// Life on the whole square with one bit per point (geometry/bit_rows.h): the bounding box with bit-packed
/// storage.
std::unique_ptr<FractalEngine> make_row_engine(const FractalConfig& config);
/// A partition of life in bit planes; `parts` are the partitions of its groups.
std::unique_ptr<FractalPartition> make_plane_partition(const FractalConfig& config,
                                                       const std::vector<GroupRange>& parts,
                                                       std::uint32_t number);
std::unique_ptr<SolidEngine> make_solid_engine(const SolidConfig& config);

}  // namespace loom::cpu
