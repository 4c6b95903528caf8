#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <glm/fwd.hpp>
#include <glm/vec2.hpp>
#include <glm/vec3.hpp>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "app/explain/colour_by.h"
#include "app/explain/diagram/diagram.h"
#include "app/explain/diagram/diagrams.h"
#include "app/explain/fragments.h"
#include "app/explain/memory.h"
#include "app/explain/unfolding.h"
#include "app/gui/theme.h"
#include "app/text/format.h"
#include "app/text/text.h"
#include "app/widgets/inputs.h"
#include "app/widgets/text.h"
#include "app/widgets/windows.h"
#include "app/workspaces/life/panes/panes.h"
#include "app/workspaces/life/picture/life_picture.h"
#include "compute/core/error.h"

namespace loom::app {
namespace {

constexpr std::chrono::duration<double, std::milli> kSlice{6};
constexpr std::chrono::duration<double, std::milli> kToTheEnd{1e9};

}  // namespace

/// A pane that shows the launch of the scene's method as threads or as memory. Needs no engine.
class SpacePane final : public ContentPane {
 public:
  explicit SpacePane(explain::Space space) : space_(space) {}

  bool needs_tiles(const PaneSubject&) const override { return false; }  // its header has the note

  void place(const Area& area, float scale) override {
    area_ = area;
    scale_ = scale;
    camera_.set_picture(to_pixels(area.size, scale));
  }

  std::optional<Coord64> update() override {
    mouse_.update(area_, scale_, camera_);
    if (!layout_ || !mouse_.hovered() || mouse_.hovered()->x < 0 || mouse_.hovered()->y < 0)
      return std::nullopt;
    const auto ref = layout_->thread_at(
        {static_cast<std::uint64_t>(mouse_.hovered()->x), static_cast<std::uint64_t>(mouse_.hovered()->y)});
    if (!ref) return std::nullopt;
    const explain::ThreadLocation place = threads_->location_of(*ref);
    return place.has_position ? std::optional(place.cell) : std::nullopt;
  }

  void paint(const FractalConfig& config, const explain::Colouring& colouring, const CellStates& states,
             const render::Palette& palette, bool waits) override {
    follow(config, colouring, states, palette);
    if (!layout_ || area_.empty()) return;
    raster_.advance(camera_, waits ? kToTheEnd : kSlice);
    raster_.upload();
  }

  void draw(ImDrawList& list, const ThreadExplanation& explanation) const override {
    if (area_.empty() || !layout_) return;
    list.PushClipRect(area_.corner, area_.end());
    raster_.draw(list, area_, 255);
    const PictureView view{camera_, area_, scale_};
    draw_groups(list, view, *layout_);
    if (const ThreadExplanation::Thread* const thread = thread_here(explanation))
      draw_thread(list, view, *layout_, *thread);
    mouse_.draw(list);
    list.PopClipRect();
  }

  std::optional<glm::vec2> marked_at(explain::Space space,
                                     const ThreadExplanation& explanation) const override {
    if (space != space_) return std::nullopt;
    const ThreadExplanation::Thread* const thread = thread_here(explanation);
    const auto unit = thread != nullptr ? layout_->unit_of(thread->place) : std::nullopt;
    if (!unit) return std::nullopt;
    return PictureView{camera_, area_, scale_}.screen(glm::dvec2(unit->x, unit->y) + 0.5);
  }

  std::string problem() const override { return problem_; }

  bool add_to_figure(FigureJob& job) const override {
    job.part = layout_ ? visible_part(camera_, layout_->width(), layout_->height()) : std::nullopt;
    return true;
  }

  void add_state(nlohmann::ordered_json& json, const ThreadExplanation& explanation) const override {
    json["picture"] = numbers_of(area_);
    json["finished"] = !layout_ || raster_.finished();
    json["marked_at"] = nullptr;
    if (const auto at = marked_at(space_, explanation)) json["marked_at"] = {at->x, at->y};
  }

