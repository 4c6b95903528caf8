#include "app/widgets/text.h"

#include <imgui.h>

#include <algorithm>
#include <array>
#include <string>

#include "app/text/format.h"
#include "app/widgets/choice.h"

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
  static constexpr std::array<std::string_view, 14> kUnits = {
      "ms", "s", "%", "B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB", "i", "ulps", "pixels", "FPS"};
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
  const Text lines = break_into_lines(text, width, text_width);
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
  const float room = ImGui::GetContentRegionAvail().x - text_width(text);
  if (room > 0) ImGui::SetCursorPosX(ImGui::GetCursorPosX() + room);
  ImGui::TextUnformatted(text.data(), text.data() + text.size());
}

}  // namespace loom::app
