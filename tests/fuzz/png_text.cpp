// Searching bytes for a PNG text chunk succeeds or throws an InputError. Most mutations only break a
// checksum, so the bytes are tried both unchanged and with corrected checksums. A text that is added can be
// read back.
#include "app/document/scene/png_text.h"

#include <zlib.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "compute/core/error.h"

namespace {

constexpr std::string_view kKeyword = "fractal-loom-scene";
constexpr std::string_view kCustom = "kept";

void read(std::string_view png) {
  using namespace loom::app::scene;
  try {
    if (!is_png(png)) return;
    const bool had_own = read_text_chunk(png, kCustom).has_value();
    static_cast<void>(read_text_chunk(png, kKeyword));
    const std::string with = add_text_chunk(png, kCustom, "some words");
    if (!had_own && read_text_chunk(with, kCustom) != "some words") std::abort();
  } catch (const loom::InputError&) {
  }
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
  read(bytes);
  read(with_right_checksums(bytes));
  return 0;
}
