#pragma once

#include <memory>
#include <vector>

#include "compute/split/part_exchange.h"
#include "compute/split/ranks.h"

namespace loom::cuda {

/// Between parts of this process, part i on the i-th of these CUDA devices, all different, by NCCL. Null
/// where the program was built without its header or the machine has no libnccl.so.2. Throws MachineError
/// where NCCL refuses the devices.
std::unique_ptr<PartExchange> make_nccl_exchange(const std::vector<int>& devices);

/// The same between processes, whose devices differ: the first one's id is handed out by `ranks`, which adds
/// up sums too. Throws MachineError in all of them where one lacks NCCL.
std::unique_ptr<PartExchange> make_nccl_exchange(int device, const Ranks& ranks);

}  // namespace loom::cuda
