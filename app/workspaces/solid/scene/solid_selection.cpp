#include "app/workspaces/solid/scene/solid_selection.h"

namespace loom::app {

void SelectedThread::update(const SolidConfig& config, const std::optional<Coord3>& cell) {
  if (!cell) {
    location_.reset();
    text_.clear();
    return;
  }
  const bool same_launch = space_ && space_->config() == config;
  if (same_launch && location_ && location_->cell == *cell) return;
  if (!same_launch) space_ = std::make_unique<explain::SolidThreadSpace>(config);
  location_ = space_->location_of(*cell);
  text_.clear();
  steps_.clear();
  if (!location_) return;
  text_ = explain::location_text(*space_, *location_);
  steps_ = space_->lambda_steps(location_->omega);
}

}  // namespace loom::app
