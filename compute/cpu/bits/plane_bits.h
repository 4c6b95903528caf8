#pragma once

#include <cstdint>
#include <span>

#include "compute/engine/progress_monitor.h"
#include "compute/geometry/bit_planes.h"

namespace loom::cpu {

// Conversion between a generation of bit planes and canonical bits of all cells (FractalEngine::read_bits()),
// one group at a time, in parallel. A cell is a unit of `call`. In a partition, cells of other partitions
// read as dead and ignore writes.

/// Throws OperationCancelled, std::bad_alloc.
void read_plane_bits(const BitPlanes& planes, const std::uint8_t* words, std::span<std::uint8_t> bits,
                     const ProgressScope& call);
/// Throws OperationCancelled, with some groups written; std::bad_alloc.
void write_plane_bits(const BitPlanes& planes, std::span<const std::uint8_t> bits, std::uint8_t* words,
                      const ProgressScope& call);

}  // namespace loom::cpu
