#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace loom::app {

/// The folder for state between starts: $XDG_STATE_HOME/fractal-loom, else ~/.local/state/fractal-loom; empty
/// after disable_state_folders(). It may not exist yet.
std::optional<std::filesystem::path> state_folder();

/// The folders for settings ($XDG_CONFIG_HOME, else ~/.config) and for user data ($XDG_DATA_HOME, else
/// ~/.local/share).
std::optional<std::filesystem::path> config_folder();
std::optional<std::filesystem::path> data_folder();

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

}  // namespace loom::app
