#include "app/shell/menu_bar.h"

#include <imgui.h>
#include <imgui_stdlib.h>

#include <algorithm>
#include <cctype>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "app/gui/imgui_compat.h"
#include "app/gui/theme.h"
#include "app/text/format.h"
#include "app/widgets/choice.h"
#include "app/widgets/fixed_window.h"
#include "app/widgets/item_area.h"
#include "app/widgets/text.h"
#include "app/widgets/tooltip.h"

namespace loom::app {
namespace {

constexpr const char* kPalette = "Commands##palette";
constexpr float kCommandsWidth = 34;  // font sizes
constexpr int kPaletteRows = 14;

std::string lower(std::string_view text) {
  std::string small(text);
  for (char& c : small) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return small;
}

bool is_listed(const Command& command) {
  return command.menu != Menu::kNone;
}

}  // namespace

bool matches(const Command& command, std::string_view filter) {
  const std::string text = lower(label_of(command.menu)) + " " + lower(command.label) + " " +
                           lower(command.meaning) + " " + lower(command.keys);
  const std::string words = lower(filter);
  for (std::size_t at = 0; at < words.size();) {
    const std::size_t end = std::min(words.find(' ', at), words.size());
    if (text.find(words.substr(at, end - at)) == std::string::npos) return false;
    at = end + 1;
  }
  return true;
}

namespace {

/// How well a filter names a command: its label, the beginning of it, words of it, or other texts.
int rank_of(const Command& command, std::string_view filter) {
  const std::string label = lower(command.label);
  const std::string words = lower(filter);
  if (label == words) return 0;
  if (label.starts_with(words)) return 1;
  return label.find(words) != std::string::npos ? 2 : 3;
}

}  // namespace

void MenuBar::draw(const Area& area, std::span<const CommandSource> sources,
                   const std::function<void()>& file_items) {
  items_.clear();
  if (area.empty()) return;
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {0, 0});
  begin_fixed_window("Menu bar##menu", area,
                     ImGuiWindowFlags_MenuBar | ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoNavFocus |
                         ImGuiWindowFlags_NoBackground);
  ImGui::PopStyleVar();
  if (ImGui::BeginMenuBar()) {
    for (std::size_t i = 0; i < kMenus.size(); ++i) {
      const bool opened = ImGui::BeginMenu(label_of(kMenus[i]));
      titles_[i] = item_area();
      if (!opened) continue;
      menu(kMenus[i], sources, file_items);
      ImGui::EndMenu();
    }
    ImGui::EndMenuBar();
  }
  ImGui::End();
}

void MenuBar::menu(Menu which, std::span<const CommandSource> sources,
                   const std::function<void()>& file_items) {
  // The commands of the window come last, except undo and the list of lessons.
  const bool reversed = which == Menu::kEdit || which == Menu::kLearn;
  bool any_before = false;
  for (std::size_t at = 0; at < sources.size(); ++at) {
    const CommandSource& source = sources[reversed ? sources.size() - 1 - at : at];
    bool any = false;
    for (std::size_t i = 0; i < source.commands.size(); ++i) {
      const Command& command = source.commands[i];
      if (command.menu != which) continue;
      if (!any && any_before) ImGui::Separator();
      any = true;
      const char* const problem = source.problem ? source.problem(i) : nullptr;
      const bool checked = source.checked && source.checked(i);
      if (ImGui::MenuItem(command.label, command.keys, checked, problem == nullptr)) source.run(i);
      // The menu's size is unknown in its first frame.
      if (!ImGui::IsWindowAppearing())
        items_.push_back({std::string(label_of(which)) + "/" + command.label, item_area()});
      problem != nullptr ? tooltip(problem) : tooltip(capitalized(command.meaning));
    }
    any_before = any_before || any;
  }
  if (which == Menu::kFile && file_items) file_items();
}

