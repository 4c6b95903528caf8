#include "app/gui/gui.h"

#include <GLFW/glfw3.h>
#include <backends/imgui_impl_glfw.h>
#include <backends/imgui_impl_opengl3.h>
#include <imgui.h>

#include "app/gui/clipboard.h"
#include "app/gui/imgui_compat.h"
#include "app/gui/theme.h"

namespace loom::app {

Gui::Gui(const render::GraphicsContext& context, float ui_pixels, Theme theme)
    : context_(context), input_(context.window()) {
  IMGUI_CHECKVERSION();
  ImGui::CreateContext();
  ImGuiIO& io = ImGui::GetIO();
  io.IniFilename = nullptr;  // the layout is computed, not stored
  io.LogFilename = nullptr;
  io.ConfigWindowsMoveFromTitleBarOnly = true;
  imgui_compat::use_own_queue(io);
  if (context_.window() != nullptr) ImGui_ImplGlfw_InitForOpenGL(context_.window(), false);
  ImGui_ImplOpenGL3_Init("#version 450 core");
  clipboard::limit_text_fields();
  set_scale(ui_pixels, theme);
}

Gui::~Gui() {
  ImGui_ImplOpenGL3_Shutdown();
  if (context_.window() != nullptr) ImGui_ImplGlfw_Shutdown();
  ImGui::DestroyContext();
}

void Gui::set_scale(float ui_pixels, Theme theme) {
  ui_pixels_ = ui_pixels;
  theme_ = theme;
  fonts_ = load_fonts(ui_pixels);
  theme::apply(ui_pixels, theme);
}

void Gui::begin_frame(float ui_pixels, Theme theme) {
  ImGui_ImplOpenGL3_NewFrame();  // the first call creates the font texture; an earlier one would be lost
  if (ui_pixels != ui_pixels_) {
    set_scale(ui_pixels, theme);
    imgui_compat::upload_fonts();
  } else if (theme != theme_) {
    theme_ = theme;
    theme::apply(ui_pixels, theme);
  }
  if (context_.window() != nullptr) {
    ImGui_ImplGlfw_NewFrame();
    take_sizes();
    input_.begin_frame();
  } else {
    ImGuiIO& io = ImGui::GetIO();
    io.DisplaySize = glm::vec2(context_.framebuffer_size());
    io.DeltaTime = 1.0f / 60;
  }
  ImGui::NewFrame();
  // Keyboard navigation is off because keys are shortcuts; what needs it enables it in each of its frames.
  ImGui::GetIO().ConfigFlags &= ~ImGuiConfigFlags_NavEnableKeyboard;
}

// The window and framebuffer sizes need two queries. If the window is resized in between, their ratio can be
// wrong by a factor of hundreds. The sizes are used only if the window size is the same before and after;
// otherwise the previous ones remain.
void Gui::take_sizes() {
  constexpr int kAttempts = 4;
  for (int i = 0; i < kAttempts; ++i) {
    glm::ivec2 size{0};
    glm::ivec2 size_after{0};
    glfwGetWindowSize(context_.window(), &size.x, &size.y);
    const glm::ivec2 framebuffer = context_.framebuffer_size();
    glfwGetWindowSize(context_.window(), &size_after.x, &size_after.y);
    if (size != size_after) continue;
    if (size.x < 1 || size.y < 1) break;
    size_ = glm::vec2(size);
    scale_ = glm::vec2(framebuffer) / size_;
    break;
  }
  ImGui::GetIO().DisplaySize = size_;
  ImGui::GetIO().DisplayFramebufferScale = scale_;
}

void Gui::end_frame() {
  imgui_compat::route_keys_to_text_field();
  ImGui::Render();
}

void Gui::draw() {
  ImGui_ImplOpenGL3_RenderDrawData(ImGui::GetDrawData());
}

}  // namespace loom::app
