#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "app/plot/canvas.h"
#include "app/plot/draw_figure.h"

namespace loom::app::plot {
namespace {

constexpr Colour kInk = {0.13, 0.13, 0.13};
constexpr Colour kPaper = {1, 1, 1};
constexpr Colour kMark = {0.85, 0.10, 0.10};
constexpr Colour kEmpty = {0.95, 0.95, 0.95};
constexpr TextStyle kTitle = {.size = 14, .weight = Weight::kBold, .colour = kInk};
constexpr TextStyle kPanelTitle = {.size = 11, .weight = Weight::kBold, .colour = kInk};
constexpr TextStyle kTickText = {.size = 8, .colour = kInk};
constexpr TextStyle kNote = {.size = 9.5, .colour = kInk};
constexpr TextStyle kCaption = {.size = 8.5, .colour = {0.33, 0.33, 0.33}};

constexpr double kMargin = 16;
constexpr double kCell = 25;
constexpr double kLeftRoom = 36;    ///< left of a panel, for the values of g
constexpr double kTopRoom = 22;     ///< above a panel, for its title
constexpr double kBottomRoom = 36;  ///< below a panel, for the values of B
constexpr double kGap = 12;
constexpr double kNoteLine = 14;
constexpr double kBarWidth = 200;
constexpr double kBarHeight = 10;
constexpr std::size_t kMostColumns = 4;
constexpr double kLeastWidth = 480;

/// The colour of a share from 0 (slow) to 1 (fast). Lightness increases, so that it remains readable in grey.
Colour heat(double share) {
  constexpr std::array<Colour, 3> kStops = {{{0.10, 0.12, 0.36}, {0.13, 0.53, 0.55}, {0.99, 0.90, 0.35}}};
  const double at = std::clamp(share, 0.0, 1.0) * (kStops.size() - 1);
  const auto index = std::min<std::size_t>(static_cast<std::size_t>(at), kStops.size() - 2);
  const double part = at - static_cast<double>(index);
  const Colour& low = kStops[index];
  const Colour& high = kStops[index + 1];
  return {std::lerp(low.red, high.red, part), std::lerp(low.green, high.green, part),
          std::lerp(low.blue, high.blue, part)};
}

double share_of(const LandscapeFigure& landscape, double ms) {
  if (landscape.slowest_ms <= landscape.fastest_ms || ms <= 0) return 1;
  return std::log(landscape.slowest_ms / ms) / std::log(landscape.slowest_ms / landscape.fastest_ms);
}

/// Positions of the cells of a panel. g increases upwards, B to the right.
struct Grid {
  double left = 0;
  double top = 0;
  const LandscapeFigure* landscape = nullptr;

