#include "compute/backend/fastest_plan.h"

#include <algorithm>
#include <limits>

#include "compute/core/error.h"

namespace loom {
namespace {

/// A first run that is slower than the best time by more than this factor ends the timing of a plan.
constexpr double kHopeless = 1.25;

double time_of(MandelbrotEngine& engine, const MandelbrotConfig& config, const MandelbrotView& view,
               std::uint32_t runs, double best) {
  try {
    // Several devices distribute an image by the costs of its first run.
    if (engine.partition_times().size() > 1) engine.compute(config, view);
    return shortest_ms(engine, config, view, runs, 1, kHopeless * best);
  } catch (const DeviceFault&) {
    throw;
  } catch (const MachineError&) {
    return std::numeric_limits<double>::max();
  }
}

}  // namespace

double shortest_ms(MandelbrotEngine& engine, const MandelbrotConfig& config, const MandelbrotView& view,
                   std::uint32_t runs, std::uint32_t least, double most) {
  double shortest = std::numeric_limits<double>::infinity();
  for (std::uint32_t run = 0; run < runs && (run < least || shortest < most); ++run)
    shortest = std::min(shortest, engine.compute(config, view).milliseconds);
  return shortest;
}

MandelbrotConfig with_plan(const MandelbrotConfig& config, const DwellPlan& plan) {
  MandelbrotConfig planned = config;
  planned.method = plan.exhaustive ? MandelbrotMethod::kExhaustive : MandelbrotMethod::kAsk;
  if (plan.exhaustive) return planned;
  planned.g = plan.cut.g;
  planned.r = plan.cut.r;
  planned.b = plan.cut.b;
  return planned;
}

CutSearch find_fastest_plan(MandelbrotEngine& engine, const MandelbrotConfig& config,
                            const MandelbrotView& view, const PlanSearchOptions& search) {
  CutSearch cuts(search.first, search.may_be_exhaustive);
  // A warm-up run, because the very first run has other clock rates and memory states than later ones.
  if (const auto plan = cuts.next()) engine.compute(with_plan(config, *plan), view);
  while (const auto plan = cuts.next()) {
    const double best = cuts.best() ? cuts.best()->time : std::numeric_limits<double>::infinity();
    cuts.note(time_of(engine, with_plan(config, *plan), view, search.runs, best));
    if (search.after_each) search.after_each(cuts);
  }
  return cuts;
}

}  // namespace loom
