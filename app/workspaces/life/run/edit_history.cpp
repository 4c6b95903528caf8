#include "app/workspaces/life/run/edit_history.h"

#include <algorithm>
#include <utility>

namespace loom::app {
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

void EditHistory::begin(const LifeEngine& engine, const RandomStart& start) {
  cell_history_.begin(engine.config().fractal, engine.config().level, {.start = start});
}

std::optional<EditHistory::UndoableEdit> EditHistory::take(const LifeFrameOutcome& done,
                                                           const LifeEngine& engine) {
  const LifeFrameRequest& request = done.request;
  const LifeFrameResult& result = done.result;
  const FractalConfig& config = engine.config();
  const StateId before = cell_history_.now();
  const auto begin_at = [&](const FieldCells& cells) {
    cell_history_.begin(config.fractal, config.level, cells);
  };
  if (result.previous_cells)
    cell_history_.keep({before, cell_history_.generation_of(before), result.previous_cells});
  if (request.build) {
    if (!result.built || !result.new_field) return std::nullopt;
    // The requested state is restored next and replaces the random start, unless another field was selected
    // meanwhile.
    if (requested_ && cell_history_.exists(*requested_) &&
        cell_history_.is_of(*requested_, config.fractal, config.level))
      return std::nullopt;
    requested_.reset();
    begin_at({.start = request.build->start});
    return UndoableEdit{"level", before, cell_history_.now()};
  }
  if (request.target_state) {
    if (result.restart) begin_at({.start = *result.restart});
    if (!result.worked) return std::nullopt;
    cell_history_.set_current(*request.target_state);
    for (const CellSnapshot& one : result.snapshots) cell_history_.keep(one);
    return std::nullopt;
  }
  const char* what = nullptr;
  if (result.restored) begin_at(request.restore->base), what = "cells";
  if (result.restart) begin_at({.start = *result.restart}), what = "random start";
  if (result.cleared) begin_at({.start = {0, 0}}), what = "clear";
  if (!result.edits.empty()) {
    cell_history_.edit(result.edits, result.before);
    if (what == nullptr) what = request.edit_label != nullptr ? request.edit_label : "painted cells";
  }
  const StateId after = cell_history_.now();
  const std::uint64_t generations = result.frame.step.generations;
  cell_history_.run(generations, request.work);
  if (result.cells) cell_history_.keep({cell_history_.now(), engine.generation(), result.cells});
  // Only the first single write after life is an undo step.
  const bool writes = generations > 0 && request.work.workload == Workload::kSingleWrite;
  const bool over_life = writes && !single_write_ran_;
  if (generations > 0 || what != nullptr) single_write_ran_ = writes;
  if (what == nullptr && over_life) return UndoableEdit{"single write", before, cell_history_.now()};
  if (what == nullptr) return std::nullopt;
  return UndoableEdit{what, before, after};
}

bool EditHistory::request_previous_generation() {
  // Repeated requests continue from the last requested state.
  const auto before = cell_history_.previous_generation(requested_.value_or(cell_history_.now()));
  if (before) requested_ = before;
  return before.has_value();
}

std::string EditHistory::prepare(LifeFrameRequest& request, const LifeEngine& engine, double step_ms) {
  const StateId state_id = *std::exchange(requested_, std::nullopt);
  if (!cell_history_.exists(state_id)) return "this state is no longer in the history";
  // The failed build has already been reported.
  if (!cell_history_.is_of(state_id, engine.config().fractal, engine.config().level)) return {};
  if (state_id == cell_history_.now()) return {};
  request.restart.reset();
  request.clear = false;
  request.cells.clear();
  request.target_state = state_id;
  if (auto patch = cell_history_.patch_to(state_id)) {
    request.cells = std::move(*patch);
    return {};
  }
  StateRestore way = cell_history_.restore_of(state_id);
  const std::uint64_t bytes = bytes_of_bits(engine.cell_count()) * planes_of(engine.states());
  const double copying_ms = static_cast<double>(engine.cell_count()) / kCopiedCells;
  // Storing the cells may take about as long as recomputing them.
  const double room_ms = static_cast<double>(way.times()) * step_ms + kLongMs;
  const auto quick = static_cast<std::uint64_t>(room_ms / std::max(copying_ms, 1e-3));
  way.restores_on_cancel = engine.cell_count() <= kMaxRestorableCells;
  way.keep = std::min({kStepsAtHand, cell_history_.budget() / kShareAtHand / bytes, quick});
  request.restore = std::make_shared<const StateRestore>(std::move(way));
  return {};
}

bool EditHistory::fits_budget(std::uint64_t cells) const {
  return bytes_of_bits(cells) <= cell_history_.budget() / kShareAtHand;
}

bool EditHistory::should_save_before(std::uint64_t cells, double step_ms) const {
  return fits_budget(cells) &&
         static_cast<double>(cell_history_.generations_to_recompute(cell_history_.now())) * step_ms > kLongMs;
}

bool EditHistory::should_save_now(std::uint64_t cells, double step_ms) const {
  if (!fits_budget(cells)) return false;
  if (cell_history_.overflows()) return true;
  const double again_ms =
      static_cast<double>(cell_history_.generations_to_recompute(cell_history_.now())) * step_ms;
  return again_ms > kVeryLongMs && Clock::now() >= next_;
}

bool EditHistory::should_copy(std::uint64_t cells) const {
  if (cells > kMaxCopiedCells || !fits_budget(cells) || Clock::now() < next_) return false;
  const auto recomputable = cell_history_.recomputable();
  if (recomputable && is_cheap_to_recompute(recomputable->generation, cells)) return false;
  const auto snapshots = cell_history_.newest_snapshot();
  return !snapshots || snapshots->state_id != cell_history_.now() || !snapshots->bits;
}

void EditHistory::record_copy(std::uint64_t cells) {
  const std::chrono::duration<double, std::milli> cost{static_cast<double>(cells) / kCopiedCells};
  next_ = Clock::now() +
          std::max<Clock::duration>(std::chrono::seconds(1),
                                    std::chrono::duration_cast<Clock::duration>(cost) * kMaxTimeShare);
}

}  // namespace loom::app
