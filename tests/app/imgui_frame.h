#pragma once

#include <gtest/gtest.h>
#include <imgui.h>

#include "app/gui/imgui_compat.h"
#include "app/gui/theme.h"

namespace loom::app {

/// ImGui without a window or OpenGL: frames build draw lists that are inspected but never rendered.
class ImGuiTest : public testing::Test {
 protected:
  static constexpr float kFontSize = 16;

  void SetUp() override {
    ImGui::CreateContext();
    ImGui::GetIO().IniFilename = nullptr;
    ImGui::GetIO().DisplaySize = {1280, 720};
    set_font_size(kFontSize);
  }
  void TearDown() override { ImGui::DestroyContext(); }

  void set_font_size(float pixels) {
    fonts_ = load_fonts(pixels);
    theme::apply(pixels, Theme::kDark);
    imgui_compat::build_fonts();
  }

  Fonts fonts_;
};

}  // namespace loom::app
