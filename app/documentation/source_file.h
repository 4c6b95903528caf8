#pragma once

#include <string_view>

namespace loom::app::documentation {

/// A Markdown file that the program contains.
struct SourceFile {
  std::string_view path;  ///< below the source folder: "docs/reference/keys.md"
  std::string_view text;
};

}  // namespace loom::app::documentation
