#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <iterator>
#include <string>
#include <string_view>

#include "compute/core/error.h"

namespace loom {

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

/// Returns the element after `present`. The first element follows the last one and any value that is not in
/// the list.
template <typename Choice, std::size_t kCount>
Choice next_choice(const std::array<Choice, kCount>& values, Choice present) {
  const auto here = std::find(values.begin(), values.end(), present);
  return here == values.end() || std::next(here) == values.end() ? values.front() : *std::next(here);
}

}  // namespace loom
