#include "render/png_writer.h"

#include <png.h>

#include <csetjmp>
#include <exception>
#include <new>
#include <stdexcept>
#include <string>
#include <utility>

namespace loom::render {
namespace {

constexpr int kMostSide = 1 << 30;
// For images of hundreds of millions of pixels: a fifth larger than the best compression, in a fifth of its
// time.
constexpr int kCompression = 3;

}  // namespace

struct PngWriter::Impl {
  Extent size;
  Sink sink;
  std::exception_ptr failure;  ///< from the sink; libpng is C, and exceptions must not pass through it
  std::string complaint;
  png_structp png = nullptr;
  png_infop info = nullptr;
  int written = 0;

  ~Impl() { png_destroy_write_struct(&png, &info); }

  static Impl& of(png_structp png) { return *static_cast<Impl*>(png_get_error_ptr(png)); }

  static void complain(png_structp png, png_const_charp message) {
    of(png).complaint = message;
    longjmp(png_jmpbuf(png), 1);
  }
  static void ignore(png_structp, png_const_charp) {}

  static void write(png_structp png, png_bytep bytes, png_size_t count) {
    Impl& impl = of(png);
    try {
      impl.sink({reinterpret_cast<const char*>(bytes), count});
      return;
    } catch (...) {
      impl.failure = std::current_exception();
    }
    png_error(png, "the sink threw");
  }
  static void flush(png_structp) {}

  /// Calls libpng; `call` must not need destructors, since an error jumps out of it.
  template <typename Call>
  void guarded(const Call& call) {
    if (setjmp(png_jmpbuf(png)) == 0) {
      call();
      return;
    }
    if (failure) std::rethrow_exception(std::exchange(failure, nullptr));
    throw std::runtime_error("the picture cannot be written: " + complaint);
  }

  void begin() {
    guarded([this] {
      png_set_write_fn(png, this, write, flush);
      png_set_IHDR(png, info, static_cast<png_uint_32>(size.width), static_cast<png_uint_32>(size.height), 8,
                   PNG_COLOR_TYPE_RGB, PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT,
                   PNG_FILTER_TYPE_DEFAULT);
      png_set_compression_level(png, kCompression);
      png_set_filter(png, PNG_FILTER_TYPE_BASE, PNG_FILTER_SUB);
      png_write_info(png, info);
    });
  }
};

PngWriter::PngWriter(Extent size, Sink sink) : impl_(std::make_unique<Impl>()) {
  if (size.width < 1 || size.height < 1 || size.width > kMostSide || size.height > kMostSide)
    throw std::runtime_error("the picture cannot be written: no such size");
  impl_->size = size;
  impl_->sink = std::move(sink);
  impl_->png = png_create_write_struct(PNG_LIBPNG_VER_STRING, impl_.get(), Impl::complain, Impl::ignore);
  if (impl_->png == nullptr) throw std::bad_alloc();
  impl_->info = png_create_info_struct(impl_->png);
  if (impl_->info == nullptr) throw std::bad_alloc();
  // Allows wider images than libpng's default limit.
  png_set_user_limits(impl_->png, kMostSide, kMostSide);
  impl_->begin();
}

PngWriter::~PngWriter() = default;

void PngWriter::rows(std::span<const std::uint8_t> rgb) {
  const std::size_t bytes = static_cast<std::size_t>(impl_->size.width) * 3;
  const std::size_t count = rgb.size() / bytes;
  if (rgb.size() % bytes != 0 || count > static_cast<std::size_t>(impl_->size.height - impl_->written))
    throw std::runtime_error("the picture cannot be written: its size and bytes do not agree");
  impl_->guarded([&] {
    for (std::size_t row = 0; row < count; ++row) png_write_row(impl_->png, rgb.data() + row * bytes);
  });
  impl_->written += static_cast<int>(count);
}

void PngWriter::check_whole() const {
  if (impl_->written != impl_->size.height)
    throw std::runtime_error("the picture cannot be written: its size and bytes do not agree");
}

void PngWriter::finish() {
  check_whole();
  impl_->guarded([&] { png_write_end(impl_->png, nullptr); });
}

void PngWriter::finish(std::string_view keyword, std::string_view text) {
  check_whole();
  std::string data(keyword);
  data.append(1, '\0').append(text);
  const auto* const bytes = reinterpret_cast<png_const_bytep>(data.data());
  impl_->guarded([&] {
    static constexpr png_byte kText[5] = {'t', 'E', 'X', 't', 0};
    png_write_chunk(impl_->png, kText, bytes, data.size());
  });
  finish();
}

}  // namespace loom::render
