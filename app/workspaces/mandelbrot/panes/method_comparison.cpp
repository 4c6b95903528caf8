#include "app/workspaces/mandelbrot/panes/method_comparison.h"

#include <algorithm>
#include <new>
#include <span>
#include <utility>

#include "compute/core/error.h"

namespace loom::app {
namespace {

constexpr std::size_t kMaxDifferingPlaces = 20000;

}  // namespace

void MethodComparison::set_active(MandelbrotMethod method) {
  if (active_ == method) return;
  differences_ = {};
  auto& own = panes_[index_of(method)];
  if (active_) panes_[index_of(*active_)] = std::move(own);
  own.reset();
  active_ = method;
  for (const MandelbrotMethod other : kMandelbrotMethods) {
    auto& pane = panes_[index_of(other)];
    if (other != method && !pane) pane = std::make_unique<MethodPane>(services_);
  }
}

bool MethodComparison::busy() const {
  bool busy = false;
  each_pane([&](MandelbrotMethod, const MethodPane& pane) { busy = busy || pane.runner().busy(); });
  return busy;
}

bool MethodComparison::is_behind(const DwellRequest& active) const {
  bool behind = false;
  each_pane([&](MandelbrotMethod method, const MethodPane& pane) {
    behind = behind || pane.is_behind(MethodPane::request_for(active, method));
  });
  return behind;
}

bool MethodComparison::is_done(const DwellRequest& active) const {
  bool done = true;
  each_pane([&](MandelbrotMethod method, const MethodPane& pane) {
    done = done && pane.is_done(MethodPane::request_for(active, method));
  });
  return done;
}

bool MethodComparison::is_sampling() const {
  bool sampling = false;
  each_pane([&](MandelbrotMethod, const MethodPane& pane) { sampling = sampling || pane.is_sampling(); });
  return sampling;
}

// A pane at work goes on alone; then those without a picture of the request; then the others in order.
void MethodComparison::advance(const DwellRequest& active, const BackendSelection& backend,
                               TaskTimeout timeout) {
  const bool at_work = busy();
  bool worked = false;
  const auto pass = [&](const auto& wanted) {
    each_pane([&](MandelbrotMethod method, MethodPane& pane) {
      const DwellRequest request = MethodPane::request_for(active, method);
      if (worked || !wanted(pane, request)) return;
      worked = pane.advance(request, backend, timeout);
      if (pane.take_new_picture()) differences_ = {};
    });
  };
  pass([](const MethodPane& pane, const DwellRequest&) { return pane.runner().busy(); });
  if (at_work) return;
  pass([](const MethodPane& pane, const DwellRequest& request) { return pane.is_behind(request); });
  pass([](const MethodPane&, const DwellRequest&) { return true; });
}

void MethodComparison::follow_samples(const MandelbrotSettings& settings, const ComplexView& view,
                                      glm::ivec2 picture, bool may_begin) {
  each_pane([&](MandelbrotMethod, MethodPane& pane) {
    pane.follow_samples(settings, view, picture, may_begin);
    may_begin = may_begin && !pane.is_sampling();
  });
}

void MethodComparison::cancel() {
  each_pane([](MandelbrotMethod, MethodPane& pane) { pane.cancel(); });
}

void MethodComparison::compare(const DwellRunner& active, const DwellRequest& request) {
  const auto runner_of = [&](MandelbrotMethod method) -> const DwellRunner* {
    const auto& pane = panes_[index_of(method)];
    const DwellRunner* const runner = pane ? &pane->runner() : &active;
    const bool current = runner->has_picture() && runner->divisor() == 1 && !runner->busy() &&
                         MethodPane::request_for(request, method).same_picture(runner->request());
    return current ? runner : nullptr;
  };
  const DwellRunner* const exhaustive = runner_of(MandelbrotMethod::kExhaustive);
  if (exhaustive == nullptr) return;
  for (const MandelbrotMethod method : {MandelbrotMethod::kDp, MandelbrotMethod::kAsk}) {
    auto& counted = differences_[index_of(method)];
    const DwellRunner* const runner = runner_of(method);
    if (counted || runner == nullptr) continue;
    counted = count_different_dwells(runner->engine(), exhaustive->engine(), kMaxDifferingPlaces);
  }
}

MethodScores MethodComparison::scores(const DwellRunner& active) const {
  MethodScores scores;
  for (const MandelbrotMethod method : kMandelbrotMethods) {
    MethodScore& score = scores[index_of(method)];
    const auto& pane = panes_[index_of(method)];
    const DwellRunner& runner = pane ? pane->runner() : active;
    score.method = method;
    if (pane) score.problem = pane->problem();
    if (const auto& counted = differences_[index_of(method)]) score.different = counted->count;
    // After a change of the active method, a pane still has the report of the previous one.
    if (!runner.report() || runner.request().config.method != method) continue;
    score.report = &*runner.report();
    const StageStats times = runner.times();
    score.runs = times.samples;
    if (times.samples > 0) score.milliseconds = times.median;
  }
  return scores;
}

std::optional<double> MethodComparison::exhaustive_ms(const DwellRequest& active) const {
  const auto& pane = panes_[index_of(MandelbrotMethod::kExhaustive)];
  const DwellRequest request = MethodPane::request_for(active, MandelbrotMethod::kExhaustive);
  if (!pane || !request.same_picture(pane->runner().request())) return std::nullopt;
  return pane->runner().exhaustive_ms();
}

Progress MethodComparison::progress() const {
  Progress progress;
  each_pane([&](MandelbrotMethod, const MethodPane& pane) {
    if (pane.runner().busy()) progress = pane.runner().progress();
  });
  return progress;
}

DwellRequest MethodPane::request_for(const DwellRequest& active, MandelbrotMethod method) {
  DwellRequest request = active;
  set_method(request.config, method);
  request.every_frame = false;
  if (method == MandelbrotMethod::kExhaustive) request.regions = false;
  return request;
}

bool MethodPane::is_behind(const DwellRequest& request) const {
  const bool current = runner_.has_picture() && request.same_picture(runner_.request());
  return !current && !runner_.is_abandoned() && !lacks_engine();
}

bool MethodPane::is_done(const DwellRequest& request) const {
  if (runner_.busy() || is_behind(request)) return false;
  return runner_.is_abandoned() || runner_.is_idle() || lacks_engine();
}

void MethodPane::use_backend(const BackendSelection& backend) {
  runner_.use_backend(backend);
  presenter_.use_backend(runner_.backend());
}

bool MethodPane::compute(const DwellRequest& request, TaskTimeout timeout) {
  if (!runner_.advance(request, timeout)) return false;
  new_picture_ = true;
  if (runner_.counted_anew()) {
    changed_ = true;
    coloured_.reset();
  }
  return true;
}

bool MethodPane::advance(const DwellRequest& request, const BackendSelection& backend, TaskTimeout timeout) {
  try {
    use_backend(backend);
    const bool new_picture = compute(request, timeout);
    if (new_picture) {
      problem_.clear();
    } else if (!runner_.problem().empty()) {
      problem_ = runner_.problem();
      changed_ = true;
    }
    runner_.clear_problem();
    return new_picture || runner_.busy();
  } catch (const DeviceFault&) {
    throw;
  } catch (const MachineError& error) {
    problem_ = error.what();
  } catch (const std::bad_alloc&) {
    problem_ = "out of memory for the picture";
  }
  return false;
}

void MethodPane::follow_samples(const MandelbrotSettings& settings, const ComplexView& view,
                                glm::ivec2 picture, bool may_begin) {
  sample(settings, view, picture, may_begin);
  if (std::string problem = sampler_.take_problem(); !problem.empty()) problem_ = std::move(problem);
}

// Any change drops the samples, so that the result never belongs to another picture or to other colours.
void MethodPane::sample(const MandelbrotSettings& settings, const ComplexView& view, glm::ivec2 picture,
                        bool may_begin) {
  // A picture that is waited for does not depend on the machine's speed.
  const int choice = settings.samples_per_axis;
  const int samples = services_.waits ? samples_in_file(choice)
                                      : samples_at_rest(choice, runner_.expected_ms(picture).value_or(0));
  if (samples == 1 || !runner_.has_picture() || runner_.divisor() != 1 || coloured_ != inputs(settings))
    return sampler_.forget();
  const DwellRequest& done = runner_.request();
  if (!(done.view == view) || done.picture != picture || settings.measure) return sampler_.forget();
  const Supersampler::Request request{.config = done.config,
                                      .view = mandelbrot_view(done.view, done.picture, done.config.precision),
                                      .backend = {services_.backend.device, {}},
                                      .smooth = runner_.is_smooth(),
                                      .samples_per_axis = samples,
                                      .colours = colour_number_};
  if (!sampler_.is_of(request)) sampler_.forget();
  if (!may_begin && !sampler_.working()) return;
  do {
    if (sampler_.advance(request, colours_.table(), services_.waits ? kNoTimeout : TaskTimeout{0}))
      sample_texture_.upload({sampler_.width(), sampler_.height()}, sampler_.picture());
  } while (services_.waits && sampler_.working());
}

void MethodPane::cancel() {
  runner_.cancel();
  sampler_.cancel();
}

void MethodPane::colour(const MandelbrotSettings& settings) {
  if (!runner_.has_picture() || coloured_ == inputs(settings)) return;
  coloured_ = inputs(settings);
  dwell_colours(presenter_.palette(), coloured_->how, runner_.histogram(), colours_);
  presenter_.set_dwell_colours(colours_.table());
  ++colour_number_;
}

bool MethodPane::transfer() {
  if (!new_picture_ || runner_.busy()) return false;
  presenter_.transfer(runner_.image(presenter_.preferred_space()));
  new_picture_ = false;
  displayed_ = {runner_.request().view, runner_.request().picture};
  return true;
}

void MethodPane::draw(const render::Rect<int>& target, const ViewedPicture& seen) {
  if (sampler_.samples_per_axis() > 1) {
    if (!sample_renderer_) sample_renderer_.emplace();
    sample_renderer_->draw(sample_texture_, presenter_.framebuffer(), target);
  } else if (displayed_) {
    const render::Rect<int> place = picture_rect(seen);
    presenter_.draw_dwells(target, {target.corner + place.corner, place.size},
                           degrees_between(seen, *displayed_));
  }
}

render::Rect<int> MethodPane::picture_rect(const ViewedPicture& seen) const {
  const render::Rect<int> whole{{}, seen.size};
  return displayed_ ? place_in(seen, *displayed_).value_or(whole) : whole;
}

std::span<const PictureMark> MethodPane::marks(RegionOverlay overlay, std::optional<int> up_to, float scale) {
  if (overlay == RegionOverlay::kLevels || overlay == RegionOverlay::kQuantities) {
    marks_.request(runner_.regions(), runner_.regions_number(),
                   {.overlay = overlay, .up_to = up_to, .scale = scale});
  } else {
    marks_.forget();
  }
  return marks_.marks();
}

std::uint64_t count_regions(const MandelbrotReport& report) {
  std::uint64_t regions = 0;
  for (const MandelbrotLevel& level : report.levels) regions += level.regions;
  return regions;
}

DwellDifferences count_different_dwells(const MandelbrotEngine& engine, const MandelbrotEngine& reference,
                                        std::size_t max_places) {
  constexpr std::uint32_t kRows = 64;
  const MandelbrotView& view = engine.view();
  std::vector<std::uint32_t> own(std::size_t{view.width} * kRows);
  std::vector<std::uint32_t> expected(own.size());
  DwellDifferences differences;
  for (std::uint32_t y = 0; y < view.height; y += kRows) {
    const std::size_t pixels = std::size_t{view.width} * std::min(kRows, view.height - y);
    engine.read_dwells(y, std::span(own).first(pixels));
    reference.read_dwells(y, std::span(expected).first(pixels));
    for (std::size_t i = 0; i < pixels; ++i) {
      if (own[i] == expected[i]) continue;
      ++differences.count;
      if (differences.places.size() == max_places) continue;
      const auto row = static_cast<std::uint32_t>(i / view.width);
      const auto column = static_cast<std::uint32_t>(i % view.width);
      differences.places.push_back({{column, y + row}, own[i], expected[i]});
    }
  }
  return differences;
}

}  // namespace loom::app
