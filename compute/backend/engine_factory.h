#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "compute/engine/fractal_engine.h"
#include "compute/geometry/block_sizes.h"

namespace loom {

enum class BackendKind { kCuda, kCpu };
enum class BackendChoice { kAuto, kCuda, kCpu };

/// "auto", "cuda", "cpu". `parse_backend` throws InputError that lists them.
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

/// FP32 cores of a multiprocessor, by the throughput table of the CUDA C++ Programming Guide: 64 for compute
/// capabilities 6.0, 7.x and 8.0, 128 for all others from 5.0 on.
int cores_of_multiprocessor(int compute_major, int compute_minor);

/// What the CUDA backend finds on this machine. Never throws: without a GPU `devices` is empty and `reason`
/// says why in the driver's words ("built without CUDA" where there was no nvcc).
struct CudaStatus {
  std::vector<DeviceInfo> devices;
  int driver_version = 0;   ///< 13000 for 13.0; 0 where there is no driver
  int runtime_version = 0;  ///< 0 where built without CUDA
  std::string reason;       ///< empty where devices is not
};
CudaStatus cuda_status();

/// The backend that a choice comes to, and why.
struct BackendSelection {
  BackendKind kind = BackendKind::kCpu;
  int device = 0;      ///< CUDA ordinal
  std::string reason;  ///< "NVIDIA H200, as asked", "auto: no CUDA device (...)"
  /// Devices that share the cells with that one: CUDA ordinals; of the CPU, which is one
  /// device, the numbers of further parts of it.
  std::vector<int> others = {};
  std::size_t devices() const { return 1 + others.size(); }
  /// Whether both compute in the same place, for whatever reasons.
  bool same_device(const BackendSelection& other) const {
    return kind == other.kind && device == other.device && others == other.others;
  }
};
/// The first of its devices alone.
BackendSelection first_device(const BackendSelection& backend);
/// Throws MachineError where `choice` is kCuda and no such device works, InputError for a negative ordinal.
BackendSelection select_backend(BackendChoice choice, int device = 0);

/// Bytes a backend could allocate for cells now; of several devices each holds as many.
std::uint64_t bytes_free(const BackendSelection& backend);
/// Throws CapacityError (needed bytes, free bytes, largest level that fits) where the cells of a valid
/// configuration are more than a backend has room for now.
void check_fits(const FractalConfig& config, const BackendSelection& backend);

/// Builds an engine with all cells dead, over several devices where there are some (split_factory.h); `watch`
/// watches the building, not the engine. Throws InputError (invalid configuration), CapacityError (needed
/// bytes, free bytes, largest level that fits), MachineError (the device failed), Cancelled.
std::unique_ptr<FractalEngine> make_fractal_engine(const FractalConfig& config,
                                                   const BackendSelection& backend, Watch* watch = nullptr);

/// Carries every cell and the generation from one engine to another of the same fractal and level, whatever
/// their maps, block sizes and backends. Throws Cancelled, with a part of the cells carried over: by `watch`,
/// or by what the engines themselves are watched by, which may be the same.
void carry_over(const FractalEngine& from, FractalEngine& to, Watch* watch = nullptr);

}  // namespace loom
