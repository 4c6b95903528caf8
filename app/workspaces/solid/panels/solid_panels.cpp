#include "app/workspaces/solid/panels/solid_panels.h"

#include <imgui.h>
#include <imgui_stdlib.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "app/gui/icons.h"
#include "app/gui/theme.h"
#include "app/shell/stage_plot.h"
#include "app/text/format.h"
#include "app/widgets/chip.h"
#include "app/widgets/choice.h"
#include "app/widgets/fixed_window.h"
#include "app/widgets/rows.h"
#include "app/widgets/text.h"
#include "app/workspaces/life/scene/map_colours.h"
#include "app/workspaces/solid/scene/solid_colours.h"
#include "compute/core/error.h"

namespace loom::app {
namespace {

// Widths in font sizes.
constexpr float kGap = 0.2f;
constexpr float kIconWidth = 2.1f;
constexpr std::array kMapWidths = {7.9f, 2.6f, 5.4f};
constexpr float kFractalWidth = 12;
constexpr float kStepWidth = 1.5f;
constexpr float kLevelWidth = 4.4f;
constexpr std::array kGroups = {3 * kIconWidth + 2 * kGap,
                                kMapWidths[0] + kMapWidths[1] + kMapWidths[2] + 2 * kGap,
                                kFractalWidth + 2 * kStepWidth + kLevelWidth + 3 * kGap};

float in_fonts(float font_sizes) {
  return font_sizes * ImGui::GetFontSize();
}

void beside() {
  ImGui::SameLine(0, in_fonts(kGap));
}

void play_group(SolidSceneEdit& edit) {
  if (choice_button(icons::kBack, false, in_fonts(kIconWidth), {}, "Returns to generation 0"))
    edit.commands.restart = true;
  beside();
  if (choice_button(edit.settings.playing ? icons::kPause : icons::kPlay, edit.settings.playing,
                    in_fonts(kIconWidth), {}, edit.settings.playing ? "Pause (Space)" : "Play (Space)"))
    edit.settings.playing = !edit.settings.playing;
  beside();
  if (choice_button(icons::kStep, false, in_fonts(kIconWidth), {},
                    "Computes one generation and pauses ( . )")) {
    edit.settings.playing = false;
    ++edit.commands.step;
  }
}

void map_group(SolidConfig& config) {
  struct Choice {
    MapKind map;
    const char* label;
    const char* hint;
  };
  static constexpr std::array kChoices = {
      Choice{MapKind::kBoundingBox, "Bounding box",
             "One thread per point of the cube, hole or cell. Threads on holes are idle (1)"},
      Choice{MapKind::kLambda, "λ",
             "Launches tiles only where cells are: λ maps the tile index ω to the tile position. Cells are "
             "stored in the cube (2)"},
      Choice{MapKind::kCompact, "Compact",
             "As λ, and empty tiles take no memory: ν, the inverse of λ, finds where a neighbouring tile is "
             "stored (3)"}};
  ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, {0, ImGui::GetStyle().FramePadding.y});
  for (std::size_t i = 0; i < kChoices.size(); ++i) {
    if (i > 0) beside();
    const Choice& choice = kChoices[i];
    if (choice_button(choice.label, config.method.map == choice.map, in_fonts(kMapWidths[i]), {}, choice.hint,
                      colour_of(choice.map)))
      set_map(config, choice.map);
  }
  ImGui::PopStyleVar();
}

void fractal_group(SolidSettings& settings) {
  SolidConfig& config = settings.config;
  ImGui::SetNextItemWidth(in_fonts(kFractalWidth));
  if (ImGui::BeginCombo("##fractal", config.fractal.name().c_str(),
                        ImGuiComboFlags_HeightLargest | ImGuiComboFlags_NoArrowButton)) {
    for (const SolidFractal& fractal : solid_catalog()) {
      if (ImGui::Selectable(fractal.name().c_str(), fractal == config.fractal)) set_fractal(config, fractal);
    }
    if (const auto& own = settings.from_file) {
      if (ImGui::Selectable(own->fractal.name().c_str(), own->fractal == config.fractal))
        set_fractal(config, own->fractal);
    }
    ImGui::EndCombo();
  }
  tooltip("Fractal");
  beside();
  ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, {0, ImGui::GetStyle().FramePadding.y});
  if (choice_button("−", false, in_fonts(kStepWidth), config.level == 0 ? "Level 0 is a single cell" : "",
                    "One level down (PgDn)"))
    set_level(config, config.level - 1);
  beside();
  const Text level = format_text("level {}", config.level);
  choice_button(level.c_str(), false, in_fonts(kLevelWidth), {}, "Level r: k^r cells");
  beside();
  if (choice_button("+", false, in_fonts(kStepWidth),
                    config.level >= std::min(kMaxSolidViewLevel, config.fractal.max_level())
                        ? "Higher levels have no picture"
                        : "",
                    "One level up (PgUp)"))
    set_level(config, config.level + 1);
  ImGui::PopStyleVar();
}

