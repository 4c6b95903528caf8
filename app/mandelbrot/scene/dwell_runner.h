#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "app/mandelbrot/scene/complex_view.h"
#include "app/mandelbrot/scene/dwell_colours.h"
#include "app/shell/frame_times.h"
#include "app/shell/worker.h"
#include "app/shell/workspace.h"
#include "compute/backend/engine_factory.h"
#include "compute/engine/mandelbrot_engine.h"

namespace loom::app {

/// A frame may take this long before the picture is computed coarsely first.
inline constexpr double kPatienceMs = 50;
inline constexpr int kCoarsest = 8;
/// Once a picture stands it is computed so often, in as many frames, for a median that one disturbance does
/// not spoil; where a run takes longer than kPatienceMs, once.
inline constexpr std::size_t kRunsAtRest = 3;

/// What the explorer wants computed.
struct DwellWish {
  MandelbrotConfig config;
  ComplexView view;
  render::Extent picture;
  bool every_frame = false;  ///< again although nothing changed, and never coarsely
  bool regions = false;      ///< list them
  bool smooth = false;       ///< smooth dwells as well

  bool same_picture(const DwellWish& other) const {
    return config == other.config && view == other.view && picture == other.picture;
  }
};

/// What one of several devices did of a picture.
struct DwellPart {
  MandelbrotPartTime time;
  std::vector<RowRange> rows;
};

/// The result of a comparison with the exhaustive method, and whether it is of the picture that stands.
struct DwellCheck {
  DwellDifferences differences;
  double milliseconds = 0;
};

/// The time of the exhaustive method at one view.
struct ExhaustiveTime {
  MandelbrotView view;
  std::uint32_t dwell_limit = 0;
  Precision precision = Precision::kFloat;
  std::string backend;
  double milliseconds = 0;
};

/// A timeline of the picture that stood, or why there is none.
struct RecordedDwells {
  std::uint64_t number = 0;  ///< of all that were recorded
  DwellWish wish;            ///< what was recorded
  std::string backend_name;
  std::shared_ptr<const Timeline> timeline;
  std::string problem;
};

/// Runs a Mandelbrot engine: decides how finely a frame is computed, and keeps what was measured. What takes
/// longer than a few milliseconds is done on a thread beside the frames; a wish for another picture ends it.
/// All calls are for one thread, the window's.
class DwellRunner {
 public:
  using Patience = std::chrono::duration<double, std::milli>;
  static constexpr Patience kForever{1e12};

  /// The engine's backend; another one than before starts anew, once work beside the frames has ended. Throws
  /// MachineError.
  void use_backend(const BackendSelection& backend);
  /// Of the engine that image() is of.
  const BackendSelection& backend() const { return backend_; }

  /// One frame's work: computes what is wished, or the next finer picture of it, and waits at most `patience`
  /// for work that goes on beside the frames. Returns true where a new picture stands. Without `every_frame`
  /// nothing is done where nothing changed. Throws DeviceFault; any other failure leaves problem() and the
  /// wish is not tried again until it changes. A failure of DP is answered with ASK, see fallen_back().
  bool advance(const DwellWish& wish, Patience patience = kForever);

  /// Whether work goes on beside the frames: engine() and image() are not to be used then.
  bool busy() const { return worker_.busy(); }
  Progress progress() const;
  /// Wishes an end to it; what was there before stays. A picture that was cancelled is not begun again until
  /// the wish changes.
  void cancel();
  /// Whether the last work was done beside the frames, not within one.
  bool worked_beside() const { return beside_; }

  /// The present picture's smooth dwells, where they were wished for, else its dwells; only while not busy().
  ImageView image(MemorySpace space);
  bool is_smooth() const { return shown_smooth_; }
  /// Of the present picture: how many pixels have each dwell; what counting and smoothing took.
  const DwellHistogram& histogram() const { return histogram_; }
  double histogram_ms() const { return histogram_ms_; }
  /// Whether the last picture was counted and smoothed anew; one that is computed again, unchanged, is not.
  bool counted_anew() const { return counted_; }
  const std::optional<double>& smooth_ms() const { return smooth_ms_; }
  /// The size of its image.
  render::Extent image_size() const { return image_size_; }
  const std::string& backend_name() const { return backend_name_; }

