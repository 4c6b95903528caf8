#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string_view>
#include <vector>

#include "app/files/output_file.h"
#include "app/film/ffmpeg_arguments.h"
#include "app/film/frame_sink.h"
#include "compute/core/error.h"

extern char** environ;

namespace loom::app::film {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostComplaint = 600;
/// The descriptor by which the child knows its output, and its name: it is opened twice for an MP4.
constexpr int kOutput = 3;
constexpr const char* kOutputName = "/proc/self/fd/3";

/// A descriptor that closes itself.
class Descriptor {
 public:
  Descriptor() = default;
  explicit Descriptor(int number) : number_(number) {}
  ~Descriptor() { reset(); }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
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

[[noreturn]] void cannot_run(const fs::path& ffmpeg, int reason) {
  throw MachineError(fmt::format("{} cannot be run: {}", ffmpeg.string(), std::strerror(reason)));
}

class FfmpegSink final : public FrameSink {
 public:
  FfmpegSink(const fs::path& ffmpeg, const fs::path& file, const FrameFormat& format)
      : file_(file), out_(file) {
    if (!out_.descriptor()) {
      scratch_.reset(std::tmpfile());
      if (!scratch_) cannot_run(ffmpeg, errno);
    }
    start(ffmpeg, ffmpeg_arguments(ffmpeg, kOutputName, file, format));
  }

  ~FfmpegSink() override {
    input_.reset();
    if (child_ > 0) {
      kill(child_, SIGKILL);
      wait_for_child();
    }
  }

  void begin_frame() override {}
  void end_frame() override {}

  void rows(std::span<const std::uint8_t> rgb) override {
    while (!rgb.empty()) {
      // A child that has ended is an error here, and no signal: it is a socket for that.
      const ssize_t count = send(input_.number(), rgb.data(), rgb.size(), MSG_NOSIGNAL);
      if (count < 0 && errno == EINTR) continue;
      if (count < 0) fail();
      rgb = rgb.subspan(static_cast<std::size_t>(count));
    }
  }

  std::string finish() override {
    input_.reset();
    const int status = wait_for_child();
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) complain(status);
    if (scratch_) copy_scratch();
    out_.commit();
    return {};
  }

 private:
  void start(const fs::path& ffmpeg, std::vector<std::string> words) {
    std::array<int, 2> ends{};
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0) cannot_run(ffmpeg, errno);
    input_ = Descriptor(ends[0]);
    const Descriptor read(ends[1]);
    complaints_ = Descriptor(memfd_create("ffmpeg", MFD_CLOEXEC));
    if (complaints_.number() < 0) cannot_run(ffmpeg, errno);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, read.number(), STDIN_FILENO);
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    posix_spawn_file_actions_adddup2(&actions, complaints_.number(), STDERR_FILENO);
    posix_spawn_file_actions_adddup2(&actions, scratch_ ? fileno(scratch_.get()) : *out_.descriptor(),
                                     kOutput);
    // What this program ignores or holds back is not the child's to ignore.
    posix_spawnattr_t attributes;
    posix_spawnattr_init(&attributes);
    sigset_t none;
    sigset_t usual;
    sigemptyset(&none);
    sigemptyset(&usual);
    sigaddset(&usual, SIGXFSZ);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setsigdefault(&attributes, &usual);
    // A group of its own: Ctrl-C is for this program, which ends the child itself.
    posix_spawnattr_setpgroup(&attributes, 0);
    posix_spawnattr_setflags(&attributes,
                             POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP);
    std::vector<char*> arguments;
    for (std::string& word : words) arguments.push_back(word.data());
    arguments.push_back(nullptr);
    const int failure =
        posix_spawn(&child_, ffmpeg.c_str(), &actions, &attributes, arguments.data(), environ);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    if (failure != 0) {
      child_ = -1;
      cannot_run(ffmpeg, failure);
    }
  }

  void copy_scratch() {
    std::array<char, 1 << 16> part;
    std::rewind(scratch_.get());
    while (const std::size_t count = std::fread(part.data(), 1, part.size(), scratch_.get()))
      out_.write({part.data(), count});
    if (std::ferror(scratch_.get()) != 0)
      throw MachineError(fmt::format("{}: the film cannot be read again", file_.string()));
  }

  int wait_for_child() {
    int status = 0;
    while (waitpid(child_, &status, 0) < 0 && errno == EINTR) {
    }
    child_ = -1;
    return status;
  }

  [[noreturn]] void fail() {
    input_.reset();
    complain(wait_for_child());
  }

  [[noreturn]] void complain(int status) {
    std::string said(kMostComplaint, '\0');
    lseek(complaints_.number(), 0, SEEK_SET);
    const ssize_t count = read(complaints_.number(), said.data(), said.size());
    said.resize(static_cast<std::size_t>(std::max<ssize_t>(count, 0)));
    while (!said.empty() && (said.back() == '\n' || said.back() == ' ')) said.pop_back();
    if (said.empty()) {
      said = WIFSIGNALED(status) ? fmt::format("a signal ended it: {}", strsignal(WTERMSIG(status)))
                                 : fmt::format("it ended with status {}", WEXITSTATUS(status));
    }
    throw MachineError(fmt::format("{}: ffmpeg made no film of it: {}", file_.string(), said));
  }

  fs::path file_;
  OutputFile out_;
  /// What ffmpeg writes where the file is a pipe or a device, in which it could not go back.
  std::unique_ptr<std::FILE, int (*)(std::FILE*)> scratch_{nullptr, std::fclose};
  Descriptor input_;       ///< what the child reads
  Descriptor complaints_;  ///< what it says
  pid_t child_ = -1;
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

std::unique_ptr<FrameSink> film_by_ffmpeg(const fs::path& ffmpeg, const fs::path& file,
                                          const FrameFormat& format) {
  return std::make_unique<FfmpegSink>(ffmpeg, file, format);
}

}  // namespace loom::app::film
