#pragma once

#include <array>
#include <cstdint>
#include <glm/fwd.hpp>
#include <glm/vec3.hpp>
#include <span>
#include <vector>

#include "compute/core/image_view.h"
#include "compute/mandelbrot/mandelbrot_config.h"
#include "render/palette.h"

namespace loom::app {

/// Allowed numbers of samples per pixel on each axis.
inline constexpr std::array kSamplesPerAxis = {1, 2, 4};

/// One of the samples_per_axis x samples_per_axis images of a view. Each image has one sample per pixel; the
/// samples divide the pixel evenly, starting at the pixel's own point. The first image is the view itself;
/// the first 4 of 16 are those of 2 x 2.
MandelbrotView sample_view(const MandelbrotView& view, int samples_per_axis, int index);

/// The colour of an image value. A dwell has its own colour; a smooth dwell has a mixture of the colours of
/// the entries below and above.
glm::u8vec3 dwell_colour(const render::DwellTable& colours, std::uint32_t value, bool smooth);

/// The mean of images of one size, pixel by pixel, in linear light.
class PictureMean {
 public:
  /// Starts with an empty mean.
  void begin(int width, int height);
  /// Adds an image of dwells or smooth dwells of that size, in host memory.
  void add(const ImageView& image, const render::DwellTable& colours);
  int pictures() const { return pictures_; }
  int width() const { return width_; }
  int height() const { return height_; }
  /// Row y of the mean, width colours; requires at least one image.
  void row(int y, std::span<glm::u8vec3> colours) const;
  /// The whole mean in the format of render::ColourTexture.
  void packed(std::vector<std::uint32_t>& colours) const;

 private:
  int width_ = 0;
  int height_ = 0;
  int pictures_ = 0;
  std::vector<std::uint32_t> sums_;  ///< three values per pixel
};

}  // namespace loom::app