void MenuBar::draw_palette(const Area& area, std::span<const CommandSource> sources) {
  if (std::exchange(palette_requested_, false) && !palette_open_) {
    filter_.clear();
    selected_ = 0;
    ImGui::OpenPopup(kPalette);
  }
  const float font = ImGui::GetFontSize();
  const float width = std::min(kCommandsWidth * font, area.size.x - font);
  ImGui::SetNextWindowPos({area.centre().x, area.corner.y + 2 * font}, ImGuiCond_Always, {0.5f, 0});
  ImGui::SetNextWindowSizeConstraints({width, 0}, {width, std::max(area.size.y - 3 * font, 6 * font)});
  palette_open_ = ImGui::BeginPopup(kPalette);
  if (!palette_open_) return;
  if (ImGui::IsWindowAppearing()) ImGui::SetKeyboardFocusHere();
  ImGui::SetNextItemWidth(-1);
  if (ImGui::InputTextWithHint("##filter", "Type a command", &filter_)) selected_ = 0;
  palette_rows(sources);
  // The text field receives the key, so Application::press() does not.
  if (imgui_compat::is_pressed(GLFW_KEY_ESCAPE)) ImGui::CloseCurrentPopup();
  ImGui::EndPopup();
}

void MenuBar::palette_rows(std::span<const CommandSource> sources) {
  struct Row {
    const CommandSource* source;
    std::size_t index;
  };
  std::vector<Row> rows;
  for (const CommandSource& source : sources) {
    for (std::size_t i = 0; i < source.commands.size(); ++i) {
      if (is_listed(source.commands[i]) && matches(source.commands[i], filter_)) rows.push_back({&source, i});
    }
  }
  if (rows.empty()) return note("No command has these words");
  std::ranges::stable_sort(rows, {}, [&](const Row& row) {
    return filter_.empty() ? 0 : rank_of(row.source->commands[row.index], filter_);
  });
  const auto problem_of = [](const Row& row) {
    return row.source->problem ? row.source->problem(row.index) : nullptr;
  };
  const int last = static_cast<int>(rows.size()) - 1;
  const int before = selected_;
  if (imgui_compat::is_pressed(GLFW_KEY_DOWN)) ++selected_;
  if (imgui_compat::is_pressed(GLFW_KEY_UP)) --selected_;
  selected_ = std::clamp(selected_, 0, last);
  const bool runs = imgui_compat::is_enter_pressed();
  const float row_height = ImGui::GetTextLineHeightWithSpacing();
  ImGui::BeginChild("##rows",
                    {0, row_height * static_cast<float>(std::min<std::size_t>(rows.size(), kPaletteRows))});
  std::optional<std::size_t> chosen;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const Command& command = rows[i].source->commands[rows[i].index];
    const bool is_selected = static_cast<int>(i) == selected_;
    ImGui::PushID(static_cast<int>(i));
    if (is_selected) ImGui::PushStyleColor(ImGuiCol_Header, theme::colours().grab);
    if (ImGui::Selectable(command.label, is_selected)) chosen = i;
    if (is_selected) ImGui::PopStyleColor();
    ImGui::PopID();
    if (is_selected && selected_ != before) ImGui::SetScrollHereY();
    const char* const problem = problem_of(rows[i]);
    const std::string right =
        problem != nullptr ? problem : std::string(label_of(command.menu)) + "   " + command.keys;
    ImGui::SameLine();
    const float gap = ImGui::GetContentRegionAvail().x - ImGui::CalcTextSize(right.c_str()).x;
    ImGui::SetCursorPosX(ImGui::GetCursorPosX() + std::max(gap, 0.0f));
    ImGui::TextDisabled("%s", right.c_str());
  }
  ImGui::EndChild();
  if (runs) chosen = static_cast<std::size_t>(selected_);
  if (!chosen || problem_of(rows[*chosen]) != nullptr) return;
  ImGui::CloseCurrentPopup();
  rows[*chosen].source->run(rows[*chosen].index);
}

void MenuBar::add_state(nlohmann::ordered_json& json) const {
  auto& menus = json["menus"] = nlohmann::ordered_json::object();
  for (std::size_t i = 0; i < kMenus.size(); ++i) menus[label_of(kMenus[i])] = numbers_of(titles_[i]);
  for (const Place& place : items_) menus[place.name] = numbers_of(place.area);
  json["palette_open"] = palette_open_;
  json["palette_filter"] = filter_;
}

}  // namespace loom::app
