#pragma once

#include <chrono>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "app/bench/results.h"

namespace loom::app::bench {

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
  void finish(const Results& results);
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
