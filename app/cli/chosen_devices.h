#pragma once

#include <optional>
#include <string>
#include <vector>

#include "compute/backend/engine_factory.h"
#include "compute/split/ranks.h"

namespace loom::app {

/// Where a subcommand computes that can be shared out.
struct ChosenDevices {
  BackendSelection backend = {};               ///< the first one's
  std::vector<BackendSelection> several = {};  ///< those that were named; empty: the one above
  /// Their numbers, for results.
  std::vector<int> numbers() const;
};

/// The number of --device, 0 where it was not typed. Throws InputError; it means nothing on the CPU.
int read_device(const std::optional<std::string>& typed, BackendChoice backend);

/// `device` is that of the settings, and `named` where --device was typed; `devices` what was typed for
/// --devices. Of processes (`ranks`, or null) each takes the device of its number on its machine, unless one
/// is named. Throws InputError where both are typed, a device is absent or named twice, and for --devices
/// among several processes; MachineError.
ChosenDevices choose_devices(BackendChoice backend, int device, bool named,
                             const std::optional<std::string>& devices, const Ranks* ranks);

}  // namespace loom::app
