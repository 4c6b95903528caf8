#pragma once

#include <sys/stat.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace loom::app {

/// The folder for state between starts: $XDG_STATE_HOME/fractal-loom, else ~/.local/state/fractal-loom; empty
/// after disable_state_folders(). It may not exist yet.
std::optional<std::filesystem::path> state_folder();

/// The folders for settings ($XDG_CONFIG_HOME, else ~/.config) and for user data ($XDG_DATA_HOME, else
/// ~/.local/share).
std::optional<std::filesystem::path> config_folder();
std::optional<std::filesystem::path> data_folder();

/// The folder in which file dialogs begin: that of the file chosen last, else Documents in the home folder,
/// else the home folder.
std::filesystem::path dialog_folder();
/// Records the file that was chosen; without a state folder, nothing.
void remember_folder(const std::filesystem::path& file);

/// Disables all of these folders: nothing is read or written.
void disable_state_folders();

/// The text of a file in one of these folders; empty if it does not exist. Throws InputError if it cannot be
/// read or has more than `most` bytes.
std::optional<std::string> read_state_file(const std::filesystem::path& file, std::uint64_t most);
/// Renames an unreadable file so that it is not lost, and returns the new name; the old name if renaming
/// fails.
std::filesystem::path move_aside(const std::filesystem::path& file);
/// Writes a file in these folders atomically and creates the folder. Throws InputError if it cannot.
void write_state_file(const std::filesystem::path& file, std::string_view text);
/// Why no file can be written in this folder, which may not exist yet; empty if one can. Writes a block that
/// disappears, since a full disk shows only then.
std::string write_problem(const std::filesystem::path& folder);
/// What cannot be saved in these folders, and why, as a sentence for the user; empty if everything can.
std::string saving_problem();

/// Whether the window was opened before, according to the folder; true if there is no folder.
bool was_opened_before();
/// Records a visit; does nothing if the folder is not writable.
void record_visit();

/// A file in which each window stores its final state for the next start. If another window has written it
/// since this one started, its content is not overwritten: it moves to "name-2", what was there to "name-3",
/// and so on up to kMost files.
class SessionFile {
 public:
  static constexpr int kMost = 4;

  /// Records the current content. Without a file, nothing is stored.
  explicit SessionFile(std::optional<std::filesystem::path> file);
  /// What the file had at the start is kept, too, as if another window had written it.
  void keep_earlier();
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
