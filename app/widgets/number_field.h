#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace loom::app {

/// Parses a decimal whole number from 0 to 2^64 - 1; nothing for signs, blanks, fractions, exponents and
/// larger numbers.
std::optional<std::uint64_t> parse_whole_number(std::string_view text);

/// State of a field between frames. An invalid text stays as typed.
struct NumberFieldState {
  std::string text;
  std::string problem;      ///< why the text is invalid, and what is allowed; empty if it is valid
  std::uint64_t value = 0;  ///< value of the text, or its last valid value
};

/// Stores `text` in the state, and its number in `value` if it is a whole number; otherwise `value` is
/// unchanged.
void type_number(NumberFieldState& state, const std::string& text, std::uint64_t& value);

/// A text field for a whole number at the cursor, with the width of the next item.
void number_field(const char* id, NumberFieldState& state, std::uint64_t& value);
/// A field for an optional number; it is empty until a number is typed.
void number_field(const char* id, NumberFieldState& state, std::optional<std::uint64_t>& value);

/// A text field that Enter ends, which is then true. ImGui reads the whole text in every frame, so it has at
/// most kMaxFieldText bytes; longer texts cannot be pasted.
bool bounded_text_field(const char* id, std::string& text);
inline constexpr std::size_t kMaxFieldText = 40'000;

}  // namespace loom::app
