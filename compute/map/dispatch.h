#pragma once

#include <cstdint>

#include "compute/core/error.h"
#include "compute/geometry/storage.h"
#include "compute/map/bounding_box.h"
#include "compute/map/loop_arithmetic.h"
#include "compute/map/map_method.h"
#include "compute/map/map_tables.h"
#include "compute/map/shuffle_arithmetic.h"
#include "compute/map/table_arithmetic.h"
#include "compute/map/tensor_arithmetic.h"
#include "compute/map/tensor_cell_arithmetic.h"
#include "compute/map/thread_map.h"
#include "compute/map/turned_arithmetic.h"

namespace loom {

// The only place where run-time choices become template arguments.

/// Calls `use` with the arithmetic of a method's lambda and nu, in the integer width Int. `tables` are the
/// fractal's, in memory that the threads can read. Not for the bounding box, which has no arithmetic.
template <typename Int, typename Use>
decltype(auto) with_arithmetic(const MapMethod& method, const TiledFractal& fractal, const MapTables& tables,
                               Use&& use) {
  if (fractal.is_turned()) {
    const bool loop = method.arithmetic != MapArithmetic::kTable;
    return use(TurnedArithmetic<Int>(fractal, loop ? nullptr : tables.arithmetic));
  }
  switch (method.arithmetic) {
    case MapArithmetic::kTable:
      return use(TableArithmetic<Int>(fractal, static_cast<const Coord<Int>*>(tables.arithmetic)));
    case MapArithmetic::kShuffle:
      return use(ShuffleArithmetic<Int>(fractal, tables.levels));
    case MapArithmetic::kTensor3:
      if (method.map == MapKind::kCompact)
        throw InputError("tensor-3 is not an arithmetic of the compact map");
      return use(
          TensorCellArithmetic<Int>(fractal, tables.levels, tables.cell_weights, tables.cell_positions));
    case MapArithmetic::kTensor1:
    case MapArithmetic::kTensor2:
    case MapArithmetic::kTensor:
      return use(TensorArithmetic<Int>(fractal, TensorWeights::kDigits, tables.levels, tables.tensor));
    case MapArithmetic::kTensorFp16:
      return use(TensorArithmetic<Int>(fractal, TensorWeights::kPlain, tables.levels, tables.tensor_fp16));
    case MapArithmetic::kLoop:
      break;
  }
  if (!fractal.is_uniform()) return use(LoopArithmetic<Int, true>(fractal));
  return use(LoopArithmetic<Int>(fractal));
}

/// Calls `use` with the thread map and the storage of a method. with_threads(f) calls f with the intra-block
/// mapping, for methods that have one.
template <typename Int, typename WithThreads, typename Use>
decltype(auto) with_map_in_width(const MapMethod& method, const TiledFractal& fractal,
                                 const MapTables& tables, const WithThreads& with_threads, Use&& use) {
  if (method.map == MapKind::kBoundingBox) {
    const ExpandedStorage<Int> storage(fractal);
    if (!fractal.is_uniform()) return use(BoundingBoxMap<Int, false>(fractal), storage);
    return use(BoundingBoxMap<Int>(fractal), storage);
  }
  return with_arithmetic<Int>(
      method, fractal, tables, [&]<typename Arithmetic>(const Arithmetic& arithmetic) {
        return with_threads([&]<typename Threads>(const Threads& threads) {
          const LambdaMap<Int, Arithmetic, Threads> map(fractal, arithmetic, threads);
          if constexpr (Arithmetic::kExecutionScope !=
                        ExecutionScope::kMatrixCells) {  // kMatrixCells arithmetics have no nu
            if (method.map == MapKind::kCompact) return use(map, TiledCompactStorage<Int>(fractal));
          }
          return use(map, ExpandedStorage<Int>(fractal));
        });
      });
}
template <typename WithThreads, typename Use>
decltype(auto) with_map_of(const MapMethod& method, const TiledFractal& fractal, const MapTables& tables,
                           const WithThreads& with_threads, Use&& use) {
  if (fractal.fits_32_bits())
    return with_map_in_width<std::uint32_t>(method, fractal, tables, with_threads, use);
  return with_map_in_width<std::uint64_t>(method, fractal, tables, with_threads, use);
}

/// Calls `use` with the thread map and the storage of a method; `tables` are the fractal's, in memory that
/// the threads can read. The intra-block mapping is part of the map's type; this form serves the CPU, where
/// threads are a loop.
template <typename Use>
decltype(auto) with_map(const MapMethod& method, const TiledFractal& fractal, const MapTables& tables,
                        Use&& use) {
  const auto with_threads = [&](const auto& use_threads) {
    switch (method.intra_block) {
      case IntraBlock::kUnrolled:
        return use_threads(UnrolledThreads(fractal));
      case IntraBlock::kLookup:
        return use_threads(LookupThreads(fractal, tables.tile_cells));
      case IntraBlock::kSubBox:
        break;
    }
    return use_threads(SubBoxThreads(fractal));
  };
  return with_map_of(method, fractal, tables, with_threads, use);
}

/// The same with the intra-block mapping chosen at run time, which needs a third of the types; this form
/// serves CUDA kernels.
template <typename Use>
decltype(auto) with_kernel_map(const MapMethod& method, const TiledFractal& fractal, const MapTables& tables,
                               Use&& use) {
  const auto with_threads = [&](const auto& use_threads) {
    return use_threads(AnyThreads(method.intra_block, fractal, tables.tile_cells));
  };
  return with_map_of(method, fractal, tables, with_threads, use);
}

/// The parallel space of one generation.
LaunchShape launch_shape(const MapMethod& method, const TiledFractal& fractal);

}  // namespace loom
