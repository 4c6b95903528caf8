#pragma once

#include <glm/fwd.hpp>
#include <glm/vec2.hpp>
#include <glm/vec3.hpp>

#include "app/document/image/image_rows.h"
#include "app/workspaces/mandelbrot/scene/mandelbrot_settings.h"
#include "app/workspaces/mandelbrot/scene/pixel_samples.h"
#include "compute/device/device.h"

namespace loom::app {

/// A view of the Mandelbrot set without overlays, as the idle window shows it, computed in tiles by the
/// selected method. Colours are derived from the same view at no more than kColourSampleSide pixels in width
/// and height, so that images of all sizes have the same colours.
class DwellRows final : public image::ImageRows {
 public:
  static constexpr int kColourSampleSide = 1024;

  /// The width of the view is that of the image. Precisions that are not sufficient are replaced by kAuto.
  /// Throws MachineError.
  DwellRows(const MandelbrotSettings& settings, const ComplexView& view, glm::ivec2 size,
            const render::Palette& palette, const BackendSelection& backend);
  /// Changes the view; the size stays.
  void look_at(const ComplexView& view);

  /// Computes the reference orbit of a view, if it needs one, so that it serves views around it. Throws
  /// OperationCancelled, MachineError.
  void prepare(const ComplexView& view, ProgressMonitor* watch);

  glm::ivec2 size() const override { return size_; }
  void rows(int first, int count, std::vector<std::uint8_t>& rgb, ProgressMonitor* watch) override;

 private:
  void find_colours(ProgressMonitor* watch);
  void tile(const render::Rect<int>& tile, std::uint8_t* into, ProgressMonitor* watch);

  MandelbrotSettings settings_;
  ComplexView view_;
  glm::ivec2 size_{0};
  render::Palette palette_;
  std::unique_ptr<MandelbrotEngine> engine_;
  bool coloured_ = false;    ///< the colours belong to this view
  MandelbrotConfig config_;  ///< of this view
  DwellColours colours_;
  PictureMean mean_;              ///< mean of a tile
  std::vector<glm::u8vec3> row_;  ///< a row of the tile
};

}  // namespace loom::app
