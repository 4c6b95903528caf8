#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "app/document/video/video.h"
#include "app/files/output_file.h"
#include "compute/core/error.h"
#include "compute/engine/progress_monitor.h"

extern char** environ;

namespace loom::app::video {
namespace {

/// Owns a file descriptor and closes it.
class FileDescriptor {
 public:
  FileDescriptor() = default;
  explicit FileDescriptor(int number) : number_(number) {}
  ~FileDescriptor() { reset(); }
  FileDescriptor(const FileDescriptor&) = delete;
  FileDescriptor& operator=(const FileDescriptor&) = delete;
  FileDescriptor(FileDescriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  FileDescriptor& operator=(FileDescriptor&& other) noexcept {
    std::swap(number_, other.number_);
    return *this;
  }
  int number() const { return number_; }
  void reset() {
    if (number_ >= 0) close(number_);
    number_ = -1;
  }

 private:
  int number_ = -1;
};

/// A child process that receives bytes through its standard input. It has its own process group, so Ctrl-C in
/// the terminal does not reach it. Every call that waits checks the watch (which may be null) and throws
/// OperationCancelled. Its standard error is read during waits, and the last kKeptMessages bytes are kept.
class ChildProcess {
 public:
  static constexpr std::size_t kKeptMessages = 4096;

  /// The descriptor number of the output file in the child.
  static constexpr int kOutput = 3;

  /// `words` are the arguments, starting with the program's name. `output` is an open descriptor, which the
  /// child receives as kOutput. Throws MachineError if the program cannot be run.
  ChildProcess(const std::filesystem::path& program, std::vector<std::string> words, int output);
  /// Calls end().
  ~ChildProcess();
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;

  /// Returns true if the child read all bytes, false if it stopped reading.
  bool write(std::span<const std::uint8_t> bytes, const ProgressMonitor* watch);
  void close_input() { input_.reset(); }
  /// Waits until the child has exited, at most for `timeout`, and returns its status as from waitpid(); empty
  /// if it is still running.
  std::optional<int> wait(const ProgressMonitor* watch,
                          std::optional<std::chrono::milliseconds> timeout = {});
  /// Sends SIGTERM to the process group and, half a second later, SIGKILL.
  void end();
  const std::string& messages() const { return messages_; }

 private:
  bool wait_until_ended(std::chrono::milliseconds timeout);
  void look(bool for_room);
  void read_messages();
  bool has_ended() const;
  int collect();

  FileDescriptor input_;
  FileDescriptor errors_;
  std::string messages_;
  pid_t child_ = -1;  ///< also its group id; -1 after its status was collected
};

using Clock = std::chrono::steady_clock;

/// Longest time between two checks of the watch, in milliseconds.
constexpr int kBetweenLooks = 20;
/// Time from SIGTERM to SIGKILL, and from SIGKILL until waiting stops because the kernel did not end the
/// process.
constexpr std::chrono::milliseconds kUntilKilled{500};
constexpr std::chrono::milliseconds kUntilGivenUp{500};
/// Capacity of a pipe in bytes.
constexpr std::size_t kPipe = 65536;

[[noreturn]] void cannot_run(const std::filesystem::path& program, int reason) {
  throw MachineError(fmt::format("{} cannot be run: {}", program.string(), std::strerror(reason)));
}

void check(const ProgressMonitor* watch) {
  if (watch != nullptr && watch->cancelled()) throw OperationCancelled();
}

ChildProcess::ChildProcess(const std::filesystem::path& program, std::vector<std::string> words, int output) {
  // A socket instead of a pipe: writing after the child has exited returns an error and raises no signal.
  std::array<int, 2> ends{};
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0) cannot_run(program, errno);
  input_ = FileDescriptor(ends[0]);
  const FileDescriptor read_by_child(ends[1]);
  if (pipe2(ends.data(), O_CLOEXEC) != 0) cannot_run(program, errno);
  errors_ = FileDescriptor(ends[0]);
  const FileDescriptor written_by_child(ends[1]);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, read_by_child.number(), STDIN_FILENO);
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, written_by_child.number(), STDERR_FILENO);
  posix_spawn_file_actions_adddup2(&actions, output, kOutput);
  // The child must not inherit this program's ignored and blocked signals.
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  sigset_t none;
  sigset_t usual;
  sigemptyset(&none);
  sigemptyset(&usual);
  sigaddset(&usual, SIGXFSZ);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setsigdefault(&attributes, &usual);
  posix_spawnattr_setpgroup(&attributes, 0);
  posix_spawnattr_setflags(&attributes,
                           POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP);
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  const int failure = posix_spawn(&child_, program.c_str(), &actions, &attributes, arguments.data(), environ);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  if (failure != 0) {
    child_ = -1;
    cannot_run(program, failure);
  }
}

