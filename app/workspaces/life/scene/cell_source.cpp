#include "app/workspaces/life/scene/cell_source.h"

#include <fmt/format.h>

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

namespace {

/// Maximum number of generations before a restored state whose cells are stored.
constexpr std::uint64_t kStepsAtHand = 64;
/// Fraction of the budget, as a divisor, that these cells, or the cells of one field, may use.
constexpr std::uint64_t kShareAtHand = 2;
/// Recomputation times above which the cells are stored: before a change, and while generations run.
constexpr double kLongMs = 50;
constexpr double kVeryLongMs = 500;
/// While playing, copying takes at most 1 / kMaxTimeShare of the time.
constexpr int kMaxTimeShare = 50;
/// Cells per millisecond that are copied to the host, as an estimate.
constexpr double kCopiedCells = 1e5;

}  // namespace

// New cells follow from the current ones or keep them known, unless the history begins anew.
void EditHistory::follow(const CellSource& cells) {
  if (cells == now_) return;
  const bool follows = now_.is_before(cells);
  if ((!follows || newest_ != now_) && cells.is_before(newest_)) {
    now_ = cells;
    return;
  }
  const std::uint64_t depth = follows ? now_.depth() : 0;
  while (!snapshots_.empty() && snapshots_.back().cells.depth() > depth) {
    snapshot_bytes_ -= snapshots_.back().bits->bytes.size();
    snapshots_.pop_back();
  }
  bool shared = false;
  const std::uint64_t bytes = cells.bytes_since(newest_, shared);
  edit_bytes_ = bytes + (shared ? edit_bytes_ : 0);
  now_ = newest_ = cells;
}

void EditHistory::keep(CellSnapshot snapshot) {
  if (!snapshot.bits || !snapshot.cells.is_before(newest_)) return;
  const auto at = std::ranges::lower_bound(snapshots_, snapshot.cells.depth(), {},
                                           [](const CellSnapshot& one) { return one.cells.depth(); });
  if (at != snapshots_.end() && at->cells.depth() == snapshot.cells.depth()) return;
  snapshot_bytes_ += snapshot.bits->bytes.size();
  snapshots_.insert(at, std::move(snapshot));
  make_room();
}

// Discards the snapshots that are closest together relative to their age.
void EditHistory::make_room() {
  while (bytes() > budget_ && snapshots_.size() > 1) {
    std::size_t least = 0;
    double least_share = 2;
    for (std::size_t i = 0; i + 1 < snapshots_.size(); ++i) {
      const std::uint64_t before = i > 0 ? snapshots_[i - 1].cells.depth() : 0;
      const auto age = static_cast<double>(snapshots_.back().cells.depth() - before);
      const double share = static_cast<double>(snapshots_[i + 1].cells.depth() - before) / (age + 1);
      if (share < least_share) least = i;
      least_share = std::min(share, least_share);
    }
    snapshot_bytes_ -= snapshots_[least].bits->bytes.size();
    snapshots_.erase(snapshots_.begin() + static_cast<std::ptrdiff_t>(least));
  }
}

const CellSnapshot* EditHistory::nearest(const CellSource& cells) const {
  for (std::size_t i = snapshots_.size(); i-- > 0;) {
    if (snapshots_[i].cells.generations_to(cells)) return &snapshots_[i];
  }
  return nullptr;
}

std::uint64_t EditHistory::generations_to_recompute() const {
  if (!now_.is_known()) return 0;
  if (const CellSnapshot* const near = nearest(now_)) return *near->cells.generations_to(now_);
  return now_.generation() - now_.beginning().generation();
}

// Storing the cells may take about as long as recomputing them.
std::uint64_t EditHistory::kept_of(std::uint64_t generations, std::uint64_t cells, std::uint32_t states,
                                   double step_ms) const {
  const std::uint64_t bytes = bytes_of_bits(cells) * planes_of(states);
  const double copying_ms = static_cast<double>(cells) / kCopiedCells;
  const double room_ms = static_cast<double>(generations) * step_ms + kLongMs;
  const auto quick = static_cast<std::uint64_t>(room_ms / std::max(copying_ms, 1e-3));
  return std::min({kStepsAtHand, budget_ / kShareAtHand / bytes, quick});
}

bool EditHistory::fits_budget(std::uint64_t cells) const {
  return bytes_of_bits(cells) <= budget_ / kShareAtHand;
}

bool EditHistory::should_save_before(std::uint64_t cells, double step_ms) const {
  return fits_budget(cells) && static_cast<double>(generations_to_recompute()) * step_ms > kLongMs;
}

bool EditHistory::should_save_now(std::uint64_t cells, double step_ms) const {
  if (!fits_budget(cells)) return false;
  if (overflows()) return true;
  return static_cast<double>(generations_to_recompute()) * step_ms > kVeryLongMs && Clock::now() >= next_;
}

bool EditHistory::should_copy(std::uint64_t cells) const {
  if (cells > kMaxCopiedCells || !fits_budget(cells) || Clock::now() < next_) return false;
  if (now_.is_plain() && is_cheap_to_recompute(now_.generation(), cells)) return false;
  const CellSnapshot* const near = nearest(now_);
  return near == nullptr ? !now_.bits() || now_ != now_.beginning() : near->cells != now_;
}

void EditHistory::record_copy(std::uint64_t cells) {
  const std::chrono::duration<double, std::milli> cost{static_cast<double>(cells) / kCopiedCells};
  next_ = Clock::now() +
          std::max<Clock::duration>(std::chrono::seconds(1),
                                    std::chrono::duration_cast<Clock::duration>(cost) * kMaxTimeShare);
}

}  // namespace loom::app
