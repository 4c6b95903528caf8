#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <string>
#include <vector>

#include "app/cli/options/cut_options.h"
#include "app/cli/options/dwell_colour_options.h"
#include "app/workspaces/mandelbrot/scene/complex_view.h"
#include "app/workspaces/mandelbrot/scene/mandelbrot_settings.h"

namespace loom::app {

/// The options of the Mandelbrot workspace, as typed; settings() and first_view() check them.
struct MandelbrotSceneOptions {
  std::optional<std::string> workspace;
  std::vector<std::string> view;
  std::optional<std::string> method;
  std::optional<std::string> scheme;
  CutOptions cut;
  std::optional<std::string> dwell;
  DwellColourOptions colours;
  std::optional<std::string> regions;

  bool model = false;
  std::optional<std::string> automatic;
  bool every_frame = false;
  bool timeline = false;

  /// Throw InputError with the allowed values. `opened` are the settings of an opened scene, which typed
  /// values override; null: the defaults.
  MandelbrotSettings settings(const MandelbrotSettings* opened = nullptr) const;
  std::optional<ComplexView> first_view() const;
};

/// Adds the options to a subcommand. `options` must outlive the parse.
void add_mandelbrot_scene_options(CLI::App& command, MandelbrotSceneOptions& options);
/// Adds the options for overlays, panels and when the window computes.
void add_mandelbrot_window_options(CLI::App& command, MandelbrotSceneOptions& options);

}  // namespace loom::app
