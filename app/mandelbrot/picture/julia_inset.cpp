#include "app/mandelbrot/picture/julia_inset.h"

#include "app/mandelbrot/scene/dwell_colours.h"
#include "compute/backend/mandelbrot_factory.h"

namespace loom::app {

JuliaInset::JuliaInset() = default;

void JuliaInset::take() {
  texture_.resize(size_);
  texture_.upload(dwells_.data(), static_cast<std::size_t>(size_.width) * sizeof(std::uint16_t));
}

void JuliaInset::update(const ComplexPoint& c, render::Extent size, const BackendSelection& backend,
                        bool waits) {
  const std::chrono::duration<double, std::milli> patience{waits ? 1e12 : 0};
  if (worker_.busy()) {
    if (!worker_.wait_for(patience)) return;
    take();
  }
  if (c_ == c && size_ == size) return;
  if (!engine_ || !backend_.same_device(backend)) {
    engine_ = make_mandelbrot_engine(backend);
    backend_ = backend;
  }
  c_ = c;
  size_ = size;
  dwells_.resize(static_cast<std::size_t>(size.width) * static_cast<std::size_t>(size.height));
  worker_.start([this](Watch&) {
    engine_->compute_julia({.c = {static_cast<float>(c_->re), static_cast<float>(c_->im)},
                            .half_width = kHalfWidth,
                            .width = static_cast<std::uint32_t>(size_.width),
                            .height = static_cast<std::uint32_t>(size_.height),
                            .limit = kLimit},
                           dwells_);
  });
  if (worker_.wait_for(patience)) take();
}

void JuliaInset::draw(render::Extent framebuffer, const render::Rect& target,
                      const render::Palette& palette) {
  if (!palette_ || *palette_ != palette) {
    std::vector<render::Rgb> colours;
    dwell_colours(palette, {}, {}, kLimit, colours);
    renderer_.set_colours(colours);
    palette_ = palette;
  }
  renderer_.draw(texture_, framebuffer, target);
}

}  // namespace loom::app
