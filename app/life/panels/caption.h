#pragma once

#include <optional>
#include <string_view>

#include "app/gui/layout.h"
#include "app/life/scene/block_space.h"
#include "app/life/scene/life_facts.h"
#include "render/palette.h"

namespace loom::app {

/// Draws the legend at the bottom of `area`: colours, overlay marks and launch counts, then cell, tile and
/// thread under the cursor. `alive`: state of the hovered cell. Returns the height used, 0 if the area is too
/// small.
float caption(const Area& area, const LifeFacts& report, const render::Palette& palette,
              const std::optional<Place>& hovered, bool alive);

/// Over the top of the picture: why it is wrong; nothing where `text` is empty.
void wrong_banner(const Area& picture, std::string_view text);

}  // namespace loom::app
