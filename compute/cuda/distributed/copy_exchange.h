#pragma once

#include <memory>
#include <vector>

#include "compute/distributed/fractal_partition.h"

namespace loom::cuda {

/// Enables peer access between all of these devices. Returns whether every device can access the others'
/// memory.
bool enable_peer_access(const std::vector<int>& devices);

/// The exchange between partitions of one process by copies between devices. `direct`: each device reads its
/// halo from the others' memory, which enable_peer_access() has enabled; otherwise the driver copies.
std::unique_ptr<HaloExchange> make_copy_exchange(bool direct);

}  // namespace loom::cuda
