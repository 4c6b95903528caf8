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

render::Rect<int> JuliaInset::place_in(glm::ivec2 picture, float font_pixels) {
  const auto picture_width = static_cast<float>(picture.x);
  const auto width = std::lround(std::min(picture_width * kInsetWidth, kMaxInsetSide * font_pixels));
  const auto height = std::lround(static_cast<float>(width) * kInsetProportion);
  if (static_cast<float>(width) < 3 * font_pixels || height * 2 > picture.y) return {};
  return {{0, picture.y - height}, {width, height}};
}

void JuliaInset::take() {
  texture_.resize(size_);
  texture_.upload(dwells_.data(), static_cast<std::size_t>(size_.x) * sizeof(std::uint16_t));
}

void JuliaInset::update(glm::dvec2 c, glm::ivec2 size, const BackendSelection& backend, bool waits) {
  try {
    follow(c, size, backend, waits);
  } catch (const CapacityError& error) {
    problem_ = error.what();
  } catch (const std::bad_alloc&) {
    problem_ = "out of memory for the Julia set";
  }
}

void JuliaInset::follow(glm::dvec2 c, glm::ivec2 size, const BackendSelection& backend, bool waits) {
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
  dwells_.resize(static_cast<std::size_t>(size.x) * static_cast<std::size_t>(size.y));
  // Not cancellable: a set of this size takes less than a tenth of a second.
  worker_.start([this](ProgressMonitor&) {
    engine_->compute_julia({.c = {static_cast<float>(c_->x), static_cast<float>(c_->y)},
                            .half_width = kHalfWidth,
                            .width = static_cast<std::uint32_t>(size_.x),
                            .height = static_cast<std::uint32_t>(size_.y),
                            .limit = kLimit},
                           dwells_);
  });
  if (worker_.wait_for(timeout)) take();
}

void JuliaInset::draw(glm::ivec2 framebuffer, const render::Rect<int>& target,
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
