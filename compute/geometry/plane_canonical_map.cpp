#include "compute/geometry/plane_canonical_map.h"

#include <algorithm>

#include "compute/core/coord.h"

namespace loom {
namespace {

/// The column and row of a canonical index, in the rectangle at the corner.
Coord32 block_cell(std::uint64_t index, std::uint64_t orthotope_width) {
  return {static_cast<std::uint32_t>(index % orthotope_width),
          static_cast<std::uint32_t>(index / orthotope_width)};
}

/// The contribution of each value of the odd (or even) levels' digits above the group's own cells to the
/// group's number.
std::vector<std::uint32_t> groups_of(const BitPlanes& planes, bool odd) {
  std::array<std::uint32_t, kMaxReplicas> digit_of{};
  for (std::uint32_t digit = 0; digit < kMaxReplicas; ++digit) digit_of[digit] = digit;
  if (!planes.is_mixed()) {
    for (std::uint32_t digit = 0; digit < planes.shape.k; ++digit) digit_of[planes.replica[digit]] = digit;
  }
  std::vector<std::uint32_t> groups = {0};
  std::uint64_t weight = 1;
  for (int mu = planes.low_levels() + 1; mu <= planes.level; ++mu) {
    const std::uint32_t k = planes.digit_shape(mu).k;
    if ((mu % 2 == 1) == odd) {
      const std::size_t below = groups.size();
      groups.resize(below * k);
      for (std::size_t i = groups.size(); i-- > 0;)
        groups[i] = groups[i % below] + static_cast<std::uint32_t>(digit_of[i / below] * weight);
    }
    weight *= k;
  }
  return groups;
}

}  // namespace

PlaneCanonicalMap::PlaneCanonicalMap(const BitPlanes& planes)
    : planes_(planes.planes),
      group_of_column_(groups_of(planes, true)),
      group_of_row_(groups_of(planes, false)) {
  const std::uint64_t k = planes.shape.k;
  const int own = planes.split.plane_levels + planes.split.bit_levels;
  const std::uint64_t orthotope = planes.canonical_width;
  width_ = static_cast<std::uint32_t>(small_power(k, (own + 1) / 2));
  height_ = static_cast<std::uint32_t>(small_power(k, own / 2));

  // A bit's number is the sum of a term for its column and a term for its row, so that the bits of all rows
  // have the same pattern, shifted.
  std::array<std::uint8_t, kMostSide> shift{};
  shift.fill(64);
  for (std::uint32_t bit = 0; bit < planes.bits; ++bit) {
    auto& lowest = shift[block_cell(planes.index_of_bit(bit), orthotope).y];
    lowest = std::min(lowest, static_cast<std::uint8_t>(bit));
  }
  pattern_ = 0;
  struct Bit {
    std::uint32_t column;
    std::uint32_t at;  ///< index in the pattern
  };
  std::vector<Bit> bits;
  for (std::uint32_t bit = 0; bit < planes.bits; ++bit) {
    const Coord32 cell = block_cell(planes.index_of_bit(bit), orthotope);
    if (cell.y != 0) continue;
    bits.push_back({cell.x, bit - shift[0]});
    pattern_ |= std::uint64_t{1} << bits.back().at;
  }

  std::vector<std::uint32_t> columns;  // columns of each field's plane
  for (std::uint32_t plane = 0; plane < planes.planes; ++plane) {
    const Coord32 cell = block_cell(planes.index_of_plane(plane), orthotope);
    if (cell.y == 0) columns.push_back(cell.x);
  }
  fields_ = static_cast<std::uint32_t>(columns.size());
  std::uint64_t used = 0;
  for (std::uint32_t field = 0; field < fields_; ++field) {
    std::uint32_t at = 0;
    while ((pattern_ << at & used) != 0 || pattern_ << at >> at != pattern_) ++at;
    used |= pattern_ << at;
    field_shift_[field] = static_cast<std::uint8_t>(at);
    for (const Bit& bit : bits) {
      const std::uint32_t column = columns[field] + bit.column;
      const std::uint32_t to = at + bit.at;
      for (std::size_t value = 0; value < 256; ++value) {
        spread_of_[column / 8][value] |= std::uint64_t{value >> (column % 8) & 1u} << to;
        row_of_[to / 8][value] |= std::uint64_t{value >> (to % 8) & 1u} << column;
      }
      spread_bytes_ = std::max(spread_bytes_, static_cast<int>(to / 8 + 1));
    }
  }
  row_bytes_ = static_cast<int>((width_ + 7) / 8);

  for (std::uint32_t plane = 0; plane < planes.planes; ++plane) {
    const Coord32 cell = block_cell(planes.index_of_plane(plane), orthotope);
    const auto field = static_cast<std::size_t>(std::ranges::find(columns, cell.x) - columns.begin());
    for (std::uint32_t y = 0; y < height_; ++y) {
      if (shift[y] == 64) continue;  // no bit is in this row
      row_shift_[cell.y + y] = shift[y];
      plane_of_[(cell.y + y) * fields_ + field] = static_cast<std::uint8_t>(plane);
    }
  }
}

void PlaneCanonicalMap::to_slots(const std::uint64_t* rows, std::uint64_t* slots) const {
  std::fill_n(slots, planes_, std::uint64_t{0});
  const std::uint8_t* plane = plane_of_.data();
  for (std::uint32_t y = 0; y < height_; ++y, plane += fields_) {
    const std::uint64_t fields = spread(rows[y]);
    const int shift = row_shift_[y];
    for (std::uint32_t field = 0; field < fields_; ++field)
      slots[plane[field]] |= (fields >> field_shift_[field] & pattern_) << shift;
  }
}

void PlaneCanonicalMap::to_rows(const std::uint64_t* slots, std::uint64_t* rows) const {
  const std::uint8_t* plane = plane_of_.data();
  for (std::uint32_t y = 0; y < height_; ++y, plane += fields_) {
    const int shift = row_shift_[y];
    std::uint64_t fields = 0;
    for (std::uint32_t field = 0; field < fields_; ++field)
      fields |= (slots[plane[field]] >> shift & pattern_) << field_shift_[field];
    rows[y] = moved(fields, row_of_, spread_bytes_);
  }
}

}  // namespace loom
