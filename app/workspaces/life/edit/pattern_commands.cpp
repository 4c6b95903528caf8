#include <GLFW/glfw3.h>
#include <fmt/format.h>
#include <imgui.h>
#include <imgui_stdlib.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "app/gui/imgui_compat.h"
#include "app/gui/input_queue.h"
#include "app/gui/theme.h"
#include "app/text/format.h"
#include "app/widgets/inputs.h"
#include "app/widgets/text.h"
#include "app/workspaces/life/edit/cell_editor.h"
#include "compute/geometry/nbb_catalog.h"
#include "compute/workload/rule_text.h"

namespace loom::app {
namespace {

void edit_selection(CellEditor& editor, PatternKey key) {
  if (key == PatternKey::kSelectAll) editor.select_all();
  if (key == PatternKey::kCopy) editor.request_command(SelectionCommand::kCopy);
  if (key == PatternKey::kCut) editor.request_command(SelectionCommand::kCut);
  if (key == PatternKey::kClear) editor.request_command(SelectionCommand::kClear);
  if (key == PatternKey::kPaste) editor.paste_text(clipboard::text());
  if (key == PatternKey::kPlace) editor.place();
}

bool is_target_field(const FractalConfig& config, const patterns::TargetField& target) {
  return config.level == target.level && config.fractal == find_fractal(target.fractal);
}

constexpr const char* kBrowser = "Patterns##browser";

/// The square around a pattern with the cells of its field.
std::string picture_of(const patterns::BundledPattern& one) {
  constexpr std::int64_t kCellsAround = 2;
  const patterns::Pattern& pattern = one.pattern;
  const std::int64_t side = std::max(pattern.width, pattern.height) + 2 * kCellsAround;
  const std::int64_t left = pattern.at->x - (side - pattern.width) / 2;
  const std::int64_t top = pattern.at->y - (side - pattern.height) / 2;
  const patterns::FractalField field(find_fractal(one.target.fractal), one.target.level);
  std::string picture(static_cast<std::size_t>(side * side), ' ');
  for (std::int64_t i = 0; i < side * side; ++i) {
    const std::int64_t x = left + i % side;
    const std::int64_t y = top + i / side;
    if (field.inside(x, y) && field.is_cell({static_cast<std::uint64_t>(x), static_cast<std::uint64_t>(y)}))
      picture[static_cast<std::size_t>(i)] = '.';
  }
  for (const Coord32& cell : pattern.cells)
    picture[static_cast<std::size_t>((pattern.at->y + cell.y - top) * side + pattern.at->x + cell.x - left)] =
        '#';
  return picture;
}

void draw_picture(ImDrawList& list, const std::string& picture, const Area& area) {
  const auto columns = static_cast<std::size_t>(std::lround(std::sqrt(picture.size())));
  const float side = area.size.x / static_cast<float>(columns);
  list.AddRectFilled(area.corner, area.end(), ImGui::GetColorU32(theme::colours().background));
  for (std::size_t i = 0; i < picture.size(); ++i) {
    if (picture[i] == ' ') continue;
    const bool alive = picture[i] == '#';
    const glm::vec2 low = area.corner + side * glm::vec2(i % columns, i / columns);
    list.AddRectFilled(low, low + side * (alive ? 1.0f : 0.85f),
                       ImGui::GetColorU32(alive ? theme::colours().accent : theme::colours().hover));
  }
}

}  // namespace

void PatternCommands::browse(const Area& area, LifeEdit& edit) {
  if (pictures_.empty()) return;
  if (!is_open_) {
    ImGui::OpenPopup(kBrowser);
    words_.clear();
    marked_ = 0;
  }
  const float font = ImGui::GetFontSize();
  const float width = std::min(44 * font, area.size.x - font);
  ImGui::SetNextWindowPos({area.centre().x, area.corner.y + font}, ImGuiCond_Always, {0.5f, 0});
  ImGui::SetNextWindowSize({width, std::min(34 * font, area.size.y - 2 * font)});
  is_open_ = ImGui::BeginPopup(kBrowser);
  if (!is_open_) return pictures_.clear();
  if (!ImGui::IsAnyItemActive()) imgui_compat::focus_next_item();
  ImGui::SetNextItemWidth(-1);
  ImGui::InputTextWithHint("##words", "Type a name, a fractal, a rule or a period", &words_);
  note("Enter or a click selects the pattern's fractal, level and rule, clears the field and places it.");
  listed_.clear();
  const auto& all = patterns::bundled_patterns();
  for (const patterns::BundledPattern& one : all) {
    if (has_words(fmt::format("{} {} {} {} {}", one.name, one.pattern.name, one.target.fractal,
                              one.outcome.words(), to_string(*one.pattern.rule)),
                  words_))
      listed_.push_back(&one);
  }
  if (listed_.empty()) note("No pattern has these words");
  const int columns = width < 36 * font ? 1 : 2;
  const auto pressed = [](int key) { return imgui_compat::is_pressed(key) ? 1 : 0; };
  const int by = columns * (pressed(GLFW_KEY_DOWN) - pressed(GLFW_KEY_UP)) + pressed(GLFW_KEY_RIGHT) -
                 pressed(GLFW_KEY_LEFT);
  const int count = static_cast<int>(listed_.size());
  marked_ = std::clamp(marked_ + by, 0, std::max(count - 1, 0));
  const patterns::BundledPattern* chosen =
      imgui_compat::is_enter_pressed() && count > 0 ? listed_[static_cast<std::size_t>(marked_)] : nullptr;
  ImGui::BeginChild("##list");
  const float picture = 3 * ImGui::GetTextLineHeightWithSpacing();
  const float column = ImGui::GetContentRegionAvail().x / static_cast<float>(columns);
  for (int i = 0; i < count; ++i) {
    const patterns::BundledPattern& one = *listed_[static_cast<std::size_t>(i)];
    if (i % columns != 0) ImGui::SameLine(column * static_cast<float>(i % columns));
    const glm::vec2 at = ImGui::GetCursorScreenPos();
    ImGui::PushID(i);
    ImGui::PushStyleColor(ImGuiCol_Header, theme::colours().grab);
    if (ImGui::Selectable("##pattern", i == marked_, 0, {column - ImGui::GetStyle().ItemSpacing.x, picture}))
      chosen = &one;
    ImGui::PopStyleColor();
    ImGui::PopID();
    if (i == marked_ && by != 0) ImGui::SetScrollHereY();
    ImDrawList& list = *ImGui::GetWindowDrawList();
    draw_picture(list, pictures_[static_cast<std::size_t>(&one - all.data())],
                 {at + theme::grid(1), glm::vec2(picture - theme::grid(2))});
    const auto line = [&](int row, const glm::vec4& colour, const std::string& text) {
      list.AddText(
          {at.x + picture + theme::grid(1),
           at.y + theme::grid(0.5f) + static_cast<float>(row) * ImGui::GetTextLineHeightWithSpacing()},
          ImGui::GetColorU32(colour), text.c_str());
    };
    line(0, theme::colours().text, one.pattern.name);
    line(1, theme::colours().muted, capitalized(one.outcome.words()));
    line(2, theme::colours().muted,
         fmt::format("{}, level {}, {}", one.target.fractal, one.target.level, to_string(*one.pattern.rule)));
  }
  ImGui::EndChild();
  if (chosen != nullptr) edit.commands.show_pattern = chosen->name;
  if (chosen != nullptr || imgui_compat::is_pressed(GLFW_KEY_ESCAPE)) ImGui::CloseCurrentPopup();
  ImGui::EndPopup();
}

nlohmann::ordered_json PatternCommands::state() const {
  if (!is_open_) return nullptr;
  nlohmann::ordered_json names = nlohmann::ordered_json::array();
  for (const patterns::BundledPattern* const one : listed_) names.push_back(one->name);
  return {{"words", words_}, {"names", names}, {"marked", marked_}};
}

void PatternCommands::apply(LifeEdit& edit, CellEditor& editor, const AsyncEngine<LifeEngine>& async_engine) {
  edit_selection(editor, edit.commands.pattern_key);
  if (edit.commands.browse_patterns && pictures_.empty()) {
    for (const patterns::BundledPattern& one : patterns::bundled_patterns())
      pictures_.push_back(picture_of(one));
  }
  if (edit.commands.show_pattern)
    load_field(edit, patterns::find_bundled_pattern(*edit.commands.show_pattern));
  show(edit, async_engine);
  editor.apply(edit);
}

// Loads the fractal, level and rule of a pattern.
void PatternCommands::load_field(LifeEdit& edit, const patterns::BundledPattern& one) {
  FractalConfig& config = edit.settings.config;
  set_fractal(config, find_fractal(one.target.fractal));
  set_level(config, one.target.level);
  edit.settings.rule = *one.pattern.rule;
  edit.settings.workload = Workload::kLife;
  edit.settings.playing = false;
  edit.shell.view.fit = true;
  pending_pattern_ = &one;
}

// Once the engine of the pattern's field runs, clears the field and places the pattern. If another field is
// selected meanwhile, the pattern is dropped.
void PatternCommands::show(LifeEdit& edit, const AsyncEngine<LifeEngine>& async_engine) {
  if (pending_pattern_ == nullptr) return;
  const FractalConfig& runs = async_engine->config();
  if (!is_target_field(edit.settings.config, pending_pattern_->target)) {
    pending_pattern_ = nullptr;
  } else if (is_target_field(runs, pending_pattern_->target) && !async_engine.busy()) {
    const patterns::FractalField field(runs.fractal, runs.level);
    edit.commands.clear = true;
    edit.commands.cells = field.placed_cells(pending_pattern_->pattern, *pending_pattern_->pattern.at);
    edit.commands.edit_label = "placed pattern";
    pending_pattern_ = nullptr;
  }
}

}  // namespace loom::app
