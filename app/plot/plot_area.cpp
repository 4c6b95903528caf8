#include "app/plot/plot_area.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <numbers>

namespace loom::app::plot {

std::pair<int, int> level_range(const Figure& figure) {
  int first = std::numeric_limits<int>::max();
  int last = 0;
  for (const Panel& panel : figure.panels) {
    for (const Series& series : panel.series) {
      for (const Point& point : series.points) {
        first = std::min(first, point.level);
        last = std::max(last, point.level);
      }
    }
  }
  return {first, last};
}

int PlotArea::level_step(double room) const {
  const double each = box.size.x / (last_level - first_level + 1);
  for (int step : {1, 2, 5, 10}) {
    if (each * step >= room) return step;
  }
  return 20;
}

namespace {

constexpr int kMaxByteTicks = 9;
constexpr double kFewDecades = 0.8;

std::string bytes_label(int exponent) {
  constexpr std::array kUnits = {"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
  const int unit = std::min<int>(exponent / 10, kUnits.size() - 1);
  return fmt::format("{} {}", std::uint64_t{1} << (exponent - 10 * unit),
                     kUnits[static_cast<std::size_t>(unit)]);
}

std::vector<Tick> byte_ticks(double low, double high) {
  const int first = std::max(0, static_cast<int>(std::ceil(std::log2(low))));
  const int last = static_cast<int>(std::floor(std::log2(high)));
  int step = 1;
  for (int wider : {2, 5, 10}) {
    if ((last - first) / step + 1 > kMaxByteTicks) step = wider;
  }
  std::vector<Tick> ticks;
  for (int exponent = (first + step - 1) / step * step; exponent <= last; exponent += step) {
    ticks.push_back({std::exp2(exponent), bytes_label(exponent)});
  }
  return ticks;
}

std::string decimal_label(Quantity kind, double value) {
  if (kind == Quantity::kUtilization) return fmt::format("{:g} %", 100 * value);
  return fmt::format("{:g}{}", value, kind == Quantity::kSpeedup ? "×" : "");
}

/// Ticks at 1, 2 and 5 times each power of ten. With many decades only powers of ten have labels, and with
/// very many only they have ticks. Short ranges have additional ticks.
std::vector<Tick> decimal_ticks(Quantity kind, double low, double high) {
  const double decades = std::log10(high / low);
  std::vector<Tick> ticks;
  const int last = static_cast<int>(std::floor(std::log10(high)));
  for (int exponent = static_cast<int>(std::floor(std::log10(low))); exponent <= last; ++exponent) {
    for (double mantissa : {1.0, 1.2, 1.5, 2.0, 2.5, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0}) {
      const bool is_round = mantissa == 1 || mantissa == 2 || mantissa == 5;
      if (!is_round && decades > kFewDecades) continue;
      if (mantissa != 1 && decades > 5) continue;
      const double value = mantissa * std::pow(10.0, exponent);
      if (value < low || value > high) continue;
      const bool labelled = mantissa == 1 || decades <= 2.5;
      ticks.push_back({value, labelled ? decimal_label(kind, value) : ""});
    }
  }
  return ticks;
}

}  // namespace

double LogAxis::position(double value) const {
  return std::log(value / low) / std::log(high / low);
}

LogAxis make_axis(const Figure& figure) {
  double low = figure.kind == Quantity::kSpeedup ? 1 : std::numeric_limits<double>::max();
  double high = figure.kind == Quantity::kSpeedup ? 1 : 0;
  for (const Panel& panel : figure.panels) {
    for (const Series& series : panel.series) {
      for (const Point& point : series.points) {
        low = std::min(low, point.value);
        high = std::max(high, point.value);
      }
    }
  }
  // A margin for the markers, and a minimum range if all values are similar.
  const double room = std::max(std::pow(high / low, 0.05), high / low < 1.5 ? 1.4 : 1.0);
  LogAxis axis{low / room, high * room, {}};
  axis.ticks = figure.kind == Quantity::kMemory ? byte_ticks(axis.low, axis.high)
                                                : decimal_ticks(figure.kind, axis.low, axis.high);
  return axis;
}

namespace {

using diagram::ColourPair;

// On a dark background the same hues are lighter, and white replaces black.
constexpr std::array<ColourPair, kColours> kPalette = {{{{0, 0, 0}, {242, 242, 242}},
                                                        {{230, 159, 0}, {240, 173, 28}},
                                                        {{0, 114, 178}, {61, 143, 245}},
                                                        {{86, 180, 233}, {143, 214, 250}},
                                                        {{213, 94, 0}, {245, 120, 46}},
                                                        {{0, 158, 115}, {28, 189, 143}},
                                                        {{204, 121, 167}, {230, 150, 196}}}};
constexpr ColourPair kGrey = {{115, 115, 115}, {168, 176, 189}};

constexpr std::array<Marker, kColours> kMarkers = {Marker::kCircle,  Marker::kSquare,       Marker::kTriangle,
                                                   Marker::kDiamond, Marker::kDownTriangle, Marker::kCross,
                                                   Marker::kStar};

constexpr float kShort[] = {0.48f, 0.29f};
constexpr float kDots[] = {0.14f, 0.24f};
constexpr float kDashDot[] = {0.67f, 0.24f, 0.14f, 0.24f};
constexpr float kLong[] = {1.05f, 0.38f};
constexpr float kDashDotDot[] = {0.67f, 0.24f, 0.14f, 0.24f, 0.14f, 0.24f};
constexpr float kTwoDash[] = {0.76f, 0.19f, 0.29f, 0.19f};
constexpr float kSparse[] = {0.19f, 0.57f};

/// `count` points on a circle, clockwise; the first at `start` radians, clockwise from the right.
std::vector<glm::vec2> on_circle(glm::vec2 centre, float radius, int count, float start) {
  std::vector<glm::vec2> points;
  for (int i = 0; i < count; ++i) {
    const float angle =
        start + 2 * std::numbers::pi_v<float> * static_cast<float>(i) / static_cast<float>(count);
    points.push_back(centre + radius * glm::vec2{std::cos(angle), std::sin(angle)});
  }
  return points;
}

}  // namespace

ColourPair series_colour(std::size_t style_index) {
  for (const MapKind map : kMapKinds) {
    if (style_index != style_of(map)) continue;
    const glm::u8vec3 colour(glm::vec3(colour_of(map)) * 255.0f);
    return {colour, colour};
  }
  return style_index == kUniformStyle ? kGrey : kPalette[style_index % kColours];
}

Marker series_marker(std::size_t style_index) {
  constexpr std::size_t kShift = 3;
  const std::size_t first = style_of(kMapKinds.front());
  if (style_index >= first && style_index != kUniformStyle) style_index -= first;
  return style_index == kUniformStyle ? Marker::kRing
                                      : kMarkers[(style_index + style_index / kColours * kShift) % kColours];
}

void draw_marker(diagram::Diagram& diagram, glm::vec2 centre, float radius, Marker marker,
                 const diagram::Paint& paint) {
  constexpr int kCircleCorners = 20;
  constexpr float kQuarter = std::numbers::pi_v<float> / 2;
  const float stroke = radius * 0.47f;
  const auto polygon = [&](float scale, int corners, float start) {
    diagram.polygon({on_circle(centre, radius * scale, corners, start), paint});
  };
  // Lines through the centre, at equal angles.
  const auto strokes = [&](int count, float start) {
    const auto ends = on_circle(centre, radius * 1.2f, 2 * count, start);
    for (std::size_t i = 0; i < ends.size() / 2; ++i)
      diagram.line({{ends[i], ends[i + ends.size() / 2]}, paint, stroke});
  };
  switch (marker) {
    case Marker::kCircle:
      return polygon(1, kCircleCorners, 0);
    case Marker::kSquare:
      return polygon(1.2f, 4, kQuarter / 2);
    case Marker::kTriangle:
      return polygon(1.3f, 3, -kQuarter);
    case Marker::kDiamond:
      return polygon(1.3f, 4, kQuarter);
    case Marker::kDownTriangle:
      return polygon(1.3f, 3, kQuarter);
    case Marker::kCross:
      return strokes(2, kQuarter / 2);
    case Marker::kStar:
      return strokes(3, kQuarter);
    case Marker::kRing:
      auto points = on_circle(centre, radius, kCircleCorners, 0);
      points.push_back(points.front());
      return diagram.line({std::move(points), paint, stroke});
  }
}

std::span<const float> series_dash(std::size_t index) {
  static constexpr std::array<std::span<const float>, kDashes> kPatterns = {
      std::span<const float>(), kShort, kDots, kDashDot, kLong, kDashDotDot, kTwoDash, kSparse};
  return kPatterns[index % kDashes];
}

}  // namespace loom::app::plot
