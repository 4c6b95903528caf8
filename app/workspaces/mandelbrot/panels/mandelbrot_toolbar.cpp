#include "app/workspaces/mandelbrot/panels/mandelbrot_toolbar.h"

#include <imgui.h>

#include <array>

#include "app/widgets/choice.h"
#include "app/widgets/control_marks.h"
#include "app/workspaces/mandelbrot/scene/method_colours.h"

namespace loom::app {
namespace {

// In font sizes.
constexpr std::array kMethodWidths = {6.6f, 14.0f, 16.0f};
constexpr std::array kBriefMethodWidths = {6.6f, 3.2f, 3.6f};
constexpr float kMethodGap = 0.2f;
constexpr float kCompareWidth = 6.1f;
constexpr float kIconWidth = 2.1f;
constexpr std::array kToolbarGroups = {
    kMethodWidths[0] + kMethodWidths[1] + kMethodWidths[2] + 2 * kMethodGap, kCompareWidth};
constexpr std::array kBriefGroups = {
    kBriefMethodWidths[0] + kBriefMethodWidths[1] + kBriefMethodWidths[2] + 2 * kMethodGap, kIconWidth};

void method_choice(MandelbrotEdit& edit, const Device& device, bool brief) {
  struct Choice {
    MandelbrotMethod method;
    const char* label;
    const char* brief_label;
    const char* hint;
  };
  const std::array choices = {
      Choice{MandelbrotMethod::kExhaustive, "Exhaustive", "Exhaustive", "Computes every pixel (1)"},
      Choice{MandelbrotMethod::kDp, "Dynamic parallelism (DP)", "DP",
             device.dynamic_parallelism
                 ? "A region that splits launches its children from the device (2)"
                 : "A region that splits launches its children; on the CPU, recursive tasks (2)"},
      Choice{MandelbrotMethod::kAsk, "Adaptive serial kernels (ASK)", "ASK",
             "One launch per level, with an offset lookup table (3)"}};
  MandelbrotConfig& config = edit.settings.config;
  const float font = ImGui::GetFontSize();
  ImGui::BeginGroup();
  ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, {0, ImGui::GetStyle().FramePadding.y});
  for (std::size_t i = 0; i < choices.size(); ++i) {
    if (i > 0) ImGui::SameLine(0, kMethodGap * font);
    const Choice& choice = choices[i];
    const float width = (brief ? kBriefMethodWidths : kMethodWidths)[i] * font;
    if (choice_button(brief ? choice.brief_label : choice.label, config.method == choice.method, width, {},
                      choice.hint, colour_of(choice.method))) {
      set_method(config, choice.method);
      edit.settings.automatic = false;
    }
  }
  ImGui::PopStyleVar();
  ImGui::EndGroup();
  mark_item(Control::kMethod);
}

void compare_choice(MandelbrotSettings& settings, bool brief) {
  if (choice_button(
          brief ? "\uf0db" : "\uf0db Compare", settings.compare,
          (brief ? kIconWidth : kCompareWidth) * ImGui::GetFontSize(), {},
          settings.compare ? "Shows the active method alone (V)" : "Exhaustive, DP and ASK side by side (V)"))
    set_compare(settings, !settings.compare);
}

}  // namespace

std::span<const float> mandelbrot_toolbar_groups(bool brief) {
  return brief ? kBriefGroups : kToolbarGroups;
}

void mandelbrot_toolbar_group(std::size_t group, bool brief, MandelbrotEdit& edit, const Device& device) {
  group == 0 ? method_choice(edit, device, brief) : compare_choice(edit.settings, brief);
}

}  // namespace loom::app
