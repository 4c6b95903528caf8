#include "compute/mandelbrot/formula.h"

#include <fmt/format.h>

#include <charconv>
#include <system_error>

#include "compute/core/error.h"

namespace loom {
namespace {

InputError bad_julia_point(std::string_view text) {
  return InputError(fmt::format(
      "Julia point '{}' is not allowed; allowed: RE,IM with a distance from 0 of at most 2, since the escape "
      "radius is 2, or off",
      text));
}

/// Reads a number at the beginning of `text` and removes it.
bool take_number(std::string_view& text, double& number) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{}) return false;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return true;
}

}  // namespace

PlaneRectangle whole_of(const EscapeTimeSet& set) {
  if (set.julia) return {0, 0, 3.6, 3.2};
  const bool is_square = set.formula == Formula::kMultibrot && set.power == 2;
  return row_of(is_square ? Formula::kMandelbrot : set.formula).whole;
}

std::string to_string(const EscapeTimeSet& set) {
  std::string text(name_of(set.formula));
  if (set.formula == Formula::kMultibrot) text += fmt::format(" {}", set.power);
  if (!set.julia) return text;
  return fmt::format("Julia set of {} at {} {} {} i", text, set.julia->re, set.julia->im < 0 ? '-' : '+',
                     std::fabs(set.julia->im));
}

void validate(const EscapeTimeSet& set) {
  if (set.power < kMinPower || set.power > kMaxPower) {
    throw InputError(
        fmt::format("power = {} is not allowed; allowed: {} to {}", set.power, kMinPower, kMaxPower));
  }
  if (set.formula == Formula::kCustom && set.custom.empty()) set.custom.check();
  // Written so that NaN, which compares false with everything, is refused.
  if (set.julia && !(set.julia->re * set.julia->re + set.julia->im * set.julia->im <= 4))
    throw bad_julia_point(to_string(set.julia));
}

std::string to_string(const std::optional<JuliaPoint>& point) {
  return point ? fmt::format("{},{}", point->re, point->im) : "off";
}

std::optional<JuliaPoint> parse_julia_point(std::string_view text) {
  if (text == "off") return std::nullopt;
  std::string_view rest = text;
  JuliaPoint point;
  if (!take_number(rest, point.re) || !rest.starts_with(',')) throw bad_julia_point(text);
  rest.remove_prefix(1);
  if (!take_number(rest, point.im) || !rest.empty()) throw bad_julia_point(text);
  return point;
}

}  // namespace loom
