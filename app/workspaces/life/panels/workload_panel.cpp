#include <imgui.h>

#include <algorithm>
#include <array>

#include "app/gui/theme.h"
#include "app/text/format.h"
#include "app/widgets/control_marks.h"
#include "app/widgets/inputs.h"
#include "app/widgets/text.h"
#include "app/workspaces/life/panels/basics_panel.h"
#include "compute/backend/emulation.h"
#include "compute/core/input_text.h"
#include "compute/workload/workload.h"

namespace loom::app {
namespace {

const char* explanation_of(Workload workload) {
  return value_for<Workload::kLife>(
      {"Every thread writes one value to its cell: the least work that a map can carry (W: next "
       "workload)",
       "Every thread reads its cell, and all cells are summed. A living cell counts 1 to 8, depending "
       "on its position (W)",
       "Every thread reads its cell and its eight neighbours, and writes the next generation (W)"},
      workload);
}

void workload_row(LifeSettings& settings) {
  const ScopedControlMark marked(Control::kWorkload);
  struct Choice {
    Workload workload;
    const char* label;
    float share;  // fraction of the line; the last one takes the rest
  };
  static constexpr std::array kChoices = {Choice{Workload::kSingleWrite, "single write", 0.4f},
                                          Choice{Workload::kReduction, "reduction", 0.36f},
                                          Choice{Workload::kLife, "life", 0}};
  const float gap = ImGui::GetStyle().ItemInnerSpacing.x / 2;
  const float room = remaining_width() - 2 * gap;
  ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, {0, ImGui::GetStyle().FramePadding.y});
  for (const Choice& choice : kChoices) {
    if (choice.workload != kChoices.front().workload) ImGui::SameLine(0, gap);
    const float width = choice.share > 0 ? choice.share * room : remaining_width();
    if (choice_button(choice.label, settings.workload == choice.workload, width, {},
                      explanation_of(choice.workload))) {
      settings.workload = choice.workload;
    }
  }
  ImGui::PopStyleVar();
}

// The CPU has one way to sum and marks the other as emulated.
void reduction_row(LifeSettings& settings, const LifeStats& report) {
  const Work tensor{.workload = Workload::kReduction, .reduction = ReductionMethod::kTensor};
  const bool emulated = is_reduction_emulated(report.backend.device, tensor);
  row_label("Sum by");
  const float gap = ImGui::GetStyle().ItemInnerSpacing.x / 2;
  const char* const label = "emulated";
  const float beside = emulated ? ImGui::CalcTextSize(label).x + gap : 0;
  const float width = (remaining_width() - beside - gap) / 2;
  ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, {0, ImGui::GetStyle().FramePadding.y});
  if (choice_button("warp", settings.reduction == ReductionMethod::kWarp, width, {},
                    "Shuffles within each warp, then one addition per warp")) {
    settings.reduction = ReductionMethod::kWarp;
  }
  ImGui::SameLine(0, gap);
  if (choice_button("tensor", settings.reduction == ReductionMethod::kTensor, width, {},
                    emulated ? "Matrix products with a matrix of ones. The CPU has no tensor cores and "
                               "emulates them by plain sums"
                             : "Matrix products with a matrix of ones, on the tensor cores")) {
    settings.reduction = ReductionMethod::kTensor;
  }
  ImGui::PopStyleVar();
  if (!emulated) return;
  ImGui::SameLine(0, gap);
  ImGui::PushStyleColor(ImGuiCol_Text, theme::colours().warning);
  ImGui::TextUnformatted(label);
  ImGui::PopStyleColor();
}

// Full speed computes several generations per frame.
void speed_row(LifeSettings& settings) {
  row_label("Per frame");
  const bool slow = settings.ms_per_generation > 0;
  int generations = slow ? 1 : static_cast<int>(settings.generations_per_frame);
  ImGui::BeginDisabled(slow);
  if (slider("##per_frame", &generations, 1, 64, generations == 1 ? "%d generation" : "%d generations",
             ImGuiSliderFlags_AlwaysClamp | ImGuiSliderFlags_Logarithmic)) {
    settings.generations_per_frame = static_cast<std::uint32_t>(generations);
  }
  ImGui::EndDisabled();
  tooltip(slow ? "Not used in slow motion" : "Generations per frame");
}

void state_row(const LifeEdit& edit, const LifeStats& report) {
  Text text;
  if (edit.settings.workload == Workload::kReduction) {
    report.step ? text.add("Sum {}; ", format_count(report.step->sum)) : text.append("No sum yet; ");
  }
  text.add("Generation {}", format_count(report.generations));
  if (report.census) {
    text.add(", {} alive", format_count(report.census->census.population));
    if (report.census->generation != report.generations) {
      text.add(" at {}", format_count(report.census->generation));
    }
  }
  elided_text(text, remaining_width());
}

/// "Period 2 since generation 431"
Text cycle_text(const LifeStats& stats) {
  const auto cycle = stats.cycle_detector->cycle();
  if (!cycle) return {};
  if (cycle->period_divides)
    return format_text("Cycle detected (period divides {})", format_count(cycle->period));
  Text text;
  const bool dead = (*stats.cycle_detector)[stats.cycle_detector->size() - 1].population == 0;
  if (cycle->period == 1) {
    text.append(dead ? "All dead" : "Stable");
  } else {
    text.add("Period {}", format_count(cycle->period));
  }
  text.add(" since generation {}{}", format_count(cycle->since),
           cycle->may_start_earlier ? " or before" : "");
  return text;
}

