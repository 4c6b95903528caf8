#pragma once

#include <cstdint>
#include <glm/vec2.hpp>
#include <optional>
#include <span>
#include <vector>

#include "app/workspaces/mandelbrot/scene/complex_view.h"

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

}  // namespace loom::app
