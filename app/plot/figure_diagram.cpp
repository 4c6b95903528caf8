#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <vector>

#include "app/plot/figure.h"
#include "app/plot/plot_area.h"

namespace loom::app::plot {
namespace {

using diagram::Align;
using diagram::ColourRole;
using diagram::Diagram;
using Face = diagram::Text::Face;

// All lengths are in font sizes.
constexpr float kTitleSize = 1.35f;
constexpr float kCaptionSize = 0.81f;
constexpr float kMinPanelWidth = 12;
constexpr float kMinPanelHeight = 10;
constexpr float kPanelGap = 1.4f;
constexpr float kLegendGap = 1.5f;
constexpr float kLegendLine = 1.55f;
constexpr float kSwatch = 3;
constexpr float kSwatchGap = 0.5f;
constexpr float kMarkerRadius = 0.3f;
constexpr float kReach = 0.8f;  ///< largest distance from the mouse to a point that it finds
constexpr float kTickLength = 0.35f;
constexpr float kMiddle = 0.57f;  ///< from the top of a text to the middle of its digits
constexpr float kGridLine = 0.08f;
constexpr float kSeriesLine = 0.15f;
// On a page.
constexpr float kOnePanelWidth = 43;
constexpr float kPanelWidth = 29;
constexpr float kPanelHeight = 31;
constexpr float kGridHeight = 24;  ///< of a panel if there are several rows

float item_width(const Diagram& diagram, const LegendItem& item) {
  return kSwatch + kSwatchGap + diagram.text_width(item.text);
}

class FigureLayout {
 public:
  FigureLayout(const Figure& figure, const diagram::TextWidth& text_width, std::optional<glm::vec2> window)
      : figure_(figure), window_(window), axis_(make_axis(figure)), diagram_(text_width) {}

  Diagram lay_out() && {
    measure();
    float y = 0;
    if (!window_) {
      diagram_.text({.at = {0, 0}, .text = figure_.title, .size = kTitleSize, .face = Face::kBold});
      y = (kTitleSize + 0.2f) * Diagram::kLine;
    }
    y = draw_wrapped(diagram_, {0, y}, width_, figure_.y_label) + 0.3f;
    place_panels(y);
    for (std::size_t i = 0; i < areas_.size(); ++i) panel(i);
    y = static_cast<float>(areas_.back().box.end().y) + 1.4f * Diagram::kLine;
    const double middle = (areas_.front().box.corner.x + areas_[columns_ - 1].box.end().x) / 2;
    diagram_.text({.at = {static_cast<float>(middle), y}, .text = figure_.x_label, .align = Align::kCentre});
    y += 1.5f * Diagram::kLine;
    y = std::max(y, legend_beside_ ? legend_beside() : legend_below(y, true));
    if (!window_) draw_wrapped(diagram_, {0, y}, width_, figure_.caption, ColourRole::kMuted, kCaptionSize);
    return std::move(diagram_);
  }

 private:
  /// Width, number of columns and the place of the legend.
  void measure() {
    for (const Tick& tick : axis_.ticks) labels_ = std::max(labels_, diagram_.text_width(tick.label));
    labels_ += 2 * kTickLength;
    float legend = 0;
    for (const LegendSection& section : figure_.legend) {
      legend = std::max(legend, diagram_.text_width(section.title, Face::kBold));
      for (const LegendItem& item : section.items) legend = std::max(legend, item_width(diagram_, item));
    }
    legend += kLegendGap;
    const std::size_t panels = figure_.panels.size();
    const auto across = static_cast<float>(figure_.columns);
    const float natural =
        labels_ + legend + (panels > 1 ? across * (kPanelWidth + kPanelGap) - kPanelGap : kOnePanelWidth);
    width_ = window_ ? window_->x
                     : std::max(natural, kTitleSize * diagram_.text_width(figure_.title, Face::kBold));
    legend_beside_ = width_ - legend - labels_ >= kMinPanelWidth * 1.6f;
    lines_width_ = width_ - labels_ - (legend_beside_ ? legend : kTickLength);
    const float fitting = std::max(1.0f, (lines_width_ + kPanelGap) / (kMinPanelWidth + kPanelGap));
    columns_ = std::min({figure_.columns, panels, static_cast<std::size_t>(fitting)});
  }

