#pragma once

#include <array>
#include <string_view>

namespace loom {

/// How lambda and nu are computed. All but kTensorFp16 give the same result at every level.
enum class MapArithmetic {
  kLoop,     ///< one thread a block runs through the levels and shares the result with its block
  kShuffle,  ///< a warp together, one level a lane, joined by a shuffle reduction
  kTable,    ///< one thread a block, likewise, but several levels' digits at a time from precomputed tables
  kTensor1,  ///< lambda map: one matrix product places one block
  kTensor2,  ///< lambda map: one matrix product places the four blocks of a 2 rho x 2 rho thread block
  kTensor3,  ///< lambda map: matrix products give every thread its own coordinate
  kTensor,   ///< compact map: one matrix product finds all eight neighbours
  kTensorFp16,  ///< the papers' plain FP16 weights, to show where they go wrong: not exact
};
inline constexpr std::array kMapArithmetics = {
    MapArithmetic::kLoop,    MapArithmetic::kShuffle, MapArithmetic::kTable,  MapArithmetic::kTensor1,
    MapArithmetic::kTensor2, MapArithmetic::kTensor3, MapArithmetic::kTensor, MapArithmetic::kTensorFp16};

/// "loop", "shuffle", "table", "tensor-1", "tensor-2", "tensor-3", "tensor", "tensor-fp16".
/// `parse_arithmetic` throws InputError that lists them.
std::string_view name_of(MapArithmetic arithmetic);
MapArithmetic parse_arithmetic(std::string_view name);

/// Whether the arithmetic is exact at every level.
constexpr bool is_exact(MapArithmetic arithmetic) {
  return arithmetic != MapArithmetic::kTensorFp16;
}
/// Whether it is matrix products on tensor cores.
constexpr bool is_tensor(MapArithmetic arithmetic) {
  return arithmetic >= MapArithmetic::kTensor1;
}
/// Whether the CPU backend computes the same by other means than a GPU: it has no warps and no tensor cores.
constexpr bool is_emulated_on_cpu(MapArithmetic arithmetic) {
  return arithmetic == MapArithmetic::kShuffle || is_tensor(arithmetic);
}

/// How a block's threads find their cells within the block's level-j fractal. Source: [lambda-2020]
/// section 5.
enum class IntraBlock {
  kSubBox,    ///< rho_x * rho_y threads: each tests whether its position is a cell, and idles if not
  kUnrolled,  ///< k^j threads: lambda once more, on the thread's number within the block
  kLookup,    ///< k^j threads: one load each from a table of the block's cells
};
inline constexpr std::array kIntraBlocks = {IntraBlock::kSubBox, IntraBlock::kUnrolled, IntraBlock::kLookup};

/// "sub-box", "unrolled", "lookup". `parse_intra_block` throws InputError that lists them.
std::string_view name_of(IntraBlock intra_block);
IntraBlock parse_intra_block(std::string_view name);

}  // namespace loom
