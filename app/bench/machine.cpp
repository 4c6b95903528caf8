#include "app/bench/machine.h"

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <sched.h>

#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <memory>
#include <thread>

#include "compute/backend/engine_factory.h"

namespace loom::app::bench {
namespace {

std::string cpu_name() {
  std::ifstream cpuinfo("/proc/cpuinfo");
  for (std::string line; std::getline(cpuinfo, line);) {
    const auto colon = line.find(": ");
    if (line.starts_with("model name") && colon != std::string::npos) return line.substr(colon + 2);
  }
  return "";
}

int usable_threads() {
  cpu_set_t allowed;
  CPU_ZERO(&allowed);
  if (sched_getaffinity(0, sizeof allowed, &allowed) == 0) return CPU_COUNT(&allowed);
  return static_cast<int>(std::thread::hardware_concurrency());
}

/// CUDA counts versions as 1000 * major + 10 * minor.
std::string cuda_version(int version) {
  return version == 0 ? "" : fmt::format("{}.{}", version / 1000, version % 1000 / 10);
}

std::vector<std::string> ask_nvidia_smi() {
  constexpr const char* kCommand =
      "nvidia-smi --query-gpu=driver_version,clocks.sm,clocks.max.sm,clocks.mem,clocks.max.mem "
      "--format=csv,noheader 2>/dev/null";
  std::vector<std::string> lines;
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> pipe(popen(kCommand, "r"), pclose);
  if (!pipe) return lines;
  char line[512];
  while (std::fgets(line, sizeof line, pipe.get()) != nullptr) {
    std::string text(line);
    while (!text.empty() && text.back() == '\n') text.pop_back();
    lines.push_back(text);
  }
  return lines;
}

}  // namespace

Machine inspect_machine() {
  Machine machine;
  machine.cpu = cpu_name();
  machine.threads = usable_threads();
  const CudaStatus cuda = cuda_status();
  for (const Device& device : cuda.devices) {
    machine.gpus.push_back({device.ordinal, device.name,
                            fmt::format("{}.{}", device.compute_major, device.compute_minor),
                            device.multiprocessors, device.total_bytes});
  }
  machine.cuda_driver = cuda_version(cuda.driver_version);
  machine.cuda_runtime = cuda_version(cuda.runtime_version);
  if (!machine.gpus.empty()) machine.nvidia_smi = ask_nvidia_smi();
  return machine;
}

std::string program_version() {
  return "fractal-loom " LOOM_VERSION;
}

std::string source_commit() {
  const char* named = std::getenv("LOOM_COMMIT");
  if (named != nullptr && *named != '\0') return named;
  return LOOM_BUILT_FROM;
}

std::string utc_now() {
  return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::time(nullptr)));
}

}  // namespace loom::app::bench
