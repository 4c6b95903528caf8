#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>

#include "app/explain/thread_space.h"

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

}  // namespace loom::app::explain
