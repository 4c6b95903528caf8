#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/mandelbrot/scene/complex_view.h"
#include "compute/backend/engine_factory.h"
#include "compute/engine/mandelbrot_engine.h"
#include "compute/mandelbrot/cost_model.h"

namespace loom::app {

/// The cuts of a landscape: g and B in 2^1 .. 2^8, r in {2, 4, 8}.
inline constexpr std::array<std::uint32_t, 3> kLandscapeR = {2, 4, 8};
inline constexpr std::uint32_t kLandscapeSide = 8;
inline constexpr std::size_t kLandscapeCells = kLandscapeR.size() * kLandscapeSide * kLandscapeSide;
/// By r, then g, then B.
CostCut landscape_cut(std::size_t cell);
std::optional<std::size_t> landscape_cell(const CostCut& cut);

/// A ratio for each cut; nothing where there is none (yet).
using LandscapeValues = std::vector<std::optional<double>>;
LandscapeValues model_landscape(CostRatio ratio, const CostProblem& problem);
/// The cell with the highest value.
std::optional<std::size_t> best_cell(const LandscapeValues& values);

/// Measures the speed of every cut over the exhaustive method at a view, a slice a frame, on an engine of its
/// own.
class Landscape {
 public:
  /// The longer side of the image: small on the CPU, so that it ends within seconds, a window's on a GPU,
  /// whose launches would be all there is to measure.
  static constexpr int kCpuSide = 320;
  static constexpr int kCudaSide = 1024;

  /// Throws MachineError.
  void start(const MandelbrotConfig& config, const ComplexView& view, render::Extent picture,
             const BackendSelection& backend);
  void stop();
  bool running() const { return engine_ != nullptr; }
  /// Measures for about `milliseconds`, one cut at least. Throws as MandelbrotEngine::compute does, and has
  /// then stopped.
  void advance(double milliseconds);

  const LandscapeValues& values() const { return values_; }
  std::size_t done() const { return done_; }
  /// What is, or was, measured: with the size of the image.
  const std::optional<MandelbrotView>& view() const { return view_; }
  const MandelbrotConfig& config() const { return config_; }

 private:
  double time(const MandelbrotConfig& config);

  std::unique_ptr<MandelbrotEngine> engine_;
  MandelbrotConfig config_;
  std::optional<MandelbrotView> view_;
  double exhaustive_ms_ = 0;
  std::size_t done_ = 0;
  LandscapeValues values_;
};

}  // namespace loom::app
