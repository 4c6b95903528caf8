#include "app/workspaces/life/scene/cell_source.h"

#include <fmt/format.h>

#include <algorithm>

#include "compute/core/error.h"
#include "compute/cpu/engines.h"

namespace loom::app {

bool is_cheap_to_recompute(std::uint64_t generations, std::uint64_t cells) {
  return generations == 0 || generations <= kMaxRecomputedCells / std::max<std::uint64_t>(1, cells);
}

bool can_be_saved(const CellSource& cells, std::uint64_t count) {
  return cells.bits() != nullptr || is_cheap_to_recompute(cells.generation(), count);
}

void check_can_be_saved(const CellSource& cells, std::uint64_t count) {
  if (can_be_saved(cells, count)) return;
  throw InputError(
      fmt::format("its cells need {} generations on {} cells; allowed: cells times generations up to {}, "
                  "more with bit-packed storage",
                  cells.generation(), count, kMaxRecomputedCells));
}

CellSource stored_cells(const FractalEngine& engine) {
  return {std::make_shared<const CellBits>(read_cell_bits(engine)), engine.generation()};
}

CellSource saved_cells(const FractalEngine& engine, const CellSource& cells) {
  if (cells.is_plain() && is_cheap_to_recompute(cells.generation(), engine.cell_count()))
    return CellSource(cells.start(), cells.work(), cells.generation());
  return stored_cells(engine);
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

template <int kDimensions>
std::uint64_t generations_to_make(const CellSourceOf<kDimensions>& made,
                                  const CellSourceOf<kDimensions>& wanted, const CellSnapshot* near) {
  if (made == wanted || made.patch_to(wanted)) return 0;
  std::uint64_t generations = wanted.generation() - wanted.beginning().generation();
  if (const auto left = made.generations_to(wanted)) generations = *left;
  if constexpr (kDimensions == 2) {
    const auto left = near != nullptr ? near->cells.generations_to(wanted) : std::nullopt;
    generations = std::min(generations, left.value_or(generations));
  }
  return generations;
}

namespace {

void write_bits(FractalEngine& engine, const CellBits& bits) {
  engine.write_bits(bits.bytes);
}

// The origin of cells in three dimensions is always a start.
void write_bits(SolidEngine&, const CellBits&) {}

}  // namespace

template <int kDimensions>
StepReport make_cells(EngineOf<kDimensions>& engine, CellSourceOf<kDimensions>& made,
                      const CellSourceOf<kDimensions>& wanted, ProgressMonitor* monitor,
                      const CellMaking& how) {
  constexpr std::uint64_t kAtATime = 1 << 10;
  if (made == wanted) return {};
  if (const auto patch = made.patch_to(wanted)) {
    if (!patch->empty()) engine.edit(*patch);
    made = wanted;
    return {};
  }
  std::uint64_t left = generations_to_make(made, wanted, how.near);
  if (made.generations_to(wanted) != left) {
    CellSourceOf<kDimensions> from = wanted.beginning();
    std::shared_ptr<const CellBits> bits = from.bits();
    if constexpr (kDimensions == 2) {
      if (how.near != nullptr && how.near->cells.generations_to(wanted) == left) {
        from = how.near->cells;
        bits = how.near->bits;
      }
    }
    made = {};
    if (bits) {
      write_bits(engine, *bits);
    } else if (from.start().density > 0) {
      engine.reset(from.start());
    } else {
      engine.clear();
    }
    engine.set_generation(from.generation());
    made = from;
    check_cancel(monitor);
  }
  StepReport all;
  const auto advance = [&](const CellSourceOf<kDimensions>& step) {
    if (step.after_edits() != made.after_edits()) {
      if (!step.edits().empty()) engine.edit(step.edits());
      made = step.after_edits();
    }
    while (made.times() < step.times()) {
      // One generation per call where the cells are kept after each generation but the last.
      const bool one = left <= how.keep + 1;
      const std::uint64_t times =
          std::min({step.times() - made.times(), kAtATime, one ? 1 : left - how.keep - 1});
      const StepReport report = engine.run(static_cast<std::uint32_t>(times), step.work());
      made.run(report.generations, step.work());
      all.generations += report.generations;
      all.milliseconds += report.milliseconds;
      left -= report.generations;
      if (report.generations < times) throw OperationCancelled();
      check_cancel(monitor);
      if constexpr (kDimensions == 2) {
        if (left > 0 && left <= how.keep)
          how.kept->push_back({made, std::make_shared<const CellBits>(read_cell_bits(engine))});
      }
    }
  };
  // A further generation allocates no memory.
  if (wanted.after_edits() == made.after_edits()) {
    advance(wanted);
  } else {
    for (const CellSourceOf<kDimensions>& step : wanted.steps_from(made)) advance(step);
  }
  made = wanted;
  return all;
}

template std::uint64_t generations_to_make(const CellSource&, const CellSource&, const CellSnapshot*);
template std::uint64_t generations_to_make(const CellSourceOf<3>&, const CellSourceOf<3>&,
                                           const CellSnapshot*);
template StepReport make_cells<2>(FractalEngine&, CellSource&, const CellSource&, ProgressMonitor*,
                                  const CellMaking&);
template StepReport make_cells<3>(SolidEngine&, CellSourceOf<3>&, const CellSourceOf<3>&, ProgressMonitor*,
                                  const CellMaking&);

}  // namespace loom::app
