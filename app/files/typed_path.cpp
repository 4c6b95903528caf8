#include "app/files/typed_path.h"

#include <algorithm>
#include <cstdlib>
#include <system_error>

namespace loom::app {

std::filesystem::path typed_path(const std::filesystem::path& folder, const std::string& text) {
  const char* const home = std::getenv("HOME");
  if (home != nullptr && (text == "~" || text.starts_with("~/"))) {
    return (std::filesystem::path(home) / text.substr(std::min<std::size_t>(2, text.size())))
        .lexically_normal();
  }
  return (folder / text).lexically_normal();
}

std::filesystem::path typed_path(const std::string& text) {
  std::error_code gone;  // the working directory may have been removed
  return typed_path(std::filesystem::current_path(gone), text);
}

}  // namespace loom::app
