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

/// The machine that a measurement is of. What could not be found out is empty or 0.
struct Machine {
  std::string cpu;
  int threads = 0;  ///< hardware threads that this process may use
  std::vector<Gpu> gpus;
  std::string cuda_driver;   ///< highest CUDA version of the driver, "13.0"
  std::string cuda_runtime;  ///< "13.0"
  /// nvidia-smi's words, one line a GPU: driver version, then current and highest clocks of the
  /// multiprocessors and of the memory in MHz.
  std::vector<std::string> nvidia_smi;
  friend bool operator==(const Machine&, const Machine&) = default;
};

/// Asks the system, the CUDA backend and, where there is a GPU, nvidia-smi.
Machine inspect_machine();

/// "fractal-loom 0.1.0".
std::string program_version();

/// What the program was built from: the environment's LOOM_COMMIT, else the commit at configure time, else
/// "unknown".
std::string source_commit();

/// Now as ISO 8601 in UTC: "2026-11-20T14:05:59Z".
std::string utc_now();

}  // namespace loom::app::bench
