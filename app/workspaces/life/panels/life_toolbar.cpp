#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <array>

#include "app/gui/theme.h"
#include "app/widgets/control_marks.h"
#include "app/widgets/inputs.h"
#include "app/widgets/text.h"
#include "app/widgets/windows.h"
#include "app/workspaces/life/panels/life_panels.h"
#include "app/workspaces/life/scene/life_settings.h"
#include "compute/geometry/nbb_catalog.h"
#include "compute/workload/rule_text.h"

namespace loom::app {
namespace {

using namespace toolbar;

// Widths in font sizes.
constexpr float kSpeedWidth = 6.4f;
constexpr std::array kMapWidths = {7.9f, 2.6f, 5.4f};  // by MapKind
constexpr float kFractalWidth = 9.5f;
constexpr float kSolidFractalWidth = 12;
constexpr float kStepWidth = 1.5f;
constexpr float kLevelWidth = 4.4f;
constexpr float kCompareWidth = 6.1f;
constexpr float kExplainWidth = 5.5f;
constexpr float kIconsWidth = 3 * kIconWidth + 2 * kGap;

constexpr std::array<float, 4> groups_of(float play, float fractal, bool brief) {
  return {play, kMapWidths[0] + kMapWidths[1] + kMapWidths[2] + 2 * kGap,
          fractal + 2 * kStepWidth + kLevelWidth + 3 * kGap,
          (brief ? 2 * kIconWidth : kCompareWidth + kExplainWidth) + kGap};
}
constexpr std::array kGroups = {groups_of(kIconsWidth + kSpeedWidth + kGap, kFractalWidth, false),
                                groups_of(kIconsWidth + kSpeedWidth + kGap, kFractalWidth, true)};
constexpr std::array kSolidGroups = {groups_of(kIconsWidth, kSolidFractalWidth, false),
                                     groups_of(kIconsWidth, kSolidFractalWidth, true)};

struct Speed {
  std::uint32_t ms;
  const char* label;
};
constexpr std::array kSpeeds = {Speed{0, "full speed"}, Speed{250, "4 per second"},
                                Speed{1000, "1 per second"}, Speed{kMaxMsPerGeneration, "1 per 2 s"}};

void play_group(LifeEdit& edit, const LifeStats& stats) {
  const auto mebibytes = [](std::uint64_t bytes) { return static_cast<double>(bytes) / (1 << 20); };
  const Text back =
      format_text("Goes back one generation and pauses ( , ). History: {:.1f} of at most {:.0f} MiB",
                  mebibytes(stats.history_bytes), mebibytes(stats.history_budget));
  if (choice_button(icons::kBack, false, in_fonts(kIconWidth),
                    stats.generations == 0 ? "This is generation 0" : "", back)) {
    edit.settings.playing = false;
    edit.commands.undo_generation = true;
  }
  beside();
  if (play_and_step(edit.settings.playing)) ++edit.commands.step;
  beside();
  std::uint32_t& ms = edit.settings.ms_per_generation;
  const auto chosen = std::ranges::find(kSpeeds, ms, &Speed::ms);
  const Text label = chosen != kSpeeds.end() ? Text(chosen->label) : format_text("1 per {} ms", ms);
  ImGui::SetNextItemWidth(in_fonts(kSpeedWidth));
  if (ImGui::BeginCombo("##speed", label.c_str(), ImGuiComboFlags_NoArrowButton)) {
    for (const Speed& speed : kSpeeds) {
      if (ImGui::Selectable(speed.label, ms == speed.ms)) ms = speed.ms;
    }
    ImGui::EndCombo();
  }
  tooltip(format_text(
      "Speed (J). Full speed: {} in each frame of the window, whose frames per second the status line shows",
      plural(edit.settings.generations_per_frame, "generation")));
}

/// The buttons of the three maps, with their tooltips by MapKind.
template <typename Config>
void map_group(Config& config, const std::array<const char*, 3>& hints) {
  static constexpr std::array kLabels = {"Bounding box", "λ", "Compact"};
  ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, {0, ImGui::GetStyle().FramePadding.y});
  for (const MapKind map : kMapKinds) {
    const auto i = static_cast<std::size_t>(map);
    if (i > 0) beside();
    if (choice_button(kLabels[i], config.method.map == map, in_fonts(kMapWidths[i]), {}, hints[i],
                      colour_of(map)))
      set_map(config, map);
  }
  ImGui::PopStyleVar();
}

// `chosen`: set if the level was lowered for the selected fractal.
void fractal_choice(LifeSettings& settings, const NbbFractal* extra, std::optional<int>& chosen) {
  FractalConfig& config = settings.config;
  ImGui::SetNextItemWidth(kFractalWidth * ImGui::GetFontSize());
  const bool open = ImGui::BeginCombo("##fractal", config.fractal.name().c_str(),
                                      ImGuiComboFlags_HeightLargest | ImGuiComboFlags_NoArrowButton);
  if (!open) {
    mark_item(Control::kFractal);
    return tooltip("Fractal");
  }
  const auto item = [&](const NbbFractal& fractal) {
    const float side = ImGui::GetFontSize() * 2.2f;
    ImGui::PushID(fractal.name().c_str());
    const glm::vec2 at = ImGui::GetCursorScreenPos();
    const float width = side + theme::grid(3) + text_width(fractal.name());
    if (ImGui::Selectable("##pick", fractal == config.fractal, 0,
                          {std::max(width, remaining_width()), side})) {
      chosen = set_fractal(config, fractal);
      take_rule_of_file(settings);
    }
    draw_fractal_icon(*ImGui::GetWindowDrawList(), fractal, at, side);
    const float text_y = at.y + (side - ImGui::GetFontSize()) / 2;
    ImGui::GetWindowDrawList()->AddText({at.x + side + theme::grid(3), text_y},
                                        ImGui::GetColorU32(ImGuiCol_Text), fractal.name().c_str());
    ImGui::PopID();
  };
  for (const NbbFractal& fractal : built_in_fractals()) item(fractal);
  if (extra != nullptr) item(*extra);
  ImGui::EndCombo();
}

bool step_button(const char* sign, float side, std::string_view problem, const char* hint) {
  ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, {0, ImGui::GetStyle().FramePadding.y});
  const bool pressed = choice_button(sign, false, side, problem, hint);
  ImGui::PopStyleVar();
  return pressed;
}

