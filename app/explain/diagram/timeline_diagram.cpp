#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "app/explain/colour_by.h"
#include "app/explain/diagram/diagrams.h"
#include "app/text/format.h"

namespace loom::app::diagram {
namespace {

/// Position of the grids: right of the names, on the time axis of the lanes above.
struct NestingStyle {
  float names = 4.5f;   ///< x where the axis begins, in font sizes
  float width = 60;     ///< width of the axis
  float height = 14;    ///< maximum height of all bands
  float least = 0.05f;  ///< minimum width of a grid that is drawn separately
  std::uint64_t duration = 1;
};

constexpr float kTallestRow = 0.8f;   ///< in font sizes
constexpr float kLowestBand = 1.25f;  ///< minimum height, for the level number next to the band
constexpr float kBandGap = 0.25f;
constexpr std::size_t kMaxTooltipLines = 4000;  ///< with more grids, none has a tooltip
constexpr std::size_t kMaxLinkedGrids = 160;    ///< with more grids, lines would cover them

std::string many(std::uint64_t count, const char* what) {
  return fmt::format("{} {}{}", format_count(count), what, count == 1 ? "" : "s");
}

/// Distributes the height over the bands by their rows; each band has at least kLowestBand.
std::vector<float> band_heights(const explain::GridNesting& nesting, float height) {
  float rows = 0;
  for (const explain::GridBand& band : nesting.bands) rows += static_cast<float>(band.rows);
  const float row = std::min(kTallestRow, height / std::max(rows, 1.0f));
  std::vector<float> heights;
  for (const explain::GridBand& band : nesting.bands) {
    heights.push_back(std::max(kLowestBand, static_cast<float>(band.rows) * row));
  }
  return heights;
}

std::string words_of(const explain::PlacedGrid& grid, const Timeline& timeline) {
  const explain::GridInterval& box = grid.box;
  const bool by_device = box.parent_span < timeline.spans.size();
  std::string words = fmt::format("Level {}: {}{} of {}, from {} to {}", box.level, many(box.spans, "span"),
                                  by_device ? " of a grid" : "", timeline.launches.at(box.launch).kernel,
                                  explain::duration_text(box.begin), explain::duration_text(box.end));
  if (by_device) {
    const TimelineSpan& parent = timeline.spans[box.parent_span];
    words += fmt::format("\nparent: {} of level {}, began {} after its end", parent.block, parent.level,
                         explain::duration_text(grid.wait));
  } else {
    words += fmt::format("\nlaunched by the host, began {} after the previous launches ended",
                         explain::duration_text(grid.wait));
  }
  return words;
}

class Bands {
 public:
  Bands(Diagram& diagram, const explain::GridNesting& nesting, const Timeline& timeline,
        const NestingStyle& style, float top)
      : sketch_(diagram), nesting_(nesting), timeline_(timeline), look_(style) {
    heights_ = band_heights(nesting, style.height);
    for (const float height : heights_) {
      tops_.push_back(top);
      top += height + kBandGap;
    }
    bottom_ = top;
  }

  void draw() {
    for (std::size_t i = 0; i < nesting_.bands.size(); ++i) ground(i);
    links();
    boxes();
    for (std::size_t i = 0; i < nesting_.bands.size(); ++i) {
      const explain::GridBand& band = nesting_.bands[i];
      // Added after the hotspots of the grids, which take precedence.
      sketch_.hotspot({{{look_.names, tops_[i]}, {look_.width, heights_[i]}},
                       fmt::format("Level {}: {}, at most {} at once, from {} to {}", band.level,
                                   many(band.grids, "grid"), format_count(band.rows),
                                   explain::duration_text(band.begin), explain::duration_text(band.end)),
                       -1});
    }
  }
  float bottom() const { return bottom_; }

