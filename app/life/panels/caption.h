#pragma once

#include <optional>
#include <string_view>

#include "app/gui/layout.h"
#include "app/life/scene/block_space.h"
#include "app/life/scene/life_facts.h"
#include "render/palette.h"

namespace loom::app {

/// The lines under the picture: what its colours and the overlay's mean and how much the map launches, then
/// the cell, block and thread under the cursor. `alive` is the state of the hovered cell. Sits at the bottom
/// of `area` and returns the height it took; a picture too small for it goes without.
float caption(const Area& area, const LifeFacts& report, const render::Palette& palette,
              const std::optional<Place>& hovered, bool alive);

/// Over the top of the picture: why it is wrong; nothing where `text` is empty.
void wrong_banner(const Area& picture, std::string_view text);

}  // namespace loom::app
