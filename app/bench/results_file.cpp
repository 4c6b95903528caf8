#include "app/bench/results_file.h"

#include <algorithm>
#include <exception>
#include <utility>

#include "app/bench/merge.h"
#include "app/bench/results_csv.h"
#include "app/bench/results_json.h"
#include "app/files/output_file.h"
#include "compute/core/input_text.h"

namespace loom::app::bench {
namespace {

using Clock = std::chrono::steady_clock;
constexpr std::chrono::milliseconds kWriteInterval{500};
constexpr int kTimesTheWriting = 20;
constexpr std::uint64_t kMaxBytes = std::uint64_t{1} << 30;  ///< enough for a million configurations

std::vector<NamedResults> read_parts(const std::vector<std::string>& files) {
  std::vector<NamedResults> parts;
  for (const std::string& file : files) parts.push_back({file, read_results(file)});
  return parts;
}

}  // namespace

Results read_results(const std::filesystem::path& file, const ProgressMonitor* watch) {
  const std::string text =
      read_input(file, kMaxBytes, "a results file of fractal-loom bench", [watch] { check_cancel(watch); });
  return parse_results(text, file.string(), watch);
}

Results read_merged(const std::vector<std::string>& files) {
  return merge(read_parts(files));
}

Results read_merged_over_ranks(const std::vector<std::string>& files) {
  return merge_over_ranks(read_parts(files));
}

ResultsFile::ResultsFile(const Results& results, std::optional<std::filesystem::path> json,
                         std::optional<std::filesystem::path> csv)
    : json_(std::move(json)), csv_(std::move(csv)) {
  write(results);
}

void ResultsFile::update(const Results& results) {
  has_all_ = false;
  if (Clock::now() >= next_write_) write(results);
}

void ResultsFile::finish(const Results& results) {
  write(results);
}

void ResultsFile::write(const Results& results) {
  const auto begin = Clock::now();
  std::exception_ptr failure;
  has_all_ = false;
  try {
    if (json_) {
      for (std::string& line : entry_lines(results, lines_.size())) lines_.push_back(std::move(line));
      write_file(*json_, document_text(results, lines_));
      has_all_ = true;
    }
  } catch (...) {
    failure = std::current_exception();
  }
  try {
    if (csv_) write_file(*csv_, csv_text(results));
  } catch (...) {
    if (!failure) failure = std::current_exception();
  }
  const auto end = Clock::now();
  next_write_ = end + std::max<Clock::duration>(kWriteInterval, kTimesTheWriting * (end - begin));
  if (failure) std::rethrow_exception(failure);
}

}  // namespace loom::app::bench
