#include "app/widgets/control_marks.h"

#include "app/widgets/inputs.h"
#include "compute/core/error.h"
#include "imgui_frame.h"

namespace loom::app {
namespace {

class ControlMarksTest : public ImGuiTest {
 protected:
  void SetUp() override {
    ImGuiTest::SetUp();
    ControlMarks::use_in_context(&marks_);
  }

  // A column of 200 x 100 with a collapsed section and a row below the visible part.
  void frame() {
    marks_.begin_frame();
    ImGui::NewFrame();
    ImGui::SetNextWindowPos({10, 20});
    ImGui::SetNextWindowSize({200, 100});
    ImGui::Begin("column", nullptr, ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_NoMove);
    {
      const ScopedControlMark rows(Control::kMap);
      ImGui::Button("one", {-1, 0});
      ImGui::Button("two", {-1, 0});
    }
    ImGui::Button("small");
    mark_item(Control::kHalo);
    if (fold_) ImGui::SetNextItemOpen(false);
    fold_ = false;
    if (section("Section")) {
      const ScopedControlMark rows(Control::kRule);
      ImGui::Button("inside", {-1, 0});
    }
    ImGui::Dummy({1, 400});
    {
      const ScopedControlMark rows(Control::kStart);
      ImGui::Button("far down", {-1, 0});
    }
    scrolled_ = ImGui::GetScrollY();
    ImGui::End();
    ImGui::EndFrame();
  }
  void frames(int count) {
    for (int i = 0; i < count; ++i) frame();
  }

  ControlMarks marks_;
  bool fold_ = false;
  float scrolled_ = 0;
};

TEST_F(ControlMarksTest, AControlIsWhereItIsDrawn) {
  frames(2);
  const auto rows = marks_.visible_area(Control::kMap);
  ASSERT_TRUE(rows);
  EXPECT_GE(rows->corner.x, 10);
  EXPECT_GT(rows->size.x, 150) << "the row spans the content width";
  EXPECT_GE(rows->size.y, 2 * kFontSize);
  const auto item = marks_.visible_area(Control::kHalo);
  ASSERT_TRUE(item);
  EXPECT_LT(item->size.x, 100);
  EXPECT_GE(item->corner.y, rows->end().y);
  EXPECT_TRUE(marks_.drawn(Control::kStart));
  EXPECT_FALSE(marks_.visible_area(Control::kStart)) << "scrolled out of view";
  EXPECT_FALSE(marks_.drawn(Control::kFractal)) << "this control is not in the column";
}

TEST_F(ControlMarksTest, WhatIsWantedIsScrolledIntoView) {
  frames(2);
  EXPECT_EQ(scrolled_, 0);
  marks_.set_highlight(Control::kStart);
  frames(3);
  EXPECT_GT(scrolled_, 0);
  const auto visible_area = marks_.visible_area(Control::kStart);
  ASSERT_TRUE(visible_area);
  EXPECT_GE(visible_area->size.y, kFontSize);
  EXPECT_FALSE(marks_.missing());
}

TEST_F(ControlMarksTest, WhatIsWantedIsUnfoldedAndMayBeFoldedAgain) {
  fold_ = true;
  frames(2);
  EXPECT_FALSE(marks_.drawn(Control::kRule));
  marks_.set_highlight(Control::kRule);
  EXPECT_TRUE(marks_.missing());
  frames(3);
  EXPECT_TRUE(marks_.drawn(Control::kRule));
  EXPECT_FALSE(marks_.missing());
  frames(20);
  fold_ = true;
  frames(3);
  EXPECT_FALSE(marks_.drawn(Control::kRule))
      << "once the control was shown, the user may collapse the section";
}

TEST_F(ControlMarksTest, WithoutMarksNothingIsMarked) {
  ControlMarks::use_in_context(nullptr);
  frames(2);
  EXPECT_FALSE(marks_.drawn(Control::kMap));
}

TEST(Control, HasANameOfItsOwn) {
  for (const Control control : kControls) EXPECT_EQ(parse_control(name_of(control)), control);
  EXPECT_THROW(parse_control("mapp"), InputError);
}

}  // namespace
}  // namespace loom::app
