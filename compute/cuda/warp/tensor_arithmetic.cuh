#pragma once

#include <cuda_fp16.h>
#include <mma.h>

#include <cstdint>

#include "compute/map/tensor_arithmetic.h"
#include "compute/map/tensor_cell_arithmetic.h"

namespace loom::cuda {

// The matrix products of TensorArithmetic and TensorCellArithmetic on tensor cores. All functions are
// warp-wide: all 32 lanes must call them together, with the same arguments except `lane`.

/// Shared memory of one warp.
struct alignas(32) TensorScratch {
  __half b[kFragmentArea];  ///< B, column-major for lambda and nu, row-major for the cells of tensor-3
  float d[kFragmentArea];   ///< D, row-major
};

using FragmentA = nvcuda::wmma::fragment<nvcuda::wmma::matrix_a, kFragmentSide, kFragmentSide, kFragmentSide,
                                         __half, nvcuda::wmma::row_major>;
template <typename Layout>
using FragmentB = nvcuda::wmma::fragment<nvcuda::wmma::matrix_b, kFragmentSide, kFragmentSide, kFragmentSide,
                                         __half, Layout>;
using FragmentD =
    nvcuda::wmma::fragment<nvcuda::wmma::accumulator, kFragmentSide, kFragmentSide, kFragmentSide, float>;

/// Loads a fragment of weights from their FP16 bit patterns in global memory. All warps use the same few
/// fragments, so that they stay in the first-level cache.
__device__ __forceinline__ void load_weights(FragmentA& a, const std::uint16_t* matrix) {
  nvcuda::wmma::load_matrix_sync(a, reinterpret_cast<const __half*>(matrix), kFragmentSide);
}

/// D = the sum over the products of A B, written to scratch.d. put_level(mu, row) writes row `row` of B for
/// level mu, which may be above the last level: it must then write zeros. Columns that are not read need not
/// be written. Two lanes (lane and lane + 16) share a row.
template <typename PutLevel>
__device__ __forceinline__ void multiply_levels(const std::uint16_t* matrices, int products,
                                                TensorScratch& scratch, std::uint32_t lane,
                                                const PutLevel& put_level) {
  using nvcuda::wmma::col_major;
  const int row = static_cast<int>(lane % kFragmentSide);
  FragmentD d;
  nvcuda::wmma::fill_fragment(d, 0.0f);
  for (int product = 0; product < products; ++product) {
    __syncwarp();  // B of the previous product, or D of the caller, has been read
    put_level(product * kFragmentSide + row + 1, row);
    FragmentA a;
    load_weights(a, matrices + in_fragment(product, 0, 0));
    __syncwarp();
    FragmentB<col_major> b;
    nvcuda::wmma::load_matrix_sync(b, scratch.b, kFragmentSide);
    nvcuda::wmma::mma_sync(d, a, b, d);
  }
  __syncwarp();
  nvcuda::wmma::store_matrix_sync(scratch.d, d, kFragmentSide, nvcuda::wmma::mem_row_major);
  __syncwarp();
}

/// An element of B: an integer below 64.
__device__ __forceinline__ __half element_of_b(std::uint32_t value) {
  return __ushort2half_rn(static_cast<unsigned short>(value));
}

/// lambda of `count` <= 8 compact tile coordinates, omega_of(0), ..., by one product per 16 levels. The
/// results are written to places[0], ..., in shared memory, and are visible to all lanes. omega_of is called
/// by any lane.
template <typename Int, typename OmegaOf>
__device__ __forceinline__ void warp_tensor_lambda(const TensorArithmetic<Int>& arithmetic,
                                                   TensorScratch& scratch, std::uint32_t lane,
                                                   const OmegaOf& omega_of, std::uint32_t count,
                                                   Coord<Int>* places) {
  const auto put_level = [&](int mu, int row) {
    for (std::uint32_t i = lane / kFragmentSide; i < count; i += 2) {
      Coord32 tau{0, 0};
      if (mu <= arithmetic.levels()) tau = arithmetic.offset(mu, omega_of(i));
      scratch.b[in_fragment(0, 2 * static_cast<int>(i), row)] = element_of_b(tau.x);
      scratch.b[in_fragment(0, 2 * static_cast<int>(i) + 1, row)] = element_of_b(tau.y);
    }
  };
  multiply_levels(arithmetic.lambda_matrices(), arithmetic.products(), scratch, lane, put_level);
  if (lane < 2 * count) {
    const bool is_y = lane % 2 != 0;
    const int first_row = is_y ? TensorArithmetic<Int>::kRowsOfCoordinate : 0;
    const float* sums = scratch.d + in_fragment(0, first_row, static_cast<int>(lane));
    const Int value =
        arithmetic.join(arithmetic.lambda_rows(), [&](int row) { return sums[row * kFragmentSide]; });
    (is_y ? places[lane / 2].y : places[lane / 2].x) = value;
  }
  __syncwarp();
}

/// nu of `count` <= 8 expanded tile coordinates, place_of(0), ..., by one product per 16 levels. The result
/// for a coordinate outside of the grid is meaningless and must not be used.
template <typename Int, typename PlaceOf>
__device__ __forceinline__ void warp_tensor_nu(const TensorArithmetic<Int>& arithmetic,
                                               TensorScratch& scratch, std::uint32_t lane,
                                               const PlaceOf& place_of, std::uint32_t count,
                                               CompactCoord<Int>* found) {
  constexpr int kFirstHoleColumn = static_cast<int>(TensorArithmetic<Int>::kMappedAtOnce);
  const auto put_level = [&](int mu, int row) {
    for (std::uint32_t i = lane / kFragmentSide; i < count; i += 2) {
      int replica = 0;
      if (mu <= arithmetic.levels()) replica = arithmetic.replica(mu, place_of(i));
      const bool hole = replica < 0;
      scratch.b[in_fragment(0, static_cast<int>(i), row)] =
          element_of_b(hole ? 0u : static_cast<std::uint32_t>(replica));
      scratch.b[in_fragment(0, kFirstHoleColumn + static_cast<int>(i), row)] = element_of_b(hole ? 1u : 0u);
    }
  };
  multiply_levels(arithmetic.nu_matrices(), arithmetic.products(), scratch, lane, put_level);
  const bool is_y = lane % 2 != 0;
  const int i = static_cast<int>(lane / 2);
  bool present = false;  // for this lane's coordinate
  if (lane < 2 * count) {
    const int first_row = is_y ? TensorArithmetic<Int>::kRowsOfCoordinate : 0;
    const float* sums = scratch.d + in_fragment(0, first_row, i);
    const Int value =
        arithmetic.join(arithmetic.nu_rows(), [&](int row) { return sums[row * kFragmentSide]; });
    const float holes = scratch.d[in_fragment(0, TensorArithmetic<Int>::kHoleRow, kFirstHoleColumn + i)];
    present = holes == 0.0f && value < (is_y ? arithmetic.orthotope_y() : arithmetic.orthotope_x());
    (is_y ? found[i].omega.y : found[i].omega.x) = value;
  }
  const unsigned present_lanes = __ballot_sync(~0u, present);
  if (lane < 2 * count && !is_y) found[i].present = (present_lanes >> lane & 3u) == 3u;
  __syncwarp();
}

/// The cells of all positions of the tile at `omega`, by `warps` warps of which this is number `warp`:
/// position p = t_y * rho_x + t_x of the tile gets xs[p] and ys[p], in shared memory. Each warp has a scratch
/// of its own. The warps share 2 * fragments() parts; warps beyond that number are idle. Other warps can read
/// the result after a barrier.
template <typename Int>
__device__ __forceinline__ void tile_tensor_cells(const TensorCellArithmetic<Int>& arithmetic,
                                                  TensorScratch& scratch, std::uint32_t lane,
                                                  std::uint32_t warp, std::uint32_t warps, Coord<Int> omega,
                                                  Int* xs, Int* ys) {
  using nvcuda::wmma::row_major;
  constexpr std::uint32_t kElements = kFragmentArea / 32;  // elements of D per lane
  const int row = static_cast<int>(lane / 2);
  const int products = arithmetic.products();
  for (std::uint32_t part = warp; part < 2 * arithmetic.fragments(); part += warps) {
    const int axis = static_cast<int>(part % 2);
    const std::uint32_t fragment = part / 2;
    Int sums[kElements] = {};
    FragmentB<row_major> b;
    for (int plane = 0; plane < arithmetic.planes(); ++plane) {
      FragmentD d;
      if (plane == 0) {
        nvcuda::wmma::load_matrix_sync(d, arithmetic.own_positions(axis, fragment), kFragmentSide,
                                       nvcuda::wmma::mem_row_major);
      } else {
        nvcuda::wmma::fill_fragment(d, 0.0f);
      }
      for (int product = 0; product < products; ++product) {
        if (plane == 0 || products > 1) {  // a single B serves all planes
          const int mu = product * kFragmentSide + row + 1;
          Coord32 tau{0, 0};
          if (mu <= arithmetic.levels()) tau = arithmetic.offset(mu, omega);
          const unsigned pair = __half_as_ushort(element_of_b(axis == 0 ? tau.x : tau.y)) * 0x10001u;
          __syncwarp();
          // All columns are equal: lanes 2 row and 2 row + 1 fill half a row each, 16 bytes.
          const int column = static_cast<int>(lane % 2) * kFragmentSide / 2;
          *reinterpret_cast<uint4*>(scratch.b + in_fragment(0, row, column)) = {pair, pair, pair, pair};
          __syncwarp();
          nvcuda::wmma::load_matrix_sync(b, scratch.b, kFragmentSide);
        }
        FragmentA a;
        load_weights(a, arithmetic.weights(axis, plane, product));
        nvcuda::wmma::mma_sync(d, a, b, d);
      }
      __syncwarp();
      nvcuda::wmma::store_matrix_sync(scratch.d, d, kFragmentSide, nvcuda::wmma::mem_row_major);
      __syncwarp();
      for (std::uint32_t i = 0; i < kElements; ++i) {
        sums[i] += TensorCellArithmetic<Int>::digit_part(scratch.d[i * 32 + lane], plane);
      }
    }
    Int* const coordinates = axis == 0 ? xs : ys;
    for (std::uint32_t i = 0; i < kElements; ++i) {
      const std::uint32_t position = fragment * kFragmentArea + i * 32 + lane;
      if (position < arithmetic.positions()) coordinates[position] = sums[i];
    }
  }
}

}  // namespace loom::cuda