// The counted population over time, by state, and the detected cycle. The height is constant.
void cycle_rows(const LifeStats& stats) {
  const CycleDetector& cycle_detector = *stats.cycle_detector;
  const float height = ImGui::GetFontSize() * 2;
  const glm::vec2 low = ImGui::GetCursorScreenPos();
  const float width = remaining_width();
  ImGui::Dummy({width, height});
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.AddRectFilled(low, {low.x + width, low.y + height}, ImGui::GetColorU32(theme::colours().raised));
  std::uint64_t most = 1;
  const std::uint32_t states = states_of(stats.work);
  // Group 0 are the living cells, the others refractory ones.
  const std::uint32_t groups = 1 + RefractoryCounts::groups(states);
  const auto count = [](const CycleDetector::Sample& one, std::uint32_t group) {
    return group == 0 ? one.population : one.refractory.cells[group - 1];
  };
  for (std::size_t i = 0; i < cycle_detector.size(); ++i) {
    for (std::uint32_t group = 0; group < groups; ++group)
      most = std::max(most, count(cycle_detector[i], group));
  }
  if (cycle_detector.size() > 1) {
    const std::uint64_t first = cycle_detector[0].generation;
    const auto span = static_cast<float>(cycle_detector[cycle_detector.size() - 1].generation - first);
    const auto place = [&](const CycleDetector::Sample& one, std::uint32_t group) {
      const float x = static_cast<float>(one.generation - first) / span;
      const float y = static_cast<float>(static_cast<double>(count(one, group)) / static_cast<double>(most));
      return glm::vec2{low.x + x * width, low.y + height - 2 - y * (height - 4)};
    };
    // Later states are paler, as in the picture; the living cells are drawn last.
    for (std::uint32_t group = groups; group-- > 0;) {
      glm::vec4 colour = theme::colours().accent;
      colour.a *= 1 - 0.8f * static_cast<float>(group) / static_cast<float>(groups);
      for (std::size_t i = 1; i < cycle_detector.size(); ++i)
        list.AddLine(place(cycle_detector[i - 1], group), place(cycle_detector[i], group),
                     ImGui::GetColorU32(colour), 1.5f);
    }
  }
  if (ImGui::IsItemHovered() && cycle_detector.size() > 0) {
    const CycleDetector::Sample& last = cycle_detector[cycle_detector.size() - 1];
    Text text = format_text("Population over time: {} counts, generations {} to {}, maximum {}",
                            cycle_detector.size(), format_count(cycle_detector[0].generation),
                            format_count(last.generation), format_count(most));
    if (groups > 1) text.add(". Now {} alive", format_count(last.population));
    for (std::uint32_t group = 1; group < groups; ++group) {
      const bool is_state = states - 2 == groups - 1;
      text.add(", {} in {} {}", format_count(count(last, group)), is_state ? "state" : "part",
               is_state ? group + 1 : group);
    }
    tooltip(text);
  }
  const Text words = cycle_text(stats);
  elided_text(words.empty() ? std::string_view("No cycle detected") : std::string_view(words), width);
  tooltip(
      "A cycle is detected when population and state hash agree for two states, and again one period later");
}

void pattern_row(LifeEdit& edit) {
  const float third = equal_width(3);
  if (choice_button("Patterns", false, third, {}, "Bundled patterns, each with its fractal and rule"))
    edit.commands.browse_patterns = true;
  ImGui::SameLine();
  if (choice_button("Paste", false, third, {},
                    "Pastes a pattern (RLE or .cells) from the clipboard, then place it (Ctrl V). Ctrl O "
                    "opens pattern files"))
    edit.commands.pattern_key = PatternKey::kPaste;
  ImGui::SameLine();
  if (choice_button("Select all", false, remaining_width(), {},
                    "Selects the whole field (Ctrl A). Ctrl + drag selects a part"))
    edit.commands.pattern_key = PatternKey::kSelectAll;
}

}  // namespace

void workload_panel(LifeEdit& edit, const LifeStats& report) {
  if (!section("Workload")) return;
  workload_row(edit.settings);
  state_row(edit, report);
  cycle_rows(report);
  speed_row(edit.settings);
  switch (edit.settings.workload) {
    case Workload::kSingleWrite:
      row_label("Value");
      elided_text("stripes that move one cell per generation", remaining_width());
      break;
    case Workload::kReduction:
      reduction_row(edit.settings, report);
      break;
    case Workload::kLife:
      break;
  }
  ImGui::Checkbox("Edit cells with the mouse", &edit.settings.edit_cells);
  tooltip("Click or drag on the picture to paint cells (E). Right drag moves the picture");
  if (const std::uint32_t states = states_of(edit.settings.work()); edit.settings.edit_cells && states > 2) {
    row_label("Brush");
    slider("##brush", &edit.settings.brush_state, 1u, states - 1,
           edit.settings.painted_state() == 1 ? "alive" : "state %u");
    tooltip("The state that the mouse paints. From a cell in this state on, it paints dead cells");
  }
  pattern_row(edit);
}

}  // namespace loom::app
