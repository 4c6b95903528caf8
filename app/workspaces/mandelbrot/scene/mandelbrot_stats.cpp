#include "app/workspaces/mandelbrot/scene/mandelbrot_stats.h"

namespace loom::app {
namespace {

MeasuredRun run_of(const MandelbrotStats& now, const MandelbrotConfig& ran) {
  MeasuredRun run{.config = ran,
                  .report = *now.report,
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

}  // namespace loom::app
