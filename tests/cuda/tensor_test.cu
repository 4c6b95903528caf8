#include <cuda_runtime_api.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <vector>

#include "compute/core/integer_math.h"
#include "compute/cuda/check.h"
#include "compute/cuda/device_buffer.h"
#include "compute/cuda/life/device_map_tables.h"
#include "compute/cuda/warp/tensor_arithmetic.cuh"
#include "compute/geometry/nbb_catalog.h"
#include "compute/geometry/tiled_fractal.h"
#include "compute/geometry/transforms.h"
#include "compute/map/tensor_arithmetic.h"

namespace loom::cuda {
namespace {

constexpr std::uint32_t kWarps = 4;  // warps per thread block in these tests
constexpr std::uint32_t kAtOnce = TensorArithmetic<std::uint32_t>::kMappedAtOnce;

/// The range of tiles that one warp maps.
struct Share {
  std::uint32_t first;
  std::uint32_t count;
};
__device__ Share share_of_warp(std::uint32_t count, std::uint32_t each) {
  const std::uint32_t first = (blockIdx.x * kWarps + threadIdx.x / 32) * each;
  return {first, first < count ? min(each, count - first) : 0};
}

template <typename Int>
__global__ void lambda_kernel(const __grid_constant__ TensorArithmetic<Int> arithmetic,
                              const Coord<Int>* omegas, std::uint32_t count, std::uint32_t each,
                              Coord<Int>* places) {
  __shared__ TensorScratch scratch[kWarps];
  __shared__ Coord<Int> shared[kWarps][kAtOnce];
  const std::uint32_t warp = threadIdx.x / 32;
  const std::uint32_t lane = threadIdx.x % 32;
  const Share share = share_of_warp(count, each);
  warp_tensor_lambda(
      arithmetic, scratch[warp], lane, [&](std::uint32_t i) { return omegas[share.first + i]; }, share.count,
      shared[warp]);
  if (lane < share.count) places[share.first + lane] = shared[warp][lane];
}

template <typename Int>
__global__ void nu_kernel(const __grid_constant__ TensorArithmetic<Int> arithmetic, const Coord<Int>* places,
                          std::uint32_t count, std::uint32_t each, CompactCoord<Int>* found) {
  __shared__ TensorScratch scratch[kWarps];
  __shared__ CompactCoord<Int> shared[kWarps][kAtOnce];
  const std::uint32_t warp = threadIdx.x / 32;
  const std::uint32_t lane = threadIdx.x % 32;
  const Share share = share_of_warp(count, each);
  warp_tensor_nu(
      arithmetic, scratch[warp], lane, [&](std::uint32_t i) { return places[share.first + i]; }, share.count,
      shared[warp]);
  if (lane < share.count) found[share.first + lane] = shared[warp][lane];
}

/// Writes the cells of one tile per thread block.
template <typename Int>
__global__ void cells_kernel(const __grid_constant__ TensorCellArithmetic<Int> arithmetic,
                             const Coord<Int>* omegas, Coord<Int>* cells) {
  __shared__ TensorScratch scratch[kWarps];
  __shared__ Int xs[kMaxBlockThreads];
  __shared__ Int ys[kMaxBlockThreads];
  const std::uint32_t warp = threadIdx.x / 32;
  tile_tensor_cells(arithmetic, scratch[warp], threadIdx.x % 32, warp, kWarps, omegas[blockIdx.x], xs, ys);
  __syncthreads();
  const std::uint32_t positions = arithmetic.positions();
  for (std::uint32_t p = threadIdx.x; p < positions; p += blockDim.x) {
    cells[std::size_t{blockIdx.x} * positions + p] = {xs[p], ys[p]};
  }
}

class TensorOnDevice : public testing::Test {
 protected:
  void SetUp() override {
    int devices = 0;
    if (cudaGetDeviceCount(&devices) != cudaSuccess || devices == 0) {
      cudaGetLastError();
      GTEST_SKIP() << "no CUDA device";
    }
  }
};

/// Runs `launch(device input, device output)` and returns the `results` values it wrote.
template <typename Result, typename Input, typename Launch>
std::vector<Result> run(const std::vector<Input>& input, std::size_t results, const Launch& launch) {
  std::vector<Result> output(results);
  if (input.empty()) return output;
  const DeviceBuffer<Input> from(input.size());
  const DeviceBuffer<Result> to(results);
  LOOM_CUDA(cudaMemcpy(from.data(), input.data(), input.size() * sizeof(Input), cudaMemcpyHostToDevice));
  launch(from.data(), to.data());
  LOOM_CUDA(cudaGetLastError());
  LOOM_CUDA(cudaMemcpy(output.data(), to.data(), results * sizeof(Result), cudaMemcpyDeviceToHost));
  return output;
}

unsigned blocks_for(std::size_t count, std::uint32_t each) {
  return static_cast<unsigned>((count + each * kWarps - 1) / (each * kWarps));
}

template <typename Int>
std::vector<Coord<Int>> lambda_on_device(const TensorArithmetic<Int>& arithmetic,
                                         const std::vector<Coord<Int>>& omegas, std::uint32_t each) {
  const auto count = static_cast<std::uint32_t>(omegas.size());
  return run<Coord<Int>>(omegas, count, [&](const Coord<Int>* from, Coord<Int>* to) {
    lambda_kernel<Int><<<blocks_for(count, each), kWarps * 32>>>(arithmetic, from, count, each, to);
  });
}

template <typename Int>
std::vector<CompactCoord<Int>> nu_on_device(const TensorArithmetic<Int>& arithmetic,
                                            const std::vector<Coord<Int>>& places, std::uint32_t each) {
  const auto count = static_cast<std::uint32_t>(places.size());
  return run<CompactCoord<Int>>(places, count, [&](const Coord<Int>* from, CompactCoord<Int>* to) {
    nu_kernel<Int><<<blocks_for(count, each), kWarps * 32>>>(arithmetic, from, count, each, to);
  });
}

/// Tile indices of a fractal: all if there are at most `most`, else pseudo-random ones and the last.
template <typename Int>
std::vector<Coord<Int>> sample_tiles(std::uint64_t wide, std::uint64_t high, std::uint64_t most) {
  const auto at = [](std::uint64_t x, std::uint64_t y) {
    return Coord<Int>{static_cast<Int>(x), static_cast<Int>(y)};
  };
  std::vector<Coord<Int>> tiles;
  if (saturating_multiply(wide, high) <= most) {
    for (std::uint64_t i = 0; i < wide * high; ++i) tiles.push_back(at(i % wide, i / wide));
    return tiles;
  }
  for (std::uint64_t i = 1; i < most; ++i) {
    tiles.push_back(at(splitmix64(2 * i) % wide, splitmix64(2 * i + 1) % high));
  }
  tiles.push_back(at(wide - 1, high - 1));
  return tiles;
}

template <typename Int>
void expect_maps_equal(const TiledFractal& tiled, std::uint64_t most) {
  const DeviceMapTables tables(tiled);
  const TensorArithmetic<Int> arithmetic(tiled, TensorWeights::kDigits, tables.view().levels,
                                         tables.view().tensor);
  const NbbTransform<Int> transform(tiled.shape);
  const int levels = tiled.coarse_level;
  const auto omegas = sample_tiles<Int>(tiled.orthotope_x, tiled.orthotope_y, most);
  // Positions of tiles, and random positions, most of which are holes.
  std::vector<Coord<Int>> places = sample_tiles<Int>(tiled.grid_x, tiled.grid_y, most);
  for (const Coord<Int>& omega : omegas) places.push_back(lambda_map(transform, levels, omega));

  for (const std::uint32_t each : {1u, 4u, 5u, kAtOnce}) {
    const auto mapped = lambda_on_device(arithmetic, omegas, each);
    for (std::size_t i = 0; i < omegas.size(); ++i) {
      ASSERT_EQ(mapped[i], lambda_map(transform, levels, omegas[i])) << "tile " << i << " of " << each;
    }
    const auto found = nu_on_device(arithmetic, places, each);
    for (std::size_t i = 0; i < places.size(); ++i) {
      const CompactCoord<Int> expected = nu_map(transform, levels, places[i]);
      ASSERT_EQ(found[i].present, expected.present) << "position " << i << " of " << each;
      if (expected.present) ASSERT_EQ(found[i].omega, expected.omega) << "position " << i << " of " << each;
    }
  }
}

TEST_F(TensorOnDevice, LambdaAndNuAreTheMapsAtEveryTileOfSmallLevels) {
  for (const NbbFractal& fractal : catalog()) {
    for (int level = 0; fractal.cells(level) <= 1 << 13; ++level) {
      SCOPED_TRACE(testing::Message() << fractal.name() << " level " << level);
      const TiledFractal tiled = make_tiled_fractal(fractal, level, 1);
      expect_maps_equal<std::uint32_t>(tiled, 1 << 16);
    }
  }
}

TEST_F(TensorOnDevice, LambdaAndNuAreTheMapsAtEveryLevel) {
  for (const NbbFractal& fractal : catalog()) {
    for (int level = 5; level <= fractal.max_level(); ++level) {
      SCOPED_TRACE(testing::Message() << fractal.name() << " level " << level);
      const TiledFractal tiled = make_tiled_fractal(fractal, level, 1);
      if (tiled.fits_32_bits()) {
        expect_maps_equal<std::uint32_t>(tiled, 1000);
      } else {
        expect_maps_equal<std::uint64_t>(tiled, 1000);
      }
    }
  }
}

TEST_F(TensorOnDevice, PlainWeightsGoWrongWhereTheEmulatedOnesDo) {
  for (const NbbFractal& fractal : catalog()) {
    for (int level = 1; level <= std::min(30, fractal.max_level()); ++level) {
      SCOPED_TRACE(testing::Message() << fractal.name() << " level " << level);
      const TiledFractal tiled = make_tiled_fractal(fractal, level, 1);
      const DeviceMapTables tables(tiled);
      const auto levels = ShuffleArithmetic<std::uint64_t>::build(tiled);
      const DeviceBuffer<ShuffleArithmetic<std::uint64_t>::Level> levels_there(levels.size());
      LOOM_CUDA(cudaMemcpy(levels_there.data(), levels.data(), levels.size() * sizeof(levels[0]),
                           cudaMemcpyHostToDevice));
      const auto matrices = TensorArithmetic<std::uint64_t>::build(tiled, TensorWeights::kPlain);
      const TensorArithmetic<std::uint64_t> here(tiled, TensorWeights::kPlain, levels.data(),
                                                 matrices.data());
      const TensorArithmetic<std::uint64_t> there(tiled, TensorWeights::kPlain, levels_there.data(),
                                                  tables.view().tensor_fp16);
      const auto omegas = sample_tiles<std::uint64_t>(tiled.orthotope_x, tiled.orthotope_y, 500);
      std::vector<Coord64> places;
      for (const Coord64& omega : omegas) {
        places.push_back(lambda_map(NbbTransform<std::uint64_t>(tiled.shape), level, omega));
      }
      const auto mapped = lambda_on_device(there, omegas, kAtOnce);
      const auto found = nu_on_device(there, places, kAtOnce);
      bool lambda_right = true;
      bool nu_right = true;
      for (std::size_t i = 0; i < omegas.size(); ++i) {
        ASSERT_EQ(mapped[i], here.lambda(omegas[i]));
        ASSERT_EQ(found[i].omega, here.nu(places[i]).omega);
        ASSERT_EQ(found[i].present, here.nu(places[i]).present);
        lambda_right = lambda_right && mapped[i] == places[i];
        nu_right = nu_right && found[i].omega == omegas[i];
      }
      EXPECT_EQ(lambda_right, level < first_wrong_level(fractal, MapDirection::kLambda).value_or(level + 1));
      EXPECT_EQ(nu_right, level < first_wrong_level(fractal, MapDirection::kNu).value_or(level + 1));
    }
  }
}

template <typename Int>
void expect_cells_equal(const TiledFractal& tiled, std::uint64_t most) {
  const DeviceMapTables tables(tiled);
  const MapTables view = tables.view();
  const TensorCellArithmetic<Int> arithmetic(tiled, view.levels, view.cell_weights, view.cell_positions);
  const NbbTransform<Int> transform(tiled.shape);
  const auto omegas = sample_tiles<Int>(tiled.orthotope_x, tiled.orthotope_y, most);
  const std::uint32_t area = tiled.points_per_tile();
  const auto cells =
      run<Coord<Int>>(omegas, omegas.size() * area, [&](const Coord<Int>* from, Coord<Int>* to) {
        cells_kernel<Int><<<static_cast<unsigned>(omegas.size()), kWarps * 32>>>(arithmetic, from, to);
      });
  for (std::size_t i = 0; i < omegas.size(); ++i) {
    const Coord<Int> place = lambda_map(transform, tiled.coarse_level, omegas[i]);
    for (std::uint32_t p = 0; p < area; ++p) {
      const Coord<Int> expected{place.x * tiled.rho_x + p % tiled.rho_x,
                                place.y * tiled.rho_y + p / tiled.rho_x};
      ASSERT_EQ(cells[i * area + p], expected) << "tile " << i << " position " << p;
    }
  }
}

TEST_F(TensorOnDevice, EveryPositionGetsItsOwnCell) {
  for (const NbbFractal& fractal : catalog()) {
    for (int level = 0; level <= fractal.max_level(); ++level) {
      for (const std::uint32_t tile_size : allowed_tile_sizes(fractal, level)) {
        SCOPED_TRACE(testing::Message()
                     << fractal.name() << " level " << level << " tile size " << tile_size);
        const TiledFractal tiled = make_tiled_fractal(fractal, level, tile_size);
        if (tiled.fits_32_bits()) {
          expect_cells_equal<std::uint32_t>(tiled, 50);
        } else {
          expect_cells_equal<std::uint64_t>(tiled, 50);
        }
      }
    }
  }
}

}  // namespace
}  // namespace loom::cuda
