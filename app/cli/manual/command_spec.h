#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace loom::app {

/// A declared option.
struct OptionSpec {
  std::vector<std::string> names;    ///< "-h", "--help"; a name without dashes is a positional argument
  std::string value;                 ///< its value as shown by help: "N", "FILE", "on|off"; empty: no value
  std::vector<std::string> choices;  ///< all values, if `value` lists them
  std::string text;
  bool is_file() const;
  bool is_folder() const { return value == "FOLDER"; }
  bool is_positional() const { return !names.front().starts_with('-'); }
};

struct CommandSpec {
  std::string name;
  std::string text;
  std::vector<OptionSpec> options;
};

/// The declared command line: the source of manual pages and completions.
struct ProgramSpec {
  std::string name;
  std::string version;
  std::string text;
  std::vector<std::string> notes;  ///< footer of its help, one entry per line
  std::vector<OptionSpec> options;
  std::vector<CommandSpec> commands;
};
ProgramSpec program_spec(const CLI::App& root, const std::string& version);

}  // namespace loom::app