// Deep levels cost time and memory, so the slider applies its level on release. `most`: of the slider.
template <typename Config>
void level_choice(LifeToolbarState& state, Config& config, int most, const char* highest,
                  std::string_view hint) {
  if (!state.dragging) state.level = config.level;
  ImGui::BeginGroup();
  const char* const lowest = config.level <= 0 ? "Level 0 is a single cell" : "";
  if (step_button("−", in_fonts(kStepWidth), lowest, "One level down (PgDn)"))
    set_level(config, config.level - 1);
  beside();
  ImGui::SetNextItemWidth(in_fonts(kLevelWidth));
  slider("##level", &state.level, 0, std::max(config.level, most), "level %d", ImGuiSliderFlags_AlwaysClamp);
  state.dragging = ImGui::IsItemActive();
  if (ImGui::IsItemDeactivatedAfterEdit()) set_level(config, state.level);
  tooltip(hint);
  beside();
  if (step_button("+", in_fonts(kStepWidth), highest, "One level up (PgUp)"))
    set_level(config, config.level + 1);
  ImGui::EndGroup();
  mark_item(Control::kLevel);
}

/// Returns whether Compare was pressed.
bool view_group(bool compares, bool& explains, bool brief, const char* explain_hint) {
  const bool pressed = choice_button(
      brief ? "\uf0db" : "\uf0db Compare", compares, in_fonts(brief ? kIconWidth : kCompareWidth), {},
      compares ? "Shows the active pane alone (V)" : "Bounding box, λ and compact side by side (V)");
  beside();
  if (choice_button(brief ? "\uf05a" : "\uf05a Explain", explains,
                    in_fonts(brief ? kIconWidth : kExplainWidth), {}, explain_hint))
    explains = !explains;
  return pressed;
}

template <typename Draw>
void marked_group(Control control, const Draw& draw) {
  ImGui::BeginGroup();
  draw();
  ImGui::EndGroup();
  mark_item(control);
}

}  // namespace

