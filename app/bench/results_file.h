#pragma once

#include <chrono>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "app/bench/results.h"

namespace loom::app::bench {

/// Reads a results file. Throws InputError that names it and says what is wrong.
Results read_results(const std::filesystem::path& file, const Watch* watch = nullptr);

/// Reads several of one sweep as one. Throws InputError likewise, and as merge().
Results read_merged(const std::vector<std::string>& files);

/// Likewise, where several processes measured it: as merge_over_ranks().
Results read_merged_over_ranks(const std::vector<std::string>& files);

/// Results as they come in, on disk: the JSON file (and the CSV file, where one is wanted) is whole at any
/// time and at most a second old, or, in very long sweeps, as old as keeps writing below a twentieth of the
/// time. Without files it does nothing.
class ResultsFile {
 public:
  /// Writes the files at once, so that a wrong path shows before anything is measured. Throws as OutputFile
  /// does.
  ResultsFile(const Results& results, std::optional<std::filesystem::path> json,
              std::optional<std::filesystem::path> csv);

  /// The same results have more entries now; written where it is time. Throws as OutputFile does.
  void update(const Results& results);
  /// Writes everything. Where one file cannot be written the other is all the same.
  void finish(const Results& results);
  /// Whether the JSON file has all that was last given.
  bool has_all() const { return has_all_; }

 private:
  void write(const Results& results);

  std::optional<std::filesystem::path> json_;
  std::optional<std::filesystem::path> csv_;
  std::vector<std::string> lines_;  ///< of the entries so far
  bool has_all_ = false;
  std::chrono::steady_clock::time_point next_write_;
};

}  // namespace loom::app::bench
