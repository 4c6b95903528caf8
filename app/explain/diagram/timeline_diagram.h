#pragma once

#include <cstdint>
#include <glm/vec2.hpp>
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

/// A timeline as lanes, one per multiprocessor (on the CPU one per thread), with the slots of a lane one
/// below another and time to the right. If there are several grids, their nesting follows on the same axis,
/// coloured by level; then the legend and the statistics. Spans too narrow to be visible are joined with
/// neighbours of the same colour.
struct TimelineStyle {
  float width = 60;     ///< width of the lanes, in font sizes
  float height = 20;    ///< height of all lanes
  float least = 0.05f;  ///< minimum width of a span that is drawn separately
  float nested = 14;    ///< maximum height of the grids below
  SpanColour colour = SpanColour::kWork;
  friend bool operator==(const TimelineStyle&, const TimelineStyle&) = default;
};
Diagram timeline_diagram(const Timeline& timeline, const TimelineStyle& style);

/// The diagram, and its lanes for queries by position.
struct TimelineDrawing {
  Diagram diagram;
  Box lanes;  ///< empty if nothing ran
  std::uint64_t duration = 0;
  std::vector<explain::Lane> lane;

  /// The recorded span at a position of the diagram, with some tolerance for narrow spans; empty elsewhere.
  std::optional<std::uint32_t> span_at(const Timeline& timeline, glm::vec2 place) const;
};
TimelineDrawing timeline_drawing(const Timeline& timeline, const TimelineStyle& style);

}  // namespace loom::app::diagram
