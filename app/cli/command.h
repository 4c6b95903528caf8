#pragma once

#include <CLI/CLI.hpp>
#include <exception>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "compute/core/error.h"
#include "compute/distributed/process_group.h"

namespace loom::app {

/// The action of a parsed command line. Returns the exit status; may throw the errors of
/// compute/core/error.h, which `main` turns into one line and an exit status.
using Action = std::function<int()>;

/// Each function adds the description and the options of a subcommand and returns its action, which runs
/// after the parse and owns them. `command` must outlive the action.
Action add_view(CLI::App& command);
Action add_shot(CLI::App& command);
Action add_video(CLI::App& command);
Action add_life(CLI::App& command);
Action add_mandelbrot(CLI::App& command);
Action add_volume(CLI::App& command);
Action add_model(CLI::App& command);
Action add_info(CLI::App& command);
Action add_verify(CLI::App& command);
Action add_bench(CLI::App& command);
Action add_plot(CLI::App& command);
Action add_lesson(CLI::App& command);
Action add_figure(CLI::App& command);
Action add_timeline(CLI::App& command);
Action add_lens(CLI::App& command);
Action add_map(CLI::App& command);
Action add_export(CLI::App& command);
Action add_manual(CLI::App& command);

/// Stores the first error of writing files. Files are written before results are printed, so that the output
/// says which files exist; if writing fails, the results are still printed before the error is reported.
class FirstError {
 public:
  /// Runs `write` and returns whether it succeeded. Stores the first error.
  template <typename Write>
  bool try_run(const Write& write) {
    try {
      write();
      return true;
    } catch (...) {
      if (!error_) error_ = std::current_exception();
      return false;
    }
  }
  /// Rethrows the stored error, if any.
  void rethrow() const {
    if (error_) std::rethrow_exception(error_);
  }

 private:
  std::exception_ptr error_;
};

/// Runs `make` in all processes, which must all call this. Continues only if it succeeds everywhere; an error
/// in one process is thrown in all, and reported once with its rank.
template <typename Make>
auto make_on_all_ranks(const ProcessGroup& ranks, const Make& make) {
  std::optional<decltype(make())> made;
  std::string wrong;
  std::string lacks;
  try {
    made = make();
  } catch (const InputError& error) {
    wrong = error.what();
  } catch (const std::exception& error) {
    lacks = error.what();
  }
  if (wrong = ranks.first_rank_error(wrong); !wrong.empty()) throw InputError(wrong);
  if (lacks = ranks.first_rank_error(lacks); !lacks.empty()) throw MachineError(lacks);
  return *std::move(made);
}

/// Reports the failure of this process and ends all processes of the run.
[[noreturn]] void abort_all_ranks(const ProcessGroup& ranks, std::string_view what);

/// Makes OpenMP threads sleep while they wait instead of spinning for milliseconds, which leaves the cores to
/// OpenGL (Mesa renders on them) and to the system between two steps; on two cores that doubles the frame
/// rate. libgomp reads the wait policy from the environment only when it is loaded, so this function sets it
/// and re-executes the program in the same process. Does nothing if the user has set a policy.
void set_passive_omp_wait();

}  // namespace loom::app
