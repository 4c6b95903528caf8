#include "app/shell/setting_rows.h"

#include <fmt/format.h>
#include <imgui.h>

#include "app/widgets/inputs.h"
#include "app/widgets/text.h"

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

std::vector<DeviceCountOption> device_counts(std::size_t there, const Device& device) {
  const bool simulated = device.simulated_devices > 0;
  std::vector<std::size_t> counts = {1, 2};
  if (simulated) counts = {1, 2, 4, 8};
  if (!simulated && there > 2) counts.push_back(there);
  std::vector<DeviceCountOption> choices;
  for (const std::size_t count : counts) {
    const bool all = !simulated && count == there && there > 1;
    choices.push_back({.count = static_cast<std::uint32_t>(count),
                       .label = count == 1 ? "1"
                                : all      ? fmt::format("all {}", count)
                                           : std::to_string(count)});
  }
  return choices;
}

std::string devices_text(std::size_t devices, const Device& device) {
  const char* const many = devices == 1 ? "" : "s";
  if (device.simulated_devices == 0) return fmt::format("{} GPU{}", devices, many);
  return devices == 1 ? "the CPU" : fmt::format("{} simulated devices (CPU)", devices);
}

std::string missing_devices_reason(std::size_t devices, std::size_t there, const Device& device) {
  if (devices <= 1 || devices <= there) return {};
  if (device.simulated_devices == 0 && there == 1)
    return "There is one CUDA device. The CPU backend offers simulated devices";
  return fmt::format("There are only {}", devices_text(there, device));
}

void devices_row(std::span<DeviceCountOption> counts, std::uint32_t& chosen, bool simulated,
                 std::string_view hint) {
  if (simulated) {
    // This label is wider than the label column; the count buttons are narrow enough to follow it.
    ImGui::AlignTextToFramePadding();
    ImGui::TextUnformatted("Simulated devices (CPU)");
    ImGui::SameLine();
  } else {
    row_label("Devices");
  }
  tooltip(hint);
  const float gap = ImGui::GetStyle().ItemInnerSpacing.x / 2;
  const float width = (remaining_width() + gap) / static_cast<float>(counts.size()) - gap;
  for (DeviceCountOption& one : counts) {
    if (&one != counts.data()) ImGui::SameLine(0, gap);
    ImGui::PushID("devices");
    if (choice_button(one.label.c_str(), chosen == one.count, width, one.problem, one.hint))
      chosen = one.count;
    ImGui::PopID();
    one.place = item_area();
  }
}

void text_size_row(TextSizeState& state, ShellSettings& view) {
  if (!state.dragging) state.ui_pixels = view.ui_pixels;
  row_label("Text size");
  slider("##ui", &state.ui_pixels, kMinUiPixels, kMaxUiPixels, "%.0f pixels", ImGuiSliderFlags_AlwaysClamp);
  state.dragging = ImGui::IsItemActive();
  if (ImGui::IsItemDeactivatedAfterEdit()) set_ui_pixels(view, state.ui_pixels);
  tooltip("Changes when you release the slider (Ctrl +, Ctrl −)");
}

bool lecture_button(ShellSettings& view, float width) {
  const bool pressed = choice_button(kLectureLabel, is_lecture_mode(view), width, {},
                                     "Lecture mode: large text, side panel and metrics folded (P)");
  if (pressed) toggle_lecture_mode(view);
  return pressed;
}

}  // namespace loom::app
