#include "app/workspaces/solid/panes/map_pane.h"

namespace loom::app {

SolidPictureKey MapPane::key_of(const SolidPictureKey& active, MapKind map) {
  SolidPictureKey key = active;
  key.config = compared_config(active.config, map);
  return key;
}

bool MapPane::in_sync(const SolidPictureKey& key, MapKind map) const {
  const SolidConfig config = compared_config(key.config, map);
  return failed(config) || (cells_ == key.cells && engine_->config() == config);
}

bool MapPane::is_done(const SolidPictureKey& key, MapKind map, bool full, bool count) const {
  const SolidPictureKey own = key_of(key, map);
  if (failed(own.config)) return true;
  return in_sync(key, map) && picture_.shows(own, full) && (!count || engine_->census());
}

void MapPane::drop_outdated(const SolidPictureKey& key, MapKind map) {
  if (engine_.busy() && picture_.is_only_finer() && !picture_.shows(key_of(key, map), false))
    engine_.cancel();
}

void MapPane::advance(const MapPaneRequest& request, MapKind map, TaskTimeout timeout, FrameClock& clock) {
  const SolidPictureKey key = key_of(request.key, map);
  if (is_done(request.key, map, request.divisor == 1, request.count)) return;
  request_.config = key.config;
  request_.backend = request.active.backend;
  request_.view = request.active.view;
  const glm::ivec2 size = SolidPicture::image_size(key.size, request.divisor);
  SolidSettings settings{.config = key.config, .look = key.look};
  request_.view = view_of(settings, key.camera, size);
  request_.count = request.count;
  request_.work = request.last_work;
  request_.source = nullptr;
  request_.generations = 0;
  if (!in_sync(request.key, map)) {
    const bool one_behind = cells_ && engine_->config() == key.config &&
                            cells_->version == key.cells.version &&
                            cells_->generation + 1 == key.cells.generation;
    if (one_behind) {
      request_.generations = 1;
    } else {
      request_.source = &request.source;
    }
  }
  requested_cells_ = key.cells;
  picture_.request(key, request.divisor, request_);
  engine_.begin(request_);
  finish(timeout, clock);
}

void MapPane::finish(TaskTimeout timeout, FrameClock& clock) {
  if (const auto* const outcome = finish_in_frame(engine_, timeout, clock, Stage::kPanesStep))
    accept(*outcome);
}

void MapPane::accept(const SolidRunner::Outcome& outcome) {
  if (!outcome.problem.empty()) {
    problem_ = outcome.problem;
    failed_ = outcome.request.config;
    cells_.reset();
    return;
  }
  problem_.clear();
  const bool changes = outcome.request.source != nullptr || outcome.request.generations > 0;
  if (outcome.cancelled) {
    // How far it came is not known.
    if (changes) cells_.reset();
    return;
  }
  cells_ = requested_cells_;
  if (outcome.result.image.pixels != nullptr)
    picture_.accept(outcome.request, outcome.result.image, requested_cells_);
}

}  // namespace loom::app
