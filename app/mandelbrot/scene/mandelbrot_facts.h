#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "app/mandelbrot/scene/automatic_plan.h"
#include "app/mandelbrot/scene/dwell_runner.h"
#include "app/mandelbrot/scene/landscape.h"
#include "app/mandelbrot/scene/model_fit.h"
#include "app/mandelbrot/scene/precision_gauge.h"
#include "app/mandelbrot/scene/tour.h"
#include "app/mandelbrot/scene/warp_waits.h"
#include "compute/backend/engine_factory.h"

namespace loom::app {

/// The point under the cursor.
struct HoveredPoint {
  ComplexPoint point;
  int pixel_x = 0;
  int pixel_y = 0;
  std::optional<std::uint32_t> dwell;      ///< as the picture has it, where that is of this view
  std::optional<MandelbrotRegion> region;  ///< the smallest around it, where regions are listed
};

/// What the present picture took beside its dwells, in milliseconds.
struct MandelbrotTimes {
  std::optional<double> smooth;     ///< smooth dwells; nothing with another colouring
  std::optional<double> histogram;  ///< reading the dwells back and counting them
};

/// What the Mandelbrot workspace's panels may know: plain data. References live as long as the frame.
struct MandelbrotFacts {
  const BackendSelection& backend;
  const CudaStatus& cuda;
  std::size_t devices = 1;           ///< that a picture may be shared out to
  std::span<const DwellPart> parts;  ///< of the picture, where it was
  const std::string& backend_name;
  const FrameTimes& frames;  ///< of the window
  ComplexView view;
  render::Extent picture;
  PrecisionGauge gauge;       ///< in the arithmetic in use
  bool room_in_float = true;  ///< the view can be shown in it
  std::size_t views_behind = 0;
  std::size_t views_ahead = 0;
  const std::vector<TourStop>& tour;
  std::optional<std::size_t> tour_at;  ///< the stop that was visited last, while its view stands
  bool has_picture = false;
  bool pictured = false;     ///< one is seen, though it may be of another view
  bool left_behind = false;  ///< that came before what is wished for, and nothing is on its way
  int divisor = 1;           ///< of the picture's resolution
  int samplings = 1;         ///< points on each axis of a pixel whose mean colour is shown
  std::optional<double> expected_ms;
  const std::optional<MandelbrotReport>& report;
  StageFigures times;
  bool automatic = false;                       ///< g, r, B and the method are found by timing
  bool searching = false;                       ///< at this moment
  const AutomaticPlan::Found* found = nullptr;  ///< for what is shown; null while nothing was
  std::optional<double> exhaustive_ms;
  const std::optional<DwellCheck>& check;
  std::span<const MandelbrotRegion> regions;
  int levels = 0;                  ///< of the regions listed
  std::optional<int> shown_level;  ///< the last one drawn; nothing: all
  bool levels_play = false;
  MandelbrotTimes stages;
  const WaitCounts* waits = nullptr;  ///< null while they are not counted
  std::optional<HoveredPoint> hovered;
  std::uint64_t exterior = 0;                        ///< pixels below the dwell limit
  std::uint32_t counted_within = 0;                  ///< the dwell limit that they were counted with
  CostRatio cost_ratio = CostRatio::kWorkReduction;  ///< that the model's numbers are
  std::optional<ModelFit> fit = {};                  ///< while the cost model is shown
  std::span<const std::optional<double>> landscape_model = {};
  std::span<const std::optional<double>> landscape_measured = {};  ///< empty: not measured yet
  std::size_t landscape_done = 0;
  bool landscape_runs = false;
  bool landscape_stale = false;  ///< of another view, method or limit than the present ones
  std::optional<MandelbrotView> landscape_view = {};
  double frames_per_second = 0;

  /// Whether the picture is whole, computed with this limit, and has no pixel below it.
  bool nothing_escapes(std::uint32_t limit) const {
    return has_picture && divisor == 1 && counted_within == limit && exterior == 0;
  }
};

}  // namespace loom::app
