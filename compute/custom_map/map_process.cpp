#include "compute/custom_map/map_process.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <span>
#include <utility>

#include "compute/core/error.h"
#include "compute/custom_map/map_protocol.h"

namespace loom {
namespace {

using Clock = std::chrono::steady_clock;

/// The process has this long beyond its own time limit to say so.
constexpr std::chrono::milliseconds kGrace{400};
/// Beyond that, for the start of a GPU and of its compiler.
constexpr std::chrono::milliseconds kGpuStart{20000};
constexpr std::chrono::milliseconds kPollInterval{20};
constexpr std::size_t kMaxProblems = 20;
constexpr int kPipeBytes = 1 << 20;

class Descriptor {
 public:
  Descriptor() = default;
  explicit Descriptor(int number) : number_(number) {}
  Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    std::swap(number_, other.number_);
    return *this;
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() { close(); }
  void close() {
    if (number_ >= 0) ::close(std::exchange(number_, -1));
  }
  int get() const { return number_; }

 private:
  int number_ = -1;
};

struct Pipe {
  Descriptor read;
  Descriptor write;
};
Pipe make_pipe() {
  std::array<int, 2> ends{};
  if (pipe2(ends.data(), O_CLOEXEC) != 0)
    throw MachineError(fmt::format("cannot create a pipe: {}", std::strerror(errno)));
  // As much as an unprivileged process may have: fewer switches between the processes.
  fcntl(ends[1], F_SETPIPE_SZ, kPipeBytes);
  return {Descriptor(ends[0]), Descriptor(ends[1])};
}

Pipe make_socket_pair() {
  std::array<int, 2> ends{};
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0)
    throw MachineError(fmt::format("cannot create a socket: {}", std::strerror(errno)));
  return {Descriptor(ends[0]), Descriptor(ends[1])};
}

/// A child process that is ended and waited for at the latest when the object goes.
class ChildProcess {
 public:
  explicit ChildProcess(const std::filesystem::path& program) {
    // A socket, since writing to a pipe without a reader raises a signal.
    Pipe input = make_socket_pair();
    Pipe output = make_pipe();
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, input.read.get(), STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&actions, output.write.get(), STDOUT_FILENO);
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
#if defined(__GLIBC__) && (__GLIBC__ > 2 || __GLIBC_MINOR__ >= 34)
    posix_spawn_file_actions_addclosefrom_np(&actions, STDERR_FILENO + 1);
#endif
    const std::string name = program.string();
    // Of the environment only where libraries and devices are. An empty path would mean the current folder.
    std::array<std::string, 3> settings;
    std::array<char*, 4> environment{};
    std::size_t count = 0;
    for (const char* const variable : {"LD_LIBRARY_PATH", "CUDA_VISIBLE_DEVICES", "CUDA_DEVICE_ORDER"}) {
      const char* const value = std::getenv(variable);
      if (value == nullptr || *value == '\0') continue;
      settings[count] = fmt::format("{}={}", variable, value);
      environment[count] = settings[count].data();
      ++count;
    }
    std::string command = kMapRunnerCommand;
    std::string own_name = name;
    std::array<char*, 3> arguments{own_name.data(), command.data(), nullptr};
    // Ctrl-C goes to all processes of a terminal; this one is ended by its parent.
    sigset_t blocked;
    sigemptyset(&blocked);
    for (const int signal : {SIGINT, SIGTERM, SIGHUP}) sigaddset(&blocked, signal);
    posix_spawnattr_t attributes;
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setsigmask(&attributes, &blocked);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK);
    const int error =
        posix_spawn(&process_, name.c_str(), &actions, &attributes, arguments.data(), environment.data());
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    if (error != 0)
      throw MachineError(fmt::format("cannot start '{}' to run the map: {}", name, std::strerror(error)));
    input_ = std::move(input.write);
    output_ = std::move(output.read);
  }
  ~ChildProcess() {
    kill(process_, SIGKILL);
    wait();
  }
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;

  void write(const void* data, std::size_t bytes) {
    const auto* at = static_cast<const char*>(data);
    while (bytes > 0) {
      const ssize_t written = send(input_.get(), at, bytes, MSG_NOSIGNAL);
      if (written < 0 && errno == EINTR) continue;
      if (written <= 0) return;  // a reader that is gone shows in its output
      at += written;
      bytes -= static_cast<std::size_t>(written);
    }
  }
  void close_input() {
    input_.close();
  }
  int output() const {
    return output_.get();
  }
  /// The status of waitpid().
  int wait() {
    int status = 0;
    if (process_ > 0) {
      while (waitpid(process_, &status, 0) < 0 && errno == EINTR) {
      }
      process_ = -1;
    }
    return status;
  }

 private:
  pid_t process_ = -1;
  Descriptor input_;
  Descriptor output_;
};

