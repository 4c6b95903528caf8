#pragma once

#include <filesystem>
#include <string_view>

namespace loom::app {

/// Asked before anything is computed, so that a mistyped folder costs no time. Throws InputError that names
/// the option where the file's folder does not exist or the file is a folder.
void check_can_be_written(std::string_view option, const std::filesystem::path& file);

}  // namespace loom::app
