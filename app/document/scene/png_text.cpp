#include "app/document/scene/png_text.h"

#include <zlib.h>

#include <cstdint>

#include "compute/core/error.h"

namespace loom::app::scene {
namespace {

// PNG (ISO/IEC 15948), clause 5: a signature, then chunks of length, type, data and the CRC of type and data.
constexpr std::string_view kSignature("\x89PNG\r\n\x1a\n", 8);
constexpr std::string_view kTextType = "tEXt";
constexpr std::string_view kEndType = "IEND";
constexpr std::size_t kNeighbourNames = 12;  ///< bytes of a chunk in addition to its data
constexpr std::size_t kMaxData = (std::size_t{1} << 31) - 1;

std::uint32_t crc_of(std::string_view bytes) {
  return static_cast<std::uint32_t>(crc32_z(0, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size()));
}

std::uint32_t number_at(std::string_view bytes, std::size_t at) {
  std::uint32_t number = 0;
  for (std::size_t i = at; i < at + 4; ++i) number = number << 8 | static_cast<unsigned char>(bytes[i]);
  return number;
}

std::string bytes_of(std::uint32_t number) {
  std::string bytes;
  for (int shift = 24; shift >= 0; shift -= 8) bytes += static_cast<char>(number >> shift & 255);
  return bytes;
}

struct Chunk {
  std::string_view type;
  std::string_view data;
  bool damaged = false;
  std::size_t begin = 0;
};

/// The chunk at `at`, which then advances to the next chunk.
Chunk next_chunk(std::string_view png, std::size_t& at) {
  if (png.size() - at < kNeighbourNames) throw InputError("the PNG ends early");
  const std::size_t size = number_at(png, at);
  if (size > kMaxData || png.size() - at - kNeighbourNames < size) throw InputError("the PNG ends early");
  const std::string_view checked = png.substr(at + 4, 4 + size);
  const Chunk chunk{checked.substr(0, 4), checked.substr(4), number_at(png, at + 8 + size) != crc_of(checked),
                    at};
  at += kNeighbourNames + size;
  return chunk;
}

}  // namespace

bool is_png(std::string_view bytes) {
  return bytes.starts_with(kSignature);
}

std::string add_text_chunk(std::string_view png, std::string_view keyword, std::string_view text) {
  if (!is_png(png)) throw InputError("it is not a PNG");
  std::string data(keyword);
  data.append(1, '\0').append(text);
  if (data.size() > kMaxData) throw InputError("the text is too long for a PNG");
  const std::string checked = std::string(kTextType) + data;
  std::size_t at = kSignature.size();
  for (;;) {
    const Chunk chunk = next_chunk(png, at);
    if (chunk.type != kEndType) continue;
    std::string all(png.substr(0, chunk.begin));
    all.append(bytes_of(static_cast<std::uint32_t>(data.size())))
        .append(checked)
        .append(bytes_of(crc_of(checked)));
    return all.append(png.substr(chunk.begin));
  }
}

std::optional<std::string> read_text_chunk(std::string_view png, std::string_view keyword) {
  if (!is_png(png)) throw InputError("it is not a PNG");
  std::string beginning(keyword);
  beginning.append(1, '\0');
  for (std::size_t at = kSignature.size();;) {
    const Chunk chunk = next_chunk(png, at);
    if (chunk.type == kTextType && chunk.data.starts_with(beginning)) {
      if (chunk.damaged) throw InputError("the PNG's text is damaged");
      return std::string(chunk.data.substr(beginning.size()));
    }
    if (chunk.type == kEndType) return std::nullopt;
  }
}

}  // namespace loom::app::scene
