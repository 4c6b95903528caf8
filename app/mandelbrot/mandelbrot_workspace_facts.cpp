// What the Mandelbrot workspace tells its panels and the status line.

#include <utility>

#include "app/mandelbrot/mandelbrot_workspace.h"

namespace loom::app {

MandelbrotFacts MandelbrotWorkspace::facts() const {
  MandelbrotFacts now{.backend = services_.backend,
                      .cuda = services_.cuda,
                      .devices = services_.devices.size(),
                      .parts = runner_.parts(),
                      .backend_name = runner_.backend_name(),
                      .frames = services_.times,
                      .view = view(),
                      .picture = picture_,
                      .gauge = precision_gauge(view(), picture_, precision_),
                      .room_in_float = has_room(view(), picture_, Precision::kFloat),
                      .views_behind = history_.views_behind(),
                      .views_ahead = history_.views_ahead(),
                      .tour = built_in_tour(),
                      .tour_at = tour_at_ && view() == tour_view_ ? tour_at_ : std::nullopt,
                      .has_picture = runner_.has_picture(),
                      .pictured = pictured_.has_value(),
                      .left_behind = left_behind(),
                      .divisor = runner_.divisor(),
                      .samplings = sampled_.samplings(),
                      .expected_ms = runner_.expected_ms(picture_),
                      .report = runner_.report(),
                      .times = runner_.times(),
                      .automatic = automatic(),
                      .searching = plan_.searching(),
                      .found = automatic() ? plan_.found_for(wanted_plan()) : nullptr,
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
  if (now.report) now.levels = static_cast<int>(now.report->levels.size());
  const DwellHistogram& histogram = runner_.histogram();
  if (!histogram.empty()) now.counted_within = static_cast<std::uint32_t>(histogram.size() - 1);
  for (std::size_t dwell = 0; dwell + 1 < histogram.size(); ++dwell) now.exterior += histogram[dwell];
  if (waits_.counts()) now.waits = &*waits_.counts();
  if (settings_.show_model) model_.add_to(now, runner_.wish().config, landscape_, landscape_of_);
  return now;
}

bool MandelbrotWorkspace::left_behind() const {
  return pictured_ && runner_.gave_up() && !runner_.busy() && !new_picture_;
}

WorkspaceStatus MandelbrotWorkspace::status() const {
  Progress progress = runner_.progress();
  if (landscape_.running()) {
    progress = {"measuring the landscape", static_cast<double>(landscape_.done()) / kLandscapeCells};
  }
  if (progress.what.empty() && sampled_.working())
    progress = {"computing more samples per pixel", sampled_.share()};
  return {backend_, runner_.backend_name(), presenter_.path(), std::move(progress)};
}

}  // namespace loom::app
