#include "app/cli/workload_run.h"

#include <fmt/format.h>

#include <limits>
#include <nlohmann/json.hpp>

#include "app/cli/options/read_number.h"
#include "compute/engine/thread_utilization.h"

namespace loom::app {

void WorkloadRun::read_steps(const std::string& steps_text, const std::string& at_once_text) {
  constexpr std::uint64_t kMost = std::numeric_limits<std::uint32_t>::max();
  steps = read_whole_number("--steps", steps_text, 0, kMost);
  at_once = read_whole_number("--at-once", at_once_text, 1, kMost);
}

std::string method_text(const MapMethod& method) {
  std::string text;
  if (method.map == MapKind::kCompact) text += method.halo ? ", halo on" : ", halo off";
  if (method.map != MapKind::kBoundingBox) {
    text += fmt::format(", {}, {}", name_of(method.arithmetic), name_of(method.intra_block));
  }
  return text;
}

void add_run(nlohmann::ordered_json& json, const WorkloadRun& run, std::uint64_t thread_blocks) {
  json["steps"] = run.steps;
  json["generation"] = run.generation;
  json["at_once"] = run.at_once;
  add_devices(json, run);
  json["cells"] = run.cells;
  json["population"] = run.census.population;
  json["hash"] = fmt::format("{:016x}", run.census.hash);
  for (const char* key :
       {"tiles_launched", "tiles_occupied", "tiles_empty", "thread_blocks", "threads_launched",
        "threads_active", "threads_misplaced"}) {
    json[key] = nullptr;
  }
  if (run.threads) {
    json["tiles_launched"] = run.threads->tiles_launched;
    json["tiles_occupied"] = run.threads->tiles_occupied;
    json["tiles_empty"] = run.threads->tiles_empty();
    json["thread_blocks"] = thread_blocks;
    json["threads_launched"] = run.threads->threads_launched;
    json["threads_active"] = run.threads->threads_active;
    json["threads_misplaced"] = run.threads->threads_misplaced;
  }
  json["bytes"] = run.bytes;
  json["pattern"] = nullptr;
  json["step_ms"] = {{"median", nullptr}, {"p95", nullptr}};
  if (run.times) json["step_ms"] = {{"median", run.times->median}, {"p95", run.times->p95}};
}

void add_run(TextTable& table, const WorkloadRun& run, bool reduces) {
  table.add({"generations", fmt::format("{}", run.steps)});
  table.add({"population", fmt::format("{} ({:.2f} % of the cells)", run.census.population,
                                       100.0 * static_cast<double>(run.census.population) /
                                           static_cast<double>(run.cells))});
  table.add({"hash", fmt::format("{:016x}", run.census.hash)});
  if (run.last_step && reduces) table.add({"sum", fmt::format("{}", run.last_step->sum)});
  if (run.threads) {
    const ThreadCount& threads = *run.threads;
    table.add({"tiles", fmt::format("{} per generation, {} of them with cells", threads.tiles_launched,
                                    threads.tiles_occupied)});
    table.add({"threads", fmt::format("{} launched per generation, {} active", threads.threads_launched,
                                      threads.threads_active)});
    table.add({"thread utilization",
               fmt::format("{:.2f} %",
                           100 * thread_utilization(threads.threads_active, threads.threads_launched))});
    if (threads.threads_misplaced > 0) {
      table.add(
          {"misplaced", fmt::format("{} threads process a wrong cell or a hole", threads.threads_misplaced)});
    }
  }
  table.add({"memory", fmt::format("{} bytes for cells", run.bytes)});
  if (run.times) {
    table.add({"step", fmt::format("median {:.4f} ms, 95th percentile {:.4f} ms", run.times->median,
                                   run.times->p95)});
  }
}

}  // namespace loom::app
