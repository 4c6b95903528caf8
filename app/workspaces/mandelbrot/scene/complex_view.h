#pragma once

#include <glm/vec2.hpp>
#include <memory>
#include <optional>

#include "compute/mandelbrot/mandelbrot_config.h"
#include "render/rect.h"

namespace loom::app {

/// A view of the complex plane; points have their real part in x and their imaginary part in y. Pixels are
/// square, and y grows downwards.
struct ComplexView {
  glm::dvec2 centre{-0.5, 0};
  double width = 2;
  /// The view where double does not hold it; `centre` and `width` are then rounded. Null: they are exact.
  std::shared_ptr<const DecimalView> decimal = nullptr;
  friend bool operator==(const ComplexView& a, const ComplexView& b) {
    return a.centre == b.centre && a.width == b.width &&
           (a.decimal == b.decimal || (a.decimal && b.decimal && *a.decimal == *b.decimal));
  }
};

/// The view of a decimal centre and width.
ComplexView complex_view(DecimalView decimal);
/// The view of a typed centre and width. Throws InputError, one line with what is allowed.
ComplexView typed_view(DecimalView decimal);
/// The centre and the width in decimal text; those of a view without it are the shortest that round to it.
DecimalView decimal_of(const ComplexView& view);

/// The largest view that shows the whole set with a margin in a picture of this aspect ratio.
ComplexView default_view(glm::ivec2 picture);

/// The binary logarithm of the width, of any size.
double log2_width(const ComplexView& view);

/// Side of a pixel in the complex plane; 0 where double does not hold it.
inline double pixel_spacing(const ComplexView& view, glm::ivec2 picture) {
  return view.width / picture.x;
}
/// The point at a pixel position relative to the corner of the picture, and the inverse.
glm::dvec2 point_at(const ComplexView& view, glm::ivec2 picture, glm::dvec2 pixel);
glm::dvec2 pixel_of(const ComplexView& view, glm::ivec2 picture, glm::dvec2 point);

/// A view together with the size of the picture that shows it.
struct ViewedPicture {
  ComplexView view;
  glm::ivec2 size{0};
  friend bool operator==(const ViewedPicture&, const ViewedPicture&) = default;
};
/// The rectangle of `seen` in pixels of `picture`; it may extend beyond the picture. Empty if they share no
/// pixel, or if one is so much larger that side times number of pixels is 2^31 or more.
std::optional<render::Rect<int>> place_in(const ViewedPicture& picture, const ViewedPicture& seen);

/// Whether every visible point has a distance above 2 from the origin, where every orbit escapes.
bool is_outside(const ComplexView& view, glm::ivec2 picture);

/// The view as an image of width x height pixels, each of which covers `divisor` x `divisor` pixels of the
/// picture, for the evaluator of a precision that is not kAuto.
MandelbrotView mandelbrot_view(const ComplexView& view, glm::ivec2 picture, Precision precision,
                               int divisor = 1);

// The functions below return a decimal view where pixels are too close for double, unless the precision is
// float or double, which limit the width.

/// Magnifies by `factor` (> 1, or shrinks for < 1) about a pixel position, whose point stays in place as far
/// as `clamped` permits.
ComplexView zoomed(const ComplexView& view, glm::ivec2 picture, glm::dvec2 pixel, double factor,
                   Precision precision);
/// Moves the content of the picture by this number of pixels.
ComplexView panned(const ComplexView& view, glm::ivec2 picture, glm::dvec2 pixels, Precision precision);
/// The largest view that fits the box between two pixel positions (in any order). A box with a side under 4
/// pixels leaves the view unchanged.
ComplexView boxed(const ComplexView& view, glm::ivec2 picture, glm::dvec2 from, glm::dvec2 to,
                  Precision precision);

/// The nearest view that can be computed and zoomed out of: the centre within 4 of the origin on each axis, a
/// width of at most 16, and one that the precision can show (precision_gauge.h). If the view must become
/// wider, it keeps its centre. Non-finite numbers are replaced by those of the default view.
ComplexView clamped(const ComplexView& view, glm::ivec2 picture, Precision precision);

}  // namespace loom::app
