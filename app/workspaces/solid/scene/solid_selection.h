#pragma once

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/explain/space_layout.h"
#include "compute/map/map_method.h"

namespace loom::app {

/// The thread of the selected cell under a configuration. Updated when the cell or the configuration changes.
class SelectedThread {
 public:
  void update(const SolidConfig& config, const std::optional<Coord3>& cell);
  /// Empty without a selected cell.
  const std::optional<explain::SolidThreadLocation>& location() const { return location_; }
  /// "tile ω (2, 0, 1), thread 37, thread block 5, byte 12,345"; empty without a selected cell.
  const std::string& text() const { return text_; }
  const std::vector<explain::SolidLambdaStep>& steps() const { return steps_; }
  /// The launch; only with a location.
  const explain::SolidThreadSpace& space() const { return *space_; }

 private:
  std::unique_ptr<explain::SolidThreadSpace> space_;
  std::optional<explain::SolidThreadLocation> location_;
  std::vector<explain::SolidLambdaStep> steps_;
  std::string text_;
};

/// The selected cell under each map.
using SelectedThreads = std::array<SelectedThread, kMapKinds.size()>;  ///< by MapKind

}  // namespace loom::app
