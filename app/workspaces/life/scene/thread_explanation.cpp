#include "app/workspaces/life/scene/thread_explanation.h"

#include "app/explain/bit_storage_text.h"
#include "compute/core/error.h"

namespace loom::app {

void ThreadExplanation::look_at(const FractalConfig& config, const std::optional<Coord64>& point) {
  if (!explain::has_tiles(config)) {
    space_.reset();
    thread_.reset();
    point_ = point;
    problem_ = point ? std::string(explain::kByteStorageOnly) : std::string();
    return;
  }
  const bool other_config = point && (!space_ || space_->config() != config);
  if (!other_config && point == point_) return;
  if (other_config) space_ = std::make_unique<explain::ThreadSpace>(config);
  point_ = point;
  thread_.reset();
  problem_.clear();
  if (point_) compute_explanation();
}

void ThreadExplanation::compute_explanation() {
  const NbbFractal& fractal = space_->config().fractal;
  const int level = space_->config().level;
  if (point_->x >= fractal.width(level) || point_->y >= fractal.height(level)) {
    problem_ = "outside the square";
    return;
  }
  const auto ref = space_->thread_at(*point_);
  if (!ref) {
    problem_ = "No thread is launched for this hole.";
    return;
  }
  Thread thread{.place = space_->location_of(*ref),
                .sentence = space_->sentence(*ref),
                .warp = space_->warp_of(*ref),
                .lanes = {},
                .tile = space_->locations_in_tile(ref->tile),
                .lambda = {},
                .traffic = {}};
  if (space_->config().method.map != MapKind::kBoundingBox) {
    thread.lambda = explain::lambda_steps(*space_, ref->tile);
  }
  thread.lanes = space_->locations_of(thread.warp);
  try {
    thread.traffic = explain::warp_memory_access(*space_, *ref).traffic();
  } catch (const InputError&) {
    // Byte addresses exceed 64 bits: no memory accesses are shown.
  }
  thread_ = std::move(thread);
}

}  // namespace loom::app
