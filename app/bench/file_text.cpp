#include "app/bench/file_text.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <sstream>
#include <system_error>

#include "compute/core/error.h"

namespace loom::app::bench {
std::string read_file(const std::filesystem::path& file) {
  std::error_code failure;
  if (std::filesystem::is_directory(file, failure)) {
    throw InputError(fmt::format("{}: is a folder; allowed: a file", file.string()));
  }
  std::ifstream stream(file, std::ios::binary);
  if (!stream) {
    throw InputError(
        fmt::format("{}: cannot be read: {}; allowed: a readable file", file.string(), std::strerror(errno)));
  }
  std::ostringstream text;
  text << stream.rdbuf();
  return text.str();
}

}  // namespace loom::app::bench
