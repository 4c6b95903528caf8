#include "app/files/output_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <linux/magic.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <system_error>

#include "app/files/state_folder.h"
#include "compute/core/error.h"

namespace loom::app {
namespace {

namespace fs = std::filesystem;

constexpr int kMaxLinks = 40;     // as in the kernel
constexpr int kMaxPartials = 99;  // left over from programs with the same process id
constexpr mode_t kPermissions = 07777;

/// Whether the machine has no room for the file, as opposed to an invalid name.
bool machine_lacks(int reason) {
  switch (reason) {
    case ENOSPC:
    case EDQUOT:
    case EFBIG:
    case EIO:
    case ENOMEM:
    case EMFILE:
    case ENFILE:
      return true;
    default:
      return false;
  }
}

fs::path folder_of(const fs::path& file) {
  return file.has_parent_path() ? file.parent_path() : fs::path(".");
}

bool may_write(const fs::path& file) {
  return faccessat(AT_FDCWD, file.c_str(), W_OK, AT_EACCESS) == 0;
}

std::optional<struct stat> status_of(const fs::path& file) {
  struct stat status {};
  if (stat(file.c_str(), &status) != 0) return std::nullopt;
  return status;
}

/// A link in /proc refers to an open file, whose name may be gone or belong to another file.
bool is_in_proc(const fs::path& file) {
  struct statfs system {};
  return statfs(folder_of(file).c_str(), &system) == 0 && system.f_type == PROC_SUPER_MAGIC;
}

/// Follows symbolic links of the last path component, dangling ones included; empty for a link in /proc.
std::optional<fs::path> behind_links(fs::path file) {
  std::error_code none;
  for (int i = 0; i < kMaxLinks; ++i) {
    const fs::path next = fs::read_symlink(file, none);
    if (none) return file;
    if (is_in_proc(file)) return std::nullopt;
    file = folder_of(file) / next;  // an absolute link replaces the folder
  }
  return file;
}

/// While an object exists, writing to a pipe without a reader is an error of write(), not a signal.
class NoPipeSignal {
 public:
  NoPipeSignal() {
    sigemptyset(&pipe_);
    sigaddset(&pipe_, SIGPIPE);
    pthread_sigmask(SIG_BLOCK, &pipe_, &before_);
  }
  ~NoPipeSignal() {
    const int reason = errno;
    if (sigismember(&before_, SIGPIPE) == 0) {
      constexpr timespec kNow{0, 0};
      sigtimedwait(&pipe_, nullptr, &kNow);
      pthread_sigmask(SIG_SETMASK, &before_, nullptr);
    }
    errno = reason;
  }
  NoPipeSignal(const NoPipeSignal&) = delete;
  NoPipeSignal& operator=(const NoPipeSignal&) = delete;

