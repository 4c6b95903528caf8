#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <string>

#include "app/workspaces/mandelbrot/scene/mandelbrot_settings.h"

namespace loom::app {

/// Colouring options as typed; apply_to() checks them.
struct DwellColourOptions {
  std::optional<std::string> colouring;
  std::optional<std::string> cycle;
  std::optional<std::string> interior;
  std::optional<std::string> points;

  /// Applies the typed values. Throws InputError with the allowed values.
  void apply_to(MandelbrotSettings& settings) const;
};

/// Adds the options; `prefix` is put before each description.
void add_dwell_colour_options(CLI::App& command, DwellColourOptions& options, const std::string& prefix);

}  // namespace loom::app