 private:
  float x(std::uint64_t time) const {
    const double share = static_cast<double>(time) / static_cast<double>(look_.duration);
    return look_.names + static_cast<float>(share) * look_.width;
  }
  float row_height(std::size_t band) const {
    return heights_[band] / static_cast<float>(std::max(nesting_.bands[band].rows, 1u));
  }
  Box box_of(const explain::PlacedGrid& grid) const {
    const float height = row_height(grid.band);
    const float begin = x(grid.box.begin);
    return {{begin, tops_[grid.band] + static_cast<float>(grid.row) * height},
            {std::max(x(grid.box.end) - begin, look_.least), height}};
  }

  void ground(std::size_t i) {
    sketch_.fill({{look_.names, tops_[i]}, {look_.width, heights_[i]}}, ColourRole::kRaised);
    sketch_.text({.at = {look_.names - 0.4f, tops_[i] + (heights_[i] - Diagram::kLine * 0.85f) / 2},
                  .text = fmt::format("level {}", nesting_.bands[i].level),
                  .paint = ColourRole::kMuted,
                  .align = Align::kRight,
                  .size = 0.85f});
  }

  // Rows thinner than the minimum height share a line of that height. Grids that touch on a line are joined
  // into one rectangle.
  void boxes() {
    struct Run {
      Box box;
      bool there = false;
    };
    for (std::size_t band = 0; band < nesting_.bands.size(); ++band) {
      const glm::u8vec3 colour = explain::level_colour(nesting_.bands[band].level);
      const auto lines = static_cast<std::size_t>(std::ceil(heights_[band] / look_.least)) + 1;
      std::vector<Run> runs(std::min<std::size_t>(nesting_.bands[band].rows, lines));
      const auto put = [&](const Run& run) {
        if (run.there) sketch_.fill(run.box, colour);
      };
      for (const explain::PlacedGrid& grid : nesting_.grids) {
        if (grid.band != band) continue;
        Box box = box_of(grid);
        const std::size_t line = std::size_t{grid.row} * runs.size() / nesting_.bands[band].rows;
        box.size.y =
            std::max(box.size.y * (runs.size() == nesting_.bands[band].rows ? 0.9f : 1), look_.least);
        Run& run = runs[line];
        const bool thin = runs.size() < nesting_.bands[band].rows || box.size.x < 2 * look_.least;
        if (run.there && thin && box.corner.x - run.box.end().x < look_.least) {
          run.box.size.x = std::max(run.box.size.x, box.end().x - run.box.corner.x);
        } else {
          put(run);
          run = {box, true};
        }
        if (nesting_.grids.size() <= kMaxTooltipLines) {
          sketch_.hotspot({box, words_of(grid, timeline_), grid.box.level});
        }
      }
      for (const Run& run : runs) put(run);
    }
  }

  void links() {
    if (nesting_.grids.size() > kMaxLinkedGrids) return;
    constexpr float kThin = 0.05f;
    for (const explain::PlacedGrid& grid : nesting_.grids) {
      if (!grid.box.parent_grid) continue;
      const glm::vec2 child = box_of(grid).corner;
      const float top = box_of(nesting_.grids[*grid.box.parent_grid]).end().y;
      const float from = x(timeline_.spans[grid.box.parent_span].end);
      if (child.y <= top) continue;
      sketch_.fill({{from, top}, {kThin, child.y + kThin - top}}, ColourRole::kMuted);
      const float left = std::min(from, child.x);
      sketch_.fill({{left, child.y}, {std::max(from, child.x) - left + kThin, kThin}}, ColourRole::kMuted);
    }
  }