 private:
  sigset_t pipe_{};
  sigset_t before_{};
};

/// The file to replace, after resolving links; empty if the file is written through.
std::optional<fs::path> replaceable(const fs::path& file) {
  const auto status = status_of(file);
  if (status && S_ISDIR(status->st_mode)) {
    throw InputError(fmt::format("{}: is a folder; allowed: a file", file.string()));
  }
  if (status && S_ISBLK(status->st_mode)) {
    throw InputError(fmt::format("{}: is a disk; allowed: a file", file.string()));
  }
  if (status && !S_ISREG(status->st_mode)) return std::nullopt;
  return behind_links(file);
}

/// What is there after an error of writing, for the end of its message.
std::string state_after_error(const fs::path& file, bool writes_through) {
  if (writes_through) return {};
  return status_of(file) ? "; the previous file is unchanged" : "; no file was written";
}

[[noreturn]] void fail(const fs::path& file, const fs::path& folder, int reason, bool writes_through) {
  const std::string what = fmt::format("{}: cannot be written: {}", file.string(), std::strerror(reason));
  if (machine_lacks(reason)) throw MachineError(what + state_after_error(file, writes_through));
  std::error_code ignored;
  if (!fs::is_directory(folder, ignored)) {
    throw InputError(
        fmt::format("{}: cannot be written: folder {} does not exist; allowed: a file in an existing folder",
                    file.string(), folder.string()));
  }
  throw InputError(what + "; allowed: a writable file in a writable folder");
}

fs::path partial_name(const fs::path& target, int attempt) {
  // Independent of the target's name, which may have the maximum length.
  return folder_of(target) / fmt::format(".fractal-loom.{}.{}.partial", getpid(), attempt);
}

}  // namespace

OutputFile::OutputFile(const fs::path& file) : file_(file) {
  const auto target = replaceable(file);
  target_ = target.value_or(file);
  writes_through_ = !target;
  writes_through_ ? open_target() : open_temporary();
}

OutputFile::~OutputFile() {
  if (descriptor_ >= 0) close(descriptor_);
  if (!partial_.empty()) unlink(partial_.c_str());
}

void OutputFile::fail(int reason) const {
  app::fail(file_, folder_of(target_), reason, writes_through_);
}

void OutputFile::open_target() {
  // O_NONBLOCK, because opening a pipe without a reader would block forever.
  descriptor_ = open(file_.c_str(), O_WRONLY | O_NOCTTY | O_CLOEXEC | O_NONBLOCK);
  if (descriptor_ < 0 && errno == ENXIO) {
    throw InputError(
        fmt::format("{}: the pipe has no reader; allowed: a file, or a pipe with a reader", file_.string()));
  }
  if (descriptor_ < 0) fail(errno);
  fcntl(descriptor_, F_SETFL, fcntl(descriptor_, F_GETFL) & ~O_NONBLOCK);
}

void OutputFile::open_temporary() {
  const auto there = status_of(target_);
  if (!there && errno != ENOENT) fail(errno);
  // Replacing a file needs permission for the folder only, but a write-protected file is meant to stay.
  if (there && !may_write(target_)) fail(errno);
  // A file without a name disappears however the program ends. Not every file system supports this.
  descriptor_ = open(folder_of(target_).c_str(), O_TMPFILE | O_WRONLY | O_CLOEXEC, 0666);
  const int reason = errno;
  const bool unknown = reason == EOPNOTSUPP || reason == EISDIR || reason == EINVAL || reason == ENOENT;
  if (descriptor_ < 0 && !unknown) fail(reason);
  for (int i = 0; descriptor_ < 0; ++i) {
    partial_ = partial_name(target_, i);
    descriptor_ = open(partial_.c_str(), O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0666);
    if (descriptor_ >= 0) break;
    const int why = errno;
    partial_.clear();
    if (why != EEXIST || i == kMaxPartials) fail(why);
  }
}

void OutputFile::write(std::string_view bytes) {
  const NoPipeSignal no_signal;
  while (!bytes.empty()) {
    const ssize_t count = ::write(descriptor_, bytes.data(), bytes.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) fail(errno);
    bytes.remove_prefix(static_cast<std::size_t>(count));
  }
}

void OutputFile::copy_permissions() {
  const auto there = status_of(target_);
  if (!there) return;
  // If the owner cannot be kept, the file becomes ours, as in any editor that saves this way.
  if (fchown(descriptor_, there->st_uid, there->st_gid) != 0) errno = 0;
  if (fchmod(descriptor_, there->st_mode & kPermissions) != 0) fail(errno);
}

void OutputFile::name_temporary() {
  const std::string opened = fmt::format("/proc/self/fd/{}", descriptor_);
  for (int i = 0; partial_.empty(); ++i) {
    fs::path name = partial_name(target_, i);
    if (linkat(AT_FDCWD, opened.c_str(), AT_FDCWD, name.c_str(), AT_SYMLINK_FOLLOW) == 0) {
      partial_ = std::move(name);  // moved: a copy that fails would leave the file behind
    } else if (errno != EEXIST || i == kMaxPartials) {
      fail(errno);
    }
  }
}

void OutputFile::finish() {
  if (std::exchange(finished_, true)) return;
  if (!writes_through_) {
    copy_permissions();
    if (fsync(descriptor_) != 0) fail(errno);
    name_temporary();
  }
  // Some file systems report a full disk only on closing.
  const int closed = close(descriptor_);
  descriptor_ = -1;
  if (closed != 0) fail(errno);
}

void OutputFile::commit() {
  finish();
  if (writes_through_) return;
  if (std::rename(partial_.c_str(), target_.c_str()) != 0) fail(errno);
  partial_.clear();
}

void write_file(const fs::path& file, std::string_view bytes, const ProgressMonitor* watch) {
  constexpr std::size_t kPart = std::size_t{1} << 24;
  OutputFile out(file);
  for (std::size_t at = 0; at < bytes.size(); at += kPart) {
    check_cancel(watch);
    out.write(bytes.substr(at, kPart));
  }
  check_cancel(watch);
  out.commit();
}

void write_files(const std::vector<std::pair<fs::path, std::string>>& files) {
  std::deque<OutputFile> outputs;
  for (const auto& [file, bytes] : files) {
    outputs.emplace_back(file).write(bytes);
    outputs.back().finish();
  }
  for (OutputFile& out : outputs) out.commit();
}

void check_can_be_written(std::string_view option, const fs::path& file) {
  try {
    // A file that is written through is not opened, because a pipe's reader would see its end.
    if (replaceable(file)) {
      const OutputFile nothing(file);
    } else if (!may_write(file)) {
      fail(file, folder_of(file), errno, true);
    }
  } catch (const InputError& error) {
    throw InputError(fmt::format("{} {}", option, error.what()));
  } catch (const MachineError& error) {
    throw MachineError(fmt::format("{} {}", option, error.what()));
  }
}

void check_may_replace(const fs::path& file, bool replace, std::string_view remedy) {
  const auto status = status_of(file);
  if (status && S_ISDIR(status->st_mode)) {
    throw InputError(fmt::format("{}: is a folder; allowed: a file", file.string()));
  }
  if (status && S_ISREG(status->st_mode) && !replace) {
    if (remedy.empty()) throw InputError(file.string() + ": already exists. Replace it?");
    throw InputError(fmt::format("{}: already exists and is not overwritten; allowed: another file, or {}",
                                 file.string(), remedy));
  }
}

void check_different_files(std::initializer_list<std::pair<std::string_view, fs::path>> outputs) {
  struct Known {
    std::string_view option;
    fs::path file;
    std::optional<struct stat> status;
  };
  std::vector<Known> known;
  for (const auto& [option, file] : outputs) {
    if (file.empty()) continue;
    const fs::path target = behind_links(file).value_or(file);
    std::error_code none;
    fs::path folder = fs::canonical(folder_of(target), none);
    if (none) folder = folder_of(target);
    Known now{option, folder / target.filename(), status_of(file)};
    for (const Known& other : known) {
      const bool both = now.status && other.status;
      // A device or a pipe accepts several outputs in sequence.
      if (both && !S_ISREG(now.status->st_mode)) continue;
      const bool same =
          both ? now.status->st_dev == other.status->st_dev && now.status->st_ino == other.status->st_ino
               : now.file == other.file;
      if (!same) continue;
      throw InputError(fmt::format("{} and {} name the same file; allowed: two files", other.option, option));
    }
    known.push_back(std::move(now));
  }
}

std::string plain_file_name(std::string_view text) {
  constexpr std::string_view kPunctuation = "._-";
  const auto is_plain = [&](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           kPunctuation.find(c) != std::string_view::npos;
  };
  std::string name;
  bool left_out = false;
  for (const char c : text) {
    if (!is_plain(c)) {
      left_out = true;
      continue;
    }
    if (name.empty() && (c == '.' || c == '-')) continue;
    if (std::exchange(left_out, false) && !name.empty()) name += '-';
    name += c;
    if (name.size() >= kMaxPlainName) break;
  }
  return name.empty() ? "unnamed" : name;
}

std::string new_file_name(std::string_view stem, std::string_view extension) {
  constexpr int kMost = 100000;
  std::string name = std::string(stem) + std::string(extension);
  std::error_code ignored;
  for (int i = 2; i < kMost && std::filesystem::exists(std::filesystem::symlink_status(name, ignored)); ++i)
    name = std::string(stem) + "-" + std::to_string(i) + std::string(extension);
  return name;
}

std::filesystem::path typed_path(const std::filesystem::path& folder, const std::string& text) {
  const char* const home = std::getenv("HOME");
  if (home != nullptr && (text == "~" || text.starts_with("~/"))) {
    return (std::filesystem::path(home) / text.substr(std::min<std::size_t>(2, text.size())))
        .lexically_normal();
  }
  return (folder / text).lexically_normal();
}

std::filesystem::path typed_path(const std::string& text) {
  return typed_path(dialog_folder(), text);
}

std::string one_line(std::string_view text, std::size_t most) {
  std::string line(text);
  if (text.size() > most) {
    std::size_t end = most - 3;
    while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) --end;  // within a character
    line = std::string(text.substr(0, end)) + "...";
  }
  for (std::size_t i = 0; i < line.size(); ++i) {
    const auto byte = static_cast<unsigned char>(line[i]);
    // U+0080 to U+009F are C2 80 to C2 9F.
    if (byte == 0xC2 && i + 1 < line.size() && static_cast<unsigned char>(line[i + 1]) < 0xA0)
      line[i] = line[i + 1] = ' ';
    if (byte < 0x20 || byte == 0x7F) line[i] = ' ';
  }
  return line;
}

std::string csv_cell(std::string_view text) {
  std::string cell = one_line(text);
  const std::string_view begun =
      std::string_view(cell).substr(std::min(cell.find_first_not_of(' '), cell.size()));
  if (begun.size() > 1 && std::string_view("=+-@").find(begun.front()) != std::string_view::npos) {
    double number = 0;
    const auto [end, error] =
        std::from_chars(begun.data() + (begun.front() == '+' ? 1 : 0), begun.data() + begun.size(), number);
    if (error == std::errc::invalid_argument || end != begun.data() + begun.size()) cell.insert(0, 1, '\'');
  }
  if (cell.find_first_of(",;\"") == std::string::npos) return cell;
  std::string quoted = "\"";
  for (const char c : cell) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + '"';
}

}  // namespace loom::app
