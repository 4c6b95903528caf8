#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <string>

#include "app/mandelbrot/scene/mandelbrot_settings.h"

namespace loom::app {

/// How dwells become colours, as typed: text that is checked only in put_into().
struct DwellColourOptions {
  std::optional<std::string> colouring;
  std::optional<std::string> cycle;
  std::optional<std::string> interior;
  std::optional<std::string> points;

  /// What was typed over these settings. Throws InputError, one line with the allowed values.
  void put_into(MandelbrotSettings& settings) const;
};

/// `prefix` begins each description.
void add_dwell_colour_options(CLI::App& command, DwellColourOptions& options, const std::string& prefix);

}  // namespace loom::app
