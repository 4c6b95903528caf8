#include "app/sketch/space_sketch.h"

#include <fmt/format.h>

#include <algorithm>

#include "app/text/format.h"
#include "compute/core/error.h"

namespace loom::app::sketch {
namespace {

using teach::ColourKey;
using teach::SpaceLayout;

constexpr float kWidest = 44;  ///< of the space, in font sizes
constexpr float kLargestUnit = 1.6f;
constexpr int kSwatches = 4;

const char* name_of_group(teach::Space space) {
  switch (space) {
    case teach::Space::kCells:
      return "blocks that are launched";
    case teach::Space::kThreads:
      return "thread blocks";
    case teach::Space::kMemory:
      return "lines of 128 bytes";
  }
  return "";
}

/// Draws into a sketch, a unit being `side` font sizes.
class Units {
 public:
  Units(Sketch& sketch, const SpaceLayout& layout, float top)
      : sketch_(sketch),
        layout_(layout),
        top_(top),
        side_(std::min(kLargestUnit,
                       kWidest / static_cast<float>(std::max(layout.width(), layout.height())))) {}

  Box box(Coord64 unit, Coord64 size = {1, 1}) const {
    return {static_cast<float>(unit.x) * side_, top_ + static_cast<float>(unit.y) * side_,
            static_cast<float>(size.x) * side_, static_cast<float>(size.y) * side_};
  }
  float bottom() const { return top_ + static_cast<float>(layout_.height()) * side_; }

  /// Runs of one colour along a row are one rectangle: no seams, and smaller files.
  template <typename ColourAt>
  void fill(const ColourAt& colour_at) {
    for (std::uint64_t y = 0; y < layout_.height(); ++y) {
      std::uint64_t begin = 0;
      std::optional<teach::DataColour> run;
      for (std::uint64_t x = 0; x <= layout_.width(); ++x) {
        const auto colour = x < layout_.width() ? colour_at(Coord64{x, y}) : std::nullopt;
        if (colour == run && x < layout_.width()) continue;
        if (run) sketch_.fill(box({begin, y}, {x - begin, 1}), *run);
        begin = x;
        run = colour;
      }
    }
  }

  void groups() {
    for (std::uint64_t y = 0; y < layout_.height(); y += layout_.group_size().y) {
      for (std::uint64_t x = 0; x < layout_.width();) {
        const auto group = layout_.group_of({x, y});
        if (group) sketch_.frame(box(group->corner, group->size), Ink::kLine, 0.06f);
        // Between columns of memory there is a gap, which no group begins in.
        x = group                                      ? group->corner.x + group->size.x
            : layout_.space() == teach::Space::kMemory ? x + 1
                                                       : x + layout_.group_size().x;
      }
    }
  }

  void mark(const teach::ThreadPlace& place, const Paint& paint, float thickness) {
    if (const auto unit = layout_.unit_of(place)) sketch_.frame(box(*unit), paint, thickness);
  }

