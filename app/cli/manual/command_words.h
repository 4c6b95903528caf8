#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace loom::app {

/// An option as its command declares it.
struct OptionWords {
  std::vector<std::string> names;  ///< "-h", "--help"; one without dashes is a place on the command line
  std::string value;               ///< what it takes, as help calls it: "N", "FILE", "on|off"; empty: nothing
  std::vector<std::string> choices;  ///< all that it takes, where `value` lists them
  std::string text;
  bool is_file() const;
  bool is_folder() const { return value == "FOLDER"; }
  bool is_place() const { return !names.front().starts_with('-'); }
};

struct CommandWords {
  std::string name;
  std::string text;
  std::vector<OptionWords> options;
};

/// The command line, as it was declared: what manuals and completions are made of.
struct ProgramWords {
  std::string name;
  std::string version;
  std::string text;
  std::vector<std::string> notes;  ///< of the end of its help, a line each
  std::vector<OptionWords> options;
  std::vector<CommandWords> commands;
};
ProgramWords words_of(const CLI::App& root, const std::string& version);

}  // namespace loom::app
