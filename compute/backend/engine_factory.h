#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "compute/engine/fractal_engine.h"
#include "compute/geometry/tile_sizes.h"

namespace loom {

enum class BackendKind { kCuda, kCpu };
enum class BackendChoice { kAuto, kCuda, kCpu };

/// "auto", "cuda", "cpu". `parse_backend` throws InputError with the list of names.
BackendChoice parse_backend(std::string_view name);
std::string_view name_of(BackendChoice choice);
std::string_view name_of(BackendKind kind);

struct DeviceInfo {
  int ordinal = 0;
  std::string name;
  int compute_major = 0;
  int compute_minor = 0;
  int multiprocessors = 0;
  std::uint64_t total_bytes = 0;
  std::uint64_t free_bytes = 0;
};

/// FP32 cores per multiprocessor. Source: the throughput table of the CUDA C++ Programming Guide: 64 for
/// compute capabilities 6.0, 7.x and 8.0, 128 for all others from 5.0 on.
int cores_of_multiprocessor(int compute_major, int compute_minor);

/// The CUDA devices of this machine. Detection never throws: without a GPU, `devices` is empty and `reason`
/// has the driver's message ("built without CUDA" if the build had no nvcc).
struct CudaStatus {
  std::vector<DeviceInfo> devices;
  int driver_version = 0;   ///< 13000 for 13.0; 0 without a driver
  int runtime_version = 0;  ///< 0 if built without CUDA
  std::string reason;       ///< empty if there are devices
};
CudaStatus cuda_status();

/// The selected backend and the reason for the selection.
struct BackendSelection {
  BackendKind kind = BackendKind::kCpu;
  int device = 0;      ///< CUDA ordinal
  std::string reason;  ///< "NVIDIA H200, selected", "auto: no CUDA device (...)"
  /// Further devices that share the cells with `device`: CUDA ordinals; for the CPU, the numbers of its
  /// further partitions.
  std::vector<int> others = {};
  std::size_t devices() const { return 1 + others.size(); }
  /// Whether both use the same devices, apart from the reason.
  bool same_device(const BackendSelection& other) const {
    return kind == other.kind && device == other.device && others == other.others;
  }
};
/// The selection reduced to its first device.
BackendSelection first_device(const BackendSelection& backend);
/// Throws MachineError if `choice` is kCuda and the device does not exist or does not work, InputError for a
/// negative ordinal.
BackendSelection select_backend(BackendChoice choice, int device = 0);

/// Bytes that a backend can currently allocate for cells, per device.
std::uint64_t bytes_free(const BackendSelection& backend);
/// Throws CapacityError (needed bytes, free bytes, largest level that fits) if the cells of a valid
/// configuration do not fit into the backend's free memory.
void check_fits(const FractalConfig& config, const BackendSelection& backend);

/// Builds an engine with all cells dead, distributed if the backend has several devices (split_factory.h).
/// `monitor` monitors the construction, not the engine. Throws InputError (invalid configuration),
/// CapacityError (needed bytes, free bytes, largest level that fits), MachineError (device failure),
/// OperationCancelled.
std::unique_ptr<FractalEngine> make_fractal_engine(const FractalConfig& config,
                                                   const BackendSelection& backend,
                                                   ProgressMonitor* monitor = nullptr);

/// Transfers every cell and the generation from one engine to another of the same fractal and level; maps,
/// tile sizes and backends may differ. Throws OperationCancelled, with some of the cells transferred, if it
/// is cancelled through `monitor` or through the engines' own monitors, which may be the same.
void transfer_cells(const FractalEngine& from, FractalEngine& to, ProgressMonitor* monitor = nullptr);

}  // namespace loom
