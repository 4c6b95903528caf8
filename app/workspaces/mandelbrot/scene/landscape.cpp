#include "app/workspaces/mandelbrot/scene/landscape.h"

#include <algorithm>
#include <cmath>

#include "compute/backend/mandelbrot_factory.h"

namespace loom::app {
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

std::optional<std::size_t> landscape_cell(const CostCut& cut) {
  for (std::size_t cell = 0; cell < kLandscapeCells; ++cell) {
    if (landscape_cut(cell) == cut) return cell;
  }
  return std::nullopt;
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
  auto engine = make_mandelbrot_engine(backend);
  const int most = backend.kind == BackendKind::kCpu ? kCpuSide : kCudaSide;
  const int longest = std::max(picture.x, picture.y);
  const double scale = std::min(1.0, static_cast<double>(most) / longest);
  MandelbrotView image = mandelbrot_view(view, picture);
  const auto side = [&](std::uint32_t pixels) {
    return std::max(1u, static_cast<std::uint32_t>(std::lround(pixels * scale)));
  };
  image.width = side(image.width);
  image.height = side(image.height);
  engine_ = std::move(engine);
  config_ = config;
  // The exhaustive method has no parameters to compare.
  if (config_.method == MandelbrotMethod::kExhaustive) config_.method = MandelbrotMethod::kAsk;
  view_ = image;
  done_ = 0;
  for (auto& ratio : ratios_) ratio = 0;
  worker_.start([this](ProgressMonitor& watch) { measure(watch); });
}

void Landscape::values(LandscapeValues& into) const {
  into.assign(view_ ? kLandscapeCells : 0, std::nullopt);
  for (std::size_t cell = 0; cell < into.size(); ++cell) {
    if (const double ratio = ratios_[cell]; ratio > 0) into[cell] = ratio;
  }
}

// The shortest of a few runs, which is the least disturbed one.
double Landscape::time(const MandelbrotConfig& config) {
  double shortest = 0;
  for (int run = 0; run < kRuns; ++run) {
    const double milliseconds = engine_->compute(config, *view_).milliseconds;
    if (run == 0 || milliseconds < shortest) shortest = milliseconds;
  }
  return shortest;
}

void Landscape::measure(ProgressMonitor& watch) {
  engine_->set_monitor(&watch);
  MandelbrotConfig exhaustive = config_;
  exhaustive.method = MandelbrotMethod::kExhaustive;
  const double exhaustive_ms = time(exhaustive);
  for (std::size_t i = 0; i < kLandscapeCells; ++i) {
    MandelbrotConfig config = config_;
    const std::size_t cell = i * kStride % kLandscapeCells;
    const CostCut cut = landscape_cut(cell);
    config.g = cut.g;
    config.r = cut.r;
    config.b = cut.b;
    ratios_[cell] = exhaustive_ms / std::max(time(config), 1e-9);
    ++done_;
  }
}

void Landscape::poll(std::chrono::duration<double, std::milli> timeout) {
  if (!running()) return;
  try {
    if (!worker_.wait_for(timeout)) return;
  } catch (const OperationCancelled&) {
    // Finished measurements stay.
  } catch (...) {
    engine_.reset();
    throw;
  }
  engine_.reset();
}

}  // namespace loom::app
