#include "app/workspaces/benchmark/bench_form.h"

#include <fmt/format.h>
#include <imgui.h>
#include <imgui_stdlib.h>

#include <algorithm>
#include <cctype>

#include "app/bench/axes.h"
#include "app/text/format.h"
#include "app/widgets/inputs.h"
#include "app/widgets/text.h"

namespace loom::app {
namespace {

constexpr const char* kAroundScene = "current scene";

std::string label_of(const bench::AxisField& field) {
  std::string label = field.name;
  label[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(label[0])));
  return label;
}

void sweep_choice(BenchPanelState& state, BenchSession& session, const BenchScene& scene) {
  row_label("Sweep");
  const std::string& preset = session.form.preset;
  if (ImGui::BeginCombo("##sweep", preset.empty() ? kAroundScene : preset.c_str())) {
    const auto item = [&](const std::string& name, const std::string& label, const std::string& purpose) {
      if (ImGui::Selectable(label.c_str(), preset == name)) {
        load_sweep(state, session, name, scene);
      }
      tooltip(purpose);
    };
    item("", kAroundScene, "The fractal and method of the scene and the other maps, up to its level");
    for (const bench::Preset& one : bench::presets()) item(one.name, one.name, one.purpose);
    ImGui::EndCombo();
  }
  tooltip("Fills the fields below; you can change them");
}

void axis_rows(BenchPanelState& state, BenchSession& session, const bench::AxisContext& context) {
  bench::SweepForm& form = session.form;
  std::size_t index = 0;
  for (const bench::AxisField& field : bench::axis_fields(form.kind)) {
    ImGui::PushID(field.name.c_str());
    row_label(label_of(field).c_str());
    const std::string example = "for example " + field.example;
    if (ImGui::InputTextWithHint("##text", example.c_str(), &form.texts[field.name])) {
      form.confirmed = false;
      form.check(context);
    }
    state.areas[field.name] = item_area();
    // During typing the tooltip would cover the error message.
    if (!ImGui::IsItemActive())
      tooltip(field.hint.find(field.example) == std::string::npos ? fmt::format("{}, {}", field.hint, example)
                                                                  : field.hint);
    if (index < form.problems.size() && !form.problems[index].empty()) warning(form.problems[index]);
    ++index;
    ImGui::PopID();
  }
}

void outcome_rows(bench::SweepForm& form) {
  if (!form.problem.empty()) {
    warning(form.problem);
  } else if (form.cases > 0) {
    note(plural(form.cases, "configuration"));
  }
  if (form.too_many) {
    ImGui::Checkbox("Run anyway", &form.confirmed);
    tooltip(fmt::format("A sweep of more than {} configurations needs confirmation",
                        format_count(bench::kSweepWithoutConfirmation)));
  }
}

}  // namespace

void bench_form(BenchPanelState& state, BenchSession& session, const BenchScene& scene) {
  const bool locked = session.is_active();
  ImGui::BeginDisabled(locked);
  ImGui::BeginGroup();
  sweep_choice(state, session, scene);
  axis_rows(state, session, {scene.device, scene.custom_fractal});
  row_label("Time limit");
  ImGui::SliderFloat("##seconds", &session.form.max_seconds, 0.02f, 20, "%.2f s",
                     ImGuiSliderFlags_AlwaysClamp | ImGuiSliderFlags_Logarithmic);
  tooltip(
      "Time limit per configuration. Samples are taken until the standard error of the mean is below 1 % or "
      "this limit is reached");
  outcome_rows(session.form);
  ImGui::EndGroup();
  ImGui::EndDisabled();
  if (locked) tooltip("This sweep is running. Stop it to change it");
}

}  // namespace loom::app
