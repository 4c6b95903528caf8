#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <array>
#include <filesystem>

#include "app/document/bookmarks/window/bookmark_manager.h"
#include "app/document/scene/scene.h"
#include "app/document/scene/window/scene_files.h"
#include "app/document/video/video.h"
#include "app/shell/document_handler.h"
#include "compute/core/error.h"
#include "render/context/graphics_context.h"

// What a workspace has to implement so that scenes, bookmarks, undo and videos work: nothing outside it knows
// this one.
namespace loom::app {
namespace {

using scene::Json;

// A workspace that shows one shade of grey, in at most 120 lines.

struct ToyState final : scene::WorkspaceState {
  static constexpr std::string_view kId = "toy";
  int shade = 0;

  ToyState() = default;
  explicit ToyState(int of_shade) : shade(of_shade) {}
  Json to_json(const scene::WriteContext&) const override { return {{"shade", shade}}; }
  std::string description() const override { return fmt::format("shade {}", shade); }
  std::string file_stem() const override { return "toy"; }
  std::unique_ptr<scene::StateRenderer> renderer(const scene::RenderRequest& request,
                                                 ProgressMonitor*) const override;

  static scene::StatePtr read(const JsonReader& json, const scene::ReadContext&) {
    return std::make_shared<ToyState>(json.within("shade", 0, 255));
  }
  static Json read_place(const JsonReader& json) { return {{"shade", json.within("shade", 0, 255)}}; }
  static std::string describe_place(const Json& place) { return place.dump(); }
};

class ToyRenderer final : public scene::StateRenderer, public image::ImageRows {
 public:
  ToyRenderer(int shade, glm::ivec2 size) : shade_(shade), size_(size) {}
  image::ImageRows& rows() override { return *this; }
  void show_frame(int frame, int, ProgressMonitor*) override { shade_ += frame > 0; }
  glm::ivec2 size() const override { return size_; }
  void rows(int, int count, std::vector<std::uint8_t>& rgb, ProgressMonitor*) override {
    rgb.assign(static_cast<std::size_t>(count * size_.x * 3), static_cast<std::uint8_t>(shade_));
  }

 private:
  int shade_;
  glm::ivec2 size_{0};
};

std::unique_ptr<scene::StateRenderer> ToyState::renderer(const scene::RenderRequest& request,
                                                         ProgressMonitor*) const {
  return std::make_unique<ToyRenderer>(shade, request.size);
}

class ToyWorkspace final : public Workspace {
 public:
  explicit ToyWorkspace(const ShellServices& services)
      : Workspace({ToyState::kId, "Toy", "One shade", {}, {"shade", "0 to 255", "Pastes a shade"}},
                  services) {}

  CommandSource commands() override { return {}; }
  void begin(ShellEdit&) override {}
  PanelNeeds panel_needs() const override { return {}; }
  void controls() override {}
  Area panels(const Layout& layout) override { return layout.picture; }
  void update(const Area& picture, float scale) override { area_ = picture, scale_ = scale; }
  void compute(FrameClock&) override {}
  void show(FrameClock&, ImDrawList&) override {}
  WorkspaceStatus status() const override { return {services_.backend, "cpu", "none"}; }
  void add_state(nlohmann::ordered_json& json) override { json["shade"] = shade_; }

  scene::StatePtr state(StateNeed) override { return std::make_shared<ToyState>(shade_); }
  void restore(scene::StatePtr state) override { shade_ = dynamic_cast<const ToyState&>(*state).shade; }
  Place place() const override {
    const std::string text = std::to_string(shade_);
    return {{{"shade", shade_}}, "shade " + text, text, text};
  }
  void go_to_place(const Json& place) override { shade_ = place["shade"].get<int>(); }
  std::string go_to_coordinates(const std::string& text) override { return shade_ = std::stoi(text), ""; }

  void set_shade(int shade) {
    const auto put = [this](int to) { return [this, to] { shade_ = to; }; };
    services_.undo.record({.what = "shade", .back = put(shade_), .again = put(shade)},
                          services_.undo.action());
    shade_ = shade;
  }
  int shade() const { return shade_; }

