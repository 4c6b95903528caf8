#pragma once

#include <memory>
#include <span>

#include "compute/backend/engine_factory.h"

namespace loom {

/// An engine over several devices of this machine, a part of the fractal's bit planes on each. Throws
/// InputError where cells are not held as bit planes or there are too few groups for so many, CapacityError,
/// MachineError, Cancelled, as make_fractal_engine().
std::unique_ptr<FractalEngine> make_split_engine(const FractalConfig& config,
                                                 std::span<const BackendSelection> devices,
                                                 Watch* watch = nullptr);

}  // namespace loom
