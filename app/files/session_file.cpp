#include "app/files/session_file.h"

#include <fmt/format.h>
#include <unistd.h>

#include <string_view>
#include <system_error>
#include <utility>

#include "app/files/folder_lock.h"
#include "compute/core/error.h"

namespace loom::app {

namespace fs = std::filesystem;

namespace {

/// Other windows hold the lock only for renames. A program that ends on a signal has no more time.
constexpr std::chrono::milliseconds kTimeout{500};

}  // namespace

SessionFile::SessionFile(std::optional<fs::path> file) : file_(std::move(file)), known_(now()) {}

std::optional<SessionFile::Identity> SessionFile::now() const {
  struct stat status {};
  if (!file_ || stat(file_->c_str(), &status) != 0) return std::nullopt;
  return Identity{status.st_dev, status.st_ino, status.st_mtim};
}

bool SessionFile::is_known(const std::optional<Identity>& one) const {
  return one && known_ && one->device == known_->device && one->node == known_->node &&
         one->written.tv_sec == known_->written.tv_sec && one->written.tv_nsec == known_->written.tv_nsec;
}

fs::path SessionFile::numbered(int number) const {
  return file_->parent_path() /
         fmt::format("{}-{}{}", file_->stem().string(), number, file_->extension().string());
}

std::vector<fs::path> SessionFile::rotate() const {
  std::vector<fs::path> others;
  for (int number = kMost; number >= 2; --number) {
    const fs::path from = number == 2 ? *file_ : numbered(number - 1);
    std::error_code failure;
    fs::rename(from, numbered(number), failure);
    if (!failure) others.push_back(numbered(number));
  }
  return others;
}

std::vector<fs::path> SessionFile::save(const std::function<void(const fs::path&)>& write) {
  if (!file_) return {};
  std::error_code failure;
  const auto fail = [&](std::string_view why) {
    throw MachineError(fmt::format("{}: {}", file_->string(), why));
  };
  fs::create_directories(file_->parent_path(), failure);
  if (failure) fail("cannot be written: " + failure.message());
  // Written under a temporary name first: writing may take long, and only the renames need the lock.
  const fs::path own =
      file_->parent_path() / fmt::format(".{}.{}.{}", file_->filename().string(), getpid(), ++written_);
  try {
    write(own);
  } catch (const std::runtime_error& error) {
    std::string_view why = error.what();
    if (const std::string name = own.string() + ": "; why.starts_with(name)) why.remove_prefix(name.size());
    fail(why);
  }
  std::vector<fs::path> others;
  const std::lock_guard guard(mutex_);
  const FolderLock lock(file_->parent_path(), kTimeout);
  if (const auto there = now(); there && !is_known(there)) others = rotate();
  fs::rename(own, *file_, failure);
  if (failure) {
    std::error_code ignored;
    fs::remove(own, ignored);
    fail("cannot be written: " + failure.message());
  }
  known_ = now();
  return others;
}

}  // namespace loom::app
