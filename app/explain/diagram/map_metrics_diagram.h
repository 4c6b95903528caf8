#pragma once

#include <glm/vec3.hpp>
#include <string>
#include <vector>

#include "app/explain/diagram/diagram.h"
#include "app/explain/map_metrics.h"

namespace loom::app::diagram {

/// A column of the metrics.
struct MetricColumn {
  std::string title;
  glm::u8vec3 colour{};
};

/// A row per metric with a bar per map; the bars of a row have one scale. Each row says whether it is
/// computed or measured, and has its explanation as a hotspot. The bars fill `width` font sizes, but have at
/// least the length of their texts.
Diagram map_metrics_diagram(const std::vector<explain::MetricRow>& rows,
                            const std::vector<MetricColumn>& columns, float width = 0);

/// A text in a monospaced face, line by line.
Diagram source_diagram(const std::string& text);

}  // namespace loom::app::diagram
