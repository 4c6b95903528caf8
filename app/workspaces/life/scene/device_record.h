#pragma once

#include <string>

#include "compute/engine/device_timeline.h"

namespace loom::app {

/// What each of several devices did in a generation, as it was recorded.
struct DeviceRecord {
  DeviceTimeline times;
  std::string problem;  ///< why there is none; empty where there is
};

}  // namespace loom::app
