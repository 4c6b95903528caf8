#include "render/png_text.h"

#include <cstring>
#include <new>
#include <stdexcept>

#include "render/png_calls.h"

namespace loom::render {
namespace {

/// More than libpng needs for itself.
constexpr std::size_t kOwnBytes = 1 << 16;

/// The last chunk of every PNG.
constexpr std::string_view kEnd("\0\0\0\0IEND\xae\x42\x60\x82", 12);
constexpr std::size_t kChecksum = 4;

struct Reader {
  std::string_view rest;
  bool is_complete;
  std::optional<std::string> data;
  PngCalls calls;
  png_structp png = nullptr;
  png_infop info = nullptr;

  explicit Reader(std::string_view bytes)
      : rest(bytes),
        is_complete(bytes.ends_with(kEnd)),
        calls("the PNG is damaged", bytes.size() + kOwnBytes) {
    png = png_create_read_struct_2(PNG_LIBPNG_VER_STRING, &calls, PngCalls::complain, PngCalls::ignore,
                                   &calls, PngCalls::allocate, nullptr);
    if (png != nullptr) info = png_create_info_struct(png);
  }
  ~Reader() { png_destroy_read_struct(&png, &info, nullptr); }
  Reader(const Reader&) = delete;
  Reader& operator=(const Reader&) = delete;

  static void read(png_structp png, png_bytep to, png_size_t count) {
    std::string_view& rest = static_cast<Reader*>(png_get_io_ptr(png))->rest;
    if (rest.size() < count) png_error(png, "it ends early");
    std::memcpy(to, rest.data(), count);
    rest.remove_prefix(count);
  }
  /// Takes a chunk that libpng does not know, and skips all but kPngData.
  static int take(png_structp png, png_unknown_chunkp chunk) {
    Reader& reader = *static_cast<Reader*>(png_get_user_chunk_ptr(png));
    const std::string_view name(reinterpret_cast<const char*>(chunk->name));
    if (name != kPngData || reader.data) return 1;
    reader.calls.callback(
        png, [&] { reader.data.emplace(reinterpret_cast<const char*>(chunk->data), chunk->size); });
    return 1;
  }

  void begin() {
    calls.guarded(png, [this] {
      png_set_read_fn(png, this, read);
      png_set_user_limits(png, PNG_UINT_31_MAX, PNG_UINT_31_MAX);
      // No chunk is longer than the file. libpng 1.6 only warns of longer ones: `calls` limits allocations
      // too. Compressed chunks, which would grow, are among the skipped ones.
      png_set_chunk_malloc_max(png, rest.size());
      png_set_crc_action(png, PNG_CRC_QUIET_USE, PNG_CRC_ERROR_QUIT);
      constexpr int kAllAncillary = -1;
      png_set_keep_unknown_chunks(png, PNG_HANDLE_CHUNK_NEVER, nullptr, kAllAncillary);
      png_set_keep_unknown_chunks(png, PNG_HANDLE_CHUNK_AS_DEFAULT, reinterpret_cast<png_const_bytep>("tEXt"),
                                  1);
      png_set_keep_unknown_chunks(png, PNG_HANDLE_CHUNK_NEVER, reinterpret_cast<png_const_bytep>("IDAT"), 1);
      png_set_keep_unknown_chunks(png, PNG_HANDLE_CHUNK_ALWAYS, reinterpret_cast<png_const_bytep>(kPngData),
                                  1);
      png_set_read_user_chunk_fn(png, this, take);  // libpng rejects an IDAT chunk that no one takes
      png_read_info(png, info);
    });
  }
  // From version 1.6.45 on, libpng misses the skipped image data when it comes to IEND. All other chunks have
  // been read and checked by then.
  void end() {
    try {
      calls.guarded(png, [this] { png_read_end(png, info); });
    } catch (const std::runtime_error&) {
      if (!is_complete || rest.size() > kChecksum) throw;
    }
  }

  /// The text among the chunks that have been read.
  std::optional<std::string> find(std::string_view keyword) const {
    png_textp texts = nullptr;
    const int count = png_get_text(png, info, &texts, nullptr);
    for (int i = 0; i < count; ++i) {
      if (texts[i].key != keyword) continue;
      std::string text(texts[i].text, texts[i].text_length);
      if (data) (text += '\0') += *data;
      return text;
    }
    return std::nullopt;
  }
};

}  // namespace

bool is_png(std::string_view bytes) {
  constexpr std::size_t kSignature = 8;
  return bytes.size() >= kSignature &&
         png_sig_cmp(reinterpret_cast<png_const_bytep>(bytes.data()), 0, kSignature) == 0;
}

std::optional<std::string> read_png_text(std::string_view png, std::string_view keyword) {
  Reader reader(png);
  if (reader.info == nullptr) throw std::bad_alloc();
  reader.begin();
  if (auto text = reader.find(keyword)) return text;
  reader.end();
  return reader.find(keyword);
}

}  // namespace loom::render
