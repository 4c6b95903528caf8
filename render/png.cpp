#include "render/png.h"

#include <glad/gl.h>
#include <png.h>

#include <algorithm>
#include <stdexcept>
#include <string>

namespace loom::render {
namespace {

std::size_t row_bytes(glm::ivec2 size) {
  return static_cast<std::size_t>(size.x) * 3;
}

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

RgbImage read_framebuffer(unsigned framebuffer, glm::ivec2 size) {
  RgbImage image{size, std::vector<std::uint8_t>(row_bytes(size) * static_cast<std::size_t>(size.y))};
  GLint previous = 0;
  glGetIntegerv(GL_READ_FRAMEBUFFER_BINDING, &previous);
  glBindFramebuffer(GL_READ_FRAMEBUFFER, framebuffer);
  glBindBuffer(GL_PIXEL_PACK_BUFFER, 0);
  glPixelStorei(GL_PACK_ALIGNMENT, 1);
  glPixelStorei(GL_PACK_ROW_LENGTH, 0);
  glReadPixels(0, 0, size.x, size.y, GL_RGB, GL_UNSIGNED_BYTE, image.rgb.data());
  glPixelStorei(GL_PACK_ALIGNMENT, 4);
  glBindFramebuffer(GL_READ_FRAMEBUFFER, static_cast<GLuint>(previous));
  // OpenGL's rows go upwards, the image's downwards.
  const auto bytes = static_cast<std::ptrdiff_t>(row_bytes(size));
  for (int top = 0, bottom = size.y - 1; top < bottom; ++top, --bottom) {
    std::swap_ranges(image.rgb.begin() + top * bytes, image.rgb.begin() + (top + 1) * bytes,
                     image.rgb.begin() + bottom * bytes);
  }
  return image;
}

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

}  // namespace loom::render
