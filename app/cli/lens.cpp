#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>

#include "app/bench/cell_config.h"
#include "app/cli/command.h"
#include "app/cli/options/options.h"
#include "app/cli/options/scene_options.h"
#include "app/explain/warp_memory_access.h"
#include "app/files/json_reader.h"

namespace loom::app {
namespace {

struct LensOptions {
  SceneOptions scene;
  std::string warps = "1048576";
  bool json = false;
};

struct LensResult {
  FractalConfig config;
  explain::LifeKernel kernel;
  explain::LaunchTraffic traffic;
};

nlohmann::ordered_json to_json(const explain::GlobalTraffic& traffic) {
  return {{"requests", traffic.requests},
          {"sectors", traffic.sectors},
          {"sectors_per_request", traffic.sectors_per_request()},
          {"bytes_used", traffic.bytes_requested},
          {"bytes_moved", traffic.bytes_moved()}};
}

/// What a profiler counts as loads: reads of cells and of the tables that the analysis covers.
explain::GlobalTraffic loads_of(const explain::WarpTraffic& traffic) {
  explain::GlobalTraffic loads = traffic.cells_read;
  loads += traffic.tables_read;
  return loads;
}

void print_json(const LensResult& result) {
  auto json = nlohmann::ordered_json::object();
  bench::add_config(json, result.config);
  json["kernel"] = explain::kernel_name(result.kernel);
  json["warps"] = result.traffic.warps;
  json["exact"] = result.traffic.exact;
  json["left_out"] = explain::unmodelled_accesses(result.config.method);
  const explain::WarpTraffic& sum = result.traffic.sum;
  json["loads"] = to_json(loads_of(sum));
  json["stores"] = to_json(sum.cells_written);
  json["cells_read"] = to_json(sum.cells_read);
  json["tables_read"] = to_json(sum.tables_read);
  json["shared"] = {{"requests", sum.shared.requests},
                    {"wavefronts", sum.shared.wavefronts},
                    {"bank_conflicts", sum.shared.bank_conflicts}};
  fmt::print("{}\n", json_text(json));
}

void print_text(const LensResult& result) {
  TextTable table({"", "requests", "sectors", "per request", "requested", "transferred"}, 1);
  const auto add = [&](const char* name, const explain::GlobalTraffic& traffic) {
    table.add({name, fmt::format("{}", traffic.requests), fmt::format("{}", traffic.sectors),
               fmt::format("{:.2f}", traffic.sectors_per_request()),
               fmt::format("{}", traffic.bytes_requested),
               fmt::format("{:.1f} %", 100 * traffic.requested_fraction())});
  };
  const explain::WarpTraffic& sum = result.traffic.sum;
  add("loads", loads_of(sum));
  add("  of cells", sum.cells_read);
  add("  of tables", sum.tables_read);
  add("stores", sum.cells_written);
  fmt::print("{}, {} warps{}\n{}", explain::kernel_name(result.kernel), result.traffic.warps,
             result.traffic.exact ? ", all" : ", random sample", table.text());
  fmt::print("excluded: {}\n", explain::unmodelled_accesses(result.config.method));
}

int run(const LensOptions& options) {
  const explain::ThreadSpace space(options.scene.settings().config);
  const std::uint64_t most = read_whole_number("--warps", options.warps, 1, std::uint64_t{1} << 32);
  const LensResult result{space.config(), explain::life_kernel_of(space),
                          explain::launch_traffic(space, most)};
  options.json ? print_json(result) : print_text(result);
  return 0;
}

}  // namespace

Action add_lens(CLI::App& command) {
  auto options = std::make_shared<LensOptions>();
  command.description(
      "Count the memory requests of one generation of life on a GPU, "
      "computed analytically from map and storage");
  add_scene_options(command, options->scene,
                    SceneOptionGroup::kFractal | SceneOptionGroup::kLevel | SceneOptionGroup::kMethod);
  add_text(command, "--warps", options->warps, "N",
           "Maximum number of warps; a larger launch is sampled at random");
  command.add_flag("--json", options->json, "Print one JSON object and nothing else on standard output");
  return [options] { return run(*options); };
}

}  // namespace loom::app
