#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <string>
#include <vector>

#include "app/life/scene/life_view.h"
#include "compute/engine/fractal_config.h"

namespace loom::app {

/// Which part of the cells is looked at, as typed: text that is checked only in view().
struct LifeViewOptions {
  std::vector<std::string> region;
  std::optional<std::string> zoom;
  std::vector<std::string> pan;

  /// Nothing where nothing was typed. Throws InputError, one line with the allowed values.
  std::optional<LifeView> view(const FractalConfig& config) const;
};

/// Adds the options to a subcommand. `options` must outlive the parse.
void add_life_view_options(CLI::App& command, LifeViewOptions& options);

}  // namespace loom::app
