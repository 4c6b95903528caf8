#include <fmt/format.h>

#include <algorithm>
#include <glm/common.hpp>
#include <glm/geometric.hpp>

#include "app/explain/diagram/diagrams.h"
#include "app/explain/map_steps.h"
#include "app/text/format.h"

namespace loom::app::diagram {
namespace {

using explain::ShowMe;
using Scene = ShowMe::Scene;

constexpr glm::vec2 kSquareCorner{3, kShowMeTop};
constexpr glm::vec2 kBesideCorner{35, kShowMeTop};
constexpr float kSceneSide = 25.5f;
constexpr float kNarrationTop = kShowMeTop + kShowMeDrawing;

// The window's background, towards which colours fade.
constexpr glm::vec3 kDarkPage{0x17, 0x19, 0x1E};
constexpr glm::vec3 kWhitePage{255, 255, 255};

constexpr glm::vec3 kCellColour{20, 135, 240};  // the accents of the maps
constexpr glm::vec3 kBoxColour{217, 105, 10};
constexpr glm::vec3 kCompactColour{191, 108, 151};
constexpr glm::vec3 kIdleColour = kBoxColour;
constexpr glm::vec3 kOutline{150, 156, 168};
constexpr glm::vec3 kMarked{255, 226, 92};

/// A colour of this opacity over the page, which may be dark or white.
Paint faded(glm::vec3 colour, double opacity) {
  const auto alpha = static_cast<float>(std::clamp(opacity, 0.0, 1.0));
  const glm::vec3 on_white = colour * 0.82f;
  return ColourPair{.on_white = glm::u8vec3(glm::mix(kWhitePage, on_white, alpha)),
                    .on_dark = glm::u8vec3(glm::mix(kDarkPage, colour, alpha))};
}

/// Draws the scene at one time.
class SceneDrawing {
 public:
  SceneDrawing(const ShowMe& show_me, double seconds, bool with_time, float captions)
      : show_me_(show_me),
        seconds_(seconds),
        with_time_(with_time),
        captions_(captions),
        progress_(show_me.progress(seconds)) {
    const TiledFractal& tiled = show_me.lambda().tiled();
    points_ = {static_cast<float>(tiled.width), static_cast<float>(tiled.height)};
    rho_ = {static_cast<float>(tiled.rho_x), static_cast<float>(tiled.rho_y)};
    unit_ = glm::vec2(kSceneSide) / points_;
  }

  Diagram draw() {
    const ShowMe::Chapter& chapter = show_me_.chapter_at(seconds_);
    // Gives every frame the same size, whatever else is drawn.
    diagram_.fill({{0, 0}, kShowMeSize}, faded(kOutline, 0));
    diagram_.text({.at = {3, kSquareCorner.y - kShowMeTitle * captions_},
                   .text = chapter.title,
                   .size = 1.7f * captions_,
                   .face = FontFace::kBold});
    switch (chapter.scene) {
      case Scene::kFractal:
        // Alone in the middle, until the numbers of the next scene need the right half.
        square_.x = glm::mix((kShowMeSize.x - kSceneSide) / 2, kSquareCorner.x,
                             static_cast<float>(explain::eased((progress_ - 0.8) * 5)));
        cells(explain::eased(progress_ * 3));
        break;
      case Scene::kBoundingBox:
        threads(explain::eased(progress_ * 2.5), 1);
        cells(1);
        grid(explain::eased((progress_ - 0.25) * 3), 1);
        counts({{"threads", *show_me_.box().threads(), kBoxColour},
                {"with a cell", show_me_.cells().size(), kCellColour}});
        break;
      case Scene::kIdleThreads: {
        // The sentence is read first: the threads fade in the second half.
        const double left = 1 - explain::eased((progress_ - 0.5) / 0.4);
        threads(1, left);
        cells(1);
        grid(1, left);
        counts({{"idle threads", *show_me_.box().threads() - show_me_.cells().size(), kIdleColour},
                {"active threads", show_me_.cells().size(), kCellColour}});
        break;
      }
      case Scene::kLaunch:
        tiles();
        counts({{"tiles of the bounding box", show_me_.box().shape().tiles_x * show_me_.box().shape().tiles_y,
                 kBoxColour},
                {"tiles of λ", show_me_.unfolding().tiles(), kCellColour}});
        break;
      case Scene::kUnfold:
        tiles();
        digits();
        break;
      case Scene::kMemory:
        memory();
        break;
      case Scene::kNeighbour:
        memory();
        neighbour();
        break;
    }
    draw_wrapped(diagram_, {3, kNarrationTop}, 70, chapter.sentence, ColourRole::kText, 1.3f * captions_);
    if (with_time_) time_bar();
    return std::move(diagram_);
  }

