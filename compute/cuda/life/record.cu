#include "compute/cuda/kernel_occupancy.h"
#include "compute/cuda/life/byte_kernels.h"
#include "compute/cuda/life/life_compact.cuh"
#include "compute/cuda/life/life_expanded.cuh"
#include "compute/cuda/life/life_larger.cuh"

namespace loom::cuda {
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
  const auto recorder_on = [&](const auto& map) {
    return BlockRecorder{
        .to = to, .window = window, .blocks_x = gpu_launch(method, fractal, map.launch_shape()).blocks_x};
  };
  if (rule.is_larger()) {
    with_map_in_width<std::uint32_t>(
        method, fractal, tables, with_threads, [&](const auto& map, const auto& storage) {
          with_larger_kernel<BlockRecorder>(
              method, fractal, rule, map, storage, [&](auto* kernel, const BoxWork& work) {
                occupancy = kernel_occupancy(kernel, threads_of(method, map), work.bytes);
                launch_larger(kernel, work, map, storage, method, now, next, rule, recorder_on(map), slices,
                              stream);
              });
        });
    return occupancy;
  }
  const auto record_on = [&]<typename Rule>(const auto& map, const auto& storage, const Rule& of) {
    const BlockRecorder recorder = recorder_on(map);
    const auto record = [&](auto* kernel, const auto&, std::size_t shared_bytes, const auto&... arguments) {
      occupancy = kernel_occupancy(kernel, threads_of(method, map), shared_bytes);
      launch_tiles(kernel, map, method, shared_bytes, slices, stream, map, arguments..., now, next,
                   LifeRuleTable(of), recorder);
    };
    with_expanded_kernel<Rule, BlockRecorder>(method, fractal, tables, map, storage, record);
    with_compact_kernel<Rule, BlockRecorder>(method, halo, fractal, tables, map, storage, record);
  };
  with_states(rule, [&](const auto& of) {
    with_map_in_width<std::uint32_t>(
        method, fractal, tables, with_threads,
        [&](const auto& map, const auto& storage) { record_on(map, storage, of); });
  });
  return occupancy;
}

}  // namespace loom::cuda
