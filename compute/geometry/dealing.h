#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace loom {

/// Divides `units` into consecutive ranges in proportion to the shares: partition i has [first of i, first of
/// i + 1). Returns an empty vector if a partition would have less than one unit.
std::vector<std::uint64_t> deal_units(std::uint64_t units, std::span<const std::uint32_t> shares);

}  // namespace loom
