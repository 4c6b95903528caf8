#include <GLFW/glfw3.h>
#include <fmt/format.h>
#include <imgui.h>
#include <imgui_stdlib.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "app/gui/imgui_compat.h"
#include "app/gui/theme.h"
#include "app/shell/application.h"
#include "app/text/format.h"
#include "app/widgets/inputs.h"
#include "app/widgets/text.h"
#include "app/widgets/windows.h"

namespace loom::app {
namespace {

constexpr const char* kPalette = "Commands##palette";
constexpr float kCommandsWidth = 34;  // font sizes
constexpr int kPaletteRows = 14;

}  // namespace

bool matches(const Command& command, std::string_view filter) {
  // Other words for a word of the program, which is first.
  static constexpr std::array<std::pair<const char*, const char*>, 13> kSynonyms = {{
      {"palette", "colours colors colormap"},
      {"colour", "colors palette"},
      {"image", "picture screenshot photo png"},
      {"video", "film movie animation mp4"},
      {"bookmark", "favourites favorites places"},
      {"benchmark", "measure timing speed"},
      {"slow motion", "speed"},
      {"key", "shortcuts hotkeys keyboard"},
      {"documentation", "help manual guide"},
      {"lecture", "presentation projector"},
      {"text", "font size zoom"},
      {"theme", "dark mode appearance"},
      {"bounding box", "naive baseline"},
  }};
  std::string text =
      lower_case(fmt::format("{} {} {} {} {}", label_of(top_menu(command.menu)), label_of(command.menu),
                             command.label, command.meaning, command.keys));
  const std::string own = text;
  for (const auto& [word, others] : kSynonyms) {
    if (own.find(word) != std::string::npos) text.append(" ").append(others);
  }
  return has_words(text, filter);
}

namespace {

/// How well a filter names a command: its label, the beginning of it, words of it, or other texts.
int rank_of(const Command& command, std::string_view filter) {
  const std::string label = lower_case(command.label);
  const std::string words = lower_case(filter);
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
      menu(kMenus[i], label_of(kMenus[i]), sources, file_items);
      ImGui::EndMenu();
    }
    ImGui::EndMenuBar();
  }
  ImGui::End();
}

void MenuBar::menu(Menu which, const std::string& path, std::span<const CommandSource> sources,
                   const std::function<void()>& file_items) {
  // The menu's size is unknown in its first frame.
  const auto note_place = [&](const char* label) {
    if (!ImGui::IsWindowAppearing()) items_.push_back({path + "/" + label, item_area()});
  };
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
      note_place(command.label);
      problem != nullptr ? tooltip(problem) : tooltip(capitalized(command.meaning));
    }
    any_before = any_before || any;
  }
  if (which == Menu::kFile && file_items) file_items();
  if (which != Menu::kView && which != Menu::kLearn) return;
  if (any_before) ImGui::Separator();
  for (const Menu submenu : kSubmenus) {
    if (top_menu(submenu) != which) continue;
    const bool opened = ImGui::BeginMenu(label_of(submenu));
    note_place(label_of(submenu));
    if (!opened) continue;
    menu(submenu, path + "/" + label_of(submenu), sources, {});
    ImGui::EndMenu();
  }
}

std::optional<std::string> MenuBar::draw_palette(const Area& area, std::span<const CommandSource> sources) {
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
  if (!palette_open_) return std::nullopt;
  if (ImGui::IsWindowAppearing()) ImGui::SetKeyboardFocusHere();
  ImGui::SetNextItemWidth(-1);
  if (ImGui::InputTextWithHint("##filter", "Type a command, a lesson, a fractal, a setting", &filter_))
    selected_ = 0;
  auto searched = palette_rows(sources);
  // The text field receives the key, so Application::press() does not.
  if (imgui_compat::is_pressed(GLFW_KEY_ESCAPE)) ImGui::CloseCurrentPopup();
  ImGui::EndPopup();
  return searched;
}

std::optional<std::string> MenuBar::palette_rows(std::span<const CommandSource> sources) {
  struct Row {
    const CommandSource* source;
    std::size_t index;
  };
  std::vector<Row> rows;
  for (const CommandSource& source : sources) {
    for (std::size_t i = 0; i < source.commands.size(); ++i) {
      // Content is long: it needs a word.
      const Command& command = source.commands[i];
      const bool listed =
          is_content(command.menu) ? !filter_.empty() : command.menu != Menu::kNone && !source.hidden;
      if (listed && matches(command, filter_)) rows.push_back({&source, i});
    }
  }
  if (rows.empty()) {
    note("No command, lesson, fractal or setting has these words");
    const bool searches =
        ImGui::Selectable("Search the documentation for them", true) || imgui_compat::is_enter_pressed();
    if (!searches) return std::nullopt;
    ImGui::CloseCurrentPopup();
    return filter_;
  }
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
    const std::string whole =
        problem != nullptr ? problem : std::string(label_of(command.menu)) + "   " + command.keys;
    // Where the label leaves no room for all of it, only the keys.
    for (const std::string& right : {whole, std::string(command.keys)}) {
      ImGui::SameLine();
      const float gap = ImGui::GetContentRegionAvail().x - ImGui::CalcTextSize(right.c_str()).x;
      if (gap < 0) continue;
      ImGui::SetCursorPosX(ImGui::GetCursorPosX() + gap);
      ImGui::TextDisabled("%s", right.c_str());
      break;
    }
  }
  ImGui::EndChild();
  if (runs) chosen = static_cast<std::size_t>(selected_);
  if (!chosen || problem_of(rows[*chosen]) != nullptr) return std::nullopt;
  ImGui::CloseCurrentPopup();
  rows[*chosen].source->run(rows[*chosen].index);
  return std::nullopt;
}

void MenuBar::add_state(nlohmann::ordered_json& json) const {
  auto& menus = json["menus"] = nlohmann::ordered_json::object();
  for (std::size_t i = 0; i < kMenus.size(); ++i) menus[label_of(kMenus[i])] = numbers_of(titles_[i]);
  for (const Place& place : items_) menus[place.name] = numbers_of(place.area);
  json["palette_open"] = palette_open_;
  json["palette_filter"] = filter_;
}

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
        if (top_menu(command.menu) == menu) add(group, command);
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
  keep_in_front();
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
