#pragma once

#include <memory>
#include <span>

#include "compute/device/device.h"
#include "compute/distributed/distributed_mandelbrot.h"
#include "compute/engine/mandelbrot_engine.h"

namespace loom {

/// An engine without dwells on a backend, distributed if the backend has several devices. Throws
/// MachineError.
std::unique_ptr<MandelbrotEngine> make_mandelbrot_engine(const BackendSelection& backend);

/// An engine over several devices of this machine, each with a partition of every image's rows. Partitions on
/// the same device run one after the other. Throws MachineError.
std::unique_ptr<MandelbrotEngine> make_mandelbrot_engine(std::span<const Device> devices);

/// An engine over the processes of a run, each with one partition on its own device. All processes must call
/// it. If one of them fails, all throw its message with its rank.
std::unique_ptr<DistributedMandelbrotEngine> make_mandelbrot_engine(const Device& device,
                                                                    const ProcessGroup& ranks);

}  // namespace loom
