// The three maps side by side in the 3-D workspace.

#include <nlohmann/json.hpp>

#include "app/workspaces/solid/panels/map_scores.h"
#include "app/workspaces/solid/solid_report.h"
#include "app/workspaces/solid/solid_workspace.h"

namespace loom::app {

void SolidWorkspace::update_comparison() {
  if (!settings_.compare) {
    // Their engines may copy from the active one.
    if (comparison_) {
      comparison_->cancel();
      comparison_->finish();
    }
    comparison_.reset();
    comparison_pending_ = false;
    return;
  }
  if (!comparison_) comparison_ = std::make_unique<SolidComparison>();
  comparison_->set_active(settings_.config.method.map, services_.context, first_device(services_.backend));
}

Area SolidWorkspace::pane_area(MapKind map) const {
  return panes_.empty() ? area_ : panes_[SolidComparison::index_of(map)].picture;
}

// One engine at a time; the panes follow the active one.
void SolidWorkspace::compute_comparison(FrameClock& clock, TaskTimeout timeout) {
  comparison_pending_ = comparison_ != nullptr;
  if (comparison_) comparison_->follow(key(), timeout, clock);
  if (!comparison_ || comparison_->busy() || engine_.busy() || !engine_->has_cells() ||
      engine_->config() != settings_.config)
    return;
  const bool full = !picture_changes() && shown_.shows(key(), true);
  const bool counts = !settings_.playing && engine_->census().has_value();
  comparison_->advance({.active = request_,
                        .key = key(),
                        .source = engine_.engine(),
                        .last_work = last_work_,
                        .divisor = full ? 1 : divisor(),
                        .count = counts},
                       timeout, clock);
  comparison_pending_ = !comparison_->is_done(key(), true, counts);
}

void SolidWorkspace::add_comparison_state(nlohmann::ordered_json& own) const {
  const auto triple = [](Coord3 at) { return nlohmann::ordered_json{at.x, at.y, at.z}; };
  own["selected"] = nullptr;
  own["pinned"] = settings_.pinned.has_value();
  own["thread"] = nullptr;
  if (const auto cell = selected_cell()) own["selected"] = triple(*cell);
  const auto thread_of_map = [&](MapKind map) {
    nlohmann::ordered_json thread;
    const auto& location = selected_[SolidComparison::index_of(map)].location();
    if (!location) return thread;
    thread["cell"] = triple(location->cell);
    thread["tile"] = triple(location->omega);
    add_solid_report(thread, *location);
    thread["text"] = selected_[SolidComparison::index_of(map)].text();
    return thread;
  };
  own["thread"] = thread_of_map(settings_.config.method.map);
  own["compare"] = settings_.compare;
  own["compared"] = nullptr;
  if (!comparison_) return;
  nlohmann::ordered_json compared;
  for (const MapScore& score : comparison_->scores(*engine_)) {
    nlohmann::ordered_json one;
    add_solid_report(one, score);
    one["step_ms"] = one["identical"] = nullptr;
    if (score.step_ms) one["step_ms"] = *score.step_ms;
    if (score.identical) one["identical"] = *score.identical;
    one["problem"] = score.problem;
    one["thread"] = thread_of_map(score.map);
    one["header"] = one["picture"] = nullptr;
    if (!panes_.empty()) {
      const auto numbers = [](const Area& area) {
        return nlohmann::ordered_json{area.corner.x, area.corner.y, area.size.x, area.size.y};
      };
      one["header"] = numbers(panes_[SolidComparison::index_of(score.map)].header);
      one["picture"] = numbers(pane_area(score.map));
    }
    compared[report_key(score.map)] = std::move(one);
  }
  own["compared"] = std::move(compared);
  own["comparison_done"] = !comparison_pending_;
}

}  // namespace loom::app
