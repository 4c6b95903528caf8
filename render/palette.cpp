#include "render/palette.h"

#include <toml++/toml.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>
#include <stdexcept>

#include "palettes.h"

namespace loom::render {
namespace {

// The least that a living cell lifts its pixel's colour above that of dead cells, in entries of the ramp.
constexpr double kFirstLivingEntry = 48;

Rgb parse_colour(std::optional<std::string_view> text, const std::string& palette) {
  unsigned value = 0;
  if (text && text->size() == 7 && text->front() == '#') {
    const char* end = text->data() + text->size();
    const auto [rest, error] = std::from_chars(text->data() + 1, end, value, 16);
    if (error == std::errc() && rest == end) {
      return {static_cast<std::uint8_t>(value >> 16), static_cast<std::uint8_t>(value >> 8 & 255u),
              static_cast<std::uint8_t>(value & 255u)};
    }
  }
  throw std::runtime_error("palette " + palette + ": colours are written \"#rrggbb\"");
}

std::uint8_t mix(std::uint8_t from, std::uint8_t to, double part) {
  return static_cast<std::uint8_t>(std::lround(from + (to - from) * part));
}

/// 256 entries by linear interpolation between evenly spaced control colours.
std::array<Rgb, 256> interpolate(const std::vector<Rgb>& controls) {
  std::array<Rgb, 256> ramp;
  for (std::size_t i = 0; i < ramp.size(); ++i) {
    const double position = static_cast<double>(i) * static_cast<double>(controls.size() - 1) /
                            static_cast<double>(ramp.size() - 1);
    const std::size_t below = std::min(static_cast<std::size_t>(position), controls.size() - 2);
    const double part = position - static_cast<double>(below);
    const Rgb& a = controls[below];
    const Rgb& b = controls[below + 1];
    ramp[i] = {mix(a.r, b.r, part), mix(a.g, b.g, part), mix(a.b, b.b, part)};
  }
  return ramp;
}

Palette parse_palette(std::string_view text) {
  const toml::table table = toml::parse(text);
  Palette palette;
  palette.name = table["name"].value_or(std::string());
  palette.hole = parse_colour(table["hole"].value<std::string_view>(), palette.name);
  palette.outside = parse_colour(table["outside"].value<std::string_view>(), palette.name);
  std::vector<Rgb> controls;
  if (const toml::array* entries = table["ramp"].as_array()) {
    for (const toml::node& entry : *entries) {
      controls.push_back(parse_colour(entry.value<std::string_view>(), palette.name));
    }
  }
  if (controls.size() < 2)
    throw std::runtime_error("palette " + palette.name + ": a ramp has at least two colours");
  palette.ramp = interpolate(controls);
  return palette;
}

}  // namespace

const std::vector<Palette>& palettes() {
  static const std::vector<Palette> all = {
      parse_palette(embedded::cividis_toml), parse_palette(embedded::viridis_toml),
      parse_palette(embedded::magma_toml), parse_palette(embedded::chalkboard_toml),
      parse_palette(embedded::paper_toml)};
  return all;
}

const Palette* find_palette(std::string_view name) {
  const auto found = std::ranges::find(palettes(), name, &Palette::name);
  return found != palettes().end() ? &*found : nullptr;
}

int ramp_index(double density) {
  if (!(density > 0)) return 0;
  const double root = std::sqrt(std::min(density, 1.0));
  return static_cast<int>(std::lround(kFirstLivingEntry + (255 - kFirstLivingEntry) * root));
}

Rgb display_colour(const Palette& palette, std::uint16_t value) {
  if (value == 0) return palette.hole;
  return palette.ramp[static_cast<std::size_t>(ramp_index((value - 1) / 65534.0))];
}

}  // namespace loom::render
