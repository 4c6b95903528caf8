#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "compute/device/device.h"

namespace loom {

/// The energy of rounds that were run one after the other, generations or images. Everything that the sensor
/// covers is included, also what other programs use.
struct EnergyUse {
  std::string sensor = {};   ///< "NVML, GPU 0"; empty without a sensor
  std::string problem = {};  ///< why there are no numbers; empty where there are
  double joules = 0;         ///< per round, as the next two
  double least = 0;          ///< of a window
  double most = 0;
  double seconds = 0;  ///< of all windows
  double watts = 0;
  double idle_watts = 0;  ///< measured before; 0 if it was not
  /// The fraction of the energy that is also used while nothing runs.
  double idle_share() const { return watts > 0 ? idle_watts / watts : 0; }
};

/// Measures the energy that devices take: of CUDA devices by NVML's counter of millijoules, of the CPU by the
/// RAPL counters of its packages (Linux's powercap). Rounds are measured in windows, whose spread is known,
/// because sensors are refreshed only every 1 ms (RAPL) to 100 ms (NVML).
class EnergyMeter {
 public:
  /// Where sensors are, and how long they are read.
  struct Sources {
    std::string rapl = "/sys/class/powercap";
    std::string nvml = "libnvidia-ml.so.1";
    double window_seconds = 0.5;  ///< shortest window
    double idle_seconds = 3;      ///< after a third of this to settle
  };
  static constexpr int kMinWindows = 4;

  /// Looks for the sensors. Without one, there is a problem().
  explicit EnergyMeter(const std::vector<Device>& devices) : EnergyMeter(devices, Sources()) {}
  EnergyMeter(const std::vector<Device>& devices, Sources sources);

  /// "RAPL, package-0 + package-1"; empty without a sensor.
  const std::string& sensor() const { return sensor_; }
  /// Why there is no sensor, or why it can be read no more; empty while it works.
  const std::string& problem() const { return problem_; }

  /// Measures the power while nothing runs, in steps of a tenth of a second, each of which waits. Returns
  /// whether it is known, or there is no sensor.
  bool measure_idle();
  /// Takes the time since begin() as idle, if it was long enough.
  void take_idle();
  double idle_watts() const { return idle_watts_; }
  void set_idle_watts(double watts) { idle_watts_ = watts; }

  /// Forgets earlier rounds and begins the first window.
  void begin();
  /// Counts completed rounds. Reads the sensors and begins the next window where this one is long enough.
  /// Allocates nothing.
  void add(std::uint64_t rounds);
  /// Whether enough windows are complete.
  bool finished() const { return windows_ >= kMinWindows; }
  /// The energy of the complete windows; with a problem before finished().
  EnergyUse use() const;

 private:
  using Clock = std::chrono::steady_clock;
  /// A counter that begins again at 0 after `range`.
  struct Counter {
    std::function<std::uint64_t()> read;  ///< throws MachineError
    double joules = 0;                    ///< of a unit
    std::uint64_t range = 0;
    std::uint64_t last = 0;
  };

  void find_rapl();
  void find_nvml(const std::vector<Device>& devices);
  /// Joules since the last call; 0 once there is a problem.
  double read();

  Sources sources_;
  std::string sensor_;
  std::string problem_;
  std::vector<Counter> counters_;
  double idle_watts_ = 0;
  std::optional<Clock::time_point> idle_since_;
  bool is_settled_ = false;   ///< the measurement of idle power has begun
  Clock::time_point since_;   ///< beginning of the window
  std::uint64_t rounds_ = 0;  ///< of the window
  int windows_ = 0;
  std::uint64_t total_rounds_ = 0;
  double total_joules_ = 0;
  double total_seconds_ = 0;
  double least_ = 0;
  double most_ = 0;
};

/// The PCI bus of a CUDA device, by which NVML knows it; empty if there is no such device.
std::string cuda_pci_bus(int ordinal);

}  // namespace loom
