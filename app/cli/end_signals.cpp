#include "app/cli/end_signals.h"

#include <array>
#include <csignal>

namespace loom::app {
namespace {

constexpr std::array kSignals = {SIGTERM, SIGHUP, SIGINT};
// A signal handler can reach nothing but static storage.
volatile std::sig_atomic_t end_signalled = 0;

extern "C" void note_end(int number) {
  end_signalled = 1;
  std::signal(number, SIG_DFL);
}

}  // namespace

EndSignals::EndSignals() {
  end_signalled = 0;
  for (const int number : kSignals) std::signal(number, note_end);
}

EndSignals::~EndSignals() {
  for (const int number : kSignals) std::signal(number, SIG_DFL);
}

bool EndSignals::ended() const {
  return end_signalled != 0;
}

}  // namespace loom::app