void basics(SolidPanelState& state, SolidSettings& settings) {
  if (!section("Basics")) return;
  SolidConfig& config = settings.config;
  const SolidShape& shape = config.fractal.shape();
  const Coord3 size = config.fractal.size(config.level);
  note(format_text("k = {}, s = {} × {} × {}, dimension {:.3f}", shape.k, shape.scale.x, shape.scale.y,
                   shape.scale.z, config.fractal.dimension()));
  note(format_text("{} cells, {} of {} × {} × {}", format_count(config.fractal.cells(config.level)),
                   format_percent(config.fractal.filled_share(config.level)), size.x, size.y, size.z));
  row_label("Tile size ρ");
  if (state.tile_sizes.empty() || state.listed != config) {
    state.tile_sizes = allowed_tile_sizes(config.fractal, config.level);
    state.listed = config;
  }
  const std::vector<std::uint32_t>& sizes = state.tile_sizes;
  const float width = equal_width(static_cast<int>(sizes.size()));
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    if (i > 0) ImGui::SameLine(0, ImGui::GetStyle().ItemInnerSpacing.x);
    if (choice_button(format_text("{}", sizes[i]).c_str(), config.tile_size == sizes[i], width, {},
                      "A tile has ρ × ρ × ρ points and is computed by one group of threads")) {
      config.tile_size = sizes[i];
      config.method.tiles = 0;
    }
  }
}

void method(MapMethod& chosen) {
  if (!folded_section("Method details", "")) return;
  const bool box = chosen.map == MapKind::kBoundingBox;
  const char* const reason = box ? "The bounding box is the identity" : "";
  row_label("Map arithmetic");
  const float width = equal_width(2);
  for (const MapArithmetic arithmetic : {MapArithmetic::kLoop, MapArithmetic::kTable}) {
    if (arithmetic == MapArithmetic::kTable) ImGui::SameLine(0, ImGui::GetStyle().ItemInnerSpacing.x);
    if (choice_button(name_of(arithmetic).data(), !box && chosen.arithmetic == arithmetic, width, reason,
                      "How λ and ν are computed (A)"))
      chosen.arithmetic = arithmetic;
  }
  row_label("Intra-block");
  const float third = equal_width(3);
  for (const IntraBlock intra_block : kIntraBlocks) {
    if (intra_block != kIntraBlocks.front()) ImGui::SameLine(0, ImGui::GetStyle().ItemInnerSpacing.x);
    const bool selected = box ? intra_block == IntraBlock::kSubBox : chosen.intra_block == intra_block;
    if (choice_button(name_of(intra_block).data(), selected, third, reason,
                      "How the threads of a tile find their cells (I)")) {
      chosen.intra_block = intra_block;
      chosen.tiles = 0;
    }
  }
  ImGui::BeginDisabled(chosen.map != MapKind::kCompact);
  ImGui::Checkbox("Halo in shared memory", &chosen.halo);
  ImGui::EndDisabled();
  tooltip("Compact map: stages a tile and its halo in shared memory");
}

