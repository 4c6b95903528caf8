#include "render/png_writer.h"

#include <new>
#include <stdexcept>
#include <utility>

#include "render/png_calls.h"
#include "render/png_text.h"

namespace loom::render {
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

}  // namespace loom::render
