#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "app/picture/picture_rows.h"
#include "app/teach/colour_by.h"
#include "app/teach/space_layout.h"
#include "compute/engine/fractal_config.h"
#include "render/camera.h"

namespace loom::app::picture {

/// An image of cells coloured by tile, thread, address and so on, as in the window: each pixel has the colour
/// of the point under its centre, and living cells shine through.
class ColouredRows final : public PictureRows {
 public:
  /// Whether the colouring of a scene can be drawn: the map has tiles, and a recording belongs to it.
  static bool draws(const FractalConfig& config, const teach::Colouring& colouring);

  /// `cells` is the image of a field of `config` seen by `camera`, and must outlive this object.
  ColouredRows(PictureRows& cells, const FractalConfig& config, const teach::Colouring& colouring,
               const render::Camera& camera);
  render::Extent size() const override { return cells_.size(); }
  void rows(int first, int count, std::vector<std::uint8_t>& rgb, Watch* watch) override;

 private:
  struct Layout {
    explicit Layout(const FractalConfig& config);
    teach::ThreadSpace threads;
    teach::SpaceLayout cells;
  };
  void find_row(std::size_t row);

  PictureRows& cells_;
  std::unique_ptr<const Layout> layout_;
  teach::Colouring colouring_;
  std::vector<std::int64_t> x_edges_;
  std::vector<std::int64_t> y_edges_;
  std::vector<std::uint32_t> row_;  ///< 0x01rrggbb, or 0 for none
  std::int64_t row_of_ = -1;        ///< the line of points in row_
};

}  // namespace loom::app::picture
