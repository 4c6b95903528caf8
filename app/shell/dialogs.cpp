#include <GLFW/glfw3.h>
#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>

#include "app/gui/theme.h"
#include "app/shell/application.h"
#include "app/text/format.h"
#include "app/text/text.h"
#include "app/widgets/inputs.h"
#include "app/widgets/text.h"
#include "app/widgets/windows.h"

namespace loom::app {
namespace {

constexpr const char* kQuitTitle = "Quit?";
constexpr float kQuitTextWidth = 30;  // font sizes
/// Without keys and clicks; those before were not meant for the dialog.
constexpr std::chrono::milliseconds kPause{500};

}  // namespace

void QuitDialog::ask(std::optional<std::chrono::seconds> timeout) {
  asked_ = true;
  focus_ = 0;
  entered_ = false;
  deadline_.reset();
  takes_answers_at_ = Clock::now();
  if (!timeout) return;
  deadline_ = takes_answers_at_ + *timeout;
  takes_answers_at_ += kPause;
}

void QuitDialog::cancel_request() {
  asked_ = false;
  deadline_.reset();
  areas_.clear();
}

bool QuitDialog::press(const KeyPress& press) {
  if (!asked_ || press.ctrl) return false;
  if (!takes_answers()) {
    takes_answers_at_ = Clock::now() + kPause;
    return true;
  }
  const auto move = [this](std::size_t steps) { focus_ = (focus_ + steps) % kButtons; };
  switch (press.key) {
    case GLFW_KEY_ESCAPE:
      cancel_request();
      return true;
    case GLFW_KEY_ENTER:
    case GLFW_KEY_KP_ENTER:
    case GLFW_KEY_SPACE:
      entered_ = entered_ || !press.repeat;
      return true;
    case GLFW_KEY_TAB:
      move(press.shift ? kButtons - 1 : 1);
      return true;
    case GLFW_KEY_RIGHT:
    case GLFW_KEY_DOWN:
      move(1);
      return true;
    case GLFW_KEY_LEFT:
    case GLFW_KEY_UP:
      move(kButtons - 1);
      return true;
    default:
      return false;
  }
}

std::array<QuitDialog::Button, QuitDialog::kButtons> QuitDialog::buttons_for(
    const UnsavedWork& unsaved_work) {
  return {{{unsaved_work.can_save ? "Save and quit" : "Finish and quit", Answer::kSave},
           {unsaved_work.can_save ? "Quit without saving" : "Quit now", Answer::kQuit},
           {"Cancel", Answer::kCancel}}};
}

QuitDialog::Answer QuitDialog::draw_buttons(const UnsavedWork& unsaved_work) {
  const ImGuiStyle& style = ImGui::GetStyle();
  const bool entered = std::exchange(entered_, false);
  const bool takes = takes_answers();
  if (!takes && ImGui::IsMouseClicked(ImGuiMouseButton_Left)) takes_answers_at_ = Clock::now() + kPause;
  ImGui::BeginDisabled(!takes);
  Answer answer = Answer::kNone;
  const auto buttons = buttons_for(unsaved_work);
  areas_.clear();
  ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, {theme::grid(3), theme::grid(1)});
  ImGui::PushStyleVar(ImGuiStyleVar_FrameBorderSize, 1);
  ImGui::PushStyleColor(ImGuiCol_Border, theme::colours().muted);
  for (std::size_t i = 0; i < kButtons; ++i) {
    const bool focused = i == focus_;
    if (i > 0) ImGui::SameLine(0, 2 * style.ItemSpacing.x);
    ImGui::PushStyleColor(ImGuiCol_Button, focused ? theme::colours().accent : theme::colours().hover);
    ImGui::PushStyleColor(ImGuiCol_ButtonHovered, focused ? theme::colours().accent : theme::colours().grab);
    ImGui::PushStyleColor(ImGuiCol_Text, focused ? theme::colours().on_accent : theme::colours().text);
    if (ImGui::Button(buttons[i].label) || (focused && entered)) answer = buttons[i].answer;
    ImGui::PopStyleColor(3);
    areas_[buttons[i].label] = item_area();
    if (!focused) continue;
    focused_label_ = buttons[i].label;
    const float gap = theme::grid(0.5f);
    const glm::vec2 low = ImGui::GetItemRectMin();
    const glm::vec2 high = ImGui::GetItemRectMax();
    ImGui::GetWindowDrawList()->AddRect(low - gap, high + gap, theme::colours().ring, style.FrameRounding, 0,
                                        2);
  }
  ImGui::PopStyleColor();
  ImGui::PopStyleVar(2);
  ImGui::EndDisabled();
  if (ImGui::IsWindowAppearing()) areas_.clear();  // the dialog's size is unknown in its first frame
  return answer;
}

