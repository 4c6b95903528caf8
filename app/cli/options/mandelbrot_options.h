#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/cli/options/options.h"
#include "app/workspaces/mandelbrot/scene/complex_view.h"
#include "app/workspaces/mandelbrot/scene/mandelbrot_settings.h"
#include "compute/backend/engine_factory.h"
#include "compute/mandelbrot/mandelbrot_config.h"

namespace loom::app {

/// The options of the Mandelbrot set, as typed, for subcommands with and without a window. The functions
/// check them and throw InputError with the allowed values. Options that were not typed are empty.
struct MandelbrotOptions {
  /// Of mandelbrot_config_fields(), dwell_colour_fields() and mandelbrot_window_fields().
  TypedFields fields;
  std::vector<std::string> view;
  std::optional<std::string> size;
  std::vector<std::string> window;
  std::optional<std::string> formula_file;
  std::optional<std::string> center;  ///< RE,IM
  std::optional<std::string> width;   ///< of the view, with `center`
  std::optional<std::string> angle;   ///< of the view, degrees
  std::optional<std::string> backend;
  std::optional<std::string> device;
  std::optional<std::string> devices;  ///< only for some subcommands

  /// The configuration of an image without a window; it is valid (memory is not checked).
  MandelbrotConfig config() const;
  MandelbrotView image() const;
  /// How its dwells are coloured.
  MandelbrotSettings colours() const;

  /// The settings of the workspace. `opened` are those of an opened scene, which typed values override; null:
  /// the defaults.
  MandelbrotSettings settings(const MandelbrotSettings* opened = nullptr) const;
  std::optional<ComplexView> first_view() const;
  /// The typed angle; 0 without one.
  double turn() const;

  /// Throws also MachineError.
  BackendSelection selected_backend() const;
  /// The devices, if the work can be distributed; see select_devices().
  DeviceSelection selected_devices(const ProcessGroup* ranks) const;

 private:
  int device_number() const;
};

/// The formula of --formula-file, whose code the user runs by naming it. Throws InputError.
CustomFormula formula_in_file(const std::string& file);
/// RE,IM,WIDTH of an option in plain numbers. Throws InputError with `least_width` as the smallest width
/// that the option takes, in these or in decimal numbers.
ComplexView read_view(std::string_view option, const std::vector<std::string>& words,
                      std::string_view least_width);

// Each adds options to a subcommand. `options` must outlive the parse.

/// Configuration, size and backend of an image.
void add_mandelbrot_options(CLI::App& command, MandelbrotOptions& options);
/// How dwells are coloured; `prefix` is put before each description.
void add_dwell_colour_options(CLI::App& command, MandelbrotOptions& options, const std::string& prefix);
/// The workspace as a scene shows it: configuration, view and colours.
void add_mandelbrot_scene_options(CLI::App& command, MandelbrotOptions& options);
/// Overlays, panels and when the window computes.
void add_mandelbrot_window_options(CLI::App& command, MandelbrotOptions& options);

}  // namespace loom::app
