#include "app/cli/interrupt_watch.h"

#include <array>

namespace loom::app {
namespace {

constexpr std::array kSignals = {SIGINT, SIGTERM, SIGHUP};

// A signal handler can reach nothing but static storage.
volatile std::sig_atomic_t signalled = 0;

extern "C" void note_interrupt(int signal) {
  if (signalled == 0) signalled = signal;
  if (signal == SIGINT) std::signal(SIGINT, SIG_DFL);
}

}  // namespace

InterruptWatch::InterruptWatch() {
  signalled = 0;
  struct sigaction note {};
  note.sa_handler = note_interrupt;
  sigemptyset(&note.sa_mask);
  note.sa_flags = SA_RESTART;  // a file that is being written is written on
  for (std::size_t i = 0; i < kSignals.size(); ++i) {
    sigaction(kSignals[i], nullptr, &before_[i]);
    if (before_[i].sa_handler != SIG_IGN) sigaction(kSignals[i], &note, nullptr);
  }
}

InterruptWatch::~InterruptWatch() {
  for (std::size_t i = 0; i < kSignals.size(); ++i) sigaction(kSignals[i], &before_[i], nullptr);
}

std::optional<int> InterruptWatch::interrupted() const {
  if (signalled == 0) return std::nullopt;
  return signalled;
}

std::optional<int> InterruptWatch::take() {
  const auto taken = interrupted();
  signalled = 0;
  return taken;
}

}  // namespace loom::app
