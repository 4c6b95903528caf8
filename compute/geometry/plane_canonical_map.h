#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "compute/geometry/bit_planes.h"

namespace loom {

/// Converts bit planes to the canonical order, one group at a time. The cells of a group form a rectangle of
/// the k^ceil(r/2) x k^floor(r/2) orthotope, since the group's digits of odd levels and those of even levels
/// each take all values; a row of the rectangle is a run of canonical indices. The permutation from a row to
/// the slots is the same for every group. It moves eight bits at a time by tables, then one field at a time;
/// a field is the cells of a row in one plane.
class PlaneCanonicalMap {
 public:
  /// The largest width and the largest height of a group's rectangle in cells.
  static constexpr std::uint32_t kMostSide = 64;

  explicit PlaneCanonicalMap(const BitPlanes& planes);

  /// Size of a group's rectangle in cells.
  std::uint32_t width() const { return width_; }
  std::uint32_t height() const { return height_; }
  /// Number of such rectangles in the orthotope.
  std::uint32_t across() const { return static_cast<std::uint32_t>(group_of_column_.size()); }
  std::uint32_t down() const { return static_cast<std::uint32_t>(group_of_row_.size()); }
  /// The group of a rectangle, numbered as in the whole fractal.
  std::uint32_t group(std::uint32_t column, std::uint32_t row) const {
    return group_of_column_[column] + group_of_row_[row];
  }

  /// Converts height() rows, whose lowest bit is the cell with the lowest index, into one slot per plane.
  void to_slots(const std::uint64_t* rows, std::uint64_t* slots) const;
  /// The inverse of to_slots(). Bits of slots that hold no cells must be 0.
  void to_rows(const std::uint64_t* slots, std::uint64_t* rows) const;

 private:
  /// [byte][value of the byte]: the target bits.
  using BitTable = std::array<std::array<std::uint64_t, 256>, 8>;

  /// All fields of a row next to each other, each with the bits of its slot except for a shift.
  std::uint64_t spread(std::uint64_t row) const { return moved(row, spread_of_, row_bytes_); }
  static std::uint64_t moved(std::uint64_t bits, const BitTable& table, int bytes) {
    std::uint64_t all = 0;
    for (int i = 0; i < bytes; ++i) all |= table[static_cast<std::size_t>(i)][bits >> (8 * i) & 255u];
    return all;
  }

  std::uint32_t planes_ = 1;
  std::uint32_t width_ = 1;
  std::uint32_t height_ = 1;
  std::uint32_t fields_ = 1;   ///< planes in which a row has cells
  std::uint64_t pattern_ = 1;  ///< the bits of a field, shifted so that the lowest is bit 0
  std::array<std::uint8_t, kMostSide> field_shift_{};
  std::array<std::uint8_t, kMostSide> row_shift_{};             ///< shift of a row's fields in their slots
  std::array<std::uint8_t, kMostSide * kMostSide> plane_of_{};  ///< [row * fields_ + field]
  int row_bytes_ = 1;
  int spread_bytes_ = 1;
  BitTable spread_of_{};
  BitTable row_of_{};
  std::vector<std::uint32_t> group_of_column_;
  std::vector<std::uint32_t> group_of_row_;
};

}  // namespace loom
