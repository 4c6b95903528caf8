#include "app/cli/manual/command_spec.h"

#include <algorithm>
#include <cctype>
#include <sstream>

namespace loom::app {
namespace {

std::vector<std::string> split(const std::string& text, char at) {
  std::vector<std::string> parts;
  std::istringstream stream(text);
  for (std::string part; std::getline(stream, part, at);) parts.push_back(part);
  return parts;
}

/// The choices of "on|off", but not of "auto|N": a capital letter is a placeholder.
std::vector<std::string> choices_of(const std::string& value) {
  const bool lists =
      value.find('|') != std::string::npos &&
      std::none_of(value.begin(), value.end(), [](unsigned char c) { return std::isupper(c); });
  return lists ? split(value, '|') : std::vector<std::string>{};
}

std::vector<OptionSpec> options_of(const CLI::App& command) {
  std::vector<OptionSpec> all;
  for (const CLI::Option* option : command.get_options()) {
    OptionSpec words;
    for (const std::string& name : option->get_snames()) words.names.push_back("-" + name);
    for (const std::string& name : option->get_lnames()) words.names.push_back("--" + name);
    if (words.names.empty()) words.names.push_back(option->get_name(true));
    if (option->get_type_size() != 0) words.value = option->get_type_name();
    // The type name may include the default: "WxH=1280x720".
    words.value = words.value.substr(0, words.value.find('='));
    words.choices = choices_of(words.value);
    words.text = option->get_description();
    all.push_back(std::move(words));
  }
  return all;
}

}  // namespace

bool OptionSpec::is_file() const {
  return value.find("FILE") != std::string::npos;
}

ProgramSpec program_spec(const CLI::App& root, const std::string& version) {
  ProgramSpec program{root.get_name(),  version, root.get_description(), split(root.get_footer(), '\n'),
                      options_of(root), {}};
  for (const CLI::App* command : root.get_subcommands({}))
    program.commands.push_back({command->get_name(), command->get_description(), options_of(*command)});
  return program;
}

}  // namespace loom::app
