#include <fmt/format.h>

#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "app/cli/command.h"
#include "app/cli/manual/command_spec.h"
#include "app/cli/manual/completions.h"
#include "app/cli/manual/man_page.h"
#include "app/cli/options/options.h"
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

void print_json(const ProgramSpec& program, const std::string& out) {
  nlohmann::ordered_json json{
      {"program", program.name}, {"version", program.version}, {"options", json_of(program.options)}};
  for (const CommandSpec& command : program.commands) {
    json["commands"].push_back(
        {{"name", command.name}, {"text", command.text}, {"options", json_of(command.options)}});
  }
  if (!out.empty()) json["out"] = out;
  fmt::print("{}\n", json.dump(2));
}

/// The folders that a command creates; without keep(), they are removed at the end.
class CreatedFolders {
 public:
  CreatedFolders() = default;
  CreatedFolders(const CreatedFolders&) = delete;
  CreatedFolders& operator=(const CreatedFolders&) = delete;
  ~CreatedFolders() {
    std::error_code ignored;
    for (; !folders_.empty(); folders_.pop_back()) std::filesystem::remove(folders_.back(), ignored);
  }

  /// Creates a folder if it does not exist. Its parent folder must exist.
  void create(const std::filesystem::path& folder) {
    std::error_code failure;
    if (std::filesystem::create_directory(folder, failure)) folders_.push_back(folder);
    if (std::filesystem::is_directory(folder)) return;
    if (failure == std::errc::no_space_on_device || failure == std::errc::io_error)
      throw MachineError(fmt::format("--out {}: cannot be created: {}; no file was written", folder.string(),
                                     failure.message()));
    throw InputError(fmt::format(
        "--out {}: cannot be created; allowed: a folder, or a new one in an existing writable folder",
        folder.string()));
  }
  void keep() { folders_.clear(); }

 private:
  std::vector<std::filesystem::path> folders_;
};

/// The layout is that of /usr/share. Writes all files, or none.
void write_all(const ProgramSpec& program, const std::filesystem::path& folder) {
  std::vector<std::pair<std::filesystem::path, std::string>> files;
  const std::filesystem::path pages = folder / "man/man1";
  files.emplace_back(pages / (program.name + ".1"), man_page(program));
  for (const CommandSpec& command : program.commands)
    files.emplace_back(pages / fmt::format("{}-{}.1", program.name, command.name),
                       man_page(program, command));
  files.emplace_back(folder / "bash-completion/completions" / program.name, bash_completion(program));
  files.emplace_back(folder / "zsh/vendor-completions" / ("_" + program.name), zsh_completion(program));
  files.emplace_back(folder / "fish/vendor_completions.d" / (program.name + ".fish"),
                     fish_completion(program));
  CreatedFolders created;
  created.create(folder);
  for (const auto& [file, text] : files) {
    created.create(file.parent_path().parent_path());
    created.create(file.parent_path());
  }
  write_files(files);
  created.keep();
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
  command->callback([options, &root, command, &chosen] {
    chosen = [options, &root, command] {
      const bool prints_page = options->out.empty() && !options->json;
      require_effect(*command, {{"COMMAND", prints_page, "without --out and --json"}});
      const ProgramSpec program = program_spec(root, LOOM_VERSION);
      if (prints_page) return print_page(program, options->command);
      if (!options->out.empty()) write_all(program, options->out);
      if (options->json) print_json(program, options->out);
      return 0;
    };
  });
}

}  // namespace loom::app
