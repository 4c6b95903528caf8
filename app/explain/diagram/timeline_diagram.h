#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "app/explain/diagram/diagram.h"
#include "app/explain/timeline_lanes.h"
#include "compute/engine/timeline.h"

namespace loom::app::diagram {

/// The meaning of a span's colour.
enum class SpanColour {
  kWork,   ///< kind of work; its wave if all spans have the same kind
  kLevel,  ///< its level of the subdivision
};

/// A timeline as lanes, one a multiprocessor (on the CPU a thread), the slots of each below each other, time
/// to the right. Where there are several grids, below them which launched which, on the same axis, coloured
/// by level. Then what colours mean, and its facts in words. Spans too narrow to be seen are joined with
/// their neighbours of the same colour.
struct TimelineStyle {
  float width = 60;     ///< of the lanes, in font sizes
  float height = 20;    ///< of all lanes
  float least = 0.05f;  ///< minimum width of a span that is drawn separately
  float nested = 14;    ///< the height of the grids below, where they need as much
  SpanColour colour = SpanColour::kWork;
  friend bool operator==(const TimelineStyle&, const TimelineStyle&) = default;
};
Diagram timeline_diagram(const Timeline& timeline, const TimelineStyle& style);

/// The diagram, and the positions in its lanes.
struct TimelineDrawing {
  Diagram diagram;
  Box lanes;  ///< empty where nothing ran
  std::uint64_t duration = 0;
  std::vector<explain::Lane> lane;

  /// The recorded span at a position of the diagram, with some tolerance for narrow ones; nothing elsewhere.
  std::optional<std::uint32_t> span_at(const Timeline& timeline, float x, float y) const;
};
TimelineDrawing timeline_drawing(const Timeline& timeline, const TimelineStyle& style);

}  // namespace loom::app::diagram
