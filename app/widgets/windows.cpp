#include "app/widgets/windows.h"

#include <algorithm>
#include <cmath>
#include <glm/common.hpp>
#include <glm/vec3.hpp>
#include <utility>

#include "app/gui/imgui_compat.h"
#include "app/gui/theme.h"
#include "app/text/format.h"
#include "app/widgets/control_marks.h"
#include "app/widgets/diagram_painter.h"
#include "app/widgets/inputs.h"
#include "app/widgets/text.h"

namespace loom::app {

void begin_fixed_window(const char* id, const Area& area, ImGuiWindowFlags more) {
  ImGui::SetNextWindowPos(area.corner);
  ImGui::SetNextWindowSize(area.size);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, 0);
  ImGui::Begin(id, nullptr,
               ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_NoResize | ImGuiWindowFlags_NoMove |
                   ImGuiWindowFlags_NoBringToFrontOnFocus | more);
  ImGui::PopStyleVar();
}

void keep_in_front() {
  const bool list = ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopupId | ImGuiPopupFlags_AnyPopupLevel);
  if (!list && !ImGui::IsAnyItemActive() && !ImGui::IsAnyMouseDown()) ImGui::SetNextWindowFocus();
}

void begin_bar(const char* id, const Area& area, ImGuiWindowFlags more) {
  begin_fixed_window(
      id, area,
      ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoFocusOnAppearing | ImGuiWindowFlags_NoNav | more);
}

float begin_caption(const char* id, const Area& area, float longest, bool one_line) {
  const float font = ImGui::GetFontSize();
  if (area.size.x < 12 * font || area.size.y < 12 * font) return 0;
  const glm::vec2 padding{theme::grid(2), theme::grid(1)};
  const float width = area.size.x - 2 * padding.x;
  const float lines = one_line ? 1.0f : std::clamp(std::ceil(longest * font / width), 1.0f, 3.0f);
  const float height = std::floor(lines * ImGui::GetTextLineHeight() + 2 * padding.y);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, padding);
  begin_bar(id, {{area.corner.x, area.end().y - height}, {area.size.x, height}},
            ImGuiWindowFlags_NoScrollWithMouse | ImGuiWindowFlags_NoBackground);
  ImGui::PopStyleVar();
  mark_window(Control::kCaption);
  return height;
}

bool begin_dialog(const char* title, bool& begin, float width, float top) {
  if (std::exchange(begin, false)) ImGui::OpenPopup(title);
  const glm::vec2 size = ImGui::GetIO().DisplaySize;
  ImGui::SetNextWindowPos({size.x / 2, size.y * top}, ImGuiCond_Always, {0.5f, 0});
  ImGui::SetNextWindowSize({std::min(width * ImGui::GetFontSize(), size.x * 0.96f), 0});
  if (!ImGui::BeginPopupModal(title, nullptr, ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoResize))
    return false;
  // Shortcuts are inactive here: arrow keys move between controls, and Space activates one.
  ImGui::GetIO().ConfigFlags |= ImGuiConfigFlags_NavEnableKeyboard;
  theme::push_on_raised();
  return true;
}

bool is_enter_available() {
  return imgui_compat::is_enter_pressed() && !imgui_compat::is_control_active() &&
         !imgui_compat::has_key_cursor() && ImGui::IsWindowFocused(ImGuiFocusedFlags_RootAndChildWindows);
}

void end_dialog(std::map<std::string, Area, std::less<>>& areas) {
  theme::pop_on_raised();
  if (ImGui::IsWindowAppearing()) areas.clear();
  ImGui::EndPopup();
}

void begin_pane_window(const char* id, const Area& area, bool scrolls) {
  begin_fixed_window(id, area,
                     ImGuiWindowFlags_NoFocusOnAppearing | ImGuiWindowFlags_NoNav |
                         (scrolls ? ImGuiWindowFlags_HorizontalScrollbar
                                  : ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse));
}

float content_width_in_fonts(const Area& area) {
  const ImGuiStyle& style = ImGui::GetStyle();
  const float width = area.size.x - 2 * style.WindowPadding.x - style.ScrollbarSize;
  return std::floor(width / ImGui::GetFontSize() - 0.5f);  // font_size_for() leaves a half
}

