#pragma once

#include <fmt/format.h>

#include <concepts>
#include <iterator>
#include <string>
#include <string_view>
#include <utility>

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
