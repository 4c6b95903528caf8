#pragma once

#include "app/mandelbrot/scene/mandelbrot_settings.h"
#include "app/mandelbrot/scene/pixel_samples.h"
#include "app/picture/picture_rows.h"
#include "compute/backend/engine_factory.h"

namespace loom::app::picture {

/// A view of the Mandelbrot set as the window draws it once it rests, nothing over it, computed in tiles by
/// the settings' method. What the colours stand for is taken from the same view at most kColouredBy pixels
/// wide and high, so that a larger picture has the colours of a smaller one.
class DwellRows final : public PictureRows {
 public:
  static constexpr int kColouredBy = 1024;

  /// The view's width is the picture's. Double precision is taken where float has no room; throws InputError
  /// where double has none either; MachineError.
  DwellRows(const MandelbrotSettings& settings, const ComplexView& view, render::Extent size,
            const render::Palette& palette, const BackendSelection& backend);
  /// Another view, of the same picture size.
  void look_at(const ComplexView& view);

  render::Extent size() const override { return size_; }
  void rows(int first, int count, std::vector<std::uint8_t>& rgb, Watch* watch) override;

 private:
  void find_colours();
  void tile(int x, int y, render::Extent extent, std::uint8_t* into, Watch* watch);

  MandelbrotSettings settings_;
  ComplexView view_;
  render::Extent size_;
  render::Palette palette_;
  std::unique_ptr<MandelbrotEngine> engine_;
  bool coloured_ = false;  ///< the colours are of this view
  Precision wished_;
  std::vector<render::Rgb> colours_;
  PictureMean mean_;              ///< of a tile
  std::vector<render::Rgb> row_;  ///< of it
};

}  // namespace loom::app::picture
