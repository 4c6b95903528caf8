#include "app/life/panels/edit_bar.h"

#include <fmt/format.h>
#include <imgui.h>

#include "app/gui/theme.h"
#include "app/life/scene/fractal_rule.h"
#include "app/text/format.h"
#include "app/widgets/choice.h"
#include "app/widgets/fixed_window.h"
#include "app/widgets/item_area.h"
#include "app/widgets/text.h"
#include "compute/workload/rule_text.h"

namespace loom::app {
namespace {

bool bar_button(const char* label, const char* name, std::string_view hint, EditBarPlaces& places) {
  const float width = button_width(label);
  // In the next line where there is no room left.
  if (!places.empty() &&
      ImGui::GetItemRectMax().x + ImGui::GetStyle().ItemSpacing.x + width <
          ImGui::GetWindowPos().x + ImGui::GetWindowWidth() - ImGui::GetStyle().WindowPadding.x)
    ImGui::SameLine();
  const bool pressed = choice_button(label, false, width, {}, hint);
  places[name] = item_area();
  return pressed;
}

void turn_buttons(CellEditor& editor, EditBarPlaces& places) {
  if (bar_button("Rotate left", "turn_left", "Rotates 90° counterclockwise", places))
    editor.turn(SelectionDo::kTurnLeft);
  if (bar_button("Rotate right", "turn_right", "Rotates 90° clockwise", places))
    editor.turn(SelectionDo::kTurnRight);
  if (bar_button("Mirror", "mirror", "Flips left and right", places)) editor.turn(SelectionDo::kMirror);
  if (bar_button("Flip vertically", "upside_down", "Flips top and bottom", places))
    editor.turn(SelectionDo::kUpsideDown);
}

void ghost_buttons(CellEditor& editor, LifeEdit& edit, EditBarPlaces& places) {
  if (bar_button("Place", "place",
                 "Places the pattern (Enter, or a click on the picture). Cells on holes are dropped", places))
    editor.place();
  turn_buttons(editor, places);
  if (const auto rule = editor.other_rule(edit.settings.rule)) {
    const std::string label = "Use pattern's rule, " + to_string(*rule);
    if (bar_button(label.c_str(), "rule", "The rule that the pattern's file names", places))
      edit.settings.rule = *rule;
  }
  if (bar_button("Cancel", "cancel", "Esc", places)) editor.cancel();
}

void selection_buttons(CellEditor& editor, const LifeEdit& edit, EditBarPlaces& places) {
  if (bar_button("Copy", "copy", "Copies as RLE to the clipboard (Ctrl C)", places))
    editor.act(SelectionDo::kCopy);
  if (bar_button("Cut", "cut", "Copies, then clears (Ctrl X)", places)) editor.act(SelectionDo::kCut);
  if (bar_button("Clear", "clear", "Kills all selected cells (Del)", places)) editor.act(SelectionDo::kClear);
  const std::string fill = fmt::format("Fill {:.2f}", edit.settings.start.density);
  if (bar_button(fill.c_str(), "fill", "Fills at random with the density of the panel", places))
    editor.act(SelectionDo::kFill);
  turn_buttons(editor, places);
  if (bar_button("Deselect", "cancel", "Esc", places)) editor.cancel();
}

// Once all are dead they stay so, whichever generation was counted last.
bool extinct(const LifeEdit& edit, const LifeFacts& facts) {
  const auto& census = facts.census;
  return edit.settings.workload == Workload::kLife && facts.work.workload == Workload::kLife && census &&
         census->census.population == 0 && facts.generations > 0 && (edit.settings.rule.birth & 1) == 0;
}

void extinct_words(LifeEdit& edit, const LifeFacts& facts, EditBarPlaces& places) {
  wrapped(format_text("All cells are dead under {}.", to_string(edit.settings.rule)));
  const auto other = rule_of(edit.settings, facts.config.fractal);
  if (!other || other->rule == edit.settings.rule) return;
  const std::string_view name = name_of(other->rule);
  const std::string label =
      fmt::format("Play {}{}{}", to_string(other->rule), name.empty() ? "" : ", ", name);
  const std::string hint = fmt::format("From a random start; {} {}",
                                       other->of_file ? "the rule in the file of" : "this rule survives on",
                                       facts.config.fractal.name());
  if (!bar_button(label.c_str(), "living_rule", hint, places)) return;
  edit.settings.rule = other->rule;
  edit.commands.restart = true;
  edit.settings.playing = true;
}

}  // namespace

float edit_bar(const Area& area, CellEditor& editor, LifeEdit& edit, const LifeFacts& facts,
               EditBarPlaces& places) {
  if (!places.empty()) places.clear();
  const bool dead = !editor.shown() && extinct(edit, facts);
  if (!editor.shown() && !dead) return 0;
  const float font = ImGui::GetFontSize();
  if (area.width < 12 * font || area.height < 12 * font) return 0;
  const ImGuiStyle& style = ImGui::GetStyle();
  // Room for the buttons' second line where they need one.
  const bool narrow = area.width < 46 * font;
  const float lines = narrow ? 3.0f : 2.0f;
  const float height = 2 * style.WindowPadding.y + lines * (ImGui::GetFrameHeight() + style.ItemSpacing.y);
  begin_bar("##edit bar", {area.x, area.y + area.height - height, area.width, height});
  if (dead) {
    extinct_words(edit, facts, places);
  } else {
    elided(editor.words(), rest_of_line());
    editor.has_ghost() ? ghost_buttons(editor, edit, places) : selection_buttons(editor, edit, places);
  }
  ImGui::End();
  return height;
}

}  // namespace loom::app
