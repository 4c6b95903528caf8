#include "compute/map/map_tables.h"

#include <cstring>
#include <type_traits>

#include "compute/map/intra_block_mapping.h"
#include "compute/map/shuffle_arithmetic.h"
#include "compute/map/table_arithmetic.h"
#include "compute/map/tensor_arithmetic.h"
#include "compute/map/tensor_cell_arithmetic.h"
#include "compute/map/turned_arithmetic.h"

namespace loom {
namespace {

template <typename T>
std::vector<std::uint64_t> raw_words(const std::vector<T>& values) {
  static_assert(std::is_trivially_copyable_v<T> && alignof(T) <= alignof(std::uint64_t));
  const std::size_t bytes = values.size() * sizeof(T);
  std::vector<std::uint64_t> words((bytes + 7) / 8);
  if (bytes > 0) std::memcpy(words.data(), values.data(), bytes);
  return words;
}

}  // namespace

HostMapTables::HostMapTables(const TiledFractal& fractal)
    : tile_cells_(tile_cell_table(fractal)),
      halo_(halo_of_tile(fractal)),
      tiles_of_halo_(tiles_of_halo(halo_)) {
  const auto build = [&]<typename Int>(Int) {
    arithmetic_ = fractal.is_turned() ? TurnedArithmetic<Int>::build(fractal)
                                      : raw_words(TableArithmetic<Int>::build(fractal));
    levels_ = raw_words(ShuffleArithmetic<Int>::build(fractal));
    if (!fractal.is_uniform()) return;  // no matrices
    tensor_ = TensorArithmetic<Int>::build(fractal, TensorWeights::kDigits);
    tensor_fp16_ = TensorArithmetic<Int>::build(fractal, TensorWeights::kPlain);
    cell_weights_ = TensorCellArithmetic<Int>::build_weights(fractal);
    cell_positions_ = TensorCellArithmetic<Int>::build_positions(fractal);
  };
  fractal.fits_32_bits() ? build(std::uint32_t{}) : build(std::uint64_t{});
}

}  // namespace loom
