#include "app/workspaces/solid/panes/solid_comparison.h"

#include <utility>

namespace loom::app {

void SolidComparison::set_active(MapKind map, const render::GraphicsContext& context,
                                 const BackendSelection& backend) {
  if (active_ == map) return;
  auto& own = panes_[index_of(map)];
  if (active_) panes_[index_of(*active_)] = std::move(own);
  own.reset();
  active_ = map;
  for (const MapKind other : kMapKinds) {
    auto& pane = panes_[index_of(other)];
    if (other != map && !pane) pane = std::make_unique<MapPane>(context, backend);
  }
}

bool SolidComparison::busy() const {
  bool busy = false;
  each_pane([&](MapKind, const MapPane& pane) { busy = busy || pane.busy(); });
  return busy;
}

bool SolidComparison::in_sync(const SolidPictureKey& key) const {
  bool in_sync = true;
  each_pane([&](MapKind map, const MapPane& pane) { in_sync = in_sync && pane.in_sync(key, map); });
  return in_sync;
}

bool SolidComparison::is_done(const SolidPictureKey& key, bool full, bool count) const {
  bool done = true;
  each_pane([&](MapKind map, const MapPane& pane) { done = done && pane.is_done(key, map, full, count); });
  return done;
}

void SolidComparison::follow(const SolidPictureKey& key, TaskTimeout timeout, FrameClock& clock) {
  each_pane([&](MapKind map, MapPane& pane) {
    if (!pane.busy()) return;
    pane.drop_outdated(key, map);
    pane.finish(timeout, clock);
  });
}

void SolidComparison::advance(const MapPaneRequest& request, TaskTimeout timeout, FrameClock& clock) {
  each_pane([&](MapKind map, MapPane& pane) {
    if (!busy()) pane.advance(request, map, timeout, clock);
  });
}

void SolidComparison::cancel() {
  each_pane([](MapKind, MapPane& pane) { pane.cancel(); });
}

void SolidComparison::finish() {
  FrameClock unused;
  each_pane([&](MapKind, MapPane& pane) { pane.finish(kNoTimeout, unused); });
}

MapScores SolidComparison::scores(const SolidRunner& active) const {
  MapScores scores;
  for (const MapKind map : kMapKinds) {
    MapScore& score = scores[index_of(map)];
    score.map = map;
    const MapPane* const own = pane(map);
    const SolidRunner& runner = own != nullptr ? own->runner() : active;
    if (own != nullptr) score.problem = own->problem();
    // After a change of the active map, a pane still has the numbers of the previous one.
    if (!score.problem.empty() || !runner.has_cells() || runner.config().method.map != map) continue;
    if (runner.step().samples > 0) score.step_ms = runner.step().median;
    score.threads = runner.threads();
    score.bytes = runner.allocated_bytes();
    const bool counted =
        own != nullptr && runner.census() && active.census() && runner.generation() == active.generation();
    if (counted) score.identical = runner.census()->hash == active.census()->hash;
  }
  return scores;
}

double SolidComparison::pixel_ms() const {
  double sum = 0;
  each_pane([&](MapKind, const MapPane& pane) { sum += pane.runner().pixel_ms(); });
  return sum;
}

Progress SolidComparison::progress() const {
  Progress progress;
  each_pane([&](MapKind, const MapPane& pane) {
    if (pane.busy()) progress = pane.progress();
  });
  return progress;
}

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
