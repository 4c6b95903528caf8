#pragma once

#include <string>
#include <vector>

#include "app/life/scene/cell_bits.h"

namespace loom::app::scene {

/// Cells of one compressed part, a multiple of 8.
inline constexpr std::uint64_t kPackedCells = std::uint64_t{1} << 26;

/// A frame of Zstandard (RFC 8878) with its checksum for each kPackedCells cells' bits. Throws Cancelled,
/// std::bad_alloc.
std::vector<std::string> pack(const CellBits& bits, Watch* watch = nullptr);

/// The bits of `count` cells again. What a frame holds is never more than what its cells need, whatever it
/// claims. Throws InputError that says what is wrong, Cancelled, std::bad_alloc.
CellBits unpack(const std::vector<std::string>& frames, std::uint64_t count, Watch* watch = nullptr);

}  // namespace loom::app::scene
