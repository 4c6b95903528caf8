#include "render/png.h"

#include <glad/gl.h>
#include <png.h>

#include <algorithm>
#include <stdexcept>

namespace loom::render {
namespace {

std::size_t row_bytes(Extent size) {
  return static_cast<std::size_t>(size.width) * 3;
}

[[noreturn]] void throw_png_error(const std::filesystem::path& file, png_image& image, const char* action) {
  const std::string reason = image.message;
  png_image_free(&image);
  throw std::runtime_error(file.string() + ": cannot be " + action + ": " + reason);
}

}  // namespace

RgbImage read_framebuffer(unsigned framebuffer, Extent size) {
  RgbImage image{size, std::vector<std::uint8_t>(row_bytes(size) * static_cast<std::size_t>(size.height))};
  GLint previous = 0;
  glGetIntegerv(GL_READ_FRAMEBUFFER_BINDING, &previous);
  glBindFramebuffer(GL_READ_FRAMEBUFFER, framebuffer);
  glBindBuffer(GL_PIXEL_PACK_BUFFER, 0);
  glPixelStorei(GL_PACK_ALIGNMENT, 1);
  glPixelStorei(GL_PACK_ROW_LENGTH, 0);
  glReadPixels(0, 0, size.width, size.height, GL_RGB, GL_UNSIGNED_BYTE, image.rgb.data());
  glPixelStorei(GL_PACK_ALIGNMENT, 4);
  glBindFramebuffer(GL_READ_FRAMEBUFFER, static_cast<GLuint>(previous));
  // OpenGL's rows go upwards, the image's downwards.
  const auto bytes = static_cast<std::ptrdiff_t>(row_bytes(size));
  for (int top = 0, bottom = size.height - 1; top < bottom; ++top, --bottom) {
    std::swap_ranges(image.rgb.begin() + top * bytes, image.rgb.begin() + (top + 1) * bytes,
                     image.rgb.begin() + bottom * bytes);
  }
  return image;
}

std::string png_bytes(const RgbImage& image) {
  if (image.size.width < 1 || image.size.height < 1 ||
      image.rgb.size() != row_bytes(image.size) * static_cast<std::size_t>(image.size.height)) {
    throw std::runtime_error("the picture cannot be written: its size and bytes do not agree");
  }
  png_image png{};
  png.version = PNG_IMAGE_VERSION;
  png.width = static_cast<png_uint_32>(image.size.width);
  png.height = static_cast<png_uint_32>(image.size.height);
  png.format = PNG_FORMAT_RGB;
  // An upper bound of the size, so that the image is compressed only once.
  png_alloc_size_t size = PNG_IMAGE_PNG_SIZE_MAX(png);
  std::string bytes(size, '\0');
  if (png_image_write_to_memory(&png, bytes.data(), &size, 0, image.rgb.data(), 0, nullptr) == 0) {
    throw_png_error("the picture", png, "written");
  }
  bytes.resize(size);
  return bytes;
}

RgbImage read_png(const std::filesystem::path& file) {
  png_image png{};
  png.version = PNG_IMAGE_VERSION;
  if (png_image_begin_read_from_file(&png, file.c_str()) == 0) throw_png_error(file, png, "read");
  png.format = PNG_FORMAT_RGB;
  RgbImage image{{static_cast<int>(png.width), static_cast<int>(png.height)}, {}};
  image.rgb.resize(PNG_IMAGE_SIZE(png));
  const png_color black{};
  if (png_image_finish_read(&png, &black, image.rgb.data(), 0, nullptr) == 0)
    throw_png_error(file, png, "read");
  return image;
}

}  // namespace loom::render
