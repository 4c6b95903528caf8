#include "app/workspaces/life/panels/edit_bar.h"

#include <fmt/format.h>
#include <imgui.h>

#include "app/gui/theme.h"
#include "app/text/format.h"
#include "app/widgets/choice.h"
#include "app/widgets/fixed_window.h"
#include "app/widgets/item_area.h"
#include "app/widgets/text.h"
#include "app/workspaces/life/scene/fractal_rule.h"
#include "compute/workload/rule_text.h"

namespace loom::app {
namespace {

bool bar_button(const char* label, const char* name, std::string_view hint, EditBarAreas& areas) {
  const float width = button_width(label);
  // Starts a new line if there is no room left.
  if (!areas.empty() &&
      ImGui::GetItemRectMax().x + ImGui::GetStyle().ItemSpacing.x + width <
          ImGui::GetWindowPos().x + ImGui::GetWindowWidth() - ImGui::GetStyle().WindowPadding.x)
    ImGui::SameLine();
  const bool pressed = choice_button(label, false, width, {}, hint);
  areas[name] = item_area();
  return pressed;
}

void turn_buttons(CellEditor& editor, EditBarAreas& areas) {
  if (bar_button("Rotate left", "turn_left", "Rotates 90° counterclockwise", areas))
    editor.turn(SelectionCommand::kRotateLeft);
  if (bar_button("Rotate right", "turn_right", "Rotates 90° clockwise", areas))
    editor.turn(SelectionCommand::kRotateRight);
  if (bar_button("Mirror", "mirror", "Flips left and right", areas))
    editor.turn(SelectionCommand::kFlipHorizontally);
  if (bar_button("Flip vertically", "upside_down", "Flips top and bottom", areas))
    editor.turn(SelectionCommand::kFlipVertically);
}

void ghost_buttons(CellEditor& editor, LifeEdit& edit, EditBarAreas& areas) {
  if (bar_button("Place", "place",
                 "Places the pattern (Enter, or a click on the picture). Cells on holes are dropped", areas))
    editor.place();
  turn_buttons(editor, areas);
  if (const auto rule = editor.other_rule(edit.settings.rule)) {
    const std::string label = "Use pattern's rule, " + to_string(*rule);
    if (bar_button(label.c_str(), "rule", "The rule that the pattern's file names", areas))
      edit.settings.rule = *rule;
  }
  if (bar_button("Cancel", "cancel", "Esc", areas)) editor.cancel();
}

void selection_buttons(CellEditor& editor, const LifeEdit& edit, EditBarAreas& areas) {
  if (bar_button("Copy", "copy", "Copies as RLE to the clipboard (Ctrl C)", areas))
    editor.request_command(SelectionCommand::kCopy);
  if (bar_button("Cut", "cut", "Copies, then clears (Ctrl X)", areas))
    editor.request_command(SelectionCommand::kCut);
  if (bar_button("Clear", "clear", "Kills all selected cells (Ctrl Del)", areas))
    editor.request_command(SelectionCommand::kClear);
  const std::string fill = fmt::format("Fill {:.2f}", edit.settings.start.density);
  if (bar_button(fill.c_str(), "fill", "Fills at random with the density of the panel", areas))
    editor.request_command(SelectionCommand::kFill);
  turn_buttons(editor, areas);
  if (bar_button("Deselect", "cancel", "Esc", areas)) editor.cancel();
}

// Dead cells stay dead under these rules, so the last count holds for all later generations.
bool extinct(const LifeEdit& edit, const LifeStats& stats) {
  const auto& census = stats.census;
  return edit.settings.workload == Workload::kLife && stats.work.workload == Workload::kLife && census &&
         census->census.population == 0 && stats.generations > 0 && (edit.settings.rule.birth & 1) == 0;
}

void extinct_words(LifeEdit& edit, const LifeStats& stats, EditBarAreas& areas) {
  wrapped_text(format_text("All cells are dead under {}.", to_string(edit.settings.rule)));
  const auto other = rule_of(edit.settings, stats.config.fractal);
  if (!other || other->rule == edit.settings.rule) return;
  const std::string_view name = name_of(other->rule);
  const std::string label =
      fmt::format("Play {}{}{}", to_string(other->rule), name.empty() ? "" : ", ", name);
  const std::string hint = fmt::format("From a random start; {} {}",
                                       other->of_file ? "the rule in the file of" : "this rule survives on",
                                       stats.config.fractal.name());
  if (!bar_button(label.c_str(), "living_rule", hint, areas)) return;
  edit.settings.rule = other->rule;
  edit.commands.restart = true;
  edit.settings.playing = true;
}

}  // namespace

float edit_bar(const Area& area, CellEditor& editor, LifeEdit& edit, const LifeStats& stats,
               EditBarAreas& areas) {
  if (!areas.empty()) areas.clear();
  const bool dead = !editor.shown() && extinct(edit, stats);
  if (!editor.shown() && !dead) return 0;
  const float font = ImGui::GetFontSize();
  if (area.size.x < 12 * font || area.size.y < 12 * font) return 0;
  const ImGuiStyle& style = ImGui::GetStyle();
  // Narrow windows need a second line of buttons.
  const bool narrow = area.size.x < 46 * font;
  const float lines = narrow ? 3.0f : 2.0f;
  const float height = 2 * style.WindowPadding.y + lines * (ImGui::GetFrameHeight() + style.ItemSpacing.y);
  begin_bar("##edit bar", {{area.corner.x, area.end().y - height}, {area.size.x, height}});
  if (dead) {
    extinct_words(edit, stats, areas);
  } else {
    elided_text(editor.words(), remaining_width());
    editor.has_ghost() ? ghost_buttons(editor, edit, areas) : selection_buttons(editor, edit, areas);
  }
  ImGui::End();
  return height;
}

}  // namespace loom::app
