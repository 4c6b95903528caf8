#include "render/cuda_interop.h"

// glad comes first, so that CUDA's header does not bring in the system's OpenGL 1.
// clang-format off
#include <glad/gl.h>
#include <cuda_gl_interop.h>
// clang-format on
#include <cuda_runtime_api.h>

#include <algorithm>
#include <array>
#include <stdexcept>
#include <utility>

namespace loom::render {
namespace {

std::string words(cudaError_t error) {
  return std::string(cudaGetErrorName(error)) + ": " + cudaGetErrorString(error);
}

void check(cudaError_t error, const char* call) {
  if (error == cudaSuccess) return;
  // Clears the error, so that the next call does not report it.
  cudaGetLastError();
  throw std::runtime_error(std::string(call) + " failed, " + words(error));
}

/// For clean-up, where an error cannot be handled (the driver or the context may already be destroyed).
void ignore(cudaError_t error) {
  if (error != cudaSuccess) cudaGetLastError();
}

/// Makes a device current on this thread and restores the previous one.
class DeviceScope {
 public:
  explicit DeviceScope(int device) {
    check(cudaGetDevice(&previous_), "cudaGetDevice");
    if (device != previous_) check(cudaSetDevice(device), "cudaSetDevice");
    changed_ = device != previous_;
  }
  ~DeviceScope() {
    if (changed_) ignore(cudaSetDevice(previous_));
  }
  DeviceScope(const DeviceScope&) = delete;
  DeviceScope& operator=(const DeviceScope&) = delete;

 private:
  int previous_ = 0;
  bool changed_ = false;
};

cudaArray_t mapped_array(cudaGraphicsResource_t resource) {
  cudaArray_t array = nullptr;
  check(cudaGraphicsSubResourceGetMappedArray(&array, resource, 0, 0),
        "cudaGraphicsSubResourceGetMappedArray");
  return array;
}

}  // namespace

/// Two CUDA events around timed work.
class EventPair {
 public:
  EventPair() {
    check(cudaEventCreate(&begin_), "cudaEventCreate");
    const cudaError_t error = cudaEventCreate(&end_);
    if (error != cudaSuccess) ignore(cudaEventDestroy(begin_));
    check(error, "cudaEventCreate");
  }
  ~EventPair() {
    ignore(cudaEventDestroy(begin_));
    ignore(cudaEventDestroy(end_));
  }
  EventPair(const EventPair&) = delete;
  EventPair& operator=(const EventPair&) = delete;

  void begin(cudaStream_t stream) { check(cudaEventRecord(begin_, stream), "cudaEventRecord"); }
  void end(cudaStream_t stream) { check(cudaEventRecord(end_, stream), "cudaEventRecord"); }
  /// The time between the two, once, if both have completed; never waits.
  std::optional<double> take_milliseconds() {
    if (!pending_) return std::nullopt;
    const cudaError_t error = cudaEventQuery(end_);
    if (error == cudaErrorNotReady) return std::nullopt;
    check(error, "cudaEventQuery");
    pending_ = false;
    float elapsed = 0;
    check(cudaEventElapsedTime(&elapsed, begin_, end_), "cudaEventElapsedTime");
    return elapsed;
  }
  /// Called when the work between the two is enqueued.
  void set_pending() { pending_ = true; }

