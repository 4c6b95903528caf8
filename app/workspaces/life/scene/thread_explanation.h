#pragma once

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/explain/map_steps.h"
#include "app/explain/thread_space.h"
#include "app/explain/warp_memory_access.h"
#include "compute/engine/fractal_config.h"

namespace loom::app {

/// Describes the thread that is launched for a point of the square: its position, the steps of lambda for its
/// tile, and the memory accesses of its warp. Updated when the point or the configuration changes, without an
/// engine, in well under a millisecond.
class ThreadExplanation {
 public:
  /// Selects a point; without one, nothing is explained.
  void look_at(const FractalConfig& config, const std::optional<Coord64>& point);

  struct Thread {
    explain::ThreadLocation place;
    std::string sentence;
    explain::Warp warp;
    /// The threads in the lanes of the warp.
    std::array<std::optional<explain::ThreadLocation>, explain::kWarpLanes> lanes;
    std::vector<explain::ThreadLocation> tile;    ///< threads of its tile
    std::optional<explain::LambdaSteps> lambda;   ///< for lambda and compact
    std::optional<explain::WarpTraffic> traffic;  ///< of the warp; nothing if addresses exceed 64 bits
  };
  const std::optional<Coord64>& point() const { return point_; }
  /// Nothing if no thread is launched for the point.
  const std::optional<Thread>& thread() const { return thread_; }
  /// Why no thread is explained; empty if one is, or without a point.
  const std::string& problem() const { return problem_; }
  /// The threads of the launch with their warps and tiles; null before a point was selected.
  const explain::ThreadSpace* space() const { return space_.get(); }

 private:
  void compute_explanation();

  std::unique_ptr<explain::ThreadSpace> space_;
  std::optional<Coord64> point_;
  std::optional<Thread> thread_;
  std::string problem_;
};

}  // namespace loom::app
