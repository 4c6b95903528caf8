#include "app/gui/imgui_compat.h"
#include "app/lessons/window/lesson_strip.h"
#include "imgui_frame.h"

namespace loom::app::lessons {
namespace {

struct NoHost final : LessonHost {
  std::shared_ptr<const SceneSnapshot> take_snapshot() override { return std::make_shared<SceneSnapshot>(); }
  void restore_snapshot(const SceneSnapshot&) override {}
  void set(const SceneSettingList&) override {}
};

Lesson one_question() {
  Lesson lesson{.name = "one", .file = "one.toml", .title = "One", .summary = "One.", .steps = {}};
  LessonStep step;
  step.text.text = TextTemplate("A text.", {});
  step.question.emplace();
  step.question->ask.text = TextTemplate("How many?", {});
  step.question->answer = Expression("1", {});
  step.question->hint.text = TextTemplate("One.", {});
  lesson.steps = {step};
  return lesson;
}

class LessonPanelTest : public ImGuiTest {
 protected:
  void frame() {
    ImGui::NewFrame();
    requests_ = {};
    lesson_panel({{0, 0}, {1000, 200}}, session_, nullptr, {}, "", "", state_, requests_);
    ImGui::Render();
  }
  void move_to(const char* name) {
    const Area& area = state_.areas.at(name);
    imgui_compat::add_mouse_position(ImGui::GetIO(), area.centre().x, area.centre().y);
  }
  void press(bool down) { imgui_compat::add_mouse_button(ImGui::GetIO(), 0, down); }

  NoHost host_;
  LessonSession session_{one_question(), host_};
  LessonPanelState state_;
  LessonRequests requests_;
};

TEST_F(LessonPanelTest, AClickOnAButtonIsNotLostToTheFieldThatGetsTheKeyboard) {
  for (int pressed_at = 0; pressed_at < 8; ++pressed_at) {
    frame();
    move_to("x");
    frame();
    frame();
    state_.to_field = 2;  // a step is entered
    bool closed = false;
    for (int i = 0; i < 12; ++i) {
      if (i == pressed_at) press(true);
      if (i == pressed_at + 1) press(false);
      frame();
      closed |= requests_.close;
    }
    EXPECT_TRUE(closed) << "pressed " << pressed_at << " frames after the step was entered";
    if (pressed_at < 2) {
      EXPECT_TRUE(state_.field_active) << "the field gets the focus after the click";
    }
    ImGui::DestroyContext();  // start again with a new context
    SetUp();
    state_ = {};
  }
}

TEST_F(LessonPanelTest, TheFieldGetsTheKeyboardAndKeepsIt) {
  frame();
  state_.to_field = 2;
  for (int i = 0; i < 6; ++i) frame();
  EXPECT_TRUE(state_.field_active);
  move_to("answer");
  press(true);
  frame();
  press(false);
  frame();
  frame();
  EXPECT_TRUE(state_.field_active) << "a click into the field keeps the focus";
}

}  // namespace
}  // namespace loom::app::lessons
