// Searching bytes for a PNG text chunk succeeds or throws a std::runtime_error. Most mutations only break a
// checksum, so the bytes are tried both unchanged and with corrected checksums. Bytes that are no PNG are
// written as a text, and those after a zero byte as its data, which can be read back.
#include <zlib.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <stdexcept>
#include <string>
#include <string_view>

#include "render/png.h"

namespace {

constexpr const char* kKeyword = "fractal-loom-scene";

void read(std::string_view png) {
  try {
    const auto text = loom::render::read_png_text(png, kKeyword);
    if (text && text->size() > png.size()) std::abort();
  } catch (const std::runtime_error&) {
  }
}

void write(std::string_view bytes) {
  const std::string text(bytes.substr(0, bytes.find('\0')));
  const std::string_view data = bytes.substr(std::min(text.size() + 1, bytes.size()));
  std::string png;
  loom::render::PngWriter writer(
      {1, 1}, [&](std::string_view part) { png += part; },
      loom::render::PngText{kKeyword, text.c_str(), data});
  writer.rows(std::array<std::uint8_t, 3>{});
  writer.finish();
  if (loom::render::read_png_text(png, kKeyword) != (data.empty() ? text : bytes)) std::abort();
}

std::string with_right_checksums(std::string_view bytes) {
  constexpr std::size_t kSignature = 8;
  std::string png(bytes);
  for (std::size_t at = kSignature; at + 12 <= png.size();) {
    std::size_t size = 0;
    for (std::size_t i = at; i < at + 4; ++i) size = size << 8 | static_cast<unsigned char>(png[i]);
    if (size > png.size() - at - 12) break;
    auto sum =
        static_cast<std::uint32_t>(crc32_z(0, reinterpret_cast<const Bytef*>(png.data() + at + 4), size + 4));
    for (std::size_t i = 0; i < 4; ++i, sum <<= 8) png[at + 8 + size + i] = static_cast<char>(sum >> 24);
    at += 12 + size;
  }
  return png;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  if (!loom::render::is_png(bytes)) {
    write(bytes);
    return 0;
  }
  read(bytes);
  read(with_right_checksums(bytes));
  return 0;
}
