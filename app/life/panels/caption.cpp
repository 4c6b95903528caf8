#include "app/life/panels/caption.h"

#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "app/gui/theme.h"
#include "app/life/picture/grid_overlay.h"
#include "app/teach/data_colour.h"
#include "app/text/format.h"
#include "app/widgets/choice.h"
#include "app/widgets/control_marks.h"
#include "app/widgets/palette_swatch.h"
#include "app/widgets/text.h"

namespace loom::app {
namespace {

constexpr float kDescriptionWidth = 46;  // in font sizes

constexpr float kSwatches = 2.6f;
constexpr int kMostSwatches = 4;
constexpr float kRamp = 4;

enum class Mark { kNone, kPalette, kOutline, kFill, kDot, kNumbers, kOrder };

struct Entry {
  Mark mark;
  std::string text;
  std::uint64_t values = 0;  ///< of kNumbers: how many there are; 0 for many
};

float mark_width(Mark mark) {
  if (mark == Mark::kNone) return 0;
  if (mark == Mark::kPalette) return palette_legend_width();
  if (mark == Mark::kNumbers) return kSwatches * ImGui::GetFontSize() + ImGui::GetStyle().ItemInnerSpacing.x;
  if (mark == Mark::kOrder) return kRamp * ImGui::GetFontSize() + ImGui::GetStyle().ItemInnerSpacing.x;
  return ImGui::GetFontSize() * 0.8f + ImGui::GetStyle().ItemInnerSpacing.x;
}

float width_of(const Entry& entry) {
  return mark_width(entry.mark) + ImGui::CalcTextSize(entry.text.c_str()).x;
}

float gap() {
  return ImGui::GetFontSize();
}

// Entries go side by side while there is room, so that the caption's height is known before it is drawn.
std::vector<std::vector<Entry>> flow(std::vector<Entry> entries, float width) {
  std::vector<std::vector<Entry>> lines;
  float used = 0;
  for (Entry& entry : entries) {
    const float needed = width_of(entry);
    if (lines.empty() || used + gap() + needed > width) {
      lines.emplace_back();
      used = needed;
    } else {
      used += gap() + needed;
    }
    lines.back().push_back(std::move(entry));
  }
  return lines;
}

// Some of the colours that values have.
void draw_data_colours(bool ordered, std::uint64_t values) {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const float font = ImGui::GetFontSize();
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float height = font * 0.7f;
  const float y = at.y + (ImGui::GetTextLineHeight() - height) / 2;
  const float width = (ordered ? kRamp : kSwatches) * font;
  const int steps = ordered       ? 32
                    : values == 0 ? kMostSwatches
                                  : static_cast<int>(std::min<std::uint64_t>(values, kMostSwatches));
  const float step = width / static_cast<float>(steps);
  for (int i = 0; i < steps; ++i) {
    const float share = static_cast<float>(i) / static_cast<float>(steps - 1);
    const teach::DataColour colour =
        ordered ? teach::ordered_colour(share)
                : teach::data_colour({teach::ColourKey::Kind::kNumber, static_cast<std::uint64_t>(i), 0});
    const float x = at.x + step * static_cast<float>(i);
    list.AddRectFilled({x, y}, {x + step, y + height}, IM_COL32(colour.red, colour.green, colour.blue, 255));
  }
  ImGui::Dummy({width, ImGui::GetTextLineHeight()});
  ImGui::SameLine(0, ImGui::GetStyle().ItemInnerSpacing.x);
}

// On the ground that the picture has there, since what is drawn over it lets it through.
void draw_mark(Mark mark, const render::Palette& palette) {
  if (mark == Mark::kNone) return;
  const float side = ImGui::GetFontSize() * 0.8f;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const ImVec2 low{at.x, at.y + (ImGui::GetTextLineHeight() - side) / 2};
  const ImVec2 high{low.x + side, low.y + side};
  list.AddRectFilled(low, high, IM_COL32(palette.hole.r, palette.hole.g, palette.hole.b, 255));
  if (mark == Mark::kOutline) list.AddRect(low, high, theme::kLaunchedBlock, 0, 0, 2);
  if (mark == Mark::kFill) {
    list.AddRectFilled(low, high, theme::kWastedBlock);
    list.AddRect(low, high, theme::kWastedOutline);
  }
  if (mark == Mark::kDot) {
    const float third = side / 3;
    list.AddRectFilled({low.x + third, low.y + third}, {high.x - third, high.y - third}, theme::kIdleThread);
  }
  ImGui::Dummy({side, ImGui::GetTextLineHeight()});
  ImGui::SameLine(0, ImGui::GetStyle().ItemInnerSpacing.x);
}

void draw_line(const std::vector<Entry>& line, const render::Palette& palette) {
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (i > 0) ImGui::SameLine(0, gap());
    if (line[i].mark == Mark::kPalette) {
      palette_legend(palette);
    } else {
      const bool data = line[i].mark == Mark::kNumbers || line[i].mark == Mark::kOrder;
      data ? draw_data_colours(line[i].mark == Mark::kOrder, line[i].values)
           : draw_mark(line[i].mark, palette);
      ImGui::TextUnformatted(line[i].text.c_str());
    }
  }
}

std::vector<Entry> legend(const LifeFacts& report, bool brief) {
  const LaunchCount count = launch_of(report);
  const std::uint64_t threads_in_block = count.threads / std::max<std::uint64_t>(1, count.blocks);
  const std::uint64_t in_them = count.occupied_blocks * threads_in_block;
  const std::uint64_t idle = in_them > count.cells ? in_them - count.cells : 0;
  // What is not in the picture is counted without a mark.
  const bool blocks = report.blocks_hidden.empty();
  const bool areas = report.blocks_hidden == kBlocksTooSmall;
  std::vector<Entry> entries;
  if (report.colours) {
    const teach::ColourLegend& colours = *report.colours;
    const bool order = colours.kind == teach::ColourKey::Kind::kOrdered;
    entries.push_back({order ? Mark::kOrder : Mark::kNumbers,
                       order   ? fmt::format("{}, {} to {}", colours.title, colours.first, colours.last)
                       : brief ? colours.title
                               : fmt::format("{}: {}", colours.title, colours.first),
                       colours.values});
  } else {
    entries.push_back({Mark::kPalette, ""});
  }
  entries.push_back({blocks ? Mark::kOutline : Mark::kNone,
                     plural(count.occupied_blocks, "block") + (brief ? "" : " with cells")});
  entries.push_back({blocks ? Mark::kDot : Mark::kNone,
                     brief ? format_count(idle) + " idle" : plural(idle, "idle thread") + " in them"});
  if (count.empty_blocks() == 0) {
    entries.push_back({Mark::kNone, brief ? "none for nothing" : "no block launched for nothing"});
  } else {
    const std::string drawn = areas && !brief ? ", as areas" : "";
    entries.push_back({blocks || areas ? Mark::kFill : Mark::kNone,
                       (brief ? format_count(count.empty_blocks()) + " for nothing"
                              : plural(count.empty_blocks(), "block") + " launched for nothing") +
                           drawn});
  }
  // Marks first: what has none would read as part of the mark before it.
  std::ranges::stable_partition(entries, [](const Entry& entry) { return entry.mark != Mark::kNone; });
  return entries;
}

std::string describe(const LifeFacts& report, const Place& place, bool alive) {
  const bool all_blocks = report.config.method.map == MapKind::kBoundingBox;
  std::string text = fmt::format("{} ({}, {})", place.is_cell ? alive ? "living cell" : "dead cell" : "hole",
                                 place.cell.x, place.cell.y);
  if (!all_blocks && !place.omega) return text + "  ·  no block is launched here";
  if (all_blocks) {
    text += fmt::format("  ·  block ({}, {})", place.block.x, place.block.y);
  } else {
    text += fmt::format("  ·  block ω = ({}, {})  λ→  ({}, {})", place.omega->x, place.omega->y,
                        place.block.x, place.block.y);
  }
  if (!place.thread) return text + "  ·  no thread: a hole";
  text += fmt::format("  ·  thread ({}, {})", place.thread->x, place.thread->y);
  if (!place.omega) return text + " idle: a block without cells";
  return text + (place.is_cell ? " works on it" : " idles");
}

}  // namespace

