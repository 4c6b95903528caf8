#include "app/explain/diagram/map_metrics_diagram.h"

#include <algorithm>

namespace loom::app::diagram {
namespace {

constexpr float kLeastMetricWidth = 8.4f;
constexpr float kMetricGap = 0.6f;
constexpr float kMetricHeight = 3.3f;  // a line of text, and the bars below it
constexpr float kMetricBar = 1.5f;

}  // namespace

Diagram map_metrics_diagram(const std::vector<explain::MetricRow>& rows,
                            const std::vector<MetricColumn>& columns, float width) {
  Diagram diagram;
  Table table{.name = "map metrics", .titles = {"metric", "origin"}};
  const auto count = static_cast<float>(std::max<std::size_t>(columns.size(), 1));
  const float metric = std::max(kLeastMetricWidth, (width + kMetricGap) / count - kMetricGap);
  const auto left = [&](std::size_t column) { return static_cast<float>(column) * (metric + kMetricGap); };
  for (std::size_t i = 0; i < columns.size(); ++i) {
    diagram.fill({{left(i), 0.1f}, {0.25f, 1.1f}}, columns[i].colour);
    diagram.text({.at = {left(i) + 0.6f, 0}, .text = columns[i].title, .face = FontFace::kBold});
    table.titles.push_back(columns[i].title);
  }
  float y = 1.8f;
  for (const explain::MetricRow& row : rows) {
    double most = 0;
    for (const auto& value : row.values) most = std::max(most, value.number.value_or(0));
    const float top = y + Diagram::kLine;
    const float right = left(columns.size()) - kMetricGap;
    diagram.text({.at = {0, y}, .text = row.name});
    diagram.text({.at = {right, y}, .text = row.origin, .paint = ColourRole::kMuted, .align = Align::kRight});
    std::vector<std::string> cells{row.name, row.origin};
    for (std::size_t i = 0; i < row.values.size() && i < columns.size(); ++i) {
      const explain::MetricRow::Value& value = row.values[i];
      if (value.number) {
        const float share = most > 0 ? static_cast<float>(*value.number / most) : 0;
        diagram.fill({{left(i), top}, {metric, kMetricBar}}, ColourRole::kRaised);
        diagram.fill({{left(i), top}, {std::max(0.1f, share * metric), kMetricBar}}, Tint{columns[i].colour});
        diagram.fill({{left(i), top + kMetricBar - 0.18f}, {std::max(0.1f, share * metric), 0.18f}},
                     columns[i].colour);
      }
      diagram.text({.at = {left(i) + 0.3f, top + 0.08f},
                    .text = value.text,
                    .paint = value.number ? ColourRole::kText : ColourRole::kMuted});
      cells.push_back(value.text);
    }
    diagram.hotspot({.box = {{0, y}, {right, kMetricHeight}}, .tip = row.tip});
    table.rows.push_back(std::move(cells));
    y += kMetricHeight;
  }
  diagram.add_table(std::move(table));
  return diagram;
}

Diagram source_diagram(const std::string& text) {
  Diagram diagram;
  float y = 0;
  for (std::size_t from = 0; from < text.size();) {
    const std::size_t end = std::min(text.find('\n', from), text.size());
    const std::string line = text.substr(from, end - from);
    const bool comment = line.starts_with("//");
    if (!line.empty()) {
      diagram.text({.at = {0, y},
                    .text = line,
                    .paint = comment ? ColourRole::kMuted : ColourRole::kText,
                    .face = FontFace::kMono});
    }
    y += Diagram::kLine;
    from = end + 1;
  }
  return diagram;
}

}  // namespace loom::app::diagram
