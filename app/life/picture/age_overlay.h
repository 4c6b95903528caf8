#pragma once

#include <imgui.h>

#include <string_view>

#include "app/life/picture/picture_view.h"
#include "app/life/scene/cell_ages.h"

namespace loom::app {

/// Below it ages are not drawn: the side of a cell on the screen, in ImGui's units.
inline constexpr float kLeastAgeSide = 2;

/// What the colours say, in order: just born, then by powers of two of the age; a cell that died fades.
inline constexpr std::string_view kAgeWords =
    "White: just born, over yellow, orange and red to violet: 64 generations and more. Blue: died, fading "
    "over 16";

/// Fills living cells by their age and those that died as they fade.
void draw_ages(ImDrawList& list, const PictureView& view, const CellAges& ages);

}  // namespace loom::app
