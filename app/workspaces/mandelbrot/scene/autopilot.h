#pragma once

#include <cstdint>
#include <glm/fwd.hpp>
#include <glm/vec2.hpp>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "app/tasks/task.h"
#include "app/workspaces/mandelbrot/scene/complex_view.h"
#include "compute/backend/fastest_plan.h"
#include "compute/device/device.h"
#include "compute/perturbation/nucleus.h"

namespace loom::app {

class DwellRunner;

/// The pixel of an image of dwells where neighbouring dwells differ most often, weighted by its distance from
/// the middle; nothing if all dwells are equal. `dwells` has size.x * size.y values.
std::optional<glm::ivec2> most_detail(std::span<const std::uint32_t> dwells, glm::ivec2 size);

/// Zooms towards detail by itself.
class Autopilot {
 public:
  void start() {
    running_ = true;
    last_.reset();
    target_.reset();
    aimed_at_.reset();
  }
  void stop() { running_ = false; }
  bool running() const { return running_; }

  /// The view after `seconds` more, or nothing if it waits for a picture. `view` is the current view; one
  /// that is not the last result stops the autopilot, because the user has moved it, and so does a picture of
  /// one dwell. `stopped` receives the reason.
  std::optional<ComplexView> advance(const ComplexView& view, glm::ivec2 picture, const DwellRunner& runner,
                                     double seconds, Precision precision, std::string_view& stopped);

 private:
  bool running_ = false;
  std::optional<ComplexView> last_;      ///< the last result
  std::optional<ComplexView> aimed_at_;  ///< view of the picture in which the target was found
  std::optional<glm::dvec2> target_;     ///< pixel of the current view
  std::vector<std::uint32_t> dwells_;
};

/// A stop of the tour.
struct TourStop {
  std::string name;
  std::string note;  ///< description; may be empty
  ComplexView view;
  Precision precision = Precision::kFloat;
  std::optional<std::uint32_t> dwell_limit;  ///< set if kDefaultDwellLimit is not sufficient
};

/// Reads [[view]] tables: name, re, im, width, and optionally note, precision ("float", "double") and dwell.
/// Throws InputError "FILE:LINE: what is wrong; what is allowed".
std::vector<TourStop> parse_tour(std::string_view text, std::string_view file);

/// The tour of assets/tour.toml.
const std::vector<TourStop>& built_in_tour();

/// A minibrot: a small copy of the set, around the nucleus of a component.
struct Minibrot {
  std::uint32_t period = 0;
  std::string size;  ///< about the width of its cardioid, a decimal number
  ComplexView view;  ///< shows all of it
};

/// Finds the minibrot of lowest period in a view, in the background. All calls must come from one thread.
class MinibrotSearch {
 public:
  using Outcome = Task<std::optional<Nucleus>>::Outcome;

  /// Starts a search for periods up to `max_period`; one that runs is cancelled first.
  void start(const ComplexView& view, glm::ivec2 picture, std::uint32_t max_period);
  void cancel() { task_.cancel(); }
  bool running() const { return task_.running(); }
  double share() const { return task_.share(); }
  /// The outcome of a search that has ended, once; then found() is its minibrot, if there is one. Throws
  /// DeviceFault.
  std::optional<Outcome> poll(TaskTimeout timeout);
  /// The last minibrot that was found.
  const std::optional<Minibrot>& found() const { return found_; }
  std::uint32_t max_period() const { return max_period_; }

 private:
  std::optional<Minibrot> found_;
  std::uint32_t max_period_ = 0;
  double angle_ = 0;  ///< of the view
  Task<std::optional<Nucleus>> task_;
};

/// Finds the fastest method and parameters for the current view. Times candidates on its own engine and
/// thread while nothing else is computed.
class AutoTuner {
 public:
  /// The conditions of a search. Comparison ignores g, r, B and the method of the configuration.
  struct TuningProblem {
    MandelbrotConfig config;
    MandelbrotView view;
    BackendSelection backend;
    bool may_be_exhaustive = true;
    bool same(const TuningProblem& other) const;
  };
  /// The result of a search.
  struct TuningResult {
    TuningProblem what;
    DwellPlan plan;
    double milliseconds = 0;
    std::optional<double> exhaustive_ms;  ///< set if the exhaustive method was timed as well
    std::size_t timed = 0;                ///< number of candidates timed
  };

  /// Starts a search unless one for the same conditions is finished or running. A running search for other
  /// conditions is cancelled, and the new one starts with a later call. Throws MachineError.
  void request(const TuningProblem& what);
  /// Takes the result of a finished search; waits for it up to `timeout`. Returns true if there is a new
  /// result. Throws DeviceFault.
  bool poll(TaskTimeout timeout);
  /// Requests the end of the running search. It is not started again for the same conditions.
  void cancel();
  bool searching() const { return task_.running(); }
  /// Whether request() would start a search: none for these conditions has finished, with or without a
  /// result.
  bool needs_search(const TuningProblem& what) const { return !(searched_ && searched_->same(what)); }
  /// The last result if it is for `what`, otherwise null.
  const TuningResult* result_for(const TuningProblem& what) const;
  /// The last result for any conditions: the first guess for another view.
  const std::optional<TuningResult>& result() const { return result_; }

 private:
  std::unique_ptr<MandelbrotEngine> engine_;  ///< used by the thread while it searches
  BackendSelection engine_of_;
  std::optional<TuningProblem>
      searched_;  ///< conditions of the last finished search, with or without a result
  std::optional<TuningResult> result_;
  TuningProblem running_;                   ///< conditions of the running search
  Task<std::optional<TuningResult>> task_;  ///< last member: must end before the engine
};

/// Which levels of the subdivision are drawn: all, or those up to one level, stepped manually or played.
class LevelAnimation {
 public:
  static constexpr double kSecondsPerLevel = 0.9;

  /// Plays from the first level on, or stops playing.
  void toggle_playing();
  /// One level more (+) or fewer (-); stops playing.
  void step(int direction);
  void show_all();
  /// `seconds` is a clock. After the last level it starts over.
  void update(double seconds, int levels);

  std::optional<int> shown() const { return shown_; }
  bool playing() const { return playing_; }

 private:
  std::optional<int> shown_;
  bool playing_ = false;
  std::optional<double> since_;  ///< time when the current level was first shown
  int levels_ = 0;
};

}  // namespace loom::app
