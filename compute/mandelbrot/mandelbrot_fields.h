#pragma once

#include <span>
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
/// Those of MandelbrotConfig::set, which are among them.
std::span<const Field<MandelbrotConfig>> set_fields();

}  // namespace loom
