#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/explain/colour_by.h"
#include "app/explain/diagram/diagram.h"
#include "app/explain/space_layout.h"
#include "compute/core/input_text.h"
#include "compute/engine/timeline.h"

namespace loom::app::plot {

// Exports the content of a pane; used by the dialog and by `fractal-loom figure`.

enum class PaneFigure {
  kCells,
  kThreads,
  kMemory,
  kSteps,
  kFragments,  ///< matrices of a tensor arithmetic
  kTimeline,
  kMemoryAccess
};
inline constexpr auto kPaneFigures = kAllOf<PaneFigure::kMemoryAccess>;
/// "cells", "threads", "memory", "steps", "fragments", "timeline", "lens".
std::string_view name_of(PaneFigure figure);

/// All data of a figure, owned, because it may be drawn in the background.
struct FigureJob {
  PaneFigure what = PaneFigure::kCells;
  FractalConfig config;
  explain::Colouring colouring = {};
  std::optional<explain::ThreadRef> thread = {};        ///< the selected thread
  int neighbour = 4;                                    ///< for kSteps, see diagram::StepsOptions
  std::uint32_t counted_radius = 0;                     ///< the same
  std::optional<std::vector<std::uint8_t>> alive = {};  ///< states of all cells, if colours show states
  std::shared_ptr<const Timeline> timeline = {};        ///< for kTimeline
  std::optional<explain::UnitRect> part = {};           ///< visible part of cells, threads and memory
};
/// Throws InputError if there is too much to draw.
diagram::Diagram pane_diagram(const FigureJob& job);

/// "steps of sierpinski-gasket level 5, lambda ...".
std::string title_of(PaneFigure figure, const FractalConfig& config);

/// Whether its numbers can be written as .csv or .tex.
bool has_tables(PaneFigure figure);
/// Throws InputError if the ending of the file is not a format of this figure.
void check_extension(PaneFigure figure, const std::string& file);
/// The bytes of the file, by its ending, with text of `text_size` points.
std::string bytes_of(const diagram::Diagram& diagram, const std::string& file, double text_size,
                     const std::string& title);

}  // namespace loom::app::plot
