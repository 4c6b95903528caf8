#include "app/cli/exit_deadline.h"

#include <fmt/format.h>

#include <cstdlib>
#include <exception>
#include <utility>

#include "app/cli/standard_streams.h"

namespace loom::app {
namespace {

constexpr std::chrono::milliseconds kUntilNextLook{50};
constexpr int kDeadlineStatus = 3;

}  // namespace

ExitDeadline::ExitDeadline(InterruptWatch& watch, Keep keep)
    : watch_(watch), keep_(std::move(keep)), thread_([this](const std::stop_token& ended) { run(ended); }) {}

ExitDeadline::~ExitDeadline() {
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
    while (const auto since = watch_.waits_since()) {
      if (ended.stop_requested()) return;
      if (InterruptWatch::Clock::now() - *since >= kMost) end();
      std::this_thread::sleep_for(kUntilNextLook);
    }
  }
}

void ExitDeadline::end() {
  const std::lock_guard lock(mutex_);
  try {
    if (scene_) keep_(*scene_);
  } catch (const std::exception&) {  // the program ends all the same
  }
  say(
      fmt::format("fractal-loom: the window did not end within {} s after the signal and is terminated; "
                  "unfinished work is lost\n",
                  kMost.count()));
  std::_Exit(kDeadlineStatus);
}

}  // namespace loom::app
