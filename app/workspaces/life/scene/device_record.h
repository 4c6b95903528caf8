#pragma once

#include <string>

#include "compute/engine/device_timeline.h"

namespace loom::app {

/// The recorded activity of each device in one generation.
struct DeviceRecord {
  DeviceTimeline times;
  std::string problem;  ///< why nothing was recorded; empty on success
};

}  // namespace loom::app
