#include "app/workspaces/life/panels/scoreboard.h"

#include <imgui.h>

#include <algorithm>
#include <array>
#include <optional>
#include <span>

#include "app/gui/theme.h"
#include "app/text/format.h"
#include "app/widgets/choice.h"
#include "app/widgets/control_marks.h"
#include "app/widgets/fixed_window.h"
#include "app/workspaces/life/scene/map_colours.h"

namespace loom::app {
namespace {

constexpr float kScoreHeight = 4.6f;      // in font sizes
constexpr float kScoreLabelWidth = 4.3f;  // in font sizes
/// A time is better than another if it is shorter by this fraction: less is noise.
constexpr double kTimeNoise = 0.03;

struct Score {
  std::size_t pane = 0;  ///< index of its areas
  MapKind map = MapKind::kBoundingBox;
  std::optional<double> step_ms = {};
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

/// Whether this score's value is lower than all others by the fraction `margin`.
bool is_best_score(const Score& score, ScoreSpan all, ScoreValue value, double margin) {
  const auto own = value(score);
  return own && std::ranges::all_of(all, [&](const Score& other) {
           const auto its = value(other);
           return other.pane == score.pane || (its && *own < *its * (1 - margin));
         });
}

double largest_of(ScoreSpan all, ScoreValue value) {
  double most = 1e-12;
  for (const Score& score : all) most = std::max(most, value(score).value_or(0));
  return most;
}

/// A bar with the value at its left end and a remark at the right, if there is room. `dark`: the fraction of
/// the bar that is drawn darker.
void score_bar(const char* label, double share, double dark, ImU32 colour, std::string_view value,
               std::string_view remark, bool best) {
  const float font = ImGui::GetFontSize();
  ImGui::PushStyleColor(ImGuiCol_Text, theme::colours().muted);
  ImGui::TextUnformatted(label);
  ImGui::PopStyleColor();
  ImGui::SameLine(kScoreLabelWidth * font);
  const glm::vec2 corner = ImGui::GetCursorScreenPos();
  const float width = remaining_width();
  const float height = ImGui::GetTextLineHeight();
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.AddRectFilled(corner, corner + glm::vec2{width, height}, ImGui::GetColorU32(theme::colours().raised),
                     2);
  const float length = std::max(2.0f, width * static_cast<float>(std::clamp(share, 0.0, 1.0)));
  list.AddRectFilled(corner, corner + glm::vec2{length, height}, colour, 2);
  if (dark > 0) {
    const float from = length * static_cast<float>(1 - std::clamp(dark, 0.0, 1.0));
    list.AddRectFilled(corner + glm::vec2{from, 0}, corner + glm::vec2{length, height},
                       theme::colours().shade, 2);
  }
  const auto size = [](std::string_view text) {
    return ImGui::CalcTextSize(text.data(), text.data() + text.size()).x;
  };
  const auto write = [&](float x, const glm::vec4& paint, std::string_view text) {
    list.AddText(corner + glm::vec2{x, 0}, ImGui::GetColorU32(paint), text.data(), text.data() + text.size());
  };
  write(0.3f * font, theme::colours().text, value);
  const float left = width - size(remark) - 0.3f * font;
  if (left > size(value) + font) write(left, best ? theme::colours().success : theme::colours().text, remark);
  ImGui::Dummy({width, height});
}

void score_rows(const Score& score, ScoreSpan all, const Score* box) {
  const ImU32 colour = ImGui::GetColorU32(theme::behind_text(colour_of(score.map)));
  const bool compared = box != nullptr && box->pane != score.pane;
  const auto remark = [&](ScoreValue value, bool best, const char* word) {
    Text text;
    if (best) text.append("✓ ");
    const auto own = value(score);
    const auto base = box != nullptr ? value(*box) : std::nullopt;
    if (compared && own && base && *own > 0 && *own != *base) {
      text.add("{} {}", format_ratio(*base / *own), word);
    } else if (best) {
      text.append("best");
    }
    return text;
  };
  const bool fastest = is_best_score(score, all, step_of, kTimeNoise);
  score_bar("Step", score.step_ms.value_or(0) / largest_of(all, step_of), 0, colour,
            score.step_ms ? format_ms(*score.step_ms).append(" ms") : Text("–"),
            remark(step_of, fastest, "speedup"), fastest);
  tooltip(
      "Median time per generation while the window draws, one pane after another; speedup over the bounding "
      "box. "
      "K benchmarks the maps with rendering paused");
  const double idle = score.threads ? 1 - score.active / std::max(*score.threads, 1.0) : 0;
  score_bar("Threads", score.threads.value_or(0) / largest_of(all, threads_of), idle, colour,
            score.threads ? Text(format_count(static_cast<std::uint64_t>(*score.threads))) : Text("–"),
            score.threads ? format_percent(1 - idle).append(" active") : Text(),
            is_best_score(score, all, threads_of, 0));
  tooltip("Threads launched in one generation, counted; the dark part is idle");
  const bool smallest = is_best_score(score, all, bytes_of, 0);
  score_bar("Memory", score.bytes / largest_of(all, bytes_of), 0, colour,
            format_bytes(static_cast<std::uint64_t>(score.bytes)), remark(bytes_of, smallest, "less"),
            smallest);
  tooltip("Memory allocated for cells, both generations; ratio to the bounding box");
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
    for (std::size_t i = 0; i < panes.all().size() && count_ < scores_.size(); ++i) {
      if (panes.all()[i].in_sync) scores_[count_++] = score_of(*panes.all()[i].pane, i + 1);
    }
  }
  ScoreSpan all() const { return {scores_.data(), count_}; }
  /// The first pane with the bounding box; null if there is none.
  const Score* box() const {
    const auto found = std::ranges::find(all(), MapKind::kBoundingBox, &Score::map);
    return found != all().end() ? &*found : nullptr;
  }

 private:
  std::array<Score, kMaxPanes> scores_;
  std::size_t count_ = 0;
};

void add_strips(MemoryStrips& strips, ScoreSpan scores, const LifeStats& stats, const SecondaryPanes& panes,
                const std::optional<Coord64>& cell) {
  strips.begin_frame(cell);
  for (const Score& score : scores) {
    strips.add(score.pane,
               score.pane == 0 ? stats.config : panes.all()[score.pane - 1].pane->async_engine->config());
  }
}

}  // namespace

float scoreboard_height(const SecondaryPanes& panes) {
  return panes.cell_pane_count() == 0 ? 0 : kScoreHeight + kStripHeight;
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
    const float font = ImGui::GetFontSize();
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {0.5f * font, 0.35f * font});
    begin_bar(format_text("##score {}", score.pane).c_str(), areas[score.pane].score,
              ImGuiWindowFlags_NoScrollWithMouse);
    ImGui::PopStyleVar();
    score_rows(score, scores.all(), scores.box());
    strips.draw(score.pane);
    if (score.pane == 0) mark_window(Control::kPanesFigures);
    ImGui::End();
  }
}

bool needs_scoreboard_section(const SecondaryPanes& panes, const std::vector<PaneArea>& areas) {
  return panes.cell_pane_count() > 0 && (areas.empty() || areas.front().score.empty());
}

void scoreboard_section(const LifeStats& stats, const SecondaryPanes& panes, MemoryStrips& strips,
                        const std::optional<Coord64>& cell) {
  const ScopedControlMark marked(Control::kPanesFigures);
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
