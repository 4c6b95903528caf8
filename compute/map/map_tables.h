#pragma once

#include <cstdint>
#include <vector>

#include "compute/geometry/tiled_fractal.h"
#include "compute/map/staging.h"

namespace loom {

/// The precomputed tables of a tiled fractal, in host or device memory that the threads can read.
struct MapTables {
  const void* arithmetic = nullptr;  ///< entries of TableArithmetic, in the integer width of the space
  const void* levels = nullptr;      ///< powers of ShuffleArithmetic, in the integer width of the space
  const std::uint32_t* tile_cells = nullptr;    ///< see tile_cell_table()
  const std::uint16_t* tensor = nullptr;        ///< matrices of TensorArithmetic, exact
  const std::uint16_t* tensor_fp16 = nullptr;   ///< the same with plain FP16 weights
  const std::uint16_t* cell_weights = nullptr;  ///< see TensorCellArithmetic::build_weights()
  const float* cell_positions = nullptr;        ///< see TensorCellArithmetic::build_positions()
  const HaloCell* halo = nullptr;               ///< see halo_of_tile()
  std::uint32_t halo_cells = 0;
  std::uint32_t tiles_of_halo = 0;  ///< bit i: some halo cell is in tile i of TileNeighbours
};

/// The tables in host memory that this object owns: a few kilobytes.
class HostMapTables {
 public:
  explicit HostMapTables(const TiledFractal& fractal);
  MapTables view() const {
    return {arithmetic_.data(),     levels_.data(),      tile_cells_.data(),
            tensor_.data(),         tensor_fp16_.data(), cell_weights_.data(),
            cell_positions_.data(), halo_.data(),        static_cast<std::uint32_t>(halo_.size()),
            tiles_of_halo_};
  }
  const std::vector<std::uint64_t>& arithmetic() const { return arithmetic_; }
  const std::vector<std::uint64_t>& levels() const { return levels_; }
  const std::vector<std::uint32_t>& tile_cells() const { return tile_cells_; }
  const std::vector<std::uint16_t>& tensor() const { return tensor_; }
  const std::vector<std::uint16_t>& tensor_fp16() const { return tensor_fp16_; }
  const std::vector<std::uint16_t>& cell_weights() const { return cell_weights_; }
  const std::vector<float>& cell_positions() const { return cell_positions_; }
  const std::vector<HaloCell>& halo() const { return halo_; }

 private:
  std::vector<std::uint64_t> arithmetic_;  ///< raw bytes, stored as words for alignment
  std::vector<std::uint64_t> levels_;
  std::vector<std::uint32_t> tile_cells_;
  std::vector<std::uint16_t> tensor_;
  std::vector<std::uint16_t> tensor_fp16_;
  std::vector<std::uint16_t> cell_weights_;
  std::vector<float> cell_positions_;
  std::vector<HaloCell> halo_;
  std::uint32_t tiles_of_halo_;
};

}  // namespace loom
