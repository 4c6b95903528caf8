#include <gtest/gtest.h>

#include "app/gui/layout.h"
#include "app/widgets/format.h"
#include "app/widgets/text.h"

namespace loom::app {
namespace {

TEST(Format, Counts) {
  EXPECT_EQ(format_count(0), "0");
  EXPECT_EQ(format_count(1024), "1024");
  EXPECT_EQ(format_count(19683), "19\u00a0683");
  EXPECT_EQ(format_count(123456), "123\u00a0456");
  EXPECT_EQ(format_count(1234567), "1\u00a0234\u00a0567");
  EXPECT_EQ(plural(1, "block"), "1 block");
  EXPECT_EQ(plural(2, "block"), "2 blocks");
}

TEST(Format, BytesTimesRatios) {
  EXPECT_EQ(format_bytes(512), "512 B");
  EXPECT_EQ(format_bytes(1024), "1.00 KiB");
  EXPECT_EQ(format_bytes(std::uint64_t{8} << 30), "8.00 GiB");
  EXPECT_EQ(format_ms(0.0421), "0.042");
  EXPECT_EQ(format_ms(1.372), "1.37");
  EXPECT_EQ(format_ms(9.999), "10.0");
  EXPECT_EQ(format_ms(23.46), "23.5");
  EXPECT_EQ(format_ms(512.3), "512");
  EXPECT_EQ(format_ratio(3.157), "3.16×");
  EXPECT_EQ(format_percent(0.07508), "7.51 %");
  EXPECT_EQ(format_percent(2.84e-14), "2.8e-12 %") << "little is not nothing";
  EXPECT_EQ(format_percent(0), "0.000 %");
}

TEST(Layout, CoversTheWindowAtAnySize) {
  for (const float font : {10.0f, 16.0f, 28.0f, 48.0f}) {
    for (float width = 1; width < 2600; width = width * 1.7f + 1) {
      for (float height = 1; height < 1500; height = height * 1.7f + 1) {
        const Layout layout = arrange(width, height, font, true);
        EXPECT_GE(layout.picture.width, 0);
        EXPECT_GE(layout.picture.height, 0);
        EXPECT_FLOAT_EQ(layout.controls.width + layout.picture.width, width);
        EXPECT_FLOAT_EQ(layout.picture.height + layout.status.height, height);
        EXPECT_GE(layout.picture.width, 0.39f * width);
      }
    }
  }
}

TEST(Layout, TheBenchPanelTakesTheControlsToWhereThePictureIsTooNarrow) {
  const Layout wide = arrange(1280, 720, 16, true);
  EXPECT_EQ(bench_area(wide, 16), wide.picture);
  const Layout projector = arrange(1280, 720, 28, true);
  EXPECT_EQ(bench_area(projector, 28), (Area{0, 0, 1280, projector.status.y}));
}

TEST(Layout, WithoutPanelsThePictureIsAll) {
  EXPECT_EQ(arrange(300, 200, 16, false).picture, (Area{0, 0, 300, 200}));
  EXPECT_EQ(arrange(1, 1, 16, true).picture, (Area{0, 0, 1, 1}));
}

}  // namespace
}  // namespace loom::app
