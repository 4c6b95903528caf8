#include "app/workspaces/life/panels/legend.h"

#include <imgui.h>

#include <algorithm>
#include <array>
#include <functional>
#include <glm/common.hpp>

#include "app/explain/colour_by.h"
#include "app/explain/memory.h"
#include "app/gui/theme.h"
#include "app/text/format.h"
#include "app/widgets/control_marks.h"
#include "app/widgets/icons.h"
#include "app/widgets/inputs.h"
#include "app/widgets/text.h"
#include "app/widgets/windows.h"
#include "app/workspaces/life/picture/grid_overlay.h"
#include "compute/workload/rule_text.h"

namespace loom::app {
namespace {

constexpr float kBriefLegend = 60;  // width of a picture with short entries, in font sizes
constexpr float kSwatches = 2.6f;
constexpr int kMaxSwatches = 4;
constexpr float kRamp = 4;

enum class Mark { kNone, kPalette, kStates, kAges, kTrails, kOutline, kFill, kDot, kNumbers, kOrder };

struct Entry {
  Mark mark = Mark::kNone;
  Text text;
  std::uint64_t values = 0;  ///< for kNumbers: the number of values; 0: many; for kStates: of states
};

/// The colour of a cell in a state, as compute's picture and the palette give it.
glm::u8vec3 state_colour(const render::Palette& palette, std::uint32_t states, std::uint32_t state) {
  return render::display_colour(palette, density_value(states - 1, brightness(states, state)));
}

constexpr float kMarkSide = 0.95f;  ///< of a mark that is one square, in font sizes

/// The entries of a legend.
struct Entries {
  std::array<Entry, 9> all;
  std::size_t count = 0;

