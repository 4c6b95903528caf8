#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "compute/geometry/bit_planes.h"

namespace loom {

/// Bit planes seen as the canonical order, a group at a time: a group's digits of odd levels and those of
/// even ones go through all numbers, so its cells are a block of the k^ceil(r/2) x k^floor(r/2) orthotope,
/// and a row of the block is a run of canonical indices. What goes from a row to the slots is the same for
/// every group: bits are moved eight together, by tables, and then a field (the cells of a row in one plane)
/// at a time.
class PlaneBlocks {
 public:
  /// A row of a block is at most that many cells, and a block that many rows.
  static constexpr std::uint32_t kMostSide = 64;

  explicit PlaneBlocks(const BitPlanes& planes);

  /// Cells of a block.
  std::uint32_t width() const { return width_; }
  std::uint32_t height() const { return height_; }
  /// Blocks of the orthotope.
  std::uint32_t across() const { return static_cast<std::uint32_t>(group_of_column_.size()); }
  std::uint32_t down() const { return static_cast<std::uint32_t>(group_of_row_.size()); }
  /// The group whose block that is, numbered as in the whole.
  std::uint32_t group(std::uint32_t column, std::uint32_t row) const {
    return group_of_column_[column] + group_of_row_[row];
  }

  /// height() rows, whose lowest bit is the cell with the lowest index, into a slot for each plane.
  void to_slots(const std::uint64_t* rows, std::uint64_t* slots) const;
  /// Slots without other bits than their cells', back.
  void to_rows(const std::uint64_t* slots, std::uint64_t* rows) const;

 private:
  using BitTable = std::array<std::array<std::uint64_t, 256>, 8>;  ///< [byte][its value]: where its bits go

  /// All of a row's fields side by side, each as it is in a slot but for a shift.
  std::uint64_t spread(std::uint64_t row) const { return moved(row, spread_of_, row_bytes_); }
  static std::uint64_t moved(std::uint64_t bits, const BitTable& table, int bytes) {
    std::uint64_t all = 0;
    for (int i = 0; i < bytes; ++i) all |= table[static_cast<std::size_t>(i)][bits >> (8 * i) & 255u];
    return all;
  }

  std::uint32_t planes_ = 1;
  std::uint32_t width_ = 1;
  std::uint32_t height_ = 1;
  std::uint32_t fields_ = 1;   ///< planes that a row has cells in
  std::uint64_t pattern_ = 1;  ///< the bits of a field, the lowest of them 0
  std::array<std::uint8_t, kMostSide> field_shift_{};
  std::array<std::uint8_t, kMostSide> row_shift_{};             ///< of a row's fields in their slots
  std::array<std::uint8_t, kMostSide * kMostSide> plane_of_{};  ///< [row * fields_ + field]
  int row_bytes_ = 1;
  int spread_bytes_ = 1;
  BitTable spread_of_{};
  BitTable row_of_{};
  std::vector<std::uint32_t> group_of_column_;
  std::vector<std::uint32_t> group_of_row_;
};

}  // namespace loom
