#include "app/cli/last_save.h"

#include <fmt/format.h>

#include <chrono>
#include <cstdlib>
#include <exception>
#include <utility>

#include "app/cli/standard_streams.h"

namespace loom::app {
namespace {

constexpr std::chrono::milliseconds kBetweenLooks{20};
/// Launchers kill a second after they have asked to end.
constexpr std::chrono::milliseconds kPatience{200};
constexpr int kMachineLacks = 3;

}  // namespace

LastSave::LastSave(const InterruptWatch& watch, std::function<void()> save)
    : watch_(watch),
      save_(std::move(save)),
      looking_([this](const std::stop_token& ended) { look(ended); }) {}

LastSave::~LastSave() = default;

void LastSave::look(const std::stop_token& ended) {
  while (!watch_.interrupted()) {
    if (ended.stop_requested()) return;
    std::this_thread::sleep_for(kBetweenLooks);
  }
  const auto end = std::chrono::steady_clock::now() + kPatience;
  while (std::chrono::steady_clock::now() < end) {
    if (ended.stop_requested()) return;
    std::this_thread::sleep_for(kBetweenLooks);
  }
  const auto own = lock();
  if (ended.stop_requested()) return;
  try {
    save_();
  } catch (const std::exception& error) {
    say(fmt::format("fractal-loom: {}\n", error.what()));
  }
  std::_Exit(kMachineLacks);
}

}  // namespace loom::app
