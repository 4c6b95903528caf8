#include "app/cli/interrupt_watch.h"

#include <csignal>

namespace loom::app {
namespace {

// A signal handler can reach nothing but static storage.
volatile std::sig_atomic_t signalled = 0;

extern "C" void note_interrupt(int) {
  signalled = 1;
  std::signal(SIGINT, SIG_DFL);
}

}  // namespace

InterruptWatch::InterruptWatch() {
  signalled = 0;
  std::signal(SIGINT, note_interrupt);
}

InterruptWatch::~InterruptWatch() {
  std::signal(SIGINT, SIG_DFL);
}

bool InterruptWatch::interrupted() const {
  return signalled != 0;
}

}  // namespace loom::app
