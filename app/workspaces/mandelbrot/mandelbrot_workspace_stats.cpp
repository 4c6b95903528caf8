// Data of the Mandelbrot workspace for its panels and the status line.

#include <utility>

#include "app/workspaces/mandelbrot/mandelbrot_workspace.h"

namespace loom::app {

MandelbrotStats MandelbrotWorkspace::stats() const {
  MandelbrotStats now{.backend = services_.backend,
                      .cuda = services_.cuda,
                      .devices = services_.devices.size(),
                      .parts = runner_.parts(),
                      .backend_name = runner_.backend_name(),
                      .frames = services_.times,
                      .view = view(),
                      .picture = picture_,
                      .evaluator = evaluator_of(precision_, view(), picture_),
                      .gauge = precision_gauge(view(), picture_, evaluator_of(precision_, view(), picture_)),
                      .views_behind = history_.views_behind(),
                      .views_ahead = history_.views_ahead(),
                      .tour = built_in_tour(),
                      .tour_index = tour_index_ && view() == tour_view_ ? tour_index_ : std::nullopt,
                      .has_picture = runner_.has_picture(),
                      .pictured = displayed_picture_.has_value(),
                      .is_outdated = is_outdated(),
                      .divisor = runner_.divisor(),
                      .samples_per_axis = sampled_.samples_per_axis(),
                      .expected_ms = runner_.expected_ms(picture_),
                      .report = runner_.report(),
                      .times = runner_.times(),
                      .automatic = automatic(),
                      .searching = plan_.searching(),
                      .found = automatic() ? plan_.result_for(tuning_problem()) : nullptr,
                      .exhaustive_ms = runner_.exhaustive_ms(),
                      .check = runner_.checked(),
                      .regions = runner_.regions(),
                      .levels = 0,
                      .shown_level = levels_.shown(),
                      .levels_play = levels_.playing(),
                      .stages = {.smooth = runner_.smooth_ms(), .histogram = runner_.histogram_ms()},
                      .hovered = cursor_.hovered(),
                      .exterior = 0,
                      .frames_per_second = services_.rate.frames_per_second()};
  if (!now.exhaustive_ms && comparison_) now.exhaustive_ms = comparison_->exhaustive_ms(runner_.request());
  now.autopilot = autopilot_.running();
  now.searching_minibrot = minibrot_.running();
  if (const auto& found = minibrot_.found(); found && found->view == view()) now.minibrot = &*found;
  if (now.report) now.levels = static_cast<int>(now.report->levels.size());
  const DwellHistogram& histogram = runner_.histogram().counts;
  if (!histogram.empty()) now.counted_limit = runner_.histogram().scale.limit;
  for (std::size_t dwell = 0; dwell + 1 < histogram.size(); ++dwell) now.exterior += histogram[dwell];
  if (divergence_.counts()) now.divergence = &*divergence_.counts();
  if (settings_.show_model) model_.add_to(now, runner_.request().config, landscape_, landscape_of_);
  return now;
}

bool MandelbrotWorkspace::is_outdated() const {
  return displayed_picture_ && runner_.is_abandoned() && !runner_.busy() && !new_picture_;
}

WorkspaceStatus MandelbrotWorkspace::status() const {
  Progress progress = runner_.progress();
  if (landscape_.running()) {
    progress = {"measuring the landscape", static_cast<double>(landscape_.done()) / kLandscapeCells};
  }
  if (minibrot_.running()) progress = {"finding the nearest minibrot", minibrot_.share()};
  if (progress.what.empty() && comparison_) progress = comparison_->progress();
  if (progress.what.empty() && sampled_.working())
    progress = {"computing more samples per pixel", sampled_.share()};
  return {backend_, runner_.backend_name(), presenter_.path(), std::move(progress)};
}

}  // namespace loom::app
