#include "compute/engine/fractal_engine.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "compute/engine/packed_cells.h"

namespace loom {
namespace {

constexpr std::uint64_t kPart = std::uint64_t{1} << 20;  // cells: a few milliseconds; a multiple of 8

/// Calls `use(first, cells)` for consecutive ranges of all cells, with a buffer of kPart cells.
template <typename Use>
void for_each_part(std::uint64_t count, ProgressMonitor* monitor, const Use& use) {
  std::vector<std::uint8_t> room(static_cast<std::size_t>(std::min(count, kPart)));
  const ProgressScope call(monitor, count);
  for (std::uint64_t first = 0; first < count; first += kPart) {
    call.check();
    const auto cells = std::span(room).first(static_cast<std::size_t>(std::min(kPart, count - first)));
    call.part(cells.size(), [&] { use(first, cells); });
  }
}

}  // namespace

void FractalEngine::check_bits(std::uint64_t bytes) const {
  if (bytes == bytes_of_bits(cell_count())) return;
  throw InputError(
      fmt::format("{} bytes for cells as bits; allowed: {}", bytes, bytes_of_bits(cell_count())));
}

void FractalEngine::read_bits(std::span<std::uint8_t> bits) const {
  check_bits(bits.size());
  for_each_part(cell_count(), monitor_, [&](std::uint64_t first, std::span<std::uint8_t> cells) {
    read_cells(first, cells);
    pack_cells(cells, bits.data() + first / 8);
  });
}

void FractalEngine::write_bits(std::span<const std::uint8_t> bits) {
  check_bits(bits.size());
  for_each_part(cell_count(), monitor_, [&](std::uint64_t first, std::span<std::uint8_t> cells) {
    unpack_cells(bits.data() + first / 8, cells);
    write_cells(first, cells);
  });
}

}  // namespace loom
