#include "compute/cpu/engines.h"
#include "compute/engine/work_costs.h"
#include "compute/map/dispatch.h"

namespace loom::cpu {
namespace {

template <typename Int>
Coord<Int> narrow(Coord64 coordinate) {
  return {static_cast<Int>(coordinate.x), static_cast<Int>(coordinate.y)};
}

template <typename Map, typename Int = typename Map::Index>
Coord64 cell_of(const Map& map, Coord64 omega, Coord32 position) {
  Coord<Int> cell;
  if constexpr (Map::kExecutionScope == ExecutionScope::kMatrixCells) {
    cell = map.arithmetic.cell(narrow<Int>(omega), position);
  } else {
    cell = cell_in_tile(map.tiled, map.place(narrow<Int>(omega)), position);
  }
  return {cell.x, cell.y};
}

}  // namespace

MappedSamples map_samples(const FractalConfig& config, const MapSamples& samples) {
  const TiledFractal tiled = make_tiled_fractal(config.fractal, config.level, config.tile_size);
  const HostMapTables tables(tiled);
  MappedSamples mapped;
  mapped.cells.resize(samples.omegas.size());
  with_map(config.method, tiled, tables.view(), [&]<typename Map>(const Map& map, const auto&) {
    using Int = typename Map::Index;
    for (std::size_t i = 0; i < samples.omegas.size(); ++i) {
      mapped.cells[i] = cell_of(map, samples.omegas[i], samples.positions[i]);
    }
    if constexpr (requires { map.arithmetic.nu(Coord<Int>{}); }) {
      if (config.method.map != MapKind::kCompact) return;
      mapped.omegas.resize(samples.places.size());
      for (std::size_t i = 0; i < samples.places.size(); ++i) {
        const CompactCoord<Int> found = map.arithmetic.nu(narrow<Int>(samples.places[i]));
        if (found.present) mapped.omegas[i] = Coord64{found.omega.x, found.omega.y};
      }
    }
  });
  return mapped;
}

}  // namespace loom::cpu
