#pragma once

#include <chrono>
#include <filesystem>

namespace loom::app {

/// Exclusive lock (flock) of a folder across programs, for read-modify-write of its files. Creates no file.
/// The wait is bounded, so that a stopped program or a file system without locks does not block saving.
class FolderLock {
 public:
  /// Long enough to write a small file to a slow disk.
  static constexpr std::chrono::milliseconds kTimeout{5000};
  /// Does not lock if the folder cannot be opened or another process holds the lock for longer than
  /// `patience`.
  explicit FolderLock(const std::filesystem::path& folder, std::chrono::milliseconds patience = kTimeout);
  ~FolderLock();
  FolderLock(const FolderLock&) = delete;
  FolderLock& operator=(const FolderLock&) = delete;

 private:
  int descriptor_ = -1;
};

}  // namespace loom::app
