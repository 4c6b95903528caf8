#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace loom::app {

/// Text of a file or of the user as part of a file's name: letters, digits, '.', '_' and '-' stay, a run of
/// all else becomes one '-'. It begins with neither a dot nor a dash, has 1 to kMostPlainName bytes and names
/// no folder.
std::string plain_file_name(std::string_view text);
inline constexpr std::size_t kMostPlainName = 120;

/// A name in this folder that no file has yet: "stem.png", else "stem-2.png" and so on.
std::string new_file_name(std::string_view stem, std::string_view ending);

}  // namespace loom::app
