#include "app/explain/diagram/nesting_diagram.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "app/explain/colour_by.h"
#include "app/text/format.h"

namespace loom::app::diagram {
namespace {

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

}  // namespace

float draw_nesting(Diagram& diagram, float y, const explain::GridNesting& nesting, const Timeline& timeline,
                   const NestingStyle& style) {
  Bands bands(diagram, nesting, timeline, style, y);
  bands.draw();
  return bands.bottom();
}

}  // namespace loom::app::diagram