 private:
  void follow(const FractalConfig& config, const explain::Colouring& colouring, const CellStates& states,
              const render::Palette& palette) {
    if (!explain::has_tiles(config)) {
      layout_.reset();
      threads_.reset();
      problem_ = explain::kByteStorageOnly;
      return;
    }
    const bool other = !threads_ || threads_->config() != config;
    if (other) {
      layout_.reset();
      problem_.clear();
      threads_ = std::make_unique<explain::ThreadSpace>(config);
      try {
        layout_.emplace(*threads_, space_);
        camera_.set_field({layout_->width(), layout_->height()});
        camera_.fit();
      } catch (const InputError& error) {
        problem_ = error.what();
      }
    }
    if (layout_ && (other || colouring != colouring_)) raster_.look_at(*layout_, colouring);
    colouring_ = colouring;
    raster_.set_states(states, {palette.ramp.front(), palette.ramp.back()});
  }

  // The explanation belongs to the scene's configuration, which may differ for the frame in which it changes.
  const ThreadExplanation::Thread* thread_here(const ThreadExplanation& explanation) const {
    const bool here = layout_ && explanation.thread() && explanation.space()->config() == threads_->config();
    return here ? &*explanation.thread() : nullptr;
  }

  explain::Space space_;
  PictureMouse mouse_;
  render::Camera camera_;
  std::unique_ptr<explain::ThreadSpace> threads_;
  std::optional<explain::SpaceLayout> layout_;
  explain::Colouring colouring_;
  SpaceRaster raster_;
  std::string problem_;
  float scale_ = 1;
};

namespace {

void neighbour_choice(int& neighbour) {
  ImGui::TextUnformatted("ν of neighbour");
  ImGui::SameLine();
  ImGui::SetNextItemWidth(ImGui::GetFontSize() * 9);
  if (!ImGui::BeginCombo("##neighbour", diagram::neighbour_name(neighbour).c_str())) return;
  for (int i = 0; i < 8; ++i) {
    if (ImGui::Selectable(diagram::neighbour_name(i).c_str(), i == neighbour)) neighbour = i;
  }
  ImGui::EndCombo();
}

}  // namespace

/// A pane with the computation of the map for the selected tile, by the selected map arithmetic.
class StepsPane final : public ContentPane {
 public:
  void show(const char* id, const PaneSubject& subject, PaneResponse& response) override {
    if (area_.empty()) return;
    const ThreadExplanation& explanation = subject.explanation;
    int& neighbour = response.neighbour;
    begin_pane_window(id, area_);
    if (!explanation.thread()) {
      note(explanation.problem().empty()
               ? "Hover a cell, thread or byte to see how its tile position is computed. A click pins it."
               : explanation.problem());
      return ImGui::End();
    }
    const explain::ThreadSpace& threads = *explanation.space();
    if (threads.config().method.map == MapKind::kCompact) neighbour_choice(neighbour);
    const Coord64 tile = explanation.thread()->place.ref.tile;
    const float room = std::floor(ImGui::GetContentRegionAvail().x / (kMinTextSize * ImGui::GetFontSize()));
    const std::uint32_t radius = explain::band_radius(threads, subject.work.rule);
    if (!cached_ || cached_->config != threads.config() || cached_->tile != tile ||
        cached_->neighbour != neighbour || cached_->room != room || cached_->row != row_ ||
        cached_->radius != radius) {
      cached_.emplace(Cached{threads.config(), tile, neighbour, room, row_, radius,
                             diagram::steps_diagram(threads, {.tile = tile,
                                                              .neighbour = neighbour,
                                                              .width = room,
                                                              .marked = row_,
                                                              .counted_radius = radius})});
    }
    const diagram::Hotspot* const hotspot = show_diagram(cached_->steps.diagram);
    if (hotspot != nullptr && hotspot->tag >= 0) {
      response.square = cached_->steps.squares[static_cast<std::size_t>(hotspot->tag)];
      row_ = hotspot->tag;
    }
    ImGui::End();
  }

