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

// The content of a pane for print; used by the window's dialog and by `fractal-loom figure`.

enum class PaneFigure {
  kCells,
  kThreads,
  kMemory,
  kSteps,
  kFragments,  ///< matrices of a tensor arithmetic
  kTimeline,
  kLens
};
inline constexpr std::array kPaneFigures = {PaneFigure::kCells, PaneFigure::kThreads,   PaneFigure::kMemory,
                                            PaneFigure::kSteps, PaneFigure::kFragments, PaneFigure::kTimeline,
                                            PaneFigure::kLens};
/// "cells", "threads", "memory", "steps", "fragments", "timeline", "lens".
std::string_view name_of(PaneFigure figure);

/// The subject of a figure.
struct PaneSubject {
  const teach::ThreadSpace& threads;
  teach::Colouring colouring = {};
  std::optional<teach::ThreadRef> thread = {};       ///< the selected thread
  int neighbour = 4;                                 ///< for kSteps, see sketch::StepsWish
  const std::vector<std::uint8_t>* alive = nullptr;  ///< states of all cells, if colours show states
  const Timeline* timeline = nullptr;                ///< for kTimeline
  std::optional<teach::UnitBox> part = {};  ///< visible part of cells, threads and memory; empty: all
};
/// Throws InputError if there is too much to draw.
sketch::Sketch pane_sketch(PaneFigure figure, const PaneSubject& subject);

/// "steps of sierpinski-gasket level 5, lambda ...".
std::string title_of(PaneFigure figure, const FractalConfig& config);

/// Whether its numbers can be written as .csv or .tex.
bool has_tables(PaneFigure figure);
/// Throws InputError if the ending of the file is not a format of this figure.
void check_ending(PaneFigure figure, const std::string& file);
/// The bytes of the file, by its ending, with text of `text_size` points.
std::string bytes_of(const sketch::Sketch& sketch, const std::string& file, double text_size,
                     const std::string& title);

}  // namespace loom::app::plot
