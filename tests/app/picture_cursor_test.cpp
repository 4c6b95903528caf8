#include <gtest/gtest.h>

#include "app/widgets/picture.h"
#include "imgui_frame.h"

namespace loom::app {
namespace {

TEST(PictureCursor, StaysWithinThePicture) {
  const Coord64 end{10, std::uint64_t{1} << 62};
  EXPECT_EQ(moved_within({3, 5}, {2, -1}, {1, 1}, end), (Coord64{5, 4}));
  EXPECT_EQ(moved_within({3, 5}, {-4, -9}, {1, 1}, end), (Coord64{0, 0}));
  EXPECT_EQ(moved_within({3, 5}, {1, 1}, {16, 16}, end), (Coord64{9, 21}));
  EXPECT_EQ(moved_within({3, 5}, {0, 8}, {1, std::uint64_t{1} << 62}, end), (Coord64{3, end.y - 1}));
  EXPECT_EQ(moved_within({12, 0}, {0, 0}, {1, 1}, end), (Coord64{9, 0})) << "the picture became smaller";
}

class PictureCursorTest : public ImGuiTest {
 protected:
  /// A frame with the mouse over a unit, or beside the picture.
  void frame(std::optional<Coord64> under_mouse, float mouse_x) {
    ImGui::GetIO().MousePos = {mouse_x, 10};
    ImGui::NewFrame();
    cursor_.begin(under_mouse, {7, 7});
    ImGui::EndFrame();
  }
  PictureCursor cursor_;
};

TEST_F(PictureCursorTest, IsWhereTheMouseIsUntilKeysMoveIt) {
  frame(std::nullopt, 10);
  EXPECT_EQ(cursor_.shown(), (Coord64{7, 7})) << "the mouse was never over the picture";
  frame(Coord64{1, 2}, 20);
  EXPECT_EQ(cursor_.unit(), (Coord64{1, 2}));
  EXPECT_FALSE(cursor_.shown()) << "the mouse shows where it is";
  cursor_.move_to({2, 2});
  frame(Coord64{1, 2}, 20);
  EXPECT_EQ(cursor_.shown(), (Coord64{2, 2})) << "the mouse did not move";
  frame(Coord64{5, 5}, 30);
  EXPECT_EQ(cursor_.unit(), (Coord64{5, 5}));
  EXPECT_FALSE(cursor_.shown());
}

}  // namespace
}  // namespace loom::app
