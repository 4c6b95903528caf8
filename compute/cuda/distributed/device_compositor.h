#pragma once

#include <memory>
#include <vector>

#include "compute/distributed/image_compositor.h"

namespace loom::cuda {

/// Composes images of partitions of this process, partition i on the i-th of these CUDA devices: the first
/// device, which draws, adds the sums from the others' memory. Null if it cannot access that memory
/// (copy_exchange.h).
std::unique_ptr<ImageCompositor> make_device_compositor(const std::vector<int>& devices);

}  // namespace loom::cuda
