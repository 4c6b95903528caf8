#include "app/cli/options/option_effects.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string>

#include "app/text/parse_numbers.h"
#include "compute/core/error.h"

namespace loom::app {
namespace {

[[noreturn]] void refuse(const CLI::Option& option, std::string_view beside, std::string_view allowed) {
  throw InputError(fmt::format("{}{} has no effect {}; allowed: {}",
                               option.get_positional() ? "the argument " : "", option.get_name(), beside,
                               allowed));
}

}  // namespace

void require_effect(const CLI::App& command, std::initializer_list<OptionNeed> needs) {
  for (const OptionNeed& need : needs) {
    if (need.is_met) continue;
    for (const std::string_view name : split_words(need.options, " ")) {
      const CLI::Option* const option = command.get_option_no_throw(std::string(name));
      if (option != nullptr && option->count() > 0) refuse(*option, "here", need.allowed);
    }
  }
}

void require_only(const CLI::App& command, std::string_view mode, std::string_view others) {
  const auto names = split_words(others, " ");
  for (const CLI::Option* const option : command.get_options()) {
    const std::string name = option->get_name();
    if (option->count() == 0 || name == mode || std::ranges::find(names, name) != names.end()) continue;
    refuse(*option, fmt::format("with {}", mode),
           fmt::format("{}, or without {}", fmt::join(names, ", "), mode));
  }
}

void reject_options(const OptionList& options, std::string_view workspace) {
  for (const CLI::Option* const option : options) {
    if (option->count() > 0) refuse(*option, "here", fmt::format("with --workspace {}", workspace));
  }
}

}  // namespace loom::app
