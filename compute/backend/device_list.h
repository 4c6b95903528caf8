#pragma once

#include <string_view>
#include <vector>

#include "compute/backend/engine_factory.h"
#include "compute/distributed/process_group.h"

namespace loom {

/// The largest number of partitions on the CPU. They share its threads and memory: this demonstrates the
/// distribution of cells and gives no speedup.
inline constexpr int kMaxCpuPartitions = 8;

/// Parses a list of devices: numbers of CUDA devices in the order of the partitions, or "all". For the CPU
/// backend the text is the number of partitions. Throws InputError for an invalid list, for a device that is
/// listed twice or does not exist (with the devices that exist) and for an invalid number of partitions;
/// MachineError if there is no CUDA device.
std::vector<BackendSelection> read_devices(std::string_view text, BackendChoice backend);

/// The device of one of several processes: the one with the process's number on its machine; 0 if there is
/// none.
int device_of_rank(const ProcessGroup& ranks);

/// All devices that cells may be distributed over, `first` and then the others: the devices that were named
/// or, if none were named, the machine's CUDA devices; for the CPU, its partitions.
std::vector<int> devices_from(const BackendSelection& first, const CudaStatus& cuda,
                              const std::vector<int>& named);
/// The first `count` of these devices, or all of them if there are fewer; for a count of one, `first`
/// unchanged. `first` is the first device alone, `devices` is the result of devices_from().
BackendSelection distribute_over(const BackendSelection& first, const std::vector<int>& devices,
                                 std::size_t count);
/// Whether distribute_over() gives `shared`, apart from its reason. Does not allocate memory.
bool is_distributed_over(const BackendSelection& shared, const BackendSelection& first,
                         const std::vector<int>& devices, std::size_t count);

/// The CUDA part of read_devices(), for the given devices of the machine.
std::vector<int> read_device_numbers(std::string_view text, const std::vector<int>& there);

}  // namespace loom
