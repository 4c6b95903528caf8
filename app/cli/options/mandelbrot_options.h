#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <string>
#include <vector>

#include "app/cli/options/cut_options.h"
#include "app/cli/options/device_selection.h"
#include "compute/backend/engine_factory.h"
#include "compute/mandelbrot/mandelbrot_config.h"

namespace loom::app {

/// The options of a Mandelbrot computation, as typed; config(), view() and backend() check them. Options that
/// were not typed are empty.
struct MandelbrotOptions {
  std::optional<std::string> method;
  std::optional<std::string> scheme;
  CutOptions cut;
  std::optional<std::string> dwell;
  std::optional<std::string> block_shape;
  std::optional<std::string> precision;
  std::optional<std::string> fill;
  std::optional<std::string> optimisations;
  std::optional<std::string> size;
  std::vector<std::string> window;
  std::optional<std::string> backend;
  std::optional<std::string> device;
  std::optional<std::string> devices;  ///< only for some subcommands

  /// The defaults with the typed values applied; the configuration is valid (memory is not checked). DP uses
  /// thread blocks of 64 x 8 if no shape was typed, as its authors do. Throw InputError with the allowed
  /// values.
  MandelbrotConfig config(const Device& runs_on) const;
  MandelbrotView view() const;
  /// Throws InputError, MachineError.
  BackendSelection selected_backend() const;
  /// The devices, if the work can be distributed; see select_devices().
  DeviceSelection selected_devices(const ProcessGroup* ranks) const;

 private:
  int device_number() const;
};

/// Adds the options to a subcommand. `options` must outlive the parse.
void add_mandelbrot_options(CLI::App& command, MandelbrotOptions& options);

}  // namespace loom::app
