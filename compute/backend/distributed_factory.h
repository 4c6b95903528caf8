#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "compute/backend/engine_factory.h"
#include "compute/distributed/process_group.h"

namespace loom {

/// The ordinal of the device of one of several processes: the one with the process's number on its machine; 0
/// if there is none.
int device_of_rank(const ProcessGroup& ranks);

/// An engine over several devices of this machine, each with a partition of the fractal's cells in proportion
/// to `shares`; without shares, the partitions are equal. Throws InputError if the map is not compact or if
/// there are too few groups of bit planes, or tile rows, for the partitions; CapacityError, MachineError and
/// OperationCancelled as make_fractal_engine().
std::unique_ptr<FractalEngine> make_distributed_engine(const FractalConfig& config,
                                                       std::span<const Device> devices,
                                                       std::span<const std::uint32_t> shares = {},
                                                       ProgressMonitor* monitor = nullptr);

/// An engine over the processes of a run, each with one partition on its own device. All processes must call
/// it. If one of them fails, all throw its message with its rank.
std::unique_ptr<FractalEngine> make_distributed_engine(const FractalConfig& config, const Device& device,
                                                       const ProcessGroup& ranks);

}  // namespace loom
