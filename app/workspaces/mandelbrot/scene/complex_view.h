#pragma once

#include <cmath>
#include <cstddef>
#include <glm/vec2.hpp>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "compute/mandelbrot/mandelbrot_config.h"
#include "render/camera.h"

namespace loom::app {

/// A view of the complex plane; points have their real part in x and their imaginary part in y. Pixels are
/// square, and y grows downwards. It is turned about its centre as a MandelbrotView.
struct ComplexView {
  glm::dvec2 centre{-0.5, 0};
  double width = 2;
  /// The view where double does not hold it; `centre` and `width` are then rounded. Null: they are exact.
  std::shared_ptr<const DecimalView> decimal = nullptr;
  double angle = 0;  ///< degrees, finite
  friend bool operator==(const ComplexView& a, const ComplexView& b) {
    return a.centre == b.centre && a.width == b.width && a.angle == b.angle &&
           (a.decimal == b.decimal || (a.decimal && b.decimal && *a.decimal == *b.decimal));
  }
};

/// The view of a decimal centre and width.
ComplexView complex_view(DecimalView decimal, double angle = 0);
/// The view of a typed centre and width. Throws InputError, one line with what is allowed.
ComplexView typed_view(DecimalView decimal, double angle = 0);
/// A way on the picture as one in the plane of a view that is turned by this number of degrees.
glm::dvec2 turned(glm::dvec2 way, double angle);
/// The centre and the width in decimal text; those of a view without it are the shortest that round to it.
DecimalView decimal_of(const ComplexView& view);

/// A view as a file or a text names it, before the proportions of its picture are known.
struct ViewRequest {
  ComplexView view = {};
  bool has_width = true;               ///< `view` has the width that the picture shows at least
  std::optional<Decimal> height = {};  ///< the height that it shows at least

  ViewRequest() = default;
  ViewRequest(ComplexView of_view) : view(std::move(of_view)) {}  // NOLINT: implicit conversion
  /// The view in a picture of this ratio of width to height; without width and height, that of `present`.
  ComplexView fitted_to_aspect(double proportion, const ComplexView& present = {}) const;
};

/// The largest view that shows a whole set with a margin in a picture of this aspect ratio.
ComplexView default_view(glm::ivec2 picture, const EscapeTimeSet& set = {});

/// The binary logarithm of the width, of any size.
double log2_width(const ComplexView& view);

/// Side of a pixel in the complex plane; 0 where double does not hold it.
inline double pixel_spacing(const ComplexView& view, glm::ivec2 picture) {
  return view.width / picture.x;
}
/// The point at a pixel position relative to the corner of the picture, and the inverse.
glm::dvec2 point_at(const ComplexView& view, glm::ivec2 picture, glm::dvec2 pixel);
glm::dvec2 pixel_of(const ComplexView& view, glm::ivec2 picture, glm::dvec2 point);

/// Whether the picture shows the point, as far as double tells points apart.
bool shows_point(const ComplexView& view, glm::ivec2 picture, glm::dvec2 point);

/// A view together with the size of the picture that shows it.
struct ViewedPicture {
  ComplexView view;
  glm::ivec2 size{0};
  friend bool operator==(const ViewedPicture&, const ViewedPicture&) = default;
};
/// The rectangle of `seen` in pixels of `picture`; it may extend beyond the picture. Where the angles of both
/// differ, it is then turned about its middle by degrees_between(). Empty if they share no pixel, or if one
/// is so much larger that side times number of pixels is 2^31 or more.
std::optional<render::Rect<int>> place_in(const ViewedPicture& picture, const ViewedPicture& seen);

/// By how many degrees `seen` is turned clockwise in `picture`; 0 where whole turns differ.
inline double degrees_between(const ViewedPicture& picture, const ViewedPicture& seen) {
  return std::remainder(seen.view.angle - picture.view.angle, 360);
}

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
/// Turned by as many degrees more.
ComplexView turned(const ComplexView& view, double degrees);
/// Moves the content of the picture by this number of pixels.
ComplexView panned(const ComplexView& view, glm::ivec2 picture, glm::dvec2 pixels, Precision precision);
/// The largest view that fits the box between two pixel positions (in any order). A box with a side under 4
/// pixels leaves the view unchanged.
ComplexView boxed(const ComplexView& view, glm::ivec2 picture, glm::dvec2 from, glm::dvec2 to,
                  Precision precision);

/// The nearest view that can be computed and zoomed out of: the centre within 4 of the origin on each axis, a
/// width of at most 16, and one that the precision can show. If the view must become
/// wider, it keeps its centre. Non-finite numbers are replaced by those of the default view.
ComplexView clamped(const ComplexView& view, glm::ivec2 picture, Precision precision);

/// The last `kMaxViews` views and the current one. A view of the whole set is marked as fitted and follows
/// the size of the picture.
class ViewHistory {
 public:
  static constexpr std::size_t kMaxViews = 1000;

