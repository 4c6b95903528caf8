#include "app/cli/machine_info.h"

#include <exception>

#include "app/cli/output.h"
#include "compute/backend/engine_factory.h"
#include "compute/geometry/nbb_catalog.h"
#include "render/display_texture.h"

namespace loom::app {
namespace {

constexpr glm::ivec2 kProbeSize{16, 16};

void inspect_graphics(MachineInfo& info) {
  const int device = info.backend.device.interop_ordinal();
  try {
    const auto context = render::make_offscreen(kProbeSize, device);
    info.gl = context->info();
    info.gl_cuda_device = context->cuda_device();
    render::DisplayTexture texture(device);
    texture.resize(kProbeSize);
    info.interop = texture.interop();
    info.interop_reason = texture.interop_reason();
  } catch (const std::exception& error) {
    (info.gl ? info.interop_reason : info.gl_reason) = error.what();
    if (!info.gl) info.interop_reason = "no OpenGL";
  }
}

}  // namespace

MachineInfo inspect_machine(BackendChoice choice, int device) {
  MachineInfo info;
  info.cuda = cuda_status();
  info.backend = select_backend(choice, device);
  const FractalConfig smallest{.fractal = catalog().front()};
  const auto engine = make_fractal_engine(smallest, select_backend(BackendChoice::kCpu));
  info.cpu_device = device_text(engine->backend_name());
  inspect_graphics(info);
  return info;
}

}  // namespace loom::app
