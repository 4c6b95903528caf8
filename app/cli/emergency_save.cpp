#include "app/cli/emergency_save.h"

#include <fmt/format.h>

#include <chrono>
#include <cstdlib>
#include <exception>
#include <utility>

#include "app/cli/standard_streams.h"

namespace loom::app {
namespace {

constexpr std::chrono::milliseconds kBetweenLooks{20};
/// Launchers kill the process one second after they have asked it to end.
constexpr std::chrono::milliseconds kTimeout{200};
constexpr int kMachineLacks = 3;

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
