#pragma once

#include <cstdint>
#include <glm/vec3.hpp>
#include <optional>
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

/// The result of a map at one level of a race.
struct RaceResult {
  std::optional<double> ms = {};  ///< per generation, measured
  std::uint64_t bytes = 0;        ///< allocated for cells
  std::string out = {};           ///< why the map is out of the race at this level: "out of memory"
};
/// All maps at one level; a map that is out or not measured yet is empty.
struct RaceLevel {
  int level = 0;
  std::vector<std::optional<RaceResult>> maps;
  /// The index of the map with the shortest step; empty until all maps in the race were measured,
  /// with a single map, and where the shortest times are shown as equal.
  std::optional<std::size_t> winner() const;
};

/// Bars of step time and memory per level and map, the highest level first, all with one scale, so that they
/// grow with the level. The winner of each level has a check mark. The bars fill `width` font sizes, but have
/// at least the length of their texts.
Diagram race_diagram(const std::vector<RaceLevel>& levels, const std::vector<MetricColumn>& columns,
                     float width = 0);

}  // namespace loom::app::diagram
