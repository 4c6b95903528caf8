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

}  // namespace loom::app
