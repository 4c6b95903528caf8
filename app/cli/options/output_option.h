#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace loom::app {

/// The validator of options that name an output file or folder: rejects an empty name before anything is
/// computed.
inline CLI::Validator output_name() {
  const auto check = [](const std::string& name) {
    return name.empty() ? std::string("the file name is empty") : std::string();
  };
  return CLI::Validator(check, "");
}

}  // namespace loom::app
