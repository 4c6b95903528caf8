#pragma once

#include <CLI/CLI.hpp>
#include <algorithm>
#include <initializer_list>
#include <string_view>
#include <vector>

namespace loom::app {

/// Options that have an effect only beside others.
struct OptionNeed {
  std::string_view options;  ///< names, separated by spaces
  bool is_met = false;       ///< whether they have an effect beside the other options
  std::string_view allowed;  ///< "with --png"
};
/// Throws InputError that names the first typed option without an effect, and what would give it one.
void require_effect(const CLI::App& command, std::initializer_list<OptionNeed> needs);

/// Throws InputError if an option was typed besides `mode`, with which only `others` have an effect; names
/// separated by spaces.
void require_only(const CLI::App& command, std::string_view mode, std::string_view others);

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
void reject_options(const OptionList& options, std::string_view workspace);

}  // namespace loom::app
