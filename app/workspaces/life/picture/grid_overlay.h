#pragma once

#include <imgui.h>

#include <cstdint>
#include <string_view>
#include <vector>

#include "app/explain/space_layout.h"
#include "app/workspaces/life/picture/picture_mouse.h"
#include "app/workspaces/life/scene/cell_ages.h"
#include "app/workspaces/life/scene/thread_explanation.h"
#include "compute/map/map_method.h"

namespace loom::app {

/// Grids are drawn from this size on, in ImGui units.
inline constexpr float kMinGridSpacing = 8;

/// Smaller areas without cells are not tinted, in ImGui units.
inline constexpr float kMinAreaSide = 3;

/// Legend text when tiles are too small to be drawn one by one; areas are drawn instead.
inline constexpr std::string_view kTilesTooSmall = "zoom in to see the tiles";

/// The shorter side of a cell or tile on the screen, in pixels.
float cell_side(const PictureView& view);
float tile_side(const PictureView& view, const TileGrid& space);

/// Draws lines between the cells of the square if cells are large enough.
void draw_cell_grid(ImDrawList& list, const PictureView& view, const TileGrid& space);

/// Draws the launch of `map`: an outline around each launched tile, a tint on empty tiles, and, where cells
/// are large enough, a dot on each idle thread in tiles with cells. Where tiles are too small (tile_side),
/// the empty tiles of the bounding box are tinted as areas: the holes of the replicas, from the coarsest
/// down, as long as they are whole tiles with sides of at least kMinAreaSide. The time depends on the size of
/// the picture, not on the level. `memory` is scratch memory that is reused between frames.
void draw_tile_grid(ImDrawList& list, const PictureView& view, const TileGrid& space, MapKind map,
                    std::vector<std::uint8_t>& memory);

/// Outlines the cell under the cursor and its tile.
void draw_hovered(ImDrawList& list, const PictureView& view, const TileGrid& space, const PointInfo& place,
                  MapKind map);

/// Marks a thread in one of the three spaces: tints its tile, fills the units of the lanes of its warp in
/// increasing brightness, and rings its own unit.
void draw_thread(ImDrawList& list, const PictureView& view, const explain::SpaceLayout& layout,
                 const ThreadExplanation::Thread& thread);
/// Outlines thread blocks or cache lines where they are large enough.
void draw_groups(ImDrawList& list, const PictureView& view, const explain::SpaceLayout& layout);
/// Outlines a rectangle of cells: a level of lambda.
void draw_square(ImDrawList& list, const PictureView& view, const explain::CellRect& square);
/// Draws a ring around a cell, visible at every zoom.
void draw_ring(ImDrawList& list, const PictureView& view, Coord64 cell);

/// Ages are drawn from this size of a cell on, in ImGui units.
inline constexpr float kMinAgeCellSide = 2;

/// Legend of the colours: just born, then by powers of two of the age; dead cells fade.
inline constexpr std::string_view kAgeLegend =
    "From white (just born) through yellow, orange and red to violet (64 or more generations). Blue: dead "
    "cells, which fade within 16 generations";

/// The colours of the ages 1, 2 to 3, 4 to 7, ... 64 and more.
inline constexpr std::size_t kAgeSteps = 7;
ImU32 age_colour(std::size_t step);
/// The colour over a cell that died `dead` generations ago, 1 to CellAges::kTrail.
ImU32 trail_colour(std::uint32_t dead);

/// Fills living cells with the colour of their age, and cells that died with a fading trail.
void draw_ages(ImDrawList& list, const PictureView& view, const CellAges& ages);

}  // namespace loom::app