 private:
  Box point_box(glm::dvec2 point, glm::vec2 corner, float gap = 0.06f) const {
    return {corner + glm::vec2(point) * unit_ + unit_ * gap, unit_ * (1 - 2 * gap)};
  }

  void cells(double opacity) {
    for (const ShowMe::Cell& cell : show_me_.cells()) {
      diagram_.fill(point_box({cell.point.x, cell.point.y}, square_), faded(kCellColour, opacity));
    }
    diagram_.frame({square_, glm::vec2(kSceneSide)}, faded(kOutline, 0.6));
  }

  /// One square per idle thread of the bounding box.
  void threads(double shown, double idle) {
    const double opacity = 0.55 * shown * idle;
    if (opacity <= 0.005) return;
    const Paint paint = faded(kIdleColour, opacity);
    for (const Coord64& hole : show_me_.holes())
      diagram_.fill(point_box({hole.x, hole.y}, kSquareCorner, 0.2f), paint);
  }

  /// The tiles of the bounding box; those without cells with opacity `empty`.
  void grid(double shown, double empty) {
    for (const ShowMe::BoxTile& tile : show_me_.box_tiles()) {
      const double opacity = shown * (tile.has_cells ? 1 : empty);
      if (opacity <= 0.01) continue;
      diagram_.frame({kSquareCorner + glm::vec2(tile.corner.x, tile.corner.y) * unit_, rho_ * unit_},
                     faded(kBoxColour, 0.8 * opacity), 0.05f);
    }
  }

  struct Count {
    const char* name;
    std::uint64_t number;
    glm::vec3 colour;
  };
  void counts(std::initializer_list<Count> counts) {
    float y = 8;
    for (const auto& [name, number, colour] : counts) {
      diagram_.text({.at = {35, y},
                     .text = std::string(std::string_view(format_count(number))),
                     .paint = faded(colour, 1),
                     .size = 3,
                     .face = FontFace::kBold});
      diagram_.text({.at = {35, y + 4}, .text = name, .paint = ColourRole::kMuted, .size = 1.3f * captions_});
      y += 7.5f;
    }
  }

  /// The corner and side of a tile on the page.
  Box tile_box(std::size_t i) const {
    const glm::vec2 extent(show_me_.tile_extent(seconds_));
    const float side = kSceneSide / std::max(extent.x, extent.y);
    const glm::vec2 corner = kSquareCorner + (glm::vec2(kSceneSide) - extent * side) / 2.0f;
    return {corner + glm::vec2(show_me_.tile_place(i, seconds_)) * side + side * 0.04f,
            glm::vec2(side * 0.92f)};
  }

  void tiles() {
    const int level = show_me_.level_at(seconds_);
    for (std::size_t i = 0; i < show_me_.unfolding().tiles(); ++i) {
      const Box box = tile_box(i);
      const bool marked = level > 0 && i == show_me_.marked_tile();
      diagram_.fill(box, faded(marked ? kMarked : kCellColour, marked ? 0.9 : 0.75));
      diagram_.frame(box, faded(kCellColour, 1), 0.05f);
      if (level == 0) continue;
      const explain::LambdaSteps steps =
          explain::lambda_steps(show_me_.lambda(), show_me_.unfolding().omega(i));
      const auto digit = steps.steps[static_cast<std::size_t>(level - 1)].digit;
      const float size = std::clamp(box.size.y * 0.6f, 0.3f, 1.3f);
      diagram_.text({.at = box.corner + glm::vec2{box.size.x / 2, (box.size.y - size * Diagram::kLine) / 2},
                     .text = std::to_string(digit),
                     .paint = ColourPair{.on_white = {20, 24, 30}, .on_dark = {10, 14, 20}},
                     .align = Align::kCentre,
                     .size = size,
                     .face = FontFace::kBold});
    }
  }

