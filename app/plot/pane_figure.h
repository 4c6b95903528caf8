#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/sketch/sketch.h"
#include "app/teach/colour_by.h"
#include "app/teach/space_layout.h"
#include "compute/engine/timeline.h"

namespace loom::app::plot {

// What a pane shows, for a page: the window's dialog and `fractal-loom figure` write the same.

enum class PaneFigure {
  kCells,
  kThreads,
  kMemory,
  kSteps,
  kFragments,  ///< the steps of a tensor arithmetic, which are matrices
  kTimeline,
  kLens
};
inline constexpr std::array kPaneFigures = {PaneFigure::kCells, PaneFigure::kThreads,   PaneFigure::kMemory,
                                            PaneFigure::kSteps, PaneFigure::kFragments, PaneFigure::kTimeline,
                                            PaneFigure::kLens};
/// "cells", "threads", "memory", "steps", "fragments", "timeline", "lens".
std::string_view name_of(PaneFigure figure);

/// What it is of.
struct PaneSubject {
  const teach::ThreadSpace& threads;
  teach::Colouring colouring = {};
  std::optional<teach::ThreadRef> thread = {};       ///< the selected one
  int neighbour = 4;                                 ///< of steps, see sketch::StepsWish
  const std::vector<std::uint8_t>* alive = nullptr;  ///< all cells, where colours stand for their states
  const Timeline* timeline = nullptr;                ///< of kTimeline
  std::optional<teach::UnitBox> part = {};           ///< of cells, threads and memory; else all of it
};
/// Throws InputError where there is too much to draw.
sketch::Sketch pane_sketch(PaneFigure figure, const PaneSubject& subject);

/// "steps of sierpinski-gasket level 5, lambda ...".
std::string title_of(PaneFigure figure, const FractalConfig& config);

/// Whether its numbers can be written too: as .csv or .tex.
bool has_tables(PaneFigure figure);
/// Throws InputError where the file's ending names no format of this figure.
void check_ending(PaneFigure figure, const std::string& file);
/// What the file holds, by its ending; letters of `text_size` points.
std::string bytes_of(const sketch::Sketch& sketch, const std::string& file, double text_size,
                     const std::string& title);

}  // namespace loom::app::plot
