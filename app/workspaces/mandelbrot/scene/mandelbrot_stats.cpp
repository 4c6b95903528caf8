#include "app/workspaces/mandelbrot/scene/mandelbrot_stats.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "app/bench/results.h"
#include "compute/backend/engine_factory.h"
#include "compute/core/error.h"
#include "compute/cpu/mandelbrot/formula_lanes.h"
#include "compute/mandelbrot/dwell.h"

namespace loom::app {

namespace {

constexpr std::uint8_t kNothing = 255;

std::uint8_t byte_of(const Divergence& waits) {
  if (waits.iterations + waits.waited + waits.idle == 0) return kNothing;
  return static_cast<std::uint8_t>(std::lround(waits.idle_fraction() * (kNothing - 1)));
}

void fill(DivergenceCounts& counts, const MandelbrotRegion& region, std::uint8_t share) {
  const auto width = static_cast<std::size_t>(counts.size.x);
  for (std::uint32_t y = region.y; y < region.y + region.height; ++y) {
    const auto begin = counts.share.begin() + static_cast<std::ptrdiff_t>(y * width + region.x);
    std::fill(begin, begin + region.width, share);
  }
}

void count(const DwellRows& dwells, const MandelbrotConfig& config,
           const std::vector<MandelbrotRegion>& regions, DivergenceCounts& counts, ProgressMonitor& watch) {
  const ExhaustiveDivergence all(dwells, config.block);
  counts.exhaustive = all.total();
  counts.exact = divergence_is_exact(config);
  counts.share.assign(dwells.dwells.size(), kNothing);
  if (watch.cancelled()) throw OperationCancelled();
  if (config.method == MandelbrotMethod::kExhaustive) {
    counts.method = counts.exhaustive;
    for (std::uint32_t y = 0; y < dwells.height; ++y) {
      for (std::uint32_t x = 0; x < dwells.width; ++x) {
        counts.share[std::size_t{y} * dwells.width + x] = byte_of(all.warps()[all.warp_of(x, y)]);
      }
    }
    return;
  }
  // Parents are listed before their children, which then overwrite their part.
  for (const MandelbrotRegion& region : regions) {
    const Divergence waits = region_divergence(dwells, region, config.block).total();
    counts.method += waits;
    fill(counts, region, byte_of(waits));
    if (watch.cancelled()) throw OperationCancelled();
  }
}

}  // namespace

void WarpDivergence::forget() {
  current_ = false;
  counts_.reset();
  task_.cancel();
}

void WarpDivergence::request(const MandelbrotEngine& engine, const MandelbrotConfig& config, glm::ivec2 size,
                             std::span<const MandelbrotRegion> regions) {
  if (current_ || task_.running()) return;
  current_ = true;
  dwells_.resize(static_cast<std::size_t>(size.x) * static_cast<std::size_t>(size.y));
  engine.read_dwells(0, dwells_);
  regions_.assign(regions.begin(), regions.end());
  std::stable_sort(regions_.begin(), regions_.end(),
                   [](const MandelbrotRegion& a, const MandelbrotRegion& b) { return a.level < b.level; });
  task_.start([this, config, size, view = engine.view()](ProgressMonitor& watch) {
    make_iterations(config, view, dwells_);
    const DwellRows rows{dwells_, static_cast<std::uint32_t>(size.x), static_cast<std::uint32_t>(size.y)};
    DivergenceCounts counts;
    counts.size = size;
    count(rows, config, regions_, counts, watch);
    return counts;
  });
}

void WarpDivergence::poll(bool waits) {
  auto outcome = waits ? task_.wait() : task_.poll();
  // Counts of a picture that has been replaced are dropped.
  if (outcome && outcome->result && current_) counts_ = std::move(*outcome->result);
}

namespace {

constexpr int kRuns = 3;
/// Combinations are measured in strides, so that drift of the machine's speed appears as noise and not as a
/// slope. Coprime to the number of combinations.
constexpr std::size_t kStride = 77;

}  // namespace

CostCut landscape_cut(std::size_t cell) {
  const std::size_t b = cell % kLandscapeSide;
  const std::size_t g = cell / kLandscapeSide % kLandscapeSide;
  return {2u << g, kLandscapeR[cell / (kLandscapeSide * kLandscapeSide)], 2u << b};
}

LandscapeValues model_landscape(CostRatio ratio, const CostProblem& problem) {
  LandscapeValues values(kLandscapeCells);
  for (std::size_t cell = 0; cell < kLandscapeCells; ++cell) {
    const CostCut cut = landscape_cut(cell);
    if (cost_levels(problem, cut)) values[cell] = cost_ratio(ratio, problem, cut);
  }
  return values;
}

std::optional<std::size_t> best_cell(std::span<const std::optional<double>> values) {
  std::optional<std::size_t> best;
  for (std::size_t cell = 0; cell < values.size(); ++cell) {
    if (values[cell] && (!best || *values[cell] > *values[*best])) best = cell;
  }
  return best;
}

void Landscape::start(const MandelbrotConfig& config, const ComplexView& view, glm::ivec2 picture,
                      const BackendSelection& backend) {
  if (running()) return;
  const int most = backend.device.on_host ? kCpuSide : kCudaSide;
  const int longest = std::max(picture.x, picture.y);
  const double scale = std::min(1.0, static_cast<double>(most) / longest);
  MandelbrotView image = mandelbrot_view(view, picture, config.precision);
  const auto side = [&](std::uint32_t pixels) {
    return std::max(1u, static_cast<std::uint32_t>(std::lround(pixels * scale)));
  };
  image.width = side(image.width);
  image.height = side(image.height);
  config_ = config;
  // The exhaustive method has no parameters to compare.
  if (config_.method == MandelbrotMethod::kExhaustive) config_.method = MandelbrotMethod::kAsk;
  view_ = image;
  done_ = 0;
  for (auto& ratio : ratios_) ratio = 0;
  task_.start(
      [this, backend](ProgressMonitor& monitor) {
        measure(backend, monitor);
        return std::monostate{};
      },
      "out of memory for the landscape");
}

void Landscape::values(LandscapeValues& into) const {
  into.assign(view_ ? kLandscapeCells : 0, std::nullopt);
  for (std::size_t cell = 0; cell < into.size(); ++cell) {
    if (const double ratio = ratios_[cell]; ratio > 0) into[cell] = ratio;
  }
}

void Landscape::measure(const BackendSelection& backend, ProgressMonitor& monitor) {
  const auto engine = make_mandelbrot_engine(backend);
  engine->set_monitor(&monitor);
  MandelbrotConfig exhaustive = config_;
  exhaustive.method = MandelbrotMethod::kExhaustive;
  const double exhaustive_ms = shortest_ms(*engine, exhaustive, *view_, kRuns);
  for (std::size_t i = 0; i < kLandscapeCells; ++i) {
    MandelbrotConfig config = config_;
    const std::size_t cell = i * kStride % kLandscapeCells;
    const CostCut cut = landscape_cut(cell);
    config.g = cut.g;
    config.r = cut.r;
    config.b = cut.b;
    ratios_[cell] = exhaustive_ms / std::max(shortest_ms(*engine, config, *view_, kRuns), 1e-9);
    ++done_;
  }
}

// Finished measurements stay, however it ended.
std::string Landscape::poll(TaskTimeout timeout) {
  const auto outcome = task_.poll(timeout);
  return outcome ? outcome->problem : std::string();
}

ModelFit fit_model(const MeasuredRun& run) {
  ModelFit fit;
  const auto pixels = static_cast<double>(run.report.pixels);
  fit.problem = {.n = run.dimensions == 3 ? std::cbrt(pixels) : std::sqrt(pixels),
                 .dwell = static_cast<double>(run.config.dwell_limit),
                 .p = 0.7,
                 .lambda = kAssumedLambda,
                 .q = run.q,
                 .c = run.c,
                 .dimensions = run.dimensions};
  if (const auto p = bench::split_fraction(run.report)) {
    fit.problem.p = *p;
    fit.p_fitted = true;
  }
  if (run.exhaustive_ms && run.milliseconds > 0) fit.measured = *run.exhaustive_ms / run.milliseconds;

  const CostCut cut{run.config.g, run.config.r, run.config.b};
  if (!cost_levels(fit.problem, cut)) return fit;
  const auto ratio_at = [&](double lambda) {
    CostProblem problem = fit.problem;
    problem.lambda = lambda;
    return cost_ratio(run.ratio, problem, cut);
  };
  if (fit.measured && fit.p_fitted) {
    // The model's cost is linear in lambda, and so is the inverse ratio.
    const double free_splits = 1 / ratio_at(0);
    const double a_split = 1 / ratio_at(1) - free_splits;
    const double wanted = 1 / *fit.measured - free_splits;
    fit.faster_than_model = wanted < 0;
    if (fit.faster_than_model) fit.problem.lambda = 0;
    if (wanted >= 0 && a_split > 0) {
      fit.problem.lambda = wanted / a_split;
      fit.lambda_fitted = true;
    }
  }
  fit.predicted = ratio_at(fit.problem.lambda);
  return fit;
}

namespace {

MeasuredRun run_of(const MandelbrotStats& now, const MandelbrotConfig& ran) {
  MeasuredRun run{.config = ran,
                  .report = *now.report,
                  .dimensions = now.in_space ? 3 : 2,
                  .milliseconds = now.times.samples > 0 ? now.times.median : now.report->milliseconds,
                  .exhaustive_ms = now.exhaustive_ms};
  const Device& device = now.backend.device;
  if (device.multiprocessors == 0) return run;
  run.ratio = ran.scheme == RegionScheme::kSbr ? CostRatio::kSbrSpeedup : CostRatio::kMbrSpeedup;
  run.q = device.multiprocessors;
  run.c = cores_of_multiprocessor(device.compute_major, device.compute_minor);
  return run;
}

}  // namespace

void ModelStats::add_to(MandelbrotStats& now, const MandelbrotConfig& ran, const Landscape& landscape,
                        const ComplexView& measured_at) {
  if (!now.report || now.report->levels.empty()) return;
  const MeasuredRun run = run_of(now, ran);
  if (run_ != run) {
    run_ = run;
    fit_ = fit_model(run);
    model_ = model_landscape(run.ratio, fit_.problem);
  }
  landscape.values(measured_);
  now.cost_ratio = run.ratio;
  now.fit = fit_;
  now.landscape_model = model_;
  now.landscape_measured = measured_;
  now.landscape_done = landscape.done();
  now.landscape_runs = landscape.running();
  now.landscape_view = landscape.view();
  MandelbrotConfig same_cut = landscape.config();
  same_cut.g = ran.g;
  same_cut.r = ran.r;
  same_cut.b = ran.b;
  now.landscape_stale = measured_at != now.view || same_cut != ran;
}

std::optional<std::uint32_t> PointUnderCursor::read_dwell(const HoveredPoint& point, glm::ivec2 picture,
                                                          const DwellRunner& runner) {
  const glm::ivec2 image = runner.image_size();
  row_.resize(static_cast<std::size_t>(image.x));
  // Selects the same texel as the shader.
  const auto texel = [](int pixel, int texels, int pixels) {
    return static_cast<std::uint32_t>(
        std::clamp<std::int64_t>(std::int64_t{pixel} * texels / pixels, 0, texels - 1));
  };
  runner.engine().read_dwells(texel(point.pixel.y, image.y, picture.y), row_);
  return row_[texel(point.pixel.x, image.x, picture.x)];
}

void PointUnderCursor::look(const std::optional<glm::dvec2>& pixel, const ComplexView& view,
                            glm::ivec2 picture, const DwellRunner& runner) {
  if (!pixel) {
    hovered_.reset();
    if (!shows_point(view, picture, last_)) last_ = view.centre;
    return;
  }
  HoveredPoint found;
  found.point = point_at(view, picture, *pixel);
  found.pixel = glm::ivec2(*pixel);
  last_ = found.point;
  const bool of_view =
      runner.has_picture() && runner.request().view == view && runner.request().picture == picture;
  const bool same_pixel = hovered_ && hovered_->pixel == found.pixel;
  if (of_view && same_pixel && !stale_) {
    found.dwell = hovered_->dwell;
  } else if (of_view && !runner.busy()) {
    found.dwell = read_dwell(found, picture, runner);
    stale_ = false;
  }
  const glm::uvec2 at(found.pixel);
  for (const MandelbrotRegion& region : of_view ? runner.regions() : std::span<const MandelbrotRegion>()) {
    const bool inside = at.x - region.x < region.width && at.y - region.y < region.height;
    if (inside && (!found.region || region.level > found.region->level)) found.region = region;
  }
  hovered_ = found;
}

std::vector<glm::dvec2> orbit_of(const EscapeTimeSet& set, glm::dvec2 point, std::uint32_t limit,
                                 std::size_t most) {
  const JuliaPoint parameter = set.julia.value_or(JuliaPoint{point.x, point.y});
  const Complex<double> c{parameter.re, parameter.im};
  if (set.formula == Formula::kCustom) {
    std::vector<glm::dvec2> points;
    const std::size_t count = std::min<std::size_t>(most, std::size_t{limit} + 1);
    for (const Complex<double> one : cpu::orbit_of(set.custom, {point.x, point.y}, c, count))
      points.push_back({one.re, one.im});
    return points;
  }
  return with_step(set.formula, set.power, [&](auto step) {
    std::vector<glm::dvec2> points;
    Complex<double> z{point.x, point.y};
    while (points.size() <= limit && points.size() < most) {
      points.push_back({z.re, z.im});
      const double square_x = z.re * z.re;
      const double square_y = z.im * z.im;
      if (!(square_x + square_y < 4)) break;
      z = step.next(z, square_x, square_y, c);
    }
    return points;
  });
}

}  // namespace loom::app
