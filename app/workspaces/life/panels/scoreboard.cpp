#include "app/workspaces/life/panels/scoreboard.h"

#include <imgui.h>

#include <algorithm>
#include <array>
#include <optional>
#include <span>

#include "app/text/format.h"
#include "app/widgets/control_marks.h"
#include "app/widgets/score_bar.h"
#include "app/widgets/tooltip.h"
#include "app/workspaces/life/scene/map_colours.h"

namespace loom::app {
namespace {

constexpr int kScoreRows = 3;

struct Score {
  std::size_t pane = 0;  ///< index of its areas
  MapKind map = MapKind::kBoundingBox;
  std::optional<double> step_ms = {};
  bool is_benchmarked = false;
  std::optional<double> threads = {};
  double active = 0;  ///< active threads
  double bytes = 0;
};

using ScoreSpan = std::span<const Score>;
using ScoreValue = std::optional<double> (*)(const Score& score);

std::optional<double> step_of(const Score& score) {
  return score.step_ms;
}
std::optional<double> threads_of(const Score& score) {
  return score.threads;
}
std::optional<double> bytes_of(const Score& score) {
  return score.bytes;
}

void set_threads(Score& score, const std::optional<ThreadCount>& count) {
  if (!count) return;
  score.threads = static_cast<double>(count->threads_launched);
  score.active = static_cast<double>(count->threads_active);
}

Score score_of(const Pane& pane, std::size_t index) {
  Score score{.pane = index,
              .map = pane.async_engine->config().method.map,
              .bytes = static_cast<double>(pane.async_engine->allocated_bytes())};
  const StageStats step = pane.generation_stats();
  if (step.samples > 0) score.step_ms = step.median;
  set_threads(score, pane.threads);
  return score;
}

/// The value of each pane in one row.
ScoreValues values_of(ScoreSpan all, ScoreValue value) {
  ScoreValues values;
  for (const Score& score : all) values.add(value(score));
  return values;
}

/// A speedup of live times, with the digits that repeat from run to run.
Text live_speedup(const std::optional<double>& own, const std::optional<double>& base) {
  if (!own || !base || *own <= 0) return {};
  const double ratio = *base / *own;
  return ratio < 10 ? format_text("≈ {:.1f}× speedup", ratio) : format_text("≈ {:.0f}× speedup", ratio);
}

void score_rows(const Score& score, ScoreSpan all, const Score* box) {
  const ImU32 colour = score_colour(colour_of(score.map));
  const auto own = static_cast<std::size_t>(&score - all.data());
  const auto base = [&](ScoreValue value) {
    return box != nullptr && box->pane != score.pane ? value(*box) : std::nullopt;
  };
  const ScoreValues steps = values_of(all, step_of);
  // Live times vary with what else the window does: they are rounded, and name no winner.
  const bool fastest = score.is_benchmarked && steps.is_lowest(own, kTimeNoise);
  score_bar({.label = "Step",
             .share = steps.share(own),
             .colour = colour,
             .value = score.step_ms ? format_ms(*score.step_ms).append(" ms") : Text("–"),
             .detail = score.step_ms && !score.is_benchmarked ? " live" : "",
             .remark = score.is_benchmarked ? score_remark(score.step_ms, base(step_of), fastest, "speedup")
                                            : live_speedup(score.step_ms, base(step_of)),
             .is_best = fastest});
  tooltip(
      score.is_benchmarked
          ? "Benchmarked time per generation, with rendering paused; speedup over the bounding box"
          : "Live: median time per generation while the window draws, one pane after another; speedup over "
            "the bounding box, rounded. K benchmarks the maps with rendering paused and marks the fastest");
  const ScoreValues threads = values_of(all, threads_of);
  const double idle = score.threads ? 1 - score.active / std::max(*score.threads, 1.0) : 0;
  score_bar(
      {.label = "Threads",
       .share = threads.share(own),
       .dark = idle,
       .colour = colour,
       .value = score.threads ? Text(format_count(static_cast<std::uint64_t>(*score.threads))) : Text("–"),
       .remark = score.threads ? format_percent(1 - idle).append(" active") : Text(),
       .is_best = threads.is_lowest(own)});
  tooltip("Threads launched in one generation, counted; the dark part is idle");
  const ScoreValues bytes = values_of(all, bytes_of);
  const bool smallest = bytes.is_lowest(own);
  score_bar({.label = "Memory",
             .share = bytes.share(own),
             .colour = colour,
             .value = format_bytes(static_cast<std::uint64_t>(score.bytes)),
             .remark = score_remark(score.bytes, base(bytes_of), smallest, "less"),
             .is_best = smallest});
  tooltip(
      "Memory allocated for cells: both generations, which a step reads and writes; ratio to the bounding "
      "box");
}

/// The scores of the panes of cells, the active one first.
class ScoreList {
 public:
  ScoreList(const LifeStats& stats, const SecondaryPanes& panes) {
    Score& active = scores_[count_++];
    active.map = stats.config.method.map;
    active.bytes = static_cast<double>(stats.allocated_bytes);
    if (stats.generation.samples > 0) active.step_ms = stats.generation.median;
    set_threads(active, stats.threads);
    std::array<const FractalConfig*, kMaxPanes> configs = {&stats.config};
    for (std::size_t i = 0; i < panes.all().size() && count_ < scores_.size(); ++i) {
      if (!panes.all()[i].in_sync) continue;
      configs[count_] = &panes.all()[i].pane->async_engine->config();
      scores_[count_++] = score_of(*panes.all()[i].pane, i + 1);
    }
    use_benchmark(stats, configs);
  }
  ScoreSpan all() const { return {scores_.data(), count_}; }
  /// The first pane with the bounding box; null if there is none.
  const Score* box() const {
    const auto found = std::ranges::find(all(), MapKind::kBoundingBox, &Score::map);
    return found != all().end() ? &*found : nullptr;
  }