 private:
  struct Cached {
    FractalConfig config;
    Coord64 tile;
    int neighbour = 0;
    float room = 0;  ///< width, in units of the smallest text size
    int row = -1;    ///< the marked row; -1: none
    std::uint32_t radius = 0;
    diagram::StepsDiagram steps;
  };
  std::optional<Cached> cached_;
  int row_ = -1;  ///< the row that was last under the cursor
};

namespace {

/// Sample size of the average if the launch has more warps: 0.1 to 0.2 ms per warp, all in one frame.
constexpr std::uint64_t kMaxWarps = 32;

}  // namespace

/// A pane with the memory accesses of the warp of the selected thread, request by request and lane by lane.
class MemoryAccessPane final : public ContentPane {
 public:
  void show(const char* id, const PaneSubject& subject, PaneResponse&) override {
    if (area_.empty()) return;
    const ThreadExplanation& explanation = subject.explanation;
    begin_pane_window(id, area_);
    if (!explanation.thread()) {
      note(explanation.problem().empty()
               ? "Press X and hover a cell, thread or byte to see the memory accesses of its warp."
               : explanation.problem());
    } else if (!explanation.thread()->traffic) {
      note("Addresses of this storage exceed 64 bits.");
    } else {
      if (subject.work.rule.is_larger()) warning(kOfEightNeighbours);
      follow(explanation);
      show_diagram(cached_->diagram);
    }
    ImGui::End();
  }

 private:
  void follow(const ThreadExplanation& explanation) {
    const explain::ThreadSpace& threads = *explanation.space();
    const explain::Warp& warp = explanation.thread()->warp;
    const bool same = cached_ && cached_->config == threads.config() &&
                      cached_->thread_block == warp.thread_block && cached_->number == warp.number;
    if (same) return;
    if (average_of_ != threads.config()) {
      average_of_ = threads.config();
      average_ = explain::launch_traffic(threads, kMaxWarps);
    }
    const explain::WarpMemoryAccess access =
        explain::warp_memory_access(threads, warp.thread_block, warp.number);
    cached_.emplace(Cached{threads.config(), warp.thread_block, warp.number,
                           diagram::memory_access_diagram(access, average_)});
  }

  struct Cached {
    FractalConfig config;
    Coord64 thread_block;
    std::uint32_t number = 0;
    diagram::Diagram diagram;
  };
  std::optional<Cached> cached_;
  std::optional<FractalConfig> average_of_;
  std::optional<explain::LaunchTraffic> average_;  ///< of the launch of that configuration
};

namespace {

constexpr float kSecondsOfALevel = 1.4f;
/// The smallest side of a replica whose outline is drawn, in pixels.
constexpr float kSmallestOutline = 12;

/// Smoothstep: slow at both ends, so that the start and the end of each level are visible.
float eased(float share) {
  return share * share * (3 - 2 * share);
}

float between(std::uint64_t from, std::uint64_t to, float share) {
  return static_cast<float>(from) + (static_cast<float>(to) - static_cast<float>(from)) * share;
}

/// Fills a square that is turned or turned over, given by its corners in order. Dear ImGui smooths the edges
/// of polygons whose corners go clockwise.
void fill_turned(ImDrawList& list, glm::vec2 a, glm::vec2 b, glm::vec2 c, glm::vec2 d, ImU32 colour) {
  const bool clockwise = (b.x - a.x) * (d.y - a.y) - (b.y - a.y) * (d.x - a.x) > 0;
  list.AddQuadFilled(a, clockwise ? b : d, c, clockwise ? d : b, colour);
}

}  // namespace

/// A pane that animates the tiles from the launch to their positions in the fractal, one level of lambda at a
/// time, and back.
class UnfoldPane final : public ContentPane {
 public:
  /// Marks the tile of the explained thread. Colours by tile if the colouring is by state.
  void show(const char* id, const PaneSubject& subject, PaneResponse&) override {
    if (area_.empty()) return;
    follow(subject.method.config, subject.colouring);
    fly();
    button_ = {};
    begin_pane_window(id, area_, false);
    const auto last = static_cast<float>(stages());
    if (stages() > 0) {
      const bool at_end = stage_ >= last;
      if (ImGui::Button(direction_ != 0 ? "Pause" : at_end ? "Play ν" : "Play λ")) {
        direction_ = direction_ != 0 ? 0 : at_end ? -1 : +1;
      }
      button_ = item_area();
      ImGui::SameLine();
      ImGui::SetNextItemWidth(remaining_width());
      if (slider("##stage", &stage_, 0, last, "level %.1f", ImGuiSliderFlags_AlwaysClamp)) {
        direction_ = 0;
      }
    }
    note(sentence());
    draw_tiles(subject.explanation);
    ImGui::End();
  }

  bool is_animating() const override { return direction_ != 0; }

  void add_state(nlohmann::ordered_json& json, const ThreadExplanation&) const override {
    json["unfolded"] = share();
    json["play"] = numbers_of(button_);
  }