std::span<const float> life_toolbar_groups(bool brief) {
  return kGroups[brief];
}

std::span<const float> solid_toolbar_groups(bool brief) {
  return kSolidGroups[brief];
}

void life_toolbar_group(std::size_t group, bool brief, LifeToolbarState& state, LifeEdit& edit,
                        const LifeStats& stats, const NbbFractal* extra) {
  static constexpr std::array kMapHints = {
      "One thread per point of the square, hole or cell. Threads on holes are idle (1)",
      "Launches tiles only where cells are: λ maps the tile index ω to the tile position. Cells are stored "
      "in the square (2)",
      "As λ, and holes take no memory: ν, the inverse of λ, finds where a neighbouring cell is stored (3)"};
  FractalConfig& config = edit.settings.config;
  if (group == 0) return marked_group(Control::kPlay, [&] { play_group(edit, stats); });
  if (group == 1) return marked_group(Control::kMap, [&] { map_group(config, kMapHints); });
  if (group == 2) {
    fractal_choice(edit.settings, extra, edit.commands.chosen_level);
    beside();
    const int highest = config.fractal.max_level();
    return level_choice(
        state, config, std::min(stats.largest_level, highest),
        config.level >= highest ? "Coordinates and cell indices of a higher level do not fit in 64 bits" : "",
        format_text("Levels up to {} fit in free memory with this map and tile size. The level changes when "
                    "you release the slider.",
                    stats.largest_level));
  }
  const bool compares = shows_pane(edit.settings, PaneContent::kCells);
  if (view_group(compares, edit.settings.show_thread, brief,
                 "The thread of the point under the cursor, step by step (X)"))
    set_panes(edit.settings, compares ? PanePreset::kSingle : PanePreset::kMaps, stats.backend.device);
}

void solid_toolbar_group(std::size_t group, bool brief, LifeToolbarState& state, SolidSceneEdit& edit) {
  static constexpr std::array kMapHints = {
      "One thread per point of the cube, hole or cell. Threads on holes are idle (1)",
      "Launches tiles only where cells are: λ maps the tile index ω to the tile position. Cells are stored "
      "in the cube (2)",
      "As λ, and empty tiles take no memory: ν, the inverse of λ, finds where a neighbouring tile is stored "
      "(3)"};
  SolidSettings& settings = edit.settings;
  SolidConfig& config = settings.config;
  if (group == 0) {
    return marked_group(Control::kPlay, [&] {
      if (choice_button(icons::kBack, false, in_fonts(kIconWidth), {}, "Returns to generation 0"))
        edit.commands.restart = true;
      beside();
      if (play_and_step(settings.playing)) ++edit.commands.step;
    });
  }
  if (group == 1) return marked_group(Control::kMap, [&] { map_group(config, kMapHints); });
  if (group == 2) {
    const auto item = [&](const SolidFractal& fractal) {
      if (ImGui::Selectable(fractal.name().c_str(), fractal == config.fractal)) set_fractal(config, fractal);
    };
    marked_group(Control::kFractal, [&] {
      ImGui::SetNextItemWidth(in_fonts(kSolidFractalWidth));
      if (ImGui::BeginCombo("##fractal", config.fractal.name().c_str(),
                            ImGuiComboFlags_HeightLargest | ImGuiComboFlags_NoArrowButton)) {
        for (const SolidFractal& fractal : solid_catalog()) item(fractal);
        if (settings.from_file) item(settings.from_file->fractal);
        ImGui::EndCombo();
      }
      tooltip("Fractal");
    });
    beside();
    const int highest = std::min(kMaxSolidViewLevel, config.fractal.max_level());
    return level_choice(state, config, highest,
                        config.level >= highest ? "Higher levels have no picture" : "",
                        "Level r: k^r cells. The level changes when you release the slider.");
  }
  marked_group(Control::kPanes, [&] {
    if (view_group(settings.compare, settings.show_thread, brief,
                   "Explains the thread of the selected cell, λ level by level (X)"))
      settings.compare = !settings.compare;
  });
}

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
         census->census.population == 0 && stats.generations > 0 && !edit.settings.rule.births_alone();
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
