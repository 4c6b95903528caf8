#include "render/display_texture.h"

#include <glad/gl.h>

#include <cstdint>
#include <random>
#include <stdexcept>
#include <vector>

#include "gl_fixture.h"

namespace loom::render {
namespace {

using DisplayTextureTest = GlTest;

std::vector<std::uint16_t> texels(const DisplayTexture& texture) {
  const glm::ivec2 size = texture.size();
  std::vector<std::uint16_t> result(static_cast<std::size_t>(size.x) * size.y);
  glPixelStorei(GL_PACK_ALIGNMENT, 2);
  glGetTextureImage(texture.gl_name(), 0, GL_RED_INTEGER, GL_UNSIGNED_SHORT,
                    static_cast<GLsizei>(result.size() * 2), result.data());
  glPixelStorei(GL_PACK_ALIGNMENT, 4);
  return result;
}

TEST_F(DisplayTextureTest, HoldsNumbersOf32Bits) {
  DisplayTexture texture;
  texture.resize({3, 2}, TexelFormat::kUint32);
  EXPECT_EQ(texture.format(), TexelFormat::kUint32);
  const std::vector<std::uint32_t> values = {1, 1u << 31, 0, 9, 65536, 0xffffffffu, 7, 9};  // rows of 4
  texture.upload(values.data(), 16);
  std::vector<std::uint32_t> held(6);
  glGetTextureImage(texture.gl_name(), 0, GL_RED_INTEGER, GL_UNSIGNED_INT, 24, held.data());
  EXPECT_EQ(held, (std::vector<std::uint32_t>{1, 1u << 31, 0, 65536, 0xffffffffu, 7}));
  EXPECT_THROW(texture.upload(values.data(), 14), std::invalid_argument)
      << "the pitch is not a whole number of pixels";
  EXPECT_THROW(texture.upload(values.data(), 8), std::invalid_argument) << "the pitch is shorter than a row";
  texture.resize({3, 2});
  EXPECT_EQ(texture.format(), TexelFormat::kUint16) << "resize() without a format must reset it to kUint16";
}

TEST_F(DisplayTextureTest, KeepsEveryIntegerForEveryWidthAndRowPitch) {
  DisplayTexture texture;
  std::mt19937 random(1);
  for (const int width : {1, 2, 3, 5, 7, 64, 97, 257}) {
    for (const int padding : {0, 1, 6}) {  // padding after each row must not be read
      const int height = 300 / width + 1;
      const std::size_t pitch = static_cast<std::size_t>(width + padding);
      std::vector<std::uint16_t> rows(pitch * height);
      for (std::uint16_t& value : rows) value = static_cast<std::uint16_t>(random());
      texture.resize({width, height});
      texture.upload(rows.data(), pitch * 2);
      const std::vector<std::uint16_t> read = texels(texture);
      for (int y = 0; y < height; ++y) {
        for (int x = 0; x < width; ++x) {
          ASSERT_EQ(read[static_cast<std::size_t>(y) * width + x], rows[y * pitch + x])
              << width << " wide, " << padding << " padding, at " << x << ", " << y;
        }
      }
    }
  }
}

TEST_F(DisplayTextureTest, KeepsAll65536Values) {
  DisplayTexture texture;
  texture.resize({256, 256});
  std::vector<std::uint16_t> values(65536);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<std::uint16_t>(i);
  texture.upload(values.data(), 512);
  EXPECT_EQ(texels(texture), values);
}

TEST_F(DisplayTextureTest, ResizesDownToOnePixelAndBack) {
  DisplayTexture texture;
  EXPECT_EQ(texture.size(), (glm::ivec2{1, 1}));
  texture.resize({1280, 720});
  texture.resize({1, 1});
  const std::uint16_t value = 54321;
  texture.upload(&value, 2);
  EXPECT_EQ(texels(texture), std::vector<std::uint16_t>{54321});
  const unsigned name = texture.gl_name();
  texture.resize({1, 1});
  EXPECT_EQ(texture.gl_name(), name) << "resizing to the same size must not reallocate";
  EXPECT_EQ(texels(texture), std::vector<std::uint16_t>{54321});
}

TEST_F(DisplayTextureTest, RefusesSizesAndRowsThatCannotBe) {
  DisplayTexture texture;
  texture.resize({5, 4});
  EXPECT_THROW(texture.resize({0, 4}), std::invalid_argument);
  EXPECT_THROW(texture.resize({4, -1}), std::invalid_argument);
  EXPECT_THROW(texture.resize({1 << 24, 1}), std::invalid_argument);
  EXPECT_EQ(texture.size(), (glm::ivec2{5, 4}));
  const std::vector<std::uint16_t> rows(100);
  EXPECT_THROW(texture.upload(rows.data(), 9), std::invalid_argument);
  EXPECT_THROW(texture.upload(rows.data(), 8), std::invalid_argument);
  texture.upload(rows.data(), 10);
}

TEST_F(DisplayTextureTest, LeavesTheDefaultUnpackState) {
  DisplayTexture texture;
  const std::uint16_t row[4] = {};
  texture.upload(row, 8);
  GLint alignment = 0;
  GLint row_length = -1;
  glGetIntegerv(GL_UNPACK_ALIGNMENT, &alignment);
  glGetIntegerv(GL_UNPACK_ROW_LENGTH, &row_length);
  EXPECT_EQ(alignment, 4);
  EXPECT_EQ(row_length, 0);
}

TEST_F(DisplayTextureTest, WithoutACudaDeviceItSaysWhyThereIsNoInterop) {
  DisplayTexture texture(-1);
  EXPECT_FALSE(texture.interop());
  EXPECT_FALSE(texture.interop_reason().empty());
  EXPECT_THROW(texture.copy_from_cuda(nullptr, 2, nullptr), std::runtime_error);
}

TEST_F(DisplayTextureTest, WithACudaDeviceThereIsInteropOrAReason) {
  DisplayTexture texture(0);
  EXPECT_NE(texture.interop(), !texture.interop_reason().empty()) << texture.interop_reason();
  EXPECT_EQ(texture.interop_reason().find('\n'), std::string::npos) << "the reason must be one line";
  const std::uint16_t value = 7;
  texture.upload(&value, 2);  // the upload through host memory works in both cases
  EXPECT_EQ(texels(texture), std::vector<std::uint16_t>{7});
}

}  // namespace
}  // namespace loom::render