float font_size_for(const diagram::Diagram& diagram, float smallest) {
  const float font = ImGui::GetFontSize();
  const float fitting = ImGui::GetContentRegionAvail().x / std::max(diagram.size().x + 0.5f, 1.0f);
  return std::clamp(fitting, smallest * font, font);
}

const diagram::Hotspot* draw_at_cursor(const diagram::Diagram& diagram, float size) {
  const glm::vec2 at = ImGui::GetCursorScreenPos();
  ImGui::Dummy(diagram.size() * size);
  return paint_diagram(*ImGui::GetWindowDrawList(), diagram, at, size, ImGui::IsWindowHovered());
}

Area area_of(const diagram::Box& box, glm::vec2 corner, float size) {
  return {corner + box.corner * size, box.size * size};
}

const diagram::Hotspot* show_diagram(const diagram::Diagram& diagram, float smallest) {
  const glm::vec2 at = ImGui::GetCursorScreenPos();
  const float size = font_size_for(diagram, smallest);
  const diagram::Hotspot* const hotspot = draw_at_cursor(diagram, size);
  if (hotspot != nullptr && !hotspot->tip.empty()) tooltip_of(area_of(hotspot->box, at, size), hotspot->tip);
  return hotspot;
}

namespace {

// In font sizes.
constexpr float kHeaderHeight = 1.9f;
constexpr float kMinWidth = 7.5f;  ///< of the panes beside a wide one
constexpr float kMinScoreWidth = 9;
constexpr float kRoomyScoreWidth = 10.5f;
constexpr float kLeastAbove = 1.7f;  ///< height of the picture above a score, in heights of the score

}  // namespace

void layout_panes(const Area& area, std::size_t count, float font_size, float scores,
                  std::vector<PaneArea>& areas, float last) {
  areas.clear();
  if (count <= 1) return areas.push_back({.header = {}, .picture = area, .score = {}});
  const float gap = 2;
  glm::vec2 room = area.size;
  if (scores > 0) room.y -= std::floor(kVerdictHeight * font_size);
  const auto cell = [&](std::size_t columns) {
    const std::size_t rows = (count + columns - 1) / columns;
    const auto part = [&](float whole, std::size_t parts) {
      const float gaps = gap * static_cast<float>(parts - 1);
      return std::max(0.0f, std::floor((whole - gaps) / static_cast<float>(parts)));
    };
    return glm::vec2{part(room.x, columns), part(room.y, rows)};
  };
  const float wanted = std::floor(kHeaderHeight * font_size);
  const float score = std::floor(scores * font_size);
  // A square that is about as wide as its pane needs no more height.
  const auto has_height = [&](glm::vec2 size) {
    const float above = size.y - wanted - score;
    const bool is_wide = size.x >= kRoomyScoreWidth * font_size;
    return above >= (is_wide ? std::min(0.85f * size.x, kLeastAbove * score) : kLeastAbove * score);
  };
  // Finds the arrangement with the largest square in a picture.
  std::size_t columns = 1;
  float best = -1;
  for (std::size_t tried = count; tried >= 1; --tried) {
    const glm::vec2 size = cell(tried);
    const float height = size.y - wanted;
    const float side = std::min(size.x, has_height(size) ? height - score : height);
    if (side > best) {
      best = side;
      columns = tried;
    }
  }
  glm::vec2 size = cell(columns);
  if (columns == count) {
    const auto others = static_cast<float>(count - 1);
    const float left = std::floor((area.size.x - last * font_size) / others - gap);
    size.x = std::min(size.x, std::max(left, kMinWidth * font_size));
  }
  // A low or narrow pane has no score.
  const bool has_score = has_height(size) && (last <= 0 || size.x >= kMinScoreWidth * font_size);
  const float below = has_score ? score : 0;
  if (!has_score) {
    room = area.size;
    size.y = cell(columns).y;
  }
  const float header = std::min(wanted, size.y);
  for (std::size_t i = 0; i < count; ++i) {
    const glm::vec2 corner = area.corner + glm::vec2(i % columns, i / columns) * (size + gap);
    // The last pane takes the rest of its row.
    const float width = i + 1 == count ? area.end().x - corner.x : size.x;
    areas.push_back({.header = {corner, {width, header}},
                     .picture = {corner + glm::vec2{0, header}, {width, size.y - header - below}},
                     .score = {corner + glm::vec2{0, size.y - below}, {width, below}}});
  }
}

