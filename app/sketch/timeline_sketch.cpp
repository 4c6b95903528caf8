#include "app/sketch/timeline_sketch.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <set>

#include "app/text/format.h"

namespace loom::app::sketch {
namespace {

using teach::ColourKey;

constexpr float kNames = 4.5f;       ///< left of the lanes: the worker's number
constexpr float kLaneGap = 0.12f;    ///< share of a lane
constexpr float kLeastNamed = 1.0f;  ///< lanes at least so high have their number
constexpr std::uint64_t kWaves = 8;  ///< in the legend

/// One colour a kind of work, or a wave.
teach::DataColour colour_of(const Timeline& timeline, const teach::LaneSpan& span, bool by_wave) {
  const std::uint64_t number =
      by_wave ? span.wave : static_cast<std::uint64_t>(timeline.spans[span.span].work);
  return teach::data_colour({ColourKey::Kind::kNumber, number, 0});
}

/// Tick marks of 1, 2 or 5 times a power of ten, about five of them.
std::uint64_t tick_of(std::uint64_t duration) {
  const double rough = std::max(1.0, static_cast<double>(duration) / 5);
  const double power = std::pow(10, std::floor(std::log10(rough)));
  for (const double factor : {1.0, 2.0, 5.0}) {
    if (factor * power >= rough) return static_cast<std::uint64_t>(factor * power);
  }
  return static_cast<std::uint64_t>(10 * power);
}

struct Lanes {
  Sketch& sketch;
  const Timeline& timeline;
  const TimelineLook& look;
  bool by_wave;
  float top;
  double em_of_ns;

  float x(std::uint64_t time) const {
    return kNames + static_cast<float>(static_cast<double>(time) * em_of_ns);
  }

  // Spans of a slot that are alike and nearly touch are one rectangle.
  void draw(const teach::Lane& lane, float y, float height) const {
    const auto slots = static_cast<float>(std::max(lane.slots, 1u));
    const float row = height * (1 - kLaneGap) / slots;
    struct Run {
      float begin = 0;
      float end = -1;
      teach::DataColour colour;
    };
    std::vector<Run> runs(std::max(lane.slots, 1u));
    const auto put = [&](std::size_t slot) {
      const Run& run = runs[slot];
      if (run.end < run.begin) return;
      sketch.fill(
          {run.begin, y + static_cast<float>(slot) * row, std::max(run.end - run.begin, look.least), row},
          run.colour);
    };
    for (const teach::LaneSpan& one : lane.spans) {
      const TimelineSpan& span = timeline.spans[one.span];
      const teach::DataColour colour = colour_of(timeline, one, by_wave);
      Run& run = runs[one.slot];
      const float begin = x(span.begin);
      const float end = x(span.end);
      const bool joins = run.end >= run.begin && run.colour == colour && begin - run.end < look.least &&
                         end - begin < look.least;
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
    sketch.hot({{kNames, y, look.width, height}, std::move(tip), -1});
    if (height >= kLeastNamed) {
      sketch.text({.x = kNames - 0.4f,
                   .y = y + (height * (1 - kLaneGap) - Sketch::kLine * 0.85f) / 2,
                   .text = std::to_string(lane.worker),
                   .paint = Ink::kMuted,
                   .align = Align::kRight,
                   .size = 0.85f});
    }
  }
};

float legend(Sketch& sketch, float y, const Timeline& timeline, std::uint64_t waves) {
  float x = 0;
  const auto entry = [&](std::uint64_t number, const std::string& text) {
    sketch.fill({x, y + 0.25f, 0.8f, 0.8f}, teach::data_colour({ColourKey::Kind::kNumber, number, 0}));
    sketch.text({.x = x + 1.1f, .y = y, .text = text});
    x += 1.1f + estimated_width(text) + 1.2f;
  };
  if (waves > 0) {
    for (std::uint64_t wave = 0; wave < std::min(waves, kWaves); ++wave)
      entry(wave, fmt::format("wave {}", wave + 1));
  } else {
    std::set<SpanWork> works;
    for (const TimelineSpan& span : timeline.spans) works.insert(span.work);
    for (const SpanWork work : works) entry(static_cast<std::uint64_t>(work), std::string(name_of(work)));
  }
  return y + Sketch::kLine;
}

}  // namespace

Sketch timeline_sketch(const Timeline& timeline, const TimelineLook& look) {
  Sketch sketch;
  const std::vector<teach::Lane> lanes = teach::timeline_lanes(timeline);
  const teach::TimelineFigures figures = teach::timeline_figures(timeline);
  if (timeline.launches.empty() || lanes.empty() || figures.duration == 0) {
    draw_wrapped(sketch, 0, 0, look.width, "Nothing ran for long enough to be seen.");
    return sketch;
  }
  const bool one_work =
      std::all_of(timeline.spans.begin(), timeline.spans.end(),
                  [&](const TimelineSpan& span) { return span.work == timeline.spans.front().work; });
  const bool gpu = timeline.launches.front().occupancy.kernel.threads > 0;
  const float title = draw_wrapped(sketch, 0, 0, look.width,
                                   gpu ? "Multiprocessors, the thread blocks that each held, and time"
                                       : "Threads of the CPU, the runs of blocks that each took, and time",
                                   Ink::kAccent);
  const Lanes draw{sketch,       timeline,
                   look,         one_work,
                   title + 0.3f, static_cast<double>(look.width) / static_cast<double>(figures.duration)};
  const float height = look.height / static_cast<float>(lanes.size());
  sketch.fill({kNames, draw.top, look.width, look.height}, Ink::kRaised);
  for (std::size_t i = 0; i < lanes.size(); ++i) {
    draw.draw(lanes[i], draw.top + static_cast<float>(i) * height, height);
  }
  if (const auto gap = teach::timeline_gap(timeline)) {
    const float begin = draw.x(gap->begin);
    const float end = draw.x(gap->end);
    sketch.frame({begin, draw.top, std::max(end - begin, 0.1f), look.height}, Ink::kWarning, 0.08f);
    sketch.text({.x = (begin + end) / 2,
                 .y = draw.top + look.height / 2 - 0.7f,
                 .text = "not kept",
                 .paint = Ink::kWarning,
                 .align = Align::kCentre});
  }
  float y = draw.top + look.height + 0.1f;
  for (std::uint64_t time = 0; time <= figures.duration; time += tick_of(figures.duration)) {
    sketch.fill({draw.x(time) - 0.03f, y, 0.06f, 0.3f}, Ink::kLine);
    sketch.text({.x = draw.x(time),
                 .y = y + 0.3f,
                 .text = teach::duration_text(time),
                 .paint = Ink::kMuted,
                 .align = time == 0 ? Align::kLeft : Align::kCentre,
                 .size = 0.85f});
  }
  y += 1.8f;
  std::uint64_t waves = 0;
  for (const teach::Lane& lane : lanes) {
    for (const teach::LaneSpan& span : lane.spans) waves = std::max<std::uint64_t>(waves, span.wave + 1);
  }
  y = legend(sketch, y, timeline, one_work ? waves : 0) + 0.3f;
  Table table{.name = "timeline", .titles = {"", ""}};
  std::string before;
  for (const teach::TimelineFact& fact : teach::timeline_facts(timeline)) {
    if (fact.name != before) sketch.text({.x = 0, .y = y, .text = fact.name, .paint = Ink::kMuted});
    before = fact.name;
    y = draw_wrapped(sketch, kNames + 2, y, look.width - 2, fact.text);
    table.rows.push_back({fact.name, fact.text});
  }
  sketch.keep(std::move(table));
  return sketch;
}

}  // namespace loom::app::sketch