 private:
  bool pending_ = false;
  cudaEvent_t begin_ = nullptr;
  cudaEvent_t end_ = nullptr;
};

CudaGlDevices cuda_devices_of_current_context() {
  CudaGlDevices found;
  std::array<int, 16> ordinals{};
  unsigned count = 0;
  const cudaError_t error = cudaGLGetDevices(&count, ordinals.data(), ordinals.size(), cudaGLDeviceListAll);
  if (error != cudaSuccess) {
    cudaGetLastError();
    found.reason = words(error);
    return found;
  }
  count = std::min(count, static_cast<unsigned>(ordinals.size()));
  found.ordinals.assign(ordinals.begin(), ordinals.begin() + count);
  if (found.ordinals.empty()) found.reason = "no CUDA device draws this OpenGL context";
  return found;
}

struct CudaInterop::Impl {
  int device = -1;
  std::string reason = "no texture yet";
  cudaGraphicsResource_t resource = nullptr;
  glm::ivec2 size{0};
  int texel_bytes = 2;
  bool mapped_early = false;          ///< mapped for CUDA
  bool refused = false;               ///< permanently
  std::unique_ptr<EventPair> events;  ///< on `device`; created with the first texture
};

CudaInterop::CudaInterop(int device) : impl_(std::make_unique<Impl>()) {
  impl_->device = device;
  if (device < 0) impl_->reason = "no CUDA device asked for";
}

CudaInterop::~CudaInterop() {
  detach();
  if (impl_->events == nullptr) return;
  try {
    const DeviceScope scope(impl_->device);
    impl_->events.reset();
  } catch (const std::runtime_error&) {
    impl_->events.reset();  // the driver is shutting down; destroying an event is safe without its device
  }
}

void CudaInterop::attach(unsigned texture, glm::ivec2 size, int texel_bytes) {
  detach();
  if (impl_->device < 0 || impl_->refused) return;
  const std::string refusal =
      "CUDA device " + std::to_string(impl_->device) + " does not draw this OpenGL context: ";
  const CudaGlDevices drawing = cuda_devices_of_current_context();
  if (!drawing.reason.empty()) {
    impl_->reason = refusal + drawing.reason;
    return;
  }
  if (std::ranges::find(drawing.ordinals, impl_->device) == drawing.ordinals.end()) {
    impl_->reason = refusal + "CUDA device " + std::to_string(drawing.ordinals.front()) + " does";
    return;
  }
  try {
    const DeviceScope scope(impl_->device);
    if (impl_->events == nullptr) impl_->events = std::make_unique<EventPair>();
    check(
        cudaGraphicsGLRegisterImage(&impl_->resource, texture, GL_TEXTURE_2D, cudaGraphicsRegisterFlagsNone),
        "cudaGraphicsGLRegisterImage");
    impl_->size = size;
    impl_->texel_bytes = texel_bytes;
    impl_->reason.clear();
  } catch (const std::runtime_error& error) {
    impl_->resource = nullptr;
    impl_->reason = error.what();
  }
}

void CudaInterop::detach() {
  if (impl_->resource == nullptr) return;
  unmap_from_cuda();
  ignore(cudaGraphicsUnregisterResource(std::exchange(impl_->resource, nullptr)));
  if (!impl_->refused) impl_->reason = "no texture yet";
}

void CudaInterop::refuse(const std::string& why) {
  detach();
  impl_->refused = true;
  impl_->reason = why;
}

bool CudaInterop::attached() const {
  return impl_->resource != nullptr;
}

const std::string& CudaInterop::reason() const {
  return impl_->reason;
}

std::optional<double> CudaInterop::take_milliseconds() {
  if (impl_->events == nullptr) return std::nullopt;
  const DeviceScope scope(impl_->device);
  return impl_->events->take_milliseconds();
}

void CudaInterop::map_for_cuda(CUstream_st* stream) {
  if (!attached()) throw std::runtime_error("no CUDA-OpenGL interop: " + impl_->reason);
  if (impl_->mapped_early) return;
  const DeviceScope scope(impl_->device);
  check(cudaGraphicsMapResources(1, &impl_->resource, stream), "cudaGraphicsMapResources");
  impl_->mapped_early = true;
}

// The stream that it was mapped on may no longer exist.
void CudaInterop::unmap_from_cuda() {
  if (!std::exchange(impl_->mapped_early, false)) return;
  ignore(cudaGraphicsUnmapResources(1, &impl_->resource, nullptr));
}

void CudaInterop::read(const void* device_pixels, std::size_t row_bytes, glm::ivec2 size, int texel_bytes,
                       CUstream_st* stream, std::vector<unsigned char>& rows) {
  const std::size_t width_bytes = static_cast<std::size_t>(size.x) * static_cast<std::size_t>(texel_bytes);
  rows.resize(width_bytes * static_cast<std::size_t>(size.y));
  const DeviceScope scope(impl_->device);
  check(cudaMemcpy2DAsync(rows.data(), width_bytes, device_pixels, row_bytes, width_bytes,
                          static_cast<std::size_t>(size.y), cudaMemcpyDeviceToHost, stream),
        "cudaMemcpy2DAsync");
  check(cudaStreamSynchronize(stream), "cudaStreamSynchronize");
}

void CudaInterop::copy(const void* device_pixels, std::size_t row_bytes, CUstream_st* stream) {
  if (!attached()) throw std::runtime_error("no CUDA-OpenGL interop: " + impl_->reason);
  const std::size_t width_bytes =
      static_cast<std::size_t>(impl_->size.x) * static_cast<std::size_t>(impl_->texel_bytes);
  if (row_bytes < width_bytes) {
    throw std::invalid_argument("rows of " + std::to_string(row_bytes) +
                                " bytes are shorter than the texture's " + std::to_string(width_bytes));
  }
  const DeviceScope scope(impl_->device);
  map_for_cuda(stream);
  impl_->events->begin(stream);
  check(cudaMemcpy2DToArrayAsync(mapped_array(impl_->resource), 0, 0, device_pixels, row_bytes, width_bytes,
                                 static_cast<std::size_t>(impl_->size.y), cudaMemcpyDeviceToDevice, stream),
        "cudaMemcpy2DToArrayAsync");
  impl_->events->end(stream);
  impl_->events->set_pending();
  check(cudaGraphicsUnmapResources(1, &impl_->resource, stream), "cudaGraphicsUnmapResources");
  impl_->mapped_early = false;
}

}  // namespace loom::render
