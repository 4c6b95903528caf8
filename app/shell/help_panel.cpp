#include "app/shell/help_panel.h"

#include <imgui.h>

#include <algorithm>
#include <vector>

#include "app/gui/theme.h"
#include "app/shell/shortcuts.h"

namespace loom::app {
namespace {

constexpr float kLeastWidth = 20;  // font sizes

void key_and_meaning(const char* keys, const char* meaning) {
  ImGui::TableNextColumn();
  ImGui::PushStyleColor(ImGuiCol_Text, theme::colours().accent);
  ImGui::TextUnformatted(keys);
  ImGui::PopStyleColor();
  ImGui::TableNextColumn();
  ImGui::TextWrapped("%s", meaning);
}

}  // namespace

void help_panel(const Area& area, bool& shown, std::span<const CommandSource> sources,
                std::span<const KeyHelp> gestures) {
  if (!shown || area.empty()) return;
  std::vector<const Command*> keys;
  for (const CommandSource& source : sources) {
    for (const Command& command : source.commands) {
      if (*command.keys != '\0') keys.push_back(&command);
    }
  }
  const float font = ImGui::GetFontSize();
  // Over a narrow picture the text would wrap after a few letters; the panel then covers the controls too.
  const glm::vec2 display = ImGui::GetIO().DisplaySize;
  const bool narrow = area.size.x < font * kLeastWidth;
  const float width = std::min((narrow ? display.x : area.size.x) - font, font * 44);
  const bool two_columns = width >= font * 36;
  ImGui::SetNextWindowPos({narrow ? display.x / 2 : area.centre().x, area.centre().y}, ImGuiCond_Always,
                          {0.5f, 0.5f});
  ImGui::SetNextWindowSizeConstraints({std::max(width, 1.0f), 0},
                                      {std::max(width, 1.0f), area.size.y - font});
  ImGui::SetNextWindowFocus();
  ImGui::Begin("Keys and mouse", &shown,
               ImGuiWindowFlags_NoCollapse | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_AlwaysAutoResize |
                   ImGuiWindowFlags_NoNav);
  const auto set_up = [&](int pairs) {
    for (int i = 0; i < pairs; ++i) {
      ImGui::TableSetupColumn("", ImGuiTableColumnFlags_WidthFixed, font * 5.6f);
      ImGui::TableSetupColumn("", ImGuiTableColumnFlags_WidthStretch);
    }
  };
  const int pairs = two_columns ? 2 : 1;
  if (ImGui::BeginTable("##keys", 2 * pairs)) {
    set_up(pairs);
    const std::size_t rows =
        (keys.size() + static_cast<std::size_t>(pairs) - 1) / static_cast<std::size_t>(pairs);
    for (std::size_t row = 0; row < rows; ++row) {
      ImGui::TableNextRow();
      for (std::size_t i = row; i < keys.size(); i += rows) key_and_meaning(keys[i]->keys, keys[i]->meaning);
    }
    ImGui::EndTable();
  }
  ImGui::Separator();
  if (ImGui::BeginTable("##mouse", 2)) {
    ImGui::TableSetupColumn("", ImGuiTableColumnFlags_WidthFixed, font * 13.5f);
    ImGui::TableSetupColumn("", ImGuiTableColumnFlags_WidthStretch);
    for (const KeyHelp& gesture : gestures) {
      ImGui::TableNextRow();
      key_and_meaning(gesture.keys, gesture.meaning);
    }
    ImGui::EndTable();
  }
  ImGui::End();
}

}  // namespace loom::app