  struct Entry {
    ComplexView view;
    bool fitted = false;
    friend bool operator==(const Entry&, const Entry&) = default;
  };

  /// Starts with the whole set, in a picture of one pixel until resize().
  ViewHistory() : views_{{default_view({1, 1}), true}} {}
  explicit ViewHistory(const ComplexView& first) : views_{{first, false}} {}

  const ComplexView& present() const { return views_[at_].view; }
  bool fitted() const { return views_[at_].fitted; }
  const Entry& entry() const { return views_[at_]; }
  /// Adds a view after the current one and drops the following ones. With `same_gesture` it replaces the
  /// current view, so that a drag or a turn of the wheel is one step.
  void go(const ComplexView& view, bool same_gesture = false);
  /// Replaces the current view, which cannot be shown, by one that was shown before it.
  void replace_present(const ComplexView& view);
  /// Adds a view of the whole set in a picture of this size.
  void fit(glm::ivec2 picture, const EscapeTimeSet& set = {});
  /// Sets the size of the picture.
  void resize(glm::ivec2 picture, const EscapeTimeSet& set = {});
  /// Another set is shown from here on: fitted views are those of the old one, and stay as they are.
  void keep_fitted() {
    for (Entry& entry : views_) entry.fitted = false;
  }
  /// Goes back; returns false if there is no previous view.
  bool back();
  bool forward();
  /// How many steps back the latest earlier visit of this view is; 0 if there is none.
  std::size_t steps_back_to(const ComplexView& view) const;
  std::size_t views_behind() const { return at_; }
  std::size_t views_ahead() const { return views_.size() - 1 - at_; }

 private:
  void go_to(const Entry& entry, bool same_gesture);

  std::vector<Entry> views_;
  std::size_t at_ = 0;
};

/// Distance of pixels in ulps at which zooming stops, and below which a warning appears. An ulp is the
/// distance of neighbouring numbers of the precision at the largest coordinate of the centre.
inline constexpr double kMinUlps = 4;
inline constexpr double kWarnUlps = 64;

/// The ulp of the larger of |re| and |im| of the centre.
double coordinate_ulp(const ComplexView& view, Precision precision);
/// kMinUlps ulps, as a distance.
double min_spacing(const ComplexView& view, Precision precision);

enum class PrecisionState {
  kSufficient,
  kLow,        ///< fewer than kWarnUlps between pixels
  kExhausted,  ///< less than one halving is left
};

/// The remaining precision at a view. Perturbed precisions have no ulps, and kPerturbedWide is always
/// sufficient.
struct PrecisionGauge {
  double ulps = 0;          ///< ulps between neighbouring pixels
  double octaves_left = 0;  ///< number of remaining halvings of the width
  double remaining = 1;     ///< remaining fraction of the halvings from a width of 4 to the end: 1 to 0
  PrecisionState state = PrecisionState::kSufficient;
};
PrecisionGauge precision_gauge(const ComplexView& view, glm::ivec2 picture, Precision precision);

/// Whether zooming in does not change the width: it is the smallest one of the precision.
bool is_narrowest(const ComplexView& view, glm::ivec2 picture, Precision precision);
/// Whether this precision can show the view without widening it.
bool fits_precision(const ComplexView& view, glm::ivec2 picture, Precision precision);

/// The evaluator of a view: for kAuto the cheapest one whose gauge is sufficient, otherwise the given one.
/// For sets without perturbation, double is the last one.
Precision evaluator_of(Precision precision, const ComplexView& view, glm::ivec2 picture,
                       const EscapeTimeSet& set = {});

/// The power of ten of the smallest width that a perturbed precision, or kAuto, shows.
int least_width_power(Precision precision);

}  // namespace loom::app
