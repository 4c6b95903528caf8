#include "app/bench/file_text.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <sstream>
#include <system_error>

#include "compute/core/error.h"

namespace loom::app::bench {
namespace {

InputError cannot(std::string_view what, const std::filesystem::path& file, int reason) {
  return InputError(fmt::format("{}: cannot be {}: {}; allowed: a file in a folder that may be written",
                                file.string(), what, std::strerror(reason)));
}

}  // namespace

void replace_file(const std::filesystem::path& file, std::string_view bytes) {
  // Beside the file, so that the rename stays within one file system.
  const std::filesystem::path partial = fmt::format("{}.{}.partial", file.string(), getpid());
  std::ofstream stream(partial, std::ios::binary | std::ios::trunc);
  if (!stream) throw cannot("written", file, errno);
  stream.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  stream.close();
  std::error_code failure;
  if (stream) {
    std::filesystem::rename(partial, file, failure);
    if (!failure) return;
  }
  const int reason = failure ? failure.value() : errno;
  std::filesystem::remove(partial, failure);
  throw cannot("written", file, reason);
}

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

void check_may_write(const std::filesystem::path& file, bool replace, std::string_view remedy) {
  std::error_code failure;
  const auto status = std::filesystem::status(file, failure);
  if (std::filesystem::is_directory(status)) {
    throw InputError(fmt::format("{}: is a folder; allowed: a file", file.string()));
  }
  if (std::filesystem::exists(status) && !replace) {
    throw InputError(fmt::format("{}: is there already and is not overwritten; allowed: another file, or {}",
                                 file.string(), remedy));
  }
}

}  // namespace loom::app::bench
