#pragma once

#include <imgui.h>

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "app/life/picture/picture_view.h"
#include "app/life/scene/block_space.h"
#include "app/life/scene/explained.h"
#include "app/teach/space_layout.h"
#include "compute/map/map_kind.h"

namespace loom::app {

/// Grids are drawn from this size on, in ImGui units.
inline constexpr float kMinGridSpacing = 8;

/// Below it, areas without cells are tinted down to this size.
inline constexpr float kLeastArea = 3;

/// What is said where single blocks are too small to be drawn: areas stand for them.
inline constexpr std::string_view kBlocksTooSmall = "zoom in to see the tiles";

/// The side of a cell (a block) on the screen, the smaller of its two sides.
float cell_side(const PictureView& view);
float block_side(const PictureView& view, const BlockSpace& space);

/// Lines between the cells of the square, where a cell is large enough.
void draw_cell_grid(ImDrawList& list, const PictureView& view, const BlockSpace& space);

/// What `map` launches: an outline round each launched block, a tint on the blocks without a single cell,
/// and, where cells are large enough, a dot on each thread that idles inside a block with cells. Where blocks
/// are too small for that (block_side), the bounding box's waste is tinted as areas: the holes of the
/// fractal's replicas, from the coarsest on, as far as they are whole blocks and at least kLeastArea on both
/// sides. The time that takes depends on the picture's size and not on the level.
/// `memory` is what it works in, kept from one frame to the next.
void draw_block_grid(ImDrawList& list, const PictureView& view, const BlockSpace& space, MapKind map,
                     std::vector<std::uint8_t>& memory);

/// Outlines the cell under the cursor and its block.
void draw_hovered(ImDrawList& list, const PictureView& view, const BlockSpace& space, const Place& place,
                  MapKind map);

/// Marks a thread in one of the three spaces: tints its block, fills the units of its warp's lanes, each a
/// little lighter than the one before, and rings its own.
void draw_thread(ImDrawList& list, const PictureView& view, const teach::SpaceLayout& layout,
                 const Explained::Thread& thread);
/// Outlines thread blocks or lines of memory, where they are large enough.
void draw_groups(ImDrawList& list, const PictureView& view, const teach::SpaceLayout& layout);
/// Outlines a rectangle of cells: a level of lambda.
void draw_square(ImDrawList& list, const PictureView& view, const teach::CellSquare& square);
/// A ring round a cell, which is seen however small the cell is.
void draw_ring(ImDrawList& list, const PictureView& view, Coord64 cell);

}  // namespace loom::app
