#pragma once

#include <sys/stat.h>

#include <atomic>
#include <filesystem>
#include <functional>
#include <mutex>
#include <optional>
#include <vector>

namespace loom::app {

/// A file in which each window leaves what it had when it ended, for the next start. Where another window has
/// left its own since this one began, that one is not written over: it moves on to "name-2", what was there
/// to "name-3", up to kMost files.
class LastFile {
 public:
  static constexpr int kMost = 4;

  /// Notes what is there now. Without a file, nothing is ever kept.
  explicit LastFile(std::optional<std::filesystem::path> file);
  LastFile(const LastFile&) = delete;
  LastFile& operator=(const LastFile&) = delete;

  /// Has it written by `write`, which gets the name of a new file to write to. Returns where those of other
  /// windows are now, the oldest first; mostly there are none. Threads may call it at once. Throws what
  /// `write` throws, and std::filesystem::filesystem_error; what was there then stays.
  std::vector<std::filesystem::path> keep(const std::function<void(const std::filesystem::path&)>& write);

 private:
  struct Identity {
    dev_t device;
    ino_t node;
    timespec written;
  };
  std::optional<Identity> now() const;
  bool is_known(const std::optional<Identity>& one) const;
  std::filesystem::path numbered(int number) const;
  std::vector<std::filesystem::path> move_on() const;

  std::optional<std::filesystem::path> file_;
  std::atomic<int> written_ = 0;
  std::mutex mutex_;               ///< guards what follows
  std::optional<Identity> known_;  ///< of the file, as it was when the window began or as it has written it
};

}  // namespace loom::app
