#include "app/document/scene/window/draft_editor.h"

#include "app/gui/imgui_compat.h"

namespace loom::app {

DraftKeys draft_keys() {
  const ImGuiIO& io = ImGui::GetIO();
  if (!ImGui::IsWindowFocused(ImGuiFocusedFlags_RootAndChildWindows) || !io.KeyCtrl || io.WantTextInput)
    return {};
  return {imgui_compat::is_pressed(GLFW_KEY_Z), imgui_compat::is_pressed(GLFW_KEY_Y)};
}

}  // namespace loom::app
