#include "app/gui/gui.h"

#include <backends/imgui_impl_glfw.h>
#include <backends/imgui_impl_opengl3.h>
#include <imgui.h>

#include "app/gui/theme.h"

namespace loom::app {

Gui::Gui(const render::GraphicsContext& context, float ui_pixels) : context_(context) {
  IMGUI_CHECKVERSION();
  ImGui::CreateContext();
  ImGuiIO& io = ImGui::GetIO();
  io.IniFilename = nullptr;  // one tidy layout, nothing to remember
  io.LogFilename = nullptr;
  io.ConfigWindowsMoveFromTitleBarOnly = true;
  if (context_.window() != nullptr) ImGui_ImplGlfw_InitForOpenGL(context_.window(), true);
  ImGui_ImplOpenGL3_Init("#version 450 core");
  set_scale(ui_pixels);
}

Gui::~Gui() {
  ImGui_ImplOpenGL3_Shutdown();
  if (context_.window() != nullptr) ImGui_ImplGlfw_Shutdown();
  ImGui::DestroyContext();
}

void Gui::set_scale(float ui_pixels) {
  ui_pixels_ = ui_pixels;
  fonts_ = load_fonts(ui_pixels);
  theme::apply(ui_pixels);
  ImGui_ImplOpenGL3_DestroyFontsTexture();
  ImGui_ImplOpenGL3_CreateFontsTexture();
}

void Gui::begin_frame(float ui_pixels) {
  if (ui_pixels != ui_pixels_) set_scale(ui_pixels);
  ImGui_ImplOpenGL3_NewFrame();
  if (context_.window() != nullptr) {
    ImGui_ImplGlfw_NewFrame();
  } else {
    ImGuiIO& io = ImGui::GetIO();
    const render::Extent size = context_.framebuffer_size();
    io.DisplaySize = {static_cast<float>(size.width), static_cast<float>(size.height)};
    io.DeltaTime = 1.0f / 60;
  }
  ImGui::NewFrame();
  // What is to be moved about in by keys asks for it in each of its frames: they have other meanings.
  ImGui::GetIO().ConfigFlags &= ~ImGuiConfigFlags_NavEnableKeyboard;
}

void Gui::end_frame() {
  ImGui::Render();
}

void Gui::draw() {
  ImGui_ImplOpenGL3_RenderDrawData(ImGui::GetDrawData());
}

}  // namespace loom::app
