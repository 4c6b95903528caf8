#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <iterator>
#include <string>
#include <string_view>

#include "compute/core/error.h"

namespace loom {

/// The value among `values` whose name_of() is `text`. Throws InputError "unknown WHAT 'TEXT'; allowed: ..."
/// with every name.
template <typename Choice, std::size_t kCount>
Choice parse_choice(std::string_view what, std::string_view text, const std::array<Choice, kCount>& values) {
  std::string names;
  for (const Choice value : values) {
    if (name_of(value) == text) return value;
    names += (names.empty() ? "" : ", ") + std::string(name_of(value));
  }
  throw InputError(fmt::format("unknown {} '{}'; allowed: {}", what, text, names));
}

/// The value after `present`; after the last, and after one that is not there, comes the first.
template <typename Choice, std::size_t kCount>
Choice next_in(const std::array<Choice, kCount>& values, Choice present) {
  const auto here = std::find(values.begin(), values.end(), present);
  return here == values.end() || std::next(here) == values.end() ? values.front() : *std::next(here);
}

}  // namespace loom
