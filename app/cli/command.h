#pragma once

#include <CLI/CLI.hpp>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <filesystem>
#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "compute/core/error.h"
#include "compute/device/device.h"
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

/// Exit statuses besides 0, and 1 for a check that failed.
inline constexpr int kBadInput = 2;
inline constexpr int kMachineLacks = 3;

/// A plain text table with columns as wide as their longest entry and two spaces between them.
class TextTable {
 public:
  /// The header is not printed if all its entries are empty. Columns from `first_right` on (counted from 0)
  /// are right-aligned, for numbers.
  explicit TextTable(std::vector<std::string> header, std::size_t first_right = static_cast<std::size_t>(-1));
  /// Adds a row with one entry per column; control characters become blanks.
  void add(std::vector<std::string> row);
  bool empty() const { return rows_.size() == 1; }
  std::string text() const;

 private:
  std::vector<std::vector<std::string>> rows_;  ///< header first
  std::size_t first_right_;
};

/// The device in an engine's backend name: "NVIDIA H200" of "cuda: NVIDIA H200".
inline std::string device_text(std::string_view backend_name) {
  const auto colon = backend_name.find(": ");
  return std::string(colon == std::string_view::npos ? backend_name : backend_name.substr(colon + 2));
}

/// The JSON of a value that means something only if `applies`, otherwise null.
inline nlohmann::ordered_json json_if(bool applies, nlohmann::ordered_json value) {
  return applies ? std::move(value) : nlohmann::ordered_json();
}
template <typename Value>
nlohmann::ordered_json json_or_null(const std::optional<Value>& value) {
  return value ? nlohmann::ordered_json(*value) : nlohmann::ordered_json();
}

/// Adds the backend, its devices and the number of processes of a run to its JSON.
template <typename Run>
void add_devices(nlohmann::ordered_json& json, const Run& run) {
  json["backend"] = name_of(run.backend.device.kind);
  json["backend_reason"] = run.backend.reason;
  json["device"] = run.device;
  json["devices"] = json_if(!run.devices.empty(), run.devices);
  json["ranks"] = run.ranks;
}

/// A progress line on standard error that overwrites itself; silent if that is not a terminal. It is updated
/// at most ten times per second and erased at the end.
class ProgressLine {
 public:
  ProgressLine();
  ~ProgressLine();
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;
  void show(std::string_view text);

 private:
  bool on_terminal_;
  std::size_t shown_ = 0;
  std::chrono::steady_clock::time_point next_;
};

/// Writes a NumPy array of uint32, little-endian, C order (format version 1.0), with these extents. `read`
/// fills complete rows, along the last axis, from the given one on and is called with a few rows at a time.
/// Throws as OutputFile does.
void write_npy(const std::filesystem::path& file, std::span<const std::uint32_t> shape,
               const std::function<void(std::uint32_t first_row, std::span<std::uint32_t> rows)>& read);

/// Opens closed standard streams so that they reject access; otherwise the next opened file would get their
/// descriptor and receive their data. Call first in main.
void guard_standard_streams();

/// Writes to standard error; errors are ignored.
void print_error(std::string_view text);

/// Tells the user on standard error what was done in another way than asked; nothing if `note` is empty.
void print_note(std::string_view note);

/// Throws MachineError with the system's reason if printed output was lost.
void flush_standard_output();
/// Does the same for the current exception if lost output caused it; otherwise nothing.
void throw_if_output_failed();

/// Writes files, whose names are relative to `folder`, and creates the folders that they need: all of them or
/// none. Throws InputError and MachineError that name the option.
void write_tree(std::string_view option, const std::filesystem::path& folder,
                const std::vector<std::pair<std::filesystem::path, std::string>>& files);

}  // namespace loom::app
