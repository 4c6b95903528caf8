#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "app/shell/devices_row.h"
#include "app/workspaces/life/scene/life_settings.h"
#include "compute/device/device.h"

namespace loom::app {

// Settings that distribute cells over devices. The scene sets the number of devices; the machine determines
// which devices they are.

/// True if the active pane or a secondary pane requests several devices.
bool uses_several_devices(const LifeSettings& settings);

/// Why a colouring is not possible, as shown in the window; empty if it is.
std::string_view no_colouring_reason(const LifeSettings& settings, explain::ColourBy by);

/// Why the cells of a configuration cannot be distributed over `devices` devices, as shown in the window;
/// empty if they can. `there`: available GPUs, or simulated devices of the CPU.
std::string no_devices_reason(const FractalConfig& config, std::size_t devices, std::size_t there,
                              const Device& device);

/// Reduces the number of devices to the largest possible one, and resets colours by device if it is 1.
/// Returns a message for the user, unless a change of method or level that the user sees is the cause.
std::string clamp_devices(LifeSettings& settings, std::size_t there, const Device& device);

}  // namespace loom::app
