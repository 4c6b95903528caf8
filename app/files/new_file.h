#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace loom::app {

/// Makes a text usable as part of a file name: letters, digits, '.', '_' and '-' stay, a run of other
/// characters becomes one '-'. The result begins with neither a dot nor a dash, has 1 to kMaxPlainName bytes
/// and contains no folder.
std::string plain_file_name(std::string_view text);
inline constexpr std::size_t kMaxPlainName = 120;

/// A name that does not exist in the current folder: "stem.png", otherwise "stem-2.png" and so on.
std::string new_file_name(std::string_view stem, std::string_view extension);

}  // namespace loom::app
