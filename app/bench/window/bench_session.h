#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "app/bench/sweep_form.h"
#include "app/bench/sweep_runner.h"
#include "app/files/last_file.h"
#include "app/plot/figure.h"
#include "app/plot/landscape_figure.h"
#include "app/plot/mandelbrot_selection.h"
#include "app/shell/worker.h"
#include "compute/workload/game_of_life.h"
#include "compute/workload/random_start.h"

namespace loom::app {

/// Where results that no file had are kept when the window ends; nothing without a state folder.
std::optional<std::filesystem::path> kept_results_file();

/// The sweep of the Bench panel: what is typed, what runs, what came out and the figure of it. It draws
/// nothing.
class BenchSession {
 public:
  /// `begin`: how the measurement of a case begins.
  explicit BenchSession(bench::SweepRunner::Begin begin = bench::begin_measurement)
      : begin_(std::move(begin)) {}

  bench::SweepForm form;
  bool hold_scene = true;  ///< while a sweep runs, no generations are played
  plot::Kind kind = plot::Kind::kSpeedup;
  bool landscape_chosen = false;  ///< instead, of the Mandelbrot set: times over g, r and B
  plot::Selection selection;      ///< of a sweep over maps
  plot::MandelbrotSelection mandelbrot_selection;

  /// Begins the sweep of the form, which must be ready, with this rule and start of life; what the last
  /// one found goes.
  void start(const LifeRule& rule, const RandomStart& start);
  /// The sweep, once there is one.
  bench::SweepRunner* runner() { return runner_ ? &*runner_ : nullptr; }
  const bench::SweepRunner* runner() const { return runner_ ? &*runner_ : nullptr; }
  bool running() const { return runner_ && runner_->status() == bench::SweepRunner::Status::kRunning; }
  /// Until its last sample has ended, a stopped sweep too.
  bool under_way() const { return runner_ && (!runner_->ended() || worker_.busy()); }
  bool holds_scene() const { return running() && hold_scene; }
  /// Whether there are entries that no file has.
  bool unsaved() const { return runner_ && runner_->done() > saved_; }
  /// That in a sentence, for whoever asks before they are lost: "The Bench panel's results (12 of 40
  /// configurations) are not saved." Empty where nothing would be lost.
  std::string unsaved_text() const;
  /// Writes such entries, and those beside them, to this file, which is kept_results_file(); what cannot be
  /// kept is not.
  void keep(LastFile& file) const;

  /// Measures for about this frame's share of time, while the window waits; what takes longer goes on beside
  /// the next frames. Every frame, whatever the sweep's status is. Throws DeviceFault.
  void advance();

  /// The kinds of figure that results of this sort have, but for the landscape.
  std::vector<plot::Kind> kinds() const;
  bool of_mandelbrot() const { return sweep_kind() == bench::SweepKind::kMandelbrot; }
  bool shows_landscape() const { return of_mandelbrot() && landscape_chosen; }

  /// The figure of the entries so far, by kind and selection, at most a fifth of a second old; null where
  /// there is none, and `figure_problem` says why, and where the landscape is shown.
  const plot::Figure* figure();
  /// Likewise, where it is shown.
  const plot::LandscapeFigure* landscape();
  const std::string& figure_problem() const { return figure_problem_; }

  /// The case that was measured at a cut of the landscape; null where there is none.
  const bench::Case* case_at(const CostCut& cut) const;

  // Both write what there is now, beside the frames, and replace a file only where `replace` says so. Throw
  // InputError where the name will not do, or another file is under way; what came of it is told by
  // take_filed().
  void save_results(const std::filesystem::path& file, bool replace);
  /// By its ending .svg, .pdf or .png.
  void save_figure(const std::filesystem::path& file, bool replace);
  /// Reads a results file beside the frames: its results take the place of those that are here. They can be
  /// gone on with where they are of this machine and of a sweep that the form can say. Throws InputError
  /// where a sweep or another file is under way.
  void open_results(const std::filesystem::path& file, const bench::AxisContext& context);
  /// Whether a file is being written or read.
  bool file_busy() const { return files_.busy(); }
  /// What became of a file, once.
  struct Filed {
    enum class What { kResults, kFigure, kOpened };
    What what = What::kResults;
    std::filesystem::path file;
    std::string problem;  ///< empty where it went well
  };
  std::optional<Filed> take_filed();
  void wait_for_file() { files_.wait(); }
  /// Why results that were opened cannot be gone on with; empty where they can, or were measured here.
  const std::string& why_not_on() const { return why_not_on_; }

 private:
  using Clock = std::chrono::steady_clock;
  using Picture = std::variant<plot::Figure, plot::LandscapeFigure>;

  /// Of the results, or of the form before there are any.
  bench::SweepKind sweep_kind() const { return runner_ ? runner_->results().kind() : form.kind; }
  plot::Selection one_subject() const;
  plot::MandelbrotSelection one_mandelbrot_subject() const;
  /// Throws InputError where the results have no such picture.
  Picture make_picture() const;
  void redraw();

  bench::SweepRunner::Begin begin_;
  std::optional<bench::Machine> machine_;  ///< inspected once
  std::optional<bench::SweepRunner> runner_;
  std::size_t saved_ = 0;
  std::optional<Picture> picture_;
  std::string figure_problem_;
  struct Drawn {
    std::size_t entries = 0;
    plot::Kind kind = plot::Kind::kTime;
    bool landscape = false;
    plot::Selection selection = {};
    plot::MandelbrotSelection mandelbrot_selection = {};
    friend bool operator==(const Drawn&, const Drawn&) = default;
  };
  std::optional<Drawn> drawn_;  ///< what the picture is of
  Clock::time_point next_figure_;
  std::string why_not_on_;
  void file(Filed::What what, const std::filesystem::path& name, std::function<void(const Watch&)> work);
  void show_read();
  std::optional<Filed> filed_;  ///< under way, or its end was not taken; the worker's while it is busy
  std::optional<bench::Results> read_;  ///< likewise
  std::size_t saving_ = 0;              ///< entries that the file under way has
  bench::AxisContext context_;          ///< of the results that are being read
  Worker files_;
  Worker worker_;  ///< measures; the last member, so that it ends before the runner does
};

}  // namespace loom::app
