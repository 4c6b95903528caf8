#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace loom {

/// Divides `units` into consecutive ranges in proportion to the shares: partition i has [first of i, first of
/// i + 1). Its range is empty if its part is less than one unit.
std::vector<std::uint64_t> partition_units(std::uint64_t units, std::span<const std::uint32_t> shares);

}  // namespace loom