  void place_panels(float top) {
    const std::size_t panels = figure_.panels.size();
    const auto across = static_cast<float>(columns_);
    const auto rows = static_cast<float>((panels + columns_ - 1) / columns_);
    const float title = panels > 1 ? 1.5f * Diagram::kLine : 0.4f;
    const float below = 1.3f * Diagram::kLine;  // level labels
    float height = rows > 1 ? kGridHeight : std::max(kPanelHeight, legend_height());
    if (window_) {
      const float foot =
          legend_beside_ ? 1.1f * Diagram::kLine : 1.6f * Diagram::kLine + legend_below(0, false);
      height = (window_->y - top - foot) / rows - title - below;
    }
    height = std::max(height, kMinPanelHeight);
    const float width = (lines_width_ - (across - 1) * kPanelGap) / across;
    const auto [first, last] = level_range(figure_);
    for (std::size_t i = 0; i < panels; ++i) {
      const float left = labels_ + static_cast<float>(i % columns_) * (width + kPanelGap);
      const float above = static_cast<float>(i / columns_) * (title + height + below);
      areas_.push_back({{{left, top + title + above}, {width, height}}, first, last, axis_, figure_.x_axis});
    }
  }

  void line(glm::dvec2 from, glm::dvec2 to, ColourRole role) {
    diagram_.line({{glm::vec2(from), glm::vec2(to)}, role, kGridLine});
  }

  /// x values of the vertical grid lines: every level, or the measured values.
  std::set<int> upright_lines(const PlotArea& area) const {
    std::set<int> levels;
    for (int level = area.first_level; level <= area.last_level && !is_logarithmic(figure_.x_axis); ++level)
      levels.insert(level);
    for (const Panel& panel : figure_.panels) {
      for (const Series& series : panel.series) {
        for (const Point& point : series.points) levels.insert(point.level);
      }
    }
    return levels;
  }

  void panel(std::size_t index) {
    const PlotArea& area = areas_[index];
    const auto& [corner, size] = area.box;
    const glm::dvec2 end = area.box.end();
    const Panel& panel = figure_.panels[index];
    const int step = is_logarithmic(figure_.x_axis) ? 1 : area.level_step(1.7);
    for (const int level : upright_lines(area)) {
      const double x = area.x(level);
      line({x, corner.y}, {x, end.y}, ColourRole::kMinorGrid);
      line({x, end.y}, {x, end.y + kTickLength}, ColourRole::kMuted);
      if (level % step != 0) continue;
      diagram_.text({.at = {static_cast<float>(x), static_cast<float>(end.y) + kTickLength + 0.1f},
                     .text = fmt::format("{}", level),
                     .align = Align::kCentre});
    }
    for (const Tick& tick : axis_.ticks) {
      const double y = area.y(tick.value);
      line({corner.x, y}, {end.x, y}, tick.label.empty() ? ColourRole::kMinorGrid : ColourRole::kGrid);
      if (index % columns_ != 0) continue;
      line({corner.x - kTickLength, y}, {corner.x, y}, ColourRole::kMuted);
      diagram_.text(
          {.at = {static_cast<float>(corner.x) - 1.6f * kTickLength, static_cast<float>(y) - kMiddle},
           .text = tick.label,
           .align = Align::kRight});
    }
    if (figure_.kind == Quantity::kSpeedup)
      line({corner.x, area.y(1)}, {end.x, area.y(1)}, ColourRole::kText);
    line(corner, {corner.x, end.y}, ColourRole::kMuted);
    line({corner.x, end.y}, end, ColourRole::kMuted);
    diagram_.text({.at = {static_cast<float>(corner.x + size.x / 2),
                          static_cast<float>(corner.y) - 1.3f * Diagram::kLine},
                   .text = panel.title,
                   .align = Align::kCentre,
                   .face = Face::kBold});
    for (const Series& series : panel.series) lines_of(area, series);
  }

