#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "app/film/descriptor.h"
#include "compute/engine/watch.h"

namespace loom::app::film {

/// A program that reads bytes of this one from its standard input, in a process group of its own: Ctrl-C in
/// the terminal is not sent to it. Nothing here waits for it without end: every call that waits looks at the
/// watch, which may be null, and throws Cancelled. Its standard error is read whenever it is waited for, and
/// the last kKeptMessages bytes are kept.
class ChildProcess {
 public:
  static constexpr std::size_t kKeptMessages = 4096;

  /// The number by which it knows the file that it writes.
  static constexpr int kOutput = 3;

  /// `words` are its arguments, the program's name first; `output` is the descriptor of an open file, which
  /// it has as kOutput. Throws MachineError where it cannot be run.
  ChildProcess(const std::filesystem::path& program, std::vector<std::string> words, int output);
  /// As end().
  ~ChildProcess();
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;

  /// Returns whether it took all of them: false where it reads no more.
  bool write(std::span<const std::uint8_t> bytes, const Watch* watch);
  void close_input() { input_.reset(); }
  /// Waits until it ends, at most `patience`, and returns its status as waitpid() does; none: it still runs.
  std::optional<int> wait(const Watch* watch, std::optional<std::chrono::milliseconds> patience = {});
  /// Asks its process group to end, and kills it a moment later.
  void end();
  const std::string& messages() const { return messages_; }

 private:
  bool wait_until_ended(std::chrono::milliseconds patience);
  void look(bool for_room);
  void read_messages();
  bool has_ended() const;
  int collect();

  Descriptor input_;
  Descriptor errors_;
  std::string messages_;
  pid_t child_ = -1;  ///< also the number of its group; -1 once its status was collected
};

}  // namespace loom::app::film
