#pragma once

namespace loom::app {

/// While it lives, Ctrl-C (SIGINT) ends nothing: it is noted, and the work asks for it at a good moment. A
/// second Ctrl-C ends the program at once. At most one lives at a time.
class InterruptWatch {
 public:
  InterruptWatch();
  ~InterruptWatch();
  InterruptWatch(const InterruptWatch&) = delete;
  InterruptWatch& operator=(const InterruptWatch&) = delete;
  bool interrupted() const;
};

}  // namespace loom::app
