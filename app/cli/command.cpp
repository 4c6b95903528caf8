#include "app/cli/command.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iostream>
#include <system_error>
#include <utility>

#include "app/files/output_file.h"
#include "compute/core/error.h"

namespace loom::app {

void abort_all_ranks(const ProcessGroup& ranks, std::string_view what) {
  print_error(fmt::format("fractal-loom: rank {} of {}: {}\n", ranks.rank(), ranks.count(), what));
  ranks.abort(3);
  std::abort();
}

void set_passive_omp_wait() {
  constexpr const char* kPolicy = "OMP_WAIT_POLICY";
  if (std::getenv(kPolicy) != nullptr || std::getenv("GOMP_SPINCOUNT") != nullptr) return;
  std::vector<std::string> words;
  std::ifstream command_line("/proc/self/cmdline", std::ios::binary);
  for (std::string word; std::getline(command_line, word, '\0');) words.push_back(word);
  if (words.empty()) return;
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  std::error_code unreadable;
  const std::filesystem::path program = std::filesystem::read_symlink("/proc/self/exe", unreadable);
  if (unreadable) return;
  setenv(kPolicy, "passive", 0);
  execv(program.c_str(), arguments.data());
  // If execv() fails, the program continues, only slower.
}

TextTable::TextTable(std::vector<std::string> header, std::size_t first_right)
    : rows_{std::move(header)}, first_right_(first_right) {}

void TextTable::add(std::vector<std::string> row) {
  row.resize(rows_.front().size());
  for (std::string& entry : row) entry = one_line(entry);
  rows_.push_back(std::move(row));
}

std::string TextTable::text() const {
  std::vector<std::size_t> widths(rows_.front().size(), 0);
  for (const auto& row : rows_) {
    for (std::size_t column = 0; column < row.size(); ++column) {
      widths[column] = std::max(widths[column], row[column].size());
    }
  }
  const auto& header = rows_.front();
  const bool has_header =
      std::any_of(header.begin(), header.end(), [](const auto& entry) { return !entry.empty(); });
  std::string text;
  for (auto row = rows_.begin() + (has_header ? 0 : 1); row != rows_.end(); ++row) {
    std::string line;
    for (std::size_t column = 0; column < row->size(); ++column) {
      const std::string& entry = (*row)[column];
      if (column > 0) line += "  ";
      line += column >= first_right_ ? fmt::format("{:>{}}", entry, widths[column])
                                     : fmt::format("{:<{}}", entry, widths[column]);
    }
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + '\n';
  }
  return text;
}

namespace {

/// Narrower than any common terminal: a wrapped line could not be overwritten.
constexpr std::size_t kMaxColumns = 79;

}  // namespace

ProgressLine::ProgressLine()
    : on_terminal_(isatty(STDERR_FILENO) != 0), next_(std::chrono::steady_clock::now()) {}

ProgressLine::~ProgressLine() {
  if (shown_ > 0) print_error(fmt::format("\r{:{}}\r", "", shown_));
}

void ProgressLine::show(std::string_view text) {
  const auto now = std::chrono::steady_clock::now();
  if (!on_terminal_ || now < next_) return;
  next_ = now + std::chrono::milliseconds(100);
  text = text.substr(0, kMaxColumns);
  print_error(fmt::format("\r{:<{}}", text, shown_));
  shown_ = std::max(shown_, text.size());
}

namespace {

/// The stream does not store the reason of its failure, and its buffer is lost: another write fails with the
/// same reason.
[[noreturn]] void fail() {
  const int reason = write(STDOUT_FILENO, "\n", 1) < 0 ? errno : EIO;
  throw MachineError(fmt::format("standard output could not be written: {}", std::strerror(reason)));
}

}  // namespace

void write_npy(const std::filesystem::path& file, std::span<const std::uint32_t> shape,
               const std::function<void(std::uint32_t first_row, std::span<std::uint32_t> rows)>& read) {
  static_assert(std::endian::native == std::endian::little, "rows are written as they lie in memory");
  constexpr std::uint32_t kValuesAtATime = 1 << 22;
  constexpr std::size_t kBeforeText =
      10;  // magic, version and length; the data begins at a multiple of 64 bytes
  std::string text =
      fmt::format("{{'descr': '<u4', 'fortran_order': False, 'shape': ({}), }}", fmt::join(shape, ", "));
  while ((kBeforeText + text.size() + 1) % 64 != 0) text += ' ';
  text += '\n';
  std::string header("\x93NUMPY\x01\x00", 8);
  header += static_cast<char>(text.size() % 256);
  header += static_cast<char>(text.size() / 256);
  OutputFile out(file);
  out.write(header + text);
  const std::uint32_t width = shape.back();
  std::uint32_t height = 1;
  for (const std::uint32_t extent : shape.first(shape.size() - 1)) height *= extent;
  const std::uint32_t rows_at_a_time = std::clamp(kValuesAtATime / width, 1u, height);
  std::vector<std::uint32_t> values(std::size_t{rows_at_a_time} * width);
  for (std::uint32_t y = 0; y < height; y += rows_at_a_time) {
    const std::size_t count = std::size_t{std::min(rows_at_a_time, height - y)} * width;
    read(y, std::span(values).first(count));
    out.write({reinterpret_cast<const char*>(values.data()), count * sizeof(std::uint32_t)});
  }
  out.commit();
}

void guard_standard_streams() {
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (fcntl(stream, F_GETFD) != -1) continue;
    // open() returns the lowest free descriptor, which is this one. Opened for the opposite direction, so
    // that every use fails.
    open("/dev/null", stream == STDIN_FILENO ? O_WRONLY : O_RDONLY);
  }
}

