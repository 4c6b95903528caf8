#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "app/cli/command.h"
#include "app/cli/options/options.h"
#include "app/cli/options/scene_options.h"
#include "app/export/export_program.h"
#include "app/files/json_reader.h"
#include "app/files/output_file.h"
#include "app/program/lesson_check.h"
#include "app/workspaces/life/document/life_state.h"
#include "compute/core/error.h"

namespace loom::app {
namespace {

struct ExportOptions {
  SceneOptions scene;
  std::string steps = "100";
  std::string cuda;
  std::string cpp;
  std::string headers;
};

template <int kDimensions>
void write_programs(const ExportOptions& options, const exporting::ProgramSpec<kDimensions>& spec) {
  std::vector<std::pair<std::filesystem::path, std::string>> files;
  if (!options.cuda.empty()) files.emplace_back(options.cuda, program_text(spec, exporting::Language::kCuda));
  if (!options.cpp.empty()) files.emplace_back(options.cpp, program_text(spec, exporting::Language::kCpp));
  write_files(files);
}

void write_programs(const ExportOptions& options) {
  check_different_files({{"--cuda", options.cuda}, {"--cpp", options.cpp}});
  if (!options.cuda.empty()) check_can_be_written("--cuda", options.cuda);
  if (!options.cpp.empty()) check_can_be_written("--cpp", options.cpp);
  const auto steps = read_whole_number<std::uint64_t>("--steps", options.steps, 0, 1'000'000'000);
  if (const auto opened = open_scene(options.scene)) {
    const LifeState& life = state_of<LifeState>(*opened);
    const Settings settings = options.scene.settings_over(life.settings);
    return write_programs(options,
                          exporting::program_of(settings.config, settings.work(), life.cells, steps));
  }
  if (const auto solid = selected_solid(options.scene)) {
    const SolidSettings settings = solid_settings(options.scene, *solid);
    return write_programs<3>(options, {settings.config, settings.work, settings.start, steps});
  }
  const Settings settings = options.scene.settings();
  write_programs<2>(options, {settings.config, settings.work(), settings.start, steps});
}

int run(const ExportOptions& options) {
  const bool has_program = !options.cuda.empty() || !options.cpp.empty();
  if (!has_program && options.headers.empty())
    throw InputError("export has nothing to write; allowed: --cuda FILE, --cpp FILE or --headers FOLDER");
  if (!has_program) {
    for (const CLI::Option* const option : options.scene.command->get_options()) {
      const std::string& name = option->get_name();
      if (option->count() > 0 && name != "--headers" && name != "--json")
        throw InputError(fmt::format("{} has no effect here; allowed: with --cuda or --cpp", name));
    }
  }
  if (has_program) write_programs(options);
  if (!options.headers.empty()) write_tree("--headers", options.headers, exporting::library_files());
  nlohmann::ordered_json json;
  for (const auto& [key, file] :
       {std::pair("cuda", options.cuda), {"cpp", options.cpp}, {"headers", options.headers}}) {
    json[key] = nullptr;
    if (file.empty()) continue;
    json[key] = file;
    if (!options.scene.json) fmt::print("{}: {}\n", key, file);
  }
  if (options.scene.json) fmt::print("{}\n", json_text(json));
  return 0;
}

}  // namespace

Action add_export(CLI::App& command) {
  auto options = std::make_shared<ExportOptions>();
  command.description(
      "Write life with the chosen map as a program in one file, or the maps as a header library");
  using enum SceneOptionGroup;
  add_scene_options(command, options->scene, kFractal | kLevel | kMethod | kWorkload | kLife | kOpen | kJson);
  add_text(command, "--steps", options->steps, "N", "Generations that the program computes by default");
  add_output_file(command, "--cuda", options->cuda, "Program for nvcc: one thread block per tile");
  add_output_file(command, "--cpp", options->cpp, "The same in C++17 for a CPU, with OpenMP");
  add_output_file(command, "--headers", options->headers,
                  "Write the header library fractal_maps into the folder fractal_maps of this folder",
                  "FOLDER");
  return [options] { return run(*options); };
}

}  // namespace loom::app
