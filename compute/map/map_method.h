#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "compute/geometry/storage.h"
#include "compute/geometry/tiled_fractal.h"

namespace loom {

template <typename Settings>
struct Field;  // compute/core/field.h, which kernels do not need

/// The thread maps.
enum class MapKind { kBoundingBox, kLambda, kCompact };

inline constexpr std::array kMapKinds = {MapKind::kBoundingBox, MapKind::kLambda, MapKind::kCompact};

/// "bounding-box", "lambda", "compact". `parse_map` throws InputError with the list of names.
std::string_view name_of(MapKind map);
MapKind parse_map(std::string_view name);

/// The layout of a map's cells: tiled compact for compact, expanded for the others.
constexpr StorageLayout layout_of(MapKind map) {
  return map == MapKind::kCompact ? StorageLayout::kTiledCompact : StorageLayout::kExpanded;
}

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
std::string_view name_of(MapArithmetic arithmetic);

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

/// "sub-box", "unrolled", "lookup".
std::string_view name_of(IntraBlock intra_block);

/// How the neighbours of rules of Larger than Life are counted.
enum class Counting {
  kAuto,    ///< the fastest
  kDirect,  ///< every neighbour of every cell
  kSums,    ///< running sums along rows and columns, from which every rectangle of neighbours is four values
  kBits,    ///< words of one bit per cell, whose counts are added bit by bit: 32 cells at a time
  kTensor,  ///< products with banded matrices of ones, on tensor cores: rows, then columns
};
inline constexpr std::array kCountings = {Counting::kAuto, Counting::kDirect, Counting::kSums,
                                          Counting::kBits, Counting::kTensor};

/// "auto", "direct", "sums", "bits", "tensor".
std::string_view name_of(Counting counting);

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
  Counting counting = Counting::kAuto;        ///< for rules of Larger than Life
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

/// The settings of a thread map. Field::text is empty where the map or the storage does not use the setting.
using MethodField = Field<MapMethod>;

/// All fields. The map and the storage come first, because they determine which others apply. Sweeps vary the
/// last field fastest.
std::span<const MethodField> method_fields();

/// The field of an option; null if no field has this option.
const MethodField* find_method_field(std::string_view option);

/// All values of a field as text, numbers ascending. Some may be invalid in combination with the rest of the
/// method.
std::vector<std::string> values_of(const MethodField& field, const MapMethod& method,
                                   const TiledFractal& fractal);

}  // namespace loom
