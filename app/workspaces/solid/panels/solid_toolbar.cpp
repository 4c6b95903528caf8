
#include <imgui.h>

#include <algorithm>
#include <array>

#include "app/gui/theme.h"
#include "app/text/format.h"
#include "app/widgets/control_marks.h"
#include "app/widgets/inputs.h"
#include "app/widgets/score_bar.h"
#include "app/widgets/text.h"
#include "app/workspaces/life/panels/life_toolbar.h"
#include "app/workspaces/life/scene/pane_presets.h"
#include "app/workspaces/solid/panels/solid_panels.h"

namespace loom::app {
namespace {

using namespace toolbar;

// Widths in font sizes.
constexpr float kMapsWidth = kMapButtonWidths[0] + kMapButtonWidths[1] + kMapButtonWidths[2] + 2 * kGap;
constexpr float kFractalWidth = 12;
constexpr float kStepWidth = 1.5f;
constexpr float kLevelWidth = 4.4f;
constexpr float kCompareWidth = 6;
constexpr float kExplainWidth = 5.6f;
constexpr std::array kGroups = {3 * kIconWidth + 2 * kGap, kMapsWidth,
                                kFractalWidth + 2 * kStepWidth + kLevelWidth + 3 * kGap,
                                kCompareWidth + kExplainWidth + kGap};
constexpr std::array kBriefGroups = {kGroups[0], kGroups[1], kGroups[2], 2 * kIconWidth + kGap};

void play_group(SolidSceneEdit& edit) {
  if (choice_button(icons::kBack, false, in_fonts(kIconWidth), {}, "Returns to generation 0"))
    edit.commands.restart = true;
  beside();
  if (play_and_step(edit.settings.playing)) ++edit.commands.step;
}

void map_group(SolidConfig& config) {
  static constexpr std::array kHints = {
      "One thread per point of the cube, hole or cell. Threads on holes are idle (1)",
      "Launches tiles only where cells are: λ maps the tile index ω to the tile position. Cells are stored "
      "in "
      "the cube (2)",
      "As λ, and empty tiles take no memory: ν, the inverse of λ, finds where a neighbouring tile is stored "
      "(3)"};
  if (const auto map = map_buttons(config.method.map, kHints)) set_map(config, *map);
}

void fractal_group(SolidSettings& settings) {
  SolidConfig& config = settings.config;
  ImGui::SetNextItemWidth(in_fonts(kFractalWidth));
  if (ImGui::BeginCombo("##fractal", config.fractal.name().c_str(),
                        ImGuiComboFlags_HeightLargest | ImGuiComboFlags_NoArrowButton)) {
    for (const SolidFractal& fractal : solid_catalog()) {
      if (ImGui::Selectable(fractal.name().c_str(), fractal == config.fractal)) set_fractal(config, fractal);
    }
    if (const auto& own = settings.from_file) {
      if (ImGui::Selectable(own->fractal.name().c_str(), own->fractal == config.fractal))
        set_fractal(config, own->fractal);
    }
    ImGui::EndCombo();
  }
  tooltip("Fractal");
  beside();
  ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, {0, ImGui::GetStyle().FramePadding.y});
  if (choice_button("−", false, in_fonts(kStepWidth), config.level == 0 ? "Level 0 is a single cell" : "",
                    "One level down (PgDn)"))
    set_level(config, config.level - 1);
  beside();
  const Text level = format_text("level {}", config.level);
  choice_button(level.c_str(), false, in_fonts(kLevelWidth), {}, "Level r: k^r cells");
  beside();
  if (choice_button("+", false, in_fonts(kStepWidth),
                    config.level >= std::min(kMaxSolidViewLevel, config.fractal.max_level())
                        ? "Higher levels have no picture"
                        : "",
                    "One level up (PgUp)"))
    set_level(config, config.level + 1);
  ImGui::PopStyleVar();
}

void view_group(SolidSettings& settings, bool brief) {
  if (choice_button(brief ? "\uf0db" : "\uf0db Compare", settings.compare,
                    in_fonts(brief ? kIconWidth : kCompareWidth), {}, "The three maps side by side (V)"))
    settings.compare = !settings.compare;
  beside();
  if (choice_button(brief ? "\uf05a" : "\uf05a Explain", settings.show_thread,
                    in_fonts(brief ? kIconWidth : kExplainWidth), {},
                    "Explains the thread of the selected cell, λ level by level (X)"))
    settings.show_thread = !settings.show_thread;
}

}  // namespace

std::span<const float> solid_toolbar_groups(bool brief) {
  return brief ? std::span<const float>(kBriefGroups) : std::span<const float>(kGroups);
}

void solid_toolbar_group(std::size_t group, SolidSceneEdit& edit, bool brief) {
  ImGui::BeginGroup();
  if (group == 0) play_group(edit);
  if (group == 1) map_group(edit.settings.config);
  if (group == 2) fractal_group(edit.settings);
  if (group == 3) view_group(edit.settings, brief);
  ImGui::EndGroup();
  static constexpr std::array kMarks = {Control::kPlay, Control::kMap, Control::kFractal, Control::kPanes};
  mark_item(kMarks[group]);
}

namespace {

/// Height of the selected cell's thread, in font sizes: two lines.
constexpr float kSelectedHeight = 2.6f;

/// The heading of a pane, the longest that fits `width`.
Text map_heading(const MapScore& score, bool active, float width) {
  const std::string name = capitalized(label_of(score.map));
  if (!score.problem.empty()) return format_text("{}: {}", name, score.problem);
  Text text = format_text("{}{}", name, active ? " (active)" : "");
  const Text brief = text;
  if (score.identical) text.append(*score.identical ? "  ·  identical cells ✓" : "  ·  cells differ");
  return text_width(text) <= width || score.identical == false ? text : brief;
}

void score_rows(MapKind map, const MapScores& scores) {
  std::array<MapScoreValues, kMapKinds.size()> all;
  std::ranges::transform(scores, all.begin(), [](const MapScore& one) {
    return MapScoreValues{.accent = colour_of(one.map),
                          .step_ms = one.step_ms,
                          .is_live = true,
                          .threads = one.threads,
                          .bytes = one.bytes};
  });
  map_score_rows(all, index_of(map), &all[index_of(MapKind::kBoundingBox)],
                 "Live: median time per generation while it plays, one map after another on the same cells; "
                 "speedup over the bounding box, rounded");
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
    const auto i = index_of(score.map);
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
      tooltip(format_text("Makes {} the active map, which the controls set ({})",
                          capitalized(label_of(score.map)), i + 1));
    }
    ImGui::End();
  }
}

void map_scores(const MapScores& scores, const SelectedThreads& selected,
                const std::vector<PaneArea>& areas) {
  if (needs_map_score_section(areas)) return;
  for (const MapScore& score : scores) {
    const auto i = index_of(score.map);
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
    ImGui::TextUnformatted(capitalized(label_of(score.map)).c_str());
    score_rows(score.map, scores);
    selected_line(selected[index_of(score.map)]);
  }
  ImGui::Separator();
}

}  // namespace loom::app
