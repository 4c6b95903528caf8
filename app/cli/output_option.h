#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace loom::app {

/// The check of every option that names a file or folder to be written: an empty name is refused as it is
/// read, before anything is computed that would be lost.
inline CLI::Validator output_name() {
  const auto check = [](const std::string& name) {
    return name.empty() ? std::string("the file name is empty") : std::string();
  };
  return CLI::Validator(check, "");
}

}  // namespace loom::app
