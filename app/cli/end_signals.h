#pragma once

namespace loom::app {

/// While it lives, SIGTERM, SIGHUP and SIGINT end nothing: they are noted, and the window asks for it at a
/// good moment. A second one ends the program at once. At most one lives at a time.
class EndSignals {
 public:
  EndSignals();
  ~EndSignals();
  EndSignals(const EndSignals&) = delete;
  EndSignals& operator=(const EndSignals&) = delete;
  bool ended() const;
};

}  // namespace loom::app
