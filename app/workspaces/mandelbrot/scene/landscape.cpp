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

/// Milliseconds of the shortest of a few runs, which is the least disturbed one.
double shortest_ms(MandelbrotEngine& engine, const MandelbrotConfig& config, const MandelbrotView& view) {
  double shortest = 0;
  for (int run = 0; run < kRuns; ++run) {
    const double milliseconds = engine.compute(config, view).milliseconds;
    if (run == 0 || milliseconds < shortest) shortest = milliseconds;
  }
  return shortest;
}

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
  const double exhaustive_ms = shortest_ms(*engine, exhaustive, *view_);
  for (std::size_t i = 0; i < kLandscapeCells; ++i) {
    MandelbrotConfig config = config_;
    const std::size_t cell = i * kStride % kLandscapeCells;
    const CostCut cut = landscape_cut(cell);
    config.g = cut.g;
    config.r = cut.r;
    config.b = cut.b;
    ratios_[cell] = exhaustive_ms / std::max(shortest_ms(*engine, config, *view_), 1e-9);
    ++done_;
  }
}

// Finished measurements stay, however it ended.
std::string Landscape::poll(TaskTimeout timeout) {
  const auto outcome = task_.poll(timeout);
  return outcome ? outcome->problem : std::string();
}

}  // namespace loom::app
