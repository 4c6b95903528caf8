// Replaces the CUDA backend in a build without CUDA: no device is found, so that nothing else here is called.
#include <stdexcept>

#include "compute/backend/cuda_backend.h"
#include "compute/cuda/available_memory.h"
#include "compute/cuda/life/map_samples.h"
#include "compute/cuda/map_code/gpu_map.h"
#include "compute/device/device.h"
#include "compute/device/energy.h"

namespace loom {

CudaStatus cuda_status() {
  CudaStatus status;
  status.reason = "built without CUDA";
  return status;
}

std::string cuda_pci_bus(int /*ordinal*/) {
  return "";
}

namespace cuda {
namespace {

[[noreturn]] void no_cuda() {
  throw std::logic_error("a CUDA device in a program without CUDA");
}

}  // namespace

std::uint64_t available_memory(int /*device*/) {
  no_cuda();
}
std::unique_ptr<FractalEngine> make_engine(const FractalConfig& /*config*/, int /*device*/) {
  no_cuda();
}
std::unique_ptr<FractalPartition> make_part(const FractalConfig& /*config*/,
                                            const Partitioning& /*partitioning*/, std::uint32_t /*number*/,
                                            int /*device*/) {
  no_cuda();
}
std::unique_ptr<HaloExchange> make_exchange(const std::vector<int>& /*devices*/) {
  no_cuda();
}
std::unique_ptr<HaloExchange> make_exchange(int /*device*/, const ProcessGroup& /*ranks*/) {
  no_cuda();
}
std::unique_ptr<ImageCompositor> make_compositor(const std::vector<int>& /*devices*/) {
  no_cuda();
}
std::unique_ptr<MandelbrotPartition> make_mandelbrot_engine(int /*device*/, const RowPartition& /*share*/) {
  no_cuda();
}
std::unique_ptr<SolidEngine> make_engine(const SolidConfig& /*config*/, int /*device*/) {
  no_cuda();
}
std::unique_ptr<VolumeEngine> make_volume_engine(int /*device*/) {
  no_cuda();
}
MappedSamples map_samples(const FractalConfig& /*config*/, int /*device*/, const MapSamples& /*samples*/) {
  no_cuda();
}
bool has_map_compiler() {
  return false;
}
void run_map_on_gpu(const NbbFractal& /*fractal*/, const MapRequest& /*request*/,
                    const MapProgram& /*program*/, const ProgressMonitor* /*monitor*/,
                    MapResult& /*result*/) {
  no_cuda();
}

}  // namespace cuda
}  // namespace loom
