#include "app/workspaces/solid/panels/solid_panels.h"

#include <imgui.h>
#include <imgui_stdlib.h>

#include <cmath>

#include "app/gui/theme.h"
#include "app/text/format.h"
#include "app/widgets/control_marks.h"
#include "app/widgets/inputs.h"
#include "app/widgets/text.h"
#include "app/workspaces/life/scene/life_settings.h"
#include "compute/core/input_text.h"
#include "compute/engine/thread_count.h"
#include "compute/workload/rule_text.h"

namespace loom::app {

bool cut_plane_rows(CutAxis& selected, float& cut, const char* hint) {
  row_label("Cut plane");
  const float quarter = equal_width(static_cast<int>(kCutAxes.size()));
  for (const CutAxis axis : kCutAxes) {
    if (axis != CutAxis::kNone) ImGui::SameLine(0, ImGui::GetStyle().ItemInnerSpacing.x);
    if (choice_button(name_of(axis).data(), selected == axis, quarter, {}, hint)) selected = axis;
  }
  if (selected == CutAxis::kNone) return false;
  row_label("Position");
  ImGui::SetNextItemWidth(remaining_width());
  auto percent = cut * 100;
  if (slider("##cut", &percent, 0, 100, "%.0f %%", ImGuiSliderFlags_AlwaysClamp)) cut = percent / 100;
  tooltip("Ctrl + wheel over the picture moves the plane");
  return true;
}

namespace {

void basics(SolidPanelState& state, SolidSceneEdit& edit, const RayEngine& runs, std::string_view problem) {
  if (!section("Basics")) return;
  SolidSettings& settings = edit.settings;
  SolidConfig& config = settings.config;
  const SolidShape& shape = config.fractal.shape();
  const Coord3 size = config.fractal.size(config.level);
  if (select_running(problem, runs.has_engine() ? &runs.config() : nullptr)) config = runs.config();
  note(format_text("k = {}, s = {} × {} × {}, dimension {:.3f}", shape.k, shape.scale.x, shape.scale.y,
                   shape.scale.z, config.fractal.dimension()));
  note(format_text("{} cells, {} of {} × {} × {}", format_count(config.fractal.cells(config.level)),
                   format_percent(config.fractal.filled_share(config.level)), size.x, size.y, size.z));
  const ScopedControlMark marked(Control::kBlock);
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
                      "A tile has ρ × ρ × ρ points and is computed by one group of threads"))
      set_tile_size(config, sizes[i]);
  }
  if (choice_button("Fractal editor", false, remaining_width(), {},
                    "Draws a custom fractal slice by slice (Ctrl N)"))
    edit.commands.draw_fractal = true;
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
  row_label("Rule");
  ImGui::SetNextItemWidth(remaining_width());
  rule_field(state.rule, edit.settings.work.rule, parse_solid_rule);
  tooltip(
      "B: numbers of living neighbours, 0 to 26, that give birth to a dead cell. S: numbers that let a "
      "living "
      "cell survive. Accepts B5..7/S4..7 and Bays' notation 5766");
  if (!state.rule.problem.empty()) warning(state.rule.problem);
  row_label("Density");
  ImGui::SetNextItemWidth(remaining_width());
  auto percent = static_cast<float>(edit.settings.start.density * 100);
  if (slider("##density", &percent, 0, 100, "%.0f %%", ImGuiSliderFlags_AlwaysClamp))
    edit.settings.start.density = std::round(static_cast<double>(percent)) / 100;
  tooltip("Share of the cells that are alive in the random start");
  if (choice_button("Reseed", false, remaining_width(), {}, "Random start with the next seed (Shift R)")) {
    ++edit.settings.start.seed;
    edit.commands.restart = true;
  }
}

const char* colouring_label(SolidColouring by) {
  return value_for<SolidColouring::kAddress>({"State", "Tile", "Thread index in tile", "Warp", "Byte offset"},
                                             by);
}