std::string where(const MapSignal& signal, const MapResult& result) {
  if (signal.is_in_thread == 0) return result.compile_milliseconds > 0 ? "in launch()" : "in the compiler";
  // Between two thread blocks the indices are those behind the last thread.
  return fmt::format("in thread ({}, {}) of block ({}, {})",
                     std::min<std::int64_t>(signal.thread[0], result.launch.block_x - 1),
                     std::min<std::int64_t>(signal.thread[1], result.launch.block_y - 1), signal.block[0],
                     signal.block[1]);
}

std::string timeout_text(const MapRequest& request, const std::string& where) {
  return fmt::format("not done after {:.1f} s{}{}: an infinite loop, or too many threads",
                     static_cast<double>(request.time_limit.count()) / 1000, where.empty() ? "" : ", ",
                     where);
}

void note_signal(const MapSignal& signal, const MapRequest& request, MapResult& result) {
  std::string message;
  const std::string at = where(signal, result);
  result.outcome = MapOutcome::kCrashed;
  switch (signal.number) {
    case SIGFPE:
      message =
          signal.has_overflow != 0
              ? fmt::format("division overflow {}: the least int or long divided by -1 is too large", at)
              : "division by zero " + at;
      break;
    case SIGSEGV:
    case SIGBUS:
      message =
          signal.in_stack != 0
              ? fmt::format("stack overflow {}: infinite recursion, or local arrays that are too large", at)
              : fmt::format("invalid memory access {}: an array index is out of bounds", at);
      break;
    case SIGALRM:
    case SIGXCPU:
      result.outcome = MapOutcome::kTimeout;
      message = timeout_text(request, at);
      break;
    case SIGSYS:
      // libtcc itself leaves the process by exit() where memory ends.
      if (result.compile_milliseconds == 0) {
        result.outcome = MapOutcome::kOutOfMemory;
        message = "the compiler ran out of memory: arrays or code are too large";
        break;
      }
      result.outcome = MapOutcome::kForbidden;
      message = fmt::format("a system call {}; maps may only compute", at);
      break;
    default:
      message = fmt::format("ended by signal {} {}", signal.number, at);
      break;
  }
  result.problems.push_back({0, 0, 0, std::move(message)});
}

/// Reads messages and collects the result.
class ResultReader {
 public:
  ResultReader(const NbbFractal& fractal, const MapRequest& request, MapResult& result)
      : fractal_(fractal), request_(request), result_(result) {}

  /// Where the next bytes of the process go, which add() takes.
  std::span<char> space() {
    constexpr std::size_t kSpace = 1 << 18;
    if (buffer_.size() < filled_ + kSpace) buffer_.resize(filled_ + kSpace);
    return std::span(buffer_).subspan(filled_);
  }
  void add(std::size_t bytes) {
    filled_ += bytes;
    std::size_t at = 0;
    MapMessageHead head{};
    while (!is_broken_ && !is_done_ && filled_ - at >= sizeof(head)) {
      std::memcpy(&head, buffer_.data() + at, sizeof(head));
      constexpr std::uint32_t kLongest = 1 << 20;
      if (head.bytes > kLongest) {
        is_broken_ = true;
        break;
      }
      if (filled_ - at - sizeof(head) < head.bytes) break;
      message(head, buffer_.data() + at + sizeof(head));
      at += sizeof(head) + head.bytes;
    }
    std::memmove(buffer_.data(), buffer_.data() + at, filled_ - at);
    filled_ -= at;
  }
  /// Whether the process has said how it ended.
  bool is_done() const { return is_done_; }
  bool is_broken() const { return is_broken_; }
  std::optional<CoverageCounter>& counter() { return counter_; }

 private:
  template <typename Value>
  bool get(const MapMessageHead& head, const char* data, Value& value) {
    if (head.bytes != sizeof(value)) {
      is_broken_ = true;
      return false;
    }
    std::memcpy(&value, data, sizeof(value));
    return true;
  }

