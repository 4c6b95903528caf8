#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "compute/engine/fractal_config.h"
#include "compute/geometry/plane_parts.h"

namespace loom {

// Whether a configuration's cells can be shared out, and how they are.

/// Throws InputError where a configuration's cells are not held as bit planes, or there are too few groups of
/// them for so many parts; or where it is not valid.
void check_can_be_split(const FractalConfig& config, std::uint32_t parts);

/// Why cells of this configuration cannot be shared out to so many devices: one sentence; empty where they
/// can.
std::string why_not_shared(const FractalConfig& config, std::size_t devices);

/// The groups of each part: as much of all as its share of `shares`, or with none an equal part. Throws
/// InputError where there are too few.
std::vector<PlaneRange> part_ranges(const FractalConfig& config, std::uint32_t count,
                                    std::span<const std::uint32_t> shares = {});

}  // namespace loom
