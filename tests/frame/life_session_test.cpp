#include "app/workspaces/life/run/life_session.h"

#include <gtest/gtest.h>

#include "app/shell/frame_times.h"
#include "app/shell/undo_history.h"
#include "app/workspaces/life/scene/life_settings.h"
#include "compute/device/device.h"
#include "compute/geometry/nbb_catalog.h"
#include "render/context/graphics_context.h"

namespace loom::app {
namespace {

/// Runs the frames of a Life session without a window.
class LifeRunTest : public testing::Test {
 protected:
  void SetUp() override {
    settings_.playing = false;
    run_.emplace(settings_, services_);
    run_->pane->place({{0, 0}, {320, 200}}, 1);
  }
  void frame(const LifeCommands& commands) {
    run_->begin(++action_);
    accept(run_->apply(settings_, commands, palette_, false));
    accept(run_->compute({}, clock_, [] {}));
  }
  void accept(const LifeSession::Outcome& outcome) {
    if (outcome.applied) {
      settings_.config = outcome.applied->config;
      settings_.devices = outcome.applied->devices;
    }
    if (!outcome.message.empty()) message_ = outcome.message;
    backend_refused_ = backend_refused_ || outcome.backend_refused;
    undo_steps_.insert(undo_steps_.end(), outcome.undo.begin(), outcome.undo.end());
  }

  const std::unique_ptr<render::GraphicsContext> context_ = render::make_offscreen({320, 200});
  const CudaStatus cuda_;
  const BackendSelection backend_ = select_backend(BackendChoice::kCpu);
  const std::vector<Device> devices_ = devices_from(backend_.device, cuda_, {});
  const FrameTimes times_;
  const FrameRate rate_;
  UndoHistory undo_;
  const ShellServices services_{.context = *context_,
                                .cuda = cuda_,
                                .backend = backend_,
                                .devices = devices_,
                                .times = times_,
                                .rate = rate_,
                                .waits = true,
                                .is_pipelined = false,
                                .undo = undo_};
  const render::Palette palette_ = render::palettes().front();
  FrameClock clock_;
  LifeSettings settings_ = default_life_settings();
  Message message_;
  bool backend_refused_ = false;
  std::uint64_t action_ = 0;
  std::vector<LifeSession::UndoRecord> undo_steps_;
  std::optional<LifeSession> run_;
};

// A step back may be requested in the frame that takes a device's picture. The restore then waits for the
// next frame, in which another field is chosen. In this test it waits for the transfer of the picture.
TEST_F(LifeRunTest, AWayBackEndsWithTheFieldThatItLeadsThrough) {
  LifeCommands commands;
  commands.step = 5;
  frame(commands);
  ASSERT_EQ(run_->pane->async_engine->generation(), 5u);
  ASSERT_TRUE(run_->pane->has_image());
  commands = {};
  commands.undo_generation = true;
  frame(commands);
  ASSERT_EQ(run_->pane->async_engine->generation(), 5u) << "the restore is prepared but not started";
  settings_.config.fractal = find_fractal("empty-bottles");
  settings_.config.level = 1;
  settings_.config.tile_size = 1;
  frame({});
  EXPECT_EQ(run_->pane->async_engine->cell_count(), settings_.config.fractal.cells(1));
  run_->transfer(clock_);
  EXPECT_NO_THROW(frame({}));
  EXPECT_EQ(run_->pane->async_engine->generation(), 0u);
  EXPECT_EQ(message_.text, "");
}

// Another number of devices needs another engine with the same cells. If it cannot be built, the old engine
// stays.
TEST_F(LifeRunTest, DevicesChangeAndTheCellsStay) {
  settings_.config.method = {.map = MapKind::kCompact, .storage = CellStorage::kBits};
  LifeCommands step;
  step.step = 4;
  frame({});
  run_->transfer(clock_);
  frame(step);
  const Census before = run_->pane->async_engine.engine().census();
  ASSERT_EQ(run_->pane->async_engine->generation(), 4u);
  for (const std::uint32_t devices : {2u, 4u, 1u, 3u}) {
    settings_.devices = devices;
    frame({});
    EXPECT_EQ(run_->pane->async_engine->backend().devices(), devices);
    EXPECT_EQ(run_->pane->async_engine->generation(), 4u);
    EXPECT_EQ(run_->pane->async_engine.engine().census().hash, before.hash) << devices;
    EXPECT_FALSE(run_->pane->needs_device_record())
        << "not needed before there is a picture, nor with one device";
    run_->transfer(clock_);
    frame({});
    EXPECT_EQ(run_->pane->devices.has_value(), devices > 1);
    if (devices > 1) {
      EXPECT_EQ(run_->pane->devices->times.devices.size(), devices);
    }
    EXPECT_EQ(run_->pane->async_engine.engine().census().hash, before.hash) << devices;
  }
  settings_.config.method = {};  // the default method cannot run on several devices
  frame({});
  EXPECT_NE(message_.text.find("--storage bytes or bits"), std::string::npos) << message_.text;
  EXPECT_EQ(settings_.devices, 3u);
  EXPECT_EQ(settings_.config.method.storage, CellStorage::kBits);
  EXPECT_EQ(run_->pane->async_engine.engine().census().hash, before.hash);
  EXPECT_FALSE(backend_refused_) << "the selected backend is in use";
}

TEST_F(LifeRunTest, ReportsAnEditWithTheActionOfTheUser) {
  LifeCommands commands;
  commands.clear = true;
  frame(commands);
  ASSERT_EQ(undo_steps_.size(), 1u);
  EXPECT_STREQ(undo_steps_[0].edit.what, "clear");
  EXPECT_EQ(undo_steps_[0].action, action_);
  EXPECT_TRUE(run_->history.cell_history().exists(undo_steps_[0].edit.before));
}

TEST_F(LifeRunTest, ReportsTheConfigurationThatRunsIfAnotherOneIsNotAllowed) {
  frame({});
  const FractalConfig runs = settings_.config;
  settings_.config.tile_size = 3;
  const LifeSession::Outcome outcome = run_->apply(settings_, {}, palette_, false);
  ASSERT_TRUE(outcome.applied.has_value());
  EXPECT_EQ(outcome.applied->config, runs);
  EXPECT_EQ(outcome.message.kind, MessageKind::kError);
  EXPECT_EQ(settings_.config.tile_size, 3u) << "only the owner changes settings";
}

TEST_F(LifeRunTest, CancelledGenerationsPauseAtOnce) {
  ShellServices services = services_;
  services.waits = false;
  run_.emplace(settings_, services);
  run_->pane->place({{0, 0}, {320, 200}}, 1);
  settings_.playing = true;
  settings_.generations_per_frame = 4'000'000;
  frame({});
  ASSERT_TRUE(run_->pane->async_engine.busy());
  run_->cancel();
  LifeSession::Outcome outcome;
  while (!outcome.paused) outcome = run_->compute({}, clock_, [] {});
  EXPECT_EQ(outcome.message.kind, MessageKind::kWarning);
  EXPECT_FALSE(run_->pane->async_engine.busy()) << "although the owner has not applied the outcome yet";
  EXPECT_TRUE(settings_.playing);
}

}  // namespace
}  // namespace loom::app
