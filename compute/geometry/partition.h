#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "compute/geometry/storage.h"
#include "compute/geometry/tiled_fractal.h"

namespace loom {

/// Divides `units` into consecutive ranges in proportion to the shares: partition i has [first of i, first of
/// i + 1). Its range is empty if its part is less than one unit.
std::vector<std::uint64_t> partition_units(std::uint64_t units, std::span<const std::uint32_t> shares);

/// The segment of a send or receive list that belongs to one other partition.
struct HaloSegment {
  std::uint32_t part = 0;
  std::uint32_t first = 0;
  std::uint32_t count = 0;
  friend bool operator==(const HaloSegment&, const HaloSegment&) = default;
};

// Partitions of a fractal's byte compact storage, one per device. Each partition has consecutive tile rows of
// the orthotope and therefore contiguous positions. A tile row is given by every second digit of its tiles,
// so that a partition is a small set of replicas at each of the coarsest levels, and the halo between
// partitions is a short list of cells, the same in every generation. The lists are computed from the digits,
// without a pass over all cells.

/// Divides the tile rows in proportion to `shares`. Throws InputError if there are fewer rows than
/// partitions, with the largest possible number of partitions for this tile size, or if a share is less than
/// one row.
std::vector<TileRows> partition_rows(const TiledFractal& whole, std::span<const std::uint32_t> shares);
/// Divides the tile rows into partitions of nearly equal size.
std::vector<TileRows> partition_rows(const TiledFractal& whole, std::uint32_t parts);

/// The same fractal restricted to the given tile rows.
TiledFractal part_of(const TiledFractal& whole, TileRows rows);

/// The number of cells in the partition's tiles.
inline std::uint64_t cells_held(const TiledFractal& part) {
  return part.held.count * part.orthotope_x * part.tile_cells;
}

/// The memory layout of a partition's generation: the partition's own positions, whose first one has the same
/// offset from a multiple of kAligned as in the whole fractal, followed by the halo, which holds copies of
/// other partitions' cells.
struct PartBytes {
  static constexpr std::uint64_t kAligned = 256;
  std::uint64_t origin = 0;  ///< the position in the whole fractal that corresponds to offset 0 of the memory
  std::uint64_t first = 0;   ///< the first own position
  std::uint64_t places = 0;  ///< the number of own positions
  std::uint64_t copies = 0;  ///< offset of the halo in the memory
};
PartBytes part_bytes(const TiledFractal& part);

/// A pointer that is indexed by positions of the whole fractal. Only the partition's own positions may be
/// accessed.
std::uint8_t* by_place(const TiledFractal& part, std::uint8_t* memory);
inline PartitionCells partition_cells(const TiledFractal& part, std::uint8_t* memory) {
  const PartBytes bytes = part_bytes(part);
  return {{by_place(part, memory)}, bytes.first, bytes.places};
}

/// The boundary cells that a partition sends to others, and the halo cells that it receives. Cell offsets
/// refer to the partition's memory (PartBytes).
struct ByteBoundary {
  std::vector<std::uint64_t> copies;  ///< halo: other partitions' cells adjacent to own cells, as positions
                                      ///< in the whole fractal, ascending
  std::vector<HaloSegment> received_from;  ///< segments of the halo by sender, in the order of the partitions
  std::vector<std::uint64_t> boundary;     ///< own cells adjacent to other partitions' cells, ascending
  /// Indices into `boundary`, in the order in which the receivers store their halos.
  std::vector<std::uint32_t> sent;
  std::vector<HaloSegment> sent_to;  ///< segments of `sent` by receiver, in the order of the partitions
  /// [direction * boundary.size() + i]: the neighbour of boundary[i], an own cell or a halo cell; kNoIndex if
  /// there is none.
  std::vector<std::uint64_t> beside;
};

/// The boundary and halo of one partition.
ByteBoundary make_byte_boundary(const TiledFractal& whole, const std::vector<TileRows>& parts,
                                std::uint32_t part);

/// Bytes of a partition's generation including its halo.
std::uint64_t bytes_with_copies(const TiledFractal& part, const ByteBoundary& boundary);

}  // namespace loom
