#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <string>

#include "compute/mandelbrot/mandelbrot_config.h"

namespace loom::app {

/// The subdivision parameters g, r and B, as typed.
struct CutOptions {
  std::optional<std::string> g;
  std::optional<std::string> r;
  std::optional<std::string> b;

  /// Applies the typed values to a configuration. Throws InputError with the allowed values.
  void apply_to(MandelbrotConfig& config) const;
};

/// Adds --g, --r and --b. `before` is a prefix of the descriptions; `defaults` are shown there. `options`
/// must outlive the parse.
void add_cut_options(CLI::App& command, CutOptions& options, const std::string& before,
                     const MandelbrotConfig& defaults);

}  // namespace loom::app
