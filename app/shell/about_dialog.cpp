#include "app/shell/about_dialog.h"

#include <GLFW/glfw3.h>
#include <fmt/format.h>
#include <imgui.h>

#include "app/text/format.h"
#include "app/widgets/choice.h"
#include "app/widgets/dialog.h"
#include "app/widgets/text.h"

namespace loom::app {
namespace {

constexpr float kAboutWidth = 34;  // font sizes

std::string cuda_text(const CudaStatus& cuda) {
  if (cuda.devices.empty()) return cuda.reason;
  return fmt::format("{}.{}, driver for {}.{}", cuda.runtime_version / 1000, cuda.runtime_version % 1000 / 10,
                     cuda.driver_version / 1000, cuda.driver_version % 1000 / 10);
}

}  // namespace

AboutDialog::AboutDialog(const std::string& version, const CudaStatus& cuda, const render::GlInfo& opengl)
    : rows_{{"Version", version}, {"CUDA", cuda_text(cuda)}} {
  for (const Device& device : cuda.devices) {
    rows_.emplace_back(fmt::format("GPU {}", device.ordinal),
                       fmt::format("{}, compute capability {}.{}, {} multiprocessors, {}", device.name,
                                   device.compute_major, device.compute_minor, device.multiprocessors,
                                   std::string_view(format_bytes(device.total_bytes))));
  }
  rows_.emplace_back("OpenGL", fmt::format("{}, {}", opengl.version, opengl.renderer));
  rows_.emplace_back("Libraries",
                     fmt::format("Dear ImGui {}, GLFW {}", ImGui::GetVersion(), glfwGetVersionString()));
  rows_.emplace_back("Licences", "fractal-loom info --licenses prints the notices of the bundled fonts");
}

void AboutDialog::show() {
  if (!begin_dialog("About Fractal Loom", begin_, kAboutWidth, 0.2f)) return;
  wrapped_text("Shows how GPU threads are woven onto fractals.");
  for (const auto& [name, value] : rows_) {
    row_label(name.c_str());
    wrapped_text(value);
  }
  if (choice_button("Close", true, button_width("Close")) || is_enter_available()) ImGui::CloseCurrentPopup();
  end_dialog(areas_);
}

}  // namespace loom::app
