#include "app/life/run/life_run.h"

#include <gtest/gtest.h>

#include "app/life/scene/life_settings.h"
#include "app/shell/frame_times.h"
#include "app/shell/undo_history.h"
#include "compute/geometry/nbb_catalog.h"
#include "render/context/graphics_context.h"

namespace loom::app {
namespace {

/// The engines at work without a window, call by call.
class LifeRunTest : public testing::Test {
 protected:
  void SetUp() override {
    settings_.playing = false;
    run_.emplace(settings_, message_, services_);
    run_->pane->place({.x = 0, .y = 0, .width = 320, .height = 200}, 1);
  }
  void frame(const LifeCommands& commands) {
    run_->apply(commands, palette_, false);
    run_->compute({}, clock_, [] {});
  }

  const std::unique_ptr<render::GraphicsContext> context_ = render::make_offscreen({320, 200});
  const CudaStatus cuda_;
  const BackendSelection backend_ = select_backend(BackendChoice::kCpu);
  const FrameTimes times_;
  const FrameRate rate_;
  UndoHistory undo_;
  const ShellServices services_{.context = *context_,
                                .cuda = cuda_,
                                .backend = backend_,
                                .times = times_,
                                .rate = rate_,
                                .waits = true,
                                .ahead = false,
                                .undo = undo_};
  const render::Palette palette_ = render::palettes().front();
  FrameClock clock_;
  LifeSettings settings_ = default_life_settings();
  std::string message_;
  std::optional<LifeRun> run_;
};

// A device's picture may be taken in the frame in which a step back is asked for: the way back waits for the
// next frame, in which another field is chosen. Here it waits for the picture to be transferred.
TEST_F(LifeRunTest, AWayBackEndsWithTheFieldThatItLeadsThrough) {
  LifeCommands commands;
  commands.step = 5;
  frame(commands);
  ASSERT_EQ(run_->pane->host.generation(), 5u);
  ASSERT_TRUE(run_->pane->has_image());
  commands = {};
  commands.step_back = true;
  frame(commands);
  ASSERT_EQ(run_->pane->host.generation(), 5u) << "it is prepared, and not begun";
  settings_.config.fractal = find_fractal("empty-bottles");
  settings_.config.level = 1;
  settings_.config.block = 1;
  frame({});
  EXPECT_EQ(run_->pane->host.cell_count(), settings_.config.fractal.cells(1));
  run_->transfer(clock_);
  EXPECT_NO_THROW(frame({}));
  EXPECT_EQ(run_->pane->host.generation(), 0u);
  EXPECT_EQ(message_, "");
}

}  // namespace
}  // namespace loom::app
