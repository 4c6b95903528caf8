#pragma once

#include <imgui.h>

#include <cstdint>

#include "app/gui/imgui_compat.h"
#include "app/gui/layout.h"
#include "render/colour_texture.h"

namespace loom::app {

/// Draws a whole texture over an area; nothing if it has no pixels yet.
inline void draw_texture(ImDrawList& list, const render::ColourTexture& texture, const Area& area,
                         std::uint8_t alpha = 255) {
  if (texture.gl_name() == 0 || area.empty()) return;
  list.AddImage(imgui_compat::texture_id(texture.gl_name()), area.corner, area.end(), {0, 0}, {1, 1},
                IM_COL32(255, 255, 255, alpha));
}

}  // namespace loom::app
