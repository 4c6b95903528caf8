#include "app/shell/status_line.h"

#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>

#include "app/gui/theme.h"
#include "app/widgets/fixed_window.h"
#include "app/widgets/inputs.h"
#include "app/widgets/text.h"

namespace loom::app {

Text words_of(const BackendSelection& backend, const CudaStatus& cuda) {
  const Device& device = backend.device;
  if (device.kind == BackendKind::kCuda) {
    const Text count = backend.devices() > 1 ? format_text("{} × ", backend.devices()) : Text();
    return format_text("CUDA: {}{}", count, device.name);
  }
  if (backend.devices() > 1) return format_text("CPU: {} simulated devices", backend.devices());
  if (backend.reason.starts_with("selected")) return "CPU: selected";
  if (!cuda.devices.empty()) return "CPU: no such CUDA device";
  if (cuda.runtime_version == 0) return "CPU: built without CUDA";
  const bool driver_too_old = cuda.reason.starts_with("cudaErrorInsufficientDriver");
  if (cuda.driver_version != 0 && driver_too_old) return "CPU: NVIDIA driver too old";
  // "device 0 (its name): why it cannot be used"
  if (cuda.reason.starts_with("device ")) return "CPU: NVIDIA GPU not usable";
  return "CPU: no NVIDIA GPU";
}

namespace {

// Draws a progress bar with a Cancel button. Returns its width.
float progress_bar(const Progress& progress, float room, ShellEdit& edit) {
  if (progress.what.empty()) return 0;
  const float font = ImGui::GetFontSize();
  const float button = button_width("Cancel");
  const float width = std::min(font * 26, room - button - font);
  if (width < font * 4) return 0;
  ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, {ImGui::GetStyle().FramePadding.x, 0});
  Text text = format_text("{} {:.0f} %", progress.what, progress.share * 100);
  const glm::vec2 at = ImGui::GetCursorScreenPos();
  ImGui::ProgressBar(static_cast<float>(progress.share), {width, ImGui::GetTextLineHeight()}, "");
  ImGui::GetWindowDrawList()->PushClipRect(at, {at.x + width, at.y + ImGui::GetTextLineHeight()}, true);
  ImGui::GetWindowDrawList()->AddText({at.x + theme::grid(2), at.y}, ImGui::GetColorU32(ImGuiCol_Text),
                                      text.c_str());
  ImGui::GetWindowDrawList()->PopClipRect();
  tooltip(text.append(". Runs in the background; the previous state stays until it is done. Esc cancels."));
  ImGui::SameLine();
  if (ImGui::Button("Cancel")) edit.commands.cancel = true;
  ImGui::PopStyleVar();
  ImGui::SameLine();
  return width + button + 2 * ImGui::GetStyle().ItemSpacing.x;
}

}  // namespace

void status_line(const Area& area, ShellEdit& edit, const WorkspaceStatus& status, const CudaStatus& cuda,
                 std::optional<double> frames_per_second) {
  if (area.empty()) return;
  const ImGuiStyle& style = ImGui::GetStyle();
  const float pad_y = std::max(0.0f, (area.size.y - ImGui::GetTextLineHeight()) / 2);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {style.WindowPadding.x, pad_y});
  ImGui::PushStyleColor(ImGuiCol_WindowBg, theme::colours().raised);
  begin_bar("##status", area, ImGuiWindowFlags_NoScrollWithMouse);
  ImGui::PopStyleColor();
  ImGui::PopStyleVar();
  const Text speed = frames_per_second ? format_text("{:.0f} FPS", *frames_per_second) : Text("idle");
  constexpr const char* lessons = "L lessons";
  constexpr const char* keys = "? keys";
  const float gap = ImGui::GetFontSize() * 1.5f;
  const float tail = text_width(speed) + gap + text_width(lessons) + gap + text_width(keys);
  float room = std::max(0.0f, ImGui::GetContentRegionAvail().x - tail - 2 * gap);
  room -= progress_bar(status.progress, room, edit);
  Text compute = words_of(status.backend, cuda);
  // The engine appends the state of its kernel to the device's name: still compiling, or why it failed.
  if (const std::size_t kernel = status.backend_name.find(", kernel "); kernel != std::string_view::npos)
    compute.append(status.backend_name.substr(kernel));
  const Text picture =
      format_text("Display: {}", status.picture_path.substr(0, status.picture_path.find(':')));
  const auto elided_with = [](std::string_view text, float width, std::string_view hint) {
    ImGui::BeginGroup();
    elided_text(text, width);
    ImGui::EndGroup();
    tooltip(hint);
  };
  // Each text may use the space that the other one leaves; if both are long, each gets half.
  const float compute_width = text_width(compute);
  const float picture_width = text_width(picture);
  const float left = std::min(compute_width + 1, std::max(room / 2, room - picture_width));
  if (room > ImGui::GetFontSize() * 4) {
    elided_with(compute, left, format_text("{} ({})", status.backend_name, status.backend.reason));
    ImGui::SameLine(0, gap);
    elided_with(picture, room - std::min(left, compute_width),
                format_text("Display: {}", status.picture_path));
    ImGui::SameLine();
  }
  ImGui::SetCursorPosX(std::max(style.WindowPadding.x, area.size.x - style.WindowPadding.x - tail));
  ImGui::TextUnformatted(speed.c_str());
  tooltip("Frames per second. When idle, few frames are drawn");
  ImGui::SameLine(0, gap);
  const auto link = [](const char* text, const char* hint) {
    ImGui::PushStyleColor(ImGuiCol_Text, theme::colours().accent);
    ImGui::TextUnformatted(text);
    ImGui::PopStyleColor();
    const bool clicked = ImGui::IsItemClicked();
    tooltip(hint);
    return clicked;
  };
  if (link(lessons, "Interactive lessons (L)")) edit.lessons.list = true;
  ImGui::SameLine(0, gap);
  if (link(keys, "All keys and mouse gestures (?)")) edit.settings.show_help = !edit.settings.show_help;
  ImGui::End();
}

}  // namespace loom::app
