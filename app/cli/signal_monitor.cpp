#include "app/cli/signal_monitor.h"

#include <semaphore.h>
#include <time.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <cstdint>

namespace loom::app {
namespace {

constexpr std::array kSignals = {SIGINT, SIGTERM, SIGHUP};

// A signal handler can only access static storage.
volatile std::sig_atomic_t signalled = 0;
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
  if (signalled == 0) signalled = signal;
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
  if (signalled == 0) return std::nullopt;
  return signalled;
}

std::optional<int> SignalMonitor::take() {
  const auto taken = interrupted();
  signalled = 0;
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

}  // namespace loom::app
