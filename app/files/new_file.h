#pragma once

#include <string>
#include <string_view>

namespace loom::app {

/// A name in this folder that no file has yet: "stem.png", else "stem-2.png" and so on.
std::string new_file_name(std::string_view stem, std::string_view ending);

}  // namespace loom::app
