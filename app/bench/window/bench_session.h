#pragma once

#include <chrono>
#include <filesystem>
#include <optional>
#include <string>

#include "app/bench/sweep_form.h"
#include "app/bench/sweep_runner.h"
#include "app/plot/figure.h"
#include "compute/workload/game_of_life.h"
#include "compute/workload/random_start.h"

namespace loom::app {

/// The sweep of the Bench panel: what is typed, what runs, what came out and the figure of it. It draws
/// nothing.
class BenchSession {
 public:
  bench::SweepForm form;
  bool hold_scene = true;  ///< while a sweep runs, no generations are played
  plot::Kind kind = plot::Kind::kSpeedup;
  plot::Selection selection;

  /// Begins the sweep of the form, which must be ready, with this rule and start of life; what the last
  /// one found goes.
  void start(const LifeRule& rule, const RandomStart& start);
  /// The sweep, once there is one.
  bench::SweepRunner* runner() { return runner_ ? &*runner_ : nullptr; }
  const bench::SweepRunner* runner() const { return runner_ ? &*runner_ : nullptr; }
  bool running() const { return runner_ && runner_->status() == bench::SweepRunner::Status::kRunning; }
  bool under_way() const { return runner_ && !runner_->ended(); }
  bool holds_scene() const { return running() && hold_scene; }
  /// Whether there are entries that no file has.
  bool unsaved() const { return runner_ && runner_->done() > saved_; }

  /// Measures for about this frame's share of time. Throws DeviceFault.
  void advance();

  /// The figure of the entries so far, by kind and selection, at most a fifth of a second old; null where
  /// there is none, and `figure_problem` says why.
  const plot::Figure* figure();
  const std::string& figure_problem() const { return figure_problem_; }

  // Both write what there is now, and replace a file only where `replace` says so. Throw InputError.
  void save_results(const std::filesystem::path& file, bool replace);
  /// By its ending .svg, .pdf or .png.
  void save_figure(const std::filesystem::path& file, bool replace);

 private:
  using Clock = std::chrono::steady_clock;
  plot::Selection one_subject() const;

  std::optional<bench::Machine> machine_;  ///< inspected once
  std::optional<bench::SweepRunner> runner_;
  std::size_t saved_ = 0;
  std::optional<plot::Figure> figure_;
  std::string figure_problem_;
  struct Drawn {
    std::size_t entries = 0;
    plot::Kind kind = plot::Kind::kTime;
    plot::Selection selection = {};
    friend bool operator==(const Drawn&, const Drawn&) = default;
  };
  std::optional<Drawn> drawn_;  ///< what the figure is of
  Clock::time_point next_figure_;
};

}  // namespace loom::app
