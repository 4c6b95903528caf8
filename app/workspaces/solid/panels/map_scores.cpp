#include "app/workspaces/solid/panels/map_scores.h"

#include <imgui.h>

#include <algorithm>
#include <array>

#include "app/gui/theme.h"
#include "app/widgets/control_marks.h"
#include "app/widgets/inputs.h"
#include "app/widgets/score_bar.h"
#include "app/widgets/text.h"
#include "app/workspaces/life/scene/map_colours.h"
#include "app/workspaces/solid/panels/solid_panels.h"

namespace loom::app {
namespace {

/// Height of the selected cell's thread, in font sizes: two lines.
constexpr float kSelectedHeight = 2.6f;

/// The heading of a pane, the longest that fits `width`.
Text map_heading(const MapScore& score, bool active, float width) {
  const char* const name = map_label(score.map);
  if (!score.problem.empty()) return format_text("{}: {}", name, score.problem);
  Text text = format_text("{}{}", name, active ? " (active)" : "");
  const Text brief = text;
  if (score.identical) text.append(*score.identical ? "  ·  identical cells ✓" : "  ·  cells differ");
  return text_width(text) <= width || score.identical == false ? text : brief;
}

void score_rows(MapKind map, const MapScores& scores) {
  std::array<MapScoreValues, kMapKinds.size()> all;
  std::ranges::transform(scores, all.begin(), [](const MapScore& one) {
    return MapScoreValues{
        .accent = colour_of(one.map), .step_ms = one.step_ms, .threads = one.threads, .bytes = one.bytes};
  });
  map_score_rows(all, SolidComparison::index_of(map), &all[SolidComparison::index_of(MapKind::kBoundingBox)],
                 "Measured: median time per generation while it plays, one map after another on the same "
                 "cells; speedup over the bounding box");
}

void selected_line(const SelectedThread& selected) {
  if (selected.location()) {
    wrapped_text(selected.text());
  } else {
    note("Hover a cell: its tile, thread and byte.");
  }
}

}  // namespace

void layout_maps(const Area& area, float font_size, std::vector<PaneArea>& areas) {
  layout_panes(area, kMapKinds.size(), font_size, score_height(kMapScoreRows) + kSelectedHeight, areas);
  for (PaneArea& pane : areas) pane.picture.size = areas.front().picture.size;
}

void map_headers(SolidSceneEdit& edit, const MapScores& scores, const std::vector<PaneArea>& areas) {
  for (const MapScore& score : scores) {
    const auto i = SolidComparison::index_of(score.map);
    const Area& area = areas[i].header;
    if (area.empty()) continue;
    const bool active = edit.settings.config.method.map == score.map;
    begin_pane_header(format_text("##map pane {}", i).c_str(), area, colour_of(score.map));
    const bool wrong = !score.problem.empty() || score.identical == false;
    ImGui::PushStyleColor(ImGuiCol_Text, wrong    ? theme::colours().warning
                                         : active ? theme::colours().accent
                                                  : theme::colours().text);
    const float width = remaining_width();
    elided_text(map_heading(score, active, width), width);
    ImGui::PopStyleColor();
    ImGui::SetCursorScreenPos(area.corner);
    if (ImGui::InvisibleButton("##activate", area.size) && !active)
      edit.settings.config = compared_config(edit.settings.config, score.map);
    if (!score.problem.empty()) {
      tooltip(score.problem);
    } else if (!active) {
      tooltip(
          format_text("Makes {} the active map, which the controls set ({})", map_label(score.map), i + 1));
    }
    ImGui::End();
  }
}

void map_scores(const MapScores& scores, const SelectedThreads& selected,
                const std::vector<PaneArea>& areas) {
  if (needs_map_score_section(areas)) return;
  for (const MapScore& score : scores) {
    const auto i = SolidComparison::index_of(score.map);
    begin_score(format_text("##map score {}", i).c_str(), areas[i].score);
    score_rows(score.map, scores);
    selected_line(selected[i]);
    if (i == 0) mark_window(Control::kPanesMetrics);
    ImGui::End();
  }
}

bool needs_map_score_section(const std::vector<PaneArea>& areas) {
  return areas.size() < 2 || areas.front().score.empty();
}

void map_score_section(const MapScores& scores, const SelectedThreads& selected) {
  const ScopedControlMark marked(Control::kPanesMetrics);
  for (const MapScore& score : scores) {
    ImGui::TextUnformatted(map_label(score.map));
    score_rows(score.map, scores);
    selected_line(selected[SolidComparison::index_of(score.map)]);
  }
  ImGui::Separator();
}

}  // namespace loom::app
