#pragma once

#include <memory>

#include "compute/split/part_exchange.h"

namespace loom::cuda {

/// Between parts of one process by copies from device to device: what there is without NCCL, and where
/// several parts lie on one device, which NCCL refuses.
std::unique_ptr<PartExchange> make_copy_exchange();

}  // namespace loom::cuda
