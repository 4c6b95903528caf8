#pragma once

#include <chrono>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "app/bench/results.h"

namespace loom::app::bench {

/// Reads a results file. Throws InputError that names it and says what is wrong.
Results read_results(const std::filesystem::path& file);

/// Results as they come in, on disk: the JSON file (and the CSV file, where one is wanted) is whole at any
/// time and at most a second old, or, in very long sweeps, as old as keeps writing below a twentieth of the
/// time. A results without a file is only kept.
class ResultsFile {
 public:
  /// Writes the file at once, so that a wrong path shows before anything is measured. Throws InputError.
  ResultsFile(Results results, std::optional<std::filesystem::path> json,
              std::optional<std::filesystem::path> csv);

  void add(Entry entry);
  void add(MandelbrotEntry entry);
  /// Writes everything, with how it ended.
  void finish(bool interrupted);
  const Results& results() const { return results_; }

 private:
  void add_line(std::string line);
  void write();

  Results results_;
  std::optional<std::filesystem::path> json_;
  std::optional<std::filesystem::path> csv_;
  std::vector<std::string> lines_;
  std::chrono::steady_clock::time_point next_write_;
};

}  // namespace loom::app::bench
