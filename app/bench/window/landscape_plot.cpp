#include "app/bench/window/landscape_plot.h"

#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <vector>

#include "app/widgets/choice.h"
#include "app/widgets/heat_map.h"
#include "render/palette.h"

namespace loom::app {
namespace {

constexpr float kLeastWidth = 14;  // of one heat map, in units of the font size

/// Row or column of a value; empty unless it is a power of two and at least 2.
std::optional<std::size_t> place_of(std::uint32_t value) {
  if (value < 2 || !std::has_single_bit(value)) return std::nullopt;
  return static_cast<std::size_t>(std::countr_zero(value)) - 1;
}

std::optional<std::size_t> cell_of(std::uint32_t g, std::uint32_t b, std::size_t side) {
  const auto row = place_of(g);
  const auto column = place_of(b);
  return row && column ? std::optional(*row * side + *column) : std::nullopt;
}

/// Brightness on a logarithmic scale: fast is bright.
double brightness(double ms) {
  return -std::log(std::max(ms, 1e-9));
}

}  // namespace

std::optional<CostCut> landscape_plot(const plot::LandscapeFigure& landscape) {
  std::size_t side = 1;
  bool all_placed = true;
  for (const auto* values : {&landscape.gs, &landscape.bs}) {
    for (const std::uint32_t value : *values) {
      const auto place = place_of(value);
      all_placed = all_placed && place;
      if (place) side = std::max(side, *place + 1);
    }
  }
  const float gap = ImGui::GetStyle().ItemSpacing.x;
  const float room = remaining_width();
  const auto fitting = std::max<std::size_t>(
      1, static_cast<std::size_t>((room + gap) / (kLeastWidth * ImGui::GetFontSize() + gap)));
  const std::size_t columns = std::min(fitting, landscape.panels.size());
  const float width = (room + gap) / static_cast<float>(columns) - gap;

  std::optional<CostCut> clicked;
  for (std::size_t i = 0; i < landscape.panels.size(); ++i) {
    const plot::LandscapePanel& panel = landscape.panels[i];
    std::vector<std::optional<double>> values(side * side);
    std::vector<double> ms(side * side);
    for (const plot::LandscapeCell& cell : panel.cells) {
      const auto at = cell_of(cell.g, cell.b, side);
      if (!at) continue;
      values[*at] = brightness(cell.ms);
      ms[*at] = cell.ms;
    }
    const std::string title = fmt::format("r = {}", panel.r);
    HeatMap map{.title = title.c_str(),
                .rows = "g",
                .columns = "B",
                .values = values,
                .side = side,
                .low = brightness(landscape.slowest_ms),
                .high = brightness(landscape.fastest_ms),
                .best = {},
                .present = {}};
    if (landscape.optimum.r == panel.r) map.best = cell_of(landscape.optimum.g, landscape.optimum.b, side);
    if (landscape.predicted && landscape.predicted->r == panel.r) {
      map.present = cell_of(landscape.predicted->g, landscape.predicted->b, side);
    }
    const auto cut_at = [&](std::size_t index) {
      return CostCut{2u << index / side, panel.r, 2u << index % side};
    };
    const auto describe = [&](std::size_t index) {
      const CostCut cut = cut_at(index);
      const std::string name = fmt::format("g {}, r {}, B {}", cut.g, cut.r, cut.b);
      if (!values[index]) return name + ": not measured";
      return fmt::format("{}: {:.4g} ms per image\n\nClick to use this method in the Mandelbrot workspace",
                         name, ms[index]);
    };
    ImGui::PushID(static_cast<int>(i));
    if (i % columns != 0) ImGui::SameLine(0, gap);
    const auto cell = heat_map(map, render::palettes().front(), width, describe);
    ImGui::PopID();
    if (cell && values[*cell]) clicked = cut_at(*cell);
  }
  for (const std::string& text : landscape.notes) note(text);
  if (!all_placed) note("Values of g or B that are not powers of two are not drawn here. Plot saves them.");
  return clicked;
}

}  // namespace loom::app
