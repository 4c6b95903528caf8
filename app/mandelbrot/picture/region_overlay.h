#pragma once

#include <imgui.h>

#include <optional>
#include <span>

#include "app/gui/layout.h"
#include "app/mandelbrot/scene/mandelbrot_settings.h"
#include "compute/engine/mandelbrot_engine.h"

namespace loom::app {

/// The colour of a level's borders, and of what became of a region.
ImU32 colour_of_level(int level);
ImU32 colour_of(RegionKind kind);
/// "filled", "leaf", "split".
const char* name_of(RegionKind kind);

/// Draws regions over a picture that begins at the corner of `area`, `scale` pixels a unit. Where a level is
/// named, those of later levels are left out, and what it splits is covered: not decided yet. Where a picture
/// has very many regions, the smallest are left out (kMostRegions).
inline constexpr std::size_t kMostRegions = 40000;
void draw_regions(ImDrawList& list, const Area& area, float scale, std::span<const MandelbrotRegion> regions,
                  RegionOverlay overlay, std::optional<int> shown_level);

/// The regions of one level alone, in its colour.
void draw_level(ImDrawList& list, const Area& area, float scale, std::span<const MandelbrotRegion> regions,
                int level);

/// Rings around the pixels that differ from the exhaustive method.
void draw_differences(ImDrawList& list, const Area& area, float scale, const DwellDifferences& differences);

/// The orbit of a point: its start, the points after it, and the lines between.
void draw_orbit(ImDrawList& list, const Area& area, float scale, const ComplexView& view,
                render::Extent picture, const ComplexPoint& point, std::uint32_t limit);

/// Frame and label of the Julia set's inset.
void draw_julia_frame(ImDrawList& list, const Area& area, const ComplexPoint& point);

}  // namespace loom::app