void workload(SolidPanelState& state, SolidSceneEdit& edit) {
  if (!section("Workload")) return;
  SolidRule& rule = edit.settings.work.rule;
  row_label("Rule");
  ImGui::SetNextItemWidth(remaining_width());
  const bool edited = ImGui::InputText("##rule", &state.rule_text);
  if (edited) {
    state.written.reset();
    try {
      rule = parse_solid_rule(state.rule_text);
      state.rule_problem.clear();
    } catch (const InputError& error) {
      state.rule_problem = error.what();
    }
  } else if (!ImGui::IsItemActive() && state.rule_problem.empty() && state.written != rule) {
    state.rule_text = to_string(rule);
    state.written = rule;
  }
  tooltip(
      "B: numbers of living neighbours, 0 to 26, that give birth to a dead cell. S: numbers that let a "
      "living "
      "cell survive. Accepts B5..7/S4..7 and Bays' notation 5766");
  if (!state.rule_problem.empty()) warning(state.rule_problem);
  row_label("Density");
  ImGui::SetNextItemWidth(remaining_width());
  auto percent = static_cast<float>(edit.settings.start.density * 100);
  if (ImGui::SliderFloat("##density", &percent, 0, 100, "%.0f %%", ImGuiSliderFlags_AlwaysClamp))
    edit.settings.start.density = std::round(static_cast<double>(percent)) / 100;
  tooltip("Share of the cells that are alive in the random start");
  if (ImGui::Button("New random start")) {
    ++edit.settings.start.seed;
    edit.commands.restart = true;
  }
  tooltip("Generation 0 with the next seed (Shift R)");
}

void view(SolidSettings& settings, SolidCamera& camera) {
  if (!section("View")) return;
  ImGui::Checkbox("Living cells only", &settings.living_only);
  tooltip("Dead cells are transparent (\\)");
  row_label("Projection");
  const float half = equal_width(2);
  if (choice_button("Perspective", camera.perspective, half)) camera.perspective = true;
  ImGui::SameLine(0, ImGui::GetStyle().ItemInnerSpacing.x);
  if (choice_button("Orthographic", !camera.perspective, half)) camera.perspective = false;
  row_label("Cut plane");
  const float quarter = equal_width(static_cast<int>(kCutAxes.size()));
  for (const CutAxis axis : kCutAxes) {
    if (axis != CutAxis::kNone) ImGui::SameLine(0, ImGui::GetStyle().ItemInnerSpacing.x);
    if (choice_button(name_of(axis).data(), settings.cut_axis == axis, quarter, {},
                      "Removes the cells in front of a plane across this axis (/)"))
      settings.cut_axis = axis;
  }
  if (settings.cut_axis == CutAxis::kNone) return;
  row_label("Position");
  ImGui::SetNextItemWidth(remaining_width());
  auto percent = settings.cut * 100;
  if (ImGui::SliderFloat("##cut", &percent, 0, 100, "%.0f %%", ImGuiSliderFlags_AlwaysClamp))
    settings.cut = percent / 100;
  tooltip("Ctrl + wheel over the picture moves the plane");
}

void swatch(const glm::u8vec3& colour, const char* text) {
  const float side = ImGui::GetFontSize() * 0.7f;
  const glm::vec2 at = ImGui::GetCursorScreenPos();
  const float top = at.y + (ImGui::GetTextLineHeight() - side) / 2;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.AddRectFilled({at.x, top}, {at.x + side, top + side}, theme::packed(colour));
  list.AddRect({at.x, top}, {at.x + side, top + side}, ImGui::GetColorU32(ImGuiCol_Border));
  ImGui::Dummy({side, ImGui::GetTextLineHeight()});
  ImGui::SameLine(0, ImGui::GetStyle().ItemInnerSpacing.x);
  ImGui::TextUnformatted(text);
}

}  // namespace

