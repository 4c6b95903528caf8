#include "app/mandelbrot/mandelbrot_workspace.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <utility>

#include "app/mandelbrot/scene/orbit.h"
#include "app/mandelbrot/panels/cost_model_panel.h"
#include "app/mandelbrot/panels/picture_panel.h"
#include "app/mandelbrot/panels/mandelbrot_caption.h"
#include "app/mandelbrot/panels/mandelbrot_panel.h"
#include "app/mandelbrot/picture/region_overlay.h"
#include "compute/backend/mandelbrot_factory.h"
#include "compute/core/error.h"

namespace loom::app {
namespace {

constexpr double kKeyZoom = 1.25;
constexpr double kKeyPan = 0.1;               // of the picture
constexpr float kRoomForModelAndTiming = 58;  // font sizes
constexpr double kLandscapeSliceMs = 25;
constexpr double kCores = 128;  // of a multiprocessor, since compute capability 8.6 and in 9.0
constexpr std::uint32_t kTourDwell = 512;
constexpr float kInsetWidth = 0.22f;  // of the picture
constexpr float kMostInset = 17;      // font sizes
constexpr float kInsetProportion = 0.75f;

double milliseconds_since(std::chrono::steady_clock::time_point begin) {
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count();
}

render::Extent extent_of(const Area& area, float scale) {
  const auto pixels = [&](float length) {
    return std::max(1, static_cast<int>(std::lround(length * scale)));
  };
  return {pixels(area.width), pixels(area.height)};
}

/// Where the Julia set stands in a picture of this size: right in its bottom-left corner. Empty where there
/// is no room.
render::Rect inset_of(render::Extent picture, float font_pixels) {
  const auto picture_width = static_cast<float>(picture.width);
  const auto width = std::lround(std::min(picture_width * kInsetWidth, kMostInset * font_pixels));
  const auto height = std::lround(static_cast<float>(width) * kInsetProportion);
  if (static_cast<float>(width) < 3 * font_pixels || height * 2 > picture.height) return {};
  return {0, static_cast<int>(picture.height - height), static_cast<int>(width), static_cast<int>(height)};
}

/// The fastest, without copying rows across the real axis: every region is to be seen, and a view that
/// happens to lie on the axis is not to be timed differently.
MandelbrotIdeas ideas_for(BackendKind backend) {
  MandelbrotIdeas ideas = fastest_ideas(backend);
  ideas.mirror = false;
  return ideas;
}

float font_pixels() {
  return ImGui::GetFontSize() * std::max(ImGui::GetIO().DisplayFramebufferScale.x, 1.0f);
}

}  // namespace

MandelbrotWorkspace::MandelbrotWorkspace(std::optional<ComplexView> view)
    : history_(view.value_or(ComplexView{})), view_given_(view.has_value()) {}

void MandelbrotWorkspace::controls(MandelbrotEdit& edit, const MandelbrotFacts& now) {
  mandelbrot_panel(edit, now);
  picture_panel(edit, now);
}

float MandelbrotWorkspace::panels(const Area& picture, MandelbrotEdit& edit, const MandelbrotFacts& now,
                                  const render::Palette& palette) {
  const float caption = mandelbrot_caption(picture, edit.settings, now, palette);
  const Area rest{picture.x, picture.y, picture.width, picture.height - caption};
  // Where there is no room for both, the cost model has it.
  const bool room = rest.width >= kRoomForModelAndTiming * ImGui::GetFontSize();
  if (room || !edit.settings.show_model) mandelbrot_timing(timing_, rest, edit, now);
  cost_model_panel(rest, edit, now, palette);
  return caption;
}

MandelbrotFacts MandelbrotWorkspace::report(const BackendSelection& backend, const CudaStatus& cuda,
                                           double frames_per_second, bool model) const {
  MandelbrotFacts now{.backend = backend,
                     .cuda = cuda,
                     .backend_name = backend_name_,
                     .view = view(),
                     .picture = picture_,
                     .gauge = precision_gauge(view(), picture_, precision_),
                     .room_in_float = has_room(view(), picture_, Precision::kFloat),
                     .views_behind = history_.views_behind(),
                     .views_ahead = history_.views_ahead(),
                     .tour = built_in_tour(),
                     .tour_at = tour_at_ && view() == tour_view_ ? tour_at_ : std::nullopt,
                     .has_picture = runner_.has_picture(),
                     .divisor = runner_.divisor(),
                     .expected_ms = runner_.expected_ms(picture_),
                     .report = runner_.report(),
                     .times = runner_.times(),
                     .exhaustive_ms = runner_.exhaustive_ms(),
                     .check = runner_.checked(),
                     .regions = runner_.regions(),
                     .levels = 0,
                     .shown_level = levels_.shown(),
                     .levels_play = levels_.playing(),
                     .stages = stages_,
                     .hovered = hovered_,
                     .exterior = 0,
                     .frames_per_second = frames_per_second};
  if (now.report) now.levels = static_cast<int>(now.report->levels.size());
  for (std::size_t dwell = 0; dwell + 1 < histogram_.size(); ++dwell) now.exterior += histogram_[dwell];
  if (model) add_model(now);
  return now;
}

void MandelbrotWorkspace::add_model(MandelbrotFacts& now) const {
  if (!now.report || now.report->levels.empty()) return;
  const MandelbrotConfig& config = runner_.wish().config;
  MeasuredRun run{.config = config,
                  .report = *now.report,
                  .milliseconds = now.times.samples > 0 ? now.times.median : now.report->milliseconds,
                  .exhaustive_ms = now.exhaustive_ms};
  if (now.backend.kind == BackendKind::kCuda) {
    run.ratio = config.scheme == RegionScheme::kSbr ? CostRatio::kSbrSpeedup : CostRatio::kMbrSpeedup;
    for (const DeviceInfo& device : now.cuda.devices) {
      if (device.ordinal != now.backend.device) continue;
      run.q = device.multiprocessors;
      run.c = device.compute_major == 8 && device.compute_minor == 0 ? 64 : kCores;
    }
  }
  now.cost_ratio = run.ratio;
  now.fit = fit_model(run);
  now.landscape_model = model_landscape(run.ratio, now.fit->problem);
  now.landscape_measured = landscape_.values();
  now.landscape_done = landscape_.done();
  now.landscape_runs = landscape_.running();
  now.landscape_view = landscape_.view();
  MandelbrotConfig same_cut = landscape_.config();
  same_cut.g = config.g;
  same_cut.r = config.r;
  same_cut.b = config.b;
  now.landscape_stale = landscape_of_ != view() || same_cut != config;
}

void MandelbrotWorkspace::visit(std::size_t stop, MandelbrotEdit& edit) {
  const TourStop& tour = built_in_tour()[stop];
  MandelbrotConfig& config = edit.settings.config;
  const bool room = has_room(tour.view, picture_, Precision::kFloat);
  config.precision = room ? tour.precision : Precision::kDouble;
  config.dwell_limit = tour.dwell_limit.value_or(kTourDwell);
  precision_ = config.precision;
  history_.go(clamped(tour.view, picture_, precision_));
  tour_at_ = stop;
  tour_view_ = view();
}

void MandelbrotWorkspace::update(const Area& area, float scale, MandelbrotEdit& edit) {
  if (area.empty()) return;
  const render::Extent picture = extent_of(area, scale);
  const bool untouched = !view_given_ && history_.views_behind() + history_.views_ahead() == 0;
  if (untouched && picture != picture_) history_ = ViewHistory(default_view(picture));
  picture_ = picture;

  MandelbrotConfig& config = edit.settings.config;
  if (std::exchange(view_given_, false) && !has_room(view(), picture_, Precision::kFloat)) {
    config.precision = Precision::kDouble;
  }
  const Commands& commands = edit.commands;
  const MandelbrotCommands& own = commands.explorer;
  if (own.next_precision % 2 != 0) {
    const bool is_float = config.precision == Precision::kFloat;
    if (is_float || has_room(view(), picture_, Precision::kFloat)) {
      config.precision = is_float ? Precision::kDouble : Precision::kFloat;
    }
  }
  precision_ = config.precision;

  for (int i = 0; i < -own.history; ++i) history_.back();
  for (int i = 0; i < own.history; ++i) history_.forward();
  if (own.tour != 0) {
    const auto stops = static_cast<int>(built_in_tour().size());
    const int from = tour_at_ ? static_cast<int>(*tour_at_) : own.tour > 0 ? -1 : 0;
    visit(static_cast<std::size_t>(((from + own.tour) % stops + stops) % stops), edit);
  }
  if (own.tour_stop) visit(*own.tour_stop, edit);
  if (own.go_to) history_.go(clamped(*own.go_to, picture_, precision_));
  if (own.apply_cut) {
    config.g = own.apply_cut->g;
    config.r = own.apply_cut->r;
    config.b = own.apply_cut->b;
  }
  if (own.forget_times) runner_.forget_times();
  if (commands.fit) history_.go(default_view(picture_));
  const double width = picture_.width;
  const double height = picture_.height;
  if (commands.zoom != 0) {
    history_.go(
        zoomed(view(), picture_, width / 2, height / 2, std::pow(kKeyZoom, commands.zoom), precision_));
  }
  if (commands.pan_x != 0 || commands.pan_y != 0) {
    history_.go(panned(view(), picture_, -commands.pan_x * kKeyPan * width,
                       -commands.pan_y * kKeyPan * height, precision_));
  }
  if (commands.arm_box_zoom) mouse_.arm_box_zoom();
  if (commands.dismiss) mouse_.cancel();
  mouse_.update(area, scale, picture_, precision_, history_);
  // A view of the history may have had room in another arithmetic, or in a smaller picture.
  if (!has_room(view(), picture_, precision_)) {
    if (has_room(view(), picture_, Precision::kDouble)) {
      config.precision = precision_ = Precision::kDouble;
    } else {
      history_.go(clamped(view(), picture_, precision_), true);
    }
  }

  if (own.play_levels) levels_.play_or_stop();
  if (own.step_level != 0) levels_.step(own.step_level);
  if (own.all_levels) levels_.show_all();
  const bool steps = own.play_levels || own.step_level != 0;
  if (steps && edit.settings.overlay == RegionOverlay::kOff) {
    edit.settings.overlay = RegionOverlay::kKinds;
  }
  const auto& report = runner_.report();
  levels_.update(ImGui::GetTime(), report ? static_cast<int>(report->levels.size()) : 0);
}

std::string MandelbrotWorkspace::compute(Settings& settings, const MandelbrotCommands& commands,
                                         const BackendSelection& backend) {
  MandelbrotSettings& explorer = settings.explorer;
  if (picture_ == render::Extent{1, 1}) return {};  // not laid out yet
  try {
    runner_.use_backend(backend);
    backend_name_ = runner_.engine().backend_name();
    explorer.config.ideas = ideas_for(backend.kind);
    const DwellWish wish{.config = explorer.config,
                         .view = view(),
                         .picture = picture_,
                         .every_frame = explorer.measure,
                         .regions = explorer.overlay != RegionOverlay::kOff};
    stages_.compute.reset();
    if (runner_.advance(wish)) {
      new_picture_ = true;
      stages_.compute = runner_.last_ms();
    }
    if (!runner_.fallen_back().empty() && explorer.config.method == MandelbrotMethod::kDp) {
      set_method(explorer.config, MandelbrotMethod::kAsk);
    }
    if (commands.check) runner_.check();
    if (commands.measure_exhaustive) runner_.measure_exhaustive();
    if (commands.measure_landscape) {
      if (landscape_.running()) {
        landscape_.stop();
      } else {
        landscape_.start(explorer.config, view(), picture_, backend);
        landscape_of_ = view();
      }
    }
    landscape_.advance(kLandscapeSliceMs);
  } catch (const DeviceFault&) {
    throw;
  } catch (const MachineError& error) {
    return error.what();
  }
  hover(explorer.overlay != RegionOverlay::kOff);
  std::string problem = runner_.problem();
  runner_.forget_problem();
  return problem;
}

void MandelbrotWorkspace::hover(bool regions) {
  hovered_.reset();
  if (!mouse_.pixel()) {
    if (!hovered_once_) last_point_ = {view().re, view().im};
    return;
  }
  hovered_once_ = true;
  const ComplexPoint at = *mouse_.pixel();
  HoveredPoint found;
  found.point = point_at(view(), picture_, at.re, at.im);
  found.pixel_x = static_cast<int>(at.re);
  found.pixel_y = static_cast<int>(at.im);
  last_point_ = found.point;
  if (runner_.has_picture()) {
    const MandelbrotView& image = runner_.engine().view();
    std::vector<std::uint32_t> row(image.width);
    // As the shader places texels.
    const auto texel = [](int pixel, std::uint32_t texels, int pixels) {
      return static_cast<std::uint32_t>(std::int64_t{pixel} * texels / pixels);
    };
    const std::uint32_t y = texel(found.pixel_y, image.height, picture_.height);
    runner_.engine().read_dwells(y, row);
    found.dwell = row[texel(found.pixel_x, image.width, picture_.width)];
  }
  if (regions) {
    const auto x = static_cast<std::uint32_t>(found.pixel_x);
    const auto y = static_cast<std::uint32_t>(found.pixel_y);
    for (const MandelbrotRegion& region : runner_.regions()) {
      const bool inside = x - region.x < region.width && y - region.y < region.height;
      if (inside && (!found.region || region.level > found.region->level)) found.region = region;
    }
  }
  hovered_ = found;
}

// What depends on the picture alone is done once a picture; the colours change with the settings too.
void MandelbrotWorkspace::colour(Presenter& presenter, const MandelbrotSettings& settings) {
  const bool other = coloured_as_ != settings.colouring;
  if (new_picture_) {
    const auto begin = std::chrono::steady_clock::now();
    histogram_ = count_dwells(runner_.engine());
    stages_.histogram = milliseconds_since(begin);
  }
  if (settings.colouring != Colouring::kSmooth) {
    stages_.smooth.reset();
  } else if (new_picture_ || other) {
    stages_.smooth = smooth_.compute(runner_.engine()).milliseconds;
  }
  if (new_picture_ || other) runner_.add_cost(stages_.histogram.value_or(0) + stages_.smooth.value_or(0));
  const bool same_colours =
      !other && coloured_interior_ == settings.interior && coloured_with_ == &presenter.palette();
  if (!new_picture_ && same_colours) return;
  colours_ = dwell_colours(presenter.palette(), settings.colouring, settings.interior, histogram_,
                           runner_.engine().config().dwell_limit);
  presenter.set_dwell_colours(colours_);
  coloured_as_ = settings.colouring;
  coloured_interior_ = settings.interior;
  coloured_with_ = &presenter.palette();
  new_picture_ = false;
}

void MandelbrotWorkspace::show(Presenter& presenter, const render::Rect& target,
                               const MandelbrotSettings& settings) {
  if (!runner_.has_picture()) return;
  colour(presenter, settings);
  const MandelbrotView& image = runner_.engine().view();
  const render::Extent size{static_cast<int>(image.width), static_cast<int>(image.height)};
  if (settings.colouring == Colouring::kSmooth) {
    presenter.prepare(size, PixelFormat::kSmoothDwell32);
    stages_.transfer = presenter.transfer(smooth_.image());
  } else {
    const MemorySpace space = presenter.prepare(size, PixelFormat::kDwell16);
    stages_.transfer = presenter.transfer(runner_.engine().image(space));
  }
  draw_timer_.begin();
  presenter.draw_dwells(target);
  const render::Rect inset = inset_of(picture_, font_pixels());
  if (settings.julia && inset.width > 0) {
    julia_.update(last_point_, {inset.width, inset.height});
    julia_.draw(presenter.framebuffer(), {target.x + inset.x, target.y + inset.y, inset.width, inset.height},
                presenter.palette());
  }
  draw_timer_.end();
  if (const auto gpu = draw_timer_.take()) stages_.draw = *gpu;
}

void MandelbrotWorkspace::draw_overlays(ImDrawList& list, const Area& area, float scale,
                                        const MandelbrotSettings& settings) {
  if (area.empty()) return;
  const render::Rect inset = settings.julia ? inset_of(picture_, font_pixels()) : render::Rect{};
  const Area julia{area.x + static_cast<float>(inset.x) / scale, area.y + static_cast<float>(inset.y) / scale,
                   static_cast<float>(inset.width) / scale, static_cast<float>(inset.height) / scale};
  const ImVec2 end{area.x + area.width, area.y + area.height};
  list.PushClipRect({area.x, area.y}, end);
  if (settings.overlay != RegionOverlay::kOff) {
    // The Julia set is drawn already; regions are not to cover it.
    const auto draw_in = [&](ImVec2 low, ImVec2 high) {
      list.PushClipRect(low, high, true);
      draw_regions(list, area, scale, runner_.regions(), settings.overlay, levels_.shown());
      list.PopClipRect();
    };
    const float split = julia.empty() ? end.y : julia.y;
    draw_in({area.x, area.y}, {end.x, split});
    if (split < end.y) draw_in({julia.x + julia.width, split}, end);
  }
  if (const auto& check = runner_.checked()) draw_differences(list, area, scale, check->differences);
  if (settings.orbit && hovered_) {
    draw_orbit(list, area, scale, view(), picture_, hovered_->point, settings.config.dwell_limit);
  }
  if (!julia.empty()) draw_julia_frame(list, julia, last_point_);
  mouse_.draw(list);
  list.PopClipRect();
}

}  // namespace loom::app
