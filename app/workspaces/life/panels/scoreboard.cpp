#include "app/workspaces/life/panels/scoreboard.h"

#include <imgui.h>

#include <algorithm>
#include <array>
#include <optional>
#include <span>

#include "app/text/text.h"
#include "app/widgets/control_marks.h"
#include "app/widgets/score_bar.h"
#include "app/widgets/score_rows.h"
#include "app/workspaces/life/scene/map_colours.h"

namespace loom::app {
namespace {

/// A pane with a score.
struct ScoredPane {
  std::size_t index = 0;  ///< of its areas
  const FractalConfig* config = nullptr;
  std::uint64_t bytes = 0;  ///< allocated
  MapKind map() const { return config->method.map; }
};

/// The scores of the panes of cells, the active one first.
class ScoreList {
 public:
  ScoreList(const LifeStats& stats, const SecondaryPanes& panes) {
    add({0, &stats.config, stats.allocated_bytes}, stats.generation, stats.threads);
    for (std::size_t i = 0; i < panes.all().size() && count_ < kMaxPanes; ++i) {
      if (!panes.all()[i].in_sync) continue;
      const Pane& pane = *panes.all()[i].pane;
      add({i + 1, &pane.async_engine->config(), pane.async_engine->allocated_bytes()},
          pane.generation_stats(), pane.threads);
    }
    use_benchmark(stats);
  }
  std::span<const ScoredPane> panes() const { return {panes_.data(), count_}; }
  void draw_rows(std::size_t own) const {
    const auto box = std::ranges::find(panes(), MapKind::kBoundingBox, &ScoredPane::map) - panes().begin();
    const std::span<const MapScoreValues> all(values_.data(), count_);
    map_score_rows(
        all, own, static_cast<std::size_t>(box) < count_ ? &values_[static_cast<std::size_t>(box)] : nullptr,
        values_[own].is_live
            ? "Live: median time per generation while the window draws, one pane after another; speedup over "
              "the bounding box, rounded. K benchmarks the maps with rendering paused and marks the fastest"
            : "Benchmarked time per generation, with rendering paused; speedup over the bounding box");
  }

 private:
  void add(const ScoredPane& pane, const StageStats& step, const std::optional<ThreadCount>& threads) {
    panes_[count_] = pane;
    values_[count_++] = {.accent = colour_of(pane.map()),
                         .step_ms = step.samples > 0 ? std::optional(step.median) : std::nullopt,
                         .is_live = true,
                         .threads = threads,
                         .bytes = pane.bytes};
  }
  // Benchmarked times replace the live ones if all panes have one, so that equal conditions are compared.
  void use_benchmark(const LifeStats& stats) {
    if (!stats.comparison.benchmarked) return;
    std::array<double, kMaxPanes> times{};
    for (std::size_t i = 0; i < count_; ++i) {
      const FractalConfig& config = *panes_[i].config;
      const auto& time = stats.comparison.maps[static_cast<std::size_t>(panes_[i].map())];
      const bool same = config.level == stats.config.level && config.tile_size == stats.config.tile_size &&
                        config.fractal == stats.config.fractal;
      if (!time || !same || time->method != config.method) return;
      times[i] = time->milliseconds;
    }
    for (std::size_t i = 0; i < count_; ++i) {
      values_[i].step_ms = times[i];
      values_[i].is_live = false;
    }
  }

  std::array<ScoredPane, kMaxPanes> panes_;
  std::array<MapScoreValues, kMaxPanes> values_;
  std::size_t count_ = 0;
};

void add_strips(MemoryStrips& strips, const ScoreList& scores, const std::optional<Coord64>& cell) {
  strips.begin_frame(cell);
  for (const ScoredPane& pane : scores.panes()) strips.add(pane.index, *pane.config, pane.bytes);
}

}  // namespace

float scoreboard_height(const SecondaryPanes& panes) {
  return panes.cell_pane_count() == 0 ? 0 : score_height(kMapScoreRows) + kStripHeight;
}

void scoreboard(const LifeStats& stats, const SecondaryPanes& panes, const std::vector<PaneArea>& areas,
                MemoryStrips& strips, const std::optional<Coord64>& cell) {
  if (areas.size() < 2 || areas.front().score.empty()) {
    if (!needs_scoreboard_section(panes, areas)) strips.begin_frame({});
    return;
  }
  const ScoreList scores(stats, panes);
  add_strips(strips, scores, cell);
  for (std::size_t i = 0; i < scores.panes().size(); ++i) {
    const std::size_t pane = scores.panes()[i].index;
    begin_score(format_text("##score {}", pane).c_str(), areas[pane].score);
    scores.draw_rows(i);
    strips.draw(pane);
    if (pane == 0) mark_window(Control::kPanesMetrics);
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
  add_strips(strips, scores, cell);
  for (std::size_t i = 0; i < scores.panes().size(); ++i) {
    ImGui::TextUnformatted(label_of(scores.panes()[i].map()));
    scores.draw_rows(i);
    strips.draw(scores.panes()[i].index);
  }
  ImGui::Separator();
}

}  // namespace loom::app
