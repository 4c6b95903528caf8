#pragma once

#include <cstdint>
#include <utility>

#include "compute/core/error.h"
#include "compute/geometry/storage.h"
#include "compute/map/arithmetic.h"
#include "compute/map/bounding_box.h"
#include "compute/map/lambda.h"
#include "compute/map/loop_arithmetic.h"
#include "compute/map/map_kind.h"
#include "compute/map/map_method.h"
#include "compute/map/map_tables.h"
#include "compute/map/shuffle_arithmetic.h"
#include "compute/map/table_arithmetic.h"
#include "compute/map/tensor_arithmetic.h"
#include "compute/map/tensor_cell_arithmetic.h"

namespace loom {

// The one place where run-time choices become template arguments.

/// Calls `use` with the thread map and the storage of a method; `tables` are the fractal's, where threads
/// read them.
template <typename Use>
decltype(auto) with_map(const MapMethod& method, const BlockedFractal& fractal, const MapTables& tables,
                        Use&& use) {
  const auto pick_storage = [&]<typename Int, typename Arithmetic, typename Threads>(
                                const LambdaMap<Int, Arithmetic, Threads>& map) {
    if constexpr (Arithmetic::kComputedBy != ComputedBy::kMatrixCells) {  // these know no nu
      if (method.map == MapKind::kCompact) return use(map, BlockedCompactStorage<Int>(fractal));
    }
    return use(map, ExpandedStorage<Int>(fractal));
  };
  const auto pick_threads = [&]<typename Int, typename Arithmetic>(Int, const Arithmetic& arithmetic) {
    switch (method.intra_block) {
      case IntraBlock::kUnrolled: {
        using Map = LambdaMap<Int, Arithmetic, UnrolledThreads>;
        return pick_storage(Map(fractal, arithmetic, UnrolledThreads(fractal)));
      }
      case IntraBlock::kLookup: {
        using Map = LambdaMap<Int, Arithmetic, LookupThreads>;
        return pick_storage(Map(fractal, arithmetic, LookupThreads(fractal, tables.block_cells)));
      }
      case IntraBlock::kSubBox:
        break;
    }
    using Map = LambdaMap<Int, Arithmetic, SubBoxThreads>;
    return pick_storage(Map(fractal, arithmetic, SubBoxThreads(fractal)));
  };
  const auto pick_arithmetic = [&]<typename Int>(Int width) {
    if (method.map == MapKind::kBoundingBox)
      return use(BoundingBoxMap<Int>(fractal), ExpandedStorage<Int>(fractal));
    if (method.arithmetic == MapArithmetic::kTable) {
      return pick_threads(width,
                          TableArithmetic<Int>(fractal, static_cast<const Coord<Int>*>(tables.arithmetic)));
    }
    if (method.arithmetic == MapArithmetic::kShuffle) {
      return pick_threads(width, ShuffleArithmetic<Int>(fractal, tables.levels));
    }
    if (method.arithmetic == MapArithmetic::kTensor3) {
      if (method.map == MapKind::kCompact) throw InputError("tensor-3 is no arithmetic of the compact map");
      return pick_threads(width, TensorCellArithmetic<Int>(fractal, tables.levels, tables.cell_weights,
                                                           tables.cell_positions));
    }
    if (is_tensor(method.arithmetic)) {
      const bool exact = is_exact(method.arithmetic);
      return pick_threads(
          width, TensorArithmetic<Int>(fractal, exact ? TensorWeights::kDigits : TensorWeights::kPlain,
                                       tables.levels, exact ? tables.tensor : tables.tensor_fp16));
    }
    return pick_threads(width, LoopArithmetic<Int>(fractal));
  };
  return fractal.fits_32_bits() ? pick_arithmetic(std::uint32_t{}) : pick_arithmetic(std::uint64_t{});
}

/// The parallel space of one generation. Tables are not read.
inline LaunchShape launch_shape(const MapMethod& method, const BlockedFractal& fractal) {
  return with_map(method, fractal, MapTables{},
                  [](const auto& map, const auto&) { return map.launch_shape(); });
}

}  // namespace loom
