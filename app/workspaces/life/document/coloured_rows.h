#pragma once

#include <cstdint>
#include <glm/fwd.hpp>
#include <glm/vec2.hpp>
#include <glm/vec4.hpp>
#include <memory>
#include <vector>

#include "app/document/image/image_rows.h"
#include "app/explain/colour_by.h"
#include "app/explain/space_layout.h"
#include "compute/engine/fractal_config.h"
#include "render/camera.h"

namespace loom::app {

/// An image of cells coloured by tile, thread, address and so on, as in the window: each pixel has the colour
/// of the point under its centre, and living cells shine through.
class ColouredRows final : public image::ImageRows {
 public:
  /// Whether the colouring of a scene can be drawn: the map has tiles, and a recording belongs to it.
  static bool can_draw(const FractalConfig& config, const explain::Colouring& colouring);

  /// `cells` is the image of a field of `config` seen by `camera`, and must outlive this object.
  ColouredRows(image::ImageRows& cells, const FractalConfig& config, const explain::Colouring& colouring,
               const render::Camera& camera);
  glm::ivec2 size() const override { return cells_.size(); }
  void rows(int first, int count, std::vector<std::uint8_t>& rgb, ProgressMonitor* watch) override;

 private:
  struct Layout {
    explicit Layout(const FractalConfig& config);
    explain::ThreadSpace threads;
    explain::SpaceLayout cells;
  };
  void find_row(std::size_t row);

  image::ImageRows& cells_;
  std::unique_ptr<const Layout> layout_;
  explain::Colouring colouring_;
  std::vector<std::int64_t> x_edges_;
  std::vector<std::int64_t> y_edges_;
  std::vector<glm::u8vec4> row_;  ///< colour over each pixel; alpha 0 for none
  std::int64_t row_y_ = -1;       ///< the row of points in row_
};

}  // namespace loom::app
