#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace loom::app {

/// The stages of a frame, in order. kFrame is the whole: from the start of one frame to the start of the
/// next, with whatever the stages do not cover (waiting for the screen, events).
enum class Stage { kStep, kResolve, kTransfer, kDraw, kPanels, kFrame };
inline constexpr std::size_t kStageCount = 6;
inline constexpr std::array kStages = {Stage::kStep, Stage::kResolve, Stage::kTransfer,
                                       Stage::kDraw, Stage::kPanels,  Stage::kFrame};
/// "step", "resolve", "transfer", "draw", "panels", "frame".
std::string_view name_of(Stage stage);

/// Milliseconds by stage; nothing where the stage did not run in the frame or has no result yet.
struct FrameSample {
  std::array<std::optional<double>, kStageCount> milliseconds;
  std::uint64_t generations = 0;  ///< that the step advanced
  std::optional<double>& operator[](Stage stage) { return milliseconds[static_cast<std::size_t>(stage)]; }
  const std::optional<double>& operator[](Stage stage) const {
    return milliseconds[static_cast<std::size_t>(stage)];
  }
};

/// Mean, median and 95th percentile (nearest rank) of a stage's samples in the window.
struct StageFigures {
  double mean = 0;
  double median = 0;
  double p95 = 0;
  std::size_t samples = 0;  ///< 0: the figures mean nothing
};

/// The times of the last `kWindow` frames.
class FrameTimes {
 public:
  static constexpr std::size_t kWindow = 240;

  /// Ignored while paused.
  void add(const FrameSample& sample);
  void reset();
  void set_paused(bool paused) { paused_ = paused; }
  bool paused() const { return paused_; }

  std::size_t size() const { return size_; }
  /// 0 is the oldest frame in the window.
  const FrameSample& sample(std::size_t index) const;
  StageFigures figures(Stage stage) const;
  /// The step divided by its generations.
  StageFigures generation_figures() const;

 private:
  std::array<FrameSample, kWindow> samples_{};
  std::size_t next_ = 0;
  std::size_t size_ = 0;
  bool paused_ = false;
};

/// Figures of any list of samples.
StageFigures figures_of(std::span<const double> milliseconds);

}  // namespace loom::app
