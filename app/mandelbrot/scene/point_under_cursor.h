#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "app/mandelbrot/scene/complex_view.h"
#include "app/mandelbrot/scene/mandelbrot_facts.h"

namespace loom::app {

/// What is known of the point under the cursor. Its dwell is read back once, until the picture is another.
class PointUnderCursor {
 public:
  /// `pixel` of the picture; nothing where the cursor is elsewhere.
  void look(const std::optional<ComplexPoint>& pixel, const ComplexView& view, render::Extent picture,
            const DwellRunner& runner);
  void picture_changed() { stale_ = true; }

  const std::optional<HoveredPoint>& hovered() const { return hovered_; }
  /// Under the cursor when it was last over the picture; the view's middle before that.
  const ComplexPoint& last() const { return last_; }

 private:
  std::optional<std::uint32_t> read_dwell(const HoveredPoint& point, render::Extent picture,
                                          const DwellRunner& runner);

  std::optional<HoveredPoint> hovered_;
  bool once_ = false;
  bool stale_ = true;  ///< the picture is another than the hovered dwell is of
  ComplexPoint last_;
  std::vector<std::uint32_t> row_;
};

}  // namespace loom::app
