#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <random>
#include <vector>

#include "app/text/format.h"
#include "app/workspaces/mandelbrot/picture/overlays.h"
#include "imgui_frame.h"

namespace loom::app {
namespace {

constexpr int kSide = 96;

/// For each pixel, the colours painted there, in order.
using Painted = std::vector<std::vector<ImU32>>;

void paint(Painted& painted, int x, int y, int width, int height, ImU32 colour) {
  for (int row = y; row < y + height; ++row) {
    for (int column = x; column < x + width; ++column) {
      painted[static_cast<std::size_t>(row * kSide + column)].push_back(colour);
    }
  }
}

Painted painted_marks(const std::vector<MandelbrotRegion>& regions, const RegionStyle& style) {
  std::vector<PictureMark> marks;
  make_region_marks(marks, regions, style);
  Painted painted(kSide * kSide);
  for (const auto& [rect, colour] : marks)
    paint(painted, rect.corner.x, rect.corner.y, rect.size.x, rect.size.y, colour);
  return painted;
}

/// The reference: paints pixel by pixel from the definition of the style, without rectangles.
Painted painted_plainly(const std::vector<MandelbrotRegion>& regions, const RegionStyle& style) {
  Painted painted(kSide * kSide);
  const auto opaque = [](ImU32 colour, ImU32 alpha) {
    return (colour & 0x00ffffffu) | alpha << IM_COL32_A_SHIFT;
  };
  for (const MandelbrotRegion& region : regions) {
    if (style.only && region.level != *style.only) continue;
    if (style.up_to && region.level > *style.up_to) continue;
    const bool kinds = style.overlay == RegionOverlay::kQuantities;
    const bool splits = region.kind == RegionKind::kSplit;
    const float units = !kinds && region.level == 0 ? 2 : 1;
    const int line = std::max(1, static_cast<int>(std::lround(units * style.scale)));
    const ImU32 colour =
        kinds ? opaque(colour_of(region.kind), splits ? 60 : 150) : colour_of_level(region.level);
    const int x = static_cast<int>(region.x), y = static_cast<int>(region.y);
    const int width = static_cast<int>(region.width), height = static_cast<int>(region.height);
    for (int row = 0; row < height; ++row) {
      for (int column = 0; column < width; ++column) {
        if (style.up_to == region.level && splits) {
          paint(painted, x + column, y + row, 1, 1, IM_COL32(12, 14, 18, 205));
        }
        if (kinds && !splits) paint(painted, x + column, y + row, 1, 1, opaque(colour_of(region.kind), 52));
        const int inwards = std::min({row, column, height - 1 - row, width - 1 - column});
        if (inwards < line) paint(painted, x + column, y + row, 1, 1, colour);
      }
    }
  }
  return painted;
}

/// Regions of a square of kSide pixels; on each level the regions that split are divided into 3 x 2.
std::vector<MandelbrotRegion> some_regions(unsigned seed) {
  std::mt19937 random(seed);
  std::vector<MandelbrotRegion> all = {{0, 0, kSide, kSide, 0, RegionKind::kSplit}};
  for (std::size_t at = 0; at < all.size(); ++at) {
    const MandelbrotRegion region = all[at];
    if (region.kind != RegionKind::kSplit) continue;
    for (std::uint32_t row = 0; row < 2; ++row) {
      for (std::uint32_t column = 0; column < 3; ++column) {
        const std::uint32_t left = region.width * column / 3, right = region.width * (column + 1) / 3;
        const std::uint32_t top = region.height * row / 2, bottom = region.height * (row + 1) / 2;
        if (left == right || top == bottom) continue;
        const bool small = region.level == 3;
        const auto kind = static_cast<RegionKind>(random() % (small ? 2 : 3));
        all.push_back({region.x + left, region.y + top, right - left, bottom - top,
                       static_cast<std::uint16_t>(region.level + 1), kind});
      }
    }
  }
  return all;
}

/// n x n regions of side x side pixels.
std::vector<MandelbrotRegion> grid(std::uint32_t n, std::uint32_t side) {
  std::vector<MandelbrotRegion> all;
  for (std::uint32_t row = 0; row < n; ++row) {
    for (std::uint32_t column = 0; column < n; ++column)
      all.push_back({column * side, row * side, side, side, 0, RegionKind::kLeaf});
  }
  return all;
}

TEST(RegionMarksTest, PaintWhatEveryRegionsGroundAndOutlineWouldPixelByPixel) {
  for (unsigned seed = 1; seed <= 2; ++seed) {
    const auto regions = some_regions(seed);
    for (const float scale : {1.0f, 1.5f, 2.0f}) {
      for (const RegionOverlay overlay : {RegionOverlay::kLevels, RegionOverlay::kQuantities}) {
        std::vector<RegionStyle> looks = {{.overlay = overlay, .scale = scale}};
        for (int level = 0; level < 4; ++level) {
          looks.push_back({.overlay = overlay, .up_to = level, .scale = scale});
          looks.push_back({.overlay = overlay, .only = level, .scale = scale});
        }
        for (const RegionStyle& style : looks) {
          ASSERT_EQ(painted_marks(regions, style), painted_plainly(regions, style))
              << "seed " << seed << ", scale " << scale;
        }
      }
    }
  }
}

TEST(RegionMarksTest, AGridIsFewRectangles) {
  std::vector<PictureMark> marks;
  make_region_marks(marks, grid(100, 6), {.overlay = RegionOverlay::kQuantities});
  // One background, 101 horizontal lines, and in each of 100 rows 101 vertical lines between them.
  EXPECT_EQ(marks.size(), 1u + 101 + 100 * 101);
}

/// Adds a level of `count` leaves of `size` x `size` pixels, in rows of 256 of them.
void add_level(std::vector<MandelbrotRegion>& regions, std::size_t count, std::uint32_t size) {
  const auto level = static_cast<std::uint16_t>(regions.empty() ? 0 : regions.back().level + 1);
  for (std::uint32_t n = 0; n < count; ++n)
    regions.push_back({n % 256 * size, n / 256 * size, size, size, level, RegionKind::kLeaf});
}

// A level drawn in part would show in one half of the picture what it hides in the other.
TEST(RegionMarksTest, LevelsAreDrawnWholeOrNotAtAll) {
  std::vector<MandelbrotRegion> regions;
  add_level(regions, 100, 64);
  add_level(regions, kMaxRegions - 100, 4);
  EXPECT_EQ(drawn_regions(regions), kMaxRegions);
  EXPECT_EQ(last_level_drawn(regions, {}), std::nullopt);
  add_level(regions, 1, 1);
  EXPECT_EQ(drawn_regions(regions), kMaxRegions);
  EXPECT_EQ(last_level_drawn(regions, {}), 1);

  regions.clear();
  add_level(regions, 100, 64);
  std::vector<PictureMark> of_first;
  make_region_marks(of_first, regions, {});
  add_level(regions, kMaxRegions, 2);
  EXPECT_EQ(drawn_regions(regions), 100u);
  EXPECT_EQ(last_level_drawn(regions, {}), 0);
  EXPECT_EQ(last_level_drawn(regions, 0), std::nullopt) << "only level 0 is requested";
  std::vector<PictureMark> marks;
  make_region_marks(marks, regions, {});
  EXPECT_EQ(marks, of_first);
  make_region_marks(marks, regions, {.only = 1});
  EXPECT_FALSE(marks.empty()) << "a single level within the limit is drawn";
  EXPECT_TRUE(unmarked_reason(regions, 1).empty());

  regions.clear();
  add_level(regions, kMaxRegions + 1, 1);
  EXPECT_EQ(last_level_drawn(regions, {}), -1);
  make_region_marks(marks, regions, {});
  EXPECT_TRUE(marks.empty());
  make_region_marks(marks, regions, {.only = 0});
  EXPECT_TRUE(marks.empty());
  EXPECT_EQ(std::string(unmarked_reason(regions, 0)),
            fmt::format("level 0: {} regions are too many to mark (at most {})",
                        std::string(format_count(kMaxRegions + 1)), std::string(format_count(kMaxRegions))));
  EXPECT_TRUE(unmarked_reason(regions, 1).empty()) << "level 1 has no regions to mark";
}

TEST(RegionMarksTest, AreMadeAnewForOtherRegionsOrAnotherLookAndForgotten) {
  RegionMarkCache marks;
  const auto few = grid(2, 8);
  const auto more = grid(3, 8);
  marks.request(few, 1, {});
  const std::size_t of_few = marks.marks().size();
  EXPECT_GT(of_few, 0u);
  marks.request(more, 1, {});
  EXPECT_EQ(marks.marks().size(), of_few);
  marks.request(more, 2, {});
  EXPECT_GT(marks.marks().size(), of_few);
  marks.request(more, 2, {.only = 1});
  EXPECT_EQ(marks.marks().size(), 0u);
  marks.request(few, 2, {});
  EXPECT_EQ(marks.marks().size(), of_few);
  marks.forget();
  EXPECT_EQ(marks.marks().size(), 0u);
  marks.request(few, 2, {});
  EXPECT_EQ(marks.marks().size(), of_few);
}

/// Provides the draw list of one frame.
class DwellOverlayTest : public ImGuiTest {
 protected:
  static constexpr Area kArea{{0, 0}, {1600, 1000}};

