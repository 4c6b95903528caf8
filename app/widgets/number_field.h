#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace loom::app {

/// Parses a decimal whole number from 0 to 2^64 - 1; nothing for signs, blanks, fractions, exponents and
/// larger numbers.
std::optional<std::uint64_t> parse_whole_number(std::string_view text);

/// What a field remembers between frames: the text is the user's while it is no number.
struct NumberFieldState {
  std::string text;
  std::string problem;      ///< why the text is invalid, and what is allowed; empty if it is valid
  std::uint64_t value = 0;  ///< value of the text, or its last valid value
};

/// Takes `text` into the state, and into `value` where it is a whole number; else `value` stays.
void type_number(NumberFieldState& state, const std::string& text, std::uint64_t& value);

/// A text field for a whole number at the cursor, with the width of the next item.
void number_field(const char* id, NumberFieldState& state, std::uint64_t& value);
/// The same for what may have no number: the field is empty then, until one is typed.
void number_field(const char* id, NumberFieldState& state, std::optional<std::uint64_t>& value);

}  // namespace loom::app