 private:
  /// Progress from 0 (the launch) to 1 (the fractal).
  float share() const { return stages() > 0 ? stage_ / static_cast<float>(stages()) : 1; }
  int stages() const { return unfolding_ ? unfolding_->stages() : 0; }

  void follow(const FractalConfig& config, const explain::Colouring& colouring) {
    const bool other = !threads_ || threads_->config() != config;
    if (other) {
      const float share = unfolding_ ? this->share() : 0;
      threads_.emplace(config);
      unfolding_.emplace(*threads_);
      stage_ = share * static_cast<float>(stages());
      direction_ = 0;
    }
    if (!other && colouring == colouring_) return;
    colouring_ = colouring;
    explain::Colouring by = colouring;
    if (by.by == explain::ColourBy::kState) by.by = explain::ColourBy::kTileIndex;
    colours_.clear();
    for (std::size_t i = 0; i < unfolding_->tiles(); ++i) {
      const explain::ThreadLocation place = threads_->location_of({unfolding_->omega(i), 0});
      colours_.push_back(explain::data_colour(explain::colour_key(*threads_, place, by)));
    }
  }

  void fly() {
    if (direction_ == 0) return;
    stage_ += static_cast<float>(direction_) * std::min(ImGui::GetIO().DeltaTime, 0.1f) / kSecondsOfALevel;
    const auto last = static_cast<float>(stages());
    if (stage_ <= 0 || stage_ >= last) direction_ = 0;
    stage_ = std::clamp(stage_, 0.0f, last);
  }

  Text sentence() const {
    const Text part = unfolding_->whole() ? Text() : part_words();
    if (stages() == 0) {
      return format_text("The bounding box is the identity map: every tile keeps its position. {}", part);
    }
    if (stage_ <= 0) {
      return format_text("The launch: {} tiles, each at its index ω. {}", format_count(unfolding_->tiles()),
                         part);
    }
    if (stage_ >= static_cast<float>(stages())) {
      if (unfolding_->whole()) return "The fractal: each tile at λ(ω). Played backwards, this is ν.";
      return format_text("The first sub-square of the fractal: each tile at λ(ω). {}", part);
    }
    const int level = static_cast<int>(std::floor(stage_)) + 1;
    const TiledFractal& tiled = threads_->tiled();
    const NbbShape& shape = tiled.coarse_shape(level);
    const char* const digit = level % 2 == 1 ? "ω_x" : "ω_y";
    if (tiled.is_turned()) {
      return format_text(
          "Level {} of {}: the next digit of {} selects one of {} replicas, which turns its content and "
          "moves "
          "it.",
          level, stages(), digit, shape.k);
    }
    if (!tiled.is_uniform()) {
      return format_text(
          "Level {} of {}: the next digit of {} selects one of {} replicas; its offset τ times the finer "
          "levels' "
          "scales is added.",
          level, stages(), digit, shape.k);
    }
    return format_text(
        "Level {} of {}: the next digit of {} selects one of {} replicas; its offset τ times {}^{} is added.",
        level, stages(), digit, shape.k, shape.s_x, level - 1);
  }

  /// Describes the animated part of the launch if that is not all of it.
  Text part_words() const {
    const LaunchShape& shape = threads_->shape();
    const Text launched = format_text("{} × {}", format_count(shape.tiles_x), format_count(shape.tiles_y));
    if (stages() == 0) return format_text("The first of {} tiles are shown.", launched);
    return format_text("Of {} tiles, those with digits 0 above level {} are shown.", launched,
                       unfolding_->levels());
  }