  void message(const MapMessageHead& head, const char* data) {
    switch (head.kind) {
      case MapMessage::kSandbox: {
        char filtered = 0;
        if (get(head, data, filtered)) result_.has_seccomp = filtered != 0;
        break;
      }
      case MapMessage::kProblem: {
        std::int32_t place[2] = {};
        if (head.bytes < sizeof(place)) break;
        if (result_.problems.size() == kMaxProblems) {
          result_.problems.push_back(
              {0, 0, 0, fmt::format("more than {} errors; these are the first", kMaxProblems)});
          is_done_ = true;
          break;
        }
        std::memcpy(place, data, sizeof(place));
        CodeProblem problem{place[0], place[1], 0,
                            std::string(data + sizeof(place), head.bytes - sizeof(place))};
        locate_name(request_.code, problem);
        result_.problems.push_back(std::move(problem));
        break;
      }
      case MapMessage::kCompiled:
        get(head, data, result_.compile_milliseconds);
        break;
      case MapMessage::kLaunch: {
        MapLaunch launch;
        if (!get(head, data, launch) || has_launch_) break;
        if (std::string problem = launch_problem(launch, max_threads()); !problem.empty()) {
          result_.problems.push_back({0, 0, 0, std::move(problem)});
          is_done_ = true;
          break;
        }
        result_.launch = launch;
        has_launch_ = true;
        break;
      }
      case MapMessage::kPoints: {
        const std::size_t count = head.bytes / sizeof(MapPoint);
        if (has_launch_ && !counter_ && result_.launch.threads() <= kMaxMapThreads) {
          counter_.emplace(fractal_, request_.level, result_.launch);
          if (request_.keep_points) {
            result_.points.reserve(result_.launch.threads());
            result_.threads.reserve(result_.launch.threads());
          }
        }
        if (!counter_ || head.bytes % sizeof(MapPoint) != 0 ||
            count % result_.launch.threads_per_block() != 0) {
          is_broken_ = true;
          break;
        }
        if (threads_ + count > result_.launch.threads()) {
          result_.outcome = MapOutcome::kCrashed;
          result_.problems.push_back(
              {0, 0, 0,
               fmt::format("more threads ran than the {} of launch(): the map changed blockIdx, threadIdx, "
                           "blockDim or gridDim, or wrote outside of its arrays",
                           result_.launch.threads())});
          is_done_ = true;
          break;
        }
        threads_ += count;
        if (!request_.keep_points) result_.points.clear();
        const std::size_t before = result_.points.size();
        result_.points.resize(before + count);
        std::memcpy(&result_.points[before], data, head.bytes);
        counter_->add(std::span(result_.points).subspan(before),
                      request_.keep_points ? &result_.threads : nullptr);
        break;
      }
      case MapMessage::kRan:
        get(head, data, result_.run_milliseconds);
        break;
      case MapMessage::kMeasured: {
        double time = 0;
        if (get(head, data, time)) result_.single_write_milliseconds = time;
        break;
      }
      case MapMessage::kSignal: {
        MapSignal signal{};
        if (get(head, data, signal)) note_signal(signal, request_, result_);
        is_done_ = true;
        break;
      }
      case MapMessage::kFault:
        result_.outcome = MapOutcome::kCrashed;
        result_.problems.push_back({0, 0, 0, std::string(data, head.bytes)});
        is_done_ = true;
        break;
      case MapMessage::kTimeout:
        result_.outcome = MapOutcome::kTimeout;
        result_.problems.push_back({0, 0, 0, timeout_text(request_, "on the GPU")});
        is_done_ = true;
        break;
      case MapMessage::kCounted:
        if (has_launch_ && !request_.device.on_host && get(head, data, result_.coverage)) is_counted_ = true;
        break;
      case MapMessage::kDone:
        is_done_ = true;
        if (!is_counted_ && (!counter_ || threads_ != result_.launch.threads())) {
          is_broken_ = true;
          break;
        }
        result_.outcome = MapOutcome::kRan;
        break;
      default:
        is_broken_ = true;
        break;
    }
  }

  std::uint64_t max_threads() const { return !request_.device.on_host ? kMaxGpuMapThreads : kMaxMapThreads; }

  const NbbFractal& fractal_;
  const MapRequest& request_;
  MapResult& result_;
  std::optional<CoverageCounter> counter_;
  std::vector<char> buffer_;
  std::size_t filled_ = 0;  ///< bytes of the buffer
  std::uint64_t threads_ = 0;
  bool has_launch_ = false;
  bool is_counted_ = false;  ///< on the GPU
  bool is_done_ = false;
  bool is_broken_ = false;
};

}  // namespace

