#include <fmt/format.h>

#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>

#include "app/cli/command.h"
#include "app/cli/manual/command_spec.h"
#include "app/cli/manual/completions.h"
#include "app/cli/manual/man_page.h"
#include "app/cli/options/output_option.h"
#include "app/files/output_file.h"
#include "compute/core/error.h"

namespace loom::app {
namespace {

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

void print_json(const ProgramSpec& program) {
  nlohmann::ordered_json json{
      {"program", program.name}, {"version", program.version}, {"options", json_of(program.options)}};
  for (const CommandSpec& command : program.commands) {
    json["commands"].push_back(
        {{"name", command.name}, {"text", command.text}, {"options", json_of(command.options)}});
  }
  fmt::print("{}\n", json.dump(2));
}

/// Creates the folder if it does not exist. Its parent folder must exist.
void make_folder(const std::filesystem::path& folder) {
  std::error_code failure;
  std::filesystem::create_directory(folder, failure);
  if (std::filesystem::is_directory(folder, failure)) return;
  throw InputError(fmt::format(
      "--out {}: cannot be created; allowed: a folder, or a new one in an existing writable folder",
      folder.string()));
}

/// The layout is that of /usr/share.
void write_all(const ProgramSpec& program, const std::filesystem::path& folder) {
  make_folder(folder);
  const auto write = [&](const std::filesystem::path& file, const std::string& text) {
    std::error_code failure;
    std::filesystem::create_directories((folder / file).parent_path(), failure);
    write_file(folder / file, text);
  };
  write(fmt::format("man/man1/{}.1", program.name), man_page(program));
  for (const CommandSpec& command : program.commands)
    write(fmt::format("man/man1/{}-{}.1", program.name, command.name), man_page(program, command));
  write("bash-completion/completions/" + program.name, bash_completion(program));
  write("zsh/vendor-completions/_" + program.name, zsh_completion(program));
  write(fmt::format("fish/vendor_completions.d/{}.fish", program.name), fish_completion(program));
}

int print_page(const ProgramSpec& program, const std::string& name) {
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

void add_manual(CLI::App& root, Action& chosen) {
  auto options = std::make_shared<ManualOptions>();
  CLI::App* command =
      root.add_subcommand("manual", "Print a manual page, or write all manual pages and shell completions");
  command
      ->add_option("COMMAND", options->command,
                   "Subcommand whose page is printed (the program's page by default)")
      ->type_name("");
  command
      ->add_option("--out", options->out,
                   "Write all pages, and completions for bash, zsh and fish, laid out as in /usr/share")
      ->type_name("FOLDER")
      ->check(output_name());
  command->add_flag("--json", options->json, "Print the commands and their options as one JSON object");
  command->callback([options, &root, &chosen] {
    chosen = [options, &root] {
      const ProgramSpec program = program_spec(root, LOOM_VERSION);
      if (options->json) {
        print_json(program);
        return 0;
      }
      if (options->out.empty()) return print_page(program, options->command);
      write_all(program, options->out);
      return 0;
    };
  });
}

}  // namespace loom::app
