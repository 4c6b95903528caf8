#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "compute/engine/fractal_config.h"
#include "compute/geometry/byte_parts.h"
#include "compute/geometry/plane_parts.h"

namespace loom {

// Whether a configuration's cells can be shared out, and how they are.

/// Throws InputError where a configuration's cells are not on the compact map, or there are too few groups of
/// bit planes, or rows of blocks, for so many parts; or where it is not valid.
void check_can_be_split(const FractalConfig& config, std::uint32_t parts);

/// Why cells of this configuration cannot be shared out to so many devices: one sentence; empty where they
/// can.
std::string why_not_shared(const FractalConfig& config, std::size_t devices);

/// What each part has: groups of bit planes, or rows of blocks in bytes.
struct Dealing {
  std::vector<PlaneRange> groups;
  std::vector<BlockRows> rows;
  std::size_t parts() const { return groups.size() + rows.size(); }
};

/// As much of all as a part's share of `shares`, or with none an equal part. Throws InputError where there
/// are too few.
Dealing deal_parts(const FractalConfig& config, std::uint32_t count,
                   std::span<const std::uint32_t> shares = {});

/// Bytes of both generations of a part, without its copies of others' cells.
std::uint64_t bytes_of_part(const FractalConfig& config, const Dealing& dealing, std::uint32_t number);

}  // namespace loom
