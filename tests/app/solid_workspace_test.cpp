#include "app/workspaces/solid/solid_workspace.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <string>

#include "app/document/scene/scene.h"
#include "app/explain/space_layout.h"
#include "app/files/fractal_file.h"
#include "app/program/workspace_formats.h"
#include "app/shell/application.h"
#include "app/workspaces/solid/panels/solid_panels.h"
#include "app/workspaces/solid/scene/solid_settings.h"
#include "compute/backend/engine_factory.h"
#include "compute/backend/fastest_method.h"
#include "compute/core/error.h"
#include "compute/workload/rule_text.h"
#include "render/context/graphics_context.h"

namespace loom::app {
namespace {

/// Where a view's ray through a pixel is at the depth of the target plane.
SolidVector at_target(const SolidView& view, glm::vec2 pixel, float depth) {
  const SolidVector origin = view.origin + pixel.x * view.right + pixel.y * view.down;
  const SolidVector direction = view.direction + pixel.x * view.turn_right + pixel.y * view.turn_down;
  return origin + depth * direction;
}

TEST(SolidCamera, ZoomKeepsThePointUnderTheCursor) {
  const Coord3 size{27, 27, 27};
  const glm::ivec2 picture{640, 480};
  const glm::vec2 pixel{100, 50};
  SolidCamera camera;
  // The ray of a pixel goes through its centre.
  const SolidVector before = at_target(camera.view(size, picture), pixel - 0.5f, camera.distance * 27);
  camera.zoom(3, pixel, picture);
  const SolidVector after = at_target(camera.view(size, picture), pixel - 0.5f, camera.distance * 27);
  EXPECT_NEAR(before.x, after.x, 1e-3);
  EXPECT_NEAR(before.y, after.y, 1e-3);
  EXPECT_NEAR(before.z, after.z, 1e-3);
}

TEST(SolidCamera, OrbitKeepsTheTargetInTheMiddle) {
  const Coord3 size{27, 16, 27};
  const glm::ivec2 picture{640, 480};
  SolidCamera camera;
  camera.target = {0.1f, 0, -0.2f};
  camera.orbit({0.3f, -0.7f});
  const SolidVector middle = at_target(camera.view(size, picture), {319.5f, 239.5f}, camera.distance * 27);
  EXPECT_NEAR(middle.x, 13.5f + 2.7f, 1e-3);
  EXPECT_NEAR(middle.y, 8, 1e-3);
  EXPECT_NEAR(middle.z, 13.5f - 5.4f, 1e-3);
}

TEST(SolidCamera, BothProjectionsShowTheTargetPlaneAtTheSameSize) {
  const Coord3 size{27, 27, 27};
  const glm::ivec2 picture{640, 480};
  SolidCamera camera;
  const SolidVector near = at_target(camera.view(size, picture), {10, 20}, camera.distance * 27);
  camera.perspective = false;
  const SolidView view = camera.view(size, picture);
  // The orthographic rays start elsewhere: the same plane is at another parameter.
  const SolidVector start = at_target(view, {10, 20}, 0);
  const auto along = [&](const SolidVector& d) {
    return (near.x - start.x) * d.x + (near.y - start.y) * d.y + (near.z - start.z) * d.z;
  };
  const SolidVector there = at_target(view, {10, 20}, along(view.direction));
  EXPECT_NEAR(near.x, there.x, 1e-2);
  EXPECT_NEAR(near.y, there.y, 1e-2);
  EXPECT_NEAR(near.z, there.z, 1e-2);
}

TEST(SolidCamera, ProjectsPointsToThePixelsOfTheirRays) {
  const Coord3 size{27, 16, 27};
  for (const glm::ivec2 picture : {glm::ivec2{640, 480}, glm::ivec2{300, 480}}) {
    SolidCamera camera;
    camera.target = {0.1f, 0, -0.2f};
    camera.orbit({0.1f, 0.2f});
    for (const bool perspective : {true, false}) {
      camera.perspective = perspective;
      const SolidView view = camera.view(size, picture);
      for (const float depth : {40.0f, 90.0f}) {
        const SolidVector point = at_target(view, {99.5f, 199.5f}, depth);
        const auto pixel = camera.project({point.x, point.y, point.z}, size, picture);
        ASSERT_TRUE(pixel);
        EXPECT_NEAR(pixel->x, 100, 0.05);
        EXPECT_NEAR(pixel->y, 200, 0.05);
      }
    }
  }
  SolidCamera camera;
  const SolidVector behind = at_target(camera.view(size, {640, 480}), {320, 240}, -5);
  EXPECT_FALSE(camera.project({behind.x, behind.y, behind.z}, size, {640, 480}));
}

TEST(SolidThreadSpace, LocatesTheThreadOfACell) {
  SolidConfig config{.fractal = *find_solid("menger-sponge"), .level = 3, .tile_size = 9};
  config.method.map = MapKind::kBoundingBox;
  const explain::SolidThreadSpace box(config);
  const auto in_box = box.location_of({26, 15, 0});
  ASSERT_TRUE(in_box);
  EXPECT_EQ(in_box->omega, (Coord3{2, 1, 0}));
  EXPECT_EQ(in_box->ref.thread, 6u * 9 + 8);
  EXPECT_EQ(in_box->address, 15u * 27 + 26);
  EXPECT_TRUE(box.lambda_steps(in_box->omega).empty());
  EXPECT_FALSE(box.location_of({13, 13, 13})) << "a hole";
  EXPECT_FALSE(box.location_of({27, 0, 0})) << "outside";
  config.method = fastest_solid_method(MapKind::kCompact);
  const explain::SolidThreadSpace compact(config);
  const auto location = compact.location_of({26, 15, 0});
  ASSERT_TRUE(location);
  EXPECT_EQ(location->omega, (Coord3{4, 0, 0}));
  EXPECT_EQ(location->address, 4u * 729 + 6 * 9 + 8);
  EXPECT_EQ(explain::location_text(compact, *location),
            "tile ω (4, 0, 0), thread 48, thread block 1, byte 2978");
  // The last sum of lambda is the position of the tile, at every number of levels.
  for (const std::uint32_t tile_size : {1u, 3u, 9u}) {
    config.tile_size = tile_size;
    const explain::SolidThreadSpace space(config);
    for (const Coord3 cell : {Coord3{26, 15, 0}, Coord3{0, 0, 0}, Coord3{8, 26, 25}}) {
      const auto found = space.location_of(cell);
      ASSERT_TRUE(found);
      const auto steps = space.lambda_steps(found->omega);
      ASSERT_EQ(steps.size(), static_cast<std::size_t>(space.map().tiled.coarse_level));
      EXPECT_EQ(steps.back().sum, found->place);
    }
  }
}

TEST(SolidDraft, IsTheFractalThatWasDrawn) {
  SolidDraft draft = draft_of(*find_solid("menger-sponge"));
  EXPECT_EQ(fractal_of(draft), *find_solid("menger-sponge"));
  draft.set_scale({2, 3, 9});
  EXPECT_EQ(draft.scale, (Coord3{2, 3, 4})) << "a side is at most 4";
  for (const Coord3& offset : draft.offsets()) EXPECT_LT(offset.x, 2u);
  draft.set_scale({2, 1, 2});
  draft.replicas = 0;
  EXPECT_THROW(fractal_of(draft), InputError) << "no replica";
  draft.set({0, 0, 0}, true);
  draft.set({1, 0, 1}, true);
  draft.set({1, 0, 0}, true);
  draft.set({1, 0, 0}, false);
  draft.name = "two";
  const SolidFractal drawn = fractal_of(draft);
  EXPECT_EQ(drawn, SolidFractal("two", {2, 1, 2}, {{0, 0, 0}, {1, 0, 1}}));
  EXPECT_EQ(parse_solid(fractal_text({drawn}), "two.toml").fractal, drawn) << "as Save writes it";
  draft.name = "";
  EXPECT_THROW(fractal_of(draft), InputError);
}

TEST(CellSource, CellsAreMadeOnwardsOrFromTheStart) {
  const SolidConfig config = default_solid_settings().config;
  const RandomStart start{.seed = 3, .density = 0.3};
  const SolidWork other{.rule = parse_solid_rule("B4/S3..9")};
  const std::vector<SolidEdit> edits = {{{0, 0, 0}, true}, {{1, 0, 0}, true}, {{26, 26, 26}, false}};
  const auto direct = make_fractal_engine(config, {});
  direct->reset(start);
  direct->run(4, {});
  direct->edit(edits);
  direct->run(3, other);
  const CellSourceOf<3> none(start);
  CellSourceOf<3> cells = none;
  cells.run(4, {});
  const CellSourceOf<3> first = cells;
  cells.edit({edits[0]});
  const CellSourceOf<3> edited = cells;
  cells.edit({edits[1], edits[2]});
  cells.run(2, other);
  const CellSourceOf<3> later = cells;
  cells.run(1, other);
  EXPECT_EQ(cells.generation(), 7u);

  EXPECT_EQ(none.generations_to(cells), 7u);
  EXPECT_EQ(edited.generations_to(cells), 3u);
  EXPECT_EQ(later.generations_to(cells), 1u);
  EXPECT_EQ(cells.generations_to(cells), 0u);
  EXPECT_EQ(cells.generations_to(later), std::nullopt);
  EXPECT_EQ(later.generations_to(edited), std::nullopt);
  EXPECT_EQ(CellSourceOf<3>(RandomStart{.seed = 4}).generations_to(cells), std::nullopt);

  const auto engine = make_fractal_engine(config, {});
  CellSourceOf<3> made;
  std::uint64_t generations = 0;
  for (const CellSourceOf<3>& wanted : {first, edited, later, cells}) {
    generations += make_cells(*engine, made, wanted).generations;
    EXPECT_EQ(made, wanted);
  }
  EXPECT_EQ(generations, 7u) << "nothing is repeated";
  EXPECT_EQ(engine->census().hash, direct->census().hash);
  EXPECT_EQ(engine->generation(), 7u);
  EXPECT_EQ(make_cells(*engine, made, first).generations, 4u) << "earlier cells, from the start";
  make_cells(*engine, made, cells);
  EXPECT_EQ(engine->census().hash, direct->census().hash);

  // An edit whose previous states are known is undone by edits.
  const bool alive = engine->cell({0, 0, 0}).value();
  cells.edit({{{0, 0, 0}, !alive}}, {{{0, 0, 0}, alive}});
  const CellSourceOf<3> before = made;
  make_cells(*engine, made, cells);
  EXPECT_NE(engine->census().hash, direct->census().hash);
  EXPECT_EQ(generations_to_make(made, before), 0u);
  make_cells(*engine, made, before);
  EXPECT_EQ(engine->census().hash, direct->census().hash);
}

TEST(SolidColours, FacesDifferInThePalettesOfBothThemes) {
  const auto sum = [](glm::u8vec3 colour) { return colour.r + colour.g + colour.b; };
  const auto face = [](std::uint32_t number) {
    return kSolidHit | number << kSolidFaceShift | 15u << kSolidOpenShift;
  };
  for (const Theme theme : kThemes) {
    const render::Palette& palette = *render::find_palette(default_palette(theme));
    const auto colours = solid_colours(palette, SolidColouring::kState, {1, 2, 3});
    EXPECT_LT(sum(colour_of_pixel(colours, 0, 99, 100)), sum(colour_of_pixel(colours, 0, 0, 100)) - 20)
        << "the background is lit from above";
    for (const std::uint32_t state : {0u, kSolidAlive})
      EXPECT_GT(sum(colours.states[face(2) | state]), sum(colours.states[face(3) | state]) + 80)
          << palette.name;
    // Densities pass from the colour of dead cells to that of living ones.
    EXPECT_EQ(colours.values[1], colours.states[face(2)]);
    EXPECT_EQ(colours.values[kSolidMaxDensity], colours.states[face(2) | kSolidAlive]);
    EXPECT_NE(colours.values[1 + 254 / 20], colours.values[1]) << "one living cell of twenty";
    EXPECT_EQ(colour_of_pixel(colours, face(2) | kSolidMaxDensity << kSolidColourShift, 0, 1),
              colour_of_pixel(colours, face(2) | kSolidAlive, 0, 1));
  }
}

TEST(SolidState, IsStoredInScenes) {
  scene::Scene scene;
  scene.workspace = "solid";
  SolidState& state = scene::edit_state<SolidState>(scene);
  state.settings.config.fractal = SolidFractal("own", {2, 1, 3}, {{0, 0, 0}, {1, 0, 2}, {1, 0, 1}});
  state.settings.config.level = 2;
  state.settings.config.tile_size = 2;
  state.settings.config.method.map = MapKind::kLambda;
  state.settings.work.rule = parse_solid_rule("B1/S2..5");
  state.settings.look = {.living_only = true,
                         .cut_axis = CutAxis::kZ,
                         .cut = 0.25f,
                         .slice = true,
                         .colouring = SolidColouring::kWarp,
                         .empty_tiles = true};
  state.settings.compare = true;
  state.settings.show_thread = true;
  state.settings.pinned = Coord3{3, 0, 2};
  state.settings.playing = false;
  state.camera.orbit({0.2f, 0.1f});
  state.camera.perspective = false;
  state.cells.run(3, {.rule = parse_solid_rule("B1/S2")});
  state.cells.run(4, {.rule = parse_solid_rule("B1/S2")});
  const std::vector<SolidEdit> edits = {{{1, 0, 2}, true}, {{0, 0, 0}, false}};
  state.cells.edit(edits);
  state.cells.run(5, {.rule = parse_solid_rule("B2/S2")});
  // A scene that was read has the states of all workspaces.
  const std::string text =
      scene::bytes_of(scene::read_bytes(scene::bytes_of(scene), workspace_formats(), {}));
  const scene::Scene read = scene::read_bytes(text, workspace_formats(), {});
  EXPECT_EQ(scene::bytes_of(read), text);
  const SolidState& again = scene::state_of<SolidState>(read);
  EXPECT_EQ(again.settings.config, state.settings.config);
  EXPECT_EQ(again.settings.look, state.settings.look);
  EXPECT_EQ(again.settings.pinned, state.settings.pinned);
  EXPECT_TRUE(again.settings.compare && again.settings.show_thread);
  EXPECT_EQ(again.cells.generation(), 12u);
  EXPECT_EQ(again.cells.work().rule, parse_solid_rule("B2/S2"));
  EXPECT_EQ(again.cells.times(), 5u);
  EXPECT_EQ(again.cells.edits(), edits);
  EXPECT_EQ(again.cells.start().seed, state.settings.start.seed);

  const auto refused = [&](const std::string& from, const std::string& to) {
    std::string wrong = text;
    ASSERT_NE(wrong.find(from), std::string::npos) << from;
    wrong.replace(wrong.find(from), from.size(), to);
    EXPECT_THROW(scene::read_bytes(wrong, workspace_formats(), {}), InputError) << to;
  };
  refused("\"B1/S2..5\"", "\"B1/S2..27\"");
  refused("\"cut_axis\": \"z\"", "\"cut_axis\": \"w\"");
  refused("\"cut\": 0.25", "\"cut\": 1.25");
  refused("\"block\": 2", "\"block\": 3");
  refused("\"colour_by\": \"warp\"", "\"colour_by\": \"weft\"");
  // The size is 4 x 1 x 9.
  const std::size_t pinned = text.find("3", text.find("\"pinned\": ["));
  EXPECT_THROW(scene::read_bytes(std::string(text).replace(pinned, 1, "4"), workspace_formats(), {}),
               InputError);
}

TEST(SolidState, PictureWithoutAWindowIsThatOfTheCells) {
  SolidState state;
  const auto renderer = state.renderer({.size = {64, 48}, .backend = {}, .palette = "cividis"});
  std::vector<std::uint8_t> all;
  renderer->rows().rows(0, 48, all, nullptr);
  ASSERT_EQ(all.size(), 64u * 48 * 3);
  // Bands of rows give the same picture.
  std::vector<std::uint8_t> bands;
  for (int row = 0; row < 48; row += 16) {
    std::vector<std::uint8_t> band;
    renderer->rows().rows(row, 16, band, nullptr);
    bands.insert(bands.end(), band.begin(), band.end());
  }
  EXPECT_EQ(all, bands);
  const std::set<std::uint8_t> values(all.begin(), all.end());
  EXPECT_GT(values.size(), 20u) << "faces and occlusion have different brightness";
  renderer->show_frame(1, 10, nullptr);
  std::vector<std::uint8_t> turned;
  renderer->rows().rows(0, 48, turned, nullptr);
  EXPECT_NE(all, turned);
}

class SolidWorkspaceTest : public testing::Test {
 protected:
  void SetUp() override {
    try {
      context_ = render::make_offscreen({640, 480});
    } catch (const std::runtime_error& error) {
      GTEST_SKIP() << error.what();
    }
    open(true);
  }
  void open(bool waits) {
    SolidSettings settings = default_solid_settings();
    settings.playing = false;
    application_.reset();
    application_ = std::make_unique<Application>(
        ShellSettings{.backend = BackendChoice::kCpu}, *context_,
        [this, settings](const ShellServices& services) {
          Application::Workspaces workspaces;
          workspaces.push_back(std::make_unique<SolidWorkspace>(settings, services));
          solid_ = static_cast<SolidWorkspace*>(workspaces.front().get());
          return workspaces;
        },
        ApplicationOptions{.waits = waits});
  }
  nlohmann::ordered_json frames(int count = 3) {
    for (int i = 0; i < count; ++i) application_->frame();
    nlohmann::ordered_json json;
    solid_->add_state(json);
    return json["solid"];
  }
  void press(const KeyPress& key) {
    ShellEdit shell{.settings = application_->settings()};
    solid_->begin(shell);
    EXPECT_TRUE(solid_->commands().press(key));
    solid_->update(solid_->picture_area(), solid_->picture_scale());
    solid_->apply();
  }
  void restore(const SolidState& state) { solid_->restore(std::make_shared<SolidState>(state)); }

