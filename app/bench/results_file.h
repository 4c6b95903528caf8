#pragma once

#include <chrono>
#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/bench/results.h"
#include "compute/engine/progress_monitor.h"

namespace loom::app::bench {

/// The format member of a results file; the number is the version.
inline constexpr std::string_view kResultsFormat = "fractal-loom bench 1";

// A million entries take seconds. All functions with `watch` throw OperationCancelled if it is cancelled.

/// The entries from number `first` on, each a JSON object on one line.
std::vector<std::string> entry_lines(const Results& results, std::size_t first = 0,
                                     const ProgressMonitor* watch = nullptr);

/// A complete document from results without entries and the lines of the entries, so that a growing document
/// is not serialised again each time.
std::string document_text(const Results& results, const std::vector<std::string>& entry_lines);
std::string document_text(const Results& results, const ProgressMonitor* watch = nullptr);

/// Reads a document. Throws InputError that names `name` and the fault: invalid JSON, not a results file,
/// another version, or a missing or wrong value.
Results parse_results(std::string_view text, std::string_view name, const ProgressMonitor* watch = nullptr);

/// Reads a results file. Throws InputError that names it and says what is wrong.
Results read_results(const std::filesystem::path& file, const ProgressMonitor* watch = nullptr);

/// Reads several files of one sweep and merges them. Throws as read_results() and merge().
Results read_merged(const std::vector<std::string>& files);

/// The same for several numbers of processes, as merge_over_ranks().
Results read_merged_over_ranks(const std::vector<std::string>& files);

/// Writes growing results to disk. The JSON file (and the CSV file, if there is one) is complete at any time
/// and at most a second old, or older in very long sweeps, so that writing takes less than a twentieth of the
/// time. Does nothing without files.
class ResultsFile {
 public:
  /// Writes the files immediately, so that a wrong path is reported before anything is measured. Throws as
  /// OutputFile does.
  ResultsFile(const Results& results, std::optional<std::filesystem::path> json,
              std::optional<std::filesystem::path> csv);

  /// Call after the results have grown; writes if it is time. Throws as OutputFile does.
  void update(const Results& results);
  /// Writes everything. If one file cannot be written, the other one still is.
  void finish(const Results& results) { write(results); }
  /// Whether the JSON file contains the results last passed.
  bool has_all() const { return has_all_; }

 private:
  void write(const Results& results);

  std::optional<std::filesystem::path> json_;
  std::optional<std::filesystem::path> csv_;
  std::vector<std::string> lines_;  ///< JSON lines of the entries written so far
  bool has_all_ = false;
  std::chrono::steady_clock::time_point next_write_;
};

/// The entries as an RFC 4180 table with a header. A value that an entry does not have is an empty field.
std::string csv_text(const Results& results);

}  // namespace loom::app::bench
