#pragma once

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <toml++/toml.h>

#include <algorithm>
#include <span>
#include <string>
#include <string_view>

#include "compute/core/error.h"
#include "compute/core/input_text.h"

namespace loom::app {

/// Parses TOML of limited nesting. Throws InputError "FILE:LINE: not TOML: why; allowed: `allowed`".
inline toml::table parse_toml(std::string_view text, const std::string& file, std::string_view allowed) {
  check_toml_nesting(text, file);
  try {
    return toml::parse(text, file);
  } catch (const toml::parse_error& error) {
    throw InputError(fmt::format("{}:{}: not TOML: {}; allowed: {}", file, error.source().begin.line,
                                 shown(error.description()), allowed));
  }
}

/// Calls `fail(where, text)` for the first unknown key of a table in the file, if it has one; `of` says of
/// what, as in " in a step".
template <typename Fail>
void reject_unknown_keys(const toml::table& table, std::span<const std::string_view> allowed,
                         std::string_view of, const Fail& fail) {
  // A table is sorted by key.
  const toml::key* first = nullptr;
  for (const auto& [key, value] : table) {
    if (std::ranges::find(allowed, key.str()) != allowed.end()) continue;
    if (first == nullptr || key.source().begin < first->source().begin) first = &key;
  }
  if (first == nullptr) return;
  fail(first->source(),
       fmt::format("unknown key '{}'{}; allowed: {}", shown(first->str()), of, fmt::join(allowed, ", ")));
}

}  // namespace loom::app
