#pragma once

#include <cstdint>
#include <glm/fwd.hpp>
#include <glm/vec2.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "app/tasks/task.h"
#include "app/workspaces/mandelbrot/scene/complex_view.h"
#include "compute/perturbation/nucleus.h"

namespace loom::app {

class DwellRunner;

/// The pixel of an image of dwells where neighbouring dwells differ most often, weighted by its distance from
/// the middle; nothing if all dwells are equal. `dwells` has size.x * size.y values.
std::optional<glm::ivec2> most_detail(std::span<const std::uint32_t> dwells, glm::ivec2 size);

/// Zooms towards detail by itself.
class Autopilot {
 public:
  void toggle() { running_ ? stop() : start(); }
  void stop() { running_ = false; }
  bool running() const { return running_; }

  /// The view after `seconds` more, or nothing if it waits for a picture or has no target. `view` is the
  /// current view; one that is not the last result stops the autopilot, because the user has moved it.
  std::optional<ComplexView> advance(const ComplexView& view, glm::ivec2 picture, const DwellRunner& runner,
                                     double seconds, Precision precision);

 private:
  void start() {
    running_ = true;
    last_.reset();
    target_.reset();
    aimed_at_.reset();
  }

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
  Task<std::optional<Nucleus>> task_;
};

}  // namespace loom::app
