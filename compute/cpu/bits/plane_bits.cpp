#include "compute/cpu/bits/plane_bits.h"

#include <omp.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cstring>
#include <vector>

#include "compute/geometry/plane_canonical_map.h"

namespace loom::cpu {
namespace {

static_assert(std::endian::native == std::endian::little, "a word's bytes are its bits in order");

/// A row of group rectangles is contiguous in the canonical order: a band. Its bits may begin and end within
/// a byte.
struct Band {
  std::uint64_t first_bit = 0;
  std::uint64_t bits = 0;

  std::uint64_t first_byte() const { return first_bit / 8; }
  std::uint64_t end_byte() const { return (first_bit + bits + 7) / 8; }
  /// The index of the first bit in a copy that begins with the first byte.
  std::uint64_t offset() const { return first_bit % 8; }
};

/// Common to both directions: the bands, and a buffer for one band per thread.
class Bands {
 public:
  explicit Bands(const BitPlanes& planes)
      : blocks(planes),
        row_bits_(std::uint64_t{blocks.across()} * blocks.width()),
        words_(row_bits_ * blocks.height() / 64 + 3),
        room_(words_ * static_cast<std::size_t>(omp_get_max_threads())) {}

  Band band(std::uint32_t row) const {
    const std::uint64_t bits = row_bits_ * blocks.height();
    return {row * bits, bits};
  }
  /// Bits from one row of cells to the next.
  std::uint64_t row_bits() const { return row_bits_; }
  std::size_t words() const { return words_; }
  /// The calling thread's buffer: a band from its first byte on, and one more word.
  std::uint64_t* room() { return room_.data() + words_ * static_cast<std::size_t>(omp_get_thread_num()); }

  const PlaneCanonicalMap blocks;

