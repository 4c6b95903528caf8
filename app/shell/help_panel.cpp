#include "app/shell/help_panel.h"

#include <GLFW/glfw3.h>
#include <fmt/format.h>
#include <imgui.h>
#include <imgui_stdlib.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "app/gui/fonts.h"
#include "app/gui/imgui_compat.h"
#include "app/gui/theme.h"
#include "app/widgets/choice.h"

namespace loom::app {
namespace {

// In font sizes.
constexpr float kLeastWidth = 20;
constexpr float kMostWidth = 60;
constexpr float kTwoColumns = 40;
constexpr float kKeysWidth = 7.4f;
constexpr float kGesturesWidth = 11;

Command command_of(const KeyHelp& gesture) {
  return {.keys = gesture.keys, .meaning = gesture.meaning, .menu = Menu::kNone, .label = "mouse"};
}

}  // namespace

void HelpPanel::fill(std::span<const CommandSource> sources, std::span<const OtherCommands> others,
                     std::span<const KeyHelp> gestures) {
  groups_.clear();
  const auto add = [&](Group& group, const Command& command) {
    if (*command.keys != '\0' && matches(command, filter_))
      group.rows.push_back({command.keys, *command.subject == '\0'
                                              ? std::string(command.meaning)
                                              : fmt::format("{}: {}", command.subject, command.meaning)});
  };
  const auto finish = [&](Group group) {
    if (!group.rows.empty()) groups_.push_back(std::move(group));
  };
  for (const Menu menu : kMenus) {
    Group group{label_of(menu), {}};
    for (const CommandSource& source : sources) {
      for (const Command& command : source.commands) {
        if (command.menu == menu) add(group, command);
      }
    }
    finish(std::move(group));
  }
  Group others_of_keys{"Without a menu", {}};
  for (const CommandSource& source : sources) {
    for (const Command& command : source.commands) {
      if (command.menu == Menu::kNone) add(others_of_keys, command);
    }
  }
  finish(std::move(others_of_keys));
  Group mouse{"Mouse", {}};
  for (const KeyHelp& gesture : gestures) add(mouse, command_of(gesture));
  finish(std::move(mouse));
  for (const OtherCommands& other : others) {
    Group group{std::string("Only in ") + other.workspace, {}};
    for (const Command& command : other.commands) {
      const bool is_here = std::ranges::any_of(sources, [&](const CommandSource& source) {
        return std::ranges::any_of(source.commands, [&](const Command& one) {
          return std::string_view(one.keys) == command.keys && correspond(one, command);
        });
      });
      if (!is_here) add(group, command);
    }
    finish(std::move(group));
  }
}

void HelpPanel::groups(bool two_columns) const {
  std::size_t rows = 0;
  for (const Group& group : groups_) rows += group.rows.size() + 2;
  const float font = ImGui::GetFontSize();
  if (!ImGui::BeginTable("##groups", two_columns ? 2 : 1)) return;
  ImGui::TableNextRow();
  ImGui::TableNextColumn();
  bool is_second = !two_columns;
  std::size_t drawn = 0;
  for (const Group& group : groups_) {
    // The second column begins with the group in which the middle of the list is.
    if (!is_second && drawn > 0 && 2 * drawn + group.rows.size() + 2 > rows) {
      ImGui::TableNextColumn();
      is_second = true;
    }
    drawn += group.rows.size() + 2;
    ImGui::PushFont(font_of(FontFace::kBold));
    ImGui::TextUnformatted(group.title.c_str());
    ImGui::PopFont();
    const float width = (group.title == "Mouse" ? kGesturesWidth : kKeysWidth) * font;
    const float left = ImGui::GetCursorPosX();
    for (const Row& row : group.rows) {
      ImGui::PushStyleColor(ImGuiCol_Text, theme::colours().accent);
      ImGui::TextUnformatted(row.keys);
      ImGui::PopStyleColor();
      ImGui::SameLine();
      ImGui::SetCursorPosX(left + std::max(width, ImGui::CalcTextSize(row.keys).x + theme::grid(2)));
      ImGui::PushTextWrapPos(0);
      ImGui::TextUnformatted(row.meaning.c_str());
      ImGui::PopTextWrapPos();
    }
    ImGui::Dummy({0, theme::grid(2)});
  }
  ImGui::EndTable();
}

void HelpPanel::draw(const Area& area, bool& shown, std::span<const CommandSource> sources,
                     std::span<const OtherCommands> others, std::span<const KeyHelp> gestures) {
  const bool begins = shown && !was_shown_;
  was_shown_ = shown;
  if (!shown || area.empty()) return;
  if (begins) filter_.clear();
  const float font = ImGui::GetFontSize();
  // Over a narrow picture the text would wrap after a few letters; the panel then covers the controls too.
  const glm::vec2 display = ImGui::GetIO().DisplaySize;
  const bool narrow = area.size.x < font * kLeastWidth;
  const float width = std::max(std::min((narrow ? display.x : area.size.x) - font, font * kMostWidth), 1.0f);
  const float height = std::max(area.size.y - font, 1.0f);
  ImGui::SetNextWindowPos({narrow ? display.x / 2 : area.centre().x, area.centre().y}, ImGuiCond_Always,
                          {0.5f, 0.5f});
  ImGui::SetNextWindowSize({width, height}, ImGuiCond_Always);
  ImGui::SetNextWindowFocus();
  ImGui::Begin("Keys and mouse", &shown,
               ImGuiWindowFlags_NoCollapse | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoResize |
                   ImGuiWindowFlags_NoNav);
  if (std::exchange(focuses_search_, false) || begins) ImGui::SetKeyboardFocusHere();
  ImGui::SetNextItemWidth(-1);
  const bool changed = ImGui::InputTextWithHint("##filter", "Search keys and actions", &filter_,
                                                ImGuiInputTextFlags_AutoSelectAll);
  if (begins || changed) fill(sources, others, gestures);
  // The text field receives the key, so Application::press() does not.
  if (ImGui::GetIO().WantTextInput && imgui_compat::is_pressed(GLFW_KEY_ESCAPE)) shown = false;
  if (ImGui::BeginChild("##list", {0, 0}, false, ImGuiWindowFlags_NoNav)) {
    if (groups_.empty()) note("No key or action has these words");
    groups(width >= kTwoColumns * font);
  }
  ImGui::EndChild();
  ImGui::End();
}

void HelpPanel::add_state(nlohmann::ordered_json& json) const {
  auto& own = json["help"] = nlohmann::ordered_json::object();
  own["filter"] = filter_;
  own["rows"] = nlohmann::ordered_json::array();
  if (!was_shown_) return;
  for (const Group& group : groups_) {
    for (const Row& row : group.rows) own["rows"].push_back(group.title + ": " + row.keys);
  }
  own["meanings"] = nlohmann::ordered_json::array();
  for (const Group& group : groups_) {
    for (const Row& row : group.rows) own["meanings"].push_back(row.meaning);
  }
}

}  // namespace loom::app
