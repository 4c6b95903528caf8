#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace loom::app::bench {

/// Puts `bytes` in place of a file's content in one go: whoever reads the file sees the old content or the
/// new one, whole. Throws InputError with the system's reason; the old content then stays.
void replace_file(const std::filesystem::path& file, std::string_view bytes);

/// A file's content. Throws InputError with the system's reason.
std::string read_file(const std::filesystem::path& file);

/// Throws InputError where the file is there already and may not be replaced; `remedy` is how it could be.
void check_may_write(const std::filesystem::path& file, bool replace, std::string_view remedy = "--force");

}  // namespace loom::app::bench
