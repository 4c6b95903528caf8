#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace loom::app::bench {

struct Gpu {
  int device = 0;  ///< CUDA ordinal
  std::string name;
  std::string compute_capability;
  int multiprocessors = 0;
  std::uint64_t bytes = 0;
  friend bool operator==(const Gpu&, const Gpu&) = default;
};

/// The machine of a measurement. Unknown values are empty or 0.
struct Machine {
  std::string cpu;
  int threads = 0;  ///< hardware threads that this process may use
  std::vector<Gpu> gpus;
  std::string cuda_driver;   ///< highest CUDA version of the driver, "13.0"
  std::string cuda_runtime;  ///< "13.0"
  /// Output of nvidia-smi, one line per GPU: driver version, then current and highest clocks of the
  /// multiprocessors and of the memory in MHz.
  std::vector<std::string> nvidia_smi;
  friend bool operator==(const Machine&, const Machine&) = default;
};

/// Queries the system, the CUDA backend and, if there is a GPU, nvidia-smi.
Machine inspect_machine();

/// "fractal-loom 0.1.0".
std::string program_version();

/// The commit of the build: LOOM_COMMIT from the environment, else the commit at configure time, else
/// "unknown".
std::string source_commit();

/// The current time as ISO 8601 in UTC: "2026-11-20T14:05:59Z".
std::string utc_now();

}  // namespace loom::app::bench
