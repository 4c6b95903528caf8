#include "app/shell/quit_question.h"

#include <imgui.h>

#include <algorithm>

#include "app/text/text.h"

namespace loom::app {
namespace {

constexpr const char* kQuitTitle = "Quit?";

}  // namespace

void QuitQuestion::ask(std::optional<std::chrono::seconds> patience) {
  asked_ = true;
  until_.reset();
  if (patience) until_ = Clock::now() + *patience;
}

void QuitQuestion::stay() {
  asked_ = false;
  until_.reset();
}

bool QuitQuestion::show(const std::string& lost) {
  if (lost.empty()) {
    const bool ends = asked_ && until_;
    stay();
    if (ends) return true;
  }
  if (asked_ && !ImGui::IsPopupOpen(kQuitTitle)) ImGui::OpenPopup(kQuitTitle);
  // Whatever hides it, it does not wait for longer.
  bool quit = until_ && Clock::now() >= *until_;
  ImGui::SetNextWindowPos(ImGui::GetMainViewport()->GetCenter(), ImGuiCond_Always, {0.5f, 0.5f});
  if (!ImGui::BeginPopupModal(kQuitTitle, nullptr,
                              ImGuiWindowFlags_AlwaysAutoResize | ImGuiWindowFlags_NoMove))
    return quit;
  ImGui::TextUnformatted(lost.c_str());
  if (until_) {
    const std::chrono::duration<double> left = *until_ - Clock::now();
    const Text words =
        format_text("The system asks the program to end. It does in {:.0f} s.", std::max(left.count(), 0.0));
    ImGui::TextUnformatted(words.c_str());
  }
  if (ImGui::Button("Stay (Esc)") || !asked_) {
    stay();
    ImGui::CloseCurrentPopup();
  }
  ImGui::SameLine();
  if (ImGui::Button("Quit without saving")) quit = true;
  ImGui::EndPopup();
  return quit;
}

}  // namespace loom::app
