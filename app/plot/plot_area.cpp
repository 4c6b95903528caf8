#include "app/plot/plot_area.h"

#include <algorithm>
#include <limits>

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

}  // namespace loom::app::plot
