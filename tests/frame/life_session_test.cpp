#include <gtest/gtest.h>

#include "app/shell/frame_times.h"
#include "app/shell/undo_history.h"
#include "app/workspaces/life/life_workspace.h"
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
    open(services_);
    shown_frame({});  // its changes are not those of the user
  }
  void open(const ShellServices& services) {
    run_.emplace(settings_, edits_, message_, services);
    run_->pane->place({{0, 0}, {320, 200}}, 1);
  }
  void frame(const LifeCommands& commands) {
    undo_.begin_action(0);
    run_->apply(commands, palette_, false);
    run_->compute({}, clock_, [] {});
  }

  void shown_frame(const LifeCommands& commands) {
    frame(commands);
    run_->transfer(clock_);
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
  LifeSession::Edits edits_{undo_};
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
  shown_frame({});
  shown_frame(step);
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
    shown_frame({});
    EXPECT_EQ(run_->pane->devices.has_value(), devices > 1);
    if (devices > 1) {
      EXPECT_EQ(run_->pane->devices->times.devices.size(), devices);
    }
    EXPECT_EQ(run_->pane->async_engine.engine().census().hash, before.hash) << devices;
  }
  const LifeSettings runs = settings_;
  settings_.config.method = {};  // the default method cannot run on several devices
  shown_frame({});
  EXPECT_NE(message_.text.find("--storage bytes or bits"), std::string::npos) << message_.text;
  EXPECT_EQ(run_->problem(), message_.text);
  EXPECT_EQ(settings_.config.method, MapMethod()) << "results change no settings";
  EXPECT_EQ(run_->pane->async_engine->config(), runs.config);
  EXPECT_EQ(run_->pane->async_engine->backend().devices(), 3u);
  EXPECT_EQ(run_->pane->async_engine.engine().census().hash, before.hash);
  shown_frame(step);
  EXPECT_EQ(run_->pane->async_engine->generation(), 8u) << "what runs goes on";
  settings_ = runs;
  shown_frame({});
  EXPECT_EQ(run_->problem(), "");
}

// A scene that plays begins with the generations that were requested; those of cells that others replace are
// dropped.
TEST_F(LifeRunTest, RequestedGenerationsBelongToTheirCells) {
  settings_.playing = true;
  LifeCommands commands;
  commands.restart = true;
  commands.step = 60;
  shown_frame(commands);
  EXPECT_EQ(run_->pane->async_engine->generation(), 60u);
  settings_.playing = false;
  commands.step = 0;
  shown_frame(commands);
  shown_frame({});
  EXPECT_EQ(run_->pane->async_engine->generation(), 0u);
}

// The bits of restored cells save the generations since their start, which stays their origin.
TEST_F(LifeRunTest, RestoresCellsByTheirBits) {
  LifeCommands commands;
  commands.step = 7;
  shown_frame(commands);
  const auto state = std::make_shared<LifeState>(settings_, run_->pane->async_engine->cells());
  state->bits = stored_cells(run_->pane->async_engine.engine()).bits();
  const Census before = run_->pane->async_engine.engine().census();
  commands = {};
  commands.restart = true;
  shown_frame(commands);
  EXPECT_EQ(run_->pane->async_engine->generation(), 0u);
  commands = {};
  commands.restore = state;
  shown_frame(commands);
  EXPECT_EQ(run_->pane->async_engine->generation(), 7u);
  EXPECT_EQ(run_->pane->async_engine.engine().census().hash, before.hash);
  EXPECT_TRUE(run_->pane->async_engine->cells().is_plain());
  EXPECT_EQ(run_->pane->async_engine->cells().start().seed, settings_.start.seed);
}

TEST_F(LifeRunTest, RecordsAnEditForUndo) {
  LifeCommands commands;
  commands.clear = true;
  shown_frame(commands);
  EXPECT_EQ(run_->pane->async_engine.engine().census().population, 0u);
  ASSERT_EQ(undo_.undo_count(), 1u);
  EXPECT_EQ(undo_.undo_label(), "clear all cells");
  undo_.undo();
  LifeSettings copy = settings_;
  ShellEdit shell;
  LifeEdit edit{copy, {}, shell};
  ASSERT_TRUE(edits_.apply(edit));
  shown_frame(edit.commands);
  EXPECT_GT(run_->pane->async_engine.engine().census().population, 0u);
}

TEST_F(LifeRunTest, WhatDoesNotFitIsTriedOnce) {
  const FractalConfig runs = settings_.config;
  set_map(settings_.config, MapKind::kBoundingBox);
  set_level(settings_.config, 30);  // 2^60 points
  for (int i = 0; i < 2; ++i) {
    message_ = {};
    shown_frame({});
    EXPECT_EQ(run_->pane->async_engine->config(), runs);
    EXPECT_NE(run_->problem().find("free"), std::string_view::npos) << run_->problem();
    EXPECT_EQ(message_.empty(), i > 0) << "it is said once";
  }
}

// A level that is selected again while its cancelled build ends is built.
TEST_F(LifeRunTest, WhatIsSelectedLastIsBuilt) {
  ShellServices services = services_;
  services.waits = false;
  open(services);
  LifeSettings large = settings_;
  set_level(large.config, 14);
  LifeSettings larger = settings_;
  set_level(larger.config, 15);
  LifeSettings small = settings_;
  for (LifeSettings* const selected : {&large, &small, &large, &larger, &large}) {
    settings_ = *selected;
    shown_frame({});
  }
  for (int i = 0; i < 5000 && run_->pane->async_engine->config() != large.config; ++i) shown_frame({});
  EXPECT_EQ(run_->pane->async_engine->config(), large.config);
  EXPECT_EQ(message_.text, "") << "the user has cancelled nothing";
}

TEST_F(LifeRunTest, CancelledGenerationsAreSaid) {
  ShellServices services = services_;
  services.waits = false;
  open(services);
  settings_.playing = true;
  settings_.generations_per_frame = 4'000'000;
  shown_frame({});
  ASSERT_TRUE(run_->pane->async_engine.busy());
  EXPECT_TRUE(run_->cancel());
  settings_.playing = false;
  while (message_.empty()) run_->compute({}, clock_, [] {});
  EXPECT_EQ(message_.kind, MessageKind::kWarning);
  EXPECT_FALSE(run_->pane->async_engine.busy());
  EXPECT_EQ(run_->problem(), "");
}

}  // namespace
}  // namespace loom::app
