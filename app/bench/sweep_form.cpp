#include "app/bench/sweep_form.h"

#include <fmt/format.h>

#include <algorithm>

#include "app/bench/sweep.h"
#include "compute/core/error.h"
#include "compute/map/map_method.h"

namespace loom::app::bench {

void SweepForm::load(const Preset& chosen) {
  load(chosen.kind, chosen.axes);
  preset = chosen.name;
}

void SweepForm::load(SweepKind chosen_kind, const AxisTexts& chosen) {
  preset.clear();
  kind = chosen_kind;
  texts = default_axes(kind);
  override_texts(texts, chosen);
  confirmed = false;
}

void SweepForm::check(const AxisContext& context, std::uint64_t limit) {
  problems.clear();
  problem.clear();
  cases = 0;
  too_many = false;
  axes = empty_axes(kind);
  for (const AxisField& field : axis_fields(kind)) {
    std::string& wrong = problems.emplace_back();
    try {
      field.read(texts[field.name], context, axes);
    } catch (const InputError& error) {
      wrong = error.what();
    } catch (const MachineError& error) {
      wrong = error.what();
    }
  }
  const auto is_wrong = [](const std::string& text) { return !text.empty(); };
  if (std::any_of(problems.begin(), problems.end(), is_wrong)) return;
  try {
    cases = count_cases(axes);
    if (cases == 0)
      problem = "no level of this sweep has such a tile size; allowed: tile size 1 at any level";
    check_sweep_size(cases, true);
  } catch (const InputError& error) {
    problem = error.what();
    cases = 0;
  }
  too_many = cases > limit;
}

std::string SweepForm::first_problem() const {
  for (const std::string& wrong : problems) {
    if (!wrong.empty()) return wrong;
  }
  if (!problem.empty()) return problem;
  if (too_many && !confirmed)
    return fmt::format("the sweep has {} configurations and is not confirmed", cases);
  return "";
}

Plan SweepForm::plan(Sampling sampling) const {
  sampling.max_seconds = static_cast<double>(max_seconds);
  if (is_distributed(axes)) sampling.use_distributed_timing();
  return {preset, texts, axes, sampling};
}

AxisTexts axes_around(const FractalConfig& config, std::string_view backend) {
  AxisTexts texts;
  texts["fractal"] = config.fractal.name();
  texts["level"] = config.level == 0 ? "0" : fmt::format("0..{}", config.level);
  texts["map"] = "all";
  // Fields are read as those of a compact map, because a map that lacks a field has no text for it. Numbers
  // of tiles are left out: one that is valid for a map may be invalid for another.
  for (const MethodField& field : method_fields()) {
    if (field.form == FieldForm::kWhole || field.option == "map") continue;
    MapMethod method = config.method;
    method.map = MapKind::kCompact;
    if (const auto text = field.text(method)) texts[std::string(field.option)] = *text;
  }
  texts["backend"] = backend;
  return texts;
}

}  // namespace loom::app::bench
