#include "app/cli/signal_monitor.h"

#include <fmt/format.h>
#include <poll.h>
#include <semaphore.h>
#include <time.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <cstdint>
#include <exception>
#include <utility>

#include "app/cli/command.h"

namespace loom::app {
namespace {

constexpr std::array kSignals = {SIGINT, SIGTERM, SIGHUP};

// A signal handler can only access static storage.
std::atomic<int> signalled = 0;  ///< read by other threads too
static_assert(std::atomic<int>::is_always_lock_free);
std::atomic<std::int64_t> pending_since_ns = 0;  ///< steady clock; 0: no unacknowledged signal
static_assert(std::atomic<std::int64_t>::is_always_lock_free);
sem_t came;

// The signals that were ignored when the program started, for example by nohup. main() is too late: UCX, a
// library that Open MPI loads, installs a SIGHUP handler earlier. Functions in .preinit_array run before
// those of all libraries.
std::array<bool, kSignals.size()> ignored_at_start{};

void note_ignored(int, char**, char**) {
  for (std::size_t i = 0; i < kSignals.size(); ++i) {
    struct sigaction now {};
    sigaction(kSignals[i], nullptr, &now);
    ignored_at_start[i] = now.sa_handler == SIG_IGN;
  }
}
[[gnu::section(".preinit_array"), gnu::used]] void (*const before_libraries)(int, char**,
                                                                             char**) = note_ignored;

// steady_clock is not guaranteed to be async-signal-safe; clock_gettime() is, and reads the same clock.
void note_when() {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  std::int64_t none = 0;
  pending_since_ns.compare_exchange_strong(none, std::int64_t{now.tv_sec} * 1'000'000'000 + now.tv_nsec);
}

extern "C" void note_interrupt(int signal) {
  const int reason = errno;
  int none = 0;
  signalled.compare_exchange_strong(none, signal);
  note_when();
  sem_post(&came);
  errno = reason;
  if (signal == SIGINT) std::signal(SIGINT, SIG_DFL);
}

}  // namespace

SignalMonitor::SignalMonitor() {
  signalled = 0;
  pending_since_ns = 0;
  sem_init(&came, 0, 0);
  struct sigaction note {};
  note.sa_handler = note_interrupt;
  sigemptyset(&note.sa_mask);
  note.sa_flags = SA_RESTART;  // interrupted writes continue
  for (std::size_t i = 0; i < kSignals.size(); ++i) {
    sigaction(kSignals[i], nullptr, &before_[i]);
    if (ignored_at_start[i]) {
      std::signal(kSignals[i], SIG_IGN);
    } else {
      sigaction(kSignals[i], &note, nullptr);
    }
  }
}

SignalMonitor::~SignalMonitor() {
  for (std::size_t i = 0; i < kSignals.size(); ++i) sigaction(kSignals[i], &before_[i], nullptr);
}

std::optional<int> SignalMonitor::interrupted() const {
  const int signal = signalled;
  return signal == 0 ? std::nullopt : std::optional(signal);
}

std::optional<int> SignalMonitor::take() {
  const int signal = signalled.exchange(0);
  const auto taken = signal == 0 ? std::nullopt : std::optional(signal);
  if (taken) note_when();  // the signal may have arrived just before answer() acknowledged an earlier one
  return taken;
}

std::optional<SignalMonitor::Clock::time_point> SignalMonitor::pending_since() const {
  const std::int64_t since = pending_since_ns;
  if (since == 0) return std::nullopt;
  return Clock::time_point(std::chrono::nanoseconds(since));
}

void SignalMonitor::note() {
  note_when();
  sem_post(&came);
}

void SignalMonitor::answer() {
  pending_since_ns = 0;
}

void SignalMonitor::wait() {
  while (sem_wait(&came) != 0 && errno == EINTR) {
  }
}

void SignalMonitor::wake() {
  sem_post(&came);
}

namespace {

constexpr std::chrono::milliseconds kUntilNextLook{50};

/// Whether standard error accepts output. Writing to a stopped terminal would block.
bool takes_words() {
  pollfd error{.fd = STDERR_FILENO, .events = POLLOUT, .revents = 0};
  return poll(&error, 1, 0) == 1 && (error.revents & POLLOUT) != 0;
}

}  // namespace

ExitDeadline::ExitDeadline(SignalMonitor& watch, SaveScene save_scene)
    : watch_(watch),
      save_scene_(std::move(save_scene)),
      keeper_([this](const std::stop_token& ended) { run_keeper(ended); }),
      thread_([this](const std::stop_token& ended) { run(ended); }) {}

ExitDeadline::~ExitDeadline() {
  keeper_.request_stop();
  keeper_.join();
  thread_.request_stop();
  watch_.wake();
}

void ExitDeadline::set_scene(std::optional<scene::Scene> scene) {
  const std::lock_guard lock(mutex_);
  scene_ = std::move(scene);
}

void ExitDeadline::run(const std::stop_token& ended) {
  while (!ended.stop_requested()) {
    watch_.wait();
    bool kept = false;
    while (const auto since = watch_.pending_since()) {
      if (ended.stop_requested()) return;
      const auto waited = SignalMonitor::Clock::now() - *since;
      if (waited >= kMost) end();
      if (waited >= kKeepAfter && !std::exchange(kept, true)) {
        const std::lock_guard lock(mutex_);
        keep_now_ = true;
        asked_.notify_all();
      }
      std::this_thread::sleep_for(kUntilNextLook);
    }
  }
}

void ExitDeadline::run_keeper(const std::stop_token& ended) {
  for (;;) {
    std::unique_lock lock(mutex_);
    if (!asked_.wait(lock, ended, [this] { return keep_now_; })) return;
    keep_now_ = false;
    const std::optional<scene::Scene> scene = scene_;
    lock.unlock();  // the window's thread must not wait for the disk in set_scene()
    const std::string why = scene ? save_scene_(*scene) : std::string();
    if (!why.empty() && takes_words()) print_error(fmt::format("fractal-loom: the scene is lost: {}\n", why));
  }
}

void ExitDeadline::end() {
  if (takes_words()) {
    print_error(
        fmt::format("fractal-loom: the window did not end within {} s after the signal and is terminated; "
                    "unfinished work is lost\n",
                    kMost.count()));
  }
  std::_Exit(kMachineLacks);
}

namespace {

constexpr std::chrono::milliseconds kBetweenLooks{20};
/// Launchers kill the process one second after they have asked it to end.
constexpr std::chrono::milliseconds kTimeout{200};

}  // namespace

EmergencySave::EmergencySave(const SignalMonitor& watch, std::function<void()> save)
    : watch_(watch), save_(std::move(save)), thread_([this](const std::stop_token& ended) { look(ended); }) {}

EmergencySave::~EmergencySave() = default;

void EmergencySave::look(const std::stop_token& ended) {
  while (!watch_.interrupted()) {
    if (ended.stop_requested()) return;
    std::this_thread::sleep_for(kBetweenLooks);
  }
  const auto end = std::chrono::steady_clock::now() + kTimeout;
  while (std::chrono::steady_clock::now() < end) {
    if (ended.stop_requested()) return;
    std::this_thread::sleep_for(kBetweenLooks);
  }
  const auto own = lock();
  if (ended.stop_requested()) return;
  try {
    save_();
  } catch (const std::exception& error) {
    print_error(fmt::format("fractal-loom: {}\n", error.what()));
  }
  std::_Exit(kMachineLacks);
}

}  // namespace loom::app
