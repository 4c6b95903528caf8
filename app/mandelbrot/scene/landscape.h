#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "app/mandelbrot/scene/complex_view.h"
#include "app/shell/worker.h"
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
std::optional<std::size_t> best_cell(std::span<const std::optional<double>> values);

/// Measures the speed of every cut over the exhaustive method at a view, on an engine and a thread of its
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
  /// Wishes an end; what was measured stays.
  void stop() { worker_.watch().cancel(); }
  bool running() const { return worker_.busy(); }
  /// Looks whether it has ended, and waits for it at most so long. Throws what MandelbrotEngine::compute
  /// threw.
  void poll(std::chrono::duration<double, std::milli> patience);

  /// Into values that are kept.
  void values(LandscapeValues& into) const;
  std::size_t done() const { return done_; }
  /// What is, or was, measured: with the size of the image.
  const std::optional<MandelbrotView>& view() const { return view_; }
  const MandelbrotConfig& config() const { return config_; }

 private:
  double time(const MandelbrotConfig& config);
  void measure(Watch& watch);

  std::unique_ptr<MandelbrotEngine> engine_;  ///< the thread's, while it runs
  MandelbrotConfig config_;
  std::optional<MandelbrotView> view_;
  std::atomic<std::size_t> done_ = 0;
  std::array<std::atomic<double>, kLandscapeCells> ratios_{};  ///< 0: not measured

  Worker worker_;  ///< last: ends before what it works on goes
};

}  // namespace loom::app
