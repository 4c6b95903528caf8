#include <nlohmann/json.hpp>

#include "app/gui/layout.h"
#include "app/workspaces/mandelbrot/panels/mandelbrot_panels.h"
#include "app/workspaces/mandelbrot/panes/method_comparison.h"
#include "imgui_frame.h"

namespace loom::app {
namespace {

class MandelbrotPanelTest : public ImGuiTest {
 protected:
  BackendSelection backend_{{}, "selected"};
  CudaStatus cuda_;
  std::string name_ = "cpu: 2 threads";
  std::vector<TourStop> tour_;
  std::optional<MandelbrotReport> report_;
  std::optional<DwellCheck> check_;
  FrameTimes frames_;
  MandelbrotStats now_{.backend = backend_,
                       .cuda = cuda_,
                       .devices = 8,
                       .parts = {},
                       .backend_name = name_,
                       .frames = frames_,
                       .view = {{-0.75, 0.1}, 1e-4},
                       .picture = {952, 630},
                       .gauge = {},
                       .tour = tour_,
                       .tour_index = {},
                       .expected_ms = {},
                       .report = report_,
                       .times = {},
                       .exhaustive_ms = {},
                       .check = check_,
                       .regions = {},
                       .shown_level = {},
                       .smooth_ms = {},
                       .histogram_ms = {},
                       .hovered = {}};
};

// The messages and buttons for low float precision and for a view without escaping points must fit into the
// side panel.
TEST_F(MandelbrotPanelTest, NothingIsCutOffWhereFloatRunsOut) {
  MandelbrotStats& now = now_;
  MandelbrotPanelState panel;
  PaletteEditor palette;
  for (const PrecisionState state : {PrecisionState::kLow, PrecisionState::kExhausted}) {
    for (const float font : {16.0f, 24.0f}) {
      set_font_size(font);
      now.gauge.state = state;
      now.has_picture = state == PrecisionState::kExhausted;
      now.counted_limit = 512;
      ShellEdit shell;
      MandelbrotEdit edit{.settings = {}, .commands = {}, .shell = shell};
      edit.settings.devices = state == PrecisionState::kExhausted ? 2 : 1;
      const Layout layout = arrange({1280, 720}, font, {});
      float overhang = -1;
      for (int frame = 0; frame < 3; ++frame) {  // ImGui sizes a window by the content of the previous frame
        ImGui::NewFrame();
        ImGui::SetNextWindowPos({0, 0});
        ImGui::SetNextWindowSize({layout.controls.size.x, 4000});
        ImGui::Begin("controls", nullptr, ImGuiWindowFlags_NoDecoration & ~ImGuiWindowFlags_NoScrollbar);
        mandelbrot_basics(panel, edit, now);
        ImGui::SetNextItemOpen(true);
        mandelbrot_method(panel, edit, now);
        mandelbrot_workload(edit, now);
        mandelbrot_view(panel, edit, now, palette);
        overhang = ImGui::GetScrollMaxX();
        ImGui::End();
        ImGui::EndFrame();
      }
      EXPECT_EQ(overhang, 0) << font;
    }
  }
}

TEST_F(MandelbrotPanelTest, TheWidthHasFewDigitsAndItsExponent) {
  now_.view = complex_view({"-1.7548776662466927600495088963585286918946", "0", "3.9211234567890123e-33"});
  MandelbrotPanelState panel;
  ShellEdit shell;
  MandelbrotEdit edit{.settings = {}, .commands = {}, .shell = shell};
  ImGui::NewFrame();
  ImGui::Begin("controls");
  mandelbrot_basics(panel, edit, now_);
  ImGui::End();
  ImGui::EndFrame();
  EXPECT_EQ(panel.place.texts[2], "3.92112e-33");
  EXPECT_FALSE(edit.commands.go_to.has_value());
}

// A picture with another dwell limit, a coarse picture or a missing one says nothing about this request.
TEST_F(MandelbrotPanelTest, WhatEscapesIsSaidOfTheVeryPicture) {
  EXPECT_FALSE(now_.nothing_escapes(512)) << "there is no picture";
  now_.has_picture = true;
  now_.counted_limit = 512;
  EXPECT_TRUE(now_.nothing_escapes(512));
  EXPECT_FALSE(now_.nothing_escapes(2048));
  now_.divisor = 4;
  EXPECT_FALSE(now_.nothing_escapes(512));
  now_.divisor = 1;
  now_.exterior = 1;
  EXPECT_FALSE(now_.nothing_escapes(512));
}

// With a small B, borders are computed again on later levels, so that more orbits are computed than there are
// pixels.
TEST_F(MandelbrotPanelTest, FilledPixelsAreCounted) {
  report_ = MandelbrotReport{};
  report_->pixels = 1000;
  report_->levels = {
      {.regions = 1, .splits = 1, .border_pixels = 900, .filled_pixels = 0, .milliseconds = {}},
      {.regions = 4, .filled = 4, .border_pixels = 700, .filled_pixels = 60, .milliseconds = {}}};
  nlohmann::ordered_json json;
  add_report(json, now_);
  EXPECT_EQ(json["computed_pixels"], 1600);
  EXPECT_EQ(json["filled_pixels"], 60);
}

}  // namespace
}  // namespace loom::app
