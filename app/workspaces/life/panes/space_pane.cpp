#include "app/workspaces/life/panes/space_pane.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "app/explain/bit_storage_text.h"
#include "app/gui/theme.h"
#include "app/workspaces/life/picture/grid_overlay.h"
#include "app/workspaces/life/picture/visible_part.h"
#include "compute/core/error.h"

namespace loom::app {
namespace {

constexpr std::chrono::duration<double, std::milli> kSlice{6};
constexpr std::chrono::duration<double, std::milli> kToTheEnd{1e9};

}  // namespace

void SpacePane::follow(const FractalConfig& config, const explain::Colouring& colouring,
                       const CellStates& states) {
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
  raster_.set_states(states);
}

void SpacePane::place(const Area& area, float scale) {
  area_ = area;
  scale_ = scale;
  camera_.set_picture(to_pixels(area.size, scale));
}

std::optional<Coord64> SpacePane::update() {
  mouse_.update(area_, scale_, camera_);
  if (!layout_ || !mouse_.hovered() || mouse_.hovered()->x < 0 || mouse_.hovered()->y < 0)
    return std::nullopt;
  const auto ref = layout_->thread_at(
      {static_cast<std::uint64_t>(mouse_.hovered()->x), static_cast<std::uint64_t>(mouse_.hovered()->y)});
  if (!ref) return std::nullopt;
  const explain::ThreadLocation place = threads_->location_of(*ref);
  return place.has_position ? std::optional(place.cell) : std::nullopt;
}

void SpacePane::paint(const FractalConfig& config, const explain::Colouring& colouring,
                      const CellStates& states, bool waits) {
  follow(config, colouring, states);
  if (!layout_ || area_.empty()) return;
  raster_.advance(camera_, waits ? kToTheEnd : kSlice);
  raster_.upload();
}

// The explanation belongs to the scene's configuration, which may differ for the frame in which it changes.
const ThreadExplanation::Thread* SpacePane::thread_here(const ThreadExplanation& explanation) const {
  const bool here = layout_ && explanation.thread() && explanation.space()->config() == threads_->config();
  return here ? &*explanation.thread() : nullptr;
}

std::optional<glm::vec2> SpacePane::marked_at(explain::Space space,
                                              const ThreadExplanation& explanation) const {
  if (space != space_) return std::nullopt;
  const ThreadExplanation::Thread* const thread = thread_here(explanation);
  const auto unit = thread != nullptr ? layout_->unit_of(thread->place) : std::nullopt;
  if (!unit) return std::nullopt;
  return PictureView{camera_, area_, scale_}.screen(glm::dvec2(unit->x, unit->y) + 0.5);
}

void SpacePane::draw(ImDrawList& list, const ThreadExplanation& explanation) const {
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

bool SpacePane::add_to_figure(FigureJob& job) const {
  job.part = layout_ ? visible_part(camera_, layout_->width(), layout_->height()) : std::nullopt;
  return true;
}

void SpacePane::add_state(nlohmann::ordered_json& json, const ThreadExplanation& explanation) const {
  json["picture"] = numbers_of(area_);
  json["finished"] = !layout_ || raster_.finished();
  json["marked_at"] = nullptr;
  if (const auto at = marked_at(space_, explanation)) json["marked_at"] = {at->x, at->y};
}

}  // namespace loom::app
