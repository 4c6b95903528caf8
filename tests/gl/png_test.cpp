#include "render/png.h"

#include <gtest/gtest.h>

#include <fstream>
#include <random>
#include <stdexcept>

namespace loom::render {
namespace {

std::string written(const RgbImage& image, std::optional<PngText> text = std::nullopt) {
  std::string bytes;
  PngWriter png(
      image.size, [&](std::string_view part) { bytes += part; }, text);
  png.rows(image.rgb);
  png.finish();
  return bytes;
}

/// Provides a temporary file and removes it after the test.
class PngTest : public testing::Test {
 protected:
  void TearDown() override { std::filesystem::remove(file_); }
  void write(const RgbImage& image) const { std::ofstream(file_, std::ios::binary) << written(image); }
  std::filesystem::path file_ =
      std::filesystem::path(testing::TempDir()) /
      (std::string("loom_") + testing::UnitTest::GetInstance()->current_test_info()->name() + ".png");
};

TEST_F(PngTest, RoundTripKeepsEveryByte) {
  std::mt19937 random(3);
  for (const glm::ivec2 size : {glm::ivec2{1, 1}, glm::ivec2{3, 2}, glm::ivec2{7, 5}, glm::ivec2{101, 33}}) {
    RgbImage image{size, std::vector<std::uint8_t>(3u * size.x * size.y)};
    for (std::uint8_t& byte : image.rgb) byte = static_cast<std::uint8_t>(random());
    write(image);
    const RgbImage read = read_png(file_);
    EXPECT_EQ(read.size, size);
    EXPECT_EQ(read.rgb, image.rgb);
  }
}

TEST_F(PngTest, ErrorsNameTheFileAndTheReason) {
  try {
    read_png("/nowhere/at/all.png");
    FAIL();
  } catch (const std::runtime_error& error) {
    EXPECT_NE(std::string(error.what()).find("/nowhere/at/all.png"), std::string::npos) << error.what();
    EXPECT_NE(std::string(error.what()).find("No such file"), std::string::npos) << error.what();
  }
  std::ofstream(file_) << "this is no picture";
  EXPECT_THROW(read_png(file_), std::runtime_error);
  EXPECT_THROW(written({{2, 2}, {1, 2, 3}}), std::runtime_error);
  EXPECT_THROW(written({{2, 2}, {1, 2, 3, 4, 5, 6}}), std::runtime_error);
  EXPECT_THROW(written({{0, 0}, {}}), std::runtime_error);
}

TEST_F(PngTest, TruncatedFileIsAnError) {
  RgbImage image{{64, 64}, std::vector<std::uint8_t>(3 * 64 * 64)};
  std::mt19937 random(3);
  for (std::uint8_t& byte : image.rgb) byte = static_cast<std::uint8_t>(random());
  write(image);
  std::filesystem::resize_file(file_, std::filesystem::file_size(file_) / 2);
  EXPECT_THROW(read_png(file_), std::runtime_error);
}

TEST_F(PngTest, AnExceptionOfTheSinkReachesTheCaller) {
  struct Full {};
  int left = 2;
  const auto sink = [&](std::string_view) {
    if (--left < 0) throw Full();
  };
  EXPECT_THROW(PngWriter({1, 1}, sink, PngText{"scene", "hello"}), Full);
}

const RgbImage kPixel{{1, 1}, {1, 2, 3}};

std::string number(std::size_t value) {
  std::string bytes;
  for (int shift = 24; shift >= 0; shift -= 8) bytes += static_cast<char>(value >> shift & 255);
  return bytes;
}

TEST(PngText, IsReadAgainWithoutThePixels) {
  EXPECT_EQ(read_png_text(written(kPixel), "scene"), std::nullopt);
  const std::string png = written(kPixel, PngText{"scene", "hello"});
  EXPECT_TRUE(is_png(png));
  EXPECT_EQ(read_png_text(png, "scene"), "hello");
  EXPECT_EQ(read_png_text(png, "scen"), std::nullopt);
  EXPECT_EQ(read_png_text(written(kPixel, PngText{"scene", ""}), "scene"), "");
  // A scene with many cells is longer than libpng's own limit of 8 MB.
  const std::string large(20'000'000, 'x');
  EXPECT_EQ(read_png_text(written(kPixel, PngText{"scene", large.c_str()}), "scene"), large);
  // Damaged pixels do not matter.
  std::string other_pixels = written(kPixel);
  other_pixels[other_pixels.find("IDAT") + 5] ^= 1;
  EXPECT_EQ(read_png_text(other_pixels, "scene"), std::nullopt);
}

TEST(PngText, DataFollowTheText) {
  const std::string data("\0\xff data", 7);
  const std::string png = written(kPixel, PngText{"scene", "hello", data});
  EXPECT_EQ(read_png_text(png, "scene"), std::string("hello") + '\0' + data);
  EXPECT_EQ(read_png_text(png, "scen"), std::nullopt);
  std::string damaged = png;
  damaged[png.find("data")] = 'j';
  EXPECT_THROW(read_png_text(damaged, "scene"), std::runtime_error);
  const std::string large(20'000'000, '\x80');
  EXPECT_EQ(read_png_text(written(kPixel, PngText{"scene", "hello", large}), "scene"),
            std::string("hello") + '\0' + large);
}

TEST(PngText, IsReadAfterTheImageData) {
  std::string png = written(kPixel, PngText{"scene", "hello"});
  const std::size_t begin = png.find("tEXt") - 4;
  const std::string chunk = png.substr(begin, 12 + 11);
  png.erase(begin, chunk.size());
  EXPECT_EQ(read_png_text(png, "scene"), std::nullopt);
  png.insert(png.find("IEND") - 4, chunk);
  EXPECT_EQ(read_png_text(png, "scene"), "hello");
}

TEST(PngText, DamageIsAnError) {
  EXPECT_FALSE(is_png("no picture"));
  EXPECT_THROW(read_png_text("no picture", "scene"), std::runtime_error);
  EXPECT_THROW(read_png_text("", "scene"), std::runtime_error);
  const std::string png = written(kPixel, PngText{"scene", "hello"});
  for (std::size_t size = 0; size < png.size(); ++size)
    EXPECT_THROW(read_png_text(png.substr(0, size), "none"), std::runtime_error) << size;
  std::string damaged = png;
  damaged[png.find("hello")] = 'j';
  try {
    read_png_text(damaged, "scene");
    FAIL();
  } catch (const std::runtime_error& error) {
    EXPECT_STREQ(error.what(), "the PNG is damaged: tEXt: CRC error");
  }
  for (const std::size_t length : {std::size_t{12}, std::size_t{1} << 20, (std::size_t{1} << 31) - 1,
                                   std::size_t{1} << 31, (std::size_t{1} << 32) - 1}) {
    std::string longer = png;
    longer.replace(png.find("tEXt") - 4, 4, number(length));
    EXPECT_THROW(read_png_text(longer, "scene"), std::runtime_error) << length;
  }
}

TEST(PngText, KeywordAndLengthAreChecked) {
  EXPECT_THROW(written(kPixel, PngText{"", "hello"}), std::runtime_error);
  EXPECT_THROW(PngWriter({0, 1}, [](std::string_view) {}), std::runtime_error);
}

}  // namespace
}  // namespace loom::render
