#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cctype>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "app/cli/command.h"
#include "app/cli/options/options.h"
#include "compute/core/error.h"

namespace loom::app {
namespace {

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

/// A subcommand, or the program: the source of manual pages and completions.
struct CommandSpec {
  std::string name;
  std::string text;
  std::vector<OptionSpec> options;
  // Of the program only.
  std::vector<std::string> notes = {};  ///< footer of its help, one entry per line
  std::string version = {};
  std::vector<CommandSpec> commands = {};
};

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

bool OptionSpec::is_file() const {
  return value.find("FILE") != std::string::npos;
}

CommandSpec program_spec(const CLI::App& root, const std::string& version) {
  CommandSpec program{root.get_name(), root.get_description(), options_of(root),
                      split(root.get_footer(), '\n'), version};
  for (const CLI::App* command : root.get_subcommands({}))
    program.commands.push_back({command->get_name(), command->get_description(), options_of(*command)});
  return program;
}

// Completion scripts for shells: commands, options, and values if they are files or a list.

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

std::vector<std::string> command_names(const CommandSpec& program) {
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
const CommandSpec& default_command(const CommandSpec& program) {
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

std::string bash_completion(const CommandSpec& program) {
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

std::string zsh_completion(const CommandSpec& program) {
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

std::string fish_completion(const CommandSpec& program) {
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

// Manual pages (section 1, roff of man(7)) generated from the declared command line.

/// Escapes all characters that are special in roff.
std::string plain(const std::string& text) {
  std::string escaped;
  for (const char c : text) {
    if (c == '\\') {
      escaped += "\\e";
    } else if (c == '-') {
      escaped += "\\-";
    } else {
      escaped += c;
    }
  }
  // A line that begins with one of these characters would be a roff request.
  const bool request = escaped.starts_with('.') || escaped.starts_with('\'');
  return request ? "\\&" + escaped : escaped;
}

std::string title(const CommandSpec& program, const std::string& page, const std::string& text) {
  std::string name = page;
  std::transform(name.begin(), name.end(), name.begin(), [](unsigned char c) { return std::toupper(c); });
  std::string short_text = text.substr(0, text.find(". "));
  if (short_text.ends_with('.')) short_text.pop_back();
  return fmt::format(".TH {} 1 \"\" \"{} {}\" \"User Commands\"\n.SH NAME\n{} \\- {}\n", plain(name),
                     plain(program.name), plain(program.version), plain(page), plain(short_text));
}

std::string names_of(const OptionSpec& option) {
  std::string line;
  for (const std::string& name : option.names) {
    if (!line.empty()) line += ", ";
    line += fmt::format("\\f{}{}\\fR", option.is_positional() ? 'I' : 'B', plain(name));
  }
  if (!option.value.empty() && !option.is_positional())
    line += fmt::format(" \\fI{}\\fR", plain(option.value));
  return line;
}

std::string options_of(const std::vector<OptionSpec>& options) {
  std::string text = ".SH OPTIONS\n";
  for (const OptionSpec& option : options)
    text += fmt::format(".TP\n{}\n{}\n", names_of(option), plain(option.text));
  return text;
}

/// fractal-loom(1).
std::string man_page(const CommandSpec& program) {
  std::string page = title(program, program.name, program.text);
  page += fmt::format(".SH SYNOPSIS\n\\fB{0}\\fR [\\fICOMMAND\\fR] [\\fIOPTIONS\\fR]\n.SH DESCRIPTION\n{1}\n",
                      plain(program.name), plain(program.text));
  page += ".SH COMMANDS\n";
  for (const CommandSpec& command : program.commands) {
    page += fmt::format(".TP\n\\fB{0}\\fR\n{1}. See \\fB{2}\\-{0}\\fR(1).\n", plain(command.name),
                        plain(command.text), plain(program.name));
  }
  page += options_of(program.options);
  page += ".SH NOTES\n";
  for (const std::string& note : program.notes) page += plain(note) + "\n.br\n";
  return page;
}

/// fractal-loom-COMMAND(1).
std::string man_page(const CommandSpec& program, const CommandSpec& command) {
  std::string page = title(program, program.name + "-" + command.name, command.text);
  std::string places;
  for (const OptionSpec& option : command.options) {
    if (option.is_positional()) places += fmt::format(" [\\fI{}\\fR]", plain(option.names.front()));
  }
  page += fmt::format(".SH SYNOPSIS\n\\fB{} {}\\fR{} [\\fIOPTIONS\\fR]\n.SH DESCRIPTION\n{}.\n",
                      plain(program.name), plain(command.name), places, plain(command.text));
  page += options_of(command.options);
  return page + fmt::format(".SH SEE ALSO\n\\fB{}\\fR(1)\n", plain(program.name));
}

struct ManualOptions {
  std::string command;
  std::string out;
  bool json = false;
};

nlohmann::ordered_json json_of(const std::vector<OptionSpec>& options) {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const OptionSpec& option : options) {
    list.push_back({{"names", option.names},
                    {"value", option.value},
                    {"choices", option.choices},
                    {"text", option.text}});
  }
  return list;
}

void print_json(const CommandSpec& program, const std::string& out) {
  nlohmann::ordered_json json{
      {"program", program.name}, {"version", program.version}, {"options", json_of(program.options)}};
  for (const CommandSpec& command : program.commands) {
    json["commands"].push_back(
        {{"name", command.name}, {"text", command.text}, {"options", json_of(command.options)}});
  }
  if (!out.empty()) json["out"] = out;
  fmt::print("{}\n", json.dump(2));
}

/// The layout is that of /usr/share. Writes all files, or none.
void write_all(const CommandSpec& program, const std::filesystem::path& folder) {
  std::vector<std::pair<std::filesystem::path, std::string>> files;
  const std::filesystem::path pages = "man/man1";
  files.emplace_back(pages / (program.name + ".1"), man_page(program));
  for (const CommandSpec& command : program.commands)
    files.emplace_back(pages / fmt::format("{}-{}.1", program.name, command.name),
                       man_page(program, command));
  files.emplace_back(std::filesystem::path("bash-completion/completions") / program.name,
                     bash_completion(program));
  files.emplace_back(std::filesystem::path("zsh/vendor-completions") / ("_" + program.name),
                     zsh_completion(program));
  files.emplace_back(std::filesystem::path("fish/vendor_completions.d") / (program.name + ".fish"),
                     fish_completion(program));
  write_tree("--out", folder, files);
}

int print_page(const CommandSpec& program, const std::string& name) {
  if (name.empty()) {
    fmt::print("{}", man_page(program));
    return 0;
  }
  std::vector<std::string> names;
  for (const CommandSpec& command : program.commands) {
    if (command.name == name) {
      fmt::print("{}", man_page(program, command));
      return 0;
    }
    names.push_back(command.name);
  }
  throw InputError(fmt::format("manual: unknown command '{}'; allowed: {}", name, fmt::join(names, ", ")));
}

}  // namespace

Action add_manual(CLI::App& command) {
  auto options = std::make_shared<ManualOptions>();
  command.description("Print a manual page, or write all manual pages and shell completions");
  add_text(command, "COMMAND", options->command, "",
           "Subcommand whose page is printed (the program's page by default)");
  add_output_file(command, "--out", options->out,
                  "Write all pages, and completions for bash, zsh and fish, laid out as in /usr/share",
                  "FOLDER");
  command.add_flag("--json", options->json, "Print the commands and their options as one JSON object");
  return [options, &command] {
    const bool prints_page = options->out.empty() && !options->json;
    require_effect(command, {{"COMMAND", prints_page, "without --out and --json"}});
    const CommandSpec program = program_spec(*command.get_parent(), LOOM_VERSION);
    if (prints_page) return print_page(program, options->command);
    if (!options->out.empty()) write_all(program, options->out);
    if (options->json) print_json(program, options->out);
    return 0;
  };
}

}  // namespace loom::app
