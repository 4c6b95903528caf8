#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/explain/diagram/diagram.h"
#include "app/explain/diagram/space_diagram.h"

namespace loom::app {

/// A diagram of device activity in one generation. It is rebuilt only for another recording or another width.
class DeviceTimelineView {
 public:
  /// Sets the recording to show, at the width of the rest of the window.
  void look_at(const DeviceTimeline& times, diagram::DeviceDiagramStyle look);
  /// Draws the diagram at the ImGui cursor.
  void show() const;
  /// One per device.
  const std::vector<DeviceTimeBreakdown>& shares() const { return shares_; }
  /// diagram::measurement_text().
  const std::string& measured() const { return measured_; }

 private:
  double milliseconds_ = 0;  ///< identifies the recording: no two take equally long to the nanosecond
  double plain_milliseconds_ = 0;
  float width_ = 0;
  std::optional<diagram::Diagram> drawing_;
  std::vector<DeviceTimeBreakdown> shares_;
  std::string measured_;
};

}  // namespace loom::app
