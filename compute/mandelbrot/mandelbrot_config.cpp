#include "compute/mandelbrot/mandelbrot_config.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <numbers>
#include <system_error>
#include <utility>

#include "compute/core/coord.h"
#include "compute/core/error.h"
#include "compute/core/input_text.h"

namespace loom {
namespace {

constexpr std::uint32_t kMaxSide = 1 << 20;

/// The ends of an axis after conversion to the arithmetic.
template <typename Real>
bool is_proper(double low, double high) {
  return std::isfinite(static_cast<Real>(low)) && std::isfinite(static_cast<Real>(high)) &&
         std::isfinite(static_cast<Real>(high - low)) && static_cast<Real>(high - low) > 0;
}

void check_axis(std::string_view name, double low, double high, const MandelbrotView& view,
                Precision precision) {
  if (precision == Precision::kFloat ? is_proper<float>(low, high) : is_proper<double>(low, high)) return;
  if (view.decimal) {
    throw InputError(
        fmt::format("precision {} is not allowed for width {} at this centre, whose pixels it cannot tell "
                    "apart; allowed: larger widths, or precision auto",
                    name_of(precision), shown_digits_of(*view.decimal).width));
  }
  throw InputError(fmt::format(
      "window: {} from {} to {} is not allowed; allowed: finite numbers in {}, the first below the "
      "second",
      name, low, high, name_of(precision)));
}

/// The exponents of the smallest widths whose distances Real holds, with room for the pixels of an image.
constexpr int kLeastDoubleExponent = -964;
constexpr int kLeastFloatExponent = -104;

/// Whether the exponent of a width is above a least one. An orbit of a Julia set that begins close to 0 has
/// the square of the distance next, to which no c is added.
bool is_above(int exponent, int least, const EscapeTimeSet& set) {
  return (set.julia ? 2 * exponent : exponent) > least;
}

void check_perturbed(const EscapeTimeSet& set, const MandelbrotView& view, Precision precision) {
  if (!view.decimal) {
    throw InputError(
        fmt::format("precision {} needs a decimal centre and width; allowed: --center and --width, or "
                    "precision float or double",
                    name_of(precision)));
  }
  validate(*view.decimal);
  const int exponent = view.decimal->width.rounded().exponent;
  const auto check_width = [&](Precision of, int least, const char* width) {
    if (precision != of || is_above(exponent, least, set)) return;
    throw InputError(
        fmt::format("precision {} is not allowed for this width; allowed: widths above {}, or "
                    "precision auto, perturbed-wide or perturbed-wide-float",
                    name_of(precision), width));
  };
  check_width(Precision::kPerturbedDouble, kLeastDoubleExponent, set.julia ? "1e-145" : "1e-290");
  check_width(Precision::kPerturbedFloat, kLeastFloatExponent, set.julia ? "1e-15" : "1e-31");
}

InputError bad_block_shape(std::string_view text) {
  return InputError(
      fmt::format("block shape '{}' is not allowed; allowed: WIDTHxHEIGHT with a product that is a multiple "
                  "of 32 from 32 "
                  "to {}",
                  text, kMaxBlockThreads));
}

}  // namespace

std::string_view name_of(MandelbrotMethod method) {
  return value_for<MandelbrotMethod::kAsk>({"exhaustive", "dp", "ask"}, method);
}

std::string_view name_of(RegionScheme scheme) {
  return scheme == RegionScheme::kSbr ? "sbr" : "mbr";
}

std::string_view name_of(Precision precision) {
  return value_for<Precision::kPerturbedWide>({"auto", "float", "double", "perturbed-float",
                                               "perturbed-double", "perturbed-wide-float", "perturbed-wide"},
                                              precision);
}

std::string_view name_of(FillRule rule) {
  return rule == FillRule::kUniform ? "uniform" : "interior";
}

std::string to_string(const MandelbrotOptimisations& optimisations) {
  if (optimisations == MandelbrotOptimisations{}) return "all";
  std::string text;
  for (const NamedOptimisation& idea : kMandelbrotOptimisations) {
    if (!(optimisations.*idea.flag)) continue;
    if (!text.empty()) text += ',';
    text += idea.name;
  }
  return text.empty() ? "none" : text;
}

MandelbrotOptimisations parse_optimisations(std::string_view text) {
  if (text == "all") return {};
  MandelbrotOptimisations optimisations = kNoOptimisations;
  if (text == "none") return optimisations;
  for (std::string_view rest = text;;) {
    const std::size_t comma = rest.find(',');
    const std::string_view name = rest.substr(0, comma);
    bool known = false;
    std::string names;
    for (const NamedOptimisation& idea : kMandelbrotOptimisations) {
      names += ", " + std::string(idea.name);
      if (idea.name != name) continue;
      optimisations.*idea.flag = true;
      known = true;
    }
    if (!known) throw InputError(fmt::format("unknown optimisation '{}'; allowed: all, none{}", name, names));
    if (comma == std::string_view::npos) return optimisations;
    rest.remove_prefix(comma + 1);
  }
}

std::string to_string(const BlockShape& shape) {
  return fmt::format("{}x{}", shape.x, shape.y);
}

BlockShape parse_block_shape(std::string_view text) {
  BlockShape shape;
  const char* const end = text.data() + text.size();
  const auto x = std::from_chars(text.data(), end, shape.x);
  if (x.ec == std::errc{} && x.ptr != end && *x.ptr == 'x') {
    const auto y = std::from_chars(x.ptr + 1, end, shape.y);
    if (y.ec == std::errc{} && y.ptr == end) return shape;
  }
  throw bad_block_shape(text);
}

std::uint32_t dwell_limit_of_depth(double halvings) {
  const double steps = 1 + std::max(0.0, std::floor(halvings));
  return static_cast<std::uint32_t>(std::min<double>(kDefaultDwellLimit * steps, kMaxDwellLimit));
}

void set_method(MandelbrotConfig& config, MandelbrotMethod method) {
  const auto default_block = [](MandelbrotMethod of) {
    return of == MandelbrotMethod::kDp ? BlockShape{64, 8} : BlockShape{};
  };
  if (config.block == default_block(config.method)) config.block = default_block(method);
  config.method = method;
}

void check_range(std::string_view name, std::uint32_t value, std::uint32_t lowest, std::uint32_t highest) {
  if (value >= lowest && value <= highest) return;
  throw InputError(fmt::format("{} = {} is not allowed; allowed: {} to {}", name, value, lowest, highest));
}

void validate(const MandelbrotConfig& config) {
  validate(config.set);
  if (is_perturbed(config.precision) && !config.set.perturbs()) {
    throw InputError(fmt::format("precision {}: {}; allowed: precision auto, float or double",
                                 name_of(config.precision), perturbation_problem(config.set)));
  }
  check_range("g", config.g, 1, kMaxDivision);
  check_range("r", config.r, 2, kMaxDivision);
  check_range("B", config.b, 1, kMaxDivision);
  check_range("dwell limit", config.dwell_limit, 1, kMaxDwellLimit);
  const BlockShape block = config.block;
  const std::uint64_t threads = std::uint64_t{block.x} * block.y;
  if (threads == 0 || threads > kMaxBlockThreads || threads % 32 != 0)
    throw bad_block_shape(to_string(block));
}

Complex<double> direction_of(double degrees) {
  const double rest = std::remainder(degrees, 360);  // exact
  if (std::remainder(rest, 90) != 0) {
    const double radians = rest * (std::numbers::pi / 180);
    return {std::cos(radians), std::sin(radians)};
  }
  if (rest == 0) return {1, 0};
  return std::fabs(rest) == 90 ? Complex<double>{0, rest / 90} : Complex<double>{-1, 0};
}

MandelbrotView make_decimal_view(DecimalView decimal, std::uint32_t width, std::uint32_t height,
                                 double angle) {
  MandelbrotView view{.width = width, .height = height, .angle = angle};
  const double re = decimal.re.rounded().value();
  const double im = decimal.im.rounded().value();
  const double half_width = decimal.width.rounded().value() / 2;
  const double half_height = half_width * height / width;
  view.window = {re - half_width, re + half_width, im - half_height, im + half_height};
  view.decimal = std::make_shared<const DecimalView>(std::move(decimal));
  return view;
}

bool distinguishes_pixels(Precision precision, const MandelbrotView& view) {
  constexpr double kUnits = 8;
  const ComplexWindow& window = view.window;
  const double largest = std::max({std::fabs(window.re_min), std::fabs(window.re_max),
                                   std::fabs(window.im_min), std::fabs(window.im_max)});
  const double spacing =
      std::min((window.re_max - window.re_min) / view.width, (window.im_max - window.im_min) / view.height);
  const double unit = precision == Precision::kFloat ? std::numeric_limits<float>::epsilon()
                                                     : std::numeric_limits<double>::epsilon();
  return spacing >= kUnits * unit * largest;
}

Precision resolve_precision(Precision precision, const MandelbrotView& view, const EscapeTimeSet& set) {
  if (precision != Precision::kAuto) return precision;
  if (view.decimal && set.perturbs()) {
    return is_above(view.decimal->width.rounded().exponent, kLeastDoubleExponent, set)
               ? Precision::kPerturbedDouble
               : Precision::kPerturbedWide;
  }
  return distinguishes_pixels(Precision::kFloat, view) ? Precision::kFloat : Precision::kDouble;
}

MandelbrotConfig resolved(MandelbrotConfig config, const MandelbrotView& view) {
  config.exact = config.exact || config.precision == Precision::kAuto;
  config.precision = resolve_precision(config.precision, view, config.set);
  config.exact = config.exact && (config.precision == Precision::kPerturbedDouble ||
                                  config.precision == Precision::kPerturbedWide);
  return config;
}

void validate(const MandelbrotView& view, Precision precision, const EscapeTimeSet& set) {
  check_range("width", view.width, 1, kMaxSide);
  check_range("height", view.height, 1, kMaxSide);
  if (!std::isfinite(view.angle))
    throw InputError(
        fmt::format("angle: {} is not allowed; allowed: a finite number of degrees", view.angle));
  if (is_perturbed(precision)) return check_perturbed(set, view, precision);
  check_axis("re", view.window.re_min, view.window.re_max, view, precision);
  check_axis("im", view.window.im_min, view.window.im_max, view, precision);
}

void validate(const MandelbrotConfig& config, const MandelbrotView& view) {
  validate(config);
  if (config.set.formula == Formula::kCustom) config.set.custom.check();
  if (!config.set.perturbs() && view.decimal && !distinguishes_pixels(Precision::kDouble, view)) {
    throw InputError(
        fmt::format("width {} is not allowed: {}, and double cannot tell the pixels apart; "
                    "allowed: larger widths, or --formula mandelbrot",
                    shown_digits_of(*view.decimal).width, perturbation_problem(config.set)));
  }
  validate(view, config.precision, config.set);
}

std::string perturbation_problem(const EscapeTimeSet& set) {
  return fmt::format("there is no perturbation for {}", name_of(set.formula));
}

}  // namespace loom
