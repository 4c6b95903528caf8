#pragma once

#include "app/explain/diagram/diagram.h"
#include "compute/engine/device_timeline.h"

namespace loom::app::diagram {

/// One generation on several devices: two lanes per device, computation above communication, time to the
/// right, then a legend. Each device has the colour of its cells in the pane.
struct DeviceDiagramStyle {
  float width = 40;    ///< including the names, in font sizes
  float lane = 0.9f;   ///< height of a lane, in font sizes
  bool brief = false;  ///< without the axis and the text of measurement_text()
};
Diagram device_diagram(const DeviceTimeline& times, const DeviceDiagramStyle& style);

/// How the times were measured: "CUDA events, set against the steady clock to 9 µs; recorded 10.2 ms, without
/// recording 10.1 ms".
std::string measurement_text(const DeviceTimeline& times);

}  // namespace loom::app::diagram
