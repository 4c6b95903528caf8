#pragma once

#include <filesystem>
#include <string>

namespace loom::app::bench {

/// A file's content. Throws InputError with the system's reason.
std::string read_file(const std::filesystem::path& file);

}  // namespace loom::app::bench
