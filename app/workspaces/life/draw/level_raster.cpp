#include "app/workspaces/life/draw/level_raster.h"

#include <algorithm>
#include <cmath>

namespace loom::app {
namespace {

class Raster {
 public:
  Raster(const GeneratorDraft& draft, int levels, int width, int height)
      : draft_(draft),
        width_(width),
        height_(height),
        pixels_(static_cast<std::size_t>(width) * static_cast<std::size_t>(height)),
        shares_(static_cast<std::size_t>(levels) + 1, 1) {
    for (int depth = levels - 1; depth >= 0; --depth) {
      const GeneratorDraft& grid = grid_at(depth);
      shares_[static_cast<std::size_t>(depth)] = shares_[static_cast<std::size_t>(depth) + 1] *
                                                 static_cast<double>(grid.replicas()) / (grid.s_x * grid.s_y);
    }
  }

  /// The content of `depth` levels from the coarsest down, turned by `symmetry`.
  void draw(int depth, double x, double y, double width, double height,
            loom::Symmetry symmetry = loom::Symmetry::kIdentity) {
    // A part of at most half a pixel is drawn as grey: its fraction of cells.
    constexpr double kFine = 0.5;
    if (depth + 1 == static_cast<int>(shares_.size()) || (width <= kFine && height <= kFine)) {
      add(x, y, width, height, shares_[static_cast<std::size_t>(depth)]);
      return;
    }
    const GeneratorDraft& grid = grid_at(depth);
    const double inner_width = width / grid.s_x;
    const double inner_height = height / grid.s_y;
    for (const Coord32& own : grid.offsets()) {
      // Oblong grids are not turned; such a draft is invalid.
      const bool turns = grid.s_x == grid.s_y;
      const Coord32 at = turns ? apply(symmetry, own, grid.s_x) : own;
      draw(depth + 1, x + at.x * inner_width, y + at.y * inner_height, inner_width, inner_height,
           turns ? compose(symmetry, grid.turn(own.x, own.y)) : symmetry);
    }
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

  const GeneratorDraft& grid_at(int depth) const {
    return draft_.level(static_cast<std::size_t>(depth) % draft_.levels());
  }

  const GeneratorDraft& draft_;
  int width_;
  int height_;
  std::vector<float> pixels_;
  std::vector<double> shares_;  ///< fraction of cells of the content at each depth
};

}  // namespace

std::vector<float> level_coverage(const GeneratorDraft& draft, int level, int width, int height,
                                  bool square_points) {
  Raster raster(draft, level, width, height);
  double wide = width;
  double high = height;
  if (square_points) {
    const DraftSize size = size_of(draft, level);
    const double points = std::max(size.width / width, size.height / height);
    wide = size.width / points;
    high = size.height / points;
  }
  raster.draw(0, (width - wide) / 2, (height - high) / 2, wide, high);
  return raster.take();
}

}  // namespace loom::app
