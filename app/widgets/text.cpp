#include "app/widgets/text.h"

#include <imgui.h>

#include <algorithm>
#include <array>
#include <glm/common.hpp>
#include <glm/vector_relational.hpp>

#include "app/gui/imgui_compat.h"
#include "app/gui/theme.h"
#include "app/text/format.h"
#include "app/widgets/inputs.h"

namespace loom::app {
namespace {

bool is_digit(char letter) {
  return letter >= '0' && letter <= '9';
}

/// Whether the byte is not the first of a UTF-8 character.
bool continues(char byte) {
  return (static_cast<unsigned char>(byte) & 0xC0) == 0x80;
}

std::string_view without_punctuation(std::string_view word) {
  while (!word.empty() && std::string_view(".,;:!?)").find(word.back()) != std::string_view::npos)
    word.remove_suffix(1);
  return word;
}

bool is_unit(std::string_view word) {
  static constexpr std::array<std::string_view, 15> kUnits = {
      "µs", "ms", "s", "%", "B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB", "i", "ulps", "pixels", "FPS"};
  return std::ranges::find(kUnits, without_punctuation(word)) != kUnits.end();
}

bool is_operator(std::string_view word) {
  static constexpr std::array<std::string_view, 7> kOperators = {"×", "x", "+", "−", "-", "/", "="};
  return std::ranges::find(kOperators, word) != kOperators.end();
}

/// Whether the blank between two words is part of a number, a quantity or a formula.
bool belong_together(std::string_view first, std::string_view second) {
  if (first == "=" || second == "=") return true;
  const bool number_before = is_digit(first.back());
  if (number_before && (is_unit(second) || is_operator(second))) return true;
  const bool number_after = is_digit(second.front()) || (second.size() > 1 && second.front() == '-');
  return is_operator(first) && number_after;
}

/// The beginning of `text` that stays on one line: a word, with the words after it that belong to it.
std::string_view first_piece(std::string_view text) {
  std::size_t begin = 0;  // begin of the last word
  std::size_t end = std::min(text.find_first_of(" \n"), text.size());
  while (end < text.size() && text[end] == ' ') {
    const std::size_t next_end = std::min(text.find_first_of(" \n", end + 1), text.size());
    const std::string_view last = text.substr(begin, end - begin);
    const std::string_view next = text.substr(end + 1, next_end - end - 1);
    if (last.empty() || next.empty() || !belong_together(last, next)) break;
    begin = end + 1;
    end = next_end;
  }
  return text.substr(0, end);
}

/// Number of bytes of a word that fit, at least one character.
std::size_t fitting(std::string_view word, float width,
                    const std::function<float(std::string_view)>& measure) {
  std::size_t end = 1;
  while (end < word.size() && continues(word[end])) ++end;
  for (std::size_t next = end; next < word.size();) {
    do ++next;
    while (next < word.size() && continues(word[next]));
    if (measure(word.substr(0, next)) > width) break;
    end = next;
  }
  return end;
}

}  // namespace

float text_width(std::string_view text) {
  return ImGui::CalcTextSize(text.data(), text.data() + text.size()).x;
}

Text with_subscripts(std::string_view text) {
  static constexpr std::array<std::string_view, 3> kLetters = {"\uE078", "\uE079", "\uE07A"};
  static_assert(imgui_compat::kSubscripts + 'x' == 0xE078);
  if (!imgui_compat::kHasSubscripts) return text;
  const auto is_in_word = [](char c) {
    return c == '_' || is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
  };
  // After a Greek letter, or after an s that is a word.
  const auto has_subscript = [&](std::size_t at) {
    const char before = text[at - 1];
    const bool is_s = before == 's' && (at < 2 || !is_in_word(text[at - 2]));
    return (is_s || continues(before)) && at + 1 < text.size() && text[at + 1] >= 'x' &&
           text[at + 1] <= 'z' && (at + 2 == text.size() || !is_in_word(text[at + 2]));
  };
  Text shown;
  std::size_t done = 0;
  for (std::size_t at = text.find('_'); at != std::string_view::npos; at = text.find('_', at + 1)) {
    if (at == 0 || !has_subscript(at)) continue;
    shown.append(text.substr(done, at - done)).append(kLetters[static_cast<std::size_t>(text[at + 1] - 'x')]);
    done = at + 2;
  }
  return shown.append(text.substr(done));
}

Text plural(std::uint64_t count, std::string_view noun) {
  return format_count(count).append(" ").append(noun).append(count == 1 ? "" : "s");
}

void elided_text(std::string_view text, float width) {
  if (text_width(text) <= width) {
    ImGui::TextUnformatted(text.data(), text.data() + text.size());
    return;
  }
  std::size_t end = text.size();
  Text cut;
  do {
    do --end;
    while (end > 0 && continues(text[end]));
    cut = text.substr(0, end);
    cut.append("…");
  } while (end > 0 && text_width(cut) > width);
  ImGui::TextUnformatted(cut.c_str());
  tooltip(text);
}

Text break_into_lines(std::string_view text, float width,
                      const std::function<float(std::string_view)>& measure) {
  Text lines;
  std::size_t start = 0;  // begin of the current line in `lines`
  const auto new_line = [&] {
    lines.append("\n");
    start = lines.size();
  };
  for (std::size_t at = 0;; ++at) {
    std::string_view piece = first_piece(text.substr(at));
    at += piece.size();
    if (lines.size() > start && measure(std::string_view(lines).substr(start)) + measure(piece) > width) {
      while (lines.size() > start && std::string_view(lines).back() == ' ') lines.cut(lines.size() - 1);
      new_line();
    }
    while (lines.size() == start && measure(piece) > width) {
      const std::size_t part = fitting(piece, width, measure);
      if (part >= piece.size()) break;
      lines.append(piece.substr(0, part));
      new_line();
      piece.remove_prefix(part);
    }
    lines.append(piece);
    if (at == text.size()) return lines;
    if (text[at] == '\n') {
      new_line();
    } else {
      lines.append(" ");
    }
  }
}

void wrapped_text(std::string_view text) {
  wrapped_text(text, ImGui::GetContentRegionAvail().x);
}

void wrapped_text(std::string_view text, float width) {
  const Text lines = break_into_lines(with_subscripts(text), width, text_width);
  ImGui::TextUnformatted(lines.c_str(), lines.c_str() + lines.size());
}

bool text_in_lines(std::string_view text, float width, int lines) {
  const float most = (static_cast<float>(lines) + 0.5f) * ImGui::GetTextLineHeight();
  const auto height = [&](std::string_view part) {
    const Text broken = break_into_lines(part, width, text_width);
    const std::string_view all = broken;
    return static_cast<float>(1 + std::ranges::count(all, '\n')) * ImGui::GetTextLineHeight();
  };
  if (height(text) <= most) {
    wrapped_text(text, width);
    return true;
  }
  std::size_t low = 0;
  std::size_t high = text.size();
  const auto shortened = [&](std::size_t size) {
    while (size > 0 && continues(text[size])) --size;  // whole letters
    std::string_view part = text.substr(0, size);
    while (part.ends_with(' ')) part.remove_suffix(1);
    return std::string(part) + "…";
  };
  while (low + 1 < high) {
    const std::size_t middle = (low + high) / 2;
    (height(shortened(middle)) <= most ? low : high) = middle;
  }
  wrapped_text(shortened(low), width);
  return false;
}

void right_aligned(std::string_view text) {
  const Text shown = with_subscripts(text);
  const float room = ImGui::GetContentRegionAvail().x - text_width(shown);
  if (room > 0) ImGui::SetCursorPosX(ImGui::GetCursorPosX() + room);
  ImGui::TextUnformatted(shown.c_str());
}

namespace {

constexpr float kLineWidth = 24;  // font sizes

/// The item under the mouse, across frames.
struct Hover {
  ImGuiID window = 0;
  Area item;
  int frame = 0;           ///< the last frame in which the mouse was on it
  double since = 0;        ///< when the mouse entered it
  bool clicked = false;    ///< a mouse button was pressed since then
  int shown_in_frame = 0;  ///< the last frame with its tooltip
  std::string text;
  Area area;
};

// Static, because there is one mouse.
Hover& hover() {
  static Hover one;
  return one;
}

bool overlap(const Area& a, const Area& b) {
  return glm::all(glm::lessThan(a.corner, b.end())) && glm::all(glm::lessThan(b.corner, a.end()));
}

bool contains(const Area& outer, const Area& inner) {
  return glm::all(glm::greaterThanEqual(inner.corner, outer.corner)) &&
         glm::all(glm::lessThanEqual(inner.end(), outer.end()));
}

// Items have no common identifier; the window and the area identify an item.
bool hovered_for_long(const Area& item) {
  Hover& now = hover();
  const int frame = ImGui::GetFrameCount();
  const ImGuiID window = imgui_compat::window_id();
  const bool goes_on = now.frame <= frame && now.frame + 1 >= frame && now.window == window;
  if (!goes_on || !overlap(now.item, item)) {
    now.since = ImGui::GetTime();
    now.clicked = false;
  }
  now.window = window;
  now.item = item;
  now.frame = frame;
  now.clicked |= ImGui::IsAnyMouseDown();
  return !now.clicked && ImGui::GetTime() - now.since >= kTooltipDelay;
}

}  // namespace

Area tooltip_area(const Area& item, const Area& window, const Area& screen, glm::vec2 size, float gap) {
  const auto within = [&](glm::vec2 corner) {
    return glm::max(screen.corner, glm::min(corner, screen.end() - size));
  };
  const glm::vec2 inside = within(item.corner);
  const glm::vec2 before = item.corner - gap - size;
  const glm::vec2 after = item.end() + gap;
  const std::array<glm::vec2, 6> places = {{{window.end().x + gap, inside.y},
                                            {window.corner.x - gap - size.x, inside.y},
                                            {inside.x, after.y},
                                            {inside.x, before.y},
                                            {after.x, inside.y},
                                            {before.x, inside.y}}};
  const bool is_column = 2 * window.size.x <= screen.size.x;
  for (std::size_t i = is_column ? 0 : 2; i < places.size(); ++i) {
    if (contains(screen, {places[i], size})) return {places[i], size};
  }
  return {{inside.x, within(after).y}, size};
}

void tooltip(std::string_view text) {
  if (!text.empty() && ImGui::IsItemHovered(ImGuiHoveredFlags_AllowWhenDisabled))
    tooltip_of(item_area(), text);
}

void tooltip_of(const Area& item, std::string_view text) {
  if (!hovered_for_long(item)) return;
  Hover& now = hover();
  const float font = ImGui::GetFontSize();
  const Text lines = break_into_lines(with_subscripts(text), kLineWidth * font, text_width);
  // Further tooltips of the item in this frame are appended to the first.
  if (now.shown_in_frame != now.frame) {
    const ImGuiStyle& style = ImGui::GetStyle();
    const glm::vec2 size = ImGui::CalcTextSize(lines.c_str(), lines.c_str() + lines.size());
    const ImRect window = imgui_compat::root_window_rect();
    now.area = tooltip_area(item, {window.Min, window.GetSize()}, {{}, ImGui::GetIO().DisplaySize},
                            size + 2.0f * glm::vec2(style.WindowPadding), theme::grid(1));
    now.text.assign(text);
    now.shown_in_frame = now.frame;
    ImGui::SetNextWindowPos(now.area.corner);
  }
  ImGui::BeginTooltip();
  ImGui::TextUnformatted(lines.c_str(), lines.c_str() + lines.size());
  ImGui::EndTooltip();
}

ShownTooltip shown_tooltip() {
  const Hover& now = hover();
  if (now.shown_in_frame != ImGui::GetFrameCount()) return {};
  return {now.text, now.item, now.area};
}

Area item_area() {
  return {ImGui::GetItemRectMin(), ImGui::GetItemRectSize()};
}

}  // namespace loom::app