void view(SolidSettings& settings, SolidCamera& camera) {
  if (!section("View")) return;
  SolidLook& look = settings.look;
  row_label("Colour by");
  ImGui::SetNextItemWidth(remaining_width());
  if (ImGui::BeginCombo("##colour", colouring_label(look.colouring))) {
    for (const SolidColouring by : kSolidColourings) {
      if (ImGui::Selectable(colouring_label(by), by == look.colouring)) look.colouring = by;
    }
    ImGui::EndCombo();
  }
  tooltip("What the colour of a cell means; dead cells are darker (C)");
  ImGui::Checkbox("Empty tiles", &look.empty_tiles);
  tooltip("Tiles without cells that the bounding box launches, as translucent red boxes (G)");
  ImGui::Checkbox("Living cells only", &look.living_only);
  tooltip("Dead cells are transparent (\\)");
  choice_row("Projection", std::array{true, false}, camera.perspective, {"Perspective", "Orthographic"},
             {"", ""});
  if (!cut_plane_rows(look.cut_axis, look.cut, "Removes the cells in front of a plane across this axis (/)"))
    return;
  ImGui::Checkbox("Slice", &look.slice);
  tooltip("Only the layer of cells at the plane is visible");
}

/// A colour that stands alone in its chip.
void add_chip(glm::u8vec3 colour, const char* text) {
  chip([&] { swatch(theme::packed(colour), text); });
}

void colour_chips(const render::SolidColours& colours, const SolidLook& look) {
  const auto strip = [&](int from, const char* first, const char* last) {
    chip([&] {
      ImGui::TextUnformatted(first);
      ImGui::SameLine(0, ImGui::GetStyle().ItemInnerSpacing.x);
      colour_strip(3, 32, [&](int i) {
        return theme::packed(colours.values[static_cast<std::size_t>(from + (255 - from) * i / 31)]);
      });
      ImGui::TextUnformatted(last);
    });
  };
  if (look.colouring == SolidColouring::kState)
    return strip(1, look.living_only ? "dead (transparent)" : "dead", "alive");
  if (is_ordered(look.colouring))
    strip(1, "first", look.colouring == SolidColouring::kThread ? "last thread in tile" : "last byte");
  else
    add_chip(colours.values[1],
             look.colouring == SolidColouring::kTileIndex ? "one colour per tile" : "one colour per warp");
  add_chip(colours.values[1] / std::uint8_t{2}, look.living_only ? "dead (transparent)" : "dead (darker)");
}

/// What the map changes: its launch and its memory. The cells are the same with every map.
void launch_chips(const RayEngine& runner) {
  if (!runner.has_engine()) return;
  const ThreadCount& threads = runner.threads();
  const MapKind map = runner.config().method.map;
  const auto text_chip = [](const Text& text) { chip([&] { ImGui::TextUnformatted(text.c_str()); }); };
  add_chip(glm::u8vec3(glm::vec3(colour_of(map)) * 255.0f),
           format_text("{}: {} threads", capitalized(label_of(map)), format_count(threads.threads_launched))
               .c_str());
  text_chip(threads.tiles_empty() == 0
                ? Text("no empty tiles")
                : format_text("{} of {} tiles empty", format_count(threads.tiles_empty()),
                              format_count(threads.tiles_launched)));
  text_chip(format_bytes(runner.allocated_bytes()));
}

}  // namespace

void SelectedThread::update(const SolidConfig& config, const std::optional<Coord3>& cell) {
  if (!cell) {
    location_.reset();
    text_.clear();
    return;
  }
  const bool same_launch = space_ && space_->config() == config;
  if (same_launch && location_ && location_->cell == *cell) return;
  if (!same_launch) space_ = std::make_unique<explain::SolidThreadSpace>(config);
  location_ = space_->location_of(*cell);
  text_.clear();
  steps_.clear();
  if (!location_) return;
  text_ = explain::location_text(*space_, *location_);
  steps_ = space_->lambda_steps(location_->omega);
}

void solid_panel(SolidPanelState& state, SolidSceneEdit& edit, const RayEngine& runs,
                 std::string_view problem, SolidCamera& camera) {
  basics(state, edit, runs, problem);
  method(edit.settings.config.method);
  workload(state, edit);
  view(edit.settings, camera);
}

void solid_legend(PictureLegend& legend, const Area& picture, const SolidSceneEdit& edit,
                  const render::Palette& palette, const RayEngine& runs) {
  if (!legend.begin(picture, [](glm::vec2) { return 0.0f; })) return;
  const SolidLook& look = edit.settings.look;
  const render::SolidColours colours = solid_colours(palette, look.colouring, palette.outside);
  colour_chips(colours, look);
  if (look.empty_tiles && edit.settings.config.method.map == MapKind::kBoundingBox)
    add_chip(colours.empty, "empty tile");
  if (!edit.settings.compare) launch_chips(runs);  // else the scores have it
  legend.end();
}

