#include "app/document/video/child_process.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>

#include "compute/core/error.h"

extern char** environ;

namespace loom::app::video {
namespace {

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

}  // namespace

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

}  // namespace loom::app::video
