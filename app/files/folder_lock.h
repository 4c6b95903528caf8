#pragma once

#include <chrono>
#include <filesystem>

namespace loom::app {

/// While it lives, no other one of the same folder does, in this program or another: for what is read,
/// changed and written again. The folder itself is locked (flock), so that nothing is left behind. Waits for
/// the other one, but not for ever: a program that is stopped, or a file system without locks, must not hold
/// up what is to be kept.
class FolderLock {
 public:
  /// A small file is written within, also on a slow disk.
  static constexpr std::chrono::milliseconds kPatience{5000};
  /// Where the folder cannot be opened, or another one holds the lock for longer than `patience`, nothing is
  /// locked.
  explicit FolderLock(const std::filesystem::path& folder, std::chrono::milliseconds patience = kPatience);
  ~FolderLock();
  FolderLock(const FolderLock&) = delete;
  FolderLock& operator=(const FolderLock&) = delete;

 private:
  int descriptor_ = -1;
};

}  // namespace loom::app
