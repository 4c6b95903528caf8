#include "app/workspaces/mandelbrot/panes/method_score.h"

#include <algorithm>
#include <span>
#include <vector>

namespace loom::app {

std::uint64_t count_regions(const MandelbrotReport& report) {
  std::uint64_t regions = 0;
  for (const MandelbrotLevel& level : report.levels) regions += level.regions;
  return regions;
}

DwellDifferences count_different_dwells(const MandelbrotEngine& engine, const MandelbrotEngine& reference,
                                        std::size_t max_places) {
  constexpr std::uint32_t kRows = 64;
  const MandelbrotView& view = engine.view();
  std::vector<std::uint32_t> own(std::size_t{view.width} * kRows);
  std::vector<std::uint32_t> expected(own.size());
  DwellDifferences differences;
  for (std::uint32_t y = 0; y < view.height; y += kRows) {
    const std::size_t pixels = std::size_t{view.width} * std::min(kRows, view.height - y);
    engine.read_dwells(y, std::span(own).first(pixels));
    reference.read_dwells(y, std::span(expected).first(pixels));
    for (std::size_t i = 0; i < pixels; ++i) {
      if (own[i] == expected[i]) continue;
      ++differences.count;
      if (differences.places.size() == max_places) continue;
      const auto row = static_cast<std::uint32_t>(i / view.width);
      const auto column = static_cast<std::uint32_t>(i % view.width);
      differences.places.push_back({{column, y + row}, own[i], expected[i]});
    }
  }
  return differences;
}

}  // namespace loom::app
