#pragma once

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <initializer_list>
#include <string_view>
#include <vector>

#include "compute/core/error.h"

namespace loom::app {

using OptionList = std::vector<const CLI::Option*>;

/// Adds the options of `add` to a command, without some of them.
template <typename Add>
OptionList options_added_by(CLI::App& command, const Add& add,
                            std::initializer_list<std::string_view> without = {}) {
  const auto before = command.get_options();
  add();
  OptionList added;
  for (const CLI::Option* option : command.get_options()) {
    const bool left_out = std::find(without.begin(), without.end(), option->get_name()) != without.end();
    if (!left_out && std::find(before.begin(), before.end(), option) == before.end()) added.push_back(option);
  }
  return added;
}

/// Throws InputError if an option of the other workspace was typed, which would have no effect.
inline void reject_options(const OptionList& options, std::string_view workspace) {
  for (const CLI::Option* option : options) {
    if (option->count() == 0) continue;
    throw InputError(
        fmt::format("{} has no effect here; allowed: with --workspace {}", option->get_name(), workspace));
  }
}

}  // namespace loom::app
