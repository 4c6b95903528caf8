#pragma once

#include <algorithm>
#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "app/bench/sampler.h"
#include "app/cli/output.h"
#include "compute/device/device.h"
#include "compute/engine/fractal_engine.h"

namespace loom::app {

/// What a run of a workload computed, on a fractal of two or three dimensions.
struct WorkloadRun {
  BackendSelection backend = {};
  std::string device = {};
  std::vector<int> devices = {};  ///< if there are several, or if they were named
  int ranks = 1;
  std::uint64_t steps = 0;
  std::uint64_t at_once = 1;
  std::uint64_t generation = 0;
  std::uint64_t cells = 0;
  std::uint64_t bytes = 0;
  Census census = {};
  std::optional<StepReport> last_step = {};  ///< the last call; empty without steps
  std::optional<ThreadCount> threads = {};   ///< of one generation; empty without steps
  std::optional<bench::Summary> times = {};  ///< per generation

  /// Sets `steps` and `at_once` from the texts of their options. Throws InputError.
  void read_steps(const std::string& steps_text, const std::string& at_once_text);

  /// Runs all steps.
  template <typename Engine, typename Work>
  void run(Engine& engine, const Work& work) {
    bench::DecimatedSamples milliseconds;
    for (std::uint64_t done = 0; done < steps;) {
      const std::uint64_t count = std::min(at_once, steps - done);
      last_step = engine.run(static_cast<std::uint32_t>(count), work);
      milliseconds.add(last_step->milliseconds / static_cast<double>(count));
      done += count;
    }
    if (last_step) times = bench::summarise(milliseconds.retained());
    if (last_step) threads = engine.count_threads();
    device = device_text(engine.backend_name());
    cells = engine.cell_count();
    census = engine.census();
    generation = engine.generation();
    bytes = engine.allocated_bytes();
  }
};

/// ", halo on, loop, linear": the settings of a map that has them.
std::string method_text(const MapMethod& method);
/// Add what was computed to a JSON object, and to a table. `thread_blocks`: of one generation.
void add_run(nlohmann::ordered_json& json, const WorkloadRun& run, std::uint64_t thread_blocks);
void add_run(TextTable& table, const WorkloadRun& run, bool reduces);

}  // namespace loom::app
