#include "app/life/run/cell_past.h"

#include <algorithm>
#include <utility>

namespace loom::app {
namespace {

/// Steps back that are kept at hand once one was made.
constexpr std::uint64_t kStepsAtHand = 64;
/// Of the budget, that they may take, and a whole field's cells may.
constexpr std::uint64_t kShareAtHand = 2;
/// Doing again is at most so long, or the cells are kept.
constexpr double kLongMs = 50;
constexpr double kVeryLongMs = 500;
/// Copying cells while it plays is at most this part of the time.
constexpr int kMostOfTheTime = 50;
/// Cells a millisecond that are copied to the host, for what it may cost.
constexpr double kCopiedCells = 1e5;

}  // namespace

void CellPast::begin(const EngineHost& host, const RandomStart& start) {
  chronicle_.begin(host.config().fractal, host.config().level, {.start = start});
}

std::optional<CellPast::Undoable> CellPast::take(const LifeDone& done, const EngineHost& host) {
  const FractalConfig& config = host.config();
  const Moment before = chronicle_.now();
  if (done.cells_before) chronicle_.keep({before, chronicle_.generation_of(before), done.cells_before});
  if (done.of_build) {
    if (!done.built || !done.new_field) return std::nullopt;
    // Cells of before come into it next, and are its beginning; unless something else was chosen meanwhile.
    if (wanted_ && chronicle_.exists(*wanted_) && chronicle_.is_of(*wanted_, config.fractal, config.level))
      return std::nullopt;
    wanted_.reset();
    chronicle_.begin(config.fractal, config.level, {.start = done.restart.value_or(RandomStart{})});
    return Undoable{"level", before, chronicle_.now()};
  }
  if (done.goes_to) {
    if (done.restart) chronicle_.begin(config.fractal, config.level, {.start = *done.restart});
    if (!done.worked) return std::nullopt;
    chronicle_.go(*done.goes_to);
    for (const KeptCells& one : done.kept) chronicle_.keep(one);
    return std::nullopt;
  }
  const char* what = nullptr;
  if (done.replay) chronicle_.begin(config.fractal, config.level, done.replay->base), what = "cells";
  if (done.restart)
    chronicle_.begin(config.fractal, config.level, {.start = *done.restart}), what = "random start";
  if (done.clear) chronicle_.begin(config.fractal, config.level, {.start = {0, 0}}), what = "clear";
  if (!done.edits.empty()) {
    chronicle_.edit(done.edits, done.before);
    if (what == nullptr) what = done.cells_are != nullptr ? done.cells_are : "painted cells";
  }
  const Moment after = chronicle_.now();
  chronicle_.run(done.frame.step.generations, done.work);
  if (done.cells) chronicle_.keep({chronicle_.now(), host.generation(), done.cells});
  // The first write over what lives was cells' end; those that follow are only written again.
  const bool runs = done.frame.step.generations > 0;
  const bool writes = runs && done.work.workload == Workload::kSingleWrite;
  const bool over_life = writes && !written_;
  if (runs || what != nullptr) written_ = writes;
  if (what == nullptr && over_life) return Undoable{"single write", before, chronicle_.now()};
  if (what == nullptr) return std::nullopt;
  return Undoable{what, before, after};
}

bool CellPast::want_step_back() {
  // Of several in a row each goes on from the last.
  const auto before = chronicle_.before_generation(wanted_.value_or(chronicle_.now()));
  if (before) wanted_ = before;
  return before.has_value();
}

std::string CellPast::prepare(LifeJob& job, const EngineHost& host, double step_ms) {
  const Moment moment = *std::exchange(wanted_, std::nullopt);
  if (!chronicle_.exists(moment)) return "this state is no longer in the history";
  // Where their engine could not be built, that was said.
  if (!chronicle_.is_of(moment, host.config().fractal, host.config().level)) return {};
  if (moment == chronicle_.now()) return {};
  job.restart.reset();
  job.clear = false;
  job.cells.clear();
  job.goes_to = moment;
  if (auto patch = chronicle_.patch_to(moment)) {
    job.cells = std::move(*patch);
    return {};
  }
  Replay way = chronicle_.way_to(moment);
  const std::uint64_t bytes = std::max<std::uint64_t>(1, bytes_of_bits(host.cell_count()));
  const double copying_ms = static_cast<double>(host.cell_count()) / kCopiedCells;
  // Keeping them may take as long again as doing them does.
  const double room_ms = static_cast<double>(way.times()) * step_ms + kLongMs;
  const auto quick = static_cast<std::uint64_t>(room_ms / std::max(copying_ms, 1e-3));
  way.comes_back = host.cell_count() <= kMostComingBack;
  way.keep = std::min({kStepsAtHand, chronicle_.budget() / kShareAtHand / bytes, quick});
  job.replay = std::make_shared<const Replay>(std::move(way));
  return {};
}

bool CellPast::has_room(std::uint64_t cells) const {
  return bytes_of_bits(cells) <= chronicle_.budget() / kShareAtHand;
}

bool CellPast::should_keep_before(std::uint64_t cells, double step_ms) const {
  return has_room(cells) &&
         static_cast<double>(chronicle_.generations_to_do(chronicle_.now())) * step_ms > kLongMs;
}

bool CellPast::should_keep_now(std::uint64_t cells, double step_ms) const {
  if (!has_room(cells)) return false;
  if (chronicle_.overflows()) return true;
  const double again_ms = static_cast<double>(chronicle_.generations_to_do(chronicle_.now())) * step_ms;
  return again_ms > kVeryLongMs && Clock::now() >= next_;
}

bool CellPast::should_copy(std::uint64_t cells) const {
  if (cells > kMostCopied || !has_room(cells) || Clock::now() < next_) return false;
  const auto grown = chronicle_.grown();
  if (grown && is_quickly_grown(grown->generation, cells)) return false;
  const auto kept = chronicle_.newest_kept();
  return !kept || kept->moment != chronicle_.now() || !kept->bits;
}

void CellPast::noted_copy(std::uint64_t cells) {
  const std::chrono::duration<double, std::milli> cost{static_cast<double>(cells) / kCopiedCells};
  next_ = Clock::now() +
          std::max<Clock::duration>(std::chrono::seconds(1),
                                    std::chrono::duration_cast<Clock::duration>(cost) * kMostOfTheTime);
}

}  // namespace loom::app