void begin_pane_header(const char* id, const Area& area, const std::optional<glm::vec4>& accent) {
  const float pad = std::max(0.0f, (area.size.y - ImGui::GetTextLineHeight()) / 2);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {theme::grid(2), pad});
  ImGui::PushStyleColor(ImGuiCol_WindowBg, theme::colours().raised);
  begin_bar(id, area, ImGuiWindowFlags_NoScrollWithMouse);
  ImGui::PopStyleColor();
  ImGui::PopStyleVar();
  if (!accent) return;
  const float line = std::max(2.0f, std::floor(theme::grid(0.5f)));
  ImGui::GetWindowDrawList()->AddRectFilled(area.corner, area.corner + glm::vec2{area.size.x, line},
                                            ImGui::GetColorU32(*accent));
}

namespace {

// In font sizes.
constexpr float kScoreRowHeight = 1.3f;
constexpr float kScorePadding = 0.35f;
constexpr float kScoreLabelWidth = 5.0f;

// Rounds by a pixel. An anti-aliased rounding takes some six times the triangles, which a software rasterizer
// sets up in each frame.
void fill_rounded(ImDrawList& list, glm::vec2 low, glm::vec2 high, ImU32 colour) {
  low = glm::round(low);
  high = glm::round(high);
  if (high.x - low.x < 3) return list.AddRectFilled(low, high, colour);
  list.AddRectFilled(low + glm::vec2{1, 0}, {high.x - 1, low.y + 1}, colour);
  list.AddRectFilled(low + glm::vec2{0, 1}, high - glm::vec2{0, 1}, colour);
  list.AddRectFilled({low.x + 1, high.y - 1}, high - glm::vec2{1, 0}, colour);
}

/// The size of a remark without its last word; 0 if it is one word.
std::size_t last_space(std::string_view remark) {
  const std::size_t space = remark.rfind(' ');
  return space == std::string_view::npos ? 0 : space;
}

}  // namespace

bool ScoreValues::is_lowest(std::size_t index, double margin) const {
  if (!values_[index]) return false;
  for (std::size_t i = 0; i < count_; ++i) {
    if (i != index && !(values_[i] && *values_[index] < *values_[i] * (1 - margin))) return false;
  }
  return true;
}

double ScoreValues::share(std::size_t index) const {
  double most = 1e-12;
  for (const auto& value : values_) most = std::max(most, value.value_or(0));
  return values_[index].value_or(0) / most;
}

void score_bar(const ScoreBar& bar) {
  const float font = ImGui::GetFontSize();
  ImGui::PushStyleColor(ImGuiCol_Text, theme::colours().muted);
  ImGui::TextUnformatted(bar.label);
  ImGui::PopStyleColor();
  ImGui::SameLine(kScoreLabelWidth * font);
  const glm::vec2 corner = ImGui::GetCursorScreenPos();
  const float width = std::max(remaining_width(), 1.0f);
  const float height = ImGui::GetTextLineHeight();
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const float length = std::max(4.0f, width * static_cast<float>(std::clamp(bar.share, 0.0, 1.0)));
  const auto fill = [&](float from, float to, ImU32 colour) {
    fill_rounded(list, corner + glm::vec2{from, 0}, corner + glm::vec2{to, height}, colour);
  };
  // Under the rounded end of the bar too, but not under all of it: fewer pixels are filled twice.
  if (length < width) fill(length - 2, width, ImGui::GetColorU32(theme::colours().raised));
  fill(0, length, bar.colour);
  if (bar.dark > 0)
    fill(length * static_cast<float>(1 - std::clamp(bar.dark, 0.0, 1.0)), length, theme::colours().shade);
  const auto write = [&](float x, const glm::vec4& paint, const Text& text) {
    list.AddText(corner + glm::vec2{x, 0}, ImGui::GetColorU32(paint), text.c_str());
  };
  Text value = bar.value;  // without room for all words, the first ones
  while (text_width(value) > width - theme::grid(2) && last_space(value) > 0) value.cut(last_space(value));
  write(theme::grid(1), theme::colours().text, value);
  // Without room for the whole remark, its number.
  for (Text remark = bar.remark; !remark.empty(); remark.cut(last_space(remark))) {
    const float left = width - text_width(remark) - theme::grid(1);
    if (left <= text_width(bar.value) + font) continue;
    write(left, bar.is_best ? theme::colours().success : theme::colours().text, remark);
    break;
  }
  ImGui::Dummy({width, height});
}

