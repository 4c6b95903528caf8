#include "app/files/npy_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <string>
#include <vector>

#include "app/files/output_file.h"

namespace loom::app {
namespace {

static_assert(std::endian::native == std::endian::little, "rows are written as they lie in memory");

/// Magic, version, length and text, padded so that the data begins at a multiple of 64 bytes.
std::string header(std::uint32_t width, std::uint32_t height) {
  constexpr std::size_t kBeforeText = 10;
  std::string text =
      fmt::format("{{'descr': '<u4', 'fortran_order': False, 'shape': ({}, {}), }}", height, width);
  while ((kBeforeText + text.size() + 1) % 64 != 0) text += ' ';
  text += '\n';
  std::string start("\x93NUMPY\x01\x00", 8);
  start += static_cast<char>(text.size() % 256);
  start += static_cast<char>(text.size() / 256);
  return start + text;
}

}  // namespace

void write_npy(const std::filesystem::path& file, std::uint32_t width, std::uint32_t height,
               const std::function<void(std::uint32_t first_row, std::span<std::uint32_t> rows)>& read) {
  constexpr std::uint32_t kValuesAtATime = 1 << 22;
  const std::uint32_t rows_at_a_time = std::clamp(kValuesAtATime / width, 1u, height);
  OutputFile out(file);
  out.write(header(width, height));
  std::vector<std::uint32_t> values(std::size_t{rows_at_a_time} * width);
  for (std::uint32_t y = 0; y < height; y += rows_at_a_time) {
    const std::size_t count = std::size_t{std::min(rows_at_a_time, height - y)} * width;
    read(y, std::span(values).first(count));
    out.write({reinterpret_cast<const char*>(values.data()), count * sizeof(std::uint32_t)});
  }
  out.commit();
}

}  // namespace loom::app
