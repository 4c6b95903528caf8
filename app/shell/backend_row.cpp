#include "app/shell/backend_row.h"

#include <imgui.h>

#include "app/text/format.h"
#include "app/widgets/choice.h"

namespace loom::app {

void backend_row(BackendChoice& chosen, const BackendRowInfo& now) {
  row_label("Backend");
  const Text no_cuda = now.cuda.devices.empty() ? format_text("No CUDA device: {}", now.cuda.reason) : Text();
  const auto radio = [&](BackendChoice choice, const char* label, std::string_view disabled_reason,
                         std::string_view hint) {
    const bool selected = chosen == choice;
    Text more = hint;
    if (selected) more.add("\nNow: {} ({})", now.name, now.backend.reason);
    if (choice_radio(label, selected, disabled_reason, more)) chosen = choice;
  };
  radio(BackendChoice::kAuto, "auto", {}, "CUDA if a device is available, otherwise the CPU");
  ImGui::SameLine();
  radio(BackendChoice::kCuda, "CUDA", no_cuda, "The NVIDIA GPU");
  ImGui::SameLine();
  radio(BackendChoice::kCpu, "CPU", {}, now.cpu);
}

}  // namespace loom::app
