#include "app/palette/window/palette_choice.h"

#include <imgui.h>

#include "app/widgets/choice.h"
#include "app/widgets/item_area.h"
#include "app/widgets/palette_swatch.h"

namespace loom::app {
namespace {

void palette_item(const render::Palette& palette, std::string& name) {
  const float height = ImGui::GetTextLineHeight();
  ImGui::PushID(palette.name.c_str());
  const glm::vec2 at = ImGui::GetCursorScreenPos();
  if (ImGui::Selectable("##pick", palette.name == name)) name = palette.name;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const bool cyclic = palette.group == render::PaletteGroup::kCyclic;
  draw_colours(list, cyclic ? palette.cycle : palette.ramp, at, {height * 5, height});
  list.AddText({at.x + height * 5.6f, at.y}, ImGui::GetColorU32(ImGuiCol_Text), palette.name.c_str());
  ImGui::PopID();
}

}  // namespace

void palette_choice(ShellSettings& shell, std::string& name, PaletteEditor& editor) {
  row_label("Palette");
  const float edit = button_width("Edit");
  ImGui::SetNextItemWidth(remaining_width() - edit - ImGui::GetStyle().ItemSpacing.x);
  if (ImGui::BeginCombo("##palette", name.c_str(), ImGuiComboFlags_HeightLargest)) {
    for (const render::PaletteGroup group : render::kPaletteGroups) {
      const bool custom = group == render::PaletteGroup::kCustom;
      if (custom && !shell.custom_palettes) continue;
      note(label_of(group));
      if (custom) {
        for (const CustomPalette& one : *shell.custom_palettes) palette_item(one.palette, name);
        continue;
      }
      for (const render::Palette& palette : render::palettes()) {
        if (palette.group == group) palette_item(palette, name);
      }
    }
    ImGui::EndCombo();
  }
  ImGui::SameLine();
  if (choice_button("Edit", false, edit, {}, "Edits this palette, or imports one from GIMP, Fractint or GMT"))
    editor.open();
  editor.button = item_area();
}

}  // namespace loom::app
