#include "render/png.h"

#include <png.h>

#include <csetjmp>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <limits>
#include <new>
#include <stdexcept>
#include <utility>

namespace loom::render {
namespace {

/// Turns libpng's errors into exceptions. libpng is C: its errors are jumps, and no exception may pass
/// through it. Pass this object as error_ptr and the static functions below as callbacks.
class PngCalls {
 public:
  /// `what` is the prefix of error messages: "the picture cannot be written". `most` limits the bytes of one
  /// allocation.
  explicit PngCalls(const char* what, std::size_t most = std::numeric_limits<std::size_t>::max())
      : what_(what), most_(most) {}
  PngCalls(const PngCalls&) = delete;
  PngCalls& operator=(const PngCalls&) = delete;

  static void complain(png_structp png, png_const_charp message) {
    PngCalls& calls = *static_cast<PngCalls*>(png_get_error_ptr(png));
    try {
      calls.message_ = message;
    } catch (...) {
      calls.failure_ = std::current_exception();
    }
    png_longjmp(png, 1);
  }
  static void ignore(png_structp, png_const_charp) {}
  /// Pass this object as mem_ptr. A failure is kept, since libpng continues after some.
  static png_voidp allocate(png_structp png, png_alloc_size_t size) {
    PngCalls& calls = *static_cast<PngCalls*>(png_get_mem_ptr(png));
    if (size > calls.most_) png_error(png, "a chunk is longer than the file");
    void* const memory = std::malloc(size);
    if (memory == nullptr) calls.failure_ = std::make_exception_ptr(std::bad_alloc());
    return memory;
  }

  /// Calls libpng. `call` must not need destructors, since an error jumps out of it. Throws
  /// std::runtime_error, std::bad_alloc and what callback() caught.
  template <typename Call>
  void guarded(png_structp png, const Call& call) {
    if (setjmp(png_jmpbuf(png)) == 0) {
      call();
      if (!failure_) return;
    }
    if (failure_) std::rethrow_exception(std::exchange(failure_, nullptr));
    throw std::runtime_error(std::string(what_) + ": " + message_);
  }
  /// Runs C++ code in a callback of libpng; its exception ends the guarded call.
  template <typename Call>
  void callback(png_structp png, const Call& call) {
    try {
      return call();
    } catch (...) {
      failure_ = std::current_exception();
    }
    png_error(png, "a callback threw");
  }

 private:
  const char* what_;
  std::size_t most_;
  std::string message_;
  std::exception_ptr failure_;
};

[[noreturn]] void throw_png_error(const std::string& file, png_image& image) {
  const std::string reason = image.message;
  png_image_free(&image);
  throw std::runtime_error(file + ": cannot be read: " + reason);
}

/// Reads the pixels of an image whose header was read.
RgbImage finish_read(const std::string& file, png_image& png) {
  png.format = PNG_FORMAT_RGB;
  RgbImage image{{static_cast<int>(png.width), static_cast<int>(png.height)}, {}};
  image.rgb.resize(PNG_IMAGE_SIZE(png));
  const png_color black{};
  if (png_image_finish_read(&png, &black, image.rgb.data(), 0, nullptr) == 0) throw_png_error(file, png);
  return image;
}

}  // namespace

RgbImage read_png(const std::filesystem::path& file) {
  png_image png{};
  png.version = PNG_IMAGE_VERSION;
  if (png_image_begin_read_from_file(&png, file.c_str()) == 0) throw_png_error(file.string(), png);
  return finish_read(file.string(), png);
}

RgbImage read_png(std::span<const unsigned char> bytes) {
  constexpr const char* kName = "a picture in memory";
  png_image png{};
  png.version = PNG_IMAGE_VERSION;
  if (png_image_begin_read_from_memory(&png, bytes.data(), bytes.size()) == 0) throw_png_error(kName, png);
  return finish_read(kName, png);
}

namespace {

constexpr int kMostSide = 1 << 30;
// For images of hundreds of millions of pixels: a fifth larger than the best compression, in a fifth of its
// time.
constexpr int kCompression = 3;

}  // namespace

struct PngWriter::Impl {
  glm::ivec2 size{0};
  Sink sink;
  PngCalls calls{"the picture cannot be written"};
  png_structp png = nullptr;
  png_infop info = nullptr;
  int written = 0;

