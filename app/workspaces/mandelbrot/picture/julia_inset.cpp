#include "app/workspaces/mandelbrot/picture/julia_inset.h"

#include <algorithm>
#include <cmath>

#include "app/workspaces/mandelbrot/scene/dwell_colours.h"
#include "compute/backend/mandelbrot_factory.h"

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

// Returns false while the task runs.
bool JuliaInset::take(TaskTimeout timeout) {
  const auto outcome = task_.poll(timeout);
  if (!outcome) return !task_.running();
  problem_ = outcome->problem;
  if (!outcome->result) return true;
  texture_.resize(size_);
  texture_.upload(outcome->result->data(), static_cast<std::size_t>(size_.x) * sizeof(std::uint16_t));
  return true;
}

void JuliaInset::update(glm::dvec2 c, glm::ivec2 size, const BackendSelection& backend, bool waits) {
  const TaskTimeout timeout = waits ? kNoTimeout : TaskTimeout{0};
  if (!take(timeout) || (c_ == c && size_ == size)) return;
  c_ = c;
  size_ = size;
  // Not cancellable: a set of this size takes less than a tenth of a second.
  task_.start(
      [this, c, size, backend](ProgressMonitor&) {
        if (!engine_ || !backend_.same_device(backend)) engine_ = make_mandelbrot_engine(backend);
        backend_ = backend;
        std::vector<std::uint16_t> dwells(static_cast<std::size_t>(size.x) *
                                          static_cast<std::size_t>(size.y));
        engine_->compute_julia({.c = {static_cast<float>(c.x), static_cast<float>(c.y)},
                                .half_width = kHalfWidth,
                                .width = static_cast<std::uint32_t>(size.x),
                                .height = static_cast<std::uint32_t>(size.y),
                                .limit = kLimit},
                               dwells);
        return dwells;
      },
      "out of memory for the Julia set");
  take(timeout);
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
