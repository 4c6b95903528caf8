#include "app/bench/results_file.h"

#include <algorithm>
#include <utility>

#include "app/bench/file_text.h"
#include "app/bench/results_csv.h"
#include "app/bench/results_json.h"

namespace loom::app::bench {
namespace {

using Clock = std::chrono::steady_clock;
constexpr std::chrono::milliseconds kWriteInterval{500};
constexpr int kTimesTheWriting = 20;

}  // namespace

Results read_results(const std::filesystem::path& file) {
  return parse_results(read_file(file), file.string());
}

ResultsFile::ResultsFile(Results results, std::optional<std::filesystem::path> json,
                         std::optional<std::filesystem::path> csv)
    : results_(std::move(results)), json_(std::move(json)), csv_(std::move(csv)) {
  for (const Entry& entry : results_.entries) lines_.push_back(entry_text(entry));
  for (const MandelbrotEntry& entry : results_.dwells) lines_.push_back(entry_text(entry));
  write();
}

void ResultsFile::add(Entry entry) {
  std::string line = entry_text(entry);
  results_.entries.push_back(std::move(entry));
  add_line(std::move(line));
}

void ResultsFile::add(MandelbrotEntry entry) {
  std::string line = entry_text(entry);
  results_.dwells.push_back(std::move(entry));
  add_line(std::move(line));
}

void ResultsFile::add_line(std::string line) {
  lines_.push_back(std::move(line));
  if (Clock::now() >= next_write_) write();
}

void ResultsFile::finish(bool interrupted) {
  results_.interrupted = interrupted;
  results_.complete = results_.size() == results_.planned;
  write();
}

void ResultsFile::write() {
  const auto begin = Clock::now();
  if (json_) replace_file(*json_, document_text(results_, lines_));
  if (csv_) replace_file(*csv_, csv_text(results_));
  const auto end = Clock::now();
  next_write_ = end + std::max<Clock::duration>(kWriteInterval, kTimesTheWriting * (end - begin));
}

}  // namespace loom::app::bench
