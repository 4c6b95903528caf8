#include "app/explain/diagram/space_diagram.h"

#include <fmt/format.h>

#include <algorithm>

#include "app/explain/data_colour.h"
#include "app/text/format.h"
#include "compute/core/error.h"

namespace loom::app::diagram {
namespace {

using explain::ColourKey;
using explain::SpaceLayout;

constexpr float kWidest = 44;  ///< maximum width of the space, in font sizes
constexpr float kLargestUnit = 1.6f;
constexpr int kSwatches = 4;

const char* name_of_group(explain::Space space) {
  switch (space) {
    case explain::Space::kCells:
      return "launched tiles";
    case explain::Space::kThreads:
      return "thread blocks";
    case explain::Space::kMemory:
      return "cache lines (128 B)";
  }
  return "";
}

/// Draws a part of a layout into a diagram. A unit has a side of side_ font sizes.
class Units {
 public:
  Units(Diagram& diagram, const SpaceLayout& layout, const explain::UnitRect& part, float top)
      : sketch_(diagram),
        layout_(layout),
        low_(part.corner),
        end_{part.corner.x + part.size.x, part.corner.y + part.size.y},
        top_(top),
        side_(std::min(kLargestUnit, kWidest / static_cast<float>(std::max(part.size.x, part.size.y)))) {}

  /// The box of units, clipped to the part. They must overlap it.
  Box box(Coord64 unit, Coord64 size = {1, 1}) const {
    const Coord64 low{std::max(unit.x, low_.x), std::max(unit.y, low_.y)};
    const Coord64 end{std::min(unit.x + size.x, end_.x), std::min(unit.y + size.y, end_.y)};
    const glm::vec2 corner = glm::vec2(low.x - low_.x, low.y - low_.y) * side_;
    return {{corner.x, top_ + corner.y}, glm::vec2(end.x - low.x, end.y - low.y) * side_};
  }
  float bottom() const { return top_ + static_cast<float>(end_.y - low_.y) * side_; }

  /// Joins runs of one colour in a row into one rectangle, which avoids seams and makes files smaller.
  template <typename ColourAt>
  void fill(const ColourAt& colour_at) {
    for (std::uint64_t y = low_.y; y < end_.y; ++y) {
      std::uint64_t begin = low_.x;
      std::optional<glm::u8vec3> run;
      for (std::uint64_t x = low_.x; x <= end_.x; ++x) {
        const auto colour = x < end_.x ? colour_at(Coord64{x, y}) : std::nullopt;
        if (colour == run && x < end_.x) continue;
        if (run) sketch_.fill(box({begin, y}, {x - begin, 1}), *run);
        begin = x;
        run = colour;
      }
    }
  }

  void groups() {
    const Coord64 size = layout_.group_size();
    for (std::uint64_t y = low_.y / size.y * size.y; y < end_.y; y += size.y) {
      const std::uint64_t row = std::max(y, low_.y);
      for (std::uint64_t x = low_.x; x < end_.x;) {
        const auto group = layout_.group_of({x, row});
        if (group) sketch_.frame(box(group->corner, group->size), ColourRole::kLine, 0.06f);
        // Gaps between columns of memory contain no group.
        x = group                                        ? group->corner.x + group->size.x
            : layout_.space() == explain::Space::kMemory ? x + 1
                                                         : x / size.x * size.x + size.x;
      }
    }
  }

  void mark(const explain::ThreadLocation& place, const Paint& paint, float thickness) {
    const auto unit = layout_.unit_of(place);
    const bool here = unit && unit->x >= low_.x && unit->x < end_.x && unit->y >= low_.y && unit->y < end_.y;
    if (here) sketch_.frame(box(*unit), paint, thickness);
  }

