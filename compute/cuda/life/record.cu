#include "compute/cuda/kernel_occupancy.h"
#include "compute/cuda/life/life_compact.cuh"
#include "compute/cuda/life/life_expanded.cuh"
#include "compute/cuda/life/record.h"
#include "compute/cuda/timeline/span_recorder.cuh"

namespace loom::cuda {
namespace {

// The instrumented copies: the kernels of life_expanded.cu and life_compact.cu, which call the same functions
// and read a clock before and after.

/// The calling thread block's number in a launch that may have been divided.
__device__ __forceinline__ std::uint64_t number_in_launch(const TileLayout& layout,
                                                          const BlockRecorder& recorder) {
  return (layout.first.y + blockIdx.y) * recorder.blocks_x + layout.first.x + blockIdx.x;
}

template <bool kWords, typename Map, typename Int>
__global__ void __launch_bounds__(kMaxBlockThreads)
    life_expanded_recorded_kernel(const __grid_constant__ TileLayout layout, const __grid_constant__ Map map,
                                  const __grid_constant__ ExpandedStorage<Int> storage,
                                  const std::uint8_t* __restrict__ now, std::uint8_t* __restrict__ next,
                                  LifeRule rule, const __grid_constant__ BlockRecorder recorder) {
  const std::uint64_t begin = recorder.begin();
  life_expanded_block<kWords>(layout, map, storage, now, next, rule);
  recorder.end(begin, [&] { return number_in_launch(layout, recorder); });
}

template <typename Map, typename Int>
__global__ void __launch_bounds__(kMaxBlockThreads) life_expanded_rows_recorded_kernel(
    const __grid_constant__ TileLayout layout, const __grid_constant__ Map map,
    const __grid_constant__ ExpandedStorage<Int> storage, const __grid_constant__ RowWork work,
    const __grid_constant__ Staging staging, const HaloCell* __restrict__ halo, std::uint32_t halo_cells,
    const std::uint8_t* __restrict__ now, std::uint8_t* __restrict__ next,
    const __grid_constant__ LifeRuleTable rule, const __grid_constant__ BlockRecorder recorder) {
  const std::uint64_t begin = recorder.begin();
  life_expanded_rows_block(layout, map, storage, work, staging, halo, halo_cells, now, next, rule);
  recorder.end(begin, [&] { return number_in_launch(layout, recorder); });
}

template <typename Map, typename Int>
__global__ void __launch_bounds__(kMaxBlockThreads)
    life_compact_recorded_kernel(const __grid_constant__ TileLayout layout, const __grid_constant__ Map map,
                                 const __grid_constant__ TiledCompactStorage<Int> storage,
                                 const __grid_constant__ NeighbourList list,
                                 const std::uint8_t* __restrict__ now, std::uint8_t* __restrict__ next,
                                 LifeRule rule, const __grid_constant__ BlockRecorder recorder) {
  const std::uint64_t begin = recorder.begin();
  life_compact_block(layout, map, storage, list, now, next, rule);
  recorder.end(begin, [&] { return number_in_launch(layout, recorder); });
}

template <typename Map, typename Int>
__global__ void __launch_bounds__(kMaxBlockThreads) life_compact_rows_recorded_kernel(
    const __grid_constant__ TileLayout layout, const __grid_constant__ Map map,
    const __grid_constant__ TiledCompactStorage<Int> storage, const __grid_constant__ NeighbourList list,
    const __grid_constant__ Staging work, const HaloCell* __restrict__ halo, std::uint32_t halo_cells,
    const std::uint8_t* __restrict__ now, std::uint8_t* __restrict__ next,
    const __grid_constant__ LifeRuleTable rule, const __grid_constant__ BlockRecorder recorder) {
  const std::uint64_t begin = recorder.begin();
  life_compact_rows_block(layout, map, storage, list, work, halo, halo_cells, now, next, rule);
  recorder.end(begin, [&] { return number_in_launch(layout, recorder); });
}

template <typename Map, typename Int>
__global__ void __launch_bounds__(kMaxBlockThreads)
    life_expanded_gathered_recorded_kernel(const __grid_constant__ TileLayout layout,
                                           const __grid_constant__ Map map,
                                           const __grid_constant__ ExpandedStorage<Int> storage,
                                           const __grid_constant__ RowWork work,
                                           const std::uint8_t* __restrict__ now,
                                           std::uint8_t* __restrict__ next, LifeRule rule,
                                           const __grid_constant__ BlockRecorder recorder) {
  const std::uint64_t begin = recorder.begin();
  life_expanded_gathered_block(layout, map, storage, work, now, next, rule);
  recorder.end(begin, [&] { return number_in_launch(layout, recorder); });
}

struct RecordedKernels {
  template <typename Map, typename Int>
  static auto gathered() {
    return life_expanded_gathered_recorded_kernel<Map, Int>;
  }
  template <bool kWords, typename Map, typename Int>
  static auto expanded() {
    return life_expanded_recorded_kernel<kWords, Map, Int>;
  }
  template <typename Map, typename Int>
  static auto rows() {
    return life_expanded_rows_recorded_kernel<Map, Int>;
  }
  template <typename Map, typename Int>
  static auto compact() {
    return life_compact_recorded_kernel<Map, Int>;
  }
  template <typename Map, typename Int>
  static auto compact_rows() {
    return life_compact_rows_recorded_kernel<Map, Int>;
  }
};

}  // namespace

bool can_record(const TiledFractal& fractal) {
  return fractal.fits_32_bits();
}

Occupancy record_life(const MapMethod& method, bool halo, const TiledFractal& fractal,
                      const MapTables& tables, const std::uint8_t* now, std::uint8_t* next, LifeRule rule,
                      const RecordingView& to, const SpanWindow& window, const LaunchSlices& slices,
                      const Stream& stream) {
  Occupancy occupancy;
  const auto with_threads = [&](const auto& use_threads) {
    return use_threads(AnyThreads(method.intra_block, fractal, tables.tile_cells));
  };
  with_map_in_width<std::uint32_t>(
      method, fractal, tables, with_threads, [&](const auto& map, const auto& storage) {
        const BlockRecorder recorder{
            .to = to, .window = window, .blocks_x = gpu_launch(method, fractal, map.launch_shape()).blocks_x};
        const auto record = [&](auto* kernel, const auto&, std::size_t shared_bytes,
                                const auto&... arguments) {
          occupancy = kernel_occupancy(kernel, threads_of(method, map), shared_bytes);
          launch_tiles(kernel, map, method, shared_bytes, slices, stream, map, arguments..., now, next,
                       LifeRuleTable(rule), recorder);
        };
        with_expanded_kernel<RecordedKernels>(method, fractal, tables, map, storage, record);
        with_compact_kernel<RecordedKernels>(method, halo, fractal, tables, map, storage, record);
      });
  return occupancy;
}

}  // namespace loom::cuda
