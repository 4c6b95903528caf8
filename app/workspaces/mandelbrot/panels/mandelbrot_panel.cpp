#include "app/workspaces/mandelbrot/panels/mandelbrot_panel.h"

#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <tuple>

#include "app/gui/theme.h"
#include "app/shell/backend_row.h"
#include "app/text/format.h"
#include "app/widgets/choice.h"
#include "app/widgets/control_marks.h"
#include "app/widgets/text.h"
#include "app/workspaces/mandelbrot/picture/difference_overlay.h"
#include "app/workspaces/mandelbrot/scene/method_colours.h"

namespace loom::app {
namespace {

constexpr std::array kBlockShapes = {BlockShape{8, 4},   BlockShape{8, 8},  BlockShape{16, 8},
                                     BlockShape{16, 16}, BlockShape{32, 8}, BlockShape{64, 8},
                                     BlockShape{32, 32}};

// In font sizes.
constexpr std::array kMethodWidths = {6.6f, 14.0f, 16.0f};
constexpr float kMethodGap = 0.2f;
constexpr float kCompareWidth = 6.1f;
constexpr std::array kToolbarGroups = {
    kMethodWidths[0] + kMethodWidths[1] + kMethodWidths[2] + 2 * kMethodGap, kCompareWidth};

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

void dwell_choice(MandelbrotConfig& config, const MandelbrotStats& now) {
  const ScopedControlMark marked(Control::kDwell);
  row_label("Dwell limit");
  int limit = static_cast<int>(config.dwell_limit);
  ImGui::SliderInt("##dwell", &limit, 16, static_cast<int>(kMaxNarrowLimit), "%d",
                   ImGuiSliderFlags_AlwaysClamp | ImGuiSliderFlags_Logarithmic);
  config.dwell_limit = static_cast<std::uint32_t>(limit);
  tooltip("Iterations after which a pixel counts as interior. Ctrl + click to type a number.");
  if (!now.nothing_escapes(config.dwell_limit)) return;
  warning(format_text("No pixel escapes within {} iterations", config.dwell_limit));
  if (config.dwell_limit >= kMaxNarrowLimit) return;
  const std::uint32_t higher = std::min(config.dwell_limit * 4, kMaxNarrowLimit);
  if (choice_button(format_text("Dwell limit {}", higher).c_str(), false, remaining_width(), {},
                    "Shows pixels that escape later. Pixels of the set never escape"))
    config.dwell_limit = higher;
}

// Remaining precision: the bar is full for the whole set and empty where zooming stops.
void gauge_bar(const PrecisionGauge& gauge) {
  const float height = ImGui::GetTextLineHeight() * 0.5f;
  const float width = remaining_width();
  const glm::vec2 corner = ImGui::GetCursorScreenPos();
  const glm::vec2 low{corner.x, corner.y + (ImGui::GetFrameHeight() - height) / 2};
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const ImU32 colour = gauge.state == PrecisionState::kSufficient
                           ? ImGui::GetColorU32(theme::colours().accent)
                           : ImGui::GetColorU32(theme::colours().warning);
  list.AddRectFilled(low, {low.x + width, low.y + height}, ImGui::GetColorU32(ImGuiCol_FrameBg), height / 2);
  const float remaining = std::max(static_cast<float>(gauge.remaining) * width, height);
  list.AddRectFilled(low, {low.x + remaining, low.y + height}, colour, height / 2);
  ImGui::Dummy({width, ImGui::GetFrameHeight()});
  tooltip(
      format_text("The width of the view can be halved {:.0f} more times. Neighbouring pixels are {:.3g} "
                  "ulps of the coordinates apart. Below {:.0f} a warning appears; at {:.0f} the zoom stops.",
                  std::floor(gauge.octaves_left), gauge.ulps, kWarnUlps, kMinUlps));
}

void precision_choice(MandelbrotEdit& edit, const MandelbrotStats& now) {
  MandelbrotConfig& config = edit.settings.config;
  row_label("Precision");
  const float width = equal_width(2);
  const char* const no_float =
      now.fits_float ? "" : "Float precision is exhausted at this zoom: zoom out to select it";
  if (choice_button("float", config.precision == Precision::kFloat, width, no_float,
                    "IEEE binary32: 24 bits (A)")) {
    config.precision = Precision::kFloat;
  }
  ImGui::SameLine();
  if (choice_button("double", config.precision == Precision::kDouble, width, {},
                    "IEEE binary64: 53 bits (A)")) {
    config.precision = Precision::kDouble;
  }
  row_label("Zoom depth");
  gauge_bar(now.gauge);
  if (now.gauge.state == PrecisionState::kSufficient) return;
  const bool is_float = config.precision == Precision::kFloat;
  const bool at_end = now.gauge.state == PrecisionState::kExhausted;
  warning(format_text("{} {}", is_float ? "float" : "double",
                      at_end ? "precision exhausted" : "precision almost exhausted"));
  if (!is_float) return;
  if (choice_button("Use double (A)", false, remaining_width(), {}, "Computes in IEEE binary64: 53 bits")) {
    config.precision = Precision::kDouble;
  }
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

void check_row(MandelbrotEdit& edit, const MandelbrotStats& now) {
  const bool ready = now.has_picture && now.divisor == 1;
  constexpr std::array kLabels = {"Verify", "Benchmark exhaustive"};
  const ButtonRow line(kLabels);
  if (choice_button(
          kLabels[0], false, line.width(kLabels[0]), ready ? "" : "The picture is not at full resolution yet",
          "Computes every pixel by the exhaustive method, counts and marks those that differ (Shift V)")) {
    edit.commands.check = true;
  }
  ImGui::SameLine();
  const bool exhaustive = edit.settings.config.method == MandelbrotMethod::kExhaustive;
  if (choice_button(kLabels[1], false, line.width(kLabels[1]),
                    exhaustive ? "The exhaustive method is selected"
                    : ready    ? ""
                               : "No picture yet",
                    "Times the exhaustive method at this view, one to three runs (K)")) {
    edit.commands.measure_exhaustive = true;
  }
  mark_item(Control::kExhaustive);
  if (!now.check) return note("Not verified for this view.");
  const std::uint64_t count = now.check->differences.count;
  const double pixels = static_cast<double>(now.picture.x) * now.picture.y;
  Text text = format_text("{} differ from exhaustive: {}", plural(count, "pixel"),
                          format_percent(static_cast<double>(count) / pixels));
  if (count == 0) return note("Verified: every pixel equals the exhaustive result.");
  const std::size_t marked = now.check->differences.places.size();
  // More rings would hide each other.
  const char* const how = marked > kMaxRings ? "marked by tinted squares" : "marked by rings";
  const bool in_order = count <= kMaxDifferencesInOrder;
  const char* const which = in_order ? "the first " : "";
  const char* const of = in_order ? "from the top" : "of them";
  warning(marked < count ? text.add(", {}{} {} {}.", which, format_count(marked), of, how)
                         : text.add(", {}.", how));
}

void method_choice(MandelbrotEdit& edit, const Device& device) {
  struct Choice {
    MandelbrotMethod method;
    const char* label;
    const char* hint;
  };
  const std::array choices = {
      Choice{MandelbrotMethod::kExhaustive, "Exhaustive", "Computes every pixel (1)"},
      Choice{MandelbrotMethod::kDp, "Dynamic parallelism (DP)",
             device.dynamic_parallelism
                 ? "A region that splits launches its children from the device (2)"
                 : "A region that splits launches its children; on the CPU, recursive tasks (2)"},
      Choice{MandelbrotMethod::kAsk, "Adaptive serial kernels (ASK)",
             "One launch per level, with an offset lookup table (3)"}};
  MandelbrotConfig& config = edit.settings.config;
  const float font = ImGui::GetFontSize();
  ImGui::BeginGroup();
  ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, {0, ImGui::GetStyle().FramePadding.y});
  for (std::size_t i = 0; i < choices.size(); ++i) {
    if (i > 0) ImGui::SameLine(0, kMethodGap * font);
    const Choice& choice = choices[i];
    if (choice_button(choice.label, config.method == choice.method, kMethodWidths[i] * font, {}, choice.hint,
                      colour_of(choice.method))) {
      set_method(config, choice.method);
      edit.settings.automatic = false;
    }
  }
  ImGui::PopStyleVar();
  ImGui::EndGroup();
  mark_item(Control::kMethod);
}

void compare_choice(MandelbrotSettings& settings) {
  if (choice_button(
          "\uf0db Compare", settings.compare, kCompareWidth * ImGui::GetFontSize(), {},
          settings.compare ? "Shows the active method alone (V)" : "Exhaustive, DP and ASK side by side (V)"))
    set_compare(settings, !settings.compare);
}

}  // namespace

std::span<const float> mandelbrot_toolbar_groups() {
  return kToolbarGroups;
}

void mandelbrot_toolbar_group(std::size_t group, MandelbrotEdit& edit, const Device& device) {
  group == 0 ? method_choice(edit, device) : compare_choice(edit.settings);
}

void mandelbrot_panel(MandelbrotPanelState& state, MandelbrotEdit& edit, const MandelbrotStats& now) {
  if (!section("Subdivision")) return;
  MandelbrotConfig& config = edit.settings.config;
  const MandelbrotConfig before = config;
  scheme_choice(config, now);
  subdivision_choice(config);
  const auto plan = [](const MandelbrotConfig& of) { return std::tuple(of.method, of.g, of.r, of.b); };
  if (plan(config) != plan(before)) edit.settings.automatic = false;
  automatic_choice(edit, now);
  block_choice(config, now);
  dwell_choice(config, now);
  precision_choice(edit, now);
  devices_choice(state, edit.settings, now);
  backend_row(edit.shell.settings.backend, {now.cuda, now.backend, now.backend_name, "The CPU's cores"});
  check_row(edit, now);
}

}  // namespace loom::app
