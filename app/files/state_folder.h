#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace loom::app {

/// The program's folder for what it remembers between starts: $XDG_STATE_HOME/fractal-loom, else
/// ~/.local/state/fractal-loom; nothing where neither is set. It need not exist.
std::optional<std::filesystem::path> state_folder();

/// Likewise its folder of settings ($XDG_CONFIG_HOME, else ~/.config) and of what the user keeps
/// ($XDG_DATA_HOME, else ~/.local/share).
std::optional<std::filesystem::path> config_folder();
std::optional<std::filesystem::path> data_folder();

/// From now on all of these folders are nothing: neither read nor written.
void use_no_folders();

/// The text of a file in one of these folders; nothing where there is none. Throws InputError where it cannot
/// be read or has over `most` bytes.
std::optional<std::string> kept_text(const std::filesystem::path& file, std::uint64_t most);
/// A file that cannot be understood is not lost: it gets another name beside its own, which is returned; the
/// old name where even that cannot be.
std::filesystem::path set_aside(const std::filesystem::path& file);
/// Writes a file of these folders in one go, making the folder. Throws InputError where it cannot.
void keep_text(const std::filesystem::path& file, std::string_view text);
/// What cannot be saved in these folders, and why: a sentence for the user. Empty where all of them can be
/// written, or are nothing.
std::string saving_problem();

/// Whether the window was opened before, as far as the folder says; where there is none, it was.
bool was_here_before();
/// From now on it was. Does nothing where the folder cannot be written.
void remember_visit();

}  // namespace loom::app
