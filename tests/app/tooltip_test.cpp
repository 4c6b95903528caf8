#include "app/widgets/text.h"
#include "imgui_frame.h"

namespace loom::app {
namespace {

constexpr Area kScreen{{0, 0}, {1280, 720}};
constexpr Area kColumn{{0, 0}, {360, 700}};
constexpr Area kStrip{{360, 0}, {920, 150}};

bool overlap(const Area& a, const Area& b) {
  return a.corner.x < b.end().x && b.corner.x < a.end().x && a.corner.y < b.end().y && b.corner.y < a.end().y;
}

TEST(TooltipPlace, IsBesideAColumnAndBelowOrAboveAnItemElsewhere) {
  const Area in_column = tooltip_area({{12, 300}, {160, 22}}, kColumn, kScreen, {300, 60}, 5);
  EXPECT_EQ(in_column, (Area{{365, 300}, {300, 60}}));
  const Area at_the_right =
      tooltip_area({{950, 300}, {200, 22}}, {{940, 0}, {340, 700}}, kScreen, {300, 60}, 5);
  EXPECT_EQ(at_the_right, (Area{{635, 300}, {300, 60}}))
      << "left of a column at the right edge of the screen";
  const Area below = tooltip_area({{1200, 20}, {60, 22}}, kStrip, kScreen, {300, 60}, 5);
  EXPECT_EQ(below, (Area{{980, 47}, {300, 60}})) << "moved so that it fits on the screen";
  const Area above = tooltip_area({{700, 695}, {60, 22}}, {{0, 690}, {1280, 30}}, kScreen, {300, 60}, 5);
  EXPECT_EQ(above, (Area{{700, 630}, {300, 60}}));
}

TEST(TooltipPlace, NeverCoversAnItemThatLeavesRoomAtASide) {
  for (const Area& window : {kColumn, kStrip, kScreen, Area{{300, 100}, {700, 500}}}) {
    for (float x = window.corner.x; x < window.end().x - 40; x += 37) {
      for (float y = window.corner.y; y < window.end().y - 22; y += 29) {
        for (const float width : {40.0f, 300.0f}) {
          const Area item{{x, y}, {std::min(width, window.end().x - x), 22}};
          const Area place = tooltip_area(item, window, kScreen, {340, 120}, 5);
          EXPECT_FALSE(overlap(item, place)) << x << ", " << y;
          EXPECT_TRUE(place.corner.x >= 0 && place.corner.y >= 0 && place.end().x <= 1280 &&
                      place.end().y <= 720)
              << x << ", " << y;
        }
      }
    }
  }
}

class TooltipTest : public ImGuiTest {
 protected:
  /// Runs frames of 0.1 s with two buttons, one below the other.
  void frames(int count, glm::vec2 mouse, bool down = false) {
    for (int i = 0; i < count; ++i) {
      ImGuiIO& io = ImGui::GetIO();
      io.DeltaTime = 0.1f;
      io.MousePos = mouse;
      io.MouseDown[0] = down;
      ImGui::NewFrame();
      ImGui::SetNextWindowPos({0, 0});
      ImGui::SetNextWindowSize({300, 600});
      ImGui::Begin("column", nullptr, ImGuiWindowFlags_NoDecoration);
      for (const char* name : {"one", "other"}) {
        ImGui::Button(name, {200, 40});
        tooltip(name);
      }
      ImGui::End();
      ImGui::Render();
    }
  }
  const glm::vec2 kOne{50, 30};
  const glm::vec2 kOther{50, 75};
};

TEST_F(TooltipTest, ComesAfterADelayAndGoesWithAClick) {
  frames(7, kOne);
  EXPECT_EQ(shown_tooltip().text, "") << "not before the delay";
  frames(4, kOne);
  EXPECT_EQ(shown_tooltip().text, "one");
  EXPECT_FALSE(overlap(shown_tooltip().item, shown_tooltip().area));
  frames(1, kOne, true);
  EXPECT_EQ(shown_tooltip().text, "") << "a click hides the tooltip";
  frames(20, kOne);
  EXPECT_EQ(shown_tooltip().text, "") << "hidden until the mouse leaves the item";
  frames(7, kOther);
  EXPECT_EQ(shown_tooltip().text, "") << "each item has its own delay";
  frames(4, kOther);
  EXPECT_EQ(shown_tooltip().text, "other");
  frames(1, {50, 500});
  EXPECT_EQ(shown_tooltip().text, "");
  frames(11, kOne);
  EXPECT_EQ(shown_tooltip().text, "one");
}

}  // namespace
}  // namespace loom::app
