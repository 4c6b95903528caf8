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
  /// No point: nothing is explained.
  void look_at(const FractalConfig& config, const std::optional<Coord64>& point);

  struct Thread {
    explain::ThreadLocation place;
    std::string sentence;
    explain::Warp warp;
    std::array<std::optional<explain::ThreadLocation>, explain::kWarpLanes>
        lanes;                                    ///< where the warp's threads run
    std::vector<explain::ThreadLocation> block;   ///< threads of its tile
    std::optional<explain::LambdaSteps> lambda;   ///< of maps that use it
    std::optional<explain::WarpTraffic> traffic;  ///< of the warp, where the GPU's kernel for life is known
  };
  const std::optional<Coord64>& point() const { return point_; }
  /// None where no thread is launched for the point.
  const std::optional<Thread>& thread() const { return thread_; }
  /// Why there is none; empty where there is one or no point.
  const std::string& why_not() const { return why_not_; }
  /// The threads of the launch with their warps and tiles; null before a point was selected.
  const explain::ThreadSpace* space() const { return space_.get(); }

 private:
  void compute_explanation();

  std::unique_ptr<explain::ThreadSpace> space_;
  std::optional<Coord64> point_;
  std::optional<Thread> thread_;
  std::string why_not_;
};

}  // namespace loom::app
