#pragma once

#include <chrono>
#include <filesystem>

namespace loom::app {

/// Exclusive lock (flock) of a folder across programs, for read-modify-write of its files. Leaves nothing
/// behind. The wait is bounded, so that a stopped program or a file system without locks does not block
/// saving.
class FolderLock {
 public:
  /// A small file is written within, also on a slow disk.
  static constexpr std::chrono::milliseconds kTimeout{5000};
  /// Where the folder cannot be opened, or another one holds the lock for longer than `patience`, nothing is
  /// locked.
  explicit FolderLock(const std::filesystem::path& folder, std::chrono::milliseconds patience = kTimeout);
  ~FolderLock();
  FolderLock(const FolderLock&) = delete;
  FolderLock& operator=(const FolderLock&) = delete;

 private:
  int descriptor_ = -1;
};

}  // namespace loom::app
