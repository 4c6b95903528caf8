#include "app/workspaces/mandelbrot/picture/divergence_overlay.h"

#include <array>

#include "app/explain/data_colour.h"
#include "app/gui/theme.h"
#include "app/widgets/texture_image.h"

namespace loom::app {
namespace {

constexpr int kAlpha = 205;  ///< translucent, so that the set remains visible

}  // namespace

void upload_divergence(const DivergenceCounts& counts, render::ColourTexture& texture) {
  std::array<std::uint32_t, 256> table{};
  for (std::size_t i = 0; i < 255; ++i) {
    table[i] = theme::packed(explain::ordered_colour(static_cast<float>(i) / 254), kAlpha);
  }
  std::vector<std::uint32_t> pixels(counts.share.size());
  for (std::size_t i = 0; i < pixels.size(); ++i) pixels[i] = table[counts.share[i]];
  texture.upload(counts.size, pixels);
}

void draw_divergence(ImDrawList& list, const Area& area, float scale, const DivergenceCounts& counts,
                     const render::ColourTexture& texture) {
  draw_texture(list, texture, {area.corner, glm::vec2(counts.size) / scale});
}

}  // namespace loom::app
