#include "app/workspaces/life/scene/field_cells.h"

#include <fmt/format.h>

#include <algorithm>

#include "compute/core/error.h"
#include "compute/cpu/bits_census.h"

namespace loom::app {

bool is_cheap_to_recompute(std::uint64_t generations, std::uint64_t cells) {
  return generations == 0 || generations <= kMaxRecomputedCells / std::max<std::uint64_t>(1, cells);
}

bool can_be_saved(const FieldCells& cells, std::uint64_t count) {
  return cells.bits != nullptr || is_cheap_to_recompute(cells.generation, count);
}

void check_can_be_saved(const FieldCells& cells, std::uint64_t count) {
  if (can_be_saved(cells, count)) return;
  throw InputError(
      fmt::format("its cells need {} generations on {} cells; allowed: cells times generations up to {}, "
                  "more with bit-packed storage",
                  cells.generation, count, kMaxRecomputedCells));
}

void write_cells(FractalEngine& engine, const FieldCells& cells, ProgressMonitor* watch) {
  const auto cancelled = [&] { return watch != nullptr && watch->cancelled(); };
  if (cells.bits) {
    engine.write_bits(cells.bits->bytes);
  } else {
    engine.reset(cells.start);
    for (std::uint64_t left = cells.generation; left > 0;) {
      const auto times = static_cast<std::uint32_t>(std::min<std::uint64_t>(left, 1 << 16));
      if (cancelled()) throw OperationCancelled();
      engine.run(times, cells.work);
      left -= times;
    }
    if (cancelled()) throw OperationCancelled();
  }
  engine.set_generation(cells.generation);
}

FieldCells copy_cells(const FractalEngine& engine, const FieldCells* recomputable) {
  if (recomputable != nullptr && is_cheap_to_recompute(engine.generation(), engine.cell_count())) {
    FieldCells cells = *recomputable;
    cells.generation = engine.generation();
    return cells;
  }
  return {.generation = engine.generation(), .bits = std::make_shared<CellBits>(read_cell_bits(engine))};
}

CellBits read_cell_bits(const FractalEngine& engine) {
  CellBits bits{.count = engine.cell_count(), .bytes = {}};
  bits.bytes.resize(static_cast<std::size_t>(bytes_of_bits(bits.count) * planes_of(engine.states())));
  engine.read_bits(bits.bytes);
  return bits;
}

std::uint8_t CellBits::state(std::uint64_t index) const {
  std::uint32_t state = 0;
  for (std::uint64_t at = index / 8, p = 0; at < bytes.size(); at += bytes_of_bits(count), ++p)
    state |= (bytes[at] >> (index % 8) & 1u) << p;
  return static_cast<std::uint8_t>(state);
}

// The hash is a sum over the bits of the states.
Census census_of(const CellBits& bits) {
  const std::uint64_t plane = bytes_of_bits(bits.count);
  Census census{.population = cpu::census_of_bits(living_bits(bits.bytes, plane)).population};
  for (std::uint32_t p = 0; p < bits.planes(); ++p)
    census.hash += cpu::census_of_bits(std::span(bits.bytes).subspan(p * plane, plane)).hash << p;
  return census;
}

}  // namespace loom::app
