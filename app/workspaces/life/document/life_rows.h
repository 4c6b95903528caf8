#pragma once

#include <array>
#include <glm/fwd.hpp>
#include <glm/vec2.hpp>
#include <glm/vec3.hpp>

#include "app/document/image/image_rows.h"
#include "compute/engine/fractal_engine.h"
#include "render/camera.h"
#include "render/palette.h"

namespace loom::app {

/// The cells of an engine without overlays, with the values and colours of the window.
class LifeRows final : public image::ImageRows {
 public:
  /// `camera` belongs to the field of the engine and the size of the image. `engine` must outlive this
  /// object; its cells may change between images.
  LifeRows(FractalEngine& engine, const render::Camera& camera, const render::Palette& palette);
  glm::ivec2 size() const override { return size_; }
  void rows(int first, int count, std::vector<std::uint8_t>& rgb, ProgressMonitor* watch) override;

 private:
  FractalEngine& engine_;
  glm::ivec2 size_{0};
  render::Rect<int> field_;  ///< area of the square
  glm::u8vec3 outside_{0};
  std::vector<std::int64_t> y_edges_;
  Viewport band_;
  std::vector<glm::u8vec3> colours_;  ///< colour of each value
};

}  // namespace loom::app
