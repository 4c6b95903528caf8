#pragma once

#include <imgui.h>

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "app/shell/shell_settings.h"

struct GLFWwindow;

namespace loom::app {

/// The stages of a frame on the window thread, in order; the frame time; and concurrent GPU stages, which are
/// not part of the sum.
enum class Stage {
  kStep,       ///< simulation or dwell computation, or waiting for a device or a thread that does it; with
               ///< several panes, of the active pane
  kPanesStep,  ///< kStep of the other panes
  kResolve,    ///< which cells each pixel covers; colouring of dwells
  kTransfer,   ///< copying the image into the texture
  kDraw,       ///< issuing the picture's draw commands
  kPanels,     ///< building and issuing controls, metrics and overlays
  kPresent,    ///< presenting the frame: waiting for the GPU, the screen and the events before the next frame
  kOther,      ///< the rest of the frame
  kFrame,      ///< the sum: from the start of one frame to the start of the next
  kGpuPicture,    ///< drawing the picture on the GPU, concurrent with the window thread
  kGpuPanels,     ///< drawing everything else on the GPU
  kGpuTransfer,   ///< kTransfer on the GPU: map, copy and unmap through interop
  kGpuStep,       ///< kStep, if a device started it in the previous frame
  kGpuPanesStep,  ///< kPanesStep on the GPU
  kGpuResolve,    ///< kResolve on the GPU
};
inline constexpr std::size_t kStageCount = 15;
/// The stages that sum to kFrame.
inline constexpr std::array kFrameParts = {Stage::kStep, Stage::kPanesStep, Stage::kResolve, Stage::kTransfer,
                                           Stage::kDraw, Stage::kPanels,    Stage::kPresent, Stage::kOther};
inline constexpr std::array kStages = {
    Stage::kStep,         Stage::kPanesStep,  Stage::kResolve,     Stage::kTransfer,   Stage::kDraw,
    Stage::kPanels,       Stage::kPresent,    Stage::kOther,       Stage::kFrame,      Stage::kGpuStep,
    Stage::kGpuPanesStep, Stage::kGpuResolve, Stage::kGpuTransfer, Stage::kGpuPicture, Stage::kGpuPanels};
/// "step", "other panes", "resolve", "transfer", "draw", "panels", "present", "other", "frame", "gpu
/// picture", "gpu panels", "gpu transfer", "gpu step", "gpu other panes", "gpu resolve".
std::string_view name_of(Stage stage);

/// Milliseconds per stage; empty if the stage did not run in the frame or has no result yet.
struct FrameSample {
  std::array<std::optional<double>, kStageCount> milliseconds;
  std::optional<double>& operator[](Stage stage) { return milliseconds[static_cast<std::size_t>(stage)]; }
  const std::optional<double>& operator[](Stage stage) const {
    return milliseconds[static_cast<std::size_t>(stage)];
  }
};

/// Divides the time of a frame into stages without gaps. Each lap is added to one stage, minus the parts that
/// were measured separately.
class FrameClock {
 public:
  using Clock = std::chrono::steady_clock;

  /// Begins a frame and ends the previous one, whose remaining time counts as kPresent. Returns the sample of
  /// the previous frame; nothing for the first frame and for discarded samples.
  std::optional<FrameSample> begin(Clock::time_point now = Clock::now());
  /// Adds the time since the last lap, minus its parts, to `stage`.
  void lap(Stage stage, Clock::time_point now = Clock::now());
  /// Assigns part of the current lap to another stage, as measured by an engine or a device. At the end of
  /// the lap, parts longer than the lap are truncated.
  void part(Stage stage, double milliseconds) { parts_[stage] = parts_[stage].value_or(0) + milliseconds; }
  /// Assigns a wait within the current lap for a device or a thread, whose work ends with an image that takes
  /// `image` milliseconds: as much of the end of the wait is kResolve, the rest is `stage`.
  void wait(Stage stage, double milliseconds, double image);
  /// Adds a time that is not part of the sum: of a stage on the GPU. Several calls in a frame, one per pane,
  /// add up.
  void add_concurrent(Stage stage, double milliseconds) { add(stage, milliseconds); }
  /// Excludes the current frame from the samples because it is not representative.
  void discard_sample() { valid_ = false; }

 private:
  void add(Stage stage, double milliseconds);

  FrameSample sample_;
  FrameSample parts_;  ///< of the current lap
  bool running_ = false;
  bool valid_ = true;
  Clock::time_point begin_{};
  Clock::time_point last_{};
};

/// Mean, median and 95th percentile (nearest rank) of a stage's samples in the window.
struct StageStats {
  double mean = 0;
  double median = 0;
  double p95 = 0;
  std::size_t samples = 0;  ///< 0: the statistics are undefined
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
  StageStats stats(Stage stage) const;
  /// Milliseconds per frame, where a frame without the stage counts as 0. The means of kFrameParts sum to the
  /// mean of kFrame.
  double mean(Stage stage) const;

 private:
  std::array<FrameSample, kWindow> samples_{};
  std::size_t next_ = 0;
  std::size_t size_ = 0;
  bool paused_ = false;
};

/// Statistics of any list of samples, which it reorders. Does not allocate.
StageStats stats_in_place(std::span<double> milliseconds);

/// The times of the last steps of an engine.
class StepTimes {
 public:
  void add(double milliseconds) { times_[count_++ % times_.size()] = milliseconds; }
  void clear() { count_ = 0; }
  /// Does not allocate.
  StageStats stats() const;

 private:
  std::array<double, 240> times_{};
  std::size_t count_ = 0;
};

/// Frames per second, averaged over about half a second.
class FrameRate {
 public:
  using Clock = std::chrono::steady_clock;
  void count(Clock::time_point now);
  /// Excludes the time until the next frame, for example after an idle wait.
  void skip();
  /// 0 before the second frame.
  double frames_per_second() const { return frames_per_second_; }

 private:
  Clock::time_point begin_{};
  int frames_ = 0;
  bool settled_ = false;  ///< the first half second has passed
  double frames_per_second_ = 0;
};

/// Limits the window's loop to the refresh rate where vertical sync does not (remote or virtual displays,
/// drivers that ignore it): waits for input during the rest of the period. Waits longer when the window is
/// idle, so that it uses almost no CPU time.
class FramePacer {
 public:
  /// Uses the refresh rate of the primary monitor, or 60 Hz if it is unknown.
  FramePacer();
  /// Call once per frame instead of glfwPollEvents(). `is_idle`: nothing is animated; any window event ends
  /// the wait at once.
  void wait_events(bool is_idle);

 private:
  using Clock = std::chrono::steady_clock;
  std::chrono::duration<double> period_;
  Clock::time_point last_;
};

/// Frame timing as JSON: {"stages": {"step": {"median": ms, "p95": ms, "mean": ms}, ...}, "fps": ...}; null
/// for a stage without samples. Means count frames without a stage as 0, so they sum to the mean of "frame".
nlohmann::ordered_json timing_json(const FrameTimes& times);

/// Frame timing as an aligned table for a terminal.
std::string timing_table(const FrameTimes& times);

/// The colour of a stage in the plot and the table.
ImU32 colour_of(Stage stage);

/// The label of a stage in the table. With several panes, the label says whose step it is.
const char* label_of(Stage stage, const FrameTimes& times);

/// The end of the metrics: buttons to freeze and clear them, and the times of the program's own frames,
/// folded at first. `on_gpu`: a GPU computes.
void program_timing(const FrameTimes& times, bool on_gpu, ShellEdit& edit);

}  // namespace loom::app
