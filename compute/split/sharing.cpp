#include "compute/split/sharing.h"

#include <fmt/format.h>

#include "compute/core/error.h"
#include "compute/geometry/bit_planes.h"

namespace loom {
namespace {

std::string why_not_split(const FractalConfig& config) {
  if (config.method.map == MapKind::kCompact) return {};
  return fmt::format(
      "the {} map cannot be distributed over several devices; allowed: --map compact, --storage bytes or "
      "bits",
      name_of(config.method.map));
}

}  // namespace

Dealing deal_parts(const FractalConfig& config, std::uint32_t count, std::span<const std::uint32_t> shares) {
  const std::vector<std::uint32_t> equal(shares.empty() ? count : 0, 1);
  if (shares.empty()) shares = equal;
  Dealing dealing;
  if (config.method.storage == CellStorage::kBits) {
    dealing.groups = deal_groups(make_bit_planes(config.fractal.shape(), config.level), shares);
  } else {
    dealing.rows = deal_rows(make_blocked(config.fractal, config.level, config.block), shares);
  }
  return dealing;
}

std::uint64_t bytes_of_part(const FractalConfig& config, const Dealing& dealing, std::uint32_t number) {
  if (config.method.storage == CellStorage::kBits)
    return 2 * part_of(make_bit_planes(config.fractal.shape(), config.level), dealing.groups[number]).bytes();
  const BlockedFractal whole = make_blocked(config.fractal, config.level, config.block);
  return 2 * part_bytes(part_of(whole, dealing.rows[number])).copies;
}

void check_can_be_split(const FractalConfig& config, std::uint32_t parts) {
  validate(config);
  if (const std::string why = why_not_split(config); !why.empty()) throw InputError(why);
  deal_parts(config, parts);
}

std::string why_not_shared(const FractalConfig& config, std::size_t devices) {
  if (std::string why = why_not_split(config); !why.empty()) return why;
  try {
    deal_parts(config, static_cast<std::uint32_t>(devices));
    return {};
  } catch (const InputError& error) {
    return error.what();
  }
}

}  // namespace loom
