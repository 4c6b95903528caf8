#pragma once

#include <cstdint>
#include <glm/vec2.hpp>
#include <optional>
#include <vector>

#include "app/workspaces/mandelbrot/scene/complex_view.h"
#include "app/workspaces/mandelbrot/scene/mandelbrot_stats.h"

namespace loom::app {

/// The data of the point under the cursor. Its dwell is read back once per picture.
class PointUnderCursor {
 public:
  /// `pixel` is a position in the picture; empty if the cursor is elsewhere.
  void look(const std::optional<glm::dvec2>& pixel, const ComplexView& view, glm::ivec2 picture,
            const DwellRunner& runner);
  void picture_changed() { stale_ = true; }

  const std::optional<HoveredPoint>& hovered() const { return hovered_; }
  /// The last point under the cursor while the view shows it, otherwise the centre of the view.
  glm::dvec2 last() const { return last_; }

 private:
  std::optional<std::uint32_t> read_dwell(const HoveredPoint& point, glm::ivec2 picture,
                                          const DwellRunner& runner);

  std::optional<HoveredPoint> hovered_;
  bool stale_ = true;  ///< the picture changed after the dwell was read
  glm::dvec2 last_{0};
  std::vector<std::uint32_t> row_;
};

/// The orbit of a point in double precision: the point and the following ones while |z|^2 < 4, including the
/// first one outside. At most `limit` + 1 points, and at most `most`.
std::vector<glm::dvec2> orbit_of(const EscapeTimeSet& set, glm::dvec2 point, std::uint32_t limit,
                                 std::size_t most);

}  // namespace loom::app
