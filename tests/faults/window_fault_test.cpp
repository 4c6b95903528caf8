#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "app/shell/application.h"
#include "app/workspaces/life/life_workspace.h"
#include "app/workspaces/life/scene/life_settings.h"
#include "app/workspaces/mandelbrot/mandelbrot_workspace.h"
#include "compute/check/reference_life.h"
#include "compute/geometry/nbb_catalog.h"
#include "fault_walk.h"
#include "render/png.h"

namespace loom::app {
namespace {

using tests::fail_allocation;
using tests::fail_interop;
using tests::fault_came;

/// The application with its workspaces, rendered off screen.
class Window {
 public:
  Window(LifeSettings life, MandelbrotSettings mandelbrot, ShellSettings shell, bool panels)
      : context_(render::make_offscreen({900, 600}, 0)) {
    shell.backend = BackendChoice::kCuda;
    application_ = std::make_unique<Application>(
        shell, *context_,
        [&](const ShellServices& services) {
          Application::Workspaces workspaces;
          auto of_life = std::make_unique<LifeWorkspace>(std::move(life), services);
          life_ = of_life.get();
          workspaces.push_back(std::move(of_life));
          auto of_mandelbrot = std::make_unique<MandelbrotWorkspace>(mandelbrot, std::nullopt, services);
          mandelbrot_ = of_mandelbrot.get();
          workspaces.push_back(std::move(of_mandelbrot));
          return workspaces;
        },
        ApplicationOptions{.panels = panels, .waits = true, .is_pipelined = false});
  }
  ~Window() { application_.reset(); }

  void frame() {
    application_->frame();
    if (const std::string& message = application_->message(); !message.empty()) said_.push_back(message);
  }
  void frames(int count) {
    for (int i = 0; i < count; ++i) frame();
  }
  void with(std::function<void(LifeEdit&)> change) {
    life_->request(std::move(change));
    frame();
  }
  void with_mandelbrot(std::function<void(MandelbrotEdit&)> change) {
    mandelbrot_->request(std::move(change));
    frame();
  }
  nlohmann::ordered_json state() { return application_->state(); }
  const std::vector<std::string>& messages() const { return said_; }
  /// Whether a message contains `words`; the first `first` messages are ignored.
  bool said(std::string_view words, std::size_t first = 0) const {
    return std::any_of(said_.begin() + static_cast<std::ptrdiff_t>(first), said_.end(),
                       [&](const std::string& one) { return one.find(words) != std::string::npos; });
  }
  std::vector<std::uint8_t> picture() const {
    return render::read_framebuffer(context_->framebuffer(), {900, 600}).rgb;
  }

