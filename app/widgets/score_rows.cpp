#include "app/widgets/score_rows.h"

#include <algorithm>

#include "app/text/format.h"
#include "app/widgets/score_bar.h"
#include "app/widgets/tooltip.h"
#include "compute/engine/thread_utilization.h"

namespace loom::app {
namespace {

using ScoreValue = std::optional<double> (*)(const MapScoreValues& score);

std::optional<double> step_of(const MapScoreValues& score) {
  return score.step_ms;
}
std::optional<double> threads_of(const MapScoreValues& score) {
  return score.threads ? std::optional(static_cast<double>(score.threads->threads_launched)) : std::nullopt;
}
std::optional<double> bytes_of(const MapScoreValues& score) {
  return score.bytes ? std::optional(static_cast<double>(*score.bytes)) : std::nullopt;
}

/// The value of each map in one row.
ScoreValues values_of(std::span<const MapScoreValues> all, ScoreValue value) {
  ScoreValues values;
  for (const MapScoreValues& score : all) values.add(value(score));
  return values;
}

/// A speedup of live times, with the digits that repeat from run to run.
Text live_speedup(const std::optional<double>& own, const std::optional<double>& base) {
  if (!own || !base) return {};
  if (!are_comparable(*own, *base)) return format_speedup(*base, *own);
  const double ratio = *base / *own;
  return ratio < 10 ? format_text("≈ {:.1f}× speedup", ratio) : format_text("≈ {:.0f}× speedup", ratio);
}

}  // namespace

void map_score_rows(std::span<const MapScoreValues> all, std::size_t own, const MapScoreValues* box,
                    const char* time_meaning) {
  const MapScoreValues& score = all[own];
  const ImU32 colour = score_colour(score.accent);
  const auto base = [&](ScoreValue value) {
    return box != nullptr && box != &score ? value(*box) : std::nullopt;
  };
  const ScoreValues steps = values_of(all, step_of);
  const bool fastest = !score.is_live && is_fastest(steps, own, score.step_ms);
  score_bar({.label = "Step",
             .share = steps.share(own),
             .colour = colour,
             .value = score.step_ms ? format_ms(*score.step_ms).append(" ms") : Text("not yet timed"),
             .detail = score.step_ms && score.is_live ? " live" : "",
             .remark = score.is_live ? live_speedup(score.step_ms, base(step_of))
                                     : time_remark(score.step_ms, base(step_of), fastest),
             .is_best = fastest});
  tooltip(time_meaning);
  const ScoreValues threads = values_of(all, threads_of);
  const double utilization =
      score.threads ? thread_utilization(score.threads->threads_active, score.threads->threads_launched) : 1;
  score_bar({.label = "Threads",
             .share = threads.share(own),
             .dark = 1 - utilization,
             .colour = colour,
             .value = score.threads ? format_count(score.threads->threads_launched) : Text("–"),
             .remark = score.threads ? format_percent(utilization).append(" utilization") : Text(),
             .is_best = threads.is_lowest(own)});
  tooltip(
      "Threads launched in one generation, counted; the dark part is idle. Thread utilization: active over "
      "launched threads. A CUDA thread that works on several tiles counts once for each of them");
  const ScoreValues bytes = values_of(all, bytes_of);
  const bool smallest = bytes.is_lowest(own);
  score_bar({.label = "Memory",
             .share = bytes.share(own),
             .colour = colour,
             .value = score.bytes ? format_bytes(*score.bytes) : Text("–"),
             .remark = score_remark(bytes_of(score), base(bytes_of), smallest, "less"),
             .is_best = smallest});
  tooltip(
      "Memory allocated for cells: both generations, which a step reads and writes; ratio to the bounding "
      "box");
}

}  // namespace loom::app