  bool has_picture() const { return has_picture_; }
  /// The last picture that was wished for was cancelled or failed, and is not begun again.
  bool gave_up() const { return failed_.has_value(); }
  /// A picture stands at full resolution, was timed often enough, and nothing is being computed.
  bool rests() const { return has_picture_ && divisor_ == 1 && !busy() && timed_enough(); }
  /// 1: the picture is at full resolution; n: one of its pixels stands for n x n.
  int divisor() const { return divisor_; }
  /// The picture's wish; its config says what ran.
  const DwellWish& wish() const { return done_; }
  MandelbrotEngine& engine() { return *engine_; }
  const MandelbrotEngine& engine() const { return *engine_; }
  bool has_engine() const { return engine_ != nullptr; }
  const std::string& problem() const { return problem_; }
  void forget_problem() { problem_.clear(); }
  /// Why ASK runs although DP was asked for; empty where not.
  const std::string& fallen_back() const { return fallen_back_; }

  /// Of the last computation at full resolution of this picture; nothing before it.
  const std::optional<MandelbrotReport>& report() const { return report_; }
  /// Of the picture that stands, what each of several devices did; else empty.
  std::span<const DwellPart> parts() const { return parts_; }
  /// Of the last computation, at whatever resolution.
  double last_ms() const { return last_ms_; }
  /// Times at full resolution since method, view or backend changed, without those that listed regions.
  StageFigures times() const;
  void forget_times() {
    times_.clear();
    figures_.reset();
  }
  std::span<const MandelbrotRegion> regions() const { return regions_; }
  /// Another one for other regions.
  std::uint64_t regions_number() const { return regions_number_; }
  /// How long a frame at full resolution would take, from the last computation.
  std::optional<double> expected_ms(render::Extent picture) const;

  /// Compares the picture at full resolution; nothing without one, or while other work goes on.
  void check(Patience patience = kForever);
  const std::optional<DwellCheck>& checked() const { return check_; }

  /// Times the exhaustive method at the picture's view on an engine of its own: the median of up to three
  /// runs. Throws as compute() does.
  void measure_exhaustive(Patience patience = kForever);
  /// As remembered for this view, dwell limit, precision and backend.
  std::optional<double> exhaustive_ms() const;

  /// Records the picture's computation on an engine of its own, by instrumented copies of the kernels.
  void record_timeline(Patience patience = kForever);
  bool recording() const { return busy() && job_.task == Task::kTimeline; }
  const std::optional<RecordedDwells>& recorded() const { return recorded_; }

 private:
  enum class Task { kPicture, kSmooth, kCheck, kExhaustive, kTimeline };
  bool timed_enough() const;
  int first_divisor(const DwellWish& wish) const;
  int next_divisor(const DwellWish& wish) const;
  double guess_ms(const DwellWish& wish, int divisor) const;
  bool begin(Task task, double expected_ms, Patience patience);
  bool finish();
  bool take_picture();
  void work(Watch& watch);
  void compute_picture();
  void compute_smooth();
  void forget_regions();
  void record(Watch& watch);

  BackendSelection backend_;
  std::string backend_name_;
  bool beside_ = false;
  DwellHistogram histogram_;
  double histogram_ms_ = 0;
  std::optional<double> smooth_ms_;
  bool shown_smooth_ = false;
  bool counted_ = false;
  render::Extent image_size_{1, 1};
  bool has_picture_ = false;
  double last_ms_ = 0;
  DwellWish done_;
  int divisor_ = 1;
  bool regions_listed_ = false;
  std::optional<DwellWish> failed_;
  std::string problem_;
  std::string fallen_back_;
  std::optional<double> ns_per_pixel_;
  std::optional<MandelbrotReport> report_;
  std::vector<double> times_;
  mutable std::vector<double> sorted_;
  mutable std::optional<StageFigures> figures_;  ///< of them, once asked for
  std::vector<MandelbrotRegion> regions_;
  std::uint64_t regions_number_ = 0;
  std::vector<DwellPart> parts_;
  std::optional<DwellCheck> check_;
  std::vector<ExhaustiveTime> exhaustive_;
  std::optional<RecordedDwells> recorded_;

  // Belongs to the work under way while there is one.
  struct Job {
    Task task = Task::kPicture;
    DwellWish wish;
    int divisor = 1;
    bool list = false;
    bool again = false;  ///< the picture that stands, once more: its counts and smooth dwells hold
    MandelbrotReport report = {};
    DwellHistogram histogram = {};
    double histogram_ms = 0;
    std::optional<double> smooth_ms = {};
    DwellCheck check = {};
    ExhaustiveTime exhaustive = {};
    std::shared_ptr<const Timeline> timeline = {};
    std::string problem = {};
    bool dp_failed = false;
    bool cancelled = false;
  };
  std::unique_ptr<MandelbrotEngine> engine_;
  Job job_;

  Worker worker_;  ///< last: ends before what it works on goes
};

}  // namespace loom::app
