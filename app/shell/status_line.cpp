#include "app/shell/status_line.h"

#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>

#include "app/gui/theme.h"
#include "app/widgets/choice.h"
#include "app/widgets/text.h"

namespace loom::app {

std::string words_of(const BackendSelection& backend, const CudaStatus& cuda) {
  if (backend.kind == BackendKind::kCuda) {
    for (const DeviceInfo& device : cuda.devices) {
      if (device.ordinal == backend.device) return "CUDA: " + device.name;
    }
    return fmt::format("CUDA: device {}", backend.device);
  }
  if (backend.reason.starts_with("as asked")) return "CPU: as asked";
  if (!cuda.devices.empty()) return "CPU: no CUDA device of that number";
  if (cuda.runtime_version == 0) return "CPU: built without CUDA";
  const bool driver_too_old = cuda.reason.starts_with("cudaErrorInsufficientDriver");
  if (cuda.driver_version != 0 && driver_too_old) return "CPU: NVIDIA driver too old";
  // "device 0 (its name): why it cannot be used"
  if (cuda.reason.starts_with("device ")) return "CPU: NVIDIA GPU not usable";
  return "CPU: no NVIDIA GPU";
}

void status_line(const Area& area, Edit& edit, const Report& report) {
  if (area.empty()) return;
  const ImGuiStyle& style = ImGui::GetStyle();
  const float pad_y = std::max(0.0f, (area.height - ImGui::GetTextLineHeight()) / 2);
  ImGui::SetNextWindowPos({area.x, area.y});
  ImGui::SetNextWindowSize({area.width, area.height});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {style.WindowPadding.x, pad_y});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, 0);
  ImGui::PushStyleColor(ImGuiCol_WindowBg, theme::kRaised);
  ImGui::Begin("##status", nullptr,
               ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoScrollWithMouse |
                   ImGuiWindowFlags_NoBringToFrontOnFocus | ImGuiWindowFlags_NoNav);
  ImGui::PopStyleColor();
  ImGui::PopStyleVar(2);
  const std::string speed = fmt::format("{:.0f} FPS", report.frames_per_second);
  const bool life = edit.settings.workspace == Workspace::kLife;
  const std::string bench = life ? "M bench" : "";
  const std::string keys = "? keys";
  const float gap = ImGui::GetFontSize() * 1.5f;
  const auto width_of = [](const std::string& text) { return ImGui::CalcTextSize(text.c_str()).x; };
  const float tail = width_of(speed) + gap + (life ? width_of(bench) + gap : 0) + width_of(keys);
  const float room = std::max(0.0f, ImGui::GetContentRegionAvail().x - tail - 2 * gap);
  const std::string compute = words_of(report.backend, report.cuda);
  const std::string picture = "picture: " + report.picture_path.substr(0, report.picture_path.find(':'));
  const auto elided_with = [](const std::string& text, float width, const std::string& hint) {
    ImGui::BeginGroup();
    elided(text, width);
    ImGui::EndGroup();
    tooltip(hint);
  };
  // Each text gets what the other leaves; where both are long, half.
  const float compute_width = width_of(compute);
  const float picture_width = width_of(picture);
  const float left = std::min(compute_width + 1, std::max(room / 2, room - picture_width));
  if (room > ImGui::GetFontSize() * 4) {
    elided_with(compute, left, fmt::format("{} ({})", report.backend_name, report.backend.reason));
    ImGui::SameLine(0, gap);
    elided_with(picture, room - std::min(left, compute_width), "picture: " + report.picture_path);
    ImGui::SameLine();
  }
  ImGui::SetCursorPosX(std::max(style.WindowPadding.x, area.width - style.WindowPadding.x - tail));
  ImGui::TextUnformatted(speed.c_str());
  ImGui::SameLine(0, gap);
  const auto link = [](const std::string& text, bool& shown, const char* hint) {
    ImGui::PushStyleColor(ImGuiCol_Text, theme::kAccent);
    ImGui::TextUnformatted(text.c_str());
    ImGui::PopStyleColor();
    if (ImGui::IsItemClicked()) shown = !shown;
    tooltip(hint);
  };
  if (life) {
    link(bench, edit.settings.view.show_bench, "Measure a sweep of configurations, and plot it (M)");
    ImGui::SameLine(0, gap);
  }
  link(keys, edit.settings.view.show_help, "All keys and mouse gestures (?)");
  ImGui::End();
}

void wrong_banner(const Area& picture, std::string_view text) {
  if (text.empty() || picture.empty()) return;
  const float font = ImGui::GetFontSize();
  const float width = std::min(picture.width - font, font * 22);
  if (width < font * 6) return;
  ImGui::SetNextWindowPos({picture.x + font * 0.6f, picture.y + font * 0.6f});
  ImGui::SetNextWindowSize({width, 0});
  ImGui::PushStyleColor(ImGuiCol_Border, theme::kWarning);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, 2);
  ImGui::Begin("##wrong", nullptr,
               ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings |
                   ImGuiWindowFlags_NoFocusOnAppearing | ImGuiWindowFlags_NoNav | ImGuiWindowFlags_NoInputs);
  ImGui::PopStyleVar();
  ImGui::PopStyleColor();
  warning(std::string(text));
  ImGui::End();
}

bool message_banner(const Area& picture, const std::string& text) {
  if (text.empty() || picture.empty()) return true;
  const float font = ImGui::GetFontSize();
  const float width = std::min(picture.width - font, font * 44);
  if (width < font * 6) return true;
  bool open = true;
  ImGui::SetNextWindowPos({picture.x + picture.width / 2, picture.y + picture.height - font * 0.6f},
                          ImGuiCond_Always, {0.5f, 1});
  ImGui::SetNextWindowSizeConstraints({width, 0}, {width, picture.height});
  ImGui::PushStyleColor(ImGuiCol_Border, theme::kWarning);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, 1);
  ImGui::Begin("##message", nullptr,
               ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_AlwaysAutoResize |
                   ImGuiWindowFlags_NoFocusOnAppearing | ImGuiWindowFlags_NoNav);
  ImGui::PopStyleVar();
  ImGui::PopStyleColor();
  warning(text);
  if (ImGui::SmallButton("Close (Esc)")) open = false;
  ImGui::End();
  return open;
}

}  // namespace loom::app
