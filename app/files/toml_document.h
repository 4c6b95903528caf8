#pragma once

#include <fmt/format.h>
#include <toml++/toml.h>

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

}  // namespace loom::app
