#pragma once

#include <chrono>
#include <functional>
#include <mutex>
#include <optional>
#include <thread>

#include "app/cli/interrupt_watch.h"
#include "app/scene/scene.h"

namespace loom::app {

/// Terminates the window's process with status 3 if it still runs kMost after a signal that nobody has
/// answered, for example because background work or the display hangs. The scene last passed to set_scene()
/// is saved first. Runs on its own thread, which sleeps until a signal arrives.
class ExitDeadline {
 public:
  static constexpr std::chrono::seconds kMost{6};
  using Keep = std::function<void(const scene::Scene&)>;

  /// `keep` is called on that thread.
  ExitDeadline(InterruptWatch& watch, Keep keep);
  ~ExitDeadline();
  ExitDeadline(const ExitDeadline&) = delete;
  ExitDeadline& operator=(const ExitDeadline&) = delete;

  /// The scene to save; empty if the program has saved everything.
  void set_scene(std::optional<scene::Scene> scene);
  /// Simulates a signal.
  void start() { watch_.note(); }

 private:
  void run(const std::stop_token& ended);
  [[noreturn]] void end();

  InterruptWatch& watch_;
  Keep keep_;
  std::mutex mutex_;  ///< guards the following members
  std::optional<scene::Scene> scene_;
  std::jthread thread_;
};

}  // namespace loom::app
