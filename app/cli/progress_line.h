#pragma once

#include <chrono>
#include <cstddef>
#include <string_view>

namespace loom::app {

/// One line of progress on standard error that overwrites itself; silent where that is not a terminal. It is
/// rewritten at most ten times a second and wiped at the end.
class ProgressLine {
 public:
  ProgressLine();
  ~ProgressLine();
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;
  void show(std::string_view text);

 private:
  bool on_terminal_;
  std::size_t shown_ = 0;
  std::chrono::steady_clock::time_point next_;
};

}  // namespace loom::app