 private:
  // Benchmarked times replace the live ones if all panes have one, so that equal conditions are compared.
  void use_benchmark(const LifeStats& stats, std::span<const FractalConfig* const> configs) {
    if (!stats.comparison.benchmarked) return;
    std::array<double, kMaxPanes> times{};
    for (std::size_t i = 0; i < count_; ++i) {
      const FractalConfig& config = *configs[i];
      const auto& time = stats.comparison.maps[static_cast<std::size_t>(scores_[i].map)];
      const bool same = config.level == stats.config.level && config.tile_size == stats.config.tile_size &&
                        config.fractal == stats.config.fractal;
      if (!time || !same || time->method != config.method) return;
      times[i] = time->milliseconds;
    }
    for (std::size_t i = 0; i < count_; ++i) {
      scores_[i].step_ms = times[i];
      scores_[i].is_benchmarked = true;
    }
  }

  std::array<Score, kMaxPanes> scores_;
  std::size_t count_ = 0;
};

void add_strips(MemoryStrips& strips, ScoreSpan scores, const LifeStats& stats, const SecondaryPanes& panes,
                const std::optional<Coord64>& cell) {
  strips.begin_frame(cell);
  for (const Score& score : scores) {
    strips.add(score.pane,
               score.pane == 0 ? stats.config : panes.all()[score.pane - 1].pane->async_engine->config(),
               static_cast<std::uint64_t>(score.bytes));
  }
}

}  // namespace

float scoreboard_height(const SecondaryPanes& panes) {
  return panes.cell_pane_count() == 0 ? 0 : score_height(kScoreRows) + kStripHeight;
}

void scoreboard(const LifeStats& stats, const SecondaryPanes& panes, const std::vector<PaneArea>& areas,
                MemoryStrips& strips, const std::optional<Coord64>& cell) {
  if (areas.size() < 2 || areas.front().score.empty()) {
    if (!needs_scoreboard_section(panes, areas)) strips.begin_frame({});
    return;
  }
  const ScoreList scores(stats, panes);
  add_strips(strips, scores.all(), stats, panes, cell);
  for (const Score& score : scores.all()) {
    begin_score(format_text("##score {}", score.pane).c_str(), areas[score.pane].score);
    score_rows(score, scores.all(), scores.box());
    strips.draw(score.pane);
    if (score.pane == 0) mark_window(Control::kPanesMetrics);
    ImGui::End();
  }
}

bool needs_scoreboard_section(const SecondaryPanes& panes, const std::vector<PaneArea>& areas) {
  return panes.cell_pane_count() > 0 && (areas.empty() || areas.front().score.empty());
}

void scoreboard_section(const LifeStats& stats, const SecondaryPanes& panes, MemoryStrips& strips,
                        const std::optional<Coord64>& cell) {
  const ScopedControlMark marked(Control::kPanesMetrics);
  const ScoreList scores(stats, panes);
  add_strips(strips, scores.all(), stats, panes, cell);
  for (const Score& score : scores.all()) {
    ImGui::TextUnformatted(label_of(score.map));
    score_rows(score, scores.all(), scores.box());
    strips.draw(score.pane);
  }
  ImGui::Separator();
}

}  // namespace loom::app