float caption(const Area& area, const LifeFacts& report, const render::Palette& palette,
              const std::optional<Place>& hovered, bool alive) {
  const float font = ImGui::GetFontSize();
  if (area.width < 12 * font || area.height < 12 * font) return 0;
  const ImGuiStyle& style = ImGui::GetStyle();
  const bool brief = area.width < 40 * font;
  const float width = area.width - 2 * style.WindowPadding.x;
  const auto lines = flow(legend(report, brief), width);
  // Room for the longest description, so that the picture does not change its size when the mouse moves.
  const float description_lines = std::clamp(std::ceil(kDescriptionWidth * font / width), 1.0f, 3.0f);
  const float height = 2 * style.WindowPadding.y - style.ItemSpacing.y +
                       static_cast<float>(lines.size()) * ImGui::GetTextLineHeightWithSpacing() +
                       description_lines * ImGui::GetTextLineHeight() + style.ItemSpacing.y;
  ImGui::SetNextWindowPos({area.x, area.y + area.height - height});
  ImGui::SetNextWindowSize({area.width, height});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, 0);
  ImGui::Begin("##caption", nullptr,
               ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove |
                   ImGuiWindowFlags_NoBringToFrontOnFocus | ImGuiWindowFlags_NoFocusOnAppearing |
                   ImGuiWindowFlags_NoNav);
  ImGui::PopStyleVar();
  mark_window(Control::kLegend);
  for (const auto& line : lines) draw_line(line, palette);
  ImGui::PushStyleColor(ImGuiCol_Text, hovered ? theme::kText : theme::kMuted);
  std::string text = report.blocks_hidden.empty() ? "" : fmt::format("({})  ", report.blocks_hidden);
  text += hovered ? describe(report, *hovered, alive)
          : brief ? "Hover a cell: its block, its thread"
                  : "Hover the picture to see a cell's block and thread.";
  wrapped(text);
  ImGui::PopStyleColor();
  ImGui::End();
  return height;
}

void wrong_banner(const Area& picture, std::string_view text) {
  if (text.empty() || picture.empty()) return;
  const float font = ImGui::GetFontSize();
  const float width = std::min(picture.width - font, font * 22);
  if (width < font * 6) return;
  ImGui::SetNextWindowPos({picture.x + font * 0.6f, picture.y + font * 0.6f});
  ImGui::SetNextWindowSize({width, 0});
  ImGui::PushStyleColor(ImGuiCol_Border, theme::kWarning);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, 2);
  ImGui::Begin("##wrong", nullptr,
               ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings |
                   ImGuiWindowFlags_NoFocusOnAppearing | ImGuiWindowFlags_NoNav | ImGuiWindowFlags_NoInputs);
  ImGui::PopStyleVar();
  ImGui::PopStyleColor();
  warning(std::string(text));
  ImGui::End();
}

}  // namespace loom::app
