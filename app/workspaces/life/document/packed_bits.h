#pragma once

#include <string>
#include <string_view>

#include "app/workspaces/life/scene/field_cells.h"

namespace loom::app {

/// Cells per compressed part; a multiple of 8.
inline constexpr std::uint64_t kPackedCells = std::uint64_t{1} << 26;

/// One Zstandard frame (RFC 8878) with checksum per kPackedCells cells, one after another. Throws
/// OperationCancelled, std::bad_alloc.
std::string pack(const CellBits& bits, ProgressMonitor* watch = nullptr);

/// Unpacks the bits of `count` cells. Never allocates more than the cells need, whatever a frame claims.
/// Throws InputError with the fault, OperationCancelled, std::bad_alloc.
CellBits unpack(std::string_view frames, std::uint64_t count, ProgressMonitor* watch = nullptr);

}  // namespace loom::app
