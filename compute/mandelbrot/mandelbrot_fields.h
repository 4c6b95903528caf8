#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "compute/core/field.h"
#include "compute/mandelbrot/mandelbrot_config.h"

namespace loom {

/// The settings of a MandelbrotConfig, the method before the block shape: reading it also sets the default
/// block shape of the method. Sweeps vary the last field fastest. Field::varies says what a method leaves to
/// choose.
std::span<const Field<MandelbrotConfig>> mandelbrot_config_fields();
/// Code that is read from a scene waits for Run.
CustomFormula read_formula(std::string_view text);
/// The field of the code of a custom formula, which `kOf` finds in the settings.
template <typename Settings, auto kOf>
constexpr Field<Settings> custom_formula_field() {
  constexpr auto kText = [](const CustomFormula& one) { return one.text(); };
  Field<Settings> field = FieldOf<Settings>::template text<kOf, read_formula, kText>(
      {.key = "formula_code", .label = "code of the formula", .undo = "code of the formula"});
  field.text = [](const Settings& own) -> std::optional<std::string> {
    const CustomFormula& formula = std::invoke(kOf, own);
    return formula.empty() ? std::nullopt : std::optional(formula.text());
  };
  return field;
}
/// Those of MandelbrotConfig::set, which are among them.
std::span<const Field<MandelbrotConfig>> set_fields();

}  // namespace loom
