#include "app/files/folder_lock.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <thread>

namespace loom::app {
namespace {

constexpr std::chrono::milliseconds kBetweenTries{2};

}  // namespace

FolderLock::FolderLock(const std::filesystem::path& folder, std::chrono::milliseconds patience)
    : descriptor_(open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)) {
  if (descriptor_ < 0) return;
  const auto end = std::chrono::steady_clock::now() + patience;
  while (flock(descriptor_, LOCK_EX | LOCK_NB) != 0) {
    const bool held = errno == EWOULDBLOCK || errno == EINTR;
    if (!held || std::chrono::steady_clock::now() >= end) return;
    std::this_thread::sleep_for(kBetweenTries);
  }
}

FolderLock::~FolderLock() {
  if (descriptor_ >= 0) close(descriptor_);  // also unlocks
}

}  // namespace loom::app
