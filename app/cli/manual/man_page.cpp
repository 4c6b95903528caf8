#include "app/cli/manual/man_page.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

namespace loom::app {
namespace {

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

std::string title(const ProgramSpec& program, const std::string& page, const std::string& text) {
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

}  // namespace

std::string man_page(const ProgramSpec& program) {
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

std::string man_page(const ProgramSpec& program, const CommandSpec& command) {
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

}  // namespace loom::app
