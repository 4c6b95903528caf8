#include "app/cli/exit_deadline.h"

#include <fmt/format.h>
#include <poll.h>
#include <unistd.h>

#include <cstdlib>
#include <utility>

#include "app/cli/standard_streams.h"

namespace loom::app {
namespace {

constexpr std::chrono::milliseconds kUntilNextLook{50};
constexpr int kDeadlineStatus = 3;

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
  std::_Exit(kDeadlineStatus);
}

}  // namespace loom::app
