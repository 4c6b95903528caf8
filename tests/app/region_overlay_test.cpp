#include "app/mandelbrot/picture/region_overlay.h"

#include <vector>

#include "imgui_frame.h"

namespace loom::app {
namespace {

class RegionOverlayTest : public ImGuiTest {
 protected:
  /// A level of `count` leaves of `size` × `size` pixels, in rows of 256 of them.
  void add(int count, std::uint32_t size) {
    const auto level = static_cast<std::uint16_t>(regions_.empty() ? 0 : regions_.back().level + 1);
    for (int i = 0; i < count; ++i) {
      const auto n = static_cast<std::uint32_t>(i);
      regions_.push_back({n % 256 * size, n / 256 * size, size, size, level, RegionKind::kLeaf});
    }
  }

  /// Where the vertices stand that drawing takes within a clip rectangle of the whole picture or less.
  std::vector<ImVec2> draw(ImVec2 low, ImVec2 high, std::optional<int> shown = {}) {
    ImGui::NewFrame();
    ImDrawList& list = *ImGui::GetBackgroundDrawList();
    list.PushClipRect(low, high);
    draw_regions(list, {0, 0, 1280, 720}, 1, regions_, RegionOverlay::kLevels, shown);
    list.PopClipRect();
    std::vector<ImVec2> places;
    for (const ImDrawVert& vertex : list.VtxBuffer) places.push_back(vertex.pos);
    ImGui::EndFrame();
    return places;
  }

  std::vector<MandelbrotRegion> regions_;
};

// Half a level would tell of one half of the picture what it keeps silent of the other.
TEST_F(RegionOverlayTest, LevelsAreDrawnWholeOrNotAtAll) {
  add(100, 64);
  add(static_cast<int>(kMostRegions) - 100, 4);
  EXPECT_EQ(drawn_regions(regions_), kMostRegions);
  EXPECT_EQ(last_level_drawn(regions_, {}), std::nullopt);
  add(1, 1);
  EXPECT_EQ(drawn_regions(regions_), kMostRegions);
  EXPECT_EQ(last_level_drawn(regions_, {}), 1);
  regions_.clear();
  add(100, 64);
  add(static_cast<int>(kMostRegions), 2);
  EXPECT_EQ(drawn_regions(regions_), 100u);
  EXPECT_EQ(last_level_drawn(regions_, {}), 0);
  EXPECT_EQ(last_level_drawn(regions_, 0), std::nullopt) << "level 0 is all that is to be shown";
  EXPECT_EQ(draw({0, 0}, {20000, 20000}).size(), 100u * 16) << "four bars each";
  regions_.clear();
  add(static_cast<int>(kMostRegions) + 1, 1);
  EXPECT_EQ(last_level_drawn(regions_, {}), -1);
  EXPECT_TRUE(draw({0, 0}, {1280, 720}).empty());
}

// The Julia set parts the picture in two, and regions are drawn in both.
TEST_F(RegionOverlayTest, OnlyWhatIsSeenIsDrawn) {
  add(512, 4);  // two rows
  const auto all = draw({0, 0}, {1280, 720});
  EXPECT_EQ(all.size(), 512u * 16);
  EXPECT_EQ(draw({0, 0}, {1280, 4}).size() + draw({0, 4}, {1280, 720}).size(), all.size());
}

// A region's outline lies within it, however small it is.
TEST_F(RegionOverlayTest, OutlinesStayInside) {
  add(1, 1);
  for (const ImVec2& place : draw({0, 0}, {1280, 720})) {
    EXPECT_TRUE(place.x >= 0 && place.x <= 1 && place.y >= 0 && place.y <= 1) << place.x << ' ' << place.y;
  }
}

}  // namespace
}  // namespace loom::app
