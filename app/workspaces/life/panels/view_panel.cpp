#include <imgui.h>

#include <algorithm>
#include <array>
#include <functional>
#include <glm/common.hpp>

#include "app/explain/colour_by.h"
#include "app/explain/diagram/diagram.h"
#include "app/explain/memory.h"
#include "app/gui/theme.h"
#include "app/text/format.h"
#include "app/widgets/control_marks.h"
#include "app/widgets/inputs.h"
#include "app/widgets/text.h"
#include "app/widgets/windows.h"
#include "app/workspaces/life/panels/life_panels.h"
#include "app/workspaces/life/picture/life_picture.h"
#include "compute/core/input_text.h"
#include "compute/workload/rule_text.h"

namespace loom::app {

namespace {

const char* label_of(explain::ColourBy by) {
  return value_for<explain::ColourBy::kDevice>(
      {"state (dead, alive)", "tile", "thread index in tile", "warp", "tile in thread block",
       "address in memory", "replica at a level", "orientation at a level", "multiprocessor (CPU: thread)",
       "device"},
      by);
}

void colour_choice(LifeSettings& settings) {
  explain::Colouring& colouring = settings.colouring;
  const int levels = std::max(settings.config.level, 1);
  colouring.level = std::clamp(colouring.level, 1, levels);
  row_label("Colour by");
  ImGui::SetNextItemWidth(remaining_width());
  // Bit-packed cells have no tiles and threads to colour by; the choice is kept for byte storage.
  const bool drawn = no_colouring_reason(settings, colouring.by).empty();
  const explain::ColourBy now = drawn ? colouring.by : explain::ColourBy::kState;
  if (!explain::has_tiles(settings.config) && !uses_several_devices(settings)) {
    ImGui::BeginDisabled();
    if (ImGui::BeginCombo("##colour", label_of(explain::ColourBy::kState))) ImGui::EndCombo();
    ImGui::EndDisabled();
    tooltip(explain::kByteStorageOnly);
    return;
  }
  if (ImGui::BeginCombo("##colour", label_of(now))) {
    for (const explain::ColourBy by : explain::kColourings) {
      const std::string_view problem = no_colouring_reason(settings, by);
      ImGui::BeginDisabled(!problem.empty());
      if (ImGui::Selectable(label_of(by), by == now)) colouring.by = by;
      ImGui::EndDisabled();
      tooltip(problem);
    }
    ImGui::EndCombo();
  }
  tooltip("What the colours of cells, threads and memory mean (C)");
  if (now != explain::ColourBy::kState) note("These colours cover those of the palette.");
  if (!explain::has_level(now)) return;
  row_label("Level");
  ImGui::SetNextItemWidth(remaining_width());
  slider("##replica level", &colouring.level, 1, levels, "%d", ImGuiSliderFlags_AlwaysClamp);
}

}  // namespace

void view_panel(ViewPanelState& state, LifeEdit& edit, const LifeStats& stats) {
  if (!section("View")) return;
  LifeSettings& settings = edit.settings;
  ShellSettings& view = edit.shell.settings;
  palette_choice(view, view.palette, state.palette);
  const auto overlay = [](const char* label, bool* shown, std::string_view hint) {
    ImGui::Checkbox(label, shown);
    tooltip(hint);
  };
  colour_choice(settings);
  {
    const ScopedControlMark marked(Control::kGrids);
    const float column = remaining_width() / 3;
    const float left = ImGui::GetCursorPosX();
    overlay("Cells", &settings.cell_grid, "Grid of cells, shown from 8 pixels per cell (G)");
    ImGui::SameLine(left + column);
    overlay("Tiles", &settings.tile_grid, "Launched tiles, shown from 8 pixels per tile (G)");
    ImGui::SameLine(left + 2 * column);
    bool metrics = shows_metrics(view);
    if (ImGui::Checkbox("Metrics", &metrics)) toggle_metrics(view);
    tooltip("Launch, threads, memory and times (T)");
  }
  overlay("Ages and trails", &settings.show_ages, kAgeLegend);
  if (settings.show_ages) note(stats.ages_hidden_reason.empty() ? kAgeLegend : stats.ages_hidden_reason);
  text_size_row(state.text_size, view);
  constexpr std::array kLabels = {"Fit", "Export", kLectureLabel};
  ButtonRow line(kLabels);
  if (choice_button(kLabels[0], false, line.next(), {}, "Fits the fractal into the view (F)")) {
    edit.shell.view.fit = true;
  }
  if (choice_button(kLabels[1], false, line.next(), {},
                    "Exports a figure of what a pane shows as SVG, PDF, PNG, CSV or LaTeX (Ctrl E)")) {
    edit.commands.save_figure = 0;
  }
  lecture_button(view, line.next());
}

namespace {

Text time_of(std::uint64_t nanoseconds) {
  return format_time(static_cast<double>(nanoseconds) / 1e6);
}

void shares(const DeviceTimeline& times, const DeviceTimelineView& lanes) {
  if (!ImGui::BeginTable("##devices", 4)) return;
  ImGui::TableSetupColumn("device", ImGuiTableColumnFlags_WidthStretch, 0.7f);
  muted_titles({"Device", "Step", "Exchange", "Wait"});
  for (std::size_t i = 0; i < times.devices.size(); ++i) {
    const DeviceTimeBreakdown& share = lanes.shares()[i];
    ImGui::TableNextRow();
    ImGui::TableNextColumn();
    ImGui::TextUnformatted(format_text("{}", i).c_str());
    tooltip(times.devices[i].name);
    ImGui::TableNextColumn();
    right_aligned(time_of(share.step));
    ImGui::TableNextColumn();
    right_aligned(time_of(share.exchange));
    tooltip(format_text("{} of it did not overlap with computation", time_of(share.shown)));
    ImGui::TableNextColumn();
    right_aligned(time_of(share.wait));
  }
  ImGui::EndTable();
  tooltip(
      format_text("One generation per device: computation, halo exchange (most of it overlaps with "
                  "computation) and waiting for the other devices. {}",
                  lanes.measured()));
}

}  // namespace

const Pane* pane_with_devices(const Pane& scene, const SecondaryPanes& secondary_panes) {
  if (scene.async_engine->backend().devices() > 1) return &scene;
  for (const SecondaryPanes::SecondaryPane& one : secondary_panes.all()) {
    if (one.runs() && one.pane->async_engine->backend().devices() > 1) return one.pane.get();
  }
  return nullptr;
}

void devices_panel(DevicesPanelState& state, LifeEdit& edit, const Pane& pane) {
  state.again = {};
  if (!section("Devices")) return;
  if (!pane.devices) {
    note("Device activity is captured after the first frame.");
    return;
  }
  const DeviceTimeline& times = pane.devices->times;
  if (!pane.devices->problem.empty()) {
    warning(pane.devices->problem);
  } else {
    state.lanes.look_at(times, {.lane = 0.6f, .brief = true});
    shares(times, state.lanes);
    state.lanes.show();
  }
  if (ImGui::SmallButton("Capture again")) edit.commands.record_devices = true;
  state.again = item_area();
  tooltip("Captures one more generation. The cells do not change");
}

namespace {

constexpr float kBriefLegend = 60;  // width of a picture with short entries, in font sizes
constexpr float kSwatches = 2.6f;
constexpr int kMaxSwatches = 4;
constexpr float kRamp = 4;
constexpr float kMarkSide = 0.95f;  ///< of a mark that is one square, in font sizes

enum class Mark { kNone, kOutline, kFill, kDot };

/// The colour of a cell in a state, as compute's picture and the palette give it.
glm::u8vec3 state_colour(const render::Palette& palette, std::uint32_t states, std::uint32_t state) {
  return render::display_colour(palette, density_value(states - 1, brightness(states, state)));
}

// Draws a mark over the picture's background colour, because overlays are translucent.
void draw_mark(Mark mark, const render::Palette& palette) {
  if (mark == Mark::kNone) return;
  const float side = kMarkSide * ImGui::GetFontSize();
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const glm::vec2 low = legend_mark(kMarkSide).centre() - side / 2;
  const glm::vec2 high = low + side;
  list.AddRectFilled(low, high, theme::packed(palette.hole));
  const theme::Overlay& marks = theme::overlay(theme::is_light(palette.hole));
  if (mark == Mark::kOutline) list.AddRect(low, high, marks.active_tile, 0, 0, 2);
  if (mark == Mark::kFill) {
    list.AddRectFilled(low, high, marks.empty_tile);
    const float half = side / 2;
    list.AddLine({low.x, low.y + half}, {low.x + half, low.y}, marks.empty_tile_hatch);
    list.AddLine({low.x, high.y}, {high.x, low.y}, marks.empty_tile_hatch);
    list.AddLine({low.x + half, high.y}, {high.x, low.y + half}, marks.empty_tile_hatch);
    list.AddRect(low, high, marks.empty_tile_outline);
  }
  if (mark == Mark::kDot) {
    const float third = side / 3;
    list.AddRectFilled(low + third, high - third, marks.idle_thread);
  }
}

void add_chip(Mark mark, const render::Palette& palette, const Text& text) {
  chip([&] {
    draw_mark(mark, palette);
    ImGui::TextUnformatted(text.c_str());
  });
}

/// A chip with a strip of colours before its text.
template <typename ColourAt>
void add_chip(float width, int steps, const ColourAt& colour_at, const Text& text) {
  chip([&] {
    colour_strip(width, steps, colour_at);
    ImGui::TextUnformatted(text.c_str());
  });
}

void data_chip(const explain::ColourLegend& colours, bool brief) {
  if (colours.kind == explain::ColourKey::Kind::kOrdered)
    return add_chip(
        kRamp, 32, [](int i) { return theme::packed(explain::ordered_colour(static_cast<float>(i) / 31)); },
        format_text("{}, {} to {}", colours.title, colours.first, colours.last));
  const auto values = static_cast<int>(std::min<std::uint64_t>(colours.values, kMaxSwatches));
  const auto colour_at = [](int i) {
    return theme::packed(
        explain::data_colour({explain::ColourKey::Kind::kNumber, static_cast<std::uint64_t>(i), 0}));
  };
  add_chip(kSwatches, values > 0 ? values : kMaxSwatches, colour_at,
           brief ? Text(colours.title) : format_text("{}: {}", colours.title, colours.first));
}

void state_chips(const LifeStats& report, const render::Palette& palette, bool brief) {
  chip([&] {
    swatch(theme::packed(palette.hole), "hole");
    ImGui::SameLine();
    ImGui::TextUnformatted("dead");
    ImGui::SameLine(0, ImGui::GetStyle().ItemInnerSpacing.x);
    colour_strip(kRamp, 64,
                 [&](int i) { return theme::packed(palette.ramp[static_cast<std::size_t>(4 * i)]); });
    ImGui::TextUnformatted("alive");
  });
  const std::uint32_t states = states_of(report.work);
  if (states <= 2) return;
  const int steps = static_cast<int>(std::min(states - 1, 32u));
  const auto colour_at = [&](int i) {
    const std::uint32_t last = static_cast<std::uint32_t>(std::max(steps - 1, 1));
    return theme::packed(
        state_colour(palette, states, 1 + static_cast<std::uint32_t>(i) * (states - 2) / last));
  };
  add_chip(kRamp, steps, colour_at,
           brief         ? format_text("states 1 to {}", states - 1)
           : states == 3 ? Text("state 1 alive, 2 refractory")
                         : format_text("state 1 alive, 2 to {} refractory", states - 1));
}

// The colours of ages and trails, over the colour of a dead cell.
void age_chips(const render::Palette& palette, bool brief) {
  const auto over_dead = [&](ImU32 colour) {
    const glm::vec4 above = ImGui::ColorConvertU32ToFloat4(colour);
    const glm::vec3 mixed = glm::mix(glm::vec3(palette.ramp.front()) / 255.0f, glm::vec3(above), above.w);
    return theme::packed(glm::u8vec3(mixed * 255.0f));
  };
  add_chip(
      kSwatches, static_cast<int>(kAgeSteps),
      [&](int i) { return over_dead(age_colour(static_cast<std::size_t>(i))); },
      brief ? Text("alive 1 to 64+") : Text("alive for 1 to 64 or more generations"));
  add_chip(
      kSwatches, static_cast<int>(CellAges::kTrail),
      [&](int i) { return over_dead(trail_colour(static_cast<std::uint32_t>(i + 1))); },
      brief ? Text("dead 1 to 16") : Text("dead for 1 to 16 generations"));
}

void launch_chips(const LifeStats& report, const render::Palette& palette, bool brief) {
  const LaunchCount count = launch_of(report);
  const std::uint64_t threads_in_block = count.threads / std::max<std::uint64_t>(1, count.tiles);
  const std::uint64_t in_them = count.occupied_tiles * threads_in_block;
  const std::uint64_t idle = in_them > count.cells ? in_them - count.cells : 0;
  // Counts that the picture does not show have no mark. Chips with one come first: without a mark, a chip
  // would read as part of the mark before it.
  const bool blocks = report.tiles_hidden_reason.empty();
  const bool areas = report.tiles_hidden_reason == kTilesTooSmall;
  const auto empty_chip = [&] {
    const Mark mark = blocks || areas ? Mark::kFill : Mark::kNone;
    add_chip(mark, palette,
             plural(count.empty_tiles(), "empty tile")
                 .append(brief   ? ""
                         : areas ? " (merged at this zoom)"
                                 : " (no active threads)"));
  };
  const bool has_empty = count.empty_tiles() > 0;
  if (areas && has_empty) empty_chip();
  add_chip(blocks ? Mark::kOutline : Mark::kNone, palette,
           plural(count.occupied_tiles, "tile").append(" with cells"));
  add_chip(blocks ? Mark::kDot : Mark::kNone, palette, plural(idle, "idle thread").append(" in them"));
  if (!areas && has_empty) empty_chip();
  if (!has_empty) add_chip(Mark::kNone, palette, "no empty tiles");
}

}  // namespace

void legend(PictureLegend& legend, const PictureView& view, const TileGrid& space, const LifeStats& report,
            const render::Palette& palette) {
  // Tiles with cells count more than holes, and holes more than what is around the square.
  const TiledFractal& tiled = space.tiled();
  const auto weight = [&](glm::vec2 point) {
    const glm::dvec2 at = view.camera.field_at(view.pixel(point)) / glm::dvec2(tiled.rho_x, tiled.rho_y);
    const bool inside = at.x >= 0 && at.y >= 0 && at.x < static_cast<double>(tiled.grid_x) &&
                        at.y < static_cast<double>(tiled.grid_y);
    if (!inside) return 0.0f;
    const Coord64 tile{static_cast<std::uint64_t>(at.x), static_cast<std::uint64_t>(at.y)};
    return space.holds_cells(tile) ? 8.0f : 1.0f;
  };
  if (!legend.begin(view.area, std::cref(weight))) return;  // without a copy, which would allocate
  const bool brief = view.area.size.x < kBriefLegend * ImGui::GetFontSize();
  if (report.colours != nullptr) {
    data_chip(*report.colours, brief);
  } else {
    state_chips(report, palette, brief);
    if (report.secondary_colours != nullptr) data_chip(*report.secondary_colours, brief);
  }
  if (report.ages_shown) age_chips(palette, brief);
  if (explain::has_tiles(report.config))
    launch_chips(report, palette, brief);
  else
    add_chip(Mark::kNone, palette, brief ? Text("bit-packed cells") : Text(report.in_bits));
  legend.end();
}

namespace {

constexpr float kDescriptionWidth = 46;  // of the longest description, in font sizes
constexpr float kBrief = 60;             // width below which the hint is short, in font sizes

Text describe(const FractalConfig& config, const PointInfo& place, std::uint8_t state) {
  const bool all_blocks = config.method.map == MapKind::kBoundingBox;
  Text text = !place.is_cell ? Text("hole")
              : state < 2    ? Text(state == 0 ? "dead cell" : "living cell")
                             : format_text("cell in {}", name_of_state(state));
  text.add(" ({}, {})", place.cell.x, place.cell.y);
  if (!explain::has_tiles(config)) {
    if (place.is_cell) text.add("  ·  {}", explain::bit_of_cell(config, place.cell));
    return text;
  }
  if (is_hidden(Control::kLambda)) return text.append("  ·  tile and thread: after your answer");
  if (!all_blocks && !place.omega) {
    text.add("  ·  {} launches no tile here", app::label_of(config.method.map));
    return text;
  }
  if (all_blocks) {
    text.add("  ·  tile ({}, {})", place.tile.x, place.tile.y);
  } else {
    text.add("  ·  tile ω = ({}, {})  λ→  ({}, {})", place.omega->x, place.omega->y, place.tile.x,
             place.tile.y);
  }
  if (!place.thread) return text.append("  ·  no thread: a hole");
  text.add("  ·  thread ({}, {})", place.thread->x, place.thread->y);
  if (!place.omega) return text.append(" idle: an empty tile");
  return text.append(place.is_cell ? " active" : " idle");
}

}  // namespace

float caption(const Area& area, const LifeStats& report, const FractalConfig& config,
              const std::optional<PointInfo>& hovered, std::uint8_t state, std::string_view explained,
              bool one_line, Text& text) {
  text.clear();
  const float height = begin_caption("##caption", area, kDescriptionWidth, one_line);
  if (height == 0) return 0;
  const float width = remaining_width();
  const bool muted = !hovered && explained.empty();
  ImGui::PushStyleColor(ImGuiCol_Text, muted ? theme::colours().muted : theme::colours().text);
  if (!report.tiles_hidden_reason.empty() && !one_line) text.add("({})  ", report.tiles_hidden_reason);
  text.append(!explained.empty()                                  ? Text(explained)
              : hovered                                           ? describe(config, *hovered, state)
              : one_line || width < kBrief * ImGui::GetFontSize() ? "Hover a cell: tile, thread"
              : explain::has_tiles(report.config) ? "Hover the picture to see a cell's tile and thread."
                                                  : "Hover the picture to see the bit of a cell.");
  one_line ? elided_text(text, width) : wrapped_text(text);
  ImGui::PopStyleColor();
  ImGui::End();
  return height;
}

void inexact_result_banner(const Area& picture, std::string_view text) {
  if (text.empty() || picture.empty()) return;
  const float font = ImGui::GetFontSize();
  const float width = std::min(picture.size.x - font, font * 22);
  if (width < font * 6) return;
  ImGui::SetNextWindowPos(picture.corner + theme::grid(2));
  ImGui::SetNextWindowSize({width, 0});
  ImGui::PushStyleColor(ImGuiCol_Border, theme::colours().warning);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, 2);
  ImGui::Begin("##wrong", nullptr,
               ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings |
                   ImGuiWindowFlags_NoFocusOnAppearing | ImGuiWindowFlags_NoNav | ImGuiWindowFlags_NoInputs);
  ImGui::PopStyleVar();
  ImGui::PopStyleColor();
  warning(text);
  ImGui::End();
}

}  // namespace loom::app