  void add(const Entry& entry) { all[count++] = entry; }
};

// Draws a sample of the colours of the values.
void draw_data_colours(bool ordered, std::uint64_t values) {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const float font = ImGui::GetFontSize();
  const glm::vec2 at = ImGui::GetCursorScreenPos();
  const float height = theme::grid(3);
  const float y = at.y + (ImGui::GetTextLineHeight() - height) / 2;
  const float width = (ordered ? kRamp : kSwatches) * font;
  const int steps = ordered       ? 32
                    : values == 0 ? kMaxSwatches
                                  : static_cast<int>(std::min<std::uint64_t>(values, kMaxSwatches));
  const float step = width / static_cast<float>(steps);
  for (int i = 0; i < steps; ++i) {
    const float share = static_cast<float>(i) / static_cast<float>(steps - 1);
    const glm::u8vec3 colour =
        ordered ? explain::ordered_colour(share)
                : explain::data_colour({explain::ColourKey::Kind::kNumber, static_cast<std::uint64_t>(i), 0});
    const float x = at.x + step * static_cast<float>(i);
    list.AddRectFilled({x, y}, {x + step, y + height}, theme::packed(colour));
  }
  ImGui::Dummy({width, ImGui::GetTextLineHeight()});
  ImGui::SameLine(0, ImGui::GetStyle().ItemInnerSpacing.x);
}

// Draws the colours of the states from 1 on.
void draw_state_colours(std::uint32_t states, const render::Palette& palette) {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const glm::vec2 at = ImGui::GetCursorScreenPos();
  const float height = theme::grid(3);
  const float y = at.y + (ImGui::GetTextLineHeight() - height) / 2;
  const float width = kRamp * ImGui::GetFontSize();
  const std::uint32_t steps = std::min(states - 1, 32u);
  const float step = width / static_cast<float>(steps);
  for (std::uint32_t i = 0; i < steps; ++i) {
    const std::uint32_t state = 1 + (steps > 1 ? i * (states - 2) / (steps - 1) : 0);
    const float x = at.x + step * static_cast<float>(i);
    list.AddRectFilled({x, y}, {x + step, y + height}, theme::packed(state_colour(palette, states, state)));
  }
  ImGui::Dummy({width, ImGui::GetTextLineHeight()});
  ImGui::SameLine(0, ImGui::GetStyle().ItemInnerSpacing.x);
}

// Draws the colours of ages or trails over the colour of a dead cell.
void draw_ages_mark(bool trails, const render::Palette& palette) {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const float font = ImGui::GetFontSize();
  const glm::vec2 at = ImGui::GetCursorScreenPos();
  const float height = theme::grid(3);
  const float y = at.y + (ImGui::GetTextLineHeight() - height) / 2;
  const float width = kSwatches * font;
  const std::size_t steps = trails ? CellAges::kTrail : kAgeSteps;
  const float step = width / static_cast<float>(steps);
  list.AddRectFilled({at.x, y}, {at.x + width, y + height}, theme::packed(palette.ramp.front()));
  for (std::size_t i = 0; i < steps; ++i) {
    const float x = at.x + step * static_cast<float>(i);
    list.AddRectFilled({x, y}, {x + step, y + height},
                       trails ? trail_colour(static_cast<std::uint32_t>(i + 1)) : age_colour(i));
  }
  ImGui::Dummy({width, ImGui::GetTextLineHeight()});
  ImGui::SameLine(0, ImGui::GetStyle().ItemInnerSpacing.x);
}

// Draws a mark over the picture's background colour, because overlays are translucent.
void draw_mark(Mark mark, const render::Palette& palette) {
  if (mark == Mark::kNone) return;
  const float side = kMarkSide * ImGui::GetFontSize();
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const glm::vec2 at = ImGui::GetCursorScreenPos();
  const glm::vec2 low{at.x, at.y + (ImGui::GetTextLineHeight() - side) / 2};
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
  ImGui::Dummy({side, ImGui::GetTextLineHeight()});
  ImGui::SameLine(0, ImGui::GetStyle().ItemInnerSpacing.x);
}

void draw_entry(const Entry& entry, const render::Palette& palette) {
  begin_chip();
  if (entry.mark == Mark::kPalette) {
    palette_legend(palette);
  } else {
    const bool ages = entry.mark == Mark::kAges || entry.mark == Mark::kTrails;
    if (ages) draw_ages_mark(entry.mark == Mark::kTrails, palette);
    const bool data = entry.mark == Mark::kNumbers || entry.mark == Mark::kOrder;
    const bool states = entry.mark == Mark::kStates;
    if (data) draw_data_colours(entry.mark == Mark::kOrder, entry.values);
    if (states) draw_state_colours(static_cast<std::uint32_t>(entry.values), palette);
    if (!data && !ages && !states) draw_mark(entry.mark, palette);
    ImGui::TextUnformatted(entry.text.c_str());
  }
  end_chip();
}

Entries entries_of(const LifeStats& report, bool brief) {
  const LaunchCount count = launch_of(report);
  const std::uint64_t threads_in_block = count.threads / std::max<std::uint64_t>(1, count.tiles);
  const std::uint64_t in_them = count.occupied_tiles * threads_in_block;
  const std::uint64_t idle = in_them > count.cells ? in_them - count.cells : 0;
  // Counts that the picture does not show have no mark.
  const bool blocks = report.tiles_hidden_reason.empty();
  const bool areas = report.tiles_hidden_reason == kTilesTooSmall;
  Entries entries;
  const auto add_colours = [&](const explain::ColourLegend& colours) {
    const bool order = colours.kind == explain::ColourKey::Kind::kOrdered;
    entries.add({order ? Mark::kOrder : Mark::kNumbers,
                 order   ? format_text("{}, {} to {}", colours.title, colours.first, colours.last)
                 : brief ? Text(colours.title)
                         : format_text("{}: {}", colours.title, colours.first),
                 colours.values});
  };
  if (report.colours != nullptr) {
    add_colours(*report.colours);
  } else {
    entries.add({Mark::kPalette, ""});
    if (const std::uint32_t states = states_of(report.work); states > 2) {
      entries.add({Mark::kStates,
                   brief         ? format_text("states 1 to {}", states - 1)
                   : states == 3 ? Text("state 1 alive, 2 refractory")
                                 : format_text("state 1 alive, 2 to {} refractory", states - 1),
                   states});
    }
    if (report.secondary_colours != nullptr) add_colours(*report.secondary_colours);
  }
  if (report.ages_shown) {
    entries.add(
        {Mark::kAges, brief ? Text("alive 1 to 64+") : Text("alive for 1 to 64 or more generations")});
    entries.add({Mark::kTrails, brief ? Text("dead 1 to 16") : Text("dead for 1 to 16 generations")});
  }
  if (!explain::has_tiles(report.config)) {
    entries.add({Mark::kNone, brief ? Text("bit-packed cells") : Text(report.in_bits)});
    return entries;
  }
  entries.add(
      {blocks ? Mark::kOutline : Mark::kNone, plural(count.occupied_tiles, "tile").append(" with cells")});
  entries.add({blocks ? Mark::kDot : Mark::kNone, plural(idle, "idle thread").append(" in them")});
  if (count.empty_tiles() == 0) {
    entries.add({Mark::kNone, "no empty tiles"});
  } else {
    const Mark mark = blocks || areas ? Mark::kFill : Mark::kNone;
    entries.add({mark, plural(count.empty_tiles(), "empty tile")
                           .append(brief   ? ""
                                   : areas ? " (merged at this zoom)"
                                           : " (no active threads)")});
  }
  // Entries with marks come first: without a mark, an entry would read as part of the mark before it.
  Entries sorted;
  for (const bool marked : {true, false}) {
    for (std::size_t i = 0; i < entries.count; ++i) {
      if ((entries.all[i].mark != Mark::kNone) == marked) sorted.add(entries.all[i]);
    }
  }
  return sorted;
}

}  // namespace

void legend(PictureLegend& legend, const PictureView& view, const TileGrid& space, const LifeStats& report,
            const render::Palette& palette) {
  const Entries entries = entries_of(report, view.area.size.x < kBriefLegend * ImGui::GetFontSize());
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
  for (std::size_t i = 0; i < entries.count; ++i) draw_entry(entries.all[i], palette);
  legend.end();
}

namespace {

constexpr float kDescriptionWidth = 46;  // of the longest description, in font sizes
constexpr float kBrief = 60;             // width below which the hint is short, in font sizes

Text describe(const LifeStats& report, const PointInfo& place, std::uint8_t state) {
  const bool all_blocks = report.config.method.map == MapKind::kBoundingBox;
  Text text = !place.is_cell ? Text("hole")
              : state < 2    ? Text(state == 0 ? "dead cell" : "living cell")
                             : format_text("cell in {}", name_of_state(state));
  text.add(" ({}, {})", place.cell.x, place.cell.y);
  if (!explain::has_tiles(report.config)) {
    if (place.is_cell) text.add("  ·  {}", explain::bit_of_cell(report.config, place.cell));
    return text;
  }
  if (is_hidden(Control::kLambda)) return text.append("  ·  tile and thread: after your answer");
  if (!all_blocks && !place.omega) return text.append("  ·  no tile is launched here");
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

float caption(const Area& area, const LifeStats& report, const std::optional<PointInfo>& hovered,
              std::uint8_t state, std::string_view explained, bool one_line, Text& text) {
  text.clear();
  const float height = begin_caption("##caption", area, kDescriptionWidth, one_line);
  if (height == 0) return 0;
  const float width = remaining_width();
  const bool muted = !hovered && explained.empty();
  ImGui::PushStyleColor(ImGuiCol_Text, muted ? theme::colours().muted : theme::colours().text);
  if (!report.tiles_hidden_reason.empty() && !one_line) text.add("({})  ", report.tiles_hidden_reason);
  text.append(!explained.empty()                                  ? Text(explained)
              : hovered                                           ? describe(report, *hovered, state)
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
