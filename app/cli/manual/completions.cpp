#include "app/cli/manual/completions.h"

#include <fmt/format.h>

#include <vector>

namespace loom::app {
namespace {

/// In single quotes, valid in all three shells.
std::string quoted(const std::string& text) {
  std::string all = "'";
  for (const char c : text) {
    if (c == '\'') {
      all += "'\\''";
    } else {
      all += c;
    }
  }
  return all + "'";
}

std::string joined(const std::vector<std::string>& words, const char* between) {
  return fmt::format("{}", fmt::join(words, between));
}

std::vector<std::string> command_names(const ProgramSpec& program) {
  std::vector<std::string> names;
  for (const CommandSpec& command : program.commands) names.push_back(command.name);
  return names;
}

std::vector<std::string> option_names(const CommandSpec& command) {
  std::vector<std::string> names;
  for (const OptionSpec& option : command.options) {
    if (option.is_positional()) continue;
    names.insert(names.end(), option.names.begin(), option.names.end());
  }
  return names;
}

bool has_value(const OptionSpec& option) {
  return !option.value.empty() && !option.is_positional();
}

/// The command that runs without a subcommand: view.
const CommandSpec& default_command(const ProgramSpec& program) {
  return program.commands.front();
}

// zsh: the text in the brackets of "--option[text]:value:action".
std::string zsh_text(const std::string& text) {
  std::string all;
  for (const char c : text) {
    if (c == '[' || c == ']' || c == ':' || c == '\\') all += '\\';
    all += c;
  }
  return all;
}

std::string zsh_value(const OptionSpec& option) {
  if (option.value.empty()) return {};
  const std::string action = !option.choices.empty() ? "(" + joined(option.choices, " ") + ")"
                             : option.is_folder()    ? "_files -/"
                             : option.is_file()      ? "_files"
                                                     : "";
  return fmt::format(":{}:{}", zsh_text(option.value), action);
}

}  // namespace

std::string bash_completion(const ProgramSpec& program) {
  std::string values;
  std::string options;
  for (const CommandSpec& command : program.commands) {
    options += fmt::format("    {}) words=\"{}\" ;;\n", command.name, joined(option_names(command), " "));
    for (const OptionSpec& option : command.options) {
      if (!has_value(option)) continue;
      std::string reply = "COMPREPLY=()";
      if (!option.choices.empty()) {
        reply = fmt::format("COMPREPLY=($(compgen -W \"{}\" -- \"$word\"))", joined(option.choices, " "));
      } else if (option.is_folder()) {
        reply = "compopt -o filenames; COMPREPLY=($(compgen -d -- \"$word\"))";
      } else if (option.is_file()) {
        reply = "compopt -o filenames; COMPREPLY=($(compgen -f -- \"$word\"))";
      }
      std::vector<std::string> cases;
      for (const std::string& name : option.names) cases.push_back(command.name + ":" + name);
      values += fmt::format("    {}) {}; return ;;\n", joined(cases, " | "), reply);
    }
  }
  return fmt::format(R"(# bash completion of {0}
_{1}() {{
  local word=${{COMP_WORDS[COMP_CWORD]}} before=${{COMP_WORDS[COMP_CWORD-1]}} command={2} words
  if [[ $COMP_CWORD -gt 1 && ${{COMP_WORDS[1]}} != -* ]]; then command=${{COMP_WORDS[1]}}; fi
  case "$command:$before" in
{3}  esac
  case "$command" in
{4}    *) words="" ;;
  esac
  if [[ $COMP_CWORD -eq 1 ]]; then words="{5} --help --version $words"; fi
  COMPREPLY=($(compgen -W "$words" -- "$word"))
  if [[ ${{#COMPREPLY[@]}} -eq 0 && $word != -* ]]; then
    compopt -o filenames
    COMPREPLY=($(compgen -f -- "$word"))
  fi
}}
complete -F _{1} {0}
)",
                     program.name, "fractal_loom", default_command(program).name, values, options,
                     joined(command_names(program), " "));
}

std::string zsh_completion(const ProgramSpec& program) {
  std::string commands;
  std::string cases;
  for (const CommandSpec& command : program.commands) {
    commands += "    " + quoted(zsh_text(command.name) + ":" + zsh_text(command.text)) + "\n";
    cases += fmt::format("    {})\n      _arguments \\\n", command.name);
    for (const OptionSpec& option : command.options) {
      if (option.is_positional()) continue;
      for (const std::string& name : option.names)
        cases += "        " + quoted(name + "[" + zsh_text(option.text) + "]" + zsh_value(option)) + " \\\n";
    }
    cases += "        '*:file:_files' ;;\n";
  }
  return fmt::format(R"(#compdef {0}
local -a commands
commands=(
{1})
if (( CURRENT == 2 )) && [[ $words[2] != -* ]]; then
  _describe command commands
  _files
else
  local command=$words[2]
  if [[ $command == -* ]]; then command={2}; else shift words; (( CURRENT-- )); fi
  case $command in
{3}  esac
fi
)",
                     program.name, commands, default_command(program).name, cases);
}

std::string fish_completion(const ProgramSpec& program) {
  std::string all = fmt::format("# fish completion of {}\n", program.name);
  const std::string none =
      fmt::format("not __fish_seen_subcommand_from {}", joined(command_names(program), " "));
  for (const CommandSpec& command : program.commands) {
    all += fmt::format("complete -c {} -n {} -a {} -d {}\n", program.name, quoted(none), command.name,
                       quoted(command.text));
    const bool is_default = &command == &default_command(program);
    const std::string seen = is_default ? none + "; or __fish_seen_subcommand_from " + command.name
                                        : "__fish_seen_subcommand_from " + command.name;
    for (const OptionSpec& option : command.options) {
      if (option.is_positional()) continue;
      all += fmt::format("complete -c {} -n {}", program.name, quoted(seen));
      for (const std::string& name : option.names)
        all += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
      if (!option.value.empty()) all += option.is_file() || option.is_folder() ? " -r" : " -x";
      if (!option.choices.empty()) all += " -a " + quoted(joined(option.choices, " "));
      all += " -d " + quoted(option.text) + "\n";
    }
  }
  return all;
}

}  // namespace loom::app