std::string_view name_of(MapOutcome outcome) {
  static constexpr std::array<std::string_view, 6> kNames = {"ran",     "rejected",      "crashed",
                                                             "timeout", "out-of-memory", "forbidden"};
  return kNames[static_cast<std::size_t>(outcome)];
}

std::filesystem::path this_program() {
  std::error_code error;
  std::filesystem::path path = std::filesystem::read_symlink("/proc/self/exe", error);
  if (error) throw MachineError("cannot find the program's own file in /proc, which runs maps");
  return path;
}

MapResult run_map(const std::filesystem::path& program, const NbbFractal& fractal, const MapRequest& request,
                  const ProgressMonitor* monitor) {
  MapResult result;
  if (const auto problem = check_map_code(request.code)) {
    result.problems.push_back(*problem);
    return result;
  }
  const bool on_gpu = !request.device.on_host;
  check_map_level(fractal, request.level, on_gpu ? kMaxGpuMapPoints : kMaxMapPoints);
  // The members of Fractal have 32 bits.
  constexpr std::uint64_t kMaxInt = std::numeric_limits<std::int32_t>::max();
  const std::uint64_t largest =
      std::max({fractal.cells(request.level), fractal.width(request.level), fractal.height(request.level)});
  if (largest > kMaxInt)
    throw InputError(
        fmt::format("level {} of {} has a width, a height or a number of cells of {}; allowed: up "
                    "to {}",
                    request.level, fractal.name(), largest, kMaxInt));
  const MapRunRequest message{
      .code_bytes = request.code.size(),
      .level = request.level,
      .width = static_cast<std::int32_t>(fractal.width(request.level)),
      .height = static_cast<std::int32_t>(fractal.height(request.level)),
      .cells = static_cast<std::int32_t>(fractal.cells(request.level)),
      .milliseconds = static_cast<std::int32_t>(request.time_limit.count()),
      .device = on_gpu ? request.device.ordinal : -1,
      .architecture = 10 * request.device.compute_major + request.device.compute_minor,
      .measure = request.measure,
      .shape = fractal.shape()};
  ChildProcess child(program);
  child.write(&message, sizeof(message));
  child.write(request.code.data(), request.code.size());
  child.close_input();
  ResultReader reader(fractal, request, result);
  const auto deadline =
      Clock::now() + request.time_limit + kGrace + (on_gpu ? kGpuStart : std::chrono::milliseconds(0));
  bool at_end = false;
  while (!at_end && !reader.is_done() && !reader.is_broken()) {
    if (monitor != nullptr && monitor->cancelled()) throw OperationCancelled();
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(deadline - Clock::now());
    if (left.count() <= 0) break;
    pollfd ready{child.output(), POLLIN, 0};
    const int count = poll(&ready, 1, static_cast<int>(std::min(left, kPollInterval).count()) + 1);
    if (count <= 0) continue;
    const std::span<char> space = reader.space();
    const ssize_t got = read(child.output(), space.data(), space.size());
    if (got < 0 && errno == EINTR) continue;
    at_end = got <= 0;
    if (got > 0) reader.add(static_cast<std::size_t>(got));
  }
  const auto fail = [&](MapOutcome outcome, std::string text) {
    result.outcome = outcome;
    result.problems.push_back({0, 0, 0, std::move(text)});
  };
  if (reader.is_broken()) {
    fail(MapOutcome::kCrashed, "the map wrote outside of its arrays");
  } else if (!reader.is_done() && !at_end) {
    fail(MapOutcome::kTimeout, timeout_text(request, ""));
  } else if (!reader.is_done() && result.problems.empty()) {
    fail(MapOutcome::kCrashed, "the process of the map ended without a result");
  } else if (result.problems.size() == 1 && result.problems.front().message == "out of memory") {
    result.outcome = MapOutcome::kOutOfMemory;
  }
  if (!request.keep_points) result.points = {};
  if (result.outcome != MapOutcome::kRan) return result;
  if (std::optional<CoverageCounter>& counter = reader.counter()) {
    counter->finish();
    result.coverage = counter->coverage();
    result.wrong = counter->wrong();
    result.first_missed = counter->first_missed();
    result.hits = std::move(counter->hits());
    result.cells = std::move(counter->cells());
  }
  if (!result.coverage.is_exact()) result.single_write_milliseconds.reset();
  return result;
}

}  // namespace loom
