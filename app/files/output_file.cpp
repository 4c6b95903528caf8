#include "app/files/output_file.h"

#include <fmt/format.h>

#include "compute/core/error.h"

namespace loom::app {

void check_can_be_written(std::string_view option, const std::filesystem::path& file) {
  const std::filesystem::path folder = file.has_parent_path() ? file.parent_path() : ".";
  if (!std::filesystem::is_directory(folder)) {
    throw InputError(fmt::format("{} {}: there is no folder {}; allowed: a file in a folder that exists",
                                 option, file.string(), folder.string()));
  }
  if (std::filesystem::is_directory(file)) {
    throw InputError(fmt::format("{} {}: this is a folder; allowed: a file", option, file.string()));
  }
}

}  // namespace loom::app
