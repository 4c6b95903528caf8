#include <vector>

#include "compute/cuda/device_buffer.h"
#include "compute/cuda/life/device_map_tables.h"
#include "compute/cuda/life/map_samples.h"
#include "compute/cuda/stream.h"
#include "compute/cuda/warp/tensor_arithmetic.cuh"
#include "compute/cuda/warp/warp_arithmetic.cuh"
#include "compute/engine/work_costs.h"
#include "compute/map/dispatch.h"

namespace loom::cuda {
namespace {

// One warp a sample, which is a thread block: every arithmetic has what it needs, and speed does not matter.
constexpr int kThreads = 32;

template <typename Int>
__device__ __forceinline__ Coord<Int> narrow(Coord64 coordinate) {
  return {static_cast<Int>(coordinate.x), static_cast<Int>(coordinate.y)};
}

/// The expanded coordinate of the cell at `position` of block `omega`; valid in lane 0.
template <typename Map, typename Int = typename Map::Index>
__device__ __forceinline__ Coord<Int> cell_of(const Map& map, Coord<Int> omega, Coord32 position) {
  const std::uint32_t lane = threadIdx.x;
  if constexpr (Map::kComputedBy == ComputedBy::kWarp) {
    return cell_in_block(map.blocked, warp_lambda(map.arithmetic, lane, omega), position);
  } else if constexpr (Map::kComputedBy == ComputedBy::kMatrix) {
    __shared__ TensorScratch scratch;
    __shared__ Coord<Int> place[8];
    warp_tensor_lambda(
        map.arithmetic, scratch, lane, [&](std::uint32_t) { return omega; }, 1, place);
    return cell_in_block(map.blocked, place[0], position);
  } else if constexpr (Map::kComputedBy == ComputedBy::kMatrixCells) {
    __shared__ TensorScratch scratch;
    __shared__ Int xs[kMaxBlockThreads];
    __shared__ Int ys[kMaxBlockThreads];
    block_tensor_cells(map.arithmetic, scratch, lane, 0, 1, omega, xs, ys);
    __syncwarp();
    const std::uint32_t at = position.y * map.blocked.rho_x + position.x;
    return {xs[at], ys[at]};
  } else {
    return cell_in_block(map.blocked, map.place(omega), position);
  }
}

template <typename Map, typename Int = typename Map::Index>
__global__ void map_lambda_kernel(const __grid_constant__ Map map, const Coord64* __restrict__ omegas,
                                  const Coord32* __restrict__ positions, Coord64* __restrict__ cells) {
  const Coord<Int> cell = cell_of(map, narrow<Int>(omegas[blockIdx.x]), positions[blockIdx.x]);
  if (threadIdx.x == 0) cells[blockIdx.x] = {cell.x, cell.y};
}

/// nu by an arithmetic; valid in lane 0.
template <typename Arithmetic, typename Int>
__device__ __forceinline__ CompactCoord<Int> nu_of(const Arithmetic& arithmetic, Coord<Int> place) {
  if constexpr (Arithmetic::kComputedBy == ComputedBy::kWarp) {
    return warp_nu(arithmetic, threadIdx.x, place);
  } else if constexpr (Arithmetic::kComputedBy == ComputedBy::kMatrix) {
    __shared__ TensorScratch scratch;
    __shared__ CompactCoord<Int> found[8];
    warp_tensor_nu(
        arithmetic, scratch, threadIdx.x, [&](std::uint32_t) { return place; }, 1, found);
    return found[0];
  } else {
    return arithmetic.nu(place);
  }
}

/// A hole is written as kNoIndex.
template <typename Arithmetic, typename Int>
__global__ void map_nu_kernel(const __grid_constant__ Arithmetic arithmetic, Int,
                              const Coord64* __restrict__ places, Coord64* __restrict__ omegas) {
  const CompactCoord<Int> found = nu_of(arithmetic, narrow<Int>(places[blockIdx.x]));
  if (threadIdx.x > 0) return;
  omegas[blockIdx.x] = {found.present ? std::uint64_t{found.omega.x} : kNoIndex, found.omega.y};
}

template <typename T>
DeviceBuffer<T> on_device(const std::vector<T>& values) {
  DeviceBuffer<T> buffer(values.size());
  LOOM_CUDA(cudaMemcpy(buffer.data(), values.data(), values.size() * sizeof(T), cudaMemcpyHostToDevice));
  return buffer;
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
  const BlockedFractal blocked = make_blocked(config.fractal, config.level, config.block);
  const DeviceMapTables tables(blocked);
  const auto omegas = on_device(samples.omegas);
  const auto positions = on_device(samples.positions);
  const auto places = on_device(samples.places);
  const DeviceBuffer<Coord64> cells(samples.omegas.size());
  const DeviceBuffer<Coord64> found(samples.places.size());
  const Stream stream;
  MappedSamples mapped;
  with_map(config.method, blocked, tables.view(), [&]<typename Map>(const Map& map, const auto&) {
    using Int = typename Map::Index;
    map_lambda_kernel<<<static_cast<unsigned>(cells.size()), kThreads, 0, stream.get()>>>(
        map, omegas.data(), positions.data(), cells.data());
    stream.wait();
    mapped.cells = on_host(cells);
    if constexpr (requires { map.arithmetic.nu(Coord<Int>{}); }) {
      if (config.method.map != MapKind::kCompact) return;
      map_nu_kernel<<<static_cast<unsigned>(found.size()), kThreads, 0, stream.get()>>>(
          map.arithmetic, Int{}, places.data(), found.data());
      stream.wait();
      for (const Coord64 omega : on_host(found)) {
        mapped.omegas.push_back(omega.x == kNoIndex ? std::nullopt : std::optional(omega));
      }
    }
  });
  return mapped;
}

}  // namespace loom::cuda