  Diagram& sketch_;
  const explain::GridNesting& nesting_;
  const Timeline& timeline_;
  const NestingStyle& look_;
  std::vector<float> tops_;
  std::vector<float> heights_;
  float bottom_ = 0;
};

/// Draws the bands of a nesting, one per level. If there are few grids, a line connects each grid with the
/// one that launched it. Returns the y below it.
float draw_nesting(Diagram& diagram, float y, const explain::GridNesting& nesting, const Timeline& timeline,
                   const NestingStyle& style) {
  Bands bands(diagram, nesting, timeline, style, y);
  bands.draw();
  return bands.bottom();
}

using explain::ColourKey;

constexpr float kNames = 4.5f;          ///< width of the worker numbers left of the lanes
constexpr float kLaneGap = 0.12f;       ///< fraction of the height of a lane
constexpr float kMinNamedWidth = 1.0f;  ///< minimum height of a lane with a number
constexpr std::uint64_t kWaves = 8;     ///< largest number of waves in the legend

/// The property that colours show.
enum class Meaning { kWork, kWave, kLevel };

glm::u8vec3 colour_of(const Timeline& timeline, const explain::LaneSpan& span, Meaning meaning) {
  const TimelineSpan& of = timeline.spans[span.span];
  if (meaning == Meaning::kLevel) return explain::level_colour(of.level);
  const std::uint64_t number = meaning == Meaning::kWave ? span.wave : static_cast<std::uint64_t>(of.work);
  return explain::data_colour({ColourKey::Kind::kNumber, number, 0});
}

/// The interval of about five ticks: 1, 2 or 5 times a power of ten.
std::uint64_t tick_of(std::uint64_t duration) {
  const double rough = std::max(1.0, static_cast<double>(duration) / 5);
  const double power = std::pow(10, std::floor(std::log10(rough)));
  for (const double factor : {1.0, 2.0, 5.0}) {
    if (factor * power >= rough) return static_cast<std::uint64_t>(factor * power);
  }
  return static_cast<std::uint64_t>(10 * power);
}

struct Lanes {
  Diagram& diagram;
  const Timeline& timeline;
  const TimelineStyle& style;
  Meaning meaning;
  float top;
  double em_of_ns;

  float x(std::uint64_t time) const {
    return kNames + static_cast<float>(static_cast<double>(time) * em_of_ns);
  }

