#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "compute/geometry/blocked_fractal.h"
#include "compute/geometry/cell_storage.h"
#include "compute/map/arithmetic.h"
#include "compute/map/map_kind.h"

namespace loom {

/// A map with all the choices that say how its threads find their cells. What a map does not have
/// (arithmetic, intra-block mapping and halo of the bounding box, halo of lambda; under bits all of them and
/// tiles, since threads have words there) is kept for a switch to one that has it.
struct MapMethod {
  MapKind map = MapKind::kLambda;
  MapArithmetic arithmetic = MapArithmetic::kLoop;  ///< not of the bounding box, which is the identity
  IntraBlock intra_block = IntraBlock::kSubBox;     ///< likewise: the bounding box is a sub-box by nature
  std::uint32_t tiles = 0;  ///< rho x rho blocks that share a thread block; 0 = automatic, see tiling.h
  bool halo = true;         ///< compact only: stage a block and its rim in shared memory
  CellStorage storage = CellStorage::kBytes;  ///< what a cell is in memory; the map fixes the layout
  friend bool operator==(const MapMethod&, const MapMethod&) = default;
};

/// How its cells lie in memory.
constexpr StoredAs stored_as(const MapMethod& method) {
  return {layout_of(method.map), method.storage};
}

/// Whether both run the same: what their map does not have is not looked at.
bool runs_the_same(const MapMethod& a, const MapMethod& b);

/// "--map lambda --arithmetic table --intra-block lookup", with "--tiles N" where it is not automatic: as the
/// command line takes it.
std::string to_string(const MapMethod& method);

/// The arithmetics that a map has, in the order of kMapArithmetics; none for the bounding box.
std::vector<MapArithmetic> arithmetics_of(MapKind map);

/// Threads that work on one rho x rho block.
std::uint32_t threads_of_block(const MapMethod& method, const BlockedFractal& fractal);

/// Why a method cannot run on a fractal cut into these blocks: one sentence with what is allowed. Empty where
/// it can.
std::string why_not(const MapMethod& method, const BlockedFractal& fractal);

/// Bytes of one generation's cells; saturates at 2^64 - 1.
std::uint64_t bytes_of_generation(const MapMethod& method, const BlockedFractal& fractal);

/// The valid method that is nearest to `method` at the same map and block size: another arithmetic (tensor
/// for tensor-1 to 3 on compact, tensor-1 for tensor on lambda), then another number of tiles; bytes where
/// there are no bits.
MapMethod nearest_valid(const MapMethod& method, const BlockedFractal& fractal);

}  // namespace loom
