#include "app/life/scene/cell_bits.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

#include "compute/workload/random_start.h"

namespace loom::app {
namespace {

static_assert(std::endian::native == std::endian::little, "eight cells are taken as one number");

constexpr std::uint64_t kPart = std::uint64_t{1} << 20;  // cells: some milliseconds; a multiple of 8

/// Eight cells, a byte of 0 or 1 each, to the bits of a byte: the product moves byte i's bit to bit 56 + i.
std::uint8_t packed(const std::uint8_t* cells) {
  std::uint64_t eight = 0;
  std::memcpy(&eight, cells, 8);
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

void BitCarrier::read(const FractalEngine& engine, CellBits& into, Watch* watch) {
  into.count = engine.cell_count();
  into.bytes.resize(static_cast<std::size_t>(bytes_of_bits(into.count)));
  cells_.resize(static_cast<std::size_t>(std::min(into.count, kPart) + 8));
  const WatchedCall call(watch, into.count);
  for (std::uint64_t first = 0; first < into.count; first += kPart) {
    call.check();
    const auto size = static_cast<std::size_t>(std::min(kPart, into.count - first));
    call.part(size, [&] { engine.read_cells(first, std::span(cells_).first(size)); });
    std::fill_n(cells_.begin() + static_cast<std::ptrdiff_t>(size), 8, std::uint8_t{0});
    std::uint8_t* to = into.bytes.data() + first / 8;
    for (std::size_t at = 0; at < size; at += 8) *to++ = packed(cells_.data() + at);
  }
}

void BitCarrier::write(const CellBits& bits, FractalEngine& engine, Watch* watch) {
  cells_.resize(static_cast<std::size_t>(std::min(bits.count, kPart) + 8));
  const WatchedCall call(watch, bits.count);
  for (std::uint64_t first = 0; first < bits.count; first += kPart) {
    call.check();
    const auto size = static_cast<std::size_t>(std::min(kPart, bits.count - first));
    const std::uint8_t* from = bits.bytes.data() + first / 8;
    for (std::size_t at = 0; at < size; at += 8) std::memcpy(cells_.data() + at, &kUnpacked[*from++], 8);
    call.part(size, [&] { engine.write_cells(first, std::span(cells_).first(size)); });
  }
}

Census census_of(const CellBits& bits) {
  Census census;
  for (std::uint64_t at = 0; at < bits.bytes.size(); at += 8) {
    std::uint64_t word = 0;
    std::memcpy(&word, bits.bytes.data() + at, std::min<std::uint64_t>(8, bits.bytes.size() - at));
    census.population += static_cast<std::uint64_t>(std::popcount(word));
    for (; word != 0; word &= word - 1) {
      census.hash += hash_term(8 * at + static_cast<std::uint64_t>(std::countr_zero(word)));
    }
  }
  return census;
}

}  // namespace loom::app
