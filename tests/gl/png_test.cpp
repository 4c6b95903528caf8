#include "render/png.h"

#include <gtest/gtest.h>

#include <fstream>
#include <random>
#include <stdexcept>

namespace loom::render {
namespace {

/// Provides a temporary file and removes it after the test.
class PngTest : public testing::Test {
 protected:
  void TearDown() override { std::filesystem::remove(file_); }
  void write(const RgbImage& image) const { std::ofstream(file_, std::ios::binary) << png_bytes(image); }
  std::filesystem::path file_ =
      std::filesystem::path(testing::TempDir()) /
      (std::string("loom_") + testing::UnitTest::GetInstance()->current_test_info()->name() + ".png");
};

TEST_F(PngTest, RoundTripKeepsEveryByte) {
  std::mt19937 random(3);
  for (const Extent size : {Extent{1, 1}, Extent{3, 2}, Extent{7, 5}, Extent{101, 33}}) {
    RgbImage image{size, std::vector<std::uint8_t>(3u * size.width * size.height)};
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
  EXPECT_THROW(png_bytes({{2, 2}, {1, 2, 3}}), std::runtime_error);
  EXPECT_THROW(png_bytes({{0, 0}, {}}), std::runtime_error);
}

TEST_F(PngTest, TruncatedFileIsAnError) {
  RgbImage image{{64, 64}, std::vector<std::uint8_t>(3 * 64 * 64)};
  std::mt19937 random(3);
  for (std::uint8_t& byte : image.rgb) byte = static_cast<std::uint8_t>(random());
  write(image);
  std::filesystem::resize_file(file_, std::filesystem::file_size(file_) / 2);
  EXPECT_THROW(read_png(file_), std::runtime_error);
}

}  // namespace
}  // namespace loom::render
