#include <vector>

#include "compute/cuda/device_buffer.h"
#include "compute/cuda/life/device_map_tables.h"
#include "compute/cuda/life/map_samples.h"
#include "compute/cuda/life/place.cuh"
#include "compute/cuda/stream.h"
#include "compute/map/dispatch.h"

namespace loom::cuda {
namespace {

// One warp per sample, which is a thread block: this suits every arithmetic, and speed does not matter.
constexpr int kThreads = 32;

template <typename Int>
__device__ __forceinline__ Coord<Int> narrow(Coord64 coordinate) {
  return {static_cast<Int>(coordinate.x), static_cast<Int>(coordinate.y)};
}

/// One tile and one position per sample.
template <typename Map, typename Int = typename Map::Index>
__global__ void map_lambda_kernel(const __grid_constant__ Map map, const Coord64* __restrict__ omegas,
                                  const Coord32* __restrict__ positions, Coord64* __restrict__ cells) {
  const Coord<Int> omega = narrow<Int>(omegas[blockIdx.x]);
  const Coord32 position = positions[blockIdx.x];
  Coord<Int> cell;
  if constexpr (Map::kExecutionScope == ExecutionScope::kMatrixCells) {
    using Cells = CellsByMatrix<decltype(Map::arithmetic), Int>;
    __shared__ SharedMemory<typename Cells::Shared> shared;
    Cells::find(map.arithmetic, shared.get(), omega);
    __syncthreads();
    cell = Cells::cell(map.tiled, shared.get(), position);
  } else if constexpr (kIsBox<Map>) {
    cell = cell_in_tile(map.tiled, map.place(omega), position);
  } else {
    __shared__ SharedMemory<typename PlacesOf<Map>::Shared> shared;
    cell = cell_in_tile(map.tiled, PlacesOf<Map>::lambda(map.arithmetic, shared.get(), omega), position);
  }
  if (threadIdx.x == 0) cells[blockIdx.x] = {cell.x, cell.y};
}

/// A hole is written as kNoIndex.
template <typename Map, typename Int = typename Map::Index>
__global__ void map_nu_kernel(const __grid_constant__ Map map, const Coord64* __restrict__ places,
                              Coord64* __restrict__ omegas) {
  __shared__ SharedMemory<typename PlacesOf<Map>::NeighbourShared> shared;
  const CompactCoord<Int> found =
      PlacesOf<Map>::nu(map.arithmetic, shared.get(), narrow<Int>(places[blockIdx.x]));
  if (threadIdx.x > 0) return;
  omegas[blockIdx.x] = {found.present ? std::uint64_t{found.omega.x} : kNoIndex, found.omega.y};
}

std::vector<Coord64> on_host(const DeviceBuffer<Coord64>& buffer) {
  std::vector<Coord64> values(buffer.size());
  LOOM_CUDA(cudaGetLastError());
  LOOM_CUDA(
      cudaMemcpy(values.data(), buffer.data(), values.size() * sizeof(Coord64), cudaMemcpyDeviceToHost));
  return values;
}

}  // namespace

MappedSamples map_samples(const FractalConfig& config, int device, const MapSamples& samples) {
  LOOM_CUDA(cudaSetDevice(device));
  TiledFractal tiled = make_tiled_fractal(config.fractal, config.level, config.tile_size);
  const DeviceLevels levels(tiled);
  const DeviceMapTables tables(tiled);
  const auto omegas = on_device(samples.omegas);
  const auto positions = on_device(samples.positions);
  const auto places = on_device(samples.places);
  const DeviceBuffer<Coord64> cells(samples.omegas.size());
  const DeviceBuffer<Coord64> found(samples.places.size());
  const Stream stream;
  MappedSamples mapped;
  with_kernel_map(config.method, tiled, tables.view(),
                  [&]<typename Map, typename Storage>(const Map& map, const Storage&) {
                    map_lambda_kernel<<<static_cast<unsigned>(cells.size()), kThreads, 0, stream.get()>>>(
                        map, omegas.data(), positions.data(), cells.data());
                    stream.wait();
                    mapped.cells = on_host(cells);
                    if constexpr (std::is_same_v<Storage, TiledCompactStorage<typename Map::Index>>) {
                      map_nu_kernel<<<static_cast<unsigned>(found.size()), kThreads, 0, stream.get()>>>(
                          map, places.data(), found.data());
                      stream.wait();
                      for (const Coord64 omega : on_host(found)) {
                        mapped.omegas.push_back(omega.x == kNoIndex ? std::nullopt : std::optional(omega));
                      }
                    }
                  });
  return mapped;
}

}  // namespace loom::cuda
