#include "compute/device/energy.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <filesystem>
#include <limits>
#include <system_error>
#include <thread>
#include <utility>

#include "compute/core/error.h"
#include "compute/cuda/shared_library.h"

namespace loom {
namespace {

/// What a file of a sensor has, without the end of the line. Throws MachineError.
std::string_view read_sensor(const std::string& file, std::array<char, 64>& text) {
  const int opened = ::open(file.c_str(), O_RDONLY | O_CLOEXEC);
  const ssize_t bytes = opened < 0 ? -1 : ::read(opened, text.data(), text.size());
  const int error = errno;
  if (opened >= 0) ::close(opened);
  if (bytes < 0) throw MachineError(fmt::format("{} cannot be read: {}", file, std::strerror(error)));
  const std::string_view all(text.data(), static_cast<std::size_t>(bytes));
  return all.substr(0, all.find('\n'));
}

std::uint64_t read_count(const std::string& file) {
  std::array<char, 64> text{};
  const std::string_view digits = read_sensor(file, text);
  std::uint64_t count = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), count);
  if (error != std::errc() || end != digits.data() + digits.size())
    throw MachineError(fmt::format("{} has no number", file));
  return count;
}

/// The functions of NVML that are needed, declared as in nvml.h, so that no build needs it.
struct Nvml {
  int (*init)() = nullptr;
  int (*find_device)(const char* pci_bus, void** device) = nullptr;
  int (*energy)(void* device, unsigned long long* millijoules) = nullptr;
  const char* (*error_text)(int status) = nullptr;
  bool is_whole = false;

  explicit Nvml(const std::string& file) {
    cuda::SharedLibrary library(file.c_str());
    library.find(init, "nvmlInit_v2");
    library.find(find_device, "nvmlDeviceGetHandleByPciBusId_v2");
    library.find(energy, "nvmlDeviceGetTotalEnergyConsumption");
    library.find(error_text, "nvmlErrorString");
    is_whole = library.whole();
  }
  void check(int status, std::string_view what) const {
    if (status != 0) throw MachineError(fmt::format("NVML {}: {}", what, error_text(status)));
  }
  std::uint64_t millijoules(void* device) const {
    unsigned long long count = 0;
    check(energy(device, &count), "reads no energy");
    return count;
  }
};

double seconds_between(std::chrono::steady_clock::time_point begin,
                       std::chrono::steady_clock::time_point end) {
  return std::chrono::duration<double>(end - begin).count();
}

}  // namespace

EnergyMeter::EnergyMeter(const std::vector<Device>& devices, Sources sources) : sources_(std::move(sources)) {
  try {
    devices.front().on_host ? find_rapl() : find_nvml(devices);
    for (Counter& counter : counters_) counter.last = counter.read();
  } catch (const MachineError& error) {
    problem_ = error.what();
    sensor_.clear();
  }
}

void EnergyMeter::find_rapl() {
  std::vector<std::pair<std::string, std::string>> packages;
  std::error_code ignored;  // the folder may be missing
  for (const auto& entry : std::filesystem::directory_iterator(sources_.rapl, ignored)) {
    const std::string zone = entry.path().filename().string();
    // intel-rapl:0:1 is a part of a package, intel-rapl-mmio:0 counts the same package again.
    if (!zone.starts_with("intel-rapl:") || std::ranges::count(zone, ':') != 1) continue;
    std::array<char, 64> text{};
    const std::string name(read_sensor(entry.path() / "name", text));
    if (name.starts_with("package")) packages.emplace_back(name, entry.path());
  }
  if (packages.empty())
    throw MachineError(fmt::format("no RAPL sensor of a CPU package in {}", sources_.rapl));
  std::ranges::sort(packages);
  sensor_ = "RAPL, ";
  for (const auto& [name, folder] : packages) {
    sensor_ += (counters_.empty() ? "" : " + ") + name;
    counters_.push_back({[file = folder + "/energy_uj"] { return read_count(file); }, 1e-6,
                         read_count(folder + "/max_energy_range_uj")});
  }
}

