#pragma once

#include <chrono>
#include <cstddef>
#include <string_view>

namespace loom::app {

/// A progress line on standard error that overwrites itself; silent if that is not a terminal. It is updated
/// at most ten times per second and erased at the end.
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
