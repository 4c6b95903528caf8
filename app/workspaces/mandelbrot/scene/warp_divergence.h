#pragma once

#include <cstdint>
#include <glm/vec2.hpp>
#include <optional>
#include <span>
#include <vector>

#include "app/tasks/task.h"
#include "compute/engine/mandelbrot_engine.h"
#include "compute/mandelbrot/divergence.h"
#include "render/camera.h"

namespace loom::app {

/// Warp divergence of one picture, computed from its dwells on a background thread.
struct DivergenceCounts {
  Divergence exhaustive;  ///< divergence of the exhaustive method
  Divergence method;      ///< divergence of the current method: borders and leaves of regions
  bool exact = true;      ///< false if optimizations make the kernels run differently
  glm::ivec2 size{0};
  /// Per pixel, the fraction of idle lane-iterations of its warp (or of the thread block of its region), 0 to
  /// 254; 255 where the method computes nothing.
  std::vector<std::uint8_t> share;
};

class WarpDivergence {
 public:
  /// The picture changed: drops the counts.
  void forget();
  /// Counts for the current image of an engine, unless this is done or running. Reads the dwells immediately.
  /// `regions` are those of the picture, for a method that has them.
  void request(const MandelbrotEngine& engine, const MandelbrotConfig& config, glm::ivec2 size,
               std::span<const MandelbrotRegion> regions);
  /// Takes finished counts; waits for them if `waits`.
  void poll(bool waits);
  const std::optional<DivergenceCounts>& counts() const { return counts_; }
  bool busy() const { return task_.running(); }

 private:
  bool current_ = false;  ///< the finished or running counts belong to the current picture
  std::optional<DivergenceCounts> counts_;
  std::vector<std::uint32_t> dwells_;      ///< used by the task while it runs; kept for its memory
  std::vector<MandelbrotRegion> regions_;  ///< used by the task while it runs; kept for its memory
  Task<DivergenceCounts> task_;            ///< last member: must end before the members it uses
};

}  // namespace loom::app
