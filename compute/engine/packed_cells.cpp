#include "compute/engine/packed_cells.h"

#include <array>
#include <bit>
#include <cstddef>
#include <cstring>

namespace loom {
namespace {

static_assert(std::endian::native == std::endian::little, "eight cells are taken as one number");

/// Packs eight cells, one byte each, into the bits of a byte: the product moves the lowest bit of byte i to
/// bit 56 + i.
std::uint8_t packed(std::uint64_t eight) {
  constexpr std::uint64_t kLow = 0x7f7f7f7f7f7f7f7fu;
  eight = (((eight & kLow) + kLow) | eight) >> 7 & 0x0101010101010101u;
  return static_cast<std::uint8_t>(eight * 0x0102040810204080u >> 56);
}

constexpr std::array<std::uint64_t, 256> kUnpacked = [] {
  std::array<std::uint64_t, 256> all{};
  for (std::uint64_t byte = 0; byte < all.size(); ++byte) {
    for (std::uint64_t bit = 0; bit < 8; ++bit) all[byte] |= (byte >> bit & 1) << (8 * bit);
  }
  return all;
}();

}  // namespace

void pack_cells(std::span<const std::uint8_t> cells, std::uint8_t* bits) {
  std::uint64_t eight = 0;
  const std::size_t whole = cells.size() / 8 * 8;
  for (std::size_t at = 0; at < whole; at += 8) {
    std::memcpy(&eight, cells.data() + at, 8);
    *bits++ = packed(eight);
  }
  if (whole == cells.size()) return;
  eight = 0;
  std::memcpy(&eight, cells.data() + whole, cells.size() - whole);
  *bits = packed(eight);
}

void unpack_cells(const std::uint8_t* bits, std::span<std::uint8_t> cells) {
  const std::size_t whole = cells.size() / 8 * 8;
  for (std::size_t at = 0; at < whole; at += 8) std::memcpy(cells.data() + at, &kUnpacked[*bits++], 8);
  if (whole < cells.size()) std::memcpy(cells.data() + whole, &kUnpacked[*bits], cells.size() - whole);
}

}  // namespace loom
