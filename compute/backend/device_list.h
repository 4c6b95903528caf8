#pragma once

#include <string_view>
#include <vector>

#include "compute/backend/engine_factory.h"
#include "compute/split/ranks.h"

namespace loom {

/// The most parts that the one CPU may be taken for. They share its threads and memory: that shows how cells
/// are split, and is no faster.
inline constexpr int kMostCpuParts = 8;

/// A list of devices: numbers of CUDA devices, in the order of the parts, or "all" of them. With the CPU as
/// the backend, how many parts of it. Throws InputError for what is no list, a device named twice or absent,
/// with those there are, and for another number of parts, MachineError where there is no CUDA device.
std::vector<BackendSelection> read_devices(std::string_view text, BackendChoice backend);

/// The device of one of several processes: that of its number on its machine; 0 where there is none.
int device_of_rank(const Ranks& ranks);

/// Of all that cells may be shared out to from `first` on, `first` and then the others: what was named, or
/// with nothing named the machine's CUDA devices; of the CPU its parts.
std::vector<int> devices_from(const BackendSelection& first, const CudaStatus& cuda,
                              const std::vector<int>& named);
/// The first of these devices and as many others as make `count`, or all of them where these are fewer; one
/// is as it was. `first` is the first device alone, `devices` as from devices_from().
BackendSelection shared_out(const BackendSelection& first, const std::vector<int>& devices,
                            std::size_t count);
/// Whether shared_out() makes `shared`, for whatever reasons; allocates nothing.
bool is_shared_out(const BackendSelection& shared, const BackendSelection& first,
                   const std::vector<int>& devices, std::size_t count);

/// CUDA's part of read_devices(), with the devices of the machine given.
std::vector<int> read_device_numbers(std::string_view text, const std::vector<int>& there);

}  // namespace loom
