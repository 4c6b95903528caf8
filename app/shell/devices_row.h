#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "app/gui/layout.h"
#include "compute/device/device.h"

namespace loom::app {

/// One choice of the devices row: a number of devices.
struct DeviceCountOption {
  std::uint32_t count = 1;
  std::string label = {};
  std::string problem = {};  ///< reason why it is not available; empty: it can be chosen
  std::string hint = {};
  Area place = {};  ///< area of its button, for tests
};

/// The choices with their labels. GPUs: one, two and all. Simulated devices of the CPU: one, two, four and
/// eight.
std::vector<DeviceCountOption> device_counts(std::size_t there, const Device& device);

/// "2 GPUs", "2 simulated devices (CPU)", "1 GPU".
std::string devices_text(std::size_t devices, const Device& device);
/// The reason, for the window, why `devices` devices are not available; empty if they are. `there`: available
/// GPUs, or simulated devices of the CPU.
std::string missing_devices_reason(std::size_t devices, std::size_t there, const Device& device);

/// Draws the row of controls that selects the number of devices.
void devices_row(std::span<DeviceCountOption> counts, std::uint32_t& chosen, bool simulated,
                 std::string_view hint);

}  // namespace loom::app