 private:
  Sketch& sketch_;
  const SpaceLayout& layout_;
  float top_;
  float side_;
};

/// One entry of the legend; returns where the next begins.
float legend_entry(Sketch& sketch, float x, float y, const std::vector<teach::DataColour>& colours,
                   const std::string& text) {
  constexpr float kSwatch = 0.8f;
  for (const teach::DataColour& colour : colours) {
    sketch.fill({x, y + 0.25f, kSwatch, kSwatch}, colour);
    x += kSwatch;
  }
  sketch.text({.x = x + 0.4f, .y = y, .text = text});
  return x + 0.4f + estimated_width(text) + 1.2f;
}

float draw_legend(Sketch& sketch, float y, const SpaceLayout& layout, const teach::Colouring& colouring) {
  const teach::ColourLegend legend = teach::legend_of(layout.threads(), colouring);
  std::vector<teach::DataColour> colours;
  float x = 0;
  switch (legend.kind) {
    case ColourKey::Kind::kNone:
      x = legend_entry(sketch, x, y, {teach::state_colour(false)}, legend.first);
      x = legend_entry(sketch, x, y, {teach::state_colour(true)}, legend.last);
      break;
    case ColourKey::Kind::kNumber: {
      const auto count = legend.values == 0
                             ? kSwatches
                             : static_cast<int>(std::min<std::uint64_t>(kSwatches, legend.values));
      for (int i = 0; i < count; ++i) {
        colours.push_back(teach::data_colour({ColourKey::Kind::kNumber, static_cast<std::uint64_t>(i), 0}));
      }
      x = legend_entry(sketch, x, y, colours, legend.title + ": " + legend.first);
      break;
    }
    case ColourKey::Kind::kOrdered:
      for (int i = 0; i < 8; ++i) colours.push_back(teach::ordered_colour(static_cast<float>(i) / 7));
      x = legend_entry(sketch, x, y, colours,
                       fmt::format("{}, {} to {}", legend.title, legend.first, legend.last));
      break;
  }
  legend_entry(sketch, x, y, {teach::data_colour({})},
               layout.space() == teach::Space::kCells ? "idle thread" : "without a cell");
  return y + Sketch::kLine;
}

}  // namespace

Sketch space_sketch(const SpaceLayout& layout, const SpaceWish& wish) {
  const bool fits = layout.width() <= kMostUnits && layout.height() <= kMostUnits / layout.width();
  if (!fits) {
    throw InputError(fmt::format(
        "{}: {} x {} units are too many to draw; allowed: {} units, at a lower level",
        name_of(layout.space()), format_count(layout.width()), format_count(layout.height()), kMostUnits));
  }
  const teach::ThreadSpace& threads = layout.threads();
  const bool by_state = wish.colouring.by == teach::ColourBy::kState;
  Sketch sketch;
  sketch.text(
      {.x = 0,
       .y = 0,
       .text = fmt::format("{}: {} level {}, {}", name_of(layout.space()), threads.config().fractal.name(),
                           threads.config().level, to_string(threads.config().method)),
       .face = Text::Face::kBold});
  Units units(sketch, layout, Sketch::kLine + 0.4f);
  units.fill([&](Coord64 unit) -> std::optional<teach::DataColour> {
    const auto ref = layout.thread_at(unit);
    if (!ref) {
      if (!layout.exists(unit) || layout.space() == teach::Space::kCells) return std::nullopt;
      return teach::data_colour({});
    }
    const teach::ThreadPlace place = threads.place_of(*ref);
    if (!by_state) return teach::data_colour(teach::colour_key(threads, place, wish.colouring));
    const auto index = place.has_cell ? threads.index_of_cell(place.cell) : std::nullopt;
    if (!index) return teach::data_colour({});
    return teach::state_colour(wish.alive != nullptr && (*wish.alive)[static_cast<std::size_t>(*index)] != 0);
  });
  units.groups();
  float y = units.bottom() + 0.4f;
  y = draw_legend(sketch, y, layout, wish.colouring);
  sketch.text({.x = 0,
               .y = y,
               .text = fmt::format("Outlined: {}.", name_of_group(layout.space())),
               .paint = Ink::kMuted});
  y += Sketch::kLine;
  if (!wish.thread) return sketch;
  for (const teach::ThreadPlace& place : threads.places_of_block(wish.thread->block)) {
    units.mark(place, Ink::kText, 0.05f);
  }
  for (const auto& lane : threads.places_of(threads.warp_of(*wish.thread))) {
    if (lane) units.mark(*lane, Ink::kMark, 0.12f);
  }
  units.mark(threads.place_of(*wish.thread), Ink::kWarning, 0.25f);
  draw_wrapped(sketch, 0, y, kWidest,
               "Marked: " + threads.sentence(*wish.thread) + "; its warp's lanes, and thinner its block.",
               Ink::kMuted);
  return sketch;
}

}  // namespace loom::app::sketch