float solid_caption(const Area& area, const SolidSceneEdit& edit, const SelectedThread& selected,
                    int divisor) {
  constexpr float kDescriptionWidth = 46;  // of the longest description, in font sizes
  const float height = begin_caption("##caption", area, kDescriptionWidth, false);
  if (height == 0) return 0;
  ImGui::PushStyleColor(ImGuiCol_Text, theme::colours().muted);
  if (selected.location()) {
    const Coord3 cell = selected.location()->cell;
    wrapped_text(format_text("{} cell ({}, {}, {}): {}", edit.settings.pinned ? "Pinned" : "Hovered", cell.x,
                             cell.y, cell.z, selected.text()));
  } else if (edit.settings.edit_cells) {
    wrapped_text("A click on a cell changes its state. E ends editing.");
  } else if (divisor > 1) {
    wrapped_text(format_text("1/{} of the resolution while the picture changes.", divisor));
  } else {
    wrapped_text("Drag turns the fractal, the wheel zooms, the right button moves. A click pins a cell.");
  }
  ImGui::PopStyleColor();
  ImGui::End();
  return height;
}

void solid_thread_panel(const SolidSceneEdit& edit, const SelectedThread& selected) {
  const auto& location = selected.location();
  if (!location) {
    note("Hover a cell of the picture to explain its thread. A click pins it; then Esc unpins.");
    return;
  }
  note(edit.settings.pinned ? "Pinned. Esc unpins." : "Under the cursor. A click pins it.");
  const auto triple = [](Coord3 at) { return format_text("({}, {}, {})", at.x, at.y, at.z); };
  const ScopedControlMark marked(Control::kThread);
  if (begin_rows("##solid_thread")) {
    row("thread block", format_count(location->launch.block), "Index of the CUDA thread block");
    row("warp, lane", format_text("{}, {}", location->warp(), location->lane()),
        "Warp in the thread block; 32 lanes run together");
    const bool box = selected.space().map().is_box();
    row(box ? "tile" : "tile ω", triple(location->omega), "Index of its tile in the launch");
    row("thread index in tile", format_count(location->ref.thread));
    row("tile position", triple(location->place), "Position in the cube, in tiles");
    row("cell", triple(location->cell));
    row("byte offset", format_count(location->address), "Of the cell, within one generation");
    row("cache line (128 B)", format_count(location->line()));
    ImGui::EndTable();
  }
  const auto& steps = selected.steps();
  if (steps.empty()) {
    if (selected.space().map().is_box())
      note("The bounding box has no λ: a tile's index is its position.");
    else
      note("Level 0 of tiles: λ has no digits.");
    return;
  }
  ImGui::Separator();
  ImGui::TextUnformatted("λ level by level");
  tooltip(
      "Levels act on ω_x, ω_y and ω_z in turn. Each digit selects a replica of its level; its offset τ times "
      "the width of the level is added");
  if (!ImGui::BeginTable("##solid_lambda", 5, ImGuiTableFlags_RowBg | ImGuiTableFlags_SizingStretchProp))
    return;
  muted_titles({"level", "digit of", "τ", "width", "sum"});
  for (const explain::SolidLambdaStep& step : steps) {
    ImGui::TableNextRow();
    const auto cell = [](const Text& text) {
      ImGui::TableNextColumn();
      right_aligned(text);
    };
    ImGui::TableNextColumn();
    ImGui::TextUnformatted(format_text("{}", step.level).c_str());
    cell(format_text("ω_{}: {}", step.axis, step.digit));
    cell(triple(step.offset));
    const Coord3 width = step.weight;
    const bool cube = width.x == width.y && width.y == width.z;
    cell(cube ? format_text("{}", width.x) : format_text("{} × {} × {}", width.x, width.y, width.z));
    cell(triple(step.sum));
  }
  ImGui::EndTable();
  const Coord3 cell = location->cell;
  const Coord3 rho = selected.space().map().tiled.rho;
  note(format_text("Cell = λ(ω) · ρ + position in tile = {} · {} + {} = ({}, {}, {}).",
                   triple(location->place), rho.x, triple(location->at), cell.x, cell.y, cell.z));
}

