#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "app/explain/thread_space.h"
#include "compute/core/coord.h"
#include "compute/engine/fractal_config.h"

namespace loom::app::explain {

/// One generation in memory as a row of columns, and the byte of a cell in it. Byte storage only; for other
/// storages there are only the bytes.
class MemoryStrip {
 public:
  static constexpr std::size_t kColumns = 192;

  /// Throws InputError for an invalid configuration.
  explicit MemoryStrip(const FractalConfig& config);

  const FractalConfig& config() const { return config_; }
  /// Bytes of one generation; empty if the number exceeds 64 bits.
  std::optional<std::uint64_t> bytes() const { return bytes_; }
  /// Whether columns and cells are known.
  bool has_cells() const { return threads_ != nullptr; }
  /// The fraction of a column's bytes that hold a cell: of all bytes for small fields, otherwise of a sample.
  float occupancy(std::size_t column) const { return columns_[column]; }

  struct Place {
    std::optional<std::uint64_t> thread;  ///< index in the launch; empty if it exceeds 64 bits
    std::uint64_t byte = 0;               ///< offset in the generation
  };
  /// The thread of a cell and the byte that it writes; empty for holes and if offsets exceed 64 bits.
  std::optional<Place> place_of(Coord64 cell) const;
  /// The cell of the byte at this fraction of the strip, 0 to 1; of a few bytes around it if it has none.
  std::optional<Coord64> cell_at(double fraction) const;

 private:
  FractalConfig config_;
  std::optional<std::uint64_t> bytes_;
  std::unique_ptr<ThreadSpace> threads_;
  std::array<float, kColumns> columns_{};
};

// Descriptions of bit-packed storage. There a thread computes whole words, so threads, warps and memory are
// explained cell by cell for byte storage only.

/// True if each thread of a configuration computes cells of its own, in tiles: byte storage.
bool has_tiles(const FractalConfig& config);
inline constexpr std::string_view kByteStorageOnly =
    "Threads, warps and memory are explained for byte storage. With bit-packed storage a thread computes "
    "whole words.";

/// The layout: "27 planes of 27 bits (words of 32): a thread computes a group of 729 cells, of 27", "Words of
/// 64 points of a row, one per thread". Only for bit-packed storage.
std::string bit_layout_text(const FractalConfig& config);
/// The position of a cell's bit: "plane 13, bit 5 of group 1234", "bit 3 of word 17 of its row". `cell` must
/// not be a hole.
std::string bit_of_cell(const FractalConfig& config, Coord64 cell);

}  // namespace loom::app::explain
