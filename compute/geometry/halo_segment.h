#pragma once

#include <cstdint>

namespace loom {

/// The segment of a send or receive list that belongs to one other partition.
struct HaloSegment {
  std::uint32_t part = 0;
  std::uint32_t first = 0;
  std::uint32_t count = 0;
  friend bool operator==(const HaloSegment&, const HaloSegment&) = default;
};

}  // namespace loom
