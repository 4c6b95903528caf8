#pragma once

#include "app/sketch/sketch.h"
#include "compute/engine/device_times.h"

namespace loom::app::sketch {

/// One generation on several devices: two lanes per device, computation above communication, time to the
/// right, then a legend. A device has the colour of its cells in the picture.
struct DeviceLook {
  float width = 40;    ///< with the names, in font sizes
  float lane = 0.9f;   ///< height of a lane
  bool brief = false;  ///< no axis, and not in words how it was measured
};
Sketch device_sketch(const DeviceTimes& times, const DeviceLook& look);

/// How it was measured: "CUDA events, set against the steady clock to 9 µs; recorded 10.2 ms, without
/// recording 10.1 ms".
std::string measured_in_words(const DeviceTimes& times);

}  // namespace loom::app::sketch