  ImDrawList& begin() {
    list_ = std::make_unique<ImDrawList>(ImGui::GetDrawListSharedData());
    list_->_ResetForNewFrame();
    list_->Flags =
        ImDrawListFlags_AntiAliasedLines | ImDrawListFlags_AntiAliasedFill | ImDrawListFlags_AllowVtxOffset;
    list_->PushClipRect({0, 0}, {1600, 1000});
    return *list_;
  }

  static DwellDifferences every(std::uint32_t step, std::size_t count) {
    DwellDifferences all;
    for (std::uint32_t i = 0; all.places.size() < count; ++i)
      all.places.push_back({.pixel = {i * step % 1600, i * step / 1600 * step % 1000}});
    all.count = count;
    return all;
  }

  bool covered(float x, float y) const {
    const auto& vertices = list_->VtxBuffer;
    for (int i = 0; i + 3 < vertices.Size; i += 4) {
      if (x > vertices[i].pos.x && x < vertices[i + 2].pos.x && y > vertices[i].pos.y &&
          y < vertices[i + 2].pos.y)
        return true;
    }
    return false;
  }

  std::unique_ptr<ImDrawList> list_;
};

TEST_F(DwellOverlayTest, MarksOutsideTheClipRectangleAreNotDrawn) {
  std::vector<PictureMark> marks;
  make_region_marks(marks, grid(100, 20), {});
  ImDrawList& list = begin();
  draw_marks(list, kArea, 1, marks);
  const int all = list.VtxBuffer.Size;
  EXPECT_GT(all, 4000);
  ImDrawList& part = begin();
  part.PushClipRect({0, 0}, {100, 100}, true);
  draw_marks(part, kArea, 1, marks);
  EXPECT_LT(part.VtxBuffer.Size, all / 20);
  EXPECT_GT(part.VtxBuffer.Size, 0);
}

TEST_F(DwellOverlayTest, FewDifferencesAreRingedAndManyAreBoundedSquares) {
  ImDrawList& few = begin();
  draw_differences(few, kArea, 1, every(3, kMaxRings));
  const int rings = few.IdxBuffer.Size;
  EXPECT_GT(rings, static_cast<int>(kMaxRings) * 12);
  for (const std::size_t count : {kMaxRings + 1, std::size_t{20000}, std::size_t{100000}}) {
    const DwellDifferences differences = every(7, count);
    ImDrawList& many = begin();
    draw_differences(many, kArea, 1, differences);
    EXPECT_LE(many.IdxBuffer.Size, 6 * kSquares * kSquares / 2) << count;
    for (std::size_t i = 0; i < count; i += count / 97) {
      const auto& pixel = differences.places[i].pixel;
      EXPECT_TRUE(covered(static_cast<float>(pixel.x) + 0.5f, static_cast<float>(pixel.y) + 0.5f)) << i;
    }
    EXPECT_EQ(covered(800.5f, 500.5f), count > 1000) << "with the smallest count no pixel differs here";
  }
}

}  // namespace
}  // namespace loom::app
