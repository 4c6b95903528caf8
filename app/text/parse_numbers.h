#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include "compute/core/error.h"

namespace loom::app {

/// Numbers and words in texts that people typed or pasted. Throw InputError with the fault.

inline constexpr std::string_view kBlanks = " \t\r\n";
inline constexpr std::size_t kMaxWords = 100000;

inline std::string_view without_blanks(std::string_view text) {
  const std::size_t first = text.find_first_not_of(kBlanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kBlanks) - first + 1);
}

/// The beginning of a text, in printable ASCII, for messages.
inline std::string shown(std::string_view text) {
  constexpr std::size_t kMost = 40;
  std::string one(text.substr(0, kMost));
  for (char& c : one) c = (c < ' ' || c > '~') ? '?' : c;
  return text.size() > kMost ? one + "..." : one;
}

/// `what` names the number in the message. Finite; a number that is too small for a double is 0.
inline double parse_number(std::string_view text, std::string_view what) {
  text = without_blanks(text);
  if (text.starts_with('+')) text.remove_prefix(1);
  double value = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  // Underflow becomes 0; overflow is an error.
  const bool tiny = error == std::errc::result_out_of_range && stop == end &&
                    (text.find("e-") != std::string_view::npos || text.find("E-") != std::string_view::npos);
  if (tiny) return 0;
  if (error != std::errc{} || stop != end || !std::isfinite(value))
    throw InputError(fmt::format("{} is not a number: '{}'", what, shown(text)));
  return value;
}

/// The words between characters of `separators`; at most kMaxWords.
inline std::vector<std::string_view> split_words(std::string_view text, std::string_view separators) {
  std::vector<std::string_view> parts;
  for (std::size_t at = text.find_first_not_of(separators); at != std::string_view::npos;) {
    const std::size_t end = std::min(text.find_first_of(separators, at), text.size());
    parts.push_back(text.substr(at, end - at));
    if (parts.size() > kMaxWords) throw InputError("the text is too long for a position");
    at = text.find_first_not_of(separators, end);
  }
  return parts;
}

}  // namespace loom::app
