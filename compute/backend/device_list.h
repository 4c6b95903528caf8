#pragma once

#include <string_view>
#include <vector>

#include "compute/backend/engine_factory.h"
#include "compute/split/ranks.h"

namespace loom {

/// A list of devices: numbers of CUDA devices, in the order of the parts, or "all" of them. Throws
/// InputError for what is no list, a device named twice or absent, with those there are, MachineError where
/// there is none.
std::vector<BackendSelection> read_devices(std::string_view text, BackendChoice backend);

/// The device of one of several processes: that of its number on its machine; 0 where there is none.
int device_of_rank(const Ranks& ranks);

/// The same as read_devices, with the devices of the machine given.
std::vector<int> read_device_numbers(std::string_view text, const std::vector<int>& there);

}  // namespace loom
