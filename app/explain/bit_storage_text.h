#pragma once

#include <string>
#include <string_view>

#include "compute/core/coord.h"
#include "compute/engine/fractal_config.h"

namespace loom::app::explain {

// Descriptions of bit-packed storage. There a thread computes whole words, so threads, warps and memory are
// explained cell by cell for byte storage only.

/// True if each thread of a configuration computes cells of its own, in tiles: byte storage.
bool has_tiles(const FractalConfig& config);
inline constexpr std::string_view kByteStorageOnly =
    "Threads, warps and memory are explained for byte storage. With bit-packed storage a thread computes "
    "whole words.";

/// The layout: "27 planes of 27 bits (words of 32): a thread computes a group of 729 cells, of 27", "Words of
/// 64 points of a row, one per thread". Only for bit-packed storage.
std::string bit_layout_text(const FractalConfig& config);
/// The position of a cell's bit: "plane 13, bit 5 of group 1234", "bit 3 of word 17 of its row". `cell` must
/// not be a hole.
std::string bit_of_cell(const FractalConfig& config, Coord64 cell);

}  // namespace loom::app::explain