 private:
  std::uint64_t row_bits_;
  std::size_t words_;
  std::vector<std::uint64_t> room_;
};

std::uint64_t bits_at(const std::uint64_t* words, std::uint64_t at, std::uint64_t mask) {
  const std::uint64_t* const word = words + at / 64;
  const std::uint64_t shift = at % 64;
  return (word[0] >> shift | word[1] << 1 << (63 - shift)) & mask;
}

void add_bits(std::uint64_t* words, std::uint64_t at, std::uint64_t bits) {
  std::uint64_t* const word = words + at / 64;
  const std::uint64_t shift = at % 64;
  word[0] |= bits << shift;
  word[1] |= bits >> 1 >> (63 - shift);
}

/// The slot of a group in the first plane, and the distance to the next plane in slots.
template <typename Slot>
struct SlotPlace {
  static constexpr std::uint64_t kSlotsInWord = sizeof(Slot) == 2 ? 2 : 1;
  static constexpr std::uint64_t kStep = BitPlanes::kInterleave * kSlotsInWord;
  static std::uint64_t first(const BitPlanes& planes, std::uint32_t group) {
    return planes.first_word(group / kSlotsInWord) * kSlotsInWord + group % kSlotsInWord;
  }
};

/// Calls `use` with a value of the storage type of a slot.
template <typename Use>
void with_slot(const BitPlanes& planes, const Use& use) {
  switch (planes.split.slot_bits) {
    case 16:
      return use(std::uint16_t{});
    case 32:
      return use(std::uint32_t{});
    default:
      return use(std::uint64_t{});
  }
}

template <typename Slot>
void read_band(const BitPlanes& planes, const std::uint8_t* memory, const Bands& bands, std::uint32_t row,
               std::uint64_t* to) {
  using Place = SlotPlace<Slot>;
  const PlaneCanonicalMap& blocks = bands.blocks;
  std::fill_n(to, bands.words(), std::uint64_t{0});
  std::array<std::uint64_t, kMaxPlanes> slots{};
  std::array<std::uint64_t, PlaneCanonicalMap::kMostSide> rows{};
  std::uint64_t at = bands.band(row).offset();
  for (std::uint32_t column = 0; column < blocks.across(); ++column, at += blocks.width()) {
    const std::uint32_t group = blocks.group(column, row) - planes.first_group;
    if (group >= planes.groups) continue;
    const std::uint8_t* from = memory + Place::first(planes, group) * sizeof(Slot);
    for (std::uint32_t p = 0; p < planes.planes; ++p, from += Place::kStep * sizeof(Slot)) {
      Slot slot;
      std::memcpy(&slot, from, sizeof slot);
      slots[p] = slot;
    }
    blocks.to_rows(slots.data(), rows.data());
    for (std::uint32_t y = 0; y < blocks.height(); ++y) add_bits(to, at + y * bands.row_bits(), rows[y]);
  }
}

template <typename Slot>
void write_band(const BitPlanes& planes, const std::uint64_t* from, const Bands& bands, std::uint32_t row,
                std::uint8_t* memory) {
  using Place = SlotPlace<Slot>;
  const PlaneCanonicalMap& blocks = bands.blocks;
  const std::uint64_t mask = ~std::uint64_t{0} >> (64 - blocks.width());
  std::array<std::uint64_t, kMaxPlanes> slots{};
  std::array<std::uint64_t, PlaneCanonicalMap::kMostSide> rows{};
  std::uint64_t at = bands.band(row).offset();
  for (std::uint32_t column = 0; column < blocks.across(); ++column, at += blocks.width()) {
    const std::uint32_t group = blocks.group(column, row) - planes.first_group;
    if (group >= planes.groups) continue;
    for (std::uint32_t y = 0; y < blocks.height(); ++y)
      rows[y] = bits_at(from, at + y * bands.row_bits(), mask);
    blocks.to_slots(rows.data(), slots.data());
    std::uint8_t* to = memory + Place::first(planes, group) * sizeof(Slot);
    // Not accessed as a word, because another thread may own the other half.
    for (std::uint32_t p = 0; p < planes.planes; ++p, to += Place::kStep * sizeof(Slot)) {
      const auto slot = static_cast<Slot>(slots[p]);
      std::memcpy(to, &slot, sizeof slot);
    }
  }
}

}  // namespace

void read_plane_bits(const BitPlanes& planes, const std::uint8_t* words, std::span<std::uint8_t> bits,
                     const ProgressScope& call) {
  Bands bands(planes);
  const auto count = static_cast<std::int64_t>(bands.blocks.down());
  // Two adjacent bands share the byte in which one ends and the next begins.
  for (std::int64_t b = 0; b < count; ++b) {
    const Band band = bands.band(static_cast<std::uint32_t>(b));
    bits[band.first_byte()] = 0;
    bits[band.end_byte() - 1] = 0;
  }
#pragma omp parallel for schedule(dynamic)
  for (std::int64_t b = 0; b < count; ++b) {
    if (call.cancelled()) continue;
    const auto row = static_cast<std::uint32_t>(b);
    std::uint64_t* const room = bands.room();
    with_slot(planes, [&]<typename Slot>(Slot) { read_band<Slot>(planes, words, bands, row, room); });
    const Band band = bands.band(row);
    const auto* const from = reinterpret_cast<const std::uint8_t*>(room);
    std::uint8_t* const to = bits.data() + band.first_byte();
    const std::uint64_t size = band.end_byte() - band.first_byte();
    std::atomic_ref(to[0]).fetch_or(from[0], std::memory_order_relaxed);
    if (size > 1) std::atomic_ref(to[size - 1]).fetch_or(from[size - 1], std::memory_order_relaxed);
    if (size > 2) std::memcpy(to + 1, from + 1, size - 2);
    call.advance(band.bits);
  }
  call.check();
}

void write_plane_bits(const BitPlanes& planes, std::span<const std::uint8_t> bits, std::uint8_t* words,
                      const ProgressScope& call) {
  Bands bands(planes);
  const auto count = static_cast<std::int64_t>(bands.blocks.down());
#pragma omp parallel for schedule(dynamic)
  for (std::int64_t b = 0; b < count; ++b) {
    if (call.cancelled()) continue;
    const auto row = static_cast<std::uint32_t>(b);
    const Band band = bands.band(row);
    std::uint64_t* const room = bands.room();
    std::memcpy(room, bits.data() + band.first_byte(), band.end_byte() - band.first_byte());
    with_slot(planes, [&]<typename Slot>(Slot) { write_band<Slot>(planes, room, bands, row, words); });
    call.advance(band.bits);
  }
  call.check();
}

}  // namespace loom::cpu
