#include "compute/custom_map/map_messages.h"

#include <pthread.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>

namespace loom {
namespace {

/// Writes all bytes to standard output; gives up where nobody reads them.
void write_all(const void* data, std::size_t bytes) {
  const auto* at = static_cast<const char*>(data);
  while (bytes > 0) {
    const ssize_t written = write(STDOUT_FILENO, at, bytes);
    if (written <= 0) {
      if (written < 0 && errno == EINTR) continue;
      _exit(0);
    }
    at += written;
    bytes -= static_cast<std::size_t>(written);
  }
}

}  // namespace

void send(MapMessage kind, const void* data, std::size_t bytes) {
  // The message of the time limit comes between two messages, not in one.
  sigset_t timers;
  sigset_t before;
  sigemptyset(&timers);
  sigaddset(&timers, SIGALRM);
  sigaddset(&timers, SIGXCPU);
  pthread_sigmask(SIG_BLOCK, &timers, &before);
  const MapMessageHead head{kind, static_cast<std::uint32_t>(bytes)};
  write_all(&head, sizeof(head));
  write_all(data, bytes);
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

void send_problem(int line, int column, const std::string& text) {
  const std::int32_t place[2] = {line, column};
  std::string message(sizeof(place), '\0');
  std::memcpy(message.data(), place, sizeof(place));
  message += text;
  send(MapMessage::kProblem, message.data(), message.size());
}

bool read_all(int file, void* data, std::size_t bytes) {
  auto* at = static_cast<char*>(data);
  while (bytes > 0) {
    const ssize_t got = read(file, at, bytes);
    if (got <= 0) {
      if (got < 0 && errno == EINTR) continue;
      return false;
    }
    at += got;
    bytes -= static_cast<std::size_t>(got);
  }
  return true;
}

}  // namespace loom
