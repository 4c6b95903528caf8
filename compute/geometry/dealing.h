#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace loom {

/// Units dealt out by shares, one after the other: share i has [first of i, first of i + 1). None, where its
/// part of all is less than one.
std::vector<std::uint64_t> deal_units(std::uint64_t units, std::span<const std::uint32_t> shares);

}  // namespace loom
