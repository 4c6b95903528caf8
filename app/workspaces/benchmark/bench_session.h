#pragma once

#include <chrono>
#include <filesystem>
#include <glm/vec2.hpp>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/bench/plan.h"
#include "app/bench/sweep.h"
#include "app/bench/sweep_runner.h"
#include "app/files/state_folder.h"
#include "app/gui/layout.h"
#include "app/plot/figure.h"
#include "app/tasks/task.h"
#include "compute/workload/game_of_life.h"
#include "compute/workload/random_start.h"

namespace loom::app {

/// The file for unsaved results when the window ends; empty without a state folder.
std::optional<std::filesystem::path> unsaved_results_file();

/// The sweep of the Benchmark workspace: form, runner, results and plot. It draws nothing.
class BenchSession {
 public:
  /// `begin` creates the measurement of a case.
  explicit BenchSession(bench::SweepRunner::Begin begin = bench::SweepRunner::begin_alone)
      : begin_(std::move(begin)) {}

  bench::SweepForm form;
  plot::Quantity kind = plot::Quantity::kSpeedup;
  bool landscape_chosen = false;  ///< show the landscape (Mandelbrot): times over g, r and B
  plot::Selection selection{.best = true};

  /// Starts the sweep of the form, which must be ready, with this rule and start. Drops previous results.
  void start(const LifeRule& rule, const RandomStart& start);
  /// The runner; null before the first sweep.
  bench::SweepRunner* runner() { return runner_ ? &*runner_ : nullptr; }
  const bench::SweepRunner* runner() const { return runner_ ? &*runner_ : nullptr; }
  bool running() const { return runner_ && runner_->status() == bench::SweepRunner::Status::kRunning; }
  /// True until the last sample has ended, also for a stopped sweep.
  bool is_active() const { return runner_ && (!runner_->ended() || worker_.busy()); }
  /// Whether there are unsaved entries.
  bool unsaved() const { return runner_ && runner_->done() > saved_; }
  /// A sentence for a question before they are lost: "The benchmark results (12 of 40 configurations) are
  /// not saved." Empty if nothing would be lost.
  std::string unsaved_text() const;
  /// Writes unsaved results to this file, which is unsaved_results_file(). Returns why it failed; empty on
  /// success.
  std::string save(SessionFile& file) const;

  /// Measures for about this frame's time slice while the window waits; longer work continues in the
  /// background. Call in every frame, whatever the status. Throws DeviceFault.
  void advance();

  /// The kinds of plot of these results, without the landscape.
  std::vector<plot::Quantity> kinds() const;
  bool of_mandelbrot() const { return sweep_kind() == bench::SweepKind::kMandelbrot; }
  bool shows_landscape() const { return of_mandelbrot() && landscape_chosen; }

  /// Options of which the plot shows one value, with the values of these results.
  std::vector<std::pair<plot::Filter, std::vector<std::string>>> subject_options() const;

  /// The plot of the entries so far, at most a fifth of a second old. Null if there is none, with the reason
  /// in `figure_problem`.
  const plot::Figure* figure();
  const std::string& figure_problem() const { return figure_problem_; }
  /// The last of figure(), which never changes; null if there is none.
  std::shared_ptr<const plot::Figure> picture() const { return picture_; }

  /// The case measured at this g, r and B of the landscape; null if there is none.
  const bench::Case* case_at(const CostCut& cut) const;

  // Save the current results or plot in the background. An existing file is replaced only if `replace`. Throw
  // InputError if the name is invalid or another file operation is running; take_file_result() returns the
  // outcome.
  void save_results(const std::filesystem::path& file, bool replace);
  /// The format follows the ending: .svg, .pdf or .png.
  void save_figure(const std::filesystem::path& file, bool replace);
  /// Reads a results file in the background; its results replace the current ones. The sweep can be continued
  /// if it was measured on this machine and the form can express it. Throws InputError if a sweep or another
  /// file operation is running.
  void open_results(const std::filesystem::path& file, const bench::AxisContext& context);
  /// Reads a results file in the background, over whose times the speedups of the current results then are.
  /// Throws InputError as open_results().
  void open_baseline(const std::filesystem::path& name) { read(FileResult::What::kBaseline, name); }
  /// Speedups are over the bounding box again.
  void close_baseline() { baseline_.reset(); }
  /// The name of that file; empty without one.
  std::string baseline_name() const { return baseline_ ? baseline_->name : std::string(); }
  /// Whether a file is being written or read.
  bool file_busy() const { return file_task_.running(); }
  /// The outcome of a file operation; take_file_result() returns it once.
  struct FileResult {
    enum class What { kResults, kFigure, kOpened, kBaseline };
    What what = What::kResults;
    std::filesystem::path file;
    std::string problem;  ///< empty on success
  };
  /// Waits at most `timeout` for it.
  std::optional<FileResult> take_file_result(TaskTimeout timeout = {});
  /// Why opened results cannot be continued; empty if they can, or were measured here.
  const std::string& cannot_continue_reason() const { return cannot_continue_reason_; }

