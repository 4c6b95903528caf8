#pragma once

#include <array>
#include <string_view>

namespace loom {

/// The arithmetic of lambda and nu. All but kTensorFp16 give the same result at every level.
enum class MapArithmetic {
  kLoop,        ///< one thread per tile loops over the levels and shares the result with the tile's threads
  kShuffle,     ///< one warp, one level per lane, joined by a shuffle reduction
  kTable,       ///< as kLoop, but several levels' digits per step from precomputed tables
  kTensor1,     ///< lambda map: one matrix product maps one tile
  kTensor2,     ///< lambda map: one matrix product maps the four tiles of a 2 rho x 2 rho thread block
  kTensor3,     ///< lambda map: matrix products give every thread its own coordinate
  kTensor,      ///< compact map: one matrix product maps all eight neighbouring tiles
  kTensorFp16,  ///< the papers' plain FP16 weights, which show the limits of FP16: not exact
};
inline constexpr std::array kMapArithmetics = {
    MapArithmetic::kLoop,    MapArithmetic::kShuffle, MapArithmetic::kTable,  MapArithmetic::kTensor1,
    MapArithmetic::kTensor2, MapArithmetic::kTensor3, MapArithmetic::kTensor, MapArithmetic::kTensorFp16};

/// "loop", "shuffle", "table", "tensor-1", "tensor-2", "tensor-3", "tensor", "tensor-fp16".
/// `parse_arithmetic` throws InputError with the list of names.
std::string_view name_of(MapArithmetic arithmetic);
MapArithmetic parse_arithmetic(std::string_view name);

/// Whether the arithmetic is exact at every level.
constexpr bool is_exact(MapArithmetic arithmetic) {
  return arithmetic != MapArithmetic::kTensorFp16;
}
/// Whether the arithmetic uses matrix products on tensor cores.
constexpr bool is_tensor(MapArithmetic arithmetic) {
  return arithmetic >= MapArithmetic::kTensor1;
}
/// Whether the arithmetic is computed by whole warps.
constexpr bool needs_warps(MapArithmetic arithmetic) {
  return arithmetic == MapArithmetic::kShuffle || is_tensor(arithmetic);
}

/// The mapping of a tile's threads to the cells of the tile's level-j fractal. Source: [lambda-2020] section
/// 5.
enum class IntraBlock {
  kSubBox,    ///< rho_x * rho_y threads: each tests whether its position is a cell, and is idle if not
  kUnrolled,  ///< k^j threads: lambda applied to the thread index in the tile
  kLookup,    ///< k^j threads: each loads its position from a table of the tile's cells
};
inline constexpr std::array kIntraBlocks = {IntraBlock::kSubBox, IntraBlock::kUnrolled, IntraBlock::kLookup};

/// "sub-box", "unrolled", "lookup". `parse_intra_block` throws InputError with the list of names.
std::string_view name_of(IntraBlock intra_block);
IntraBlock parse_intra_block(std::string_view name);

}  // namespace loom
