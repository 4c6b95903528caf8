#include <gtest/gtest.h>
#include <png.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <string>
#include <vector>

#include "program.h"
#include "temporary_folder.h"

namespace loom::test {
namespace {

struct Colour {
  int r = 0;
  int g = 0;
  int b = 0;
  friend auto operator<=>(const Colour&, const Colour&) = default;
};

/// The image that `shot` rendered, and the rectangle of the main pane in it.
class Shot {
 public:
  explicit Shot(const std::string& options) {
    const tests::TemporaryFolder folder;
    const auto path = folder.path() / "shot.png";
    const Outcome outcome =
        run_program(words("shot --backend cpu --steps 0 --json " + options + " --out " + path.string()));
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    if (outcome.status != 0) return;
    if (const auto json = outcome.json(); json.contains("picture")) {
      area_ = json["picture"].get<std::array<float, 4>>();
      if (json["legend"].contains("area")) legend_ = json["legend"]["area"].get<std::array<float, 4>>();
    }
    png_image image{};
    image.version = PNG_IMAGE_VERSION;
    EXPECT_TRUE(png_image_begin_read_from_file(&image, path.c_str()));
    image.format = PNG_FORMAT_RGB;
    width_ = static_cast<int>(image.width);
    height_ = static_cast<int>(image.height);
    bytes_.resize(PNG_IMAGE_SIZE(image));
    EXPECT_TRUE(png_image_finish_read(&image, nullptr, bytes_.data(), 0, nullptr));
  }

  bool ok() const { return !bytes_.empty(); }
  int left() const { return static_cast<int>(area_[0]); }
  int top() const { return static_cast<int>(area_[1]); }
  int right() const { return static_cast<int>(area_[0] + area_[2]); }
  int bottom() const { return static_cast<int>(area_[1] + area_[3]); }
  std::map<Colour, int> legend_colours() const {
    return colours(static_cast<int>(legend_[0]), static_cast<int>(legend_[1]),
                   static_cast<int>(legend_[0] + legend_[2]), static_cast<int>(legend_[1] + legend_[3]));
  }
  int width() const { return width_; }
  int height() const { return height_; }
  Colour at(int x, int y) const {
    const std::size_t i =
        3 * (static_cast<std::size_t>(y) * static_cast<std::size_t>(width_) + static_cast<std::size_t>(x));
    return {bytes_[i], bytes_[i + 1], bytes_[i + 2]};
  }
  /// The number of pixels of each colour in a rectangle.
  std::map<Colour, int> colours(int x0, int y0, int x1, int y1) const {
    std::map<Colour, int> counted;
    for (int y = std::max(0, y0); y < std::min(height_, y1); ++y) {
      for (int x = std::max(0, x0); x < std::min(width_, x1); ++x) ++counted[at(x, y)];
    }
    return counted;
  }

 private:
  std::array<float, 4> area_{};
  std::array<float, 4> legend_{};
  int width_ = 0;
  int height_ = 0;
  std::vector<std::uint8_t> bytes_;
};

bool reddish(const Colour& colour) {
  return colour.r > colour.g + 20 && colour.r > colour.b + 20;
}

/// The most frequent reddish colour and its number of pixels; it marks empty tiles.
struct Waste {
  Colour colour;
  int pixels = 0;
};
Waste waste_in(const Shot& shot) {
  Waste most;
  for (const auto& [colour, pixels] : shot.colours(shot.left(), shot.top(), shot.right(), shot.bottom())) {
    if (reddish(colour) && pixels > most.pixels) most = {colour, pixels};
  }
  return most;
}

TEST(Picture, TheLegendHasThePicturesColours) {
  for (const std::string palette : {"cividis", "paper", "chalkboard"}) {
    const Shot shot("--size 1280x720 --map bounding-box --palette " + palette);
    ASSERT_TRUE(shot.ok());
    const Waste waste = waste_in(shot);
    ASSERT_GT(waste.pixels, 50000) << palette;
    auto legend = shot.legend_colours();
    EXPECT_GE(legend[waste.colour], 60)
        << palette << ": expected a swatch of about 12 x 12 pixels in the legend";
  }
}

TEST(Picture, TheBoundingBoxesWasteShowsWhereTilesAreTooSmall) {
  for (const std::string fractal : {"vicsek", "chandelier", "cantor"}) {
    const Shot shot("--size 1000x600 --map bounding-box --fractal " + fractal);
    ASSERT_TRUE(shot.ok());
    const Waste waste = waste_in(shot);
    EXPECT_GT(waste.pixels, 50000) << fractal;
    const Shot lambda("--size 1000x600 --map lambda --fractal " + fractal);
    ASSERT_TRUE(lambda.ok());
    auto colours = lambda.colours(lambda.left(), lambda.top(), lambda.right(), lambda.bottom());
    EXPECT_LT(colours[waste.colour], 50) << fractal << ": lambda must have no empty tiles";
  }
}

TEST(Picture, WithoutPanelsTheOverlaysStay) {
  const Shot shot("--size 600x600 --map bounding-box --no-panels");
  ASSERT_TRUE(shot.ok());
  EXPECT_EQ(shot.right() - shot.left(), 600) << "the picture must fill the window";
  EXPECT_GT(waste_in(shot).pixels, 50000) << "empty tiles must still be red";
}

// The window's is coloured by a shader, the image by the CPU.
TEST(Picture, OfASolidIsTheSameInTheWindowAndInAnImage) {
  const std::string options = "--workspace solid --fractal menger-sponge --map bounding-box --size 400x300 ";
  const Shot window(options + "--no-panels");
  const Shot image(options + "--plain");
  ASSERT_TRUE(window.ok() && image.ok());
  const auto differs = [](const Colour& a, const Colour& b) {
    return std::max({std::abs(a.r - b.r), std::abs(a.g - b.g), std::abs(a.b - b.b)}) > 3;
  };
  int different = 0;
  for (int y = 0; y < image.height(); ++y) {
    for (int x = 0; x < image.width(); ++x) different += differs(window.at(x, y), image.at(x, y)) ? 1 : 0;
  }
  EXPECT_LT(different, 200);
  EXPECT_TRUE(differs(image.at(1, 1), image.at(1, 298))) << "the background is lit from above";
}

// The font is embedded, so the program must not contain the name of a system font file.
TEST(Picture, NeedsNoFontFile) {
  std::ifstream file(LOOM_PROGRAM, std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(file), {}};
  ASSERT_GT(bytes.size(), 100000u);
  EXPECT_EQ(bytes.find("share/fonts"), std::string::npos);
  EXPECT_EQ(bytes.find("DejaVuSans.ttf"), std::string::npos);
  const Outcome licenses = run_program({"info", "--licenses"});
  EXPECT_EQ(licenses.status, 0);
  EXPECT_NE(licenses.out.find("Bitstream Vera is\na trademark of Bitstream"), std::string::npos)
      << licenses.out;
}

}  // namespace
}  // namespace loom::test
