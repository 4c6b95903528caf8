#include "app/files/state_folder.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <pwd.h>
#include <sys/file.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <system_error>
#include <thread>
#include <utility>

#include "app/files/output_file.h"
#include "compute/core/error.h"
#include "compute/core/input_text.h"

namespace loom::app {
namespace {

constexpr const char* kVisited = "visited";
constexpr const char* kDialogFolder = "dialog-folder";
constexpr std::uint64_t kMaxPath = 1 << 13;
constexpr const char* kStateFoldersDisabled = "FRACTAL_LOOM_NO_CONFIG";
constexpr int kMaxAsideFiles = 999;

std::optional<std::filesystem::path> folder_named_by(const char* variable) {
  const char* const value = std::getenv(variable);
  // A relative path is not valid (XDG Base Directory Specification).
  if (value == nullptr || !std::string_view(value).starts_with('/')) return std::nullopt;
  return value;
}

// A service or a container may start the program without HOME.
std::filesystem::path home_folder() {
  if (const auto named = folder_named_by("HOME")) return *named;
  std::array<char, 4096> text;
  passwd entry{};
  passwd* found = nullptr;
  const bool known = getpwuid_r(geteuid(), &entry, text.data(), text.size(), &found) == 0 && found != nullptr;
  return known && *found->pw_dir == '/' ? found->pw_dir : "/";
}

std::optional<std::filesystem::path> own_folder(const char* variable, const char* in_home) {
  const char* const none = std::getenv(kStateFoldersDisabled);
  if (none != nullptr && *none != '\0') return std::nullopt;
  if (const auto named = folder_named_by(variable)) return *named / "fractal-loom";
  return home_folder() / in_home / "fractal-loom";
}

/// The errno of writing a block to a file without a name, which leaves nothing behind; 0 if there was none.
int write_failure(const std::filesystem::path& folder) {
  if (access(folder.c_str(), W_OK | X_OK) != 0) return errno;
  const int file = open(folder.c_str(), O_TMPFILE | O_WRONLY | O_CLOEXEC, 0600);
  // Not every file system has such files.
  if (file < 0) return errno == ENOSPC || errno == EDQUOT || errno == EROFS ? errno : 0;
  constexpr std::array<char, 4096> kBlock{};
  const int reason = write(file, kBlock.data(), kBlock.size()) < 0 ? errno : 0;
  close(file);
  return reason;
}

}  // namespace

std::optional<std::filesystem::path> state_folder() {
  return own_folder("XDG_STATE_HOME", ".local/state");
}

std::optional<std::filesystem::path> config_folder() {
  return own_folder("XDG_CONFIG_HOME", ".config");
}

std::optional<std::filesystem::path> data_folder() {
  return own_folder("XDG_DATA_HOME", ".local/share");
}

std::filesystem::path dialog_folder() {
  std::error_code ignored;
  std::filesystem::path last;
  try {
    if (const auto state = state_folder())
      last = read_state_file(*state / kDialogFolder, kMaxPath).value_or(std::string());
  } catch (const InputError&) {  // the others are as good
    last.clear();
  }
  for (const std::filesystem::path& one : {last, home_folder() / "Documents"}) {
    if (std::filesystem::is_directory(one, ignored)) return one;
  }
  return home_folder();
}

void remember_folder(const std::filesystem::path& file) {
  try {
    if (const auto state = state_folder())
      write_state_file(*state / kDialogFolder, file.parent_path().string());
  } catch (const InputError&) {  // another dialog begins where this one did
    return;
  }
}

// An environment variable, so that the whole program and its child processes see it.
void disable_state_folders() {
  setenv(kStateFoldersDisabled, "1", 1);
}

std::optional<std::string> read_state_file(const std::filesystem::path& file, std::uint64_t most) {
  std::error_code failure;
  const auto status = std::filesystem::status(file, failure);
  if (!std::filesystem::exists(status)) return std::nullopt;
  const auto refuse = [&](const char* why) { throw InputError(file.string() + ": " + why); };
  if (!std::filesystem::is_regular_file(status)) refuse("is not a regular file");
  // The size of the open file: another window may replace the file of this name at any time.
  std::ifstream stream(file, std::ios::binary | std::ios::ate);
  const std::streamoff size = stream.tellg();
  if (size < 0) refuse("cannot be read");
  if (static_cast<std::uint64_t>(size) > most)
    throw InputError(fmt::format("{}: has {} bytes; allowed: up to {}", file.string(), size, most));
  std::string text(static_cast<std::size_t>(size), '\0');
  stream.seekg(0);
  stream.read(text.data(), static_cast<std::streamsize>(text.size()));
  if (!stream) refuse("cannot be read");
  text.erase(0, text.size() - without_byte_order_mark(text).size());
  return text;
}

std::filesystem::path move_aside(const std::filesystem::path& file) {
  std::error_code failure;
  for (int i = 1; i <= kMaxAsideFiles; ++i) {
    const std::filesystem::path aside = file.string() + ".unreadable-" + std::to_string(i);
    if (std::filesystem::exists(std::filesystem::symlink_status(aside, failure))) continue;
    std::filesystem::rename(file, aside, failure);
    return failure ? file : aside;
  }
  return file;
}

void write_state_file(const std::filesystem::path& file, std::string_view text) {
  std::error_code failure;
  std::filesystem::create_directories(file.parent_path(), failure);
  if (failure) throw InputError(fmt::format("{}: {}", file.parent_path().string(), failure.message()));
  write_file(file, text);
}

// A missing folder is created in its nearest existing ancestor, which must be writable.
std::string write_problem(const std::filesystem::path& folder) {
  std::filesystem::path there = folder;
  std::error_code failure;
  while (!std::filesystem::exists(there, failure) && there.has_relative_path()) there = there.parent_path();
  if (!std::filesystem::is_directory(there, failure)) return there.string() + ": is not a folder";
  const int reason = write_failure(there);
  return reason == 0 ? std::string() : fmt::format("{}: {}", there.string(), std::strerror(reason));
}

std::string saving_problem() {
  const std::array<std::pair<const char*, std::optional<std::filesystem::path>>, 3> folders = {
      {{"settings", config_folder()},
       {"bookmarks and palettes", data_folder()},
       {"last scene and lesson progress", state_folder()}}};
  std::vector<const char*> what;
  std::string why;
  for (const auto& [name, folder] : folders) {
    const std::string problem = folder ? write_problem(*folder) : std::string();
    if (problem.empty()) continue;
    what.push_back(name);
    if (why.empty()) why = problem;
  }
  return what.empty() ? std::string()
                      : fmt::format("Not saved in this session: {} ({})", fmt::join(what, ", "), why);
}

bool was_opened_before() {
  const auto folder = state_folder();
  std::error_code ignored;
  return !folder || std::filesystem::exists(*folder / kVisited, ignored);
}

void record_visit() {
  const auto folder = state_folder();
  if (!folder) return;
  std::error_code ignored;
  std::filesystem::create_directories(*folder, ignored);
  std::ofstream(*folder / kVisited);
}

namespace fs = std::filesystem;

namespace {

/// Other windows hold the lock only for renames. A program that ends on a signal has no more time.
constexpr std::chrono::milliseconds kTimeout{500};

}  // namespace

SessionFile::SessionFile(std::optional<fs::path> file) : file_(std::move(file)), known_(now()) {}

void SessionFile::keep_earlier() {
  const std::lock_guard guard(mutex_);
  if (written_ == 0) known_.reset();
}

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