  ~Impl() { png_destroy_write_struct(&png, &info); }

  static void write(png_structp png, png_bytep bytes, png_size_t count) {
    Impl& impl = *static_cast<Impl*>(png_get_io_ptr(png));
    impl.calls.callback(png, [&] { impl.sink({reinterpret_cast<const char*>(bytes), count}); });
  }
  static void flush(png_structp) {}

  void begin(const std::optional<PngText>& text) {
    calls.guarded(png, [&] {
      png_set_write_fn(png, this, write, flush);
      png_set_IHDR(png, info, static_cast<png_uint_32>(size.x), static_cast<png_uint_32>(size.y), 8,
                   PNG_COLOR_TYPE_RGB, PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT,
                   PNG_FILTER_TYPE_DEFAULT);
      png_set_compression_level(png, kCompression);
      png_set_filter(png, PNG_FILTER_TYPE_BASE, PNG_FILTER_SUB);
      if (text) {
        png_text chunk{};
        chunk.compression = PNG_TEXT_COMPRESSION_NONE;
        chunk.key = const_cast<char*>(text->keyword);
        chunk.text = const_cast<char*>(text->text);
        png_set_text(png, info, &chunk, 1);
      }
      png_write_info(png, info);
      png_free_data(png, info, PNG_FREE_TEXT, -1);
      if (text && !text->data.empty())
        png_write_chunk(png, reinterpret_cast<png_const_bytep>(kPngData),
                        reinterpret_cast<png_const_bytep>(text->data.data()), text->data.size());
    });
  }

  void check(bool sizes_agree) const {
    if (!sizes_agree)
      throw std::runtime_error("the picture cannot be written: its size and bytes do not agree");
  }
};

PngWriter::PngWriter(glm::ivec2 size, Sink sink, std::optional<PngText> text)
    : impl_(std::make_unique<Impl>()) {
  if (size.x < 1 || size.y < 1 || size.x > kMostSide || size.y > kMostSide)
    throw std::runtime_error("the picture cannot be written: no such size");
  impl_->size = size;
  impl_->sink = std::move(sink);
  impl_->png = png_create_write_struct_2(PNG_LIBPNG_VER_STRING, &impl_->calls, PngCalls::complain,
                                         PngCalls::ignore, &impl_->calls, PngCalls::allocate, nullptr);
  if (impl_->png == nullptr) throw std::bad_alloc();
  impl_->info = png_create_info_struct(impl_->png);
  if (impl_->info == nullptr) throw std::bad_alloc();
  // Allows wider images than libpng's default limit.
  png_set_user_limits(impl_->png, kMostSide, kMostSide);
  impl_->begin(text);
}

PngWriter::~PngWriter() = default;

void PngWriter::rows(std::span<const std::uint8_t> rgb) {
  const std::size_t bytes = static_cast<std::size_t>(impl_->size.x) * 3;
  const std::size_t count = rgb.size() / bytes;
  impl_->check(rgb.size() % bytes == 0 && count <= static_cast<std::size_t>(impl_->size.y - impl_->written));
  impl_->calls.guarded(impl_->png, [&] {
    for (std::size_t row = 0; row < count; ++row) png_write_row(impl_->png, rgb.data() + row * bytes);
  });
  impl_->written += static_cast<int>(count);
}

void PngWriter::finish() {
  impl_->check(impl_->written == impl_->size.y);
  impl_->calls.guarded(impl_->png, [&] { png_write_end(impl_->png, nullptr); });
}

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
