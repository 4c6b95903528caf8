#include "compute/backend/cuda_backend.h"

#include <cuda_runtime_api.h>
#include <fmt/format.h>

#include <set>
#include <string>
#include <utility>

#include "compute/core/error.h"
#include "compute/cuda/check.h"
#include "compute/cuda/distributed/copy_segments.h"
#include "compute/cuda/engines.h"
#include "compute/cuda/probe.h"
#include "compute/device/device.h"
#include "compute/device/energy.h"

namespace loom {
namespace cuda {
namespace {

/// Empty if `device` can run this program's kernels, otherwise the reason why not.
std::string why_unusable(int device) {
  const cudaError_t status = probe_device(device);
  if (status == cudaSuccess) return {};
  cudaGetLastError();
  return fmt::format("{}: {}", cudaGetErrorName(status), cudaGetErrorString(status));
}

}  // namespace

std::unique_ptr<FractalEngine> make_engine(const FractalConfig& config, int device) {
  LOOM_CUDA(cudaSetDevice(device));
  const LaunchSlices slices = slices_of(device);
  if (config.method.storage == CellStorage::kBytes) return make_byte_engine(config, device, slices);
  if (config.method.map == MapKind::kCompact) return make_plane_engine(config, device, slices);
  return make_row_engine(config, device, slices);
}

std::unique_ptr<FractalPartition> make_part(const FractalConfig& config, const Partitioning& partitioning,
                                            std::uint32_t number, int device) {
  LOOM_CUDA(cudaSetDevice(device));
  if (config.method.storage == CellStorage::kBytes)
    return make_byte_partition(config, partitioning.rows, number, device);
  return make_plane_partition(config, partitioning.groups, number, device);
}

// A message is a few kilobytes: a direct read from the other device's memory ends before NCCL has started,
// and needs no connection setup.
std::unique_ptr<HaloExchange> make_exchange(const std::vector<int>& devices) {
  if (enable_peer_access(devices)) return make_copy_exchange(true);
  const std::set<int> different(devices.begin(), devices.end());
  if (different.size() == devices.size()) {
    if (auto exchange = make_nccl_exchange(devices)) return exchange;
  }
  return make_copy_exchange(false);
}

std::unique_ptr<HaloExchange> make_exchange(int device, const ProcessGroup& ranks) {
  return make_nccl_exchange(device, ranks);
}

std::unique_ptr<ImageCompositor> make_compositor(const std::vector<int>& devices) {
  return make_device_compositor(devices);
}

std::unique_ptr<MandelbrotPartition> make_mandelbrot_engine(int device, const RowPartition& share) {
  LOOM_CUDA(cudaSetDevice(device));
  return make_mandelbrot_engine(device, share, slices_of(device));
}

}  // namespace cuda

CudaStatus cuda_status() {
  CudaStatus status;
  cudaRuntimeGetVersion(&status.runtime_version);
  cudaDriverGetVersion(&status.driver_version);
  int count = 0;
  const cudaError_t error = cudaGetDeviceCount(&count);
  if (error != cudaSuccess) {
    cudaGetLastError();
    status.reason = fmt::format("{}: {}", cudaGetErrorName(error), cudaGetErrorString(error));
    return status;
  }
  for (int device = 0; device < count; ++device) {
    cudaDeviceProp properties{};
    if (cudaGetDeviceProperties(&properties, device) != cudaSuccess) continue;
    if (const std::string why = cuda::why_unusable(device); !why.empty()) {
      status.reason += fmt::format("{}device {} ({}): {}", status.reason.empty() ? "" : "; ", device,
                                   properties.name, why);
      continue;
    }
    Device found = cuda_device(device, properties.name);
    found.compute_major = properties.major;
    found.compute_minor = properties.minor;
    found.multiprocessors = properties.multiProcessorCount;
    found.total_bytes = properties.totalGlobalMem;
    std::size_t free_bytes = 0;
    std::size_t total_bytes = 0;
    if (cudaMemGetInfo(&free_bytes, &total_bytes) == cudaSuccess) found.free_bytes = free_bytes;
    status.devices.push_back(std::move(found));
  }
  if (status.devices.empty() && status.reason.empty()) status.reason = "the driver reports no device";
  return status;
}

std::string cuda_pci_bus(int ordinal) {
  char bus[32] = "";
  if (cudaDeviceGetPCIBusId(bus, sizeof bus, ordinal) == cudaSuccess) return bus;
  cudaGetLastError();
  return "";
}

}  // namespace loom
