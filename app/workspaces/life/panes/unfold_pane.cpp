#include "app/workspaces/life/panes/unfold_pane.h"

#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <utility>

#include "app/gui/theme.h"
#include "app/text/format.h"
#include "app/widgets/choice.h"
#include "app/widgets/item_area.h"
#include "app/widgets/pane_window.h"

namespace loom::app {
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

void UnfoldPane::follow(const FractalConfig& config, const explain::Colouring& colouring) {
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

void UnfoldPane::fly() {
  if (direction_ == 0) return;
  stage_ += static_cast<float>(direction_) * std::min(ImGui::GetIO().DeltaTime, 0.1f) / kSecondsOfALevel;
  const auto last = static_cast<float>(stages());
  if (stage_ <= 0 || stage_ >= last) direction_ = 0;
  stage_ = std::clamp(stage_, 0.0f, last);
}

Text UnfoldPane::part_words() const {
  const LaunchShape& shape = threads_->shape();
  const Text launched = format_text("{} × {}", format_count(shape.tiles_x), format_count(shape.tiles_y));
  if (stages() == 0) return format_text("The first of {} tiles are shown.", launched);
  return format_text("Of {} tiles, those with digits 0 above level {} are shown.", launched,
                     unfolding_->levels());
}

Text UnfoldPane::sentence() const {
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
        "Level {} of {}: the next digit of {} selects one of {} replicas, which turns its content and moves "
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

void UnfoldPane::draw_replicas(ImDrawList& list, glm::vec2 origin, float side, int stage, float share) const {
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

void UnfoldPane::draw_tiles(const ThreadExplanation& explanation) const {
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

void UnfoldPane::show(const char* id, const PaneSubject& subject, PaneResponse&) {
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
    if (ImGui::SliderFloat("##stage", &stage_, 0, last, "level %.1f", ImGuiSliderFlags_AlwaysClamp)) {
      direction_ = 0;
    }
  }
  note(sentence());
  draw_tiles(subject.explanation);
  ImGui::End();
}

void UnfoldPane::add_state(nlohmann::ordered_json& json, const ThreadExplanation&) const {
  json["unfolded"] = share();
  json["play"] = numbers_of(button_);
}

}  // namespace loom::app
