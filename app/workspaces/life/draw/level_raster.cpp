#include "app/workspaces/life/draw/level_raster.h"

#include <algorithm>
#include <cmath>

namespace loom::app {
namespace {

class Raster {
 public:
  Raster(const GeneratorDraft& draft, int width, int height)
      : draft_(draft),
        offsets_(draft.offsets()),
        share_(static_cast<double>(offsets_.size()) / (draft.s_x * draft.s_y)),
        width_(width),
        height_(height),
        pixels_(static_cast<std::size_t>(width) * static_cast<std::size_t>(height)) {}

  void draw(int level, double x, double y, double width, double height) {
    // A part of at most half a pixel is drawn as grey: its fraction of cells.
    constexpr double kFine = 0.5;
    if (level == 0 || (width <= kFine && height <= kFine)) {
      add(x, y, width, height, std::pow(share_, level));
      return;
    }
    const double inner_width = width / draft_.s_x;
    const double inner_height = height / draft_.s_y;
    for (const Coord32& at : offsets_)
      draw(level - 1, x + at.x * inner_width, y + at.y * inner_height, inner_width, inner_height);
  }

  std::vector<float> take() { return std::move(pixels_); }

 private:
  void add(double x, double y, double width, double height, double weight) {
    const int right = std::min(width_, static_cast<int>(std::ceil(x + width)));
    const int bottom = std::min(height_, static_cast<int>(std::ceil(y + height)));
    for (int row = std::max(0, static_cast<int>(y)); row < bottom; ++row) {
      const double high = std::min(y + height, row + 1.0) - std::max(y, static_cast<double>(row));
      for (int column = std::max(0, static_cast<int>(x)); column < right; ++column) {
        const double wide = std::min(x + width, column + 1.0) - std::max(x, static_cast<double>(column));
        if (wide <= 0 || high <= 0) continue;
        auto& pixel = pixels_[static_cast<std::size_t>(row) * static_cast<std::size_t>(width_) +
                              static_cast<std::size_t>(column)];
        pixel = std::min(1.0f, pixel + static_cast<float>(wide * high * weight));
      }
    }
  }

  const GeneratorDraft& draft_;
  std::vector<Coord32> offsets_;
  double share_;
  int width_;
  int height_;
  std::vector<float> pixels_;
};

}  // namespace

std::vector<float> level_coverage(const GeneratorDraft& draft, int level, int width, int height,
                                  bool square_points) {
  Raster raster(draft, width, height);
  double wide = width;
  double high = height;
  if (square_points) {
    const double points = std::max(std::pow(draft.s_x, level) / width, std::pow(draft.s_y, level) / height);
    wide = std::pow(draft.s_x, level) / points;
    high = std::pow(draft.s_y, level) / points;
  }
  raster.draw(level, (width - wide) / 2, (height - high) / 2, wide, high);
  return raster.take();
}

}  // namespace loom::app
