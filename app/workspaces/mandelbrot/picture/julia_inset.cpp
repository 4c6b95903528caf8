#include "app/workspaces/mandelbrot/picture/julia_inset.h"

#include <algorithm>
#include <cmath>
#include <new>

#include "app/workspaces/mandelbrot/scene/dwell_colours.h"
#include "compute/backend/mandelbrot_factory.h"
#include "compute/core/error.h"

namespace loom::app {
namespace {

constexpr float kInsetWidth = 0.22f;  // fraction of the picture's width
constexpr float kMaxInsetSide = 17;   // font sizes
constexpr float kInsetProportion = 0.75f;

}  // namespace

JuliaInset::JuliaInset() = default;

render::Rect JuliaInset::place_in(render::Extent picture, float font_pixels) {
  const auto picture_width = static_cast<float>(picture.width);
  const auto width = std::lround(std::min(picture_width * kInsetWidth, kMaxInsetSide * font_pixels));
  const auto height = std::lround(static_cast<float>(width) * kInsetProportion);
  if (static_cast<float>(width) < 3 * font_pixels || height * 2 > picture.height) return {};
  return {0, static_cast<int>(picture.height - height), static_cast<int>(width), static_cast<int>(height)};
}

void JuliaInset::take() {
  texture_.resize(size_);
  texture_.upload(dwells_.data(), static_cast<std::size_t>(size_.width) * sizeof(std::uint16_t));
}

void JuliaInset::update(const ComplexPoint& c, render::Extent size, const BackendSelection& backend,
                        bool waits) {
  try {
    follow(c, size, backend, waits);
  } catch (const CapacityError& error) {
    problem_ = error.what();
  } catch (const std::bad_alloc&) {
    problem_ = "out of memory for the Julia set";
  }
}

void JuliaInset::follow(const ComplexPoint& c, render::Extent size, const BackendSelection& backend,
                        bool waits) {
  const std::chrono::duration<double, std::milli> timeout{waits ? 1e12 : 0};
  if (worker_.busy()) {
    if (!worker_.wait_for(timeout)) return;
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
  // Not cancellable: a set of this size takes less than a tenth of a second.
  worker_.start([this](ProgressMonitor&) {
    engine_->compute_julia({.c = {static_cast<float>(c_->re), static_cast<float>(c_->im)},
                            .half_width = kHalfWidth,
                            .width = static_cast<std::uint32_t>(size_.width),
                            .height = static_cast<std::uint32_t>(size_.height),
                            .limit = kLimit},
                           dwells_);
  });
  if (worker_.wait_for(timeout)) take();
}

void JuliaInset::draw(render::Extent framebuffer, const render::Rect& target,
                      const render::Palette& palette) {
  if (!palette_ || *palette_ != palette) {
    std::vector<glm::u8vec3> colours;
    dwell_colours(palette, {}, {}, kLimit, colours);
    renderer_.set_colours(colours);
    palette_ = palette;
  }
  renderer_.draw(texture_, framebuffer, target);
}

}  // namespace loom::app
