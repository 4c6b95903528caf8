#include "app/mandelbrot/picture/julia_inset.h"

#include "app/mandelbrot/scene/dwell_colours.h"
#include "compute/mandelbrot/julia.h"

namespace loom::app {

JuliaInset::JuliaInset() = default;

void JuliaInset::update(const ComplexPoint& c, render::Extent size) {
  if (c_ == c && texture_.size() == size) return;
  c_ = c;
  texture_.resize(size);
  dwells_.resize(static_cast<std::size_t>(size.width) * static_cast<std::size_t>(size.height));
  julia_dwells({static_cast<float>(c.re), static_cast<float>(c.im)}, kHalfWidth,
               static_cast<std::uint32_t>(size.width), static_cast<std::uint32_t>(size.height), kLimit,
               dwells_);
  texture_.upload(dwells_.data(), static_cast<std::size_t>(size.width) * sizeof(std::uint16_t));
}

void JuliaInset::draw(render::Extent framebuffer, const render::Rect& target,
                      const render::Palette& palette) {
  if (palette_ != &palette) {
    renderer_.set_colours(
        dwell_colours(palette, Colouring::kBands, InteriorColour::kPalette, DwellHistogram{}, kLimit));
    palette_ = &palette;
  }
  renderer_.draw(texture_, framebuffer, target);
}

}  // namespace loom::app
