#include "app/workspaces/life/panels/fractal_panel.h"

#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <array>

#include "app/text/format.h"
#include "app/widgets/choice.h"
#include "app/widgets/control_marks.h"
#include "app/widgets/fractal_icon.h"
#include "app/workspaces/life/scene/fractal_rule.h"
#include "app/workspaces/life/scene/life_setting_changes.h"
#include "compute/geometry/nbb_catalog.h"

namespace loom::app {
namespace {

// `chosen`: set if the level was lowered for the selected fractal.
void fractal_choice(LifeSettings& settings, const NbbFractal* extra, std::optional<int>& chosen) {
  FractalConfig& config = settings.config;
  const ScopedControlMark marked(Control::kFractal);
  row_label("Fractal");
  if (!ImGui::BeginCombo("##fractal", config.fractal.name().c_str(), ImGuiComboFlags_HeightLargest)) return;
  const auto item = [&](const NbbFractal& fractal) {
    const float side = ImGui::GetFontSize() * 2.2f;
    ImGui::PushID(fractal.name().c_str());
    const glm::vec2 at = ImGui::GetCursorScreenPos();
    if (ImGui::Selectable("##pick", fractal == config.fractal, 0, {0, side})) {
      chosen = set_fractal(config, fractal);
      take_rule_of_file(settings);
    }
    draw_fractal_icon(*ImGui::GetWindowDrawList(), fractal, at, side);
    const float text_y = at.y + (side - ImGui::GetFontSize()) / 2;
    ImGui::GetWindowDrawList()->AddText({at.x + side + ImGui::GetFontSize() * 0.7f, text_y},
                                        ImGui::GetColorU32(ImGuiCol_Text), fractal.name().c_str());
    ImGui::PopID();
  };
  for (const NbbFractal& fractal : catalog()) item(fractal);
  if (extra != nullptr) item(*extra);
  ImGui::EndCombo();
}

bool step_button(const char* sign, float side, std::string_view problem, const char* hint) {
  ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, {0, ImGui::GetStyle().FramePadding.y});
  const bool pressed = choice_button(sign, false, side, problem, hint);
  ImGui::PopStyleVar();
  return pressed;
}

// Deep levels cost time and memory, so the slider applies its level on release.
void level_choice(FractalPanelState& state, FractalConfig& config, int largest) {
  if (!state.dragging) state.level = config.level;
  const ScopedControlMark marked(Control::kLevel);
  row_label("Level r");
  const float button = ImGui::GetFrameHeight();
  const float gap = ImGui::GetStyle().ItemInnerSpacing.x;
  const char* const lowest = config.level <= 0 ? "Level 0 is a single cell" : "";
  if (step_button("−", button, lowest, "One level down (PgDn)")) set_level(config, config.level - 1);
  ImGui::SameLine(0, gap);
  ImGui::SetNextItemWidth(remaining_width() - button - gap);
  const int most = std::max(config.level, std::min(largest, config.fractal.max_level()));
  ImGui::SliderInt("##level", &state.level, 0, most, "%d", ImGuiSliderFlags_AlwaysClamp);
  state.dragging = ImGui::IsItemActive();
  if (ImGui::IsItemDeactivatedAfterEdit()) set_level(config, state.level);
  tooltip(
      format_text("Levels up to {} fit in free memory with this map and tile size. The level changes when "
                  "you release the slider.",
                  largest));
  ImGui::SameLine(0, gap);
  const char* const highest = config.level >= config.fractal.max_level()
                                  ? "Coordinates and cell indices of a higher level do not fit in 64 bits"
                                  : "";
  if (step_button("+", button, highest, "One level up (PgUp)")) set_level(config, config.level + 1);
}

void stats(const FractalConfig& config, int level) {
  const NbbShape& shape = config.fractal.shape();
  const Text scale =
      shape.s_x == shape.s_y ? format_text("{}", shape.s_x) : format_text("{} × {}", shape.s_x, shape.s_y);
  note(format_text("k = {}, s = {}, dimension {:.3f}", shape.k, scale, config.fractal.dimension()));
  tooltip("k copies of itself, each scaled by 1/s. Dimension: log k / log s");
  const std::uint64_t width = config.fractal.width(level);
  const std::uint64_t height = config.fractal.height(level);
  const std::uint64_t cells = config.fractal.cells(level);
  const double share = static_cast<double>(cells) / static_cast<double>(width) / static_cast<double>(height);
  note(format_text("{} cells, {} of {} × {}", format_count(cells), format_percent(share), format_count(width),
                   format_count(height)));
}

// Only for fractals whose points are, or could be, stretched.
void shape_row(LifeSettings& settings, const LifeStats& report) {
  const NbbShape& shape = settings.config.fractal.shape();
  if (shape.s_x == shape.s_y) return;
  ImGui::Checkbox("Square points", &settings.square_points);
  tooltip("Draws points as squares. Off: a narrow fractal is stretched to fill the view");
  const double times = report.stretched;
  if (times > 1.0001) {
    note(format_text("Points are stretched: {:.3g} times as high as wide", times));
  } else if (times < 0.9999) {
    note(format_text("Points are stretched: {:.3g} times as wide as high", 1 / times));
  }
}

}  // namespace

void fractal_panel(FractalPanelState& state, LifeEdit& edit, const LifeStats& report,
                   const NbbFractal* extra) {
  if (!section("Fractal")) return;
  fractal_choice(edit.settings, extra, edit.commands.chosen_level);
  level_choice(state, edit.settings.config, report.largest_level);
  stats(edit.settings.config, state.dragging ? state.level : edit.settings.config.level);
  shape_row(edit.settings, report);
  constexpr std::array kLabels = {"Fractal editor", "Teaching example"};
  const ButtonRow line(kLabels);
  if (choice_button(kLabels[0], false, line.width(kLabels[0]), {},
                    "Draws a custom fractal and previews its levels (Ctrl N)")) {
    edit.commands.draw_fractal = true;
  }
  ImGui::SameLine();
  if (choice_button(
          kLabels[1], false, remaining_width(), {},
          "Low level, small tiles and both grids, paused, so that you can point at each thread (S)")) {
    set_teaching_example(edit.settings);
    edit.shell.view.fit = true;
  }
}

}  // namespace loom::app