  void lines_of(const PlotArea& area, const Series& series) {
    std::vector<glm::vec2> points;
    for (const Point& point : series.points)
      points.push_back(glm::vec2(area.x(point.level), area.y(point.value)));
    const diagram::ColourPair colour = series_colour(series.colour);
    diagram_.line({points, colour, kSeriesLine, series_dash(series.dash)});
    for (const glm::vec2& point : points) {
      draw_marker(diagram_, point, kMarkerRadius, series_marker(series.colour), colour);
      const int tag = static_cast<int>(diagram_.hotspots().size());
      diagram_.hotspot({{point - kReach, glm::vec2(2 * kReach)}, "", tag});
    }
  }

  void legend_title(glm::vec2 at, const std::string& title) {
    diagram_.text({.at = at, .text = title, .face = Face::kBold});
  }

  void legend_item(glm::vec2 at, const LegendItem& item) {
    const glm::vec2 middle = at + glm::vec2{0, kMiddle};
    const diagram::Paint paint =
        item.colour ? diagram::Paint(series_colour(*item.colour)) : ColourRole::kText;
    diagram_.line({{middle, middle + glm::vec2{kSwatch, 0}}, paint, kSeriesLine, series_dash(item.dash)});
    if (item.colour)
      draw_marker(diagram_, middle + glm::vec2{kSwatch / 2, 0}, kMarkerRadius, series_marker(*item.colour),
                  paint);
    diagram_.text({.at = at + glm::vec2{kSwatch + kSwatchGap, 0}, .text = item.text});
  }

  float legend_height() const {
    float lines = 0;
    for (const LegendSection& section : figure_.legend)
      lines += 1.6f + static_cast<float>(section.items.size());
    return lines * kLegendLine;
  }

  /// Draws the legend right of the panels. Returns the y below it.
  float legend_beside() {
    const float x = labels_ + lines_width_ + kLegendGap;
    float y = static_cast<float>(areas_.front().box.corner.y);
    for (const LegendSection& section : figure_.legend) {
      legend_title({x, y}, section.title);
      y += kLegendLine;
      for (const LegendItem& item : section.items) {
        legend_item({x, y}, item);
        y += kLegendLine;
      }
      y += 0.6f * kLegendLine;
    }
    return y;
  }

  /// Draws the legend below the panels, or only measures it. Returns the y below it.
  float legend_below(float y, bool draws) {
    for (const LegendSection& section : figure_.legend) {
      if (draws) legend_title({0, y}, section.title);
      float x = diagram_.text_width(section.title, Face::kBold) + 1;
      for (const LegendItem& item : section.items) {
        const float width = item_width(diagram_, item);
        if (x + width > width_) {
          x = 1;
          y += kLegendLine;
        }
        if (draws) legend_item({x, y}, item);
        x += width + 1;
      }
      y += kLegendLine;
    }
    return y;
  }

  const Figure& figure_;
  std::optional<glm::vec2> window_;
  LogAxis axis_;
  Diagram diagram_;
  float width_ = 0;
  float labels_ = 0;       ///< left of the panels, for the labels of the ticks
  float lines_width_ = 0;  ///< of all panels in a row
  bool legend_beside_ = true;
  std::size_t columns_ = 1;
  std::vector<PlotArea> areas_;
};

}  // namespace

Diagram figure_diagram(const Figure& figure, const diagram::TextWidth& text_width,
                       std::optional<glm::vec2> window) {
  if (figure.landscape)
    return landscape_diagram(*figure.landscape, text_width, window, figure.title, figure.caption);
  return FigureLayout(figure, text_width, window).lay_out();
}

std::pair<const Series*, std::size_t> point_of(const Figure& figure, int tag) {
  auto index = static_cast<std::size_t>(tag);
  for (const Panel& panel : figure.panels) {
    for (const Series& series : panel.series) {
      if (index < series.points.size()) return {&series, index};
      index -= series.points.size();
    }
  }
  return {nullptr, 0};
}

}  // namespace loom::app::plot
