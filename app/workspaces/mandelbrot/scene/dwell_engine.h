#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "app/tasks/async_engine.h"
#include "app/workspaces/mandelbrot/scene/complex_view.h"
#include "app/workspaces/mandelbrot/scene/dwell_colours.h"
#include "compute/backend/engine_factory.h"
#include "compute/engine/mandelbrot_engine.h"

namespace loom::app {

/// A request: what to compute.
struct DwellRequest {
  MandelbrotConfig config = {};
  ComplexView view = {};
  glm::ivec2 picture{0};
  bool every_frame = false;  ///< compute although nothing changed, and always at full resolution
  bool regions = false;      ///< list the regions
  bool smooth = false;       ///< compute smooth dwells as well

  bool same_picture(const DwellRequest& other) const {
    return config == other.config && view == other.view && picture == other.picture;
  }
};

/// The result of a comparison with the exhaustive method.
struct DwellCheck {
  DwellDifferences differences;
  double milliseconds = 0;
};

/// The exhaustive time of one view, in milliseconds.
struct ExhaustiveTime {
  MandelbrotView view;
  std::uint32_t dwell_limit = 0;
  Precision precision = Precision::kFloat;
  std::string backend;
  double milliseconds = 0;
};

/// One piece of work for a request.
struct DwellJob {
  enum class Kind {
    kPicture,
    kSmooth,      ///< the smooth dwells of the current picture
    kCheck,       ///< compares the current picture with the exhaustive method
    kExhaustive,  ///< times the exhaustive method on an engine of its own
    kTimeline,  ///< records the computation on an engine of its own, with instrumented copies of the kernels
  };
  Kind kind = Kind::kPicture;
  DwellRequest request = {};
  int divisor = 1;         ///< one pixel of the image covers n x n pixels of the picture
  bool lists = false;      ///< list the regions
  bool is_repeat = false;  ///< of the current picture, whose counts and smooth dwells stay valid
};

/// The result of a job, by its kind.
struct DwellResult {
  MandelbrotReport report = {};
  ScaledHistogram histogram = {};
  double histogram_ms = 0;
  std::optional<double> smooth_ms = {};
  std::string dp_failure = {};   ///< why DP, which the request selects, does not work here
  bool out_of_capacity = false;  ///< the failure: more memory is needed than there is
  DwellCheck check = {};
  ExhaustiveTime exhaustive = {};
  std::shared_ptr<const Timeline> timeline = {};
};

using DwellOutcome = EngineOutcome<DwellJob, DwellResult>;

/// Executes the jobs of a MandelbrotEngine, for AsyncEngine.
class DwellEngine {
 public:
  using Outcome = DwellOutcome;

  /// Throws MachineError.
  explicit DwellEngine(const BackendSelection& backend);

  // These may be called while a job runs.
  /// Expected milliseconds of a picture at full resolution, from the last computation.
  std::optional<double> expected_ms(glm::ivec2 picture) const;
  double expected_ms(const DwellJob& job) const;
  static std::string activity(const DwellJob& job);
  static const char* out_of_memory(const DwellJob&) { return "out of memory for the picture"; }
  void update(const DwellOutcome& done);

  // The running job uses the rest.
  MandelbrotEngine& engine() { return *engine_; }
  const MandelbrotEngine& engine() const { return *engine_; }
  void set_monitor(ProgressMonitor* monitor);
  /// Executes the job; a device never continues it.
  bool begin(const DwellJob& job, DwellResult& result);
  void end(const DwellJob&, DwellResult&) {}

 private:
  void compute(const DwellJob& job, DwellResult& result);
  void time_exhaustive(const DwellRequest& request, ExhaustiveTime& result) const;
  std::shared_ptr<const Timeline> record(const DwellRequest& request) const;
  std::unique_ptr<MandelbrotEngine> make_engine() const;

  BackendSelection backend_;
  std::unique_ptr<MandelbrotEngine> engine_;
  ProgressMonitor* monitor_ = nullptr;
  std::optional<double> ns_per_pixel_;  ///< of the last picture
};

}  // namespace loom::app
