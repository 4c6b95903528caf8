// Replaces cuda_interop.cpp in a build without CUDA.
#include <stdexcept>

#include "render/cuda_interop.h"

namespace loom::render {

CudaGlDevices cuda_devices_of_current_context() {
  return {.ordinals = {}, .reason = "built without CUDA"};
}

struct CudaInterop::Impl {
  std::string reason = "built without CUDA";
};

CudaInterop::CudaInterop(int /*device*/) : impl_(std::make_unique<Impl>()) {}
CudaInterop::~CudaInterop() = default;
void CudaInterop::attach(unsigned /*texture*/, glm::ivec2 /*size*/, int /*texel_bytes*/) {}
void CudaInterop::detach() {}
bool CudaInterop::attached() const {
  return false;
}
const std::string& CudaInterop::reason() const {
  return impl_->reason;
}
std::optional<double> CudaInterop::take_milliseconds() {
  return std::nullopt;
}
void CudaInterop::map_for_cuda(CUstream_st*) {
  throw std::runtime_error("built without CUDA");
}

void CudaInterop::unmap_from_cuda() {}

void CudaInterop::read(const void*, std::size_t, glm::ivec2, int, CUstream_st*, std::vector<unsigned char>&) {
  throw std::runtime_error("built without CUDA");
}

void CudaInterop::refuse(const std::string&) {}

void CudaInterop::copy(const void* /*device_pixels*/, std::size_t /*row_bytes*/, CUstream_st* /*stream*/) {
  throw std::runtime_error("no CUDA-OpenGL interop: " + impl_->reason);
}

}  // namespace loom::render
