#pragma once

#include <memory>
#include <vector>

#include "compute/split/part_picture.h"

namespace loom::cuda {

/// Pictures of parts of this process, part i on the i-th of these CUDA devices: added up on the first one,
/// which draws, out of the others' memory. Null where it cannot read that (copy_exchange.h).
std::unique_ptr<PartPicture> make_device_picture(const std::vector<int>& devices);

}  // namespace loom::cuda
