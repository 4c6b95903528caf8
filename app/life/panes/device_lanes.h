#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/sketch/device_sketch.h"

namespace loom::app {

/// A diagram of device activity in one generation. It is rebuilt only for another recording or another width.
class DeviceLanes {
 public:
  /// Sets the recording to show, at the width of the rest of the window.
  void look_at(const DeviceTimes& times, sketch::DeviceLook look);
  /// At the cursor.
  void show() const;
  /// A device's each.
  const std::vector<DeviceShare>& shares() const { return shares_; }
  /// sketch::measured_in_words().
  const std::string& measured() const { return measured_; }

 private:
  double milliseconds_ = 0;  ///< of the recording that it is of; no two take equally long to the nanosecond
  double plain_milliseconds_ = 0;
  float width_ = 0;
  std::optional<sketch::Sketch> drawing_;
  std::vector<DeviceShare> shares_;
  std::string measured_;
};

}  // namespace loom::app
