#pragma once

#include <imgui_stdlib.h>

#include <optional>
#include <string>
#include <string_view>

#include "app/shell/dock.h"
#include "app/text/text.h"
#include "app/widgets/inputs.h"
#include "app/widgets/text.h"
#include "app/workspaces/life/panels/method_panel.h"
#include "app/workspaces/life/scene/life_settings.h"
#include "app/workspaces/life/scene/life_stats.h"
#include "compute/core/error.h"
#include "compute/workload/rule_text.h"

namespace loom::app {

/// The text field of a rule between frames.
template <typename Rule>
struct RuleField {
  std::string text = {};
  std::string problem = {};
  std::optional<Rule> written = {};  ///< the rule that `text` shows
};
/// Draws the field with the width of the next item. While the user types, the text is not rewritten; each
/// valid rule takes effect immediately.
template <typename Rule>
void rule_field(RuleField<Rule>& field, Rule& rule, Rule (*parse)(std::string_view)) {
  const bool edited = ImGui::InputText("##rule", &field.text);
  const bool typed = ImGui::IsItemDeactivated();  // the text may use another notation
  if (edited) {
    field.written.reset();
    try {
      rule = parse(field.text);
      field.problem.clear();
    } catch (const InputError& error) {
      field.problem = error.what();
    }
  } else if (!ImGui::IsItemActive() && field.problem.empty()) {
    if (field.written != rule || typed) field.text = to_string(rule);
    field.written = rule;
  }
}

/// Says why the selected configuration does not run, and what does, if anything; draws nothing without a
/// problem. Returns true if the user selects what runs.
template <typename Config>
bool select_running(std::string_view problem, const Config* runs) {
  if (problem.empty()) return false;
  warning(problem);
  if (runs == nullptr) return false;
  note(format_text("Running: level {} of {}, {}", runs->level, runs->fractal.name(),
                   label_of(runs->method.map)));
  return choice_button("Select what runs", false, remaining_width(), {},
                       "Sets the settings back to those of the picture");
}

/// State of the panel between frames: rule and seed while the user types them, and their errors.
struct BasicsPanelState {
  RuleField<LifeRule> rule;
  Area rule_field;  ///< area of the rule's text field; empty while it is hidden
  Area running;     ///< of "Select what runs"; only with a problem
  NumberFieldState seed;
};

/// What most users set: tile size, rule and random start, below the numbers of the fractal and the launch.
void basics_panel(BasicsPanelState& state, const MethodPanelState& method, LifeEdit& edit,
                  const LifeStats& stats);
/// The workload, its progress, and editing of cells.
void workload_panel(LifeEdit& edit, const LifeStats& report);
/// The metrics: the launch, its threads and memory, times of the maps, and those of the program.
/// `compares_maps`: panes show the times of several maps, so that these are left out here.
void metrics_panel(LifeEdit& edit, const LifeStats& report, bool compares_maps);
/// Selects a rule from a list.
void choose_rule(BasicsPanelState& state, LifeEdit& edit, LifeRule rule);

/// A rule that suits a fractal.
struct FractalRule {
  LifeRule rule;
  /// True: named by the fractal's file. False: measured to survive on the fractal.
  bool of_file = false;
};
/// The rule for a fractal: from its file, or patterns::long_lived_rule() for built-in fractals; nothing for
/// others.
std::optional<FractalRule> rule_of(const LifeSettings& settings, const NbbFractal& fractal);
/// Sets the rule of life that the file of the selected fractal names, if it names one.
void take_rule_of_file(LifeSettings& settings);

}  // namespace loom::app
