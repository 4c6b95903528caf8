#include "app/cli/progress_line.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>

#include "app/cli/standard_streams.h"

namespace loom::app {
namespace {

/// Narrower than any common terminal: a wrapped line could not be overwritten.
constexpr std::size_t kMaxColumns = 79;

}  // namespace

ProgressLine::ProgressLine()
    : on_terminal_(isatty(STDERR_FILENO) != 0), next_(std::chrono::steady_clock::now()) {}

ProgressLine::~ProgressLine() {
  if (shown_ > 0) print_error(fmt::format("\r{:{}}\r", "", shown_));
}

void ProgressLine::show(std::string_view text) {
  const auto now = std::chrono::steady_clock::now();
  if (!on_terminal_ || now < next_) return;
  next_ = now + std::chrono::milliseconds(100);
  text = text.substr(0, kMaxColumns);
  print_error(fmt::format("\r{:<{}}", text, shown_));
  shown_ = std::max(shown_, text.size());
}

}  // namespace loom::app
