#pragma once

#include <imgui.h>

#include <string_view>

#include "app/workspaces/life/picture/picture_view.h"
#include "app/workspaces/life/scene/cell_ages.h"

namespace loom::app {

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