void solid_metrics(SolidSceneEdit& edit, const RayEngine& runs, const FrameTimes& frames, bool on_host) {
  const ThreadCount& threads = runs.threads();
  if (begin_rows("##solid_metrics", 1.25f)) {
    row("Generation", format_count(runs.generation()));
    row("Population", runs.last_count() ? format_count(runs.last_count()->census.population) : "–",
        "Living cells, counted at most four times a second while playing");
    row("Launched threads", format_count(threads.threads_launched),
        "Threads launched per generation (counted). A CUDA thread that works on several tiles counts once "
        "for each of them.");
    row("Active threads", format_count(threads.threads_active), "Threads that have a cell");
    row("Thread utilization",
        threads.threads_launched == 0
            ? Text("–")
            : format_percent(thread_utilization(threads.threads_active, threads.threads_launched)),
        kUtilizationMeaning);
    row("Memory", format_bytes(runs.allocated_bytes()), "Both generations of cells");
    if (!edit.settings.compare)  // the scores have it
      row("Step", runs.step().samples > 0 ? format_time(runs.step().median) : "not timed (Space)",
          "One generation, median of the last ones");
    row("Picture", format_time(runs.trace_ms()), "Rays of the last picture");
    ImGui::EndTable();
  }
  program_timing(frames, !on_host, edit.shell);
}

namespace {

/// Height of the selected cell's thread, in font sizes: two lines.
constexpr float kSelectedHeight = 2.6f;

/// The heading of a pane, the longest that fits `width`.
Text map_heading(const MapScore& score, bool active, float width) {
  const std::string name = capitalized(label_of(score.map));
  if (!score.problem.empty()) return format_text("{}: {}", name, score.problem);
  Text text = format_text("{}{}", name, active ? " (active)" : "");
  const Text brief = text;
  if (score.identical) text.append(*score.identical ? "  ·  identical cells ✓" : "  ·  cells differ");
  return text_width(text) <= width || score.identical == false ? text : brief;
}

}  // namespace

void layout_maps(const Area& area, float font_size, std::vector<PaneArea>& areas) {
  layout_panes(area, kMapKinds.size(), font_size, score_height(kMapScoreRows) + kSelectedHeight, areas);
  for (PaneArea& pane : areas) pane.picture.size = areas.front().picture.size;
}

void map_headers(SolidSceneEdit& edit, const MapScores& scores, const std::vector<PaneArea>& areas) {
  for (const MapScore& score : scores) {
    const auto i = index_of(score.map);
    const Area& area = areas[i].header;
    if (area.empty()) continue;
    const bool active = edit.settings.config.method.map == score.map;
    begin_pane_header(format_text("##map pane {}", i).c_str(), area, colour_of(score.map));
    const bool wrong = !score.problem.empty() || score.identical == false;
    ImGui::PushStyleColor(ImGuiCol_Text, wrong    ? theme::colours().warning
                                         : active ? theme::colours().accent
                                                  : theme::colours().text);
    const float width = remaining_width();
    elided_text(map_heading(score, active, width), width);
    ImGui::PopStyleColor();
    ImGui::SetCursorScreenPos(area.corner);
    if (ImGui::InvisibleButton("##activate", area.size) && !active)
      edit.settings.config = compared_config(edit.settings.config, score.map);
    if (!score.problem.empty()) {
      tooltip(score.problem);
    } else if (!active) {
      tooltip(format_text("Makes {} the active map, which the controls set ({})",
                          capitalized(label_of(score.map)), i + 1));
    }
    ImGui::End();
  }
}

void map_scores(const MapScores& scores, const SelectedThreads& selected,
                const std::vector<PaneArea>& areas) {
  ScoreList list;
  for (const MapScore& one : scores) list.add(index_of(one.map), one.map, one.values);
  list.draw(areas,
            "Live: median time per generation while it plays, one map after another on the same cells; "
            "speedup over the bounding box, rounded",
            [&](std::size_t map) {
              if (selected[map].location()) {
                wrapped_text(selected[map].text());
              } else {
                note("Hover a cell: its tile, thread and byte.");
              }
            });
}

}  // namespace loom::app