 private:
  std::unique_ptr<render::GraphicsContext> context_;
  LifeWorkspace* life_ = nullptr;
  MandelbrotWorkspace* mandelbrot_ = nullptr;
  std::unique_ptr<Application> application_;
  std::vector<std::string> said_;
};

LifeSettings paused_life(int level) {
  LifeSettings life = default_life_settings();
  life.playing = false;
  life.config.level = level;
  return life;
}

class WindowFault : public tests::DeviceFaultTest {
 protected:
  /// Expects that the cells are those of the reference.
  static void expect_plain_life(Window& window) {
    const auto state = window.state();
    const LifeSettings life = default_life_settings();
    ReferenceLife reference(find_fractal(state.at("fractal").get<std::string>()), state.at("level"));
    reference.reset({state.at("seed"), state.at("density")});
    reference.step(state.at("generation"), life.rule);
    const Census expected = reference.census();
    char hash[17];
    std::snprintf(hash, sizeof hash, "%016llx", static_cast<unsigned long long>(expected.hash));
    EXPECT_EQ(state.at("hash"), hash);
    EXPECT_EQ(state.at("population"), expected.population);
  }
  /// Runs `script` with the n-th allocation failing, for every n. No frame may throw, and the window must
  /// report the failure.
  template <typename Script, typename Look>
  void walk_script(const std::function<std::unique_ptr<Window>()>& open, const Script& script,
                   const Look& look) {
    std::uint64_t failed = 0;
    for (std::uint64_t nth = 1;; ++nth) {
      ASSERT_LT(nth, tests::kMostAllocations) << "the loop does not end";
      SCOPED_TRACE("allocation " + std::to_string(nth));
      const std::unique_ptr<Window> window = open();
      window->frames(3);
      const std::size_t before = window->messages().size();
      fail_allocation(nth);
      EXPECT_NO_THROW(script(*window));
      const bool came = fault_came();
      fail_allocation(0);
      if (came) {
        const std::string panes = window->state().at("panes_beside").dump();
        EXPECT_TRUE(window->said("memory", before) || window->said("need", before) ||
                    panes.find("memory") != std::string::npos || panes.find("needs") != std::string::npos)
            << "the failure was not reported:" << panes;
      }
      EXPECT_NO_THROW(window->frames(3));
      look(*window);
      if (!came || HasFatalFailure()) break;
      ++failed;
    }
    EXPECT_GT(failed, 10u) << "too few allocations failed";
  }
};

TEST_F(WindowFault, LifeGoesOnWhateverAllocationFails) {
  const auto open = [] {
    return std::make_unique<Window>(paused_life(6), MandelbrotSettings{}, ShellSettings{}, true);
  };
  const auto script = [](Window& window) {
    window.with([](LifeEdit& edit) { edit.commands.step = 2; });
    window.with([](LifeEdit& edit) { edit.settings.config.method.map = MapKind::kCompact; });
    window.with([](LifeEdit& edit) { edit.settings.config.method.storage = CellStorage::kBits; });
    window.with([](LifeEdit& edit) { set_panes(edit.settings, PanePreset::kArithmetics); });
    window.frames(3);
    window.with([](LifeEdit& edit) { edit.commands.step = 1; });
    window.with([](LifeEdit& edit) { edit.settings.config.method = default_life_settings().config.method; });
    window.with([](LifeEdit& edit) { set_panes(edit.settings, PanePreset::kTimeline); });
    window.frames(2);
    window.with([](LifeEdit& edit) { set_panes(edit.settings, PanePreset::kLaunchAndMemory); });
    window.with([](LifeEdit& edit) { edit.settings.config.level = 5; });
    window.with([](LifeEdit& edit) { edit.commands.step = 1; });
  };
  walk_script(open, script, [](Window& window) {
    // The next request tries again what failed: after one more generation the cells must be correct.
    window.with([](LifeEdit& edit) { edit.commands.step = 1; });
    expect_plain_life(window);
  });
}

// A failed paint operation adds no undo step; a successful one adds one.
TEST_F(WindowFault, WhatWasPaintedIsThereOrIsNot) {
  const auto open = [] {
    return std::make_unique<Window>(paused_life(6), MandelbrotSettings{}, ShellSettings{}, true);
  };
  const auto paint = [](Window& window) {
    window.with([](LifeEdit& edit) {
      for (std::uint64_t i = 0; i < 40; ++i) edit.commands.cells.push_back({{0, i}, i % 3 == 0});
    });
  };
  auto fresh = open();  // only one window may exist at a time
  fresh->frames(4);
  const auto empty = fresh->state().at("hash");
  paint(*fresh);
  const auto painted = fresh->state().at("hash");
  ASSERT_NE(painted, empty);
  fresh.reset();
  std::uint64_t failed = 0;
  for (std::uint64_t nth = 1;; ++nth) {
    ASSERT_LT(nth, 50u);
    const auto window = open();
    window->frames(4);
    fail_allocation(nth);
    EXPECT_NO_THROW(paint(*window));
    const bool came = fault_came();
    fail_allocation(0);
    const auto now = window->state().at("hash");
    EXPECT_TRUE(now == painted || (came && now == empty)) << now;
    EXPECT_EQ(window->state().at("undo").at("steps"), now == painted ? 1 : 0);
    window->with([](LifeEdit& edit) { edit.shell.commands.undo = true; });
    window->frames(3);
    EXPECT_EQ(window->state().at("hash"), empty);
    if (!came) break;
    ++failed;
  }
  EXPECT_GT(failed, 0u);
}

TEST_F(WindowFault, MandelbrotGoesOnWhateverAllocationFails) {
  MandelbrotSettings settings;
  settings.automatic = false;
  settings.dwell_by_depth = false;
  settings.config.dwell_limit = 64;
  const auto open = [&] {
    return std::make_unique<Window>(paused_life(4), settings, ShellSettings{.workspace = 0}, true);
  };
  const auto script = [](Window& window) {
    window.with([](LifeEdit& edit) { edit.shell.settings.workspace = 1; });
    window.frames(3);
    window.with_mandelbrot([](MandelbrotEdit& edit) { edit.settings.overlay = RegionOverlay::kLevels; });
    window.with_mandelbrot([](MandelbrotEdit& edit) { edit.settings.colouring = Colouring::kSmooth; });
    window.frames(2);
    window.with_mandelbrot(
        [](MandelbrotEdit& edit) { set_method(edit.settings.config, MandelbrotMethod::kDp); });
    window.frames(3);
    window.with_mandelbrot(
        [](MandelbrotEdit& edit) { set_method(edit.settings.config, MandelbrotMethod::kExhaustive); });
    window.frames(3);
    window.with_mandelbrot([](MandelbrotEdit& edit) { edit.settings.overlay = RegionOverlay::kDivergence; });
    window.frames(2);
  };
  walk_script(open, script, [](Window& window) {
    // A request for another picture is a new attempt.
    window.with_mandelbrot([](MandelbrotEdit& edit) { edit.settings.config.dwell_limit = 65; });
    window.frames(4);
    const auto state = window.state().at("mandelbrot");
    EXPECT_EQ(state.at("divisor"), 1);
    EXPECT_EQ(state.at("dwell_limit"), 65);
  });
}

TEST_F(WindowFault, DynamicParallelismWithoutRoomFallsBackAndSaysSo) {
  tests::refuse_launches(true);
  MandelbrotSettings settings;
  settings.automatic = false;
  set_method(settings.config, MandelbrotMethod::kDp);
  Window window(paused_life(4), settings, ShellSettings{.workspace = 1}, true);
  EXPECT_NO_THROW(window.frames(12));
  EXPECT_EQ(window.state().at("mandelbrot").at("method"), "ask");
  EXPECT_EQ(window.state().at("mandelbrot").at("divisor"), 1) << "the picture is missing or coarse";
  EXPECT_TRUE(window.said("ASK runs instead"))
      << (window.messages().empty() ? "" : window.messages().front());
}

TEST_F(WindowFault, InteropThatIsRefusedMidwayGoesThroughTheHost) {
  for (const std::size_t workspace : {std::size_t{0}, std::size_t{1}}) {
    MandelbrotSettings settings;
    settings.automatic = false;
    const auto open = [&] {
      return std::make_unique<Window>(paused_life(6), settings, ShellSettings{.workspace = workspace}, false);
    };
    const auto play = [&](Window& window) {
      for (int i = 0; i < 3; ++i) {
        if (workspace == 0) {
          window.with([](LifeEdit& edit) { edit.commands.step = 1; });
        } else {
          window.with_mandelbrot([](MandelbrotEdit& edit) { ++edit.settings.config.dwell_limit; });
          window.frames(3);
        }
      }
    };
    const auto path = [&](Window& window) { return window.state().at("picture_path").get<std::string>(); };
    auto whole = open();
    whole->frames(3);
    if (workspace == 0 && path(*whole) != "CUDA-OpenGL interop")
      GTEST_SKIP() << "no interop here: " << path(*whole);
    play(*whole);
    const auto expected = whole->picture();
    whole.reset();
    std::uint64_t failed = 0;
    for (std::uint64_t nth = 1;; ++nth) {
      SCOPED_TRACE("call " + std::to_string(nth));
      ASSERT_LT(nth, 100u);
      fail_interop(nth);
      std::unique_ptr<Window> window;
      EXPECT_NO_THROW({
        window = open();
        window->frames(3);
        play(*window);
      });
      const bool came = fault_came();
      fail_interop(0);
      ASSERT_NE(window, nullptr);
      EXPECT_EQ(window->picture(), expected);
      if (came && workspace == 0) {
        EXPECT_EQ(path(*window).rfind("CPU copy: ", 0), 0u) << path(*window);
      }
      if (!came) break;
      ++failed;
    }
    EXPECT_GT(failed, 3u);
  }
}

/// Another program that occupies device memory until this object is destroyed.
class Hog {
 public:
  explicit Hog(int mebibytes_left)
      : pipe_(popen(
            (std::string(LOOM_DEVICE_HOG) + " " + std::to_string(mebibytes_left) + " > " + file()).c_str(),
            "w")) {
    for (int i = 0; i < 3000 && !ready(); ++i) usleep(10000);
  }
  ~Hog() {
    if (pipe_ != nullptr) pclose(pipe_);
    std::remove(file().c_str());
  }
  bool ready() const {
    std::FILE* const said = std::fopen(file().c_str(), "r");
    if (said == nullptr) return false;
    const bool any = std::fgetc(said) != EOF;
    std::fclose(said);
    return any;
  }

 private:
  static std::string file() { return "/tmp/loom-hog-" + std::to_string(getpid()); }
  std::FILE* pipe_;
};

TEST_F(WindowFault, WhatAnotherProgramTakesIsToldAndTheCellsGoOn) {
  Window window(paused_life(8), {}, {}, true);
  window.frames(3);
  {
    const Hog hog(300);
    ASSERT_TRUE(hog.ready());
    EXPECT_NO_THROW(window.with([](LifeEdit& edit) { edit.settings.config.level = 15; }));
    EXPECT_NO_THROW(window.frames(3));
    EXPECT_TRUE(window.said("needs")) << "the failure was not reported";
    EXPECT_EQ(window.state().at("level"), 8);
    EXPECT_NO_THROW(window.with([](LifeEdit& edit) { edit.commands.step = 5; }));
    expect_plain_life(window);
    EXPECT_EQ(window.state().at("generation"), 5);
  }
  EXPECT_NO_THROW(window.with([](LifeEdit& edit) { edit.settings.config.level = 11; }));
  window.frames(3);
  EXPECT_EQ(window.state().at("level"), 11);
  expect_plain_life(window);
}

}  // namespace
}  // namespace loom::app