QuitDialog::Answer QuitDialog::show(const UnsavedWork& unsaved_work) {
  if (unsaved_work.text.empty()) {
    const bool ends = asked_ && deadline_;
    cancel_request();
    if (ends) return Answer::kQuit;
  }
  if (asked_ && !ImGui::IsPopupOpen(kQuitTitle)) ImGui::OpenPopup(kQuitTitle);
  // The timeout applies even while the dialog is hidden.
  Answer answer = deadline_ && Clock::now() >= *deadline_ ? Answer::kQuit : Answer::kNone;
  ImGui::SetNextWindowPos(ImGui::GetMainViewport()->GetCenter(), ImGuiCond_Always, {0.5f, 0.5f});
  if (!ImGui::BeginPopupModal(
          kQuitTitle, nullptr,
          ImGuiWindowFlags_AlwaysAutoResize | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoNav))
    return answer;
  wrapped_text(unsaved_work.text, kQuitTextWidth * ImGui::GetFontSize());
  if (deadline_) {
    const std::chrono::duration<double> left = *deadline_ - Clock::now();
    const Text words = format_text("The system requests shutdown. The program quits in {:.0f} s.",
                                   std::max(left.count(), 0.0));
    ImGui::TextUnformatted(words.c_str());
  }
  ImGui::Dummy({0, theme::grid(1)});
  if (const Answer chosen = draw_buttons(unsaved_work); answer == Answer::kNone) answer = chosen;
  if (answer == Answer::kSave || answer == Answer::kCancel) cancel_request();
  if (!asked_) ImGui::CloseCurrentPopup();
  ImGui::EndPopup();
  return answer;
}

namespace {

constexpr float kAboutWidth = 34;  // font sizes

std::string cuda_text(const CudaStatus& cuda) {
  if (cuda.devices.empty()) return cuda.reason;
  return fmt::format("{}.{}, driver for {}.{}", cuda.runtime_version / 1000, cuda.runtime_version % 1000 / 10,
                     cuda.driver_version / 1000, cuda.driver_version % 1000 / 10);
}

}  // namespace

AboutDialog::AboutDialog(const std::string& version, const CudaStatus& cuda, const render::GlInfo& opengl)
    : rows_{{"Version", version}, {"CUDA", cuda_text(cuda)}} {
  for (const Device& device : cuda.devices) {
    rows_.emplace_back(fmt::format("GPU {}", device.ordinal),
                       fmt::format("{}, compute capability {}.{}, {} multiprocessors, {}", device.name,
                                   device.compute_major, device.compute_minor, device.multiprocessors,
                                   std::string_view(format_bytes(device.total_bytes))));
  }
  rows_.emplace_back("OpenGL", fmt::format("{}, {}", opengl.version, opengl.renderer));
  rows_.emplace_back("Libraries",
                     fmt::format("Dear ImGui {}, GLFW {}", ImGui::GetVersion(), glfwGetVersionString()));
  rows_.emplace_back("Licences", "fractal-loom info --licenses prints the notices of the bundled fonts");
}

void AboutDialog::show() {
  if (!begin_dialog("About Fractal Loom", begin_, kAboutWidth, 0.2f)) return;
  wrapped_text("Shows how GPU threads are woven onto fractals.");
  for (const auto& [name, value] : rows_) {
    row_label(name.c_str());
    wrapped_text(value);
  }
  if (primary_button("Close", button_width("Close")) || is_enter_available()) ImGui::CloseCurrentPopup();
  end_dialog(areas_);
}

}  // namespace loom::app