  static double place(const std::vector<std::uint32_t>& values, std::uint32_t value) {
    return static_cast<double>(std::find(values.begin(), values.end(), value) - values.begin());
  }
  double width() const { return kCell * static_cast<double>(landscape->bs.size()); }
  double height() const { return kCell * static_cast<double>(landscape->gs.size()); }
  double x(std::uint32_t b) const { return left + kCell * place(landscape->bs, b); }
  double y(std::uint32_t g) const { return top + height() - kCell * (place(landscape->gs, g) + 1); }
};

/// At most four characters wide: "0.12", "12.3", "1234".
std::string cell_text(double ms) {
  const int digits = ms < 10 ? 2 : ms < 100 ? 1 : 0;
  return fmt::format("{:.{}f}", ms, digits);
}

void draw_cell(Canvas& canvas, const Grid& grid, const LandscapeCell& cell) {
  const double share = share_of(*grid.landscape, cell.ms);
  const double x = grid.x(cell.b);
  const double y = grid.y(cell.g);
  canvas.rectangle(x, y, {kCell, kCell}, heat(share));
  const TextStyle style{.size = 7.5, .colour = share < 0.6 ? kPaper : kInk};
  canvas.text(x + kCell / 2, y + kCell / 2 + 3, cell_text(cell.ms), style, Align::kCentre);
}

void draw_frame(Canvas& canvas, double x, double y, double inset, std::span<const double> dash) {
  const double left = x + inset;
  const double top = y + inset;
  const double side = kCell - 2 * inset;
  const double xs[] = {left, left + side, left + side, left, left, left + side};
  const double ys[] = {top, top, top + side, top + side, top, top};
  canvas.polyline(xs, ys, kMark, dash, 2);
}

void draw_panel(Canvas& canvas, const Grid& grid, const LandscapePanel& panel) {
  const LandscapeFigure& landscape = *grid.landscape;
  canvas.text(grid.left, grid.top - 7, fmt::format("r = {}", panel.r), kPanelTitle);
  canvas.rectangle(grid.left, grid.top, {grid.width(), grid.height()}, kEmpty);
  for (const LandscapeCell& cell : panel.cells) draw_cell(canvas, grid, cell);
  for (const std::uint32_t b : landscape.bs) {
    canvas.text(grid.x(b) + kCell / 2, grid.top + grid.height() + 11, fmt::format("{}", b), kTickText,
                Align::kCentre);
  }
  for (const std::uint32_t g : landscape.gs) {
    canvas.text(grid.left - 4, grid.y(g) + kCell / 2 + 3, fmt::format("{}", g), kTickText, Align::kRight);
  }
  canvas.text(grid.left + grid.width() / 2, grid.top + grid.height() + 24, "B", kPanelTitle, Align::kCentre);
  canvas.text(grid.left - 6, grid.top - 7, "g", kPanelTitle, Align::kRight);
  constexpr std::array<double, 2> kDash = {3, 2};
  if (landscape.optimum.r == panel.r) {
    draw_frame(canvas, grid.x(landscape.optimum.b), grid.y(landscape.optimum.g), 1, {});
  }
  if (landscape.predicted && landscape.predicted->r == panel.r) {
    draw_frame(canvas, grid.x(landscape.predicted->b), grid.y(landscape.predicted->g), 4, kDash);
  }
}

void draw_bar(Canvas& canvas, const LandscapeFigure& landscape, double left, double top) {
  for (double at = 0; at < kBarWidth; ++at) {
    canvas.rectangle(left + at, top, {1.2, kBarHeight}, heat(1 - at / kBarWidth));
  }
  const std::string text = fmt::format("milliseconds per image, {:.4g} to {:.4g}, logarithmic",
                                       landscape.fastest_ms, landscape.slowest_ms);
  canvas.text(left + kBarWidth + 8, top + 9, text, kNote);
}

}  // namespace

std::string draw_landscape(const LandscapeFigure& landscape, FigureFormat format) {
  const std::size_t columns = std::min(landscape.panels.size(), kMostColumns);
  const std::size_t rows = (landscape.panels.size() + columns - 1) / columns;
  const Grid shape{0, 0, &landscape};
  const double step_x = kLeftRoom + shape.width() + kGap;
  const double step_y = kTopRoom + shape.height() + kBottomRoom;
  const double top = kMargin + 26;
  const double notes_top = top + step_y * static_cast<double>(rows) + 6;

  Canvas measure(FigureFormat::kSvg, {1, 1}, "");
  Size page;
  page.width = std::max({2 * kMargin + step_x * static_cast<double>(columns), kLeastWidth,
                         2 * kMargin + measure.text_width(landscape.title, kTitle)});
  const double text_width = page.width - 2 * kMargin;
  std::vector<std::string> notes;
  for (const std::string& note : landscape.notes) {
    for (std::string& line : wrap(measure, note, kNote, text_width)) notes.push_back(std::move(line));
  }
  const auto caption = wrap(measure, landscape.caption, kCaption, text_width);
  page.height = notes_top + 24 + kNoteLine * static_cast<double>(notes.size() + caption.size()) + kMargin;

  Canvas canvas(format, page, landscape.title);
  canvas.text(kMargin, kMargin + 12, landscape.title, kTitle);
  for (std::size_t i = 0; i < landscape.panels.size(); ++i) {
    const Grid grid{kMargin + kLeftRoom + step_x * static_cast<double>(i % columns),
                    top + kTopRoom + step_y * static_cast<double>(i / columns), &landscape};
    draw_panel(canvas, grid, landscape.panels[i]);
  }
  draw_bar(canvas, landscape, kMargin, notes_top);
  double baseline = notes_top + 28;
  for (const std::string& line : notes) {
    canvas.text(kMargin, baseline, line, kNote);
    baseline += kNoteLine;
  }
  for (const std::string& line : caption) {
    canvas.text(kMargin, baseline, line, kCaption);
    baseline += kNoteLine;
  }
  return canvas.finish();
}

}  // namespace loom::app::plot
