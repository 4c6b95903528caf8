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

/// Whether the scene, or a pane beside it, wants several.
bool wants_several(const LifeSettings& settings);

/// Why colours cannot stand for that now, as the window says it; empty where they can.
std::string_view why_not_coloured(const LifeSettings& settings, teach::ColourBy by);

/// Why a configuration cannot be shared out to so many here, as the window says it; empty where it can.
/// `there`: how many there are, or parts of the CPU.
std::string why_not_devices(const FractalConfig& config, std::size_t devices, std::size_t there,
                            BackendKind kind);

/// Settings of which `config` cannot be shared out to as many as they say, or that say more than there are,
/// get the most that can be; colours by device need several. Returns what the user is to be told: where it
/// was not by a change of the method or the level, which they see; else empty.
std::string keep_devices_valid(LifeSettings& settings, std::size_t there, BackendKind kind);

}  // namespace loom::app
