#pragma once

#include <memory>
#include <vector>

#include "compute/split/part_exchange.h"

namespace loom::cuda {

/// Whether each of these devices can read the others' memory, which it may from then on.
bool share_memory(const std::vector<int>& devices);

/// Between parts of one process by copies from device to device. `direct`: each device reads what it hears
/// out of the others' memory, which share_memory() has allowed; otherwise the driver copies.
std::unique_ptr<PartExchange> make_copy_exchange(bool direct);

}  // namespace loom::cuda