 private:
  using Clock = std::chrono::steady_clock;

  /// The kind of the results, or of the form before there are any.
  bench::SweepKind sweep_kind() const { return runner_ ? runner_->results().kind : form.kind; }
  /// Selects another kind of plot where the results cannot have the current one.
  void select_kind();
  /// The selection with one value of each of subject_options().
  plot::Selection one_subject() const;
  /// Throws InputError if the results have no such plot.
  plot::Figure make_picture() const;

  bench::SweepRunner::Begin begin_;
  std::optional<bench::Machine> machine_;  ///< cached
  std::optional<bench::SweepRunner> runner_;
  std::size_t saved_ = 0;
  std::optional<plot::Baseline> baseline_;
  std::shared_ptr<const plot::Figure> picture_;
  std::string figure_problem_;
  struct Drawn {
    std::size_t entries = 0;
    plot::Quantity kind = plot::Quantity::kTime;
    bool landscape = false;
    std::string baseline = {};
    plot::Selection selection = {};
    friend bool operator==(const Drawn&, const Drawn&) = default;
  };
  std::optional<Drawn> drawn_;  ///< what the plot was made from
  Clock::time_point next_figure_;
  std::string cannot_continue_reason_;
  void file(FileResult::What what, const std::filesystem::path& name,
            Task<std::optional<bench::Results>>::Job work);
  void show(bench::Results results);
  void read(FileResult::What what, const std::filesystem::path& name);
  std::optional<FileResult> file_result_;          ///< running or not taken yet
  std::size_t saving_ = 0;                         ///< number of entries in the file being written
  bench::AxisContext context_;                     ///< context of the results being read
  Task<std::optional<bench::Results>> file_task_;  ///< returns results that were opened
  Worker worker_;                                  ///< last member: must end before the runner
};

/// The scene around which a sweep is suggested.
struct BenchScene {
  const FractalConfig& config;
  LifeRule rule = {};
  RandomStart start = {};
  BackendChoice backend = BackendChoice::kAuto;
  int device = 0;                              ///< CUDA ordinal
  const NbbFractal* custom_fractal = nullptr;  ///< a custom fractal; null if there is none
};

/// A typed file name and the outcome of saving to it.
struct SaveField {
  std::string file;
  std::string saved;    ///< success message
  std::string problem;  ///< reason of a failure
  bool there_already = false;
};

/// State of the panel between frames, besides the session.
struct BenchPanelState {
  bool loaded = false;                 ///< the form was initialised
  std::optional<double> seconds = {};  ///< estimated duration of the sweep of the form
  std::string left_out = {};           ///< its configurations that cannot run, and why
  SaveField opened;
  SaveField compared;
  SaveField results;
  SaveField figure;
  // Areas of the controls in window units, for tests; empty while not shown.
  std::map<std::string, Area, std::less<>> areas = {};
  std::optional<glm::vec2> last_point = {};
};

/// The plot of the results so far, and the choice of its content. Returns the configuration of a clicked
/// point, null if there is none.
const bench::Case* bench_figure(BenchPanelState& state, BenchSession& session);

/// Copies the outcome of finished file operations into their fields.
void take_file_result(BenchPanelState& state, BenchSession& session);

/// Suggests the file of unsaved_results_file() for opening, if it exists.
void offer_unsaved_results(BenchPanelState& state);

/// The rows for opening a results file, and another to compare it with.
void open_rows(BenchPanelState& state, BenchSession& session, const BenchScene& scene);

/// The rows for saving results and plot.
void save_rows(BenchPanelState& state, BenchSession& session);

/// Fills the form with a preset, or with the sweep around the scene if the name is empty.
void load_sweep(BenchPanelState& state, BenchSession& session, const std::string& preset,
                const BenchScene& scene);

/// Reads the form after a change of its texts or its time limit.
void check_form(BenchPanelState& state, BenchSession& session, const BenchScene& scene);

/// Starts the sweep of the form, which must be ready, and suggests names for its files.
void start_sweep(BenchPanelState& state, BenchSession& session, const BenchScene& scene);

/// Draws the controls of a sweep: start and stop, progress, axes, files. The caller clears `state.areas` in
/// each frame.
void bench_panel(BenchPanelState& state, BenchSession& session, const BenchScene& scene);

}  // namespace loom::app
