#include <fmt/format.h>

#include <exception>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "app/cli/command.h"
#include "app/cli/options/options.h"
#include "app/cli/options/scene_options.h"
#include "app/files/json_reader.h"
#include "app/gui/theme.h"
#include "compute/backend/engine_factory.h"
#include "compute/device/device.h"
#include "compute/distributed/process_group.h"
#include "compute/geometry/nbb_catalog.h"
#include "render/context/graphics_context.h"
#include "render/display_texture.h"

namespace loom::app {
namespace {

/// The capabilities of this machine, each with a reason if it is missing.
struct MachineInfo {
  CudaStatus cuda;
  BackendSelection backend;  ///< the backend that the request selects
  std::string cpu_device;    ///< as named by the CPU engine: "2 threads"
  std::optional<render::GlInfo> gl;
  std::string gl_reason;       ///< why there is no OpenGL; empty if there is
  int gl_cuda_device = -1;     ///< CUDA ordinal of the GPU that GL draws on, -1 if none
  bool interop = false;        ///< CUDA-OpenGL interop for the chosen device
  std::string interop_reason;  ///< why there is none; empty if there is
};

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

/// Queries CUDA, the CPU engine and, with an off-screen context, OpenGL. Throws only if the requested backend
/// is not available.
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

/// CUDA counts versions as 1000 * major + 10 * minor.
std::string cuda_version(int version) {
  return fmt::format("{}.{}", version / 1000, version % 1000 / 10);
}

double gibibytes(std::uint64_t bytes) {
  return static_cast<double>(bytes) / (1 << 30);
}

void print_text(const MachineInfo& info) {
  const CudaStatus& cuda = info.cuda;
  const bool built_with_cuda = cuda.runtime_version != 0;
  TextTable table({"", ""});
  table.add({"program", "fractal-loom " LOOM_VERSION});
  table.add({"font", "Inter and DejaVu Sans, parts of the program; info --licenses has their notices"});
  table.add(
      {"built with CUDA", built_with_cuda ? "yes, runtime " + cuda_version(cuda.runtime_version) : "no"});
  table.add({"CUDA driver", cuda.driver_version != 0 ? cuda_version(cuda.driver_version) : "none"});
  if (cuda.devices.empty()) table.add({"CUDA devices", "none: " + cuda.reason});
  for (const Device& device : cuda.devices) {
    table.add({fmt::format("CUDA device {}", device.ordinal),
               fmt::format("{}, compute capability {}.{}, {} multiprocessors, {:.1f} of {:.1f} GiB free",
                           device.name, device.compute_major, device.compute_minor, device.multiprocessors,
                           gibibytes(device.free_bytes), gibibytes(device.total_bytes))});
  }
  table.add({"CPU", info.cpu_device});
  table.add({"backend", fmt::format("{} ({})", name_of(info.backend.device.kind), info.backend.reason)});
  const std::string mpi = ProcessGroup::library();
  table.add({"MPI", mpi.empty() ? "not built in" : mpi});
  if (info.gl) {
    table.add({"OpenGL vendor", info.gl->vendor});
    table.add({"OpenGL renderer", info.gl->renderer});
    table.add({"OpenGL version", info.gl->version});
    table.add({"OpenGL draws on", info.gl_cuda_device >= 0
                                      ? fmt::format("CUDA device {}", info.gl_cuda_device)
                                      : "no CUDA device"});
  } else {
    table.add({"OpenGL", "not available: " + info.gl_reason});
  }
  table.add({"interop", info.interop ? "available" : "not available: " + info.interop_reason});
  fmt::print("{}", table.text());
}

void print_json(const MachineInfo& info) {
  const CudaStatus& cuda = info.cuda;
  auto json = nlohmann::ordered_json::object();
  json["program"] = "fractal-loom";
  json["version"] = LOOM_VERSION;
  json["built_with_cuda"] = cuda.runtime_version != 0;
  auto& cuda_json = json["cuda"];
  cuda_json["available"] = !cuda.devices.empty();
  cuda_json["reason"] = cuda.reason;
  cuda_json["driver_version"] = cuda.driver_version;
  cuda_json["runtime_version"] = cuda.runtime_version;
  cuda_json["devices"] = nlohmann::ordered_json::array();
  for (const Device& device : cuda.devices) {
    cuda_json["devices"].push_back(
        {{"device", device.ordinal},
         {"name", device.name},
         {"compute_capability", fmt::format("{}.{}", device.compute_major, device.compute_minor)},
         {"multiprocessors", device.multiprocessors},
         {"total_bytes", device.total_bytes},
         {"free_bytes", device.free_bytes}});
  }
  json["cpu"] = {{"device", info.cpu_device}};
  json["backend"] = {{"chosen", name_of(info.backend.device.kind)}, {"reason", info.backend.reason}};
  const std::string mpi = ProcessGroup::library();
  json["mpi"] = {{"available", !mpi.empty()}, {"library", mpi}};
  json["gl"] = {{"available", info.gl.has_value()}, {"reason", info.gl_reason}};
  if (info.gl) {
    json["gl"]["vendor"] = info.gl->vendor;
    json["gl"]["renderer"] = info.gl->renderer;
    json["gl"]["version"] = info.gl->version;
    json["gl"]["cuda_device"] = json_if(info.gl_cuda_device >= 0, info.gl_cuda_device);
  }
  json["interop"] = {{"available", info.interop}, {"reason", info.interop_reason}};
  fmt::print("{}\n", json_text(json));
}

}  // namespace

Action add_info(CLI::App& command) {
  struct InfoOptions {
    SceneOptions scene;
    bool licenses = false;
  };
  auto options = std::make_shared<InfoOptions>();
  command.description("Print what this machine offers: devices, OpenGL, interop, or why they are missing");
  add_scene_options(command, options->scene, SceneOptionGroup::kBackend | SceneOptionGroup::kJson);
  command.add_flag("--licenses", options->licenses, "Print the notices of the bundled fonts");
  return [options, &command] {
    require_effect(command, {{"--backend --device", !options->licenses, "without --licenses"}});
    if (options->licenses) {
      const nlohmann::ordered_json json{{"licenses",
                                         {{{"of", "Inter"}, {"text", interface_font_license()}},
                                          {{"of", "DejaVu Sans"}, {"text", font_license()}},
                                          {{"of", "Font Awesome"}, {"text", icon_license()}}}}};
      fmt::print("{}", options->scene.json ? json_text(json) + "\n"
                                           : fmt::format("{}\n{}\n{}", interface_font_license(),
                                                         font_license(), icon_license()));
      return 0;
    }
    const Settings settings = options->scene.settings();
    const MachineInfo info = inspect_machine(settings.backend, settings.device);
    options->scene.json ? print_json(info) : print_text(info);
    return 0;
  };
}

}  // namespace loom::app
