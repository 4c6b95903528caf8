#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace loom {

enum class BackendKind { kCuda, kCpu };
enum class BackendChoice { kAuto, kCuda, kCpu };

/// "auto", "cuda", "cpu". `parse_backend` throws InputError with the list of names.
BackendChoice parse_backend(std::string_view name);
std::string_view name_of(BackendChoice choice);
std::string_view name_of(BackendKind kind);
/// The choice of this backend and no other.
BackendChoice choice_of(BackendKind kind);

/// The largest number of partitions on the CPU. They share its threads and memory: this demonstrates the
/// distribution of cells and gives no speedup.
inline constexpr int kMaxCpuPartitions = 8;

/// A device that engines run on: the CPU by default, or the result of cuda_device(). Code asks it for a
/// capability; its kind is for names and for the factories of engines.
struct Device {
  std::string name = {};  ///< "NVIDIA H200"; empty for the CPU
  BackendKind kind = BackendKind::kCpu;
  int ordinal = 0;  ///< CUDA ordinal; for the CPU, the number of a simulated device

  // Properties at detection, 0 for the CPU.
  int compute_major = 0;
  int compute_minor = 0;
  int multiprocessors = 0;
  std::uint64_t total_bytes = 0;
  std::uint64_t free_bytes = 0;

  // Capabilities.
  bool on_host = true;        ///< computes on the host's cores and in its memory
  bool works_ahead = false;   ///< computes a frame while the host draws the previous one
  bool warps = false;         ///< runs thread blocks in warps of 32; else a thread runs a tile or region
  bool tensor_cores = false;  ///< computes matrix products that other devices emulate
  bool dynamic_parallelism = false;           ///< launches kernels from kernels
  bool interop = false;                       ///< can share an image with OpenGL if it draws the context
  int simulated_devices = kMaxCpuPartitions;  ///< the most devices that it can simulate; 0: none

  /// The CUDA ordinal for OpenGL interop, -1 without that capability.
  int interop_ordinal() const { return interop ? ordinal : -1; }
  /// Whether both are the same device; its properties may have changed.
  bool operator==(const Device& other) const { return kind == other.kind && ordinal == other.ordinal; }
};
/// A CUDA device with its capabilities, and without the properties that only detection knows.
Device cuda_device(int ordinal, std::string name = {});

/// FP32 cores per multiprocessor. Source: the throughput table of the CUDA C++ Programming Guide: 64 for
/// compute capabilities 6.0, 7.x and 8.0, 128 for all others from 5.0 on.
int cores_of_multiprocessor(int compute_major, int compute_minor);

/// The CUDA devices of this machine. Detection never throws: without a GPU, `devices` is empty and `reason`
/// has the driver's message ("built without CUDA" if the build had no nvcc).
struct CudaStatus {
  std::vector<Device> devices;
  int driver_version = 0;   ///< 13000 for 13.0; 0 without a driver
  int runtime_version = 0;  ///< 0 if built without CUDA
  std::string reason;       ///< empty if there are devices
};
CudaStatus cuda_status();

/// The selected devices and the reason for the selection.
struct BackendSelection {
  Device device;                    ///< the first or only one
  std::string reason;               ///< "selected", "auto: no CUDA device (...)"
  std::vector<Device> others = {};  ///< further devices that share the cells with `device`
  std::size_t devices() const { return 1 + others.size(); }
  /// Whether both use the same devices, apart from the reason.
  bool same_device(const BackendSelection& other) const {
    return device == other.device && others == other.others;
  }
};
/// The selection reduced to its first device.
BackendSelection first_device(const BackendSelection& backend);
/// The devices of a selection, in the order of the partitions.
std::vector<Device> each_device(const BackendSelection& backend);
/// Throws MachineError if `choice` is kCuda and the device does not exist or does not work, InputError for a
/// negative ordinal.
BackendSelection select_backend(BackendChoice choice, int device = 0);

/// Parses a list of devices: numbers of CUDA devices in the order of the partitions, or "all". For the CPU
/// backend the text is the number of partitions. Throws InputError for an invalid list, for a device that is
/// listed twice or does not exist (with the devices that exist) and for an invalid number of partitions;
/// MachineError if there is no CUDA device.
std::vector<Device> read_devices(std::string_view text, BackendChoice backend);
/// The CUDA part of read_devices(), for the ordinals of the machine's devices.
std::vector<int> read_device_numbers(std::string_view text, const std::vector<int>& there);

/// All devices that cells may be distributed over, `first` and then the others: the devices whose ordinals
/// were named or, if none were named, the machine's CUDA devices; for the CPU, its simulated devices.
std::vector<Device> devices_from(const Device& first, const CudaStatus& cuda, const std::vector<int>& named);
/// The first `count` of these devices, or all of them if there are fewer; for a count of one, `first`
/// unchanged. `first` is the first device alone, `devices` is the result of devices_from().
BackendSelection distribute_over(const BackendSelection& first, const std::vector<Device>& devices,
                                 std::size_t count);
/// Whether distribute_over() gives `shared`, apart from its reason. Does not allocate memory.
bool is_distributed_over(const BackendSelection& shared, const BackendSelection& first,
                         const std::vector<Device>& devices, std::size_t count);

}  // namespace loom