  // Narrow spans of a slot with the same colour that nearly touch are joined into one rectangle.
  void draw(const explain::Lane& lane, float y, float height) const {
    const auto slots = static_cast<float>(std::max(lane.slots, 1u));
    const float row = height * (1 - kLaneGap) / slots;
    struct Run {
      float begin = 0;
      float end = -1;
      glm::u8vec3 colour{0};
    };
    std::vector<Run> runs(std::max(lane.slots, 1u));
    const auto put = [&](std::size_t slot) {
      const Run& run = runs[slot];
      if (run.end < run.begin) return;
      diagram.fill({{run.begin, y + static_cast<float>(slot) * row},
                    {std::max(run.end - run.begin, style.least), row}},
                   run.colour);
    };
    for (const explain::LaneSpan& one : lane.spans) {
      const TimelineSpan& span = timeline.spans[one.span];
      const glm::u8vec3 colour = colour_of(timeline, one, meaning);
      Run& run = runs[one.slot];
      const float begin = x(span.begin);
      const float end = x(span.end);
      const bool joins = run.end >= run.begin && run.colour == colour && begin - run.end < style.least &&
                         end - begin < style.least;
      if (joins) {
        run.end = std::max(run.end, end);
        continue;
      }
      put(one.slot);
      run = {begin, end, colour};
    }
    for (std::size_t slot = 0; slot < runs.size(); ++slot) put(slot);
    std::string tip =
        fmt::format("{} {}: {} spans",
                    timeline.launches.front().occupancy.kernel.threads > 0 ? "multiprocessor" : "thread",
                    lane.worker, format_count(timeline.workers[lane.worker].spans));
    diagram.hotspot({{{kNames, y}, {style.width, height}}, std::move(tip), -1});
    if (height >= kMinNamedWidth) {
      diagram.text({.at = {kNames - 0.4f, y + (height * (1 - kLaneGap) - Diagram::kLine * 0.85f) / 2},
                    .text = std::to_string(lane.worker),
                    .paint = ColourRole::kMuted,
                    .align = Align::kRight,
                    .size = 0.85f});
    }
  }
};

float draw_legend(Diagram& diagram, float y, float width, const Timeline& timeline, Meaning meaning,
                  std::uint64_t waves, bool levels_below) {
  Legend legend(diagram, y, width);
  const auto number = [](std::uint64_t n) { return explain::data_colour({ColourKey::Kind::kNumber, n, 0}); };
  if (meaning == Meaning::kWave) {
    for (std::uint64_t wave = 0; wave < std::min(waves, kWaves); ++wave)
      legend.entry(number(wave), fmt::format("wave {}", wave + 1));
  }
  if (meaning == Meaning::kWork) {
    std::set<SpanWork> works;
    for (const TimelineSpan& span : timeline.spans) works.insert(span.work);
    for (const SpanWork work : works)
      legend.entry(number(static_cast<std::uint64_t>(work)), std::string(name_of(work)));
  }
  if (meaning == Meaning::kLevel || levels_below) {
    std::set<std::uint16_t> levels;
    for (const TimelineSpan& span : timeline.spans) levels.insert(span.level);
    for (const std::uint16_t level : levels)
      legend.entry(explain::level_colour(level), fmt::format("level {}", level));
  }
  return legend.below();
}

const char* title_of(const explain::GridNesting& nesting, bool gpu) {
  const bool by_device = std::any_of(nesting.grids.begin(), nesting.grids.end(),
                                     [](const auto& grid) { return grid.box.parent_span != kNoParent; });
  if (by_device) {
    return gpu ? "Grids, each below the thread block that launched it"
               : "Tasks, each below the task that created it";
  }
  return gpu ? "Grids launched by the host, level by level" : "Parallel loops, level by level";
}

}  // namespace

Diagram timeline_diagram(const Timeline& timeline, const TimelineStyle& style) {
  return timeline_drawing(timeline, style).diagram;
}

std::optional<std::uint32_t> TimelineDrawing::span_at(const Timeline& timeline, glm::vec2 place) const {
  if (!lanes.contains(place) || lane.empty() || duration == 0) return std::nullopt;
  const float height = lanes.size.y / static_cast<float>(lane.size());
  const auto at = std::min(static_cast<std::size_t>((place.y - lanes.corner.y) / height), lane.size() - 1);
  const explain::Lane& here = lane[at];
  const float slots = static_cast<float>(std::max(here.slots, 1u));
  const float within =
      (place.y - lanes.corner.y - static_cast<float>(at) * height) / (height * (1 - kLaneGap));
  if (within >= 1) return std::nullopt;
  const auto slot = static_cast<std::uint32_t>(within * slots);
  const double scale = static_cast<double>(duration) / static_cast<double>(lanes.size.x);
  const double time = static_cast<double>(place.x - lanes.corner.x) * scale;
  constexpr float kReach = 0.1f;  // in font sizes
  double nearest = kReach * scale;
  std::optional<std::uint32_t> found;
  for (const explain::LaneSpan& one : here.spans) {
    const TimelineSpan& span = timeline.spans[one.span];
    if (one.slot != slot) continue;
    const double off =
        std::max({static_cast<double>(span.begin) - time, time - static_cast<double>(span.end), 0.0});
    if (off > nearest) continue;
    nearest = off;
    found = one.span;
    if (off == 0) break;
  }
  return found;
}

TimelineDrawing timeline_drawing(const Timeline& timeline, const TimelineStyle& style) {
  TimelineDrawing drawing;
  Diagram& diagram = drawing.diagram;
  const explain::TimelineStats stats = explain::timeline_stats(timeline);
  drawing.lane = explain::timeline_lanes(timeline);
  const std::vector<explain::Lane>& lanes = drawing.lane;
  if (timeline.launches.empty() || lanes.empty() || stats.duration == 0) {
    draw_wrapped(diagram, {0, 0}, style.width, "No span is long enough to be shown.");
    return drawing;
  }
  const bool one_work =
      std::all_of(timeline.spans.begin(), timeline.spans.end(),
                  [&](const TimelineSpan& span) { return span.work == timeline.spans.front().work; });
  const bool gpu = timeline.launches.front().occupancy.kernel.threads > 0;
  const float title = draw_wrapped(diagram, {0, 0}, style.width + kNames,
                                   gpu ? "Thread blocks on each multiprocessor" : "Work of each CPU thread",
                                   ColourRole::kAccent);
  const Meaning meaning = style.colour == SpanColour::kLevel ? Meaning::kLevel
                          : one_work                         ? Meaning::kWave
                                                             : Meaning::kWork;
  const Lanes draw{diagram,      timeline,
                   style,        meaning,
                   title + 0.3f, static_cast<double>(style.width) / static_cast<double>(stats.duration)};
  const float height = style.height / static_cast<float>(lanes.size());
  drawing.lanes = {{kNames, draw.top}, {style.width, style.height}};
  drawing.duration = stats.duration;
  diagram.fill(drawing.lanes, ColourRole::kRaised);
  for (std::size_t i = 0; i < lanes.size(); ++i) {
    draw.draw(lanes[i], draw.top + static_cast<float>(i) * height, height);
  }
  if (const auto gap = explain::timeline_gap(timeline)) {
    const float begin = draw.x(gap->begin);
    const float end = draw.x(gap->end);
    diagram.frame({{begin, draw.top}, {std::max(end - begin, 0.1f), style.height}}, ColourRole::kWarning,
                  0.08f);
    diagram.text({.at = {(begin + end) / 2, draw.top + style.height / 2 - 0.7f},
                  .text = "not recorded",
                  .paint = ColourRole::kWarning,
                  .align = Align::kCentre});
  }
  float y = draw.top + style.height + 0.1f;
  const explain::GridNesting nesting = explain::nest_grids(timeline);
  const bool nested = nesting.grids.size() > 1;
  if (nested) {
    y = draw_wrapped(diagram, {0, y + 0.2f}, style.width + kNames, title_of(nesting, gpu),
                     ColourRole::kAccent);
    y = draw_nesting(diagram, y + 0.2f, nesting, timeline,
                     {.names = kNames,
                      .width = style.width,
                      .height = style.nested,
                      .least = style.least,
                      .duration = stats.duration});
  }
  for (std::uint64_t time = 0; time <= stats.duration; time += tick_of(stats.duration)) {
    diagram.fill({{draw.x(time) - 0.03f, y}, {0.06f, 0.3f}}, ColourRole::kLine);
    diagram.text({.at = {draw.x(time), y + 0.3f},
                  .text = explain::duration_text(time),
                  .paint = ColourRole::kMuted,
                  .align = time == 0 ? Align::kLeft : Align::kCentre,
                  .size = 0.85f});
  }
  y += 1.8f;
  std::uint64_t waves = 0;
  for (const explain::Lane& lane : lanes) {
    for (const explain::LaneSpan& span : lane.spans) waves = std::max<std::uint64_t>(waves, span.wave + 1);
  }
  y = draw_legend(diagram, y, style.width, timeline, meaning, waves, nested) + 0.3f;
  Table table{.name = "timeline", .titles = {"", ""}};
  std::string before;
  for (const explain::TimelineRow& fact : explain::timeline_rows(timeline)) {
    if (fact.name != before) diagram.text({.at = {0, y}, .text = fact.name, .paint = ColourRole::kMuted});
    before = fact.name;
    y = draw_wrapped(diagram, {kNames + 2, y}, style.width - 2, fact.text);
    table.rows.push_back({fact.name, fact.text});
  }
  diagram.add_table(std::move(table));
  return drawing;
}

}  // namespace loom::app::diagram
