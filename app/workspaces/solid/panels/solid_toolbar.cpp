#include "app/workspaces/solid/panels/solid_toolbar.h"

#include <imgui.h>

#include <algorithm>
#include <array>

#include "app/gui/fonts.h"
#include "app/text/format.h"
#include "app/widgets/control_marks.h"
#include "app/widgets/inputs.h"
#include "app/workspaces/life/scene/map_colours.h"
#include "app/workspaces/solid/panels/solid_panels.h"

namespace loom::app {
namespace {

using namespace toolbar;

// Widths in font sizes.
constexpr std::array kMapWidths = {7.9f, 2.6f, 5.4f};
constexpr float kFractalWidth = 12;
constexpr float kStepWidth = 1.5f;
constexpr float kLevelWidth = 4.4f;
constexpr float kCompareWidth = 6;
constexpr float kExplainWidth = 5.6f;
constexpr std::array kGroups = {
    3 * kIconWidth + 2 * kGap, kMapWidths[0] + kMapWidths[1] + kMapWidths[2] + 2 * kGap,
    kFractalWidth + 2 * kStepWidth + kLevelWidth + 3 * kGap, kCompareWidth + kExplainWidth + kGap};
constexpr std::array kBriefGroups = {kGroups[0], kGroups[1], kGroups[2], 2 * kIconWidth + kGap};

void play_group(SolidSceneEdit& edit) {
  if (choice_button(icons::kBack, false, in_fonts(kIconWidth), {}, "Returns to generation 0"))
    edit.commands.restart = true;
  beside();
  if (play_and_step(edit.settings.playing)) ++edit.commands.step;
}

void map_group(SolidConfig& config) {
  struct Choice {
    MapKind map;
    const char* hint;
  };
  static constexpr std::array kChoices = {
      Choice{MapKind::kBoundingBox,
             "One thread per point of the cube, hole or cell. Threads on holes are idle (1)"},
      Choice{MapKind::kLambda,
             "Launches tiles only where cells are: λ maps the tile index ω to the tile position. Cells are "
             "stored in the cube (2)"},
      Choice{MapKind::kCompact,
             "As λ, and empty tiles take no memory: ν, the inverse of λ, finds where a neighbouring tile is "
             "stored (3)"}};
  ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, {0, ImGui::GetStyle().FramePadding.y});
  for (std::size_t i = 0; i < kChoices.size(); ++i) {
    if (i > 0) beside();
    const Choice& choice = kChoices[i];
    if (choice_button(map_label(choice.map), config.method.map == choice.map, in_fonts(kMapWidths[i]), {},
                      choice.hint, colour_of(choice.map)))
      set_map(config, choice.map);
  }
  ImGui::PopStyleVar();
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

}  // namespace loom::app
