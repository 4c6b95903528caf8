#include "compute/split/sharing.h"

#include <fmt/format.h>

#include "compute/core/error.h"
#include "compute/geometry/bit_planes.h"

namespace loom {
namespace {

std::string why_not_split(const FractalConfig& config) {
  if (config.method.map == MapKind::kCompact && config.method.storage == CellStorage::kBits) return {};
  return fmt::format(
      "cells on the {} map in {} lie on one device; allowed on several: --map compact --storage bits",
      name_of(config.method.map), name_of(config.method.storage));
}

}  // namespace

std::vector<PlaneRange> part_ranges(const FractalConfig& config, std::uint32_t count,
                                    std::span<const std::uint32_t> shares) {
  const BitPlanes whole = make_bit_planes(config.fractal.shape(), config.level);
  return shares.empty() ? deal_groups(whole, count) : deal_groups(whole, shares);
}

void check_can_be_split(const FractalConfig& config, std::uint32_t parts) {
  validate(config);
  if (const std::string why = why_not_split(config); !why.empty()) throw InputError(why);
  part_ranges(config, parts);
}

std::string why_not_shared(const FractalConfig& config, std::size_t devices) {
  if (std::string why = why_not_split(config); !why.empty()) return why;
  try {
    part_ranges(config, static_cast<std::uint32_t>(devices));
    return {};
  } catch (const InputError& error) {
    return error.what();
  }
}

}  // namespace loom
