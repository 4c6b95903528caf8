#include <gtest/gtest.h>

#include <string>

#include "app/gui/imgui_compat.h"
#include "app/gui/input_queue.h"
#include "imgui_frame.h"

namespace loom::app {
namespace {

std::string held;

class ClipboardTest : public ImGuiTest {
 protected:
  void SetUp() override {
    ImGuiTest::SetUp();
    imgui_compat::clipboard_reader() = [](imgui_compat::ClipboardContext) -> const char* {
      return held.c_str();
    };
    clipboard::limit_text_fields();
  }
};

TEST_F(ClipboardTest, GivesTextFieldsNoMoreThanTheyTake) {
  held.assign(clipboard::kMostFieldBytes, 'a');
  EXPECT_EQ(ImGui::GetClipboardText(), held);
  EXPECT_EQ(clipboard::take_refused(), std::nullopt);
  held += 'a';
  EXPECT_STREQ(ImGui::GetClipboardText(), "");
  EXPECT_EQ(clipboard::take_refused(), held.size());
  EXPECT_EQ(clipboard::take_refused(), std::nullopt) << "a refusal is reported once";
}

TEST_F(ClipboardTest, GivesTheProgramAllOfIt) {
  held.assign(10'000'000, 'o');
  EXPECT_EQ(clipboard::text(), held);
  EXPECT_EQ(clipboard::take_refused(), std::nullopt);
}

TEST_F(ClipboardTest, IsLimitedOnce) {
  clipboard::limit_text_fields();
  held = "glider";
  EXPECT_STREQ(ImGui::GetClipboardText(), "glider");
  EXPECT_EQ(clipboard::text(), "glider");
}

}  // namespace
}  // namespace loom::app
