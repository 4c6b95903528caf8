#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "compute/core/image_view.h"
#include "compute/mandelbrot/mandelbrot_config.h"
#include "render/palette.h"

namespace loom::app {

/// How many points a pixel may stand for, on each axis.
inline constexpr std::array kSamplings = {1, 2, 4};

/// One of the samplings x samplings pictures of a view, each with a point of every pixel: a pixel's points
/// divide it evenly from its own point on. The first is the view itself, the first four of 16 are those of
/// 2 x 2.
MandelbrotView sample_view(const MandelbrotView& view, int samplings, int index);

/// The colour that the window shows of an image's value: of a dwell its own, of a smooth dwell one between
/// those of the whole dwells below and above; `colours` as for render::DwellRenderer.
render::Rgb dwell_colour(std::span<const render::Rgb> colours, std::uint32_t value, bool smooth);

/// The mean of pictures of one size, pixel by pixel, in light and not in sRGB's numbers.
class PictureMean {
 public:
  /// Forgets what there was.
  void begin(int width, int height);
  /// An image of dwells or smooth dwells in host memory, of that size.
  void add(const ImageView& image, std::span<const render::Rgb> colours);
  int pictures() const { return pictures_; }
  int width() const { return width_; }
  int height() const { return height_; }
  /// Of the pictures so far; one at least. A row at a time, width colours.
  void row(int y, std::span<render::Rgb> colours) const;
  /// All of it as render::ColourTexture takes it.
  void packed(std::vector<std::uint32_t>& colours) const;

 private:
  int width_ = 0;
  int height_ = 0;
  int pictures_ = 0;
  std::vector<std::uint32_t> sums_;  ///< three a pixel
};

}  // namespace loom::app
