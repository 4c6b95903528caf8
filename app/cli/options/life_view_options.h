#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <string>
#include <vector>

#include "app/workspaces/life/scene/life_view.h"
#include "compute/engine/fractal_config.h"

namespace loom::app {

/// The options for the visible part of the cells, as typed; view() checks them.
struct LifeViewOptions {
  std::vector<std::string> region;
  std::optional<std::string> zoom;
  std::vector<std::string> pan;

  /// The view; empty if no option was typed. Throws InputError with the allowed values.
  std::optional<render::Camera::View> view(const FractalConfig& config) const;
};

/// Adds the options to a subcommand. `options` must outlive the parse.
void add_life_view_options(CLI::App& command, LifeViewOptions& options);

}  // namespace loom::app
