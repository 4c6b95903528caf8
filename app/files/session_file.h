#pragma once

#include <sys/stat.h>

#include <atomic>
#include <filesystem>
#include <functional>
#include <mutex>
#include <optional>
#include <vector>

namespace loom::app {

/// A file in which each window stores its final state for the next start. If another window has written it
/// since this one started, its content is not overwritten: it moves to "name-2", what was there to "name-3",
/// and so on up to kMost files.
class SessionFile {
 public:
  static constexpr int kMost = 4;

  /// Records the current content. Without a file, nothing is stored.
  explicit SessionFile(std::optional<std::filesystem::path> file);
  SessionFile(const SessionFile&) = delete;
  SessionFile& operator=(const SessionFile&) = delete;

  /// Writes the file with `write`, which receives the name of a new file. Returns the files with the states
  /// of other windows, oldest first; usually none. Thread-safe. Throws std::runtime_error that names the file
  /// and the reason; the previous content then stays.
  std::vector<std::filesystem::path> save(const std::function<void(const std::filesystem::path&)>& write);

 private:
  struct Identity {
    dev_t device;
    ino_t node;
    timespec written;
  };
  std::optional<Identity> now() const;
  bool is_known(const std::optional<Identity>& one) const;
  std::filesystem::path numbered(int number) const;
  std::vector<std::filesystem::path> rotate() const;

  std::optional<std::filesystem::path> file_;
  std::atomic<int> written_ = 0;
  std::mutex mutex_;               ///< guards the following members
  std::optional<Identity> known_;  ///< identity of the file at the start, or after this window wrote it
};

}  // namespace loom::app
