#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "compute/geometry/cell_storage.h"
#include "compute/geometry/tiled_fractal.h"
#include "compute/map/arithmetic.h"
#include "compute/map/map_kind.h"

namespace loom {

/// A map with all choices that determine how its threads find their cells. Values that the map does not use
/// are kept for a later switch to a map that uses them: arithmetic, intra-block mapping and halo for the
/// bounding box; halo for lambda; all of them and tiles for bit-packed storage, whose threads work on words.
struct MapMethod {
  MapKind map = MapKind::kLambda;
  MapArithmetic arithmetic = MapArithmetic::kLoop;  ///< not used by the bounding box, which is the identity
  /// Not used by the bounding box, which is a sub-box by nature.
  IntraBlock intra_block = IntraBlock::kSubBox;
  std::uint32_t tiles = 0;  ///< rho x rho tiles per thread block; 0 = automatic, see tiling.h
  bool halo = true;         ///< compact only: stage a tile and its halo in shared memory
  CellStorage storage = CellStorage::kBytes;  ///< how a cell is stored; the map determines the layout
  friend bool operator==(const MapMethod&, const MapMethod&) = default;
};

/// The storage of the method's cells.
constexpr StorageFormat storage_format(const MapMethod& method) {
  return {layout_of(method.map), method.storage};
}

/// Whether two methods run identically. Values that their map does not use are ignored.
bool is_same_execution(const MapMethod& a, const MapMethod& b);

/// The method as command-line options: "--map lambda --arithmetic table --intra-block lookup", with "--tiles
/// N" if it is not automatic.
std::string to_string(const MapMethod& method);

/// The arithmetics of a map, in the order of kMapArithmetics; none for the bounding box.
std::vector<MapArithmetic> arithmetics_of(MapKind map);

/// Threads per rho x rho tile.
std::uint32_t threads_per_tile(const MapMethod& method, const TiledFractal& fractal);

/// The reason why a method cannot run on a fractal with these tiles, as one sentence with what is allowed;
/// empty if it can.
std::string method_problem(const MapMethod& method, const TiledFractal& fractal);

/// Bytes of the cells of one generation; saturates at 2^64 - 1.
std::uint64_t bytes_of_generation(const MapMethod& method, const TiledFractal& fractal);

/// The valid method nearest to `method` with the same map and tile size. It first changes the arithmetic
/// (tensor for tensor-1 to 3 on compact, tensor-1 for tensor on lambda), then the number of tiles; it uses
/// byte storage if there are no bit planes.
MapMethod nearest_valid(const MapMethod& method, const TiledFractal& fractal);

}  // namespace loom