void print_error(std::string_view text) {
  std::fwrite(text.data(), 1, text.size(), stderr);
  std::fflush(stderr);
}

void print_note(std::string_view note) {
  if (!note.empty()) print_error(fmt::format("fractal-loom: {}\n", one_line(note)));
}

void flush_standard_output() {
  std::cout.flush();
  if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0 || !std::cout) fail();
}

void throw_if_output_failed() {
  if (std::ferror(stdout) != 0) fail();
}

namespace {

/// The folders that a command creates; without keep(), they are removed at the end.
class CreatedFolders {
 public:
  explicit CreatedFolders(std::string_view option) : option_(option) {}
  CreatedFolders(const CreatedFolders&) = delete;
  CreatedFolders& operator=(const CreatedFolders&) = delete;
  ~CreatedFolders() {
    std::error_code ignored;
    for (; !folders_.empty(); folders_.pop_back()) std::filesystem::remove(folders_.back(), ignored);
  }

  /// Creates a folder if it does not exist. Its parent folder must exist.
  void create(const std::filesystem::path& folder) {
    std::error_code failure;
    if (std::filesystem::create_directory(folder, failure)) folders_.push_back(folder);
    if (std::filesystem::is_directory(folder)) return;
    if (failure == std::errc::no_space_on_device || failure == std::errc::io_error)
      throw MachineError(fmt::format("{} {}: cannot be created: {}; no file was written", option_,
                                     folder.string(), failure.message()));
    throw InputError(fmt::format(
        "{} {}: cannot be created; allowed: a folder, or a new one in an existing writable folder", option_,
        folder.string()));
  }
  void keep() { folders_.clear(); }

 private:
  std::string_view option_;
  std::vector<std::filesystem::path> folders_;
};

}  // namespace

void write_tree(std::string_view option, const std::filesystem::path& folder,
                const std::vector<std::pair<std::filesystem::path, std::string>>& files) {
  CreatedFolders created(option);
  created.create(folder);
  std::vector<std::pair<std::filesystem::path, std::string>> placed;
  for (const auto& [file, text] : files) {
    std::filesystem::path parent = folder;
    for (const auto& part : file.parent_path()) created.create(parent /= part);
    placed.emplace_back(folder / file, text);
  }
  write_files(placed);
  created.keep();
}

}  // namespace loom::app
