#include "app/files/new_file.h"

#include <filesystem>
#include <system_error>

namespace loom::app {

std::string new_file_name(std::string_view stem, std::string_view ending) {
  constexpr int kMost = 100000;
  std::string name = std::string(stem) + std::string(ending);
  std::error_code ignored;
  for (int i = 2; i < kMost && std::filesystem::exists(std::filesystem::symlink_status(name, ignored)); ++i)
    name = std::string(stem) + "-" + std::to_string(i) + std::string(ending);
  return name;
}

}  // namespace loom::app
