#include <fmt/format.h>

#include <algorithm>

#include "app/explain/diagram/diagrams.h"
#include "app/text/format.h"

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

namespace {

constexpr float kLevelWidth = 4.1f;
constexpr float kLeastRunnerWidth = 7.3f;
constexpr float kNarrowRunnerWidth = 3.5f;
constexpr float kRunnerGap = 0.4f;
constexpr float kRunnerBar = 1.45f;
constexpr float kLevelHeight = 3.6f;

}  // namespace

std::optional<std::size_t> RaceLevel::winner() const {
  std::optional<std::size_t> best;
  std::size_t timed = 0;
  const auto shown = [](const RaceResult& one) {
    return std::string(std::string_view(format_time(*one.ms)));
  };
  for (std::size_t i = 0; i < maps.size(); ++i) {
    if (!maps[i]) return std::nullopt;
    if (!maps[i]->ms) continue;
    ++timed;
    if (!best || *maps[i]->ms < *maps[*best]->ms) best = i;
  }
  if (best && *maps[*best]->ms < kMinComparedMs) return std::nullopt;
  // Times that are shown as equal have no winner.
  for (std::size_t i = 0; i < maps.size(); ++i) {
    if (best && i != *best && maps[i]->ms && shown(*maps[i]) == shown(*maps[*best])) return std::nullopt;
  }
  return timed > 1 || (timed == 1 && maps.size() > 1) ? best : std::nullopt;
}

Diagram race_diagram(const std::vector<RaceLevel>& levels, const std::vector<MetricColumn>& columns,
                     float width) {
  Diagram diagram;
  Table table{.name = "race", .titles = {"level"}};
  const auto count = static_cast<float>(std::max<std::size_t>(columns.size(), 1));
  // In little width a level has a line of its own above its bars.
  const bool is_narrow = width < kLevelWidth + count * (kLeastRunnerWidth + kRunnerGap);
  const float level_width = is_narrow ? 0 : kLevelWidth;
  const float runner = std::max(is_narrow ? kNarrowRunnerWidth : kLeastRunnerWidth,
                                (width - level_width) / count - kRunnerGap);
  const auto left = [&](std::size_t column) {
    return level_width + static_cast<float>(column) * (runner + kRunnerGap);
  };
  double most_ms = 0;
  std::uint64_t most_bytes = 1;
  for (const RaceLevel& level : levels) {
    for (const auto& one : level.maps) {
      if (!one) continue;
      most_ms = std::max(most_ms, one->ms.value_or(0));
      most_bytes = std::max(most_bytes, one->bytes);
    }
  }
  for (std::size_t i = 0; i < columns.size(); ++i) {
    diagram.fill({{left(i), 0.1f}, {0.25f, 1.1f}}, columns[i].colour);
    const std::size_t last_word = is_narrow ? columns[i].title.rfind(' ') + 1 : 0;
    diagram.text({.at = {left(i) + 0.6f, 0},
                  .text = capitalized(columns[i].title.substr(last_word)),
                  .face = FontFace::kBold});
    for (const char* what : {" ms per step", " bytes"}) table.titles.push_back(columns[i].title + what);
  }
  table.titles.emplace_back("winner");
  float y = 1.8f;
  const auto bar = [&](std::size_t column, float top, double share, std::string text, bool wins) {
    diagram.fill({{left(column), top}, {runner, kRunnerBar}}, ColourRole::kRaised);
    const float length = std::max(0.1f, static_cast<float>(share) * runner);
    diagram.fill({{left(column), top}, {length, kRunnerBar}}, Tint{columns[column].colour});
    diagram.text({.at = {left(column) + 0.3f, top + 0.05f},
                  .text = (wins && !is_narrow ? "✓ " : "") + std::move(text),
                  .face = wins ? FontFace::kBold : FontFace::kPlain});
  };
  for (auto level = levels.rbegin(); level != levels.rend(); ++level) {
    const auto winner = level->winner();
    const std::string ahead = is_narrow && winner ? "  ✓ " + columns[*winner].title : "";
    diagram.text(
        {.at = {0, y}, .text = fmt::format("level {}{}", level->level, ahead), .face = FontFace::kBold});
    if (is_narrow) y += Diagram::kLine;
    bool has_reason = false;
    for (std::size_t i = 0; i < columns.size() && i < level->maps.size(); ++i) {
      const auto& one = level->maps[i];
      if (!one) continue;
      if (one->ms) {
        bar(i, y, most_ms > 0 ? *one->ms / most_ms : 0, format_time(*one->ms), winner == i);
        bar(i, y + kRunnerBar + 0.1f, static_cast<double>(one->bytes) / static_cast<double>(most_bytes),
            format_bytes(one->bytes), false);
      }
      if (!one->out.empty()) {
        has_reason |= one->ms.has_value();
        diagram.text({.at = {left(i) + 0.3f, y + 0.05f + (one->ms ? 2 * (kRunnerBar + 0.1f) : 0)},
                      .text = one->out,
                      .paint = ColourRole::kWarning});
      }
    }
    y += kLevelHeight + (has_reason ? Diagram::kLine : 0);
  }
  for (const RaceLevel& level : levels) {
    std::vector<std::string> row{std::to_string(level.level)};
    for (std::size_t i = 0; i < columns.size(); ++i) {
      const RaceResult* const one = i < level.maps.size() && level.maps[i] ? &*level.maps[i] : nullptr;
      row.push_back(one == nullptr ? "" : one->ms ? fmt::format("{:.4g}", *one->ms) : one->out);
      row.push_back(one != nullptr && one->ms ? std::to_string(one->bytes) : "");
    }
    const auto winner = level.winner();
    row.push_back(winner ? columns[*winner].title : "");
    table.rows.push_back(std::move(row));
  }
  diagram.add_table(std::move(table));
  return diagram;
}

}  // namespace loom::app::diagram
