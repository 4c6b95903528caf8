#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/sketch/device_sketch.h"

namespace loom::app {

/// What several devices did in a generation as a drawing, which is made anew only for another recording, or
/// where there is another width for it.
class DeviceLanes {
 public:
  /// What is shown, and said of it, from now on; as wide as the rest of the window.
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
