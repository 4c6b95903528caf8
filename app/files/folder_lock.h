#pragma once

#include <filesystem>

namespace loom::app {

/// Exclusive lock (flock) of a folder across programs, for read-modify-write of its files. Leaves nothing
/// behind. The wait is bounded, so that a stopped program or a file system without locks does not block
/// saving.
class FolderLock {
 public:
  /// Locks nothing if the folder cannot be opened.
  explicit FolderLock(const std::filesystem::path& folder);
  ~FolderLock();
  FolderLock(const FolderLock&) = delete;
  FolderLock& operator=(const FolderLock&) = delete;

 private:
  int descriptor_ = -1;
};

}  // namespace loom::app
