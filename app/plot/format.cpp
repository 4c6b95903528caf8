#include "app/plot/format.h"

#include <fmt/format.h>

#include "compute/core/error.h"

namespace loom::app::plot {

Format format_of(std::string_view file) {
  if (file.ends_with(".svg")) return Format::kSvg;
  if (file.ends_with(".pdf")) return Format::kPdf;
  if (file.ends_with(".png")) return Format::kPng;
  throw InputError(fmt::format("{}: the ending names no figure format; allowed: .svg, .pdf, .png", file));
}

}  // namespace loom::app::plot
