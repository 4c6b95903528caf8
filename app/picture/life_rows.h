#pragma once

#include <array>

#include "app/picture/picture_rows.h"
#include "compute/engine/fractal_engine.h"
#include "render/camera.h"
#include "render/palette.h"

namespace loom::app::picture {

/// An engine's cells as the window draws them, nothing over them: the same values, the same colours.
class LifeRows final : public PictureRows {
 public:
  /// `camera` is of the engine's field and of the picture's size. `engine` must outlive it; its cells may
  /// change from picture to picture.
  LifeRows(FractalEngine& engine, const render::Camera& camera, const render::Palette& palette);
  render::Extent size() const override { return size_; }
  void rows(int first, int count, std::vector<std::uint8_t>& rgb, Watch* watch) override;

 private:
  FractalEngine& engine_;
  render::Extent size_;
  render::Rect field_;  ///< where the square lies
  render::Rgb outside_;
  std::vector<std::int64_t> y_edges_;
  Viewport band_;
  std::vector<render::Rgb> colours_;  ///< of every value
};

}  // namespace loom::app::picture
