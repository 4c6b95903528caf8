#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "app/life/scene/life_settings.h"
#include "app/shell/devices_row.h"
#include "compute/backend/device_list.h"

namespace loom::app {

// Settings that share cells out among devices. How many is the scene's; which they are is the machine's.

/// True if the active pane or a secondary pane requests several devices.
bool wants_several(const LifeSettings& settings);

/// Why a colouring is not possible, as shown in the window; empty if it is.
std::string_view why_not_coloured(const LifeSettings& settings, teach::ColourBy by);

/// Why the cells of a configuration cannot be distributed over `devices` devices, as shown in the window;
/// empty if they can. `there`: available GPUs, or simulated devices of the CPU.
std::string why_not_devices(const FractalConfig& config, std::size_t devices, std::size_t there,
                            BackendKind kind);

/// Reduces the number of devices to the largest possible one, and resets colours by device if it is 1.
/// Returns a message for the user, unless a change of method or level that the user sees is the cause.
std::string keep_devices_valid(LifeSettings& settings, std::size_t there, BackendKind kind);

}  // namespace loom::app
