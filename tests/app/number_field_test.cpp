#include "app/widgets/inputs.h"
#include "imgui_frame.h"

namespace loom::app {
namespace {

class NumberFieldTest : public ImGuiTest {
 protected:
  void draw(std::optional<std::uint64_t> value) {
    ImGui::NewFrame();
    ImGui::Begin("fields");
    number_field("##number", state_, value);
    shown_ = value;
    ImGui::End();
    ImGui::EndFrame();
  }
  NumberFieldState state_;
  std::optional<std::uint64_t> shown_;
};

TEST_F(NumberFieldTest, IsEmptyWhereThereIsNoNumber) {
  draw(54);
  draw(54);
  EXPECT_EQ(state_.text, "54");
  draw(std::nullopt);
  EXPECT_EQ(state_.text, "") << "the old number is cleared";
  EXPECT_EQ(shown_, std::nullopt);
  EXPECT_EQ(state_.problem, "");
  draw(54);
  draw(54);
  EXPECT_EQ(state_.text, "54") << "the same number is shown again";
}

}  // namespace
}  // namespace loom::app
