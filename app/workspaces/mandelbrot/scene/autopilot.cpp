#include "app/workspaces/mandelbrot/scene/autopilot.h"

#include <algorithm>
#include <cmath>

#include "app/workspaces/mandelbrot/scene/dwell_runner.h"

namespace loom::app {
namespace {

constexpr int kBlocks = 24;       // of the image, on each axis
constexpr double kRate = 2;       // magnification per second
constexpr double kMargin = 0.25;  // the target moves to the middle by this part of its distance per second
/// Octaves that the view may be deeper than the last picture.
constexpr double kFarFromPicture = 1;

}  // namespace

std::optional<glm::ivec2> most_detail(std::span<const std::uint32_t> dwells, glm::ivec2 size) {
  const glm::ivec2 block{std::max(2, size.x / kBlocks), std::max(2, size.y / kBlocks)};
  const auto at = [&](int x, int y) {
    return dwells[static_cast<std::size_t>(y) * static_cast<std::size_t>(size.x) +
                  static_cast<std::size_t>(x)];
  };
  std::optional<glm::ivec2> best;
  double most = 0;
  for (int top = 0; top + block.y <= size.y; top += block.y) {
    for (int left = 0; left + block.x <= size.x; left += block.x) {
      int changes = 0;
      for (int y = top; y < top + block.y - 1; ++y) {
        for (int x = left; x < left + block.x - 1; ++x) {
          changes += at(x, y) != at(x + 1, y);
          changes += at(x, y) != at(x, y + 1);
        }
      }
      const glm::ivec2 middle{left + block.x / 2, top + block.y / 2};
      const double away = std::hypot(2.0 * middle.x / size.x - 1, 2.0 * middle.y / size.y - 1);
      const double weight = changes / (1 + away * away);
      if (weight <= most) continue;
      most = weight;
      best = middle;
    }
  }
  return best;
}

std::optional<ComplexView> Autopilot::advance(const ComplexView& view, glm::ivec2 picture,
                                              const DwellRunner& runner, double seconds,
                                              Precision precision) {
  if (!running_) return std::nullopt;
  if (last_ && *last_ != view) {
    stop();
    return std::nullopt;
  }
  last_ = view;
  if (!runner.has_picture() || runner.busy()) return std::nullopt;
  const ComplexView& seen = runner.request().view;
  // A target serves for an octave.
  if (seen == view && (!aimed_at_ || !target_ || log2_width(*aimed_at_) - log2_width(view) >= 1)) {
    const glm::ivec2 size = runner.image_size();
    dwells_.resize(static_cast<std::size_t>(size.x) * static_cast<std::size_t>(size.y));
    runner.engine().read_dwells(0, dwells_);
    aimed_at_ = seen;
    const auto found = most_detail(dwells_, size);
    target_.reset();
    if (found) target_ = (glm::dvec2(*found) + 0.5) * glm::dvec2(picture) / glm::dvec2(size);
  }
  if (!target_) return std::nullopt;
  if (log2_width(seen) - log2_width(view) > kFarFromPicture) return std::nullopt;
  ComplexView next = zoomed(view, picture, *target_, std::pow(kRate, seconds), precision);
  const glm::dvec2 to_middle = (glm::dvec2(picture) / 2.0 - *target_) * std::min(1.0, kMargin * seconds);
  next = panned(next, picture, to_middle, precision);
  *target_ += to_middle;
  last_ = next;
  return next;
}

}  // namespace loom::app