ChildProcess::~ChildProcess() {
  end();
}

bool ChildProcess::write(std::span<const std::uint8_t> bytes, const ProgressMonitor* watch) {
  while (!bytes.empty()) {
    check(watch);
    const ssize_t count = send(input_.number(), bytes.data(), bytes.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
    if (count >= 0) {
      bytes = bytes.subspan(static_cast<std::size_t>(count));
    } else if (errno == EAGAIN) {
      look(true);
    } else if (errno != EINTR) {
      return false;
    }
  }
  return true;
}

std::optional<int> ChildProcess::wait(const ProgressMonitor* watch,
                                      std::optional<std::chrono::milliseconds> timeout) {
  const auto begin = Clock::now();
  while (!has_ended()) {
    check(watch);
    if (timeout && Clock::now() - begin >= *timeout) return std::nullopt;
    look(false);
  }
  // Read the last messages from the pipe. Other processes may still write to it, so read only once.
  look(false);
  return collect();
}

void ChildProcess::end() {
  input_.reset();
  if (child_ < 0) return;
  // The process id cannot be reused before the status is collected.
  kill(-child_, SIGTERM);
  wait_until_ended(kUntilKilled);
  kill(-child_, SIGKILL);
  if (wait_until_ended(kUntilGivenUp)) collect();
}

bool ChildProcess::wait_until_ended(std::chrono::milliseconds timeout) {
  for (const auto begin = Clock::now(); !has_ended(); look(false)) {
    if (Clock::now() - begin >= timeout) return false;
  }
  return true;
}

// Waits up to kBetweenLooks until messages can be read or, with `for_room`, input can be written.
void ChildProcess::look(bool for_room) {
  // poll() ignores negative descriptors.
  std::array<pollfd, 2> files = {pollfd{errors_.number(), POLLIN, 0},
                                 pollfd{for_room ? input_.number() : -1, POLLOUT, 0}};
  if (poll(files.data(), files.size(), kBetweenLooks) > 0 && files[0].revents != 0) read_messages();
}

void ChildProcess::read_messages() {
  std::array<char, kPipe> some;
  const ssize_t count = read(errors_.number(), some.data(), some.size());
  if (count < 0 && errno == EINTR) return;
  if (count <= 0) return errors_.reset();
  messages_.append(some.data(), static_cast<std::size_t>(count));
  if (messages_.size() > kKeptMessages) messages_.erase(0, messages_.size() - kKeptMessages);
}

bool ChildProcess::has_ended() const {
  siginfo_t info{};
  return waitid(P_PID, static_cast<id_t>(child_), &info, WEXITED | WNOHANG | WNOWAIT) != 0 ||
         info.si_pid == child_;
}

int ChildProcess::collect() {
  int status = 0;
  while (waitpid(child_, &status, 0) < 0 && errno == EINTR) {
  }
  child_ = -1;
  return status;
}

namespace fs = std::filesystem;

constexpr std::size_t kMaxErrorText = 600;
/// Time for a child that stopped reading frames to exit and report a reason.
constexpr std::chrono::milliseconds kUntilEnded{1000};
/// The output path as seen by the child, which opens it twice for an MP4.
constexpr const char* kOutputName = "/proc/self/fd/3";
static_assert(ChildProcess::kOutput == 3);

class FfmpegSink final : public FrameSink {
 public:
  FfmpegSink(const fs::path& ffmpeg, const fs::path& file, const FrameFormat& format,
             const ProgressMonitor* watch)
      : file_(file),
        out_(file),
        scratch_(out_.descriptor() ? nullptr : scratch_file(), std::fclose),
        watch_(watch),
        child_(ffmpeg, ffmpeg_arguments(ffmpeg, kOutputName, file, format),
               scratch_ ? fileno(scratch_.get()) : *out_.descriptor()) {}

  void begin_frame() override {}
  void end_frame() override {}

  void rows(std::span<const std::uint8_t> rgb) override {
    if (child_.write(rgb, watch_)) return;
    child_.close_input();
    const auto status = child_.wait(watch_, kUntilEnded);
    if (!status) child_.end();
    fail(status);
  }

  std::string finish() override {
    child_.close_input();
    const auto status = child_.wait(watch_);
    if (!WIFEXITED(*status) || WEXITSTATUS(*status) != 0) fail(status);
    if (scratch_) copy_scratch();
    out_.commit();
    return {};
  }

 private:
  static std::FILE* scratch_file() {
    std::FILE* const file = std::tmpfile();
    if (file == nullptr)
      throw MachineError(fmt::format("cannot create a temporary file: {}", std::strerror(errno)));
    return file;
  }

  void copy_scratch() {
    std::array<char, 1 << 16> part;
    std::rewind(scratch_.get());
    while (const std::size_t count = std::fread(part.data(), 1, part.size(), scratch_.get()))
      out_.write({part.data(), count});
    if (std::ferror(scratch_.get()) != 0)
      throw MachineError(fmt::format("{}: the video cannot be read back", file_.string()));
  }

  // Reports the last messages of ffmpeg as the reason.
  [[noreturn]] void fail(std::optional<int> status) {
    std::string said = child_.messages();
    while (!said.empty() && (said.back() == '\n' || said.back() == ' ')) said.pop_back();
    if (said.size() > kMaxErrorText) {
      const std::size_t line = said.find('\n', said.size() - kMaxErrorText);
      said.erase(0, line == std::string::npos ? said.size() - kMaxErrorText : line + 1);
    }
    if (said.empty()) {
      said = !status                ? std::string("it stopped reading frames and does not exit")
             : WIFSIGNALED(*status) ? fmt::format("terminated by signal: {}", strsignal(WTERMSIG(*status)))
                                    : fmt::format("exit status {}", WEXITSTATUS(*status));
    }
    throw MachineError(fmt::format("{}: ffmpeg failed: {}", file_.string(), said));
  }

  fs::path file_;
  OutputFile out_;
  /// Temporary output file if the target is a pipe or device, in which ffmpeg could not seek.
  std::unique_ptr<std::FILE, int (*)(std::FILE*)> scratch_;
  const ProgressMonitor* watch_;
  ChildProcess child_;
};

}  // namespace

fs::path find_ffmpeg() {
  const char* const path = std::getenv("PATH");
  std::string_view folders = path == nullptr ? "" : path;
  while (!folders.empty()) {
    const std::size_t end = std::min(folders.find(':'), folders.size());
    const fs::path file = fs::path(folders.substr(0, end)) / "ffmpeg";
    std::error_code ignored;
    if (end > 0 && fs::is_regular_file(file, ignored) && access(file.c_str(), X_OK) == 0) return file;
    folders.remove_prefix(std::min(end + 1, folders.size()));
  }
  return {};
}

std::unique_ptr<FrameSink> make_ffmpeg_sink(const fs::path& ffmpeg, const fs::path& file,
                                            const FrameFormat& format, const ProgressMonitor* watch) {
  return std::make_unique<FfmpegSink>(ffmpeg, file, format, watch);
}

}  // namespace loom::app::video