 private:
  Diagram& sketch_;
  const SpaceLayout& layout_;
  Coord64 low_;
  Coord64 end_;
  float top_;
  float side_;
};

/// Draws an entry of the legend. Returns the x of the next entry.
float legend_entry(Diagram& diagram, float x, float y, const std::vector<glm::u8vec3>& colours,
                   const std::string& text) {
  constexpr float kSwatch = 0.8f;
  for (const glm::u8vec3& colour : colours) {
    diagram.fill({{x, y + 0.25f}, {kSwatch, kSwatch}}, colour);
    x += kSwatch;
  }
  diagram.text({.at = {x + 0.4f, y}, .text = text});
  return x + 0.4f + estimated_width(text) + 1.2f;
}

float draw_legend(Diagram& diagram, float y, const SpaceLayout& layout, const explain::Colouring& colouring) {
  const explain::ColourLegend legend = explain::legend_of(layout.threads(), colouring);
  std::vector<glm::u8vec3> colours;
  float x = 0;
  switch (legend.kind) {
    case ColourKey::Kind::kNone:
      x = legend_entry(diagram, x, y, {explain::state_colour(false)}, legend.first);
      x = legend_entry(diagram, x, y, {explain::state_colour(true)}, legend.last);
      break;
    case ColourKey::Kind::kNumber: {
      const auto count = legend.values == 0
                             ? kSwatches
                             : static_cast<int>(std::min<std::uint64_t>(kSwatches, legend.values));
      for (int i = 0; i < count; ++i) {
        colours.push_back(explain::data_colour({ColourKey::Kind::kNumber, static_cast<std::uint64_t>(i), 0}));
      }
      x = legend_entry(diagram, x, y, colours, legend.title + ": " + legend.first);
      break;
    }
    case ColourKey::Kind::kOrdered:
      for (int i = 0; i < 8; ++i) colours.push_back(explain::ordered_colour(static_cast<float>(i) / 7));
      x = legend_entry(diagram, x, y, colours,
                       fmt::format("{}, {} to {}", legend.title, legend.first, legend.last));
      break;
  }
  legend_entry(diagram, x, y, {explain::data_colour({})},
               layout.space() == explain::Space::kCells ? "idle thread" : "without a cell");
  return y + Diagram::kLine;
}

/// The requested part, clipped to the layout; at least one unit.
explain::UnitRect part_of(const SpaceLayout& layout, const std::optional<explain::UnitRect>& wanted) {
  if (!wanted) return {{0, 0}, {layout.width(), layout.height()}};
  const Coord64 corner{std::min(wanted->corner.x, layout.width() - 1),
                       std::min(wanted->corner.y, layout.height() - 1)};
  return {corner,
          {std::clamp<std::uint64_t>(wanted->size.x, 1, layout.width() - corner.x),
           std::clamp<std::uint64_t>(wanted->size.y, 1, layout.height() - corner.y)}};
}

}  // namespace

Diagram space_diagram(const SpaceLayout& layout, const SpaceOptions& options) {
  const explain::UnitRect part = part_of(layout, options.part);
  const bool fits = part.size.x <= kMaxUnits && part.size.y <= kMaxUnits / part.size.x;
  if (!fits) {
    throw InputError(
        fmt::format("{}: {} x {} units are too many to draw; allowed: at most {}, at a lower level",
                    name_of(layout.space()), format_count(part.size.x), format_count(part.size.y),
                    format_count(kMaxUnits)));
  }
  const explain::ThreadSpace& threads = layout.threads();
  const bool by_state = options.colouring.by == explain::ColourBy::kState;
  Diagram diagram;
  diagram.text(
      {.at = {0, 0},
       .text = fmt::format("{}: {} level {}, {}", name_of(layout.space()), threads.config().fractal.name(),
                           threads.config().level, to_string(threads.config().method)),
       .face = FontFace::kBold});
  Units units(diagram, layout, part, Diagram::kLine + 0.4f);
  units.fill([&](Coord64 unit) -> std::optional<glm::u8vec3> {
    const auto ref = layout.thread_at(unit);
    if (!ref) {
      if (!layout.exists(unit) || layout.space() == explain::Space::kCells) return std::nullopt;
      return explain::data_colour({});
    }
    const explain::ThreadLocation place = threads.location_of(*ref);
    if (!by_state) return explain::data_colour(explain::colour_key(threads, place, options.colouring));
    const auto index = place.has_cell ? threads.index_of_cell(place.cell) : std::nullopt;
    if (!index) return explain::data_colour({});
    return explain::state_colour(options.alive != nullptr &&
                                 (*options.alive)[static_cast<std::size_t>(*index)] != 0);
  });
  units.groups();
  float y = units.bottom() + 0.4f;
  if (part.size != Coord64{layout.width(), layout.height()}) {
    diagram.text({.at = {0, y},
                  .text = fmt::format("From ({}, {}) to ({}, {}) of {} x {}.", part.corner.x, part.corner.y,
                                      part.corner.x + part.size.x - 1, part.corner.y + part.size.y - 1,
                                      format_count(layout.width()), format_count(layout.height())),
                  .paint = ColourRole::kMuted});
    y += Diagram::kLine;
  }
  y = draw_legend(diagram, y, layout, options.colouring);
  diagram.text({.at = {0, y},
                .text = fmt::format("Outlined: {}.", name_of_group(layout.space())),
                .paint = ColourRole::kMuted});
  y += Diagram::kLine;
  if (!options.thread) return diagram;
  for (const explain::ThreadLocation& place : threads.locations_in_tile(options.thread->tile)) {
    units.mark(place, ColourRole::kText, 0.05f);
  }
  for (const auto& lane : threads.locations_of(threads.warp_of(*options.thread))) {
    if (lane) units.mark(*lane, ColourRole::kMark, 0.12f);
  }
  units.mark(threads.location_of(*options.thread), ColourRole::kSelection, 0.25f);
  draw_wrapped(
      diagram, {0, y}, kWidest,
      "Marked: " + threads.sentence(*options.thread) + "; the lanes of its warp; thin outline: its tile.",
      ColourRole::kMuted);
  return diagram;
}

}  // namespace loom::app::diagram