  /// The digits and offsets of the marked tile so far.
  void digits() {
    const Coord64 omega = show_me_.unfolding().omega(show_me_.marked_tile());
    const explain::LambdaSteps steps = explain::lambda_steps(show_me_.lambda(), omega);
    const int level = show_me_.level_at(seconds_);
    float y = 5;
    const auto line = [&](const std::string& text, const Paint& paint, FontFace face) {
      diagram_.text({.at = {32, y}, .text = text, .paint = paint, .size = 1.15f, .face = face});
      y += 2;
    };
    line(fmt::format("Tile index ω = {}", format_pair(omega.x, omega.y)), faded(kMarked * 0.9f, 1),
         FontFace::kBold);
    for (const explain::LambdaStep& step : steps.steps) {
      if (step.level > level) break;
      const bool now = step.level == level;
      line(fmt::format("level {}: digit {} → offset {} × {}", step.level, step.digit,
                       format_pair(step.offset.x, step.offset.y), step.weight.x),
           now ? Paint(ColourRole::kText) : Paint(ColourRole::kMuted),
           now ? FontFace::kBold : FontFace::kPlain);
      line(fmt::format("      position {}", format_pair(step.sum.x, step.sum.y)),
           now ? Paint(ColourRole::kText) : Paint(ColourRole::kMuted), FontFace::kPlain);
    }
    if (progress_ > 0.97)
      line(fmt::format("λ(ω) = {}", format_pair(steps.place.x, steps.place.y)), faded(kCellColour, 1),
           FontFace::kBold);
  }

  void memory() {
    // The frames of both memories to one scale: a byte is as large as a point.
    diagram_.frame({kSquareCorner, glm::vec2(kSceneSide)}, faded(kBoxColour, 0.8));
    diagram_.text({.at = kSquareCorner + glm::vec2{0, kSceneSide + 0.2f},
                   .text = fmt::format("bounding box and λ: {}",
                                       std::string_view(format_bytes(*show_me_.box().bytes()))),
                   .paint = ColourRole::kMuted});
    const auto rows = static_cast<float>(show_me_.memory_place(*show_me_.compact().bytes() - 1).y + 1);
    diagram_.frame({kBesideCorner, glm::vec2{kSceneSide, rows * unit_.y}}, faded(kCompactColour, 0.9));
    diagram_.text({.at = kBesideCorner + glm::vec2{0, rows * unit_.y + 0.2f},
                   .text = fmt::format("compact: {}, drawn to the same scale",
                                       std::string_view(format_bytes(*show_me_.compact().bytes()))),
                   .paint = ColourRole::kMuted});
    for (std::size_t i = 0; i < show_me_.cells().size(); ++i) {
      const ShowMe::Cell& cell = show_me_.cells()[i];
      const auto share = static_cast<float>(show_me_.share_in_memory(i, seconds_));
      const Box from = point_box({cell.point.x, cell.point.y}, kSquareCorner);
      const Box to = point_box(show_me_.memory_place(cell.byte), kBesideCorner);
      if (share > 0) diagram_.fill(from, faded(kCellColour, 0.3));
      diagram_.fill({glm::mix(from.corner, to.corner, share), from.size},
                    faded(glm::mix(kCellColour, kCompactColour, share), 1));
    }
  }

