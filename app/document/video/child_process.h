#pragma once

#include <sys/types.h>
#include <unistd.h>

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "compute/engine/progress_monitor.h"

namespace loom::app::video {

/// Owns a file descriptor and closes it.
class FileDescriptor {
 public:
  FileDescriptor() = default;
  explicit FileDescriptor(int number) : number_(number) {}
  ~FileDescriptor() { reset(); }
  FileDescriptor(const FileDescriptor&) = delete;
  FileDescriptor& operator=(const FileDescriptor&) = delete;
  FileDescriptor(FileDescriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  FileDescriptor& operator=(FileDescriptor&& other) noexcept {
    std::swap(number_, other.number_);
    return *this;
  }
  int number() const { return number_; }
  void reset() {
    if (number_ >= 0) close(number_);
    number_ = -1;
  }

 private:
  int number_ = -1;
};

/// A child process that receives bytes through its standard input. It has its own process group, so Ctrl-C in
/// the terminal does not reach it. Every call that waits checks the watch (which may be null) and throws
/// OperationCancelled. Its standard error is read during waits, and the last kKeptMessages bytes are kept.
class ChildProcess {
 public:
  static constexpr std::size_t kKeptMessages = 4096;

  /// The descriptor number of the output file in the child.
  static constexpr int kOutput = 3;

  /// `words` are the arguments, starting with the program's name. `output` is an open descriptor, which the
  /// child receives as kOutput. Throws MachineError if the program cannot be run.
  ChildProcess(const std::filesystem::path& program, std::vector<std::string> words, int output);
  /// Calls end().
  ~ChildProcess();
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;

  /// Returns true if the child read all bytes, false if it stopped reading.
  bool write(std::span<const std::uint8_t> bytes, const ProgressMonitor* watch);
  void close_input() { input_.reset(); }
  /// Waits until the child has exited, at most for `timeout`, and returns its status as from waitpid(); empty
  /// if it is still running.
  std::optional<int> wait(const ProgressMonitor* watch,
                          std::optional<std::chrono::milliseconds> timeout = {});
  /// Sends SIGTERM to the process group and, half a second later, SIGKILL.
  void end();
  const std::string& messages() const { return messages_; }

 private:
  bool wait_until_ended(std::chrono::milliseconds timeout);
  void look(bool for_room);
  void read_messages();
  bool has_ended() const;
  int collect();

  FileDescriptor input_;
  FileDescriptor errors_;
  std::string messages_;
  pid_t child_ = -1;  ///< also its group id; -1 after its status was collected
};

}  // namespace loom::app::video
