#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <string>
#include <vector>

#include "app/cli/chosen_devices.h"
#include "app/cli/cut_options.h"
#include "compute/backend/engine_factory.h"
#include "compute/mandelbrot/mandelbrot_config.h"

namespace loom::app {

/// Dwells as the user typed them: text that is checked only in config(), view() and backend(). What was not
/// typed is empty.
struct MandelbrotOptions {
  std::optional<std::string> method;
  std::optional<std::string> scheme;
  CutOptions cut;
  std::optional<std::string> dwell;
  std::optional<std::string> block_shape;
  std::optional<std::string> precision;
  std::optional<std::string> fill;
  std::optional<std::string> ideas;
  std::optional<std::string> size;
  std::vector<std::string> window;
  std::optional<std::string> backend;
  std::optional<std::string> device;
  std::optional<std::string> devices;  ///< where the subcommand has it

  /// The defaults with what was typed put over them, valid by themselves (memory is not looked at). DP takes
  /// blocks of 64 x 8 where no shape was typed, as its authors do. Throw InputError, one line with the
  /// allowed values.
  MandelbrotConfig config(BackendKind kind) const;
  MandelbrotView view() const;
  /// Throws InputError, MachineError.
  BackendSelection selected_backend() const;
  /// The same where it can be shared out; choose_devices().
  ChosenDevices chosen_devices(const Ranks* ranks) const;

 private:
  int device_number() const;
};

/// Adds the options to a subcommand. `options` must outlive the parse.
void add_mandelbrot_options(CLI::App& command, MandelbrotOptions& options);

}  // namespace loom::app
