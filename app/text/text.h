#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <concepts>
#include <cstdint>
#include <iterator>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "compute/core/error.h"

namespace loom::app {

/// A text that is rebuilt every frame. Up to 399 bytes are stored in place, so that a frame does not
/// allocate.
class Text {
 public:
  Text() { end(); }
  Text(std::string_view text) { append(text); }  // NOLINT: implicit conversion
  Text(const char* text) : Text(std::string_view(text)) {}
  Text(const std::string& text) : Text(std::string_view(text)) {}
  Text(const Text& other) : Text(std::string_view(other)) {}
  Text& operator=(const Text& other) {
    if (this == &other) return *this;
    clear();
    return append(other);
  }

  Text& append(std::string_view text) {
    buffer_.append(text);
    return end();
  }
  template <typename... Arguments>
  Text& add(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
    fmt::format_to(std::back_inserter(buffer_), format, std::forward<Arguments>(arguments)...);
    return end();
  }
  void clear() { cut(0); }
  /// Truncates the text to its first `size` <= size() bytes.
  void cut(std::size_t size) {
    buffer_.resize(size);
    end();
  }

  const char* c_str() const { return buffer_.data(); }
  std::size_t size() const { return buffer_.size(); }
  bool empty() const { return size() == 0; }
  operator std::string_view() const { return {buffer_.data(), buffer_.size()}; }  // NOLINT
  operator std::string() const { return {buffer_.data(), buffer_.size()}; }       // NOLINT

  template <std::convertible_to<std::string_view> Other>
  friend bool operator==(const Text& a, const Other& b) {
    return std::string_view(a) == std::string_view(b);
  }
  friend std::string operator+(std::string_view a, const Text& b) {
    return std::string(a).append(std::string_view(b));
  }
  friend std::string operator+(const Text& a, std::string_view b) { return std::string(a).append(b); }

 private:
  // ImGui reads up to a terminating zero, which follows the text and is not part of it.
  Text& end() {
    buffer_.reserve(buffer_.size() + 1);
    buffer_.data()[buffer_.size()] = '\0';
    return *this;
  }
  fmt::basic_memory_buffer<char, 400> buffer_;
};

/// fmt::format() into a Text.
template <typename... Arguments>
Text format_text(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
  Text written;
  written.add(format, std::forward<Arguments>(arguments)...);
  return written;
}

}  // namespace loom::app

template <>
struct fmt::formatter<loom::app::Text> : fmt::formatter<std::string_view> {
  template <typename Context>
  auto format(const loom::app::Text& text, Context& context) const {
    return fmt::formatter<std::string_view>::format(std::string_view(text), context);
  }
};

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

/// The text as one word of a shell command, in single quotes if necessary.
inline std::string quoted_for_shell(const std::string& word) {
  constexpr const char* kPlain = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_./:=+,%@";
  if (!word.empty() && word.find_first_not_of(kPlain) == std::string::npos) return word;
  std::string text = "'";
  for (const char c : word) c == '\'' ? text += "'\\''" : text += c;
  return text + "'";
}

/// The fonts of the window, of diagrams and of pages.
enum class FontFace : std::uint8_t { kPlain, kBold, kMono };

}  // namespace loom::app
