#pragma once

#include <array>
#include <string_view>

namespace loom {

/// How lambda and nu are computed, once a block. All give the same result at every level.
enum class MapArithmetic {
  kLoop,     ///< one thread runs through the levels and shares the result with its block
  kShuffle,  ///< a warp together, one level a lane, joined by a shuffle reduction (on the CPU: emulated, one
             ///< by one)
  kTable,    ///< every thread for itself, several levels' digits at a time from precomputed tables
};
inline constexpr std::array kMapArithmetics = {MapArithmetic::kLoop, MapArithmetic::kShuffle,
                                               MapArithmetic::kTable};

/// "loop", "shuffle", "table". `parse_arithmetic` throws InputError that lists them.
std::string_view name_of(MapArithmetic arithmetic);
MapArithmetic parse_arithmetic(std::string_view name);

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
