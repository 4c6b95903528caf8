#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "app/shell/worker.h"
#include "compute/engine/mandelbrot_engine.h"
#include "compute/mandelbrot/divergence.h"
#include "render/extent.h"

namespace loom::app {

/// What the lanes of a GPU's warps wait for each other in one picture: counted from its dwells, on a thread
/// beside the frames.
struct WaitCounts {
  Divergence exhaustive;  ///< of the exhaustive method's warps
  Divergence method;      ///< of the method in use: of regions their borders and leaves
  bool exact = true;      ///< false where the method's ideas make its kernels do something else
  render::Extent size;
  /// Of each pixel the share of lane-iterations that its warp's lanes (its region's thread block) wait, 0 to
  /// 254; 255 where the method computes nothing.
  std::vector<std::uint8_t> share;
};

class WarpWaits {
 public:
  /// The picture is another: what was counted is forgotten.
  void forget();
  /// Counts that of an engine whose picture stands, unless it is counted already or being counted. Reads the
  /// dwells at once. `regions`: those of the picture, with a method that has them.
  void want(const MandelbrotEngine& engine, const MandelbrotConfig& config, render::Extent size,
            std::span<const MandelbrotRegion> regions);
  /// Takes what has ended; waits for it if `waits`.
  void poll(bool waits);
  const std::optional<WaitCounts>& counts() const { return counts_; }
  bool busy() const { return worker_.busy(); }

 private:
  bool current_ = false;  ///< what is counted, or was, is of the picture that stands
  std::optional<WaitCounts> counts_;
  WaitCounts next_;
  std::vector<std::uint32_t> dwells_;
  std::vector<MandelbrotRegion> regions_;
  Worker worker_;  ///< last: ends before what it works on goes
};

}  // namespace loom::app
