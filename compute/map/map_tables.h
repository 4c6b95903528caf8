#pragma once

#include <cstdint>
#include <vector>

#include "compute/fractal/blocked_fractal.h"

namespace loom {

/// The precomputed tables of a blocked fractal, where threads can read them: on the host or on a device.
struct MapTables {
  const void* arithmetic = nullptr;            ///< entries of TableArithmetic, in the space's integer width
  const void* levels = nullptr;                ///< powers of ShuffleArithmetic, likewise
  const std::uint32_t* block_cells = nullptr;  ///< see block_cell_table()
};

/// The same on the host, with their memory. A few kilobytes.
class HostMapTables {
 public:
  explicit HostMapTables(const BlockedFractal& fractal);
  MapTables view() const { return {arithmetic_.data(), levels_.data(), block_cells_.data()}; }
  const std::vector<std::uint64_t>& arithmetic() const { return arithmetic_; }
  const std::vector<std::uint64_t>& levels() const { return levels_; }
  const std::vector<std::uint32_t>& block_cells() const { return block_cells_; }

 private:
  std::vector<std::uint64_t> arithmetic_;  ///< raw bytes, kept as words for their alignment
  std::vector<std::uint64_t> levels_;
  std::vector<std::uint32_t> block_cells_;
};

}  // namespace loom
