#include "render/context/graphics_context.h"

#include "render/cuda_interop.h"

namespace loom::render {

int GraphicsContext::cuda_device() const {
  const CudaGlDevices found = cuda_devices_of_current_context();
  return found.ordinals.empty() ? -1 : found.ordinals.front();
}

}  // namespace loom::render