  void draw_tiles(const ThreadExplanation& explanation) const {
    const glm::vec2 corner = ImGui::GetCursorScreenPos();
    const glm::vec2 room = ImGui::GetContentRegionAvail();
    if (room.x < 8 || room.y < 8) return;
    const int from = std::min(static_cast<int>(std::floor(stage_)), stages());
    const int to = std::min(from + 1, stages());
    const float share = eased(stage_ - static_cast<float>(from));
    const float wide = between(unfolding_->extent(from).x, unfolding_->extent(to).x, share);
    const float high = between(unfolding_->extent(from).y, unfolding_->extent(to).y, share);
    const float side = std::min(room.x / wide, room.y / high);
    const glm::vec2 origin = corner + (room - glm::vec2{wide, high} * side) / 2.0f;
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const float gap = side >= 6 ? 1.0f : 0.0f;
    const bool turned = threads_->tiled().is_turned();
    std::optional<glm::vec2> marked_block;
    for (std::size_t i = 0; i < unfolding_->tiles(); ++i) {
      const explain::Unfolding::Motion motion = unfolding_->motion(i, from, share);
      const auto at_screen = [&](glm::dvec2 point) { return origin + glm::vec2(motion.apply(point)) * side; };
      const Coord64 a = unfolding_->place(i, from);
      const glm::dvec2 corner_of_tile{static_cast<double>(a.x), static_cast<double>(a.y)};
      if (!turned) {
        const glm::vec2 low = at_screen(corner_of_tile);
        list.AddRectFilled(low, low + std::max(side - gap, 1.0f), theme::packed(colours_[i]));
      } else {
        const double length = std::max(side - gap, 1.0f) / side;
        fill_turned(list, at_screen(corner_of_tile), at_screen(corner_of_tile + glm::dvec2{length, 0}),
                    at_screen(corner_of_tile + length), at_screen(corner_of_tile + glm::dvec2{0, length}),
                    theme::packed(colours_[i]));
      }
      const bool marked = explanation.thread() && explanation.space()->config() == threads_->config() &&
                          explanation.thread()->place.ref.tile == unfolding_->omega(i);
      if (marked) marked_block = at_screen(corner_of_tile + 0.5);
    }
    if (turned && from < to) draw_replicas(list, origin, side, from, share);
    if (!marked_block) return;
    const glm::vec2 middle = *marked_block;
    const float radius = std::max(side * 0.75f, ImGui::GetFontSize() * 0.7f);
    list.AddCircle(middle, radius + 1.5f, theme::overlay(theme::in_force() == Theme::kLight).edge, 0, 5);
    list.AddCircle(middle, radius, theme::overlay(theme::in_force() == Theme::kLight).selection, 0, 2.5f);
  }

  /// Outlines the replicas that turn between a stage and the next one. `origin` and `side`: position of tile
  /// (0, 0) and size of a tile on the screen.
  void draw_replicas(ImDrawList& list, glm::vec2 origin, float side, int stage, float share) const {
    const ImU32 colour = ImGui::ColorConvertFloat4ToU32(theme::colours().text);
    for (std::size_t i = 0; i < unfolding_->tiles(); ++i) {
      const explain::Unfolding::Motion motion = unfolding_->motion(i, stage, share);
      if (motion.size.x * side < kSmallestOutline) return;
      if (!motion.first) continue;
      const auto corner = [&](double x, double y) {
        return origin + glm::vec2(motion.apply(motion.from + motion.size * glm::dvec2{x, y} / 2.0)) * side;
      };
      list.AddQuad(corner(-1, -1), corner(1, -1), corner(1, 1), corner(-1, 1), colour, 1.5f);
      // The upper left corner, so that the turn is visible when it has ended.
      list.AddTriangleFilled(corner(-1, -1), corner(-0.6, -1), corner(-1, -0.6), colour);
    }
  }

  std::optional<explain::ThreadSpace> threads_;
  std::optional<explain::Unfolding> unfolding_;
  explain::Colouring colouring_;
  std::vector<glm::u8vec3> colours_;  ///< per tile
  Area button_;                       ///< the play button; empty if there is nothing to play
  float stage_ = 0;                   ///< 0 to stages(); fractions are between two stages
  int direction_ = 0;                 ///< +1: plays lambda; -1: plays nu; 0: paused
};

std::unique_ptr<ContentPane> make_thread_pane(PaneContent shows) {
  if (shows == PaneContent::kThreads) return std::make_unique<SpacePane>(explain::Space::kThreads);
  if (shows == PaneContent::kMemory) return std::make_unique<SpacePane>(explain::Space::kMemory);
  if (shows == PaneContent::kSteps) return std::make_unique<StepsPane>();
  if (shows == PaneContent::kLambdaAnimation) return std::make_unique<UnfoldPane>();
  if (shows == PaneContent::kMemoryAccess) return std::make_unique<MemoryAccessPane>();
  return nullptr;
}

}  // namespace loom::app