  std::unique_ptr<render::GraphicsContext> context_;
  std::unique_ptr<Application> application_;
  SolidWorkspace* solid_ = nullptr;
};

TEST_F(SolidWorkspaceTest, ShowsTheWholePictureAndCounts) {
  const auto state = frames();
  EXPECT_EQ(state["whole"], true) << state;
  EXPECT_EQ(state["divisor"], 1);
  EXPECT_EQ(state["generation"], 0);
  EXPECT_GT(state["population"], 1000);
  EXPECT_EQ(state["threads_active"], 8000);
}

TEST_F(SolidWorkspaceTest, RestoresTheCheckValueOnEveryMap) {
  SolidState state;
  state.settings.playing = false;
  state.settings.start = {.seed = 1, .density = 0.3};
  state.cells.run(20, {});
  for (const MapKind map : kMapKinds) {
    set_map(state.settings.config, map);
    restore(state);
    const auto now = frames();
    EXPECT_EQ(now["population"], 1653) << name_of(map);
    EXPECT_EQ(now["generation"], 20);
    EXPECT_EQ(now["map"], name_of(map));
  }
  const auto described = std::dynamic_pointer_cast<const SolidState>(solid_->state(StateNeed::kDescribed));
  EXPECT_EQ(described->cells, state.cells);
}

TEST_F(SolidWorkspaceTest, KeysChangeMapAndLevelAndKeepTheCells) {
  const auto before = frames();
  press({.key = '1'});
  auto now = frames();
  EXPECT_EQ(now["map"], "bounding-box");
  EXPECT_EQ(now["population"], before["population"]) << "the cells are transferred";
  press({.key = '2'});
  EXPECT_EQ(frames()["map"], "lambda");
  press({.character = '<'});
  now = frames();
  EXPECT_EQ(now["level"], 2);
  EXPECT_EQ(now["cells"], 400);
  EXPECT_EQ(now["whole"], true);
  press({.character = '.'});
  EXPECT_EQ(frames()["generation"], 1);
  application_->undo().undo();
  EXPECT_EQ(frames()["level"], 3);
}

// The selection stays, the picture and its cells too; and it is not built again until something is selected.
TEST_F(SolidWorkspaceTest, ACancelledBuildChangesNeitherSettingsNorCells) {
  open(false);
  const auto until = [&](const auto& reached) {
    for (int i = 0; i < 2000 && !reached(); ++i) application_->frame();
    EXPECT_TRUE(reached()) << frames(1);
  };
  const auto rests = [&] { return solid_->status().progress.what.empty() && frames(1)["whole"] == true; };
  until(rests);
  press({.character = '.'});
  until([&] { return rests() && frames(1)["generation"] == 1; });
  for (int i = 0; i < 2; ++i) press({.character = '>'});
  ASSERT_EQ(solid_->settings().config.level, 5);
  frames(1);
  solid_->cancel();
  until([&] {
    const std::string message = application_->state()["message"];
    return message.find("level 5 of menger-sponge") != std::string::npos;
  });
  const auto now = frames(5);
  EXPECT_EQ(now["level"], 5) << "the selected one";
  EXPECT_EQ(now["cells"], 8000) << "those of level 3, which runs";
  EXPECT_EQ(now["generation"], 1);
  EXPECT_TRUE(solid_->status().progress.what.empty()) << "it is not begun again";
  for (int i = 0; i < 2; ++i) press({.character = '<'});
  until(rests);
  EXPECT_EQ(frames(1)["level"], 3);
  EXPECT_EQ(frames(1)["generation"], 1) << "the cells that ran all the time";
}

TEST_F(SolidWorkspaceTest, ComparesTheThreeMapsOnTheSameCells) {
  press({.key = 'v'});
  auto now = frames(6);
  ASSERT_FALSE(now["compared"].is_null());
  EXPECT_EQ(now["comparison_done"], true);
  const auto expect_same_cells = [&](const char* active) {
    for (const MapKind map : kMapKinds) {
      const auto& pane = now["compared"][report_key(map)];
      if (name_of(map) == active) {
        EXPECT_TRUE(pane["identical"].is_null());
      } else {
        EXPECT_EQ(pane["identical"], true) << name_of(map);
      }
    }
  };
  expect_same_cells("compact");
  EXPECT_EQ(now["compared"]["bounding_box"]["threads_launched"], 19683);
  EXPECT_EQ(now["compared"]["lambda"]["threads_launched"], 8000);
  EXPECT_TRUE(now["compared"]["lambda"]["step_ms"].is_null()) << "no generation yet";
  // The panes make the same generations, and follow every other change.
  press({.character = '.'});
  now = frames(6);
  EXPECT_EQ(now["generation"], 1);
  expect_same_cells("compact");
  for (const MapKind map : kMapKinds)
    EXPECT_GT(now["compared"][report_key(map)]["step_ms"], 0) << name_of(map);
  press({.key = '1'});
  now = frames(6);
  EXPECT_EQ(now["map"], "bounding-box");
  EXPECT_EQ(now["generation"], 1);
  expect_same_cells("bounding-box");
  press({.character = '<'});
  now = frames(6);
  EXPECT_EQ(now["level"], 2);
  expect_same_cells("bounding-box");
  SolidState state;
  state.settings.playing = false;
  state.settings.compare = true;
  state.settings.start = {.seed = 1, .density = 0.3};
  state.cells.run(20, {});
  restore(state);
  now = frames(6);
  EXPECT_EQ(now["population"], 1653);
  expect_same_cells("compact");
  press({.key = 'v'});
  EXPECT_TRUE(frames()["compared"].is_null());
}

TEST_F(SolidWorkspaceTest, ThePinnedCellHasItsThreadUnderEveryMap) {
  SolidState state;
  state.settings.playing = false;
  state.settings.compare = true;
  state.settings.pinned = Coord3{26, 15, 0};
  restore(state);
  auto now = frames(6);
  EXPECT_EQ(now["selected"], (nlohmann::ordered_json{26, 15, 0}));
  EXPECT_EQ(now["compared"]["bounding_box"]["thread"]["tile"], (nlohmann::ordered_json{2, 1, 0}));
  EXPECT_EQ(now["compared"]["lambda"]["thread"]["tile"], (nlohmann::ordered_json{4, 0, 0}));
  EXPECT_EQ(now["compared"]["lambda"]["thread"]["byte"], 431);
  EXPECT_EQ(now["compared"]["compact"]["thread"]["byte"], 2978);
  press({.character = '<'});
  now = frames(6);
  EXPECT_EQ(now["pinned"], false) << "it is outside of level 2";
}

}  // namespace
}  // namespace loom::app