namespace {

/// As time_remark(), for any value; `less` and `more` are the words for own < base and for own > base.
Text score_remark(const std::optional<double>& own, const std::optional<double>& base, bool is_best,
                  std::string_view less, std::string_view more) {
  Text text;
  if (is_best) text.append("✓ ");
  if (own && base && *own > 0 && *own != *base) {
    const bool is_less = *own < *base;
    text.add("{} {}", format_ratio(is_less ? *base / *own : *own / *base), is_less ? less : more);
  } else if (is_best) {
    text.append("best");
  }
  return text;
}

}  // namespace

Text time_remark(const std::optional<double>& own, const std::optional<double>& base, bool is_best) {
  if (own && base && !are_comparable(*own, *base)) return format_speedup(*base, *own);
  return score_remark(own, base, is_best, "speedup", "slower");
}

bool is_fastest(const ScoreValues& times, std::size_t index, const std::optional<double>& own, double noise) {
  return own && *own >= kMinComparedMs && times.is_lowest(index, noise);
}

Text verdict_of(const ScoreValues& times, std::span<const std::string_view> names, bool is_rough) {
  std::size_t best = 0;
  for (std::size_t i = 0; i < times.size(); ++i) {
    if (!times[i]) return {};
    if (*times[i] < *times[best]) best = i;
  }
  if (times.size() < 2) return {};
  if (*times[best] < kMinComparedMs)
    return "No clear winner: times below 20 µs are mostly the launch and noise";
  const double noise = is_rough ? kLiveNoise : kTimeNoise;
  const auto is_equal = [&](std::size_t i) { return i != best && *times[best] >= *times[i] * (1 - noise); };
  Text text;
  for (std::size_t i = 0; i < times.size(); ++i) {
    if (!is_equal(i)) continue;
    if (text.empty()) text.add("No clear winner: {}", names[best]);
    text.add(" and {}", names[i]);
  }
  const bool is_open = !text.empty();
  if (is_open) {
    text.add(" differ by less than {:.0f} %", 100 * noise);
  } else {
    text.add("{} is fastest here", capitalized(std::string(names[best])));
  }
  const char* separator = is_open ? "; " : ": ";
  const char* faster = "faster ";
  for (std::size_t i = 0; i < times.size(); ++i) {
    if (i == best || is_equal(i)) continue;
    const double ratio = *times[i] / *times[best];
    text.append(std::exchange(separator, ", "));
    text.append(is_rough ? format_text("≈ {:.{}f}×", ratio, ratio < 10 ? 1 : 0) : format_ratio(ratio));
    text.add(" {}than {}", std::exchange(faster, ""), names[i]);
  }
  return text;
}

void draw_verdict(const std::vector<PaneArea>& areas, const Text& verdict, const char* unknown,
                  std::string_view meaning) {
  if (areas.empty()) {
    verdict.empty() ? note(unknown) : wrapped_text(verdict);
    return tooltip(meaning);
  }
  const float font = ImGui::GetFontSize();
  const glm::vec2 corner{areas.front().header.corner.x, areas.back().score.end().y};
  const Area area{corner, {areas.back().header.end().x - corner.x, std::floor(kVerdictHeight * font)}};
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding,
                      {theme::grid(2), std::floor((area.size.y - ImGui::GetTextLineHeight()) / 2)});
  begin_bar("##verdict", area, ImGuiWindowFlags_NoScrollWithMouse | ImGuiWindowFlags_NoBackground);
  ImGui::PopStyleVar();
  if (verdict.empty()) ImGui::PushStyleColor(ImGuiCol_Text, theme::colours().muted);
  elided_text(verdict.empty() ? std::string_view(unknown) : std::string_view(verdict), remaining_width());
  if (verdict.empty()) ImGui::PopStyleColor();
  tooltip(meaning);
  ImGui::End();
}

