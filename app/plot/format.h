#pragma once

#include <string_view>

namespace loom::app::plot {

enum class Format { kSvg, kPdf, kPng };
/// By a file's ending, ".svg", ".pdf" or ".png". Throws InputError for another one.
Format format_of(std::string_view file);

}  // namespace loom::app::plot
