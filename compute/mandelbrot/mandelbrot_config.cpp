#include "compute/mandelbrot/mandelbrot_config.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <system_error>

#include "compute/core/coord.h"
#include "compute/core/error.h"

namespace loom {
namespace {

constexpr std::uint32_t kMaxSide = 1 << 20;

void check_range(std::string_view name, std::uint32_t value, std::uint32_t lowest, std::uint32_t highest) {
  if (value >= lowest && value <= highest) return;
  throw InputError(fmt::format("{} = {} is not allowed; allowed: {} to {}", name, value, lowest, highest));
}

/// The ends of an axis after conversion to the arithmetic.
template <typename Real>
bool is_proper(double low, double high) {
  return std::isfinite(static_cast<Real>(low)) && std::isfinite(static_cast<Real>(high)) &&
         std::isfinite(static_cast<Real>(high - low)) && static_cast<Real>(high - low) > 0;
}

void check_axis(std::string_view name, double low, double high, Precision precision) {
  if (precision == Precision::kFloat ? is_proper<float>(low, high) : is_proper<double>(low, high)) return;
  throw InputError(fmt::format(
      "window: {} from {} to {} is not allowed; allowed: finite numbers in {}, the first below the "
      "second",
      name, low, high, name_of(precision)));
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
  switch (method) {
    case MandelbrotMethod::kExhaustive:
      return "exhaustive";
    case MandelbrotMethod::kDp:
      return "dp";
    case MandelbrotMethod::kAsk:
      return "ask";
  }
  return "unknown";
}

std::string_view name_of(RegionScheme scheme) {
  return scheme == RegionScheme::kSbr ? "sbr" : "mbr";
}

std::string_view name_of(Precision precision) {
  return precision == Precision::kFloat ? "float" : "double";
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

void set_method(MandelbrotConfig& config, MandelbrotMethod method) {
  const auto default_block = [](MandelbrotMethod of) {
    return of == MandelbrotMethod::kDp ? BlockShape{64, 8} : BlockShape{};
  };
  if (config.block == default_block(config.method)) config.block = default_block(method);
  config.method = method;
}

void validate(const MandelbrotConfig& config) {
  check_range("g", config.g, 1, kMaxDivision);
  check_range("r", config.r, 2, kMaxDivision);
  check_range("B", config.b, 1, kMaxDivision);
  check_range("dwell limit", config.dwell_limit, 1, kMaxDwellLimit);
  const BlockShape block = config.block;
  const std::uint64_t threads = std::uint64_t{block.x} * block.y;
  if (threads == 0 || threads > kMaxBlockThreads || threads % 32 != 0)
    throw bad_block_shape(to_string(block));
}

void validate(const MandelbrotView& view, Precision precision) {
  check_range("width", view.width, 1, kMaxSide);
  check_range("height", view.height, 1, kMaxSide);
  check_axis("re", view.window.re_min, view.window.re_max, precision);
  check_axis("im", view.window.im_min, view.window.im_max, precision);
}

}  // namespace loom
