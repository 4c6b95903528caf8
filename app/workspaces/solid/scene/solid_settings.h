#pragma once

#include <optional>

#include "app/files/solid_file.h"
#include "compute/device/device.h"
#include "compute/engine/fractal_engine.h"
#include "compute/solid/solid_config.h"
#include "compute/solid/solid_work.h"

namespace loom::app {

/// What runs on a three-dimensional fractal, in the window and on the command line.
struct SolidSettings {
  SolidConfig config;
  std::optional<SolidFile> from_file = {};  ///< the file of a custom fractal
  SolidWork work = {};
  RandomStart start = {};
};

/// The default level of a fractal: the highest up to 9 with at most 2^20 points.
int solid_start_level(const SolidFractal& fractal);

}  // namespace loom::app