 private:
  int shade_ = 0;
};

class ToyTest : public testing::Test {
 protected:
  void SetUp() override {
    try {
      context_ = render::make_offscreen({320, 240});
    } catch (const std::runtime_error& error) {
      GTEST_SKIP() << error.what();
    }
    application_ = std::make_unique<Application>(
        ShellSettings{.backend = BackendChoice::kCpu}, *context_,
        [this](const ShellServices& services) {
          Application::Workspaces workspaces;
          workspaces.push_back(std::make_unique<ToyWorkspace>(services));
          toy_ = static_cast<ToyWorkspace*>(workspaces.front().get());
          return workspaces;
        },
        ApplicationOptions{.waits = true});
    source_ = std::make_unique<scene::SceneSource>(*application_, formats_);
  }

  const std::array<scene::WorkspaceFormat, 1> formats_ = {scene::kFormatOf<ToyState>};
  std::unique_ptr<render::GraphicsContext> context_;
  std::unique_ptr<scene::SceneSource> source_;
  std::unique_ptr<Application> application_;
  ToyWorkspace* toy_ = nullptr;
};

TEST_F(ToyTest, SavesAndReopens) {
  toy_->set_shade(77);
  const std::string text = scene::bytes_of(source_->describe(StateNeed::kComplete));
  toy_->set_shade(3);
  ShellEdit shell{.settings = application_->settings()};
  source_->show(scene::read_bytes(text, formats_, {}), shell);
  EXPECT_EQ(toy_->shade(), 77);
  EXPECT_THROW(scene::read_bytes(std::string(text).replace(text.find("77"), 2, "777"), formats_, {}),
               InputError);
}

TEST_F(ToyTest, IsBookmarked) {
  auto manager = std::make_unique<bookmarks::BookmarkManager>(*source_, [] { return std::string(); });
  const bookmarks::BookmarkManager& bookmarks = *manager;
  toy_->set_shade(12);
  manager->press({.key = 'd', .ctrl = true});
  application_->documents().add(std::move(manager));
  for (int i = 0; i < 3; ++i) application_->frame();
  ASSERT_EQ(bookmarks.all().size(), 1u);
  EXPECT_EQ(bookmarks.all()[0].name, "shade 12");
  toy_->set_shade(4);
  toy_->go_to_place(bookmarks.all()[0].place);
  EXPECT_EQ(toy_->shade(), 12);
}

TEST_F(ToyTest, UndoesAndRedoes) {
  toy_->set_shade(5);
  application_->undo().undo();
  EXPECT_EQ(toy_->shade(), 0);
  application_->undo().redo();
  EXPECT_EQ(toy_->shade(), 5);
}

TEST_F(ToyTest, ASceneThatCannotBeKeptIsAskedFor) {
  application_->set_scene_problem("the disk is full");
  application_->request_quit();
  EXPECT_TRUE(application_->quit()) << "nothing was changed";
  toy_->set_shade(5);
  application_->set_scene_problem("");
  EXPECT_TRUE(application_->quit()) << "the scene is kept for the next start";
  application_->set_scene_problem("the disk is full");
  EXPECT_FALSE(application_->quit()) << "found after the decision to quit";
  EXPECT_TRUE(application_->quit_requested());
  application_->undo().mark_saved(application_->undo().scene_state());
  EXPECT_TRUE(application_->scene_unsaved()) << "a step that no file has";
}

TEST_F(ToyTest, MakesAVideo) {
  const std::filesystem::path folder =
      std::filesystem::path(testing::TempDir()) / fmt::format("loom-toy-{}", getpid());
  std::filesystem::create_directories(folder);
  toy_->set_shade(200);
  video::write_video({.file = folder / "toy.png",
                      .format = {{16, 8}, 25},
                      .frames = 3,
                      .scene = source_->describe(StateNeed::kComplete),
                      .backend = {{}, "test"}});
  std::vector<std::filesystem::path> files(std::filesystem::directory_iterator(folder / "toy-frames"), {});
  ASSERT_EQ(files.size(), 3u);
  for (const auto& file : files) EXPECT_GT(std::filesystem::file_size(file), 0u);
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace loom::app
