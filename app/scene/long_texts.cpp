#include "app/scene/long_texts.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

namespace loom::app::scene {
namespace {

/// The quote that ends the text that begins at `begin`; the end where there is none.
std::size_t end_of_text(std::string_view text, std::size_t begin) {
  for (std::size_t end = text.find('"', begin); end != std::string_view::npos;
       end = text.find('"', end + 1)) {
    std::size_t escapes = 0;
    while (end - escapes > begin && text[end - escapes - 1] == '\\') ++escapes;
    if (escapes % 2 == 0) return end;
  }
  return text.size();
}

}  // namespace

LongTexts without_long_texts(std::string_view text) {
  LongTexts lifted;
  std::size_t kept = 0;  // up to here it is in the rest
  for (std::size_t at = text.find('"'); at != std::string_view::npos;) {
    const std::size_t begin = at + 1;
    const std::size_t end = end_of_text(text, begin);
    const std::string_view inside = text.substr(begin, end - begin);
    if (end < text.size() && inside.size() >= kLongText && inside.find('\\') == std::string_view::npos) {
      lifted.rest += text.substr(kept, begin - kept);
      lifted.rest += fmt::format("\\u0000{}", lifted.parts.size());
      lifted.parts.push_back(inside);
      kept = end;
    }
    at = end < text.size() ? text.find('"', end + 1) : std::string_view::npos;
  }
  lifted.rest += text.substr(kept);
  return lifted;
}

std::optional<std::size_t> part_of_mark(std::string_view text) {
  if (text.size() < 2 || text.front() != '\0') return std::nullopt;
  std::size_t part = 0;
  const char* const end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data() + 1, end, part);
  if (error != std::errc() || rest != end) return std::nullopt;
  return part;
}

}  // namespace loom::app::scene
