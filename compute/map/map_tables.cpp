#include "compute/map/map_tables.h"

#include <cstring>

#include "compute/map/block_threads.h"
#include "compute/map/table_arithmetic.h"

namespace loom {
namespace {

template <typename Int>
std::vector<std::uint64_t> raw_entries(const BlockedFractal& fractal) {
  const std::vector<Coord<Int>> entries = TableArithmetic<Int>::build(fractal);
  const std::size_t bytes = entries.size() * sizeof(Coord<Int>);
  std::vector<std::uint64_t> words((bytes + 7) / 8);
  if (bytes > 0) std::memcpy(words.data(), entries.data(), bytes);
  return words;
}

}  // namespace

HostMapTables::HostMapTables(const BlockedFractal& fractal)
    : arithmetic_(fractal.fits_32_bits() ? raw_entries<std::uint32_t>(fractal)
                                         : raw_entries<std::uint64_t>(fractal)),
      block_cells_(block_cell_table(fractal)) {}

}  // namespace loom
