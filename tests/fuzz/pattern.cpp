// Parsing a text as a pattern stays within the limits or throws an InputError. Writing and reading a pattern
// in both formats gives the same cells.
#include "app/patterns/pattern.h"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "compute/core/error.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace loom::app::patterns;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  try {
    const Pattern pattern = parse_pattern(text, "fuzz.rle");
    if (pattern.cells.size() > kMostCells || pattern.width > kMostSide || pattern.height > kMostSide)
      std::abort();
    for (const loom::Coord32& cell : pattern.cells) {
      if (cell.x >= pattern.width || cell.y >= pattern.height) std::abort();
    }
    if (pattern.cells.size() > 20000)
      return 0;  // a hundred bytes can encode millions of cells; skip the slow round trip
    const Pattern again = parse_rle(to_rle(pattern), "again.rle");
    if (again.cells != pattern.cells || again.rule != pattern.rule || again.at != pattern.at) std::abort();
    if (rotate_anticlockwise(rotate_clockwise(pattern)).cells != pattern.cells) std::abort();
    if (pattern.height > 0 && pattern.height < 10000 && pattern.width < 10000 &&
        parse_cells(to_cells(pattern), "again.cells").cells != pattern.cells)
      std::abort();
  } catch (const loom::InputError&) {
  }
  return 0;
}
