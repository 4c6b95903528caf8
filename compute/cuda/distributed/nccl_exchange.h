#pragma once

#include <memory>
#include <vector>

#include "compute/distributed/fractal_partition.h"
#include "compute/distributed/process_group.h"

namespace loom::cuda {

/// The exchange between partitions of this process, partition i on the i-th of these CUDA devices, all
/// different, by NCCL. Null if the program was built without NCCL's header or the machine has no
/// libnccl.so.2. Throws MachineError if NCCL rejects the devices.
std::unique_ptr<HaloExchange> make_nccl_exchange(const std::vector<int>& devices);

/// The exchange between processes with different devices: `ranks` distributes the first process's id and also
/// adds sums. Throws MachineError in all processes if one of them has no NCCL.
std::unique_ptr<HaloExchange> make_nccl_exchange(int device, const ProcessGroup& ranks);

}  // namespace loom::cuda
