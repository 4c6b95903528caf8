#include "app/plot/draw_figure.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <vector>

#include "app/plot/canvas.h"
#include "app/plot/plot_area.h"

namespace loom::app::plot {
namespace {

constexpr Colour kInk = {0.13, 0.13, 0.13};
constexpr Colour kFrame = {0.45, 0.45, 0.45};
constexpr Colour kMajorGrid = {0.84, 0.84, 0.84};
constexpr Colour kMinorGrid = {0.93, 0.93, 0.93};
constexpr TextStyle kTitle = {.size = 14, .weight = Weight::kBold, .colour = kInk};
constexpr TextStyle kPanelTitle = {.size = 11.5, .weight = Weight::kBold, .colour = kInk};
constexpr TextStyle kLabel = {.size = 11.5, .colour = kInk};
constexpr TextStyle kTickText = {.size = 10.5, .colour = kInk};
constexpr TextStyle kLegendTitle = {.size = 10.5, .weight = Weight::kBold, .colour = kInk};
constexpr TextStyle kCaption = {.size = 8.5, .colour = {0.33, 0.33, 0.33}};

constexpr double kMargin = 16;
constexpr double kPanelHeight = 330;
constexpr double kOnePanelWidth = 460;
constexpr double kPanelWidth = 310;
constexpr double kPanelGap = 18;
constexpr double kPanelRoom = 44;    ///< between rows: level labels above, title of the next panel below
constexpr double kGridHeight = 250;  ///< height of a panel if there are several rows
constexpr double kLegendGap = 16;
constexpr double kLegendLine = 17;
constexpr double kSwatch = 38;
constexpr double kCaptionLine = 12.5;
constexpr double kMarkerSize = 3.2;

/// Positions of all parts of the page. The page size follows from them.
struct Layout {
  Size page = {};
  std::vector<PlotArea> plot_areas = {};
  double legend_left = 0;
  std::vector<std::string> caption = {};
  double caption_top = 0;
};

double legend_width(Canvas& measure, const Figure& figure) {
  double width = 0;
  for (const LegendSection& section : figure.legend) {
    width = std::max(width, measure.text_width(section.title, kLegendTitle));
    for (const LegendItem& item : section.items) {
      width = std::max(width, kSwatch + 6 + measure.text_width(item.text, kTickText));
    }
  }
  return width;
}

double legend_height(const Figure& figure) {
  double lines = 0;
  for (const LegendSection& section : figure.legend) lines += 1.6 + static_cast<double>(section.items.size());
  return lines * kLegendLine;
}

Layout lay_out(const Figure& figure) {
  Canvas measure(FigureFormat::kSvg, {1, 1}, "");
  const LogAxis axis = make_axis(figure);
  double tick_width = 0;
  for (const Tick& tick : axis.ticks)
    tick_width = std::max(tick_width, measure.text_width(tick.label, kTickText));
  const auto [first, last] = level_range(figure);

  Layout layout;
  const std::size_t rows = (figure.panels.size() + figure.columns - 1) / figure.columns;
  const bool several = figure.panels.size() > 1;
  const double panel_width = several ? kPanelWidth : kOnePanelWidth;
  const double top = kMargin + 26 + (several ? 20 : 0);
  const double panel_height = rows > 1 ? kGridHeight : std::max(kPanelHeight, legend_height(figure));
  const double start = kMargin + 20 + tick_width + 6;
  for (std::size_t i = 0; i < figure.panels.size(); ++i) {
    const double left = start + (panel_width + kPanelGap) * static_cast<double>(i % figure.columns);
    const double above = (panel_height + kPanelRoom) * static_cast<double>(i / figure.columns);
    layout.plot_areas.push_back(
        {left, top + above, panel_width, panel_height, first, last, axis, figure.by_devices});
  }
  const double left = start + (panel_width + kPanelGap) * static_cast<double>(figure.columns);
  const double height =
      std::max(legend_height(figure), (panel_height + kPanelRoom) * static_cast<double>(rows) - kPanelRoom);
  layout.legend_left = left - kPanelGap + kLegendGap;
  layout.page.width = std::max(layout.legend_left + legend_width(measure, figure) + kMargin,
                               2 * kMargin + measure.text_width(figure.title, kTitle));
  layout.caption_top = top + height + 52;
  layout.caption = wrap(measure, figure.caption, kCaption, layout.page.width - 2 * kMargin);
  layout.page.height =
      layout.caption_top + kCaptionLine * static_cast<double>(layout.caption.size()) + kMargin - 6;
  return layout;
}

/// x values of the vertical grid lines: every level, or the measured numbers of devices.
std::vector<int> upright_lines(const Figure& figure, const PlotArea& plot_area) {
  std::set<int> places;
  for (int level = plot_area.first_level; level <= plot_area.last_level && !figure.by_devices; ++level)
    places.insert(level);
  for (const Panel& panel : figure.panels) {
    for (const Series& series : panel.series) {
      for (const Point& point : series.points) places.insert(point.level);
    }
  }
  return {places.begin(), places.end()};
}

void draw_grid(Canvas& canvas, const Figure& figure, const PlotArea& plot_area) {
  for (const int level : upright_lines(figure, plot_area)) {
    canvas.straight_line(plot_area.x(level), plot_area.top, plot_area.x(level), plot_area.bottom(),
                         kMinorGrid, 1);
  }
  for (const Tick& tick : plot_area.axis.ticks) {
    const double y = plot_area.y(tick.value);
    canvas.straight_line(plot_area.left, y, plot_area.right(), y,
                         tick.label.empty() ? kMinorGrid : kMajorGrid, 1);
  }
}

void draw_frame(Canvas& canvas, const PlotArea& plot_area) {
  canvas.straight_line(plot_area.left, plot_area.top, plot_area.left, plot_area.bottom(), kFrame, 1);
  canvas.straight_line(plot_area.left, plot_area.bottom(), plot_area.right(), plot_area.bottom(), kFrame, 1);
}

void draw_level_ticks(Canvas& canvas, const Figure& figure, const PlotArea& plot_area) {
  const int step = figure.by_devices ? 1 : plot_area.level_step(18);
  for (const int level : upright_lines(figure, plot_area)) {
    canvas.straight_line(plot_area.x(level), plot_area.bottom(), plot_area.x(level), plot_area.bottom() + 4,
                         kFrame, 1);
    if (level % step != 0) continue;
    canvas.text(plot_area.x(level), plot_area.bottom() + 17, fmt::format("{}", level), kTickText,
                Align::kCentre);
  }
}

void draw_value_ticks(Canvas& canvas, const PlotArea& plot_area) {
  for (const Tick& tick : plot_area.axis.ticks) {
    const double y = plot_area.y(tick.value);
    canvas.straight_line(plot_area.left - 4, y, plot_area.left, y, kFrame, 1);
    canvas.text(plot_area.left - 7, y + 4, tick.label, kTickText, Align::kRight);
  }
}

void draw_series(Canvas& canvas, const PlotArea& plot_area, const Series& series) {
  std::vector<double> xs;
  std::vector<double> ys;
  for (const Point& point : series.points) {
    xs.push_back(plot_area.x(point.level));
    ys.push_back(plot_area.y(point.value));
  }
  const Colour colour = series_colour(series.colour);
  canvas.polyline(xs, ys, colour, series_dash(series.dash), 1.6);
  for (std::size_t i = 0; i < xs.size(); ++i) {
    canvas.marker(xs[i], ys[i], series_marker(series.colour), colour, kMarkerSize);
  }
}

void draw_panel(Canvas& canvas, const Figure& figure, std::size_t index, const PlotArea& plot_area) {
  const Panel& panel = figure.panels[index];
  draw_grid(canvas, figure, plot_area);
  if (figure.kind == Quantity::kSpeedup) {
    canvas.straight_line(plot_area.left, plot_area.y(1), plot_area.right(), plot_area.y(1), kInk, 1);
  }
  draw_frame(canvas, plot_area);
  draw_level_ticks(canvas, figure, plot_area);
  if (index % figure.columns == 0) draw_value_ticks(canvas, plot_area);
  canvas.text(plot_area.left + plot_area.width / 2, plot_area.top - 8, panel.title, kPanelTitle,
              Align::kCentre);
  const bool is_lowest = index + figure.columns >= figure.panels.size();
  if (is_lowest) {
    canvas.text(plot_area.left + plot_area.width / 2, plot_area.bottom() + 36, figure.x_label, kLabel,
                Align::kCentre);
  }
  for (const Series& series : panel.series) draw_series(canvas, plot_area, series);
}

void draw_legend(Canvas& canvas, const Figure& figure, double left, double top) {
  double y = top + 10;
  for (const LegendSection& section : figure.legend) {
    canvas.text(left, y, section.title, kLegendTitle);
    y += kLegendLine;
    for (const LegendItem& item : section.items) {
      const double middle = y - 4;
      const double xs[] = {left, left + kSwatch};
      const double ys[] = {middle, middle};
      const Colour colour = item.colour ? series_colour(*item.colour) : kInk;
      canvas.polyline(xs, ys, colour, series_dash(item.dash), 1.6);
      if (item.colour) {
        canvas.marker(left + kSwatch / 2, middle, series_marker(*item.colour), colour, kMarkerSize);
      }
      canvas.text(left + kSwatch + 6, y, item.text, kTickText);
      y += kLegendLine;
    }
    y += 0.6 * kLegendLine;
  }
}

}  // namespace

std::string draw_figure(const Figure& figure, FigureFormat format) {
  const Layout layout = lay_out(figure);
  Canvas canvas(format, layout.page, figure.title);
  canvas.text(kMargin, kMargin + 12, figure.title, kTitle);
  for (std::size_t i = 0; i < figure.panels.size(); ++i) {
    draw_panel(canvas, figure, i, layout.plot_areas[i]);
  }
  const PlotArea& first = layout.plot_areas.front();
  const double middle = (first.top + layout.plot_areas.back().bottom()) / 2;
  canvas.upward_text(kMargin + 10, middle, figure.y_label, kLabel);
  draw_legend(canvas, figure, layout.legend_left, first.top);
  double baseline = layout.caption_top + 8;
  for (const std::string& line : layout.caption) {
    canvas.text(kMargin, baseline, line, kCaption);
    baseline += kCaptionLine;
  }
  return canvas.finish();
}

}  // namespace loom::app::plot
