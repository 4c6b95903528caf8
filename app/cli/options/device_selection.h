#pragma once

#include <optional>
#include <string>
#include <vector>

#include "compute/backend/engine_factory.h"
#include "compute/distributed/process_group.h"

namespace loom::app {

/// The devices of a subcommand that can distribute its work.
struct DeviceSelection {
  BackendSelection backend = {};     ///< that of the first device
  std::vector<Device> several = {};  ///< the named devices; empty: only `backend`
  /// The device numbers, for results.
  std::vector<int> numbers() const;
};

/// The number of --device, 0 if it was not typed. Throws InputError, also for the CPU, which has no device
/// numbers.
int read_device(const std::optional<std::string>& typed, BackendChoice backend);

/// `device` is that of the settings; `named` is whether --device was typed; `devices` is the text of
/// --devices. With several processes (`ranks`, or null), each uses the device of its number on its machine,
/// unless one is named. Throws InputError if both options are typed, if a device does not exist or is named
/// twice, and for --devices with several processes; MachineError.
DeviceSelection select_devices(BackendChoice backend, int device, bool named,
                               const std::optional<std::string>& devices, const ProcessGroup* ranks);

}  // namespace loom::app
