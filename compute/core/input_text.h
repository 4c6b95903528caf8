#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <iterator>
#include <string>
#include <string_view>

#include "compute/core/error.h"

namespace loom {

/// `text` without a leading UTF-8 byte order mark, if it has one.
std::string_view without_byte_order_mark(std::string_view text);

/// Reads a text file and removes a leading byte order mark. Pipes and devices are allowed, therefore the size
/// is known only after reading. Throws InputError if the file cannot be read, is empty, is larger than
/// `max_bytes` or contains a zero byte; the message ends with "; allowed: `wanted`". `between`, if any, is
/// called between parts of the file; an exception that it throws ends the reading.
std::string read_input(const std::filesystem::path& file, std::uint64_t max_bytes, std::string_view wanted,
                       const std::function<void()>& between = {});

/// Prepares text from a file for a message: shortens long text and replaces control characters by spaces.
std::string shown(std::string_view text);

/// Limits the nesting of TOML text before it is parsed: the parser and the destructor of its tables are
/// recursive and would overflow the stack. Throws InputError with `name` and the line for more than 8 parts
/// in a dotted key or a [table.name], and for arrays and inline tables nested deeper than 32.
void check_toml_nesting(std::string_view text, std::string_view name);

/// Returns the element of `values` whose name_of() equals `text`. Throws InputError "unknown WHAT 'TEXT';
/// allowed: ..." with all names.
template <typename Choice, std::size_t kCount>
Choice parse_choice(std::string_view what, std::string_view text, const std::array<Choice, kCount>& values) {
  std::string names;
  for (const Choice value : values) {
    if (name_of(value) == text) return value;
    names += (names.empty() ? "" : ", ") + std::string(name_of(value));
  }
  throw unknown_name(what, text, names);
}

/// All enumerators, which count from 0 to `kLast`.
template <auto kLast>
inline constexpr auto kAllOf = [] {
  std::array<decltype(kLast), static_cast<std::size_t>(kLast) + 1> values{};
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<decltype(kLast)>(i);
  return values;
}();

/// Returns the value of `values` that belongs to `choice`. The enumeration counts from 0 to `kLast`, and each
/// enumerator has a value, in their order.
template <auto kLast, typename Value, std::size_t kCount>
constexpr Value value_for(const Value (&values)[kCount], decltype(kLast) choice) {
  static_assert(kCount == static_cast<std::size_t>(kLast) + 1, "one value for each enumerator");
  return values[static_cast<std::size_t>(choice)];
}

/// Returns the element after `present`. The first element follows the last one and any value that is not in
/// the list.
template <typename Choice, std::size_t kCount>
Choice next_choice(const std::array<Choice, kCount>& values, Choice present) {
  const auto here = std::find(values.begin(), values.end(), present);
  return here == values.end() || std::next(here) == values.end() ? values.front() : *std::next(here);
}

}  // namespace loom
