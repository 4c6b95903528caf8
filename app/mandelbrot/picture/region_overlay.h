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

/// At most so many regions are drawn, in whole levels: half a level would tell of one half of the picture
/// what it keeps silent of the other.
inline constexpr std::size_t kMostRegions = 20000;

/// How many of a picture's regions, listed by level, are drawn: all of them, or those of the first levels.
std::size_t drawn_regions(std::span<const MandelbrotRegion> regions);

/// The last level that is drawn where there are too many for all levels that are to be shown, -1 where even
/// the first has too many; nothing where all are drawn.
std::optional<int> last_level_drawn(std::span<const MandelbrotRegion> regions,
                                    std::optional<int> shown_level);

/// Draws regions over a picture that begins at the corner of `area`, `scale` pixels a unit, as far as the
/// list's clip rectangle lets them be seen. Where a level is named, those of later levels are left out, and
/// what it splits is covered: not decided yet.
void draw_regions(ImDrawList& list, const Area& area, float scale, std::span<const MandelbrotRegion> regions,
                  RegionOverlay overlay, std::optional<int> shown_level);

/// The regions of one level alone, in its colour; none where it has more than kMostRegions.
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
