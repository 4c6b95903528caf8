#include "app/patterns/pattern_file.h"

#include <fmt/format.h>

#include "app/patterns/cells_text.h"
#include "app/patterns/rle.h"
#include "compute/core/error.h"
#include "compute/core/input_text.h"

namespace loom::app::patterns {

Pattern parse_pattern(std::string_view text, std::string_view name, const ProgressMonitor* watch) {
  text = without_byte_order_mark(text);
  if (text.size() > kMaxBytes)
    throw InputError(fmt::format("{}: has {} bytes; allowed: up to {}", name, text.size(), kMaxBytes));
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  const bool comment = first != std::string_view::npos && text[first] == '!';
  const bool rows =
      first != std::string_view::npos && text.find_first_not_of(".Oo* \t\r\n") == std::string_view::npos;
  return comment || rows ? parse_cells(text, name, watch) : parse_rle(text, name, watch);
}

Pattern read_pattern_file(const std::filesystem::path& file, const ProgressMonitor* watch) {
  const std::string text =
      read_input(file, kMaxBytes, "a pattern as RLE or .cells", [watch] { check_cancel(watch); });
  return parse_pattern(text, file.filename().string(), watch);
}

bool is_pattern_file(const std::filesystem::path& file) {
  return file.extension() == ".rle" || file.extension() == ".cells";
}

}  // namespace loom::app::patterns