ImU32 score_colour(const glm::vec4& accent) {
  return ImGui::GetColorU32(theme::behind_text(accent));
}

float score_height(int rows) {
  return 2 * kScorePadding + kScoreRowHeight * static_cast<float>(rows);
}

void begin_score(const char* id, const Area& area) {
  const float font = ImGui::GetFontSize();
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {theme::grid(2), kScorePadding * font});
  begin_bar(id, area, ImGuiWindowFlags_NoScrollWithMouse | ImGuiWindowFlags_NoBackground);
  ImGui::PopStyleVar();
}

namespace {

using ScoreValue = std::optional<double> (*)(const MapScoreValues& score);

std::optional<double> step_of(const MapScoreValues& score) {
  return score.step_ms;
}
std::optional<double> threads_of(const MapScoreValues& score) {
  return score.threads ? std::optional(static_cast<double>(score.threads->threads_launched)) : std::nullopt;
}
std::optional<double> bytes_of(const MapScoreValues& score) {
  return score.bytes ? std::optional(static_cast<double>(*score.bytes)) : std::nullopt;
}

/// The value of each map in one row.
ScoreValues values_of(std::span<const MapScoreValues> all, ScoreValue value) {
  ScoreValues values;
  for (const MapScoreValues& score : all) values.add(value(score));
  return values;
}

/// A speedup of live times, with the digits that repeat from run to run.
Text live_speedup(const std::optional<double>& own, const std::optional<double>& base) {
  if (!own || !base) return {};
  if (!are_comparable(*own, *base)) return format_speedup(*base, *own);
  const char* const word = *own < *base ? "speedup" : "slower";
  const double ratio = *own < *base ? *base / *own : *own / *base;
  return ratio < 10 ? format_text("≈ {:.1f}× {}", ratio, word) : format_text("≈ {:.0f}× {}", ratio, word);
}

}  // namespace

void map_score_rows(std::span<const MapScoreValues> all, std::size_t own, const MapScoreValues* box,
                    const char* time_meaning) {
  const MapScoreValues& score = all[own];
  const ImU32 colour = score_colour(score.accent);
  const auto base = [&](ScoreValue value) {
    return box != nullptr && box != &score ? value(*box) : std::nullopt;
  };
  const ScoreValues steps = values_of(all, step_of);
  const bool fastest = !score.is_live && is_fastest(steps, own, score.step_ms);
  score_bar({.label = score.is_live ? "Live step" : "Step",
             .share = steps.share(own),
             .colour = colour,
             .value = score.step_ms ? format_time(*score.step_ms) : Text("not timed (Space)"),
             .remark = score.is_early || (box != nullptr && box->is_early) ? Text()
                       : score.is_live ? live_speedup(score.step_ms, base(step_of))
                                       : time_remark(score.step_ms, base(step_of), fastest),
             .is_best = fastest});
  tooltip(time_meaning);
  const ScoreValues threads = values_of(all, threads_of);
  const double utilization =
      score.threads ? thread_utilization(score.threads->threads_active, score.threads->threads_launched) : 1;
  score_bar({.label = "Threads",
             .share = threads.share(own),
             .dark = 1 - utilization,
             .colour = colour,
             .value = score.threads ? format_count(score.threads->threads_launched) : Text("–"),
             .remark = score.threads ? format_percent(utilization).append(" utilization") : Text(),
             .is_best = threads.is_lowest(own)});
  tooltip(
      "Threads launched in one generation, counted; the dark part is idle. Thread utilization: active over "
      "launched threads. A CUDA thread that works on several tiles counts once for each of them");
  const ScoreValues bytes = values_of(all, bytes_of);
  const bool smallest = bytes.is_lowest(own);
  score_bar({.label = "Memory",
             .share = bytes.share(own),
             .colour = colour,
             .value = score.bytes ? format_bytes(*score.bytes) : Text("–"),
             .remark = score_remark(bytes_of(score), base(bytes_of), smallest, "less", "more"),
             .is_best = smallest});
  tooltip(
      "Memory allocated for cells: both generations, which a step reads and writes; ratio to the bounding "
      "box");
}

}  // namespace loom::app
