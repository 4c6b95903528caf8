#include "app/shell/toasts.h"

#include <gtest/gtest.h>

#include <array>

#include "imgui_frame.h"

namespace loom::app {
namespace {

constexpr Toasts::Clock::time_point kStart{};

TEST(Toasts, ASuccessGoesByItselfAndIsNothingToClose) {
  Toasts toasts;
  toasts.show(Message::success("Saved a.loom"), std::nullopt, kStart);
  EXPECT_TRUE(toasts.persistent().empty());
  EXPECT_EQ(toasts.newest().text, "Saved a.loom");
  toasts.dismiss();
  EXPECT_EQ(toasts.newest().text, "Saved a.loom") << "Esc does not dismiss a success message";
  toasts.update(kStart + Toasts::kShown - std::chrono::milliseconds(1));
  EXPECT_FALSE(toasts.newest().empty());
  toasts.update(kStart + Toasts::kShown);
  EXPECT_TRUE(toasts.newest().empty());
}

TEST(Toasts, WarningsAndErrorsStayUntilTheyAreClosed) {
  for (const Message& message : {Message::warning("w"), Message::error("e")}) {
    Toasts toasts;
    toasts.show(message, std::nullopt, kStart);
    toasts.update(kStart + std::chrono::hours(1));
    EXPECT_EQ(toasts.persistent().text, message.text);
    toasts.dismiss();
    EXPECT_TRUE(toasts.newest().empty());
  }
}

TEST(Toasts, ASuccessDoesNotHideAnError) {
  Toasts toasts;
  toasts.show(Message::error("no room on the disk"), std::nullopt, kStart);
  toasts.show(Message::success("Kept: a place"), std::nullopt, kStart);
  toasts.show({}, std::nullopt, kStart);
  EXPECT_EQ(toasts.newest().text, "Kept: a place");
  EXPECT_EQ(toasts.persistent().text, "no room on the disk");
  toasts.update(kStart + Toasts::kShown);
  EXPECT_EQ(toasts.newest().text, "no room on the disk");
}

TEST(Toasts, AMessageIsSeenInTheWorkspaceThatItSpeaksOf) {
  Toasts toasts;
  toasts.show(Message::warning("cancelled and paused"), 0, kStart);
  toasts.show(Message::success("Kept: a place"), 0, kStart);
  toasts.set_workspace(1, kStart);
  EXPECT_TRUE(toasts.newest().empty());
  toasts.show(Message::error("out of memory"), 0, kStart);
  EXPECT_TRUE(toasts.newest().empty());
  toasts.show(Message::error("no such device"), std::nullopt, kStart);
  EXPECT_EQ(toasts.persistent().text, "no such device");
  toasts.set_workspace(0, kStart);
  EXPECT_EQ(toasts.persistent().text, "no such device")
      << "an error without a workspace stays until it is dismissed";
  toasts.dismiss(kStart);
  EXPECT_EQ(toasts.persistent().text, "out of memory") << "the earlier error was still queued";
  EXPECT_TRUE(toasts.transient().empty());
  toasts.dismiss(kStart);
  EXPECT_TRUE(toasts.newest().empty());
}

TEST(Toasts, AHintDoesNotReplaceAnErrorThatWaits) {
  Toasts toasts;
  toasts.show(Message::error("out of memory"), 1, kStart);
  toasts.show(Message::hint("N does nothing"), 1, kStart);
  toasts.set_workspace(1, kStart);
  EXPECT_EQ(toasts.persistent().text, "out of memory");
}

class ToastAreaTest : public ImGuiTest {
 protected:
  /// Where a message is drawn in the end; `marked` must stay free.
  static Area area(const Area& marked) {
    Toasts toasts;
    toasts.show(Message::success("Opened a.loom"), std::nullopt, kStart);
    const std::array all = {Area{}, marked};
    for (int frame = 0; frame < 3; ++frame) {
      ImGui::NewFrame();
      toasts.draw(kPicture, false, all);
      ImGui::EndFrame();
    }
    return toasts.area();
  }
  static constexpr Area kPicture{{100, 50}, {800, 600}};
};

TEST_F(ToastAreaTest, AMessageLeavesTheMarkedPartFree) {
  EXPECT_GT(area({}).corner.y, 500) << "at the lower edge";
  const Area below{{450, 600}, {100, 50}};
  EXPECT_LT(area(below).end().y, 200) << "at the upper edge";
  EXPECT_TRUE(intersect(area(below), below).empty());
  EXPECT_GT(area({{100, 50}, {800, 100}}).corner.y, 500);
  const Area right_half{{450, 50}, {450, 600}};
  EXPECT_TRUE(intersect(area(right_half), right_half).empty()) << "at the left, where both places are marked";
  EXPECT_GT(area(kPicture).corner.y, 500) << "all of it is marked";
}

}  // namespace
}  // namespace loom::app
