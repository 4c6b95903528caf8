// lens_times [SAMPLES] measures the cost of hovering while the thread, memory access and steps panes are
// shown. It prints JSON: milliseconds per selection of the functions that the panes call. A frame at 60 Hz
// has 16 ms.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <functional>
#include <nlohmann/json.hpp>
#include <random>
#include <vector>

#include "app/bench/machine.h"
#include "app/explain/diagram/diagrams.h"
#include "app/workspaces/life/scene/life_stats.h"
#include "compute/geometry/nbb_catalog.h"

namespace loom::app {
namespace {

using Clock = std::chrono::steady_clock;

/// The number of warps that MemoryAccessPane averages over.
constexpr std::uint64_t kWarpsOfAverage = 32;

double milliseconds_of(const std::function<void()>& work) {
  const auto begin = Clock::now();
  work();
  return std::chrono::duration<double, std::milli>(Clock::now() - begin).count();
}

struct Part {
  const char* name;
  std::vector<double> ms = {};
};

nlohmann::ordered_json stats_of(std::vector<double> ms) {
  std::sort(ms.begin(), ms.end());
  return {{"median_ms", ms[ms.size() / 2]}, {"p95_ms", ms[ms.size() * 95 / 100]}, {"longest_ms", ms.back()}};
}

/// A random cell: every map launches a thread for it.
Coord64 random_cell(const FractalConfig& config, std::mt19937_64& pick) {
  const NbbShape& shape = config.fractal.shape();
  Coord64 cell{0, 0};
  for (int level = 0; level < config.level; ++level) {
    const auto replica = static_cast<std::size_t>(pick() % shape.k);
    cell = {cell.x * shape.s_x + shape.offset_x[replica], cell.y * shape.s_y + shape.offset_y[replica]};
  }
  return cell;
}

nlohmann::ordered_json measure(const FractalConfig& config, std::size_t samples) {
  std::mt19937_64 pick(1);
  Part select{"select"};  // thread, warp, tile, sentence, memory traffic of the warp
  Part steps{"steps"};
  Part access{"lens"};
  Part all{"all"};
  ThreadExplanation explanation;
  explanation.look_at(config, random_cell(config, pick));  // builds the tables of the configuration, once
  for (std::size_t i = 0; i < samples; ++i) {
    const Coord64 cell = random_cell(config, pick);
    select.ms.push_back(milliseconds_of([&] { explanation.look_at(config, cell); }));
    if (!explanation.thread()) throw std::logic_error("a cell has no thread");
    const explain::ThreadSpace& threads = *explanation.space();
    const Coord64 tile = explanation.thread()->place.ref.tile;
    steps.ms.push_back(milliseconds_of(
        [&] { diagram::steps_diagram(threads, {.tile = tile, .neighbour = 4, .width = 60}); }));
    access.ms.push_back(milliseconds_of([&] {
      if (!explanation.thread()->traffic) return;  // offsets exceed 64 bits; the pane says so
      const explain::Warp& warp = explanation.thread()->warp;
      diagram::memory_access_diagram(explain::warp_memory_access(threads, warp.thread_block, warp.number),
                                     std::nullopt);
    }));
    all.ms.push_back(select.ms.back() + steps.ms.back() + access.ms.back());
  }
  nlohmann::ordered_json json{{"fractal", config.fractal.name()},
                              {"level", config.level},
                              {"block", config.tile_size},
                              {"method", to_string(config.method)}};
  for (const Part& part : {select, steps, access, all}) json[part.name] = stats_of(part.ms);
  json["average_of_launch_ms"] = nullptr;  // measured once per configuration
  if (explanation.thread()->traffic) {
    json["average_of_launch_ms"] =
        milliseconds_of([&] { explain::launch_traffic(*explanation.space(), kWarpsOfAverage); });
  }
  return json;
}

int run(std::size_t samples) {
  nlohmann::ordered_json json{{"what", "one selection, by the functions of the panes"}, {"samples", samples}};
  const bench::Machine machine = bench::inspect_machine();
  json["cpu"] = machine.cpu;
  json["cpu_threads"] = machine.threads;
  json["commit"] = bench::source_commit();
  json["cases"] = nlohmann::ordered_json::array();
  for (const int level : {12, 16, 30}) {
    for (const MapKind map : kMapKinds) {
      for (const MapArithmetic arithmetic :
           {MapArithmetic::kTable, MapArithmetic::kTensor1, MapArithmetic::kTensor}) {
        FractalConfig config{
            find_fractal("sierpinski-gasket"), level, 16, {.map = map, .arithmetic = arithmetic}};
        const bool valid =
            method_problem(config.method, make_tiled_fractal(config.fractal, level, config.tile_size))
                .empty();
        const bool again = map == MapKind::kBoundingBox && arithmetic != MapArithmetic::kTable;
        if (valid && !again) json["cases"].push_back(measure(config, samples));
      }
    }
  }
  fmt::print("{}\n", json.dump(2));
  return 0;
}

}  // namespace
}  // namespace loom::app

int main(int count, char** words) {
  const int samples = count > 1 ? std::atoi(words[1]) : 1000;
  if (samples < 1 || count > 2) {
    fmt::print(stderr, "usage: lens_times [SAMPLES], a whole number from 1\n");
    return 2;
  }
  return loom::app::run(static_cast<std::size_t>(samples));
}
