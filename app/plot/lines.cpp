#include "app/plot/lines.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "app/bench/sampler.h"
#include "app/plot/plot_area.h"
#include "compute/engine/thread_count.h"

namespace loom::app::plot {

std::string LineKey::variant() const {
  std::string text;
  for (const std::string& part : parts) {
    if (!part.empty()) text += (text.empty() ? "" : ", ") + part;
  }
  return text;
}

std::string LineKey::method() const {
  const std::string rest = variant();
  return rest.empty() ? name : name + ", " + rest;
}

LineValue median_of(const Rows& repeats, Quantity quantity) {
  const auto value = [&](const bench::Row* row) {
    if (quantity == Quantity::kMemory) return row->number("bytes_held");
    if (quantity == Quantity::kUtilization)
      return thread_utilization(row->count("threads_active"), row->count("threads_launched"));
    return row->number(quantity == Quantity::kEnergy ? "joules" : "median_ms");
  };
  std::vector<double> values;
  for (const bench::Row* row : repeats) values.push_back(value(row));
  const double median = bench::summarise(values).median;
  const auto distance = [&](const bench::Row* row) { return std::abs(value(row) - median); };
  return {median, *std::ranges::min_element(repeats, {}, distance)};
}

namespace {

std::size_t place_in(std::vector<std::string>& seen, const std::string& value) {
  if (std::ranges::find(seen, value) == seen.end()) seen.push_back(value);
  return static_cast<std::size_t>(std::ranges::find(seen, value) - seen.begin());
}

}  // namespace

Series Drawing::series(const Line& line, std::size_t colour, std::size_t dash) const {
  Series series{colour, dash};
  for (const auto& [x, value] : line.values) {
    series.points.push_back({x, value.value});
    series.rows.push_back(value.row == nullptr ? 0
                                               : static_cast<std::size_t>(value.row - results_.rows.data()));
  }
  return series;
}

bool Drawing::add(const Line& line, const Look& look) {
  auto panel = std::ranges::find(figure_.panels, look.panel, &Panel::title);
  const bool is_new = panel == figure_.panels.end();
  if (is_new) panel = figure_.panels.insert(panel, {look.panel, references});
  const std::size_t colour = look.colour.empty() ? kUniformStyle : place_in(colours, look.colour);
  const std::size_t dash = look.dash.empty() ? dash_of(colour) : place_in(dashes, look.dash);
  panel->series.push_back(series(line, style_of(colour), dash));
  return is_new;
}

LegendSection Drawing::colour_legend(std::string title) const {
  LegendSection section{std::move(title)};
  for (std::size_t i = 0; i < colours.size(); ++i)
    section.items.push_back({colours[i], style_of(i), dash_of(i)});
  return section;
}

LegendSection Drawing::dash_legend(std::string title) const {
  LegendSection section{std::move(title)};
  for (std::size_t i = 0; i < dashes.size(); ++i) section.items.push_back({dashes[i], std::nullopt, i});
  return section;
}

std::size_t Drawing::dash_of(std::size_t colour) const {
  return dash_by_colour && colour != kUniformStyle ? colour / kColours : 0;
}

}  // namespace loom::app::plot