void EnergyMeter::find_nvml(const std::vector<Device>& devices) {
  const Nvml nvml(sources_.nvml);
  if (!nvml.is_whole)
    throw MachineError(fmt::format("{} is missing or has no energy counter", sources_.nvml));
  nvml.check(nvml.init(), "does not start");
  sensor_ = "NVML, GPU ";
  for (const Device& device : devices) {
    void* handle = nullptr;
    nvml.check(nvml.find_device(cuda_pci_bus(device.ordinal).c_str(), &handle), "does not know the GPU");
    sensor_ += fmt::format("{}{}", counters_.empty() ? "" : " + ", device.ordinal);
    counters_.push_back({[nvml, handle] { return nvml.millijoules(handle); }, 1e-3,
                         std::numeric_limits<std::uint64_t>::max()});
  }
}

double EnergyMeter::read() {
  double joules = 0;
  try {
    if (!problem_.empty()) return 0;
    for (Counter& counter : counters_) {
      const std::uint64_t now = counter.read();
      const std::uint64_t units =
          now >= counter.last ? now - counter.last : counter.range - counter.last + now;
      joules += static_cast<double>(units) * counter.joules;
      counter.last = now;
    }
  } catch (const MachineError& error) {
    problem_ = error.what();
    return 0;
  }
  return joules;
}

bool EnergyMeter::measure_idle() {
  if (!problem_.empty() || idle_watts_ > 0) return true;
  if (!idle_since_) idle_since_ = Clock::now();
  std::this_thread::sleep_for(std::chrono::duration<double>(sources_.idle_seconds / 30));
  const double seconds = seconds_between(*idle_since_, Clock::now());
  if (!is_settled_ && seconds >= sources_.idle_seconds / 3) {
    begin();
    is_settled_ = true;
  } else if (is_settled_) {
    take_idle();
    return seconds_between(since_, Clock::now()) >= sources_.idle_seconds;
  }
  return false;
}

void EnergyMeter::take_idle() {
  if (seconds_between(since_, Clock::now()) < sources_.idle_seconds) return;
  const double joules = read();
  idle_watts_ = joules / seconds_between(since_, Clock::now());
}

void EnergyMeter::begin() {
  read();
  since_ = Clock::now();
  windows_ = 0;
  rounds_ = total_rounds_ = 0;
  total_joules_ = total_seconds_ = 0;
}

void EnergyMeter::add(std::uint64_t rounds) {
  rounds_ += rounds;
  const double seconds = seconds_between(since_, Clock::now());
  if (rounds_ == 0 || seconds < sources_.window_seconds) return;
  const double joules = read();
  const auto now = Clock::now();
  const double of_round = joules / static_cast<double>(rounds_);
  least_ = windows_ == 0 ? of_round : std::min(least_, of_round);
  most_ = windows_ == 0 ? of_round : std::max(most_, of_round);
  total_joules_ += joules;
  total_seconds_ += seconds_between(since_, now);
  total_rounds_ += std::exchange(rounds_, 0);
  since_ = now;
  ++windows_;
}

EnergyUse EnergyMeter::use() const {
  EnergyUse use{.sensor = sensor_, .problem = problem_, .seconds = total_seconds_, .idle_watts = idle_watts_};
  if (use.problem.empty() && !finished()) {
    use.problem = fmt::format("the run took less than {} s, too short for the sensor",
                              kMinWindows * sources_.window_seconds);
  } else if (use.problem.empty() && total_joules_ == 0) {
    use.problem = "the sensor counted nothing";
  }
  if (!use.problem.empty()) return use;
  use.joules = total_joules_ / static_cast<double>(total_rounds_);
  use.least = least_;
  use.most = most_;
  use.watts = total_joules_ / total_seconds_;
  return use;
}

}  // namespace loom