std::span<const float> solid_toolbar_groups() {
  return kGroups;
}

void solid_toolbar_group(std::size_t group, SolidSceneEdit& edit) {
  ImGui::BeginGroup();
  if (group == 0) play_group(edit);
  if (group == 1) map_group(edit.settings.config);
  if (group == 2) fractal_group(edit.settings);
  ImGui::EndGroup();
}

void solid_panel(SolidPanelState& state, SolidSceneEdit& edit, SolidCamera& camera) {
  basics(state, edit.settings);
  method(edit.settings.config.method);
  workload(state, edit);
  view(edit.settings, camera);
}

float solid_caption(const Area& area, const SolidSceneEdit& edit, const SolidStats& now) {
  const float font = ImGui::GetFontSize();
  if (area.size.x < 12 * font || area.size.y < 12 * font) return 0;
  const float height =
      std::floor(2 * ImGui::GetStyle().WindowPadding.y + 2 * ImGui::GetTextLineHeightWithSpacing());
  begin_bar("##solid", {{area.corner.x, area.end().y - height}, {area.size.x, height}},
            ImGuiWindowFlags_NoScrollWithMouse);
  const render::SolidColours colours = solid_colours(now.palette);
  // The face that gets the most light, fully open.
  constexpr std::uint32_t kBright = kSolidHit | 2u << kSolidFaceShift | 15u << kSolidOpenShift;
  begin_chip();
  swatch(colours[kBright | kSolidAlive], "alive");
  end_chip();
  ImGui::SameLine(0, chip_gap());
  begin_chip();
  swatch(colours[kBright], edit.settings.living_only ? "dead (transparent)" : "dead");
  end_chip();
  const ThreadCount& threads = now.runner.threads();
  ImGui::SameLine(0, chip_gap());
  begin_chip();
  ImGui::TextUnformatted(
      threads.tiles_empty() == 0
          ? format_text("{} tiles, no empty tiles", format_count(threads.tiles_launched)).c_str()
          : format_text("{} of {} tiles empty (no active thread)", format_count(threads.tiles_empty()),
                        format_count(threads.tiles_launched))
                .c_str());
  end_chip();
  ImGui::PushStyleColor(ImGuiCol_Text, theme::colours().muted);
  if (now.divisor > 1) {
    wrapped_text(format_text("1/{} of the resolution while the picture changes.", now.divisor));
  } else {
    wrapped_text("Drag turns the fractal, the wheel zooms, the right button moves.");
  }
  ImGui::PopStyleColor();
  ImGui::End();
  return height;
}

void solid_metrics(SolidSceneEdit& edit, const SolidStats& now, const DockSpace& room) {
  if (!metrics_section(edit.shell)) return;
  const SolidRunner& runner = now.runner;
  const ThreadCount& threads = runner.threads();
  if (begin_rows("##solid_metrics", 1.25f)) {
    row("generation", format_count(runner.generation()));
    row("population", runner.population() ? format_count(*runner.population()) : "–",
        "Living cells, counted while paused");
    row("threads", format_count(threads.threads_launched), "Threads launched per generation (counted)");
    row("active",
        threads.threads_launched == 0 ? Text("–")
                                      : format_percent(static_cast<double>(threads.threads_active) /
                                                       static_cast<double>(threads.threads_launched)),
        "Threads that have a cell, of the launched ones");
    row("memory", format_bytes(runner.allocated_bytes()), "Both generations of cells");
    row("step", runner.step_ms() > 0 ? format_ms(runner.step_ms()).append(" ms") : "no step yet",
        "One generation, as last measured");
    row("picture", format_ms(runner.trace_ms()).append(" ms"), "Rays of the last picture");
    ImGui::EndTable();
  }
  if (room.all) stage_table(now.frames, !now.backend.device.on_host);
  metrics_buttons(room, edit.shell);
}

}  // namespace loom::app
