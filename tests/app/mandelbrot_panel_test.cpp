#include "app/mandelbrot/panels/mandelbrot_panel.h"

#include "app/gui/layout.h"
#include "imgui_frame.h"

namespace loom::app {
namespace {

using MandelbrotPanelTest = ImGuiTest;

// What is said and offered where float runs out must fit into the column of controls.
TEST_F(MandelbrotPanelTest, NothingIsCutOffWhereFloatRunsOut) {
  const BackendSelection backend{BackendKind::kCpu, 0, "as asked"};
  const CudaStatus cuda;
  const std::string name = "cpu: 2 threads";
  const std::vector<TourStop> tour;
  const std::optional<MandelbrotReport> report;
  const std::optional<DwellCheck> check;
  const FrameTimes frames;
  MandelbrotFacts now{.backend = backend,
                      .cuda = cuda,
                      .devices = 8,
                      .parts = {},
                      .backend_name = name,
                      .frames = frames,
                      .view = {-0.75, 0.1, 1e-4},
                      .picture = {952, 630},
                      .gauge = {},
                      .tour = tour,
                      .tour_at = {},
                      .expected_ms = {},
                      .report = report,
                      .times = {},
                      .exhaustive_ms = {},
                      .check = check,
                      .regions = {},
                      .shown_level = {},
                      .stages = {},
                      .hovered = {}};
  MandelbrotPanelState panel;
  for (const PrecisionState state : {PrecisionState::kNear, PrecisionState::kEnd}) {
    for (const float font : {16.0f, 24.0f}) {
      set_font_size(font);
      now.gauge.state = state;
      ShellEdit shell;
      MandelbrotEdit edit{.settings = {}, .commands = {}, .shell = shell};
      edit.settings.devices = state == PrecisionState::kEnd ? 2 : 1;
      const Layout layout = arrange(1280, 720, font, {});
      float overhang = -1;
      for (int frame = 0; frame < 3; ++frame) {  // ImGui knows a window's content from the frame before
        ImGui::NewFrame();
        ImGui::SetNextWindowPos({0, 0});
        ImGui::SetNextWindowSize({layout.controls.width, 4000});
        ImGui::Begin("controls", nullptr, ImGuiWindowFlags_NoDecoration & ~ImGuiWindowFlags_NoScrollbar);
        mandelbrot_panel(panel, edit, now);
        overhang = ImGui::GetScrollMaxX();
        ImGui::End();
        ImGui::EndFrame();
      }
      EXPECT_EQ(overhang, 0) << font;
    }
  }
}

}  // namespace
}  // namespace loom::app
