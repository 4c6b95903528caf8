#pragma once

#include <optional>

#include "compute/mandelbrot/mandelbrot_config.h"
#include "render/extent.h"

namespace loom::app {

/// What the explorer looks at: the middle of the picture and its width, in the complex plane; pixels are
/// square, im grows downwards.
struct ComplexView {
  double re = -0.5;
  double im = 0;
  double width = 2;
  friend bool operator==(const ComplexView&, const ComplexView&) = default;
};

struct ComplexPoint {
  double re = 0;
  double im = 0;
  friend bool operator==(const ComplexPoint&, const ComplexPoint&) = default;
};

/// All of the set with a margin, as large as it fits into a picture of these proportions.
ComplexView default_view(render::Extent picture);

/// Side of a pixel.
inline double pixel_spacing(const ComplexView& view, render::Extent picture) {
  return view.width / picture.width;
}
/// The point under a pixel position (from the picture's corner), and back.
ComplexPoint point_at(const ComplexView& view, render::Extent picture, double pixel_x, double pixel_y);
ComplexPoint pixel_of(const ComplexView& view, render::Extent picture, const ComplexPoint& point);

/// The part of the plane that a picture shows.
struct ViewedPicture {
  ComplexView view;
  render::Extent size;
  friend bool operator==(const ViewedPicture&, const ViewedPicture&) = default;
};
/// Where `seen` lies in `picture`, in the pixels of that: beyond its sides too. Nothing where they have no
/// pixel in common, or one is so much larger that a side times its number of pixels is 2^31 or more.
std::optional<render::Rect> place_in(const ViewedPicture& picture, const ViewedPicture& seen);

/// Whether all that is seen is more than 2 from the origin, where no orbit stays.
bool is_outside(const ComplexView& view, render::Extent picture);

/// The same as an image of width x height pixels in which one pixel stands for `divisor` x `divisor` of the
/// picture's.
MandelbrotView mandelbrot_view(const ComplexView& view, render::Extent picture, int divisor = 1);

/// Magnifies by `factor` > 1 (or shrinks, < 1) about a pixel position, whose point stays where it is, as far
/// as `clamped` lets it.
ComplexView zoomed(const ComplexView& view, render::Extent picture, double pixel_x, double pixel_y,
                   double factor, Precision precision);
/// Moves the picture's content by so many pixels.
ComplexView panned(const ComplexView& view, render::Extent picture, double pixels_x, double pixels_y,
                   Precision precision);
/// The box between two pixel positions (in any order) as large as it fits; a box with a side under 4 pixels
/// changes nothing.
ComplexView boxed(const ComplexView& view, render::Extent picture, double x0, double y0, double x1, double y1,
                  Precision precision);

/// The nearest view that can be computed and left again: the middle within 4 of the origin on each axis, at
/// most 16 wide, and pixels at least kLeastUlps apart (precision_gauge.h). A wider view that comes of it has
/// the same middle. Not finite numbers become those of the default view.
ComplexView clamped(const ComplexView& view, render::Extent picture, Precision precision);

}  // namespace loom::app
