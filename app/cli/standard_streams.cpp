#include "app/cli/standard_streams.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <iostream>

#include "compute/core/error.h"

namespace loom::app {
namespace {

/// The stream does not store the reason of its failure, and its buffer is lost: another write fails with the
/// same reason.
[[noreturn]] void fail() {
  const int reason = write(STDOUT_FILENO, "\n", 1) < 0 ? errno : EIO;
  throw MachineError(fmt::format("standard output could not be written: {}", std::strerror(reason)));
}

}  // namespace

void guard_standard_streams() {
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (fcntl(stream, F_GETFD) != -1) continue;
    // open() returns the lowest free descriptor, which is this one. Opened for the opposite direction, so
    // that every use fails.
    open("/dev/null", stream == STDIN_FILENO ? O_WRONLY : O_RDONLY);
  }
}

void print_error(std::string_view text) {
  std::fwrite(text.data(), 1, text.size(), stderr);
  std::fflush(stderr);
}

void flush_standard_output() {
  std::cout.flush();
  if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0 || !std::cout) fail();
}

void throw_if_output_failed() {
  if (std::ferror(stdout) != 0) fail();
}

}  // namespace loom::app
