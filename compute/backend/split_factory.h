#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "compute/backend/engine_factory.h"
#include "compute/split/ranks.h"

namespace loom {

/// The devices of a backend one by one, in the order of the parts.
std::vector<BackendSelection> each_device(const BackendSelection& backend);

/// An engine over several devices of this machine, a part of the fractal's cells on each: as much of all as
/// its share of `shares`, or with none an equal part. Throws InputError where cells are not on the compact
/// map or there are too few groups of bit planes, or rows of blocks, for such parts, CapacityError,
/// MachineError, Cancelled, as make_fractal_engine().
std::unique_ptr<FractalEngine> make_split_engine(const FractalConfig& config,
                                                 std::span<const BackendSelection> devices,
                                                 std::span<const std::uint32_t> shares = {},
                                                 Watch* watch = nullptr);

/// The same over the processes of a run: a part each, on this process' own device. All of them call it; where
/// one of them cannot, all throw what it says, with its rank.
std::unique_ptr<FractalEngine> make_split_engine(const FractalConfig& config, const BackendSelection& device,
                                                 const Ranks& ranks);

}  // namespace loom
