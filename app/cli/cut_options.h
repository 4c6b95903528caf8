#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <string>

#include "compute/mandelbrot/mandelbrot_config.h"

namespace loom::app {

/// How a picture of the Mandelbrot set is cut into regions, as the user typed it.
struct CutOptions {
  std::optional<std::string> g;
  std::optional<std::string> r;
  std::optional<std::string> b;

  /// Puts what was typed into a configuration. Throws InputError with the allowed values.
  void put_into(MandelbrotConfig& config) const;
};

/// Adds --g, --r and --b. `before` stands before what they are; `defaults` is what holds where they are not
/// typed. `options` must outlive the parse.
void add_cut_options(CLI::App& command, CutOptions& options, const std::string& before,
                     const MandelbrotConfig& defaults);

}  // namespace loom::app
