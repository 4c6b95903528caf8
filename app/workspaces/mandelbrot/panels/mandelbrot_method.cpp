#include "app/workspaces/mandelbrot/panels/mandelbrot_method.h"

#include <fmt/format.h>
#include <imgui.h>

#include <array>
#include <string>
#include <tuple>

#include "app/shell/setting_rows.h"
#include "app/text/format.h"
#include "app/widgets/control_marks.h"
#include "app/widgets/inputs.h"
#include "app/widgets/text.h"

namespace loom::app {
namespace {

constexpr std::array kBlockShapes = {BlockShape{8, 4},   BlockShape{8, 8},  BlockShape{16, 8},
                                     BlockShape{16, 16}, BlockShape{32, 8}, BlockShape{64, 8},
                                     BlockShape{32, 32}};

void scheme_choice(MandelbrotConfig& config, const MandelbrotStats& now) {
  row_label("Scheme");
  const bool exhaustive = config.method == MandelbrotMethod::kExhaustive;
  const char* const problem = exhaustive ? "The exhaustive method has no regions" : "";
  const float width = equal_width(2);
  if (choice_button("SBR", config.scheme == RegionScheme::kSbr, width, problem,
                    "Single block per region (SBR): one thread block does all work of a region (I)")) {
    config.scheme = RegionScheme::kSbr;
  }
  ImGui::SameLine();
  if (choice_button("MBR", config.scheme == RegionScheme::kMbr, width, problem,
                    "Multiple blocks per region (MBR): several thread blocks fill or compute a region (I)")) {
    config.scheme = RegionScheme::kMbr;
  }
  if (!now.backend.device.warps && !exhaustive)
    note("On the CPU, one thread processes a region, so SBR and MBR are the same.");
}

/// Powers of two from `lowest` to 1024, and the current value if it is not one of them.
void number_choice(const char* name, std::uint32_t lowest, std::uint32_t& value, float width,
                   std::string_view hint) {
  ImGui::PushID(name);
  ImGui::SetNextItemWidth(width);
  if (ImGui::BeginCombo("##number", format_text("{} {}", name, value).c_str(),
                        ImGuiComboFlags_NoArrowButton)) {
    for (std::uint32_t choice = lowest; choice <= 1024; choice *= 2) {
      if (ImGui::Selectable(format_text("{}", choice).c_str(), choice == value)) value = choice;
    }
    ImGui::EndCombo();
  }
  tooltip(hint);
  ImGui::PopID();
}

void subdivision_choice(MandelbrotConfig& config) {
  const bool exhaustive = config.method == MandelbrotMethod::kExhaustive;
  const char* const none = exhaustive ? "The exhaustive method has no regions\n" : "";
  const ScopedControlMark marked(Control::kCut);
  ImGui::BeginDisabled(exhaustive);
  row_label("Regions");
  const float width = equal_width(3);
  number_choice("g", 1, config.g, width, format_text("{}Initial regions per axis", none));
  ImGui::SameLine();
  number_choice("r", 2, config.r, width,
                format_text("{}Subdivision per axis: a region splits into r × r regions", none));
  ImGui::SameLine();
  number_choice("B", 1, config.b, width,
                format_text("{}A region splits while its side / r is greater than B pixels", none));
  ImGui::EndDisabled();
}

void automatic_choice(MandelbrotEdit& edit, const MandelbrotStats& now) {
  row_label("Tuning");
  const float width = equal_width(2);
  if (choice_button("auto", now.automatic, width, {},
                    "Finds the fastest method, g, r and B for each view by timing, while the program is idle "
                    "(Shift A)")) {
    edit.settings.automatic = true;
  }
  ImGui::SameLine();
  if (choice_button("manual", !now.automatic, width, {}, "Method, g, r and B stay as selected (Shift A)")) {
    edit.settings.automatic = false;
  }
  if (!now.automatic) return;
  if (now.found == nullptr) return note(now.searching ? "Timing..." : "Not tuned for this view yet.");
  const AutoTuner::TuningResult& found = *now.found;
  Text text = format_text("Fastest of {}: {} ms", plural(found.timed, "plan"), format_ms(found.milliseconds));
  if (found.exhaustive_ms && !found.plan.exhaustive) {
    text.add("; exhaustive: {} ms", format_ms(*found.exhaustive_ms));
  }
  note(text.append("."));
}

void block_choice(MandelbrotConfig& config, const MandelbrotStats& now) {
  const bool has_blocks = now.backend.device.warps;
  row_label("Block shape");
  ImGui::BeginDisabled(!has_blocks);
  const Text present = format_text("{} × {}", config.block.x, config.block.y);
  if (ImGui::BeginCombo("##block", present.c_str())) {
    for (const BlockShape& shape : kBlockShapes) {
      const Text label = format_text("{} × {} = {} threads", shape.x, shape.y, shape.x * shape.y);
      if (ImGui::Selectable(label.c_str(), shape == config.block)) config.block = shape;
    }
    ImGui::EndCombo();
  }
  ImGui::EndDisabled();
  tooltip(has_blocks ? "Threads per thread block. The papers use 16 × 16, and 64 × 8 for DP"
                     : "The CPU has no thread blocks");
}

void devices_choice(MandelbrotPanelState& state, MandelbrotSettings& settings, const MandelbrotStats& now) {
  const Device& device = now.backend.device;
  const bool simulated = device.simulated_devices > 0;
  if (state.devices.empty() || state.devices_available != now.devices || state.simulated != simulated) {
    state.devices_available = now.devices;
    state.simulated = simulated;
    state.devices = device_counts(now.devices, device);
    for (DeviceCountOption& one : state.devices) {
      one.problem = missing_devices_reason(one.count, now.devices, device);
      one.hint =
          one.count == 1 ? "One device computes the whole image"
          : simulated
              ? fmt::format(
                    "Distributes the rows over {} simulated devices of one CPU. Shows the distribution and "
                    "is not faster",
                    one.count)
              : fmt::format("Distributes the rows over {} GPUs by their cost in the last frame", one.count);
    }
  }
  devices_row(state.devices, settings.devices, simulated,
              "Number of devices that compute an image. Each gets rows of initial regions");
  if (simulated && settings.devices > 1)
    note("Simulated devices of one CPU show the distribution of rows and are not faster.");
}

// The method in one line, for the folded section.
Text summary_of(const MandelbrotConfig& config, const MandelbrotStats& now) {
  Text text;
  if (now.automatic) text.append("auto, ");
  if (config.method != MandelbrotMethod::kExhaustive)
    text.add("g {}, r {}, B {}, ", config.g, config.r, config.b);
  text.append(now.backend.device.on_host ? "CPU" : "GPU");
  return text;
}

}  // namespace

void mandelbrot_method(MandelbrotPanelState& state, MandelbrotEdit& edit, const MandelbrotStats& now) {
  MandelbrotConfig& config = edit.settings.config;
  state.method_open = folded_section("Method details", summary_of(config, now));
  state.method_header = item_area();
  if (!state.method_open) return;
  const MandelbrotConfig before = config;
  automatic_choice(edit, now);
  subdivision_choice(config);
  scheme_choice(config, now);
  const auto plan = [](const MandelbrotConfig& of) { return std::tuple(of.method, of.g, of.r, of.b); };
  if (plan(config) != plan(before)) edit.settings.automatic = false;
  block_choice(config, now);
  devices_choice(state, edit.settings, now);
  backend_row(edit.shell.settings.backend, {now.cuda, now.backend, now.backend_name, "The CPU's cores"});
}

}  // namespace loom::app