  void arrow(glm::vec2 from, glm::vec2 to, double shown, glm::vec3 colour) {
    if (shown <= 0) return;
    const glm::vec2 end = glm::mix(from, to, static_cast<float>(shown));
    diagram_.line({.points = {from, end}, .paint = faded(colour, 1), .thickness = 0.14f});
    const glm::vec2 way = (to - from) / std::max(glm::length(to - from), 0.01f);
    const glm::vec2 side{-way.y, way.x};
    diagram_.polygon(
        {.points = {end + way * 0.5f, end + side * 0.3f, end - side * 0.3f}, .paint = faded(colour, 1)});
  }

  /// The cell and its neighbour in the square and in memory, with arrows.
  void neighbour() {
    const auto centre_of = [&](const Box& box) { return box.corner + box.size / 2.0f; };
    const auto mark = [&](const Box& box, glm::vec3 colour) {
      diagram_.fill({box.corner - 0.08f, box.size + 0.16f}, faded(colour, 1));
      diagram_.frame({box.corner - 0.3f, box.size + 0.6f}, faded(colour, 1), 0.12f);
    };
    const ShowMe::Cell& from = show_me_.centre();
    const ShowMe::Cell& to = show_me_.neighbour();
    const Box from_memory = point_box(show_me_.memory_place(from.byte), kBesideCorner);
    const Box to_memory = point_box(show_me_.memory_place(to.byte), kBesideCorner);
    const Box from_square = point_box({from.point.x, from.point.y}, kSquareCorner);
    const Box to_square = point_box({to.point.x, to.point.y}, kSquareCorner);
    mark(from_memory, kMarked);
    arrow(centre_of(from_memory), centre_of(from_square), explain::eased(progress_ * 4), kMarked);
    if (progress_ > 0.25) mark(from_square, kMarked);
    if (progress_ > 0.4) mark(to_square, kBoxColour);
    arrow(centre_of(to_square), centre_of(to_memory), explain::eased((progress_ - 0.45) * 3), kBoxColour);
    if (progress_ > 0.78) mark(to_memory, kBoxColour);
    const float y = kBesideCorner.y + 16;
    const auto line = [&](float at, const std::string& text, glm::vec3 colour) {
      diagram_.text({.at = {kBesideCorner.x, at},
                     .text = text,
                     .paint = faded(colour, 1),
                     .size = 1.2f,
                     .face = FontFace::kBold});
    };
    line(y, fmt::format("λ: byte {} → cell {}", from.byte, format_pair(from.point.x, from.point.y)),
         kMarked * 0.9f);
    if (progress_ > 0.45)
      line(y + 2.2f, fmt::format("ν: cell {} → byte {}", format_pair(to.point.x, to.point.y), to.byte),
           kBoxColour);
  }

  /// Where the minute is, with a mark at the start of each scene.
  void time_bar() {
    const float y = kShowMeSize.y - 0.9f;
    const float width = kShowMeSize.x - 6;
    const auto x = [&](double seconds) { return 3 + width * static_cast<float>(seconds / ShowMe::kSeconds); };
    diagram_.fill({{3, y}, {width, 0.3f}}, ColourRole::kRaised);
    diagram_.fill({{3, y}, {x(seconds_) - 3, 0.3f}}, ColourRole::kAccent);
    for (const ShowMe::Chapter& one : show_me_.chapters())
      diagram_.fill({{x(one.begin), y - 0.15f}, {0.12f, 0.6f}}, ColourRole::kMuted);
  }

  const ShowMe& show_me_;
  double seconds_;
  bool with_time_;
  float captions_;
  double progress_;
  glm::vec2 square_ = kSquareCorner;
  glm::vec2 points_{1};
  glm::vec2 rho_{1};
  glm::vec2 unit_{1};
  Diagram diagram_;
};

}  // namespace

Diagram show_me_diagram(const explain::ShowMe& show_me, double seconds, bool with_time, float captions) {
  return SceneDrawing(show_me, std::clamp(seconds, 0.0, ShowMe::kSeconds), with_time, captions).draw();
}

}  // namespace loom::app::diagram
