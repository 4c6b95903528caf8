#include "app/workspaces/mandelbrot/scene/complex_view.h"

#include <fmt/format.h>

#include <algorithm>
#include <glm/common.hpp>
#include <glm/geometric.hpp>
#include <glm/vector_relational.hpp>
#include <limits>

namespace loom::app {
namespace {

constexpr double kMaxCentre = 4;
constexpr double kMaxWidth = 16;
constexpr double kMinBox = 4;  // pixels

/// Whether a decimal number has no more significant digits than a double stores.
bool is_short(const Decimal& number) {
  constexpr std::ptrdiff_t kDoubleDigits = 17;
  const std::string digits = number.text();
  const std::string_view text = std::string_view(digits).substr(0, digits.find_first_of("eE"));
  const std::size_t first = text.find_first_of("123456789");
  if (first == std::string_view::npos) return true;
  return std::ranges::count_if(text.substr(first), [](char c) { return c != '.'; }) <= kDoubleDigits;
}

/// Whether the numbers of a view of this width are rounded to far less than a pixel.
bool fits_double(const ComplexView& view, glm::ivec2 picture, double width) {
  return width / picture.x >= kWarnUlps * coordinate_ulp(view, Precision::kDouble);
}

/// Moves the centre by parts of the width and then multiplies the width, as far as `clamped` permits.
ComplexView moved_decimal(const ComplexView& view, glm::ivec2 picture, glm::dvec2 by, double factor,
                          Precision precision) {
  by = turned(by, view.angle);
  return clamped(complex_view(moved(decimal_of(view), by.x, by.y, factor), view.angle), picture, precision);
}

/// The view that a decimal one is limited to.
ComplexView clamped_decimal(const ComplexView& view, Precision precision) {
  DecimalView decimal = *view.decimal;
  const auto limit = [](const Decimal& part, double rounded) {
    return std::abs(rounded) > kMaxCentre ? Decimal(fmt::format("{}", std::copysign(kMaxCentre, rounded)))
                                          : part;
  };
  decimal.re = limit(decimal.re, view.centre.x);
  decimal.im = limit(decimal.im, view.centre.y);
  if (log2_width(view) > std::log2(kMaxWidth)) decimal.width = fmt::format("{}", kMaxWidth);
  if (const int power = least_width_power(precision);
      !is_direct(precision) && log2_width(view) < power * std::log2(10.0))
    decimal.width = fmt::format("1e{}", power);
  return decimal == *view.decimal ? view : complex_view(std::move(decimal), view.angle);
}

}  // namespace

ComplexView complex_view(DecimalView decimal, double angle) {
  return {{decimal.re.rounded().value(), decimal.im.rounded().value()},
          decimal.width.rounded().value(),
          std::make_shared<const DecimalView>(std::move(decimal)),
          angle};
}

ComplexView typed_view(DecimalView decimal, double angle) {
  validate(decimal);
  const ComplexView view = complex_view(std::move(decimal), angle);
  ComplexView rounded = view;
  rounded.decimal = nullptr;
  // The shortest text of a double means the double, and so do few digits where they are far below a pixel.
  constexpr double kShallow = 1e-10;
  const bool short_texts = view.width >= kShallow && is_short(view.decimal->re) &&
                           is_short(view.decimal->im) && is_short(view.decimal->width);
  return short_texts || decimal_of(rounded) == *view.decimal ? rounded : view;
}

glm::dvec2 turned(glm::dvec2 way, double angle) {
  const Complex<double> turn = direction_of(angle);
  return {way.x * turn.re - way.y * turn.im, way.x * turn.im + way.y * turn.re};
}

DecimalView decimal_of(const ComplexView& view) {
  if (view.decimal) return *view.decimal;
  return {fmt::format("{}", view.centre.x), fmt::format("{}", view.centre.y), fmt::format("{}", view.width)};
}

ComplexView ViewRequest::fitted_to_aspect(double proportion, const ComplexView& present) const {
  if (has_width && !height) return view;
  const DecimalView own = decimal_of(view);
  Decimal width = decimal_of(present).width;
  if (height) width = moved({own.re, own.im, *height}, 0, 0, proportion).width;
  const std::int64_t power = width.power();
  if (power >= kMaxWidthPower) width = fmt::format("1e{}", kMaxWidthPower);
  if (power < kLeastWidthPower) width = fmt::format("1e{}", kLeastWidthPower);
  const ComplexView fitted = typed_view({own.re, own.im, width}, view.angle);
  return has_width && log2_width(view) >= log2_width(fitted) ? view : fitted;
}

double log2_width(const ComplexView& view) {
  if (!view.decimal) return std::log2(view.width);
  const FloatExp<double> width = view.decimal->width.rounded();
  return width.exponent + std::log2(width.mantissa);
}

ComplexView default_view(glm::ivec2 picture, const EscapeTimeSet& set) {
  const PlaneRectangle whole = whole_of(set);
  const double proportion = static_cast<double>(picture.x) / std::max(picture.y, 1);
  return {{whole.re, whole.im}, std::max(whole.width, whole.height * proportion)};
}

glm::dvec2 point_at(const ComplexView& view, glm::ivec2 picture, glm::dvec2 pixel) {
  return view.centre + turned((pixel - glm::dvec2(picture) / 2.0) * pixel_spacing(view, picture), view.angle);
}

glm::dvec2 pixel_of(const ComplexView& view, glm::ivec2 picture, glm::dvec2 point) {
  return turned((point - view.centre) / pixel_spacing(view, picture), -view.angle) +
         glm::dvec2(picture) / 2.0;
}

std::optional<render::Rect<int>> place_in(const ViewedPicture& picture, const ViewedPicture& seen) {
  const glm::dvec2 pixels(seen.size);
  glm::dvec2 size;
  glm::dvec2 moved;
  if (picture.view.decimal || seen.view.decimal) {
    const DecimalOffset offset = offset_between(decimal_of(picture.view), decimal_of(seen.view));
    size = pixels * (offset.scale * picture.size.x / seen.size.x);
    moved = glm::dvec2(offset.right, offset.down) * static_cast<double>(picture.size.x);
  } else {
    // Use differences: in a deep zoom, the corners themselves are not exact to a pixel.
    const double spacing = pixel_spacing(picture.view, picture.size);
    size = pixels * (pixel_spacing(seen.view, seen.size) / spacing);
    moved = (seen.view.centre - picture.view.centre) / spacing;
  }
  const glm::dvec2 corner = (glm::dvec2(picture.size) - size) / 2.0 + turned(moved, -picture.view.angle);
  constexpr double kMost = 2147483648.0;
  if (!glm::all(glm::lessThan(size * pixels, glm::dvec2(kMost)))) return std::nullopt;
  // The corners of a rectangle that is turned are as far away from its middle.
  const bool is_turned = degrees_between(picture, seen) != 0;
  const glm::dvec2 more = is_turned ? (glm::length(size) - size) / 2.0 : glm::dvec2(0);
  const bool overlap = glm::all(glm::lessThan(corner - more, glm::dvec2(picture.size))) &&
                       glm::all(glm::greaterThan(corner + size + more, glm::dvec2(0)));
  if (!overlap) return std::nullopt;
  const render::Rect<int> place{glm::ivec2(glm::round(corner)), glm::ivec2(glm::round(size))};
  if (!is_turned && intersect(place, {{}, picture.size}).empty()) return std::nullopt;
  return place;
}

bool shows_point(const ComplexView& view, glm::ivec2 picture, glm::dvec2 point) {
  constexpr double kTolerance = 1e-12;
  if (glm::length(point - view.centre) < kTolerance) return true;
  const glm::dvec2 pixel = pixel_of(view, picture, point);
  return pixel.x >= 0 && pixel.y >= 0 && pixel.x < picture.x && pixel.y < picture.y;
}

bool is_outside(const ComplexView& view, glm::ivec2 picture) {
  const glm::dvec2 half = glm::dvec2(picture) / 2.0 * pixel_spacing(view, picture);
  const glm::dvec2 centre = turned(view.centre, -view.angle);
  const glm::dvec2 nearest = glm::clamp(glm::dvec2(0), centre - half, centre + half);
  return std::hypot(nearest.x, nearest.y) > 2;
}

MandelbrotView mandelbrot_view(const ComplexView& view, glm::ivec2 picture, Precision precision,
                               int divisor) {
  const glm::uvec2 size((picture + divisor - 1) / divisor);
  if (is_perturbed(precision)) return make_decimal_view(decimal_of(view), size.x, size.y, view.angle);
  const ComplexView upright{view.centre, view.width};
  const glm::dvec2 low = point_at(upright, picture, {0, 0});
  const glm::dvec2 high = point_at(upright, picture, glm::dvec2(picture));
  return {{low.x, high.x, low.y, high.y}, size.x, size.y, nullptr, view.angle};
}

ComplexView zoomed(const ComplexView& view, glm::ivec2 picture, glm::dvec2 pixel, double factor,
                   Precision precision) {
  if (!std::isfinite(factor) || factor <= 0) return view;
  if (view.decimal || (!is_direct(precision) && !fits_double(view, picture, view.width / factor))) {
    // Clamp the width first, so that the point stays under the pixel at the limit too.
    const ComplexView wanted = moved_decimal(view, picture, {}, 1 / factor, precision);
    const double scale = offset_between(decimal_of(view), decimal_of(wanted)).scale;
    const glm::dvec2 by = turned((pixel - glm::dvec2(picture) / 2.0) * ((1 - scale) / picture.x), view.angle);
    const DecimalView at = moved(decimal_of(view), by.x, by.y, scale);
    return clamped(complex_view({at.re, at.im, decimal_of(wanted).width}, view.angle), picture, precision);
  }
  // Clamp the width first, so that the point stays under the pixel at the limit too.
  const double width = clamped({view.centre, view.width / factor}, picture, precision).width;
  const double change = (view.width - width) / picture.x;
  const glm::dvec2 by = turned((pixel - glm::dvec2(picture) / 2.0) * change, view.angle);
  return clamped({view.centre + by, width, nullptr, view.angle}, picture, precision);
}

ComplexView panned(const ComplexView& view, glm::ivec2 picture, glm::dvec2 pixels, Precision precision) {
  if (view.decimal)
    return moved_decimal(view, picture, -pixels / static_cast<double>(picture.x), 1, precision);
  const glm::dvec2 by = turned(pixels * pixel_spacing(view, picture), view.angle);
  return clamped({view.centre - by, view.width, nullptr, view.angle}, picture, precision);
}

ComplexView turned(const ComplexView& view, double degrees) {
  ComplexView result = view;
  result.angle += degrees;
  return result;
}

ComplexView boxed(const ComplexView& view, glm::ivec2 picture, glm::dvec2 from, glm::dvec2 to,
                  Precision precision) {
  const glm::dvec2 size = glm::abs(to - from);
  if (!(size.x >= kMinBox && size.y >= kMinBox)) return view;
  const glm::dvec2 share = size / glm::dvec2(picture);
  const double factor = std::max(share.x, share.y);
  if (view.decimal || (!is_direct(precision) && !fits_double(view, picture, view.width * factor))) {
    const glm::dvec2 by = ((from + to) / 2.0 - glm::dvec2(picture) / 2.0) / static_cast<double>(picture.x);
    return moved_decimal(view, picture, by, factor, precision);
  }
  const glm::dvec2 middle = point_at(view, picture, (from + to) / 2.0);
  return clamped({middle, view.width * factor, nullptr, view.angle}, picture, precision);
}

ComplexView clamped(const ComplexView& view, glm::ivec2 picture, Precision precision) {
  if (!std::isfinite(view.centre.x) || !std::isfinite(view.centre.y) || !std::isfinite(view.width) ||
      !std::isfinite(view.angle)) {
    return default_view(picture);
  }
  if (view.decimal && !is_direct(precision)) return clamped_decimal(view, precision);
  ComplexView result = view;
  result.centre = glm::clamp(view.centre, -kMaxCentre, kMaxCentre);
  const double least = min_spacing(result, precision) * picture.x;
  result.width = std::clamp(view.width, is_direct(precision) ? least : 0.0, kMaxWidth);
  if (view.decimal && result.centre == view.centre && result.width == view.width) return view;
  result.decimal = nullptr;
  if (!is_direct(precision) && !fits_double(result, picture, result.width))
    return clamped_decimal(complex_view(decimal_of(result), view.angle), precision);
  return result;
}

void ViewHistory::go(const ComplexView& view, bool same_gesture) {
  if (view == present()) return;  // a click without movement keeps a fitted view fitted
  go_to({view, false}, same_gesture);
}

void ViewHistory::replace_present(const ComplexView& view) {
  if (view == present()) return;
  views_.resize(at_ + 1);
  if (at_ > 0 && views_[at_ - 1].view == view) {
    views_.pop_back();
    --at_;
  } else {
    views_[at_] = {view, false};
  }
}

void ViewHistory::fit(glm::ivec2 picture, const EscapeTimeSet& set) {
  const Entry all{default_view(picture, set), true};
  if (views_[at_] == all) return;
  go_to(all, present() == all.view);
}

void ViewHistory::resize(glm::ivec2 picture, const EscapeTimeSet& set) {
  for (Entry& entry : views_) {
    if (entry.fitted) entry.view = default_view(picture, set);
  }
}

void ViewHistory::go_to(const Entry& entry, bool same_gesture) {
  views_.resize(at_ + 1);
  if (same_gesture && at_ > 0) {
    views_[at_] = entry;
    return;
  }
  views_.push_back(entry);
  if (views_.size() > kMaxViews) views_.erase(views_.begin());
  at_ = views_.size() - 1;
}

bool ViewHistory::back() {
  if (at_ == 0) return false;
  --at_;
  return true;
}

std::size_t ViewHistory::steps_back_to(const ComplexView& view) const {
  for (std::size_t steps = 1; steps <= at_; ++steps) {
    if (views_[at_ - steps].view == view) return steps;
  }
  return 0;
}

bool ViewHistory::forward() {
  if (at_ + 1 == views_.size()) return false;
  ++at_;
  return true;
}

namespace {

/// Lower bound of the magnitude: closer to the origin, the largest coordinates are those of the picture's
/// edges, not of its centre.
constexpr double kSmallCoordinate = 1.0 / 1024;

template <typename Real>
double ulp_at(double magnitude) {
  const Real value = static_cast<Real>(magnitude);
  return static_cast<double>(std::nextafter(value, std::numeric_limits<Real>::infinity()) - value);
}

// Distances of smaller views are out of the range of the type.
constexpr int kLeastDoublePower = -289;
constexpr int kLeastFloatPower = -31;

/// Tolerance for the rounding of a clamped width.
constexpr double kRoundingOctaves = 1e-6;

/// Halvings of the width until it is 10^`power`.
double octaves_until(const ComplexView& view, double power) {
  return log2_width(view) - power * std::log2(10.0);
}

}  // namespace

double coordinate_ulp(const ComplexView& view, Precision precision) {
  const double magnitude = std::max({std::abs(view.centre.x), std::abs(view.centre.y), kSmallCoordinate});
  return precision == Precision::kFloat ? ulp_at<float>(magnitude) : ulp_at<double>(magnitude);
}

double min_spacing(const ComplexView& view, Precision precision) {
  return kMinUlps * coordinate_ulp(view, precision);
}

PrecisionGauge precision_gauge(const ComplexView& view, glm::ivec2 picture, Precision precision) {
  constexpr double kWhole = 4;  // width of the whole set
  PrecisionGauge gauge;
  if (!is_direct(precision)) {
    const double all = octaves_until({{}, kWhole}, least_width_power(precision));
    gauge.octaves_left = std::max(0.0, octaves_until(view, least_width_power(precision)));
    gauge.remaining = std::clamp(gauge.octaves_left / all, 0.0, 1.0);
    if (gauge.octaves_left < 1) gauge.state = PrecisionState::kExhausted;
    return gauge;
  }
  const double spacing = pixel_spacing(view, picture);
  gauge.ulps = spacing / coordinate_ulp(view, precision);
  gauge.octaves_left = std::max(0.0, std::log2(gauge.ulps / kMinUlps));
  const double all = std::log2(kWhole / picture.x / min_spacing(view, precision));
  gauge.remaining = std::clamp(gauge.octaves_left / std::max(all, 1.0), 0.0, 1.0);
  if (gauge.octaves_left < 1) {
    gauge.state = PrecisionState::kExhausted;
  } else if (gauge.ulps < kWarnUlps) {
    gauge.state = PrecisionState::kLow;
  }
  return gauge;
}

bool is_narrowest(const ComplexView& view, glm::ivec2 picture, Precision precision) {
  if (!is_direct(precision)) return octaves_until(view, least_width_power(precision)) <= kRoundingOctaves;
  return pixel_spacing(view, picture) <= min_spacing(view, precision) * (1 + 1e-9);
}

bool fits_precision(const ComplexView& view, glm::ivec2 picture, Precision precision) {
  if (!is_direct(precision)) return octaves_until(view, least_width_power(precision)) >= -kRoundingOctaves;
  return pixel_spacing(view, picture) >= min_spacing(view, precision) * (1 - 1e-9);
}

Precision evaluator_of(Precision precision, const ComplexView& view, glm::ivec2 picture,
                       const EscapeTimeSet& set) {
  if (precision != Precision::kAuto) return precision;
  for (const Precision direct : kDirectPrecisions) {
    if (precision_gauge(view, picture, direct).state == PrecisionState::kSufficient) return direct;
  }
  if (!set.perturbs()) return Precision::kDouble;
  if (set.julia && octaves_until(view, kLeastDoublePower / 2) < 1) return Precision::kPerturbedWide;
  const PrecisionGauge gauge = precision_gauge(view, picture, Precision::kPerturbedDouble);
  return gauge.state == PrecisionState::kSufficient ? Precision::kPerturbedDouble : Precision::kPerturbedWide;
}

int least_width_power(Precision precision) {
  if (precision == Precision::kPerturbedFloat) return kLeastFloatPower;
  return precision == Precision::kPerturbedDouble ? kLeastDoublePower : kLeastWidthPower;
}

}  // namespace loom::app
