#include <gtest/gtest.h>

#include <algorithm>
#include <optional>

#include "allocations/allocations.h"
#include "app/shell/application.h"
#include "app/workspaces/life/life_workspace.h"
#include "app/workspaces/life/scene/life_settings.h"
#include "app/workspaces/mandelbrot/mandelbrot_workspace.h"
#include "app/workspaces/solid/solid_workspace.h"
#include "glad/gl.h"

namespace loom::app {
namespace {

/// The application with its workspaces, rendered off screen.
class FrameAllocation : public testing::Test {
 protected:
  void open(LifeSettings life, ShellSettings shell, MandelbrotSettings mandelbrot = {},
            glm::ivec2 size = {1280, 720}) {
    shell.backend = BackendChoice::kCpu;
    application_.reset();
    context_.reset();
    context_ = render::make_offscreen(size);
    // All OpenGL calls are made, but pixels are discarded: rasterising on the CPU took most of the time.
    glEnable(GL_RASTERIZER_DISCARD);
    application_ = std::make_unique<Application>(
        shell, *context_,
        [&](const ShellServices& services) {
          Application::Workspaces workspaces;
          auto own = std::make_unique<LifeWorkspace>(std::move(life), services);
          life_ = own.get();
          workspaces.push_back(std::move(own));
          workspaces.push_back(std::make_unique<MandelbrotWorkspace>(mandelbrot, std::nullopt, services));
          return workspaces;
        },
        ApplicationOptions{.waits = true});
  }

  /// Expects that a repeated frame allocates nothing once statistics and buffers have reached their full
  /// size.
  void expect_nothing_allocated() {
    for (std::size_t frame = 0; frame < FrameTimes::kWindow + 20; ++frame) application_->frame();
    // On a busy machine a slow frame can move the next work to the background, whose progress text allocates
    // memory. What every frame allocates, or every frame that counts the living cells, shows in each attempt.
    std::uint64_t least = ~std::uint64_t{0};
    for (int attempt = 0; attempt < 4 && least > 0; ++attempt) {
      const std::uint64_t before = tests::allocations();
      for (int frame = 0; frame < kFrames; ++frame) application_->frame();
      least = std::min<std::uint64_t>(least, tests::allocations() - before);
    }
    EXPECT_EQ(least, 0u) << "in " << kFrames << " frames";
  }

  static constexpr int kFrames = 40;
  const LifeWorkspace* life_ = nullptr;
  std::unique_ptr<render::GraphicsContext> context_;
  std::unique_ptr<Application> application_;
};

TEST_F(FrameAllocation, LifeWithOnePane) {
  open(default_life_settings(), {});
  expect_nothing_allocated();
}

TEST_F(FrameAllocation, ThreeDimensions) {
  for (const bool compare : {false, true}) {
    SolidSettings settings = default_solid_settings();
    settings.compare = compare;
    settings.work.workload = Workload::kSingleWrite;  // a step of life on the CPU has tables of its own
    settings.pinned = Coord3{0, 0, 0};
    application_.reset();
    context_.reset();
    context_ = render::make_offscreen({320, 240});  // pictures within the frame
    application_ = std::make_unique<Application>(
        ShellSettings{.backend = BackendChoice::kCpu}, *context_,
        [&](const ShellServices& services) {
          Application::Workspaces workspaces;
          workspaces.push_back(std::make_unique<SolidWorkspace>(settings, services));
          return workspaces;
        },
        ApplicationOptions{.waits = true});
    expect_nothing_allocated();
  }
}

TEST_F(FrameAllocation, LifeWithAllOfTheDock) {
  LifeSettings life = default_life_settings();
  life.show_thread = true;
  life.pinned = Coord64{0, 511};
  life.colouring.by = explain::ColourBy::kWarp;
  open(life, {}, {}, {1800, 720});
  // All sections unfold while a control is looked for, and Life has no landscape.
  application_->control_marks().set_highlight(Control::kLandscape);
  expect_nothing_allocated();
  open(life, {});
  expect_nothing_allocated();
}

TEST_F(FrameAllocation, LifeWithAgesAndTrails) {
  LifeSettings life = default_life_settings();
  life.config.level = 6;
  life.tile_grid = false;  // the grid labels each thread of large tiles with a new text
  life.show_ages = true;
  open(life, {});
  expect_nothing_allocated();
}

TEST_F(FrameAllocation, LifeWithPanesOfCells) {
  LifeSettings life = default_life_settings();
  set_panes(life, PanePreset::kArithmetics);
  open(life, {});
  expect_nothing_allocated();
}

TEST_F(FrameAllocation, LifeWithPanesThatExplain) {
  for (const PanePreset preset : {PanePreset::kLaunchAndMemory, PanePreset::kLambdaAnimation,
                                  PanePreset::kTimeline, PanePreset::kMemoryAccess}) {
    SCOPED_TRACE(name_of(preset));
    LifeSettings life = default_life_settings();
    set_panes(life, preset);
    life.pinned = Coord64{0, 511};
    open(life, {});
    expect_nothing_allocated();
  }
}

TEST_F(FrameAllocation, LifeOverSeveralDevices) {
  LifeSettings life = default_life_settings();
  set_panes(life, PanePreset::kDevices);
  life.colouring.by = explain::ColourBy::kDevice;
  open(life, {.side_tab = SideTab::kMetrics});
  expect_nothing_allocated();
  life.secondary_panes = {{.shows = PaneContent::kTimeline}};
  life.devices = 3;
  open(life, {});
  expect_nothing_allocated();
  EXPECT_EQ(life_->async_engine()->backend().devices(), 3u);
  EXPECT_EQ(life_->settings().colouring.by, explain::ColourBy::kDevice);
}

TEST_F(FrameAllocation, LifeColouredByARecording) {
  LifeSettings life = default_life_settings();
  life.secondary_panes = {{.shows = PaneContent::kTimeline}, {.shows = PaneContent::kThreads}};
  life.colouring.by = explain::ColourBy::kWorker;
  open(life, {});
  expect_nothing_allocated();
  EXPECT_EQ(life_->settings().colouring.by, explain::ColourBy::kWorker);
}

TEST_F(FrameAllocation, Mandelbrot) {
  open(default_life_settings(), {.workspace = 1});
  expect_nothing_allocated();
}

TEST_F(FrameAllocation, MandelbrotComputedEveryFrame) {
  for (const Colouring colouring : kColourings) {
    SCOPED_TRACE(name_of(colouring));
    MandelbrotSettings settings;
    settings.measure = true;
    settings.colouring = colouring;
    settings.config.dwell_limit = 64;
    open(default_life_settings(), {.workspace = 1}, settings, {640, 360});
    expect_nothing_allocated();
  }
}

TEST_F(FrameAllocation, MandelbrotOverPartsEveryFrame) {
  MandelbrotSettings settings;
  settings.measure = true;
  settings.devices = 2;
  settings.overlay = RegionOverlay::kDevices;
  settings.config.dwell_limit = 64;
  open(default_life_settings(), {.workspace = 1}, settings, {640, 360});
  expect_nothing_allocated();
}

TEST_F(FrameAllocation, MandelbrotWithItsModel) {
  MandelbrotSettings settings;
  settings.show_model = true;
  open(default_life_settings(), {.workspace = 1}, settings);
  expect_nothing_allocated();
}

TEST_F(FrameAllocation, MandelbrotWithItsTimeline) {
  MandelbrotSettings settings;
  settings.show_timeline = true;
  open(default_life_settings(), {.workspace = 1}, settings);
  expect_nothing_allocated();
}

}  // namespace
}  // namespace loom::app
