#pragma once

#include <cstdint>
#include <glm/fwd.hpp>
#include <optional>
#include <string>

#include "app/tasks/task.h"
#include "app/workspaces/mandelbrot/scene/complex_view.h"
#include "compute/perturbation/nucleus.h"

namespace loom::app {

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
