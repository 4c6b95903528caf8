#include "app/workspaces/life/code/map_code_panel.h"

#include <unistd.h>

#include <cstdio>
#include <fstream>
#include <nlohmann/json.hpp>

#include "app/exercises/exercise.h"
#include "compute/geometry/nbb_catalog.h"
#include "imgui_frame.h"

namespace loom::app {
namespace {

constexpr const char* kForeign = "int foreign;";

/// The panel without a window: code is loaded, and nothing runs since no time passes.
class MapCodePanelTest : public ImGuiTest {
 protected:
  /// Sets the code as a scene, a lesson or an undo step does. Returns where it came from; empty: it would
  /// run.
  std::string origin_of(MapCode code) {
    settings_.map_code = std::make_shared<const MapCode>(std::move(code));
    return origin();
  }
  std::string origin() {
    panel_.update(settings_, {});
    nlohmann::ordered_json json;
    panel_.add_state(json, true);
    EXPECT_EQ(json["text"], settings_.map_code->text);
    EXPECT_EQ(json["origin"], settings_.map_code->origin) << "the settings carry it into undo steps";
    EXPECT_EQ(json["trusted"], json["origin"] == "");
    return json["origin"];
  }

  LifeSettings settings_{.config = {.fractal = find_fractal("vicsek"), .level = 2}, .show_code = true};
  MapCodePanel panel_;
};

TEST_F(MapCodePanelTest, CodeFromElsewhereIsForeign) {
  EXPECT_EQ(origin_of({kForeign, ""}), "the scene");
  EXPECT_EQ(origin_of({kForeign, "rows"}), "the scene");
  panel_.open_code(kForeign, "mine.cu", settings_);
  EXPECT_EQ(origin(), "mine.cu");
}

TEST_F(MapCodePanelTest, UndoOfTheWindowRestoresWhereCodeCameFrom) {
  panel_.open_code(kForeign, "mine.cu", settings_);
  const MapCode foreign = *settings_.map_code;
  EXPECT_EQ(origin_of({"int typed;", "", ""}), "");
  const MapCode typed = *settings_.map_code;
  EXPECT_EQ(origin_of(foreign), "mine.cu");
  EXPECT_EQ(origin_of(typed), "");
  // A scene with the very text that the user typed changes nothing of it.
  EXPECT_EQ(origin_of({"int typed;", ""}), "");
}

TEST_F(MapCodePanelTest, BundledCodeIsKnownToTheByte) {
  for (const MapTemplate& one : map_templates()) {
    EXPECT_EQ(origin_of({std::string(one.code), ""}), "") << one.name;
    EXPECT_EQ(origin_of({std::string(one.code) + " ", ""}), "the scene") << one.name;
  }
  for (const BundledExercise& one : bundled_exercises()) {
    const Exercise exercise = find_exercise(std::string(one.name));
    EXPECT_EQ(origin_of({"", exercise.name}), "") << one.name;
    EXPECT_EQ(origin_of({exercise.solution, ""}), "") << one.name;
  }
}

TEST_F(MapCodePanelTest, AnExerciseFromAFileIsForeign) {
  const std::string file = testing::TempDir() + "foreign." + std::to_string(getpid()) + ".toml";
  const auto write = [&](const std::string& starter) {
    std::ofstream(file) << "title = 'a'\ntask = 'b'\nstarter = \"\"\"\n"
                        << starter << "\"\"\"\n[[case]]\nfractal = 'vicsek'\nlevel = 2\n";
  };
  write(kForeign);
  EXPECT_EQ(origin_of({"", file}), "the exercise");
  EXPECT_EQ(origin_of({"int typed;", "", ""}), "");
  // A starter that is a template is bundled code, whoever sends it.
  write(std::string(map_templates()[0].code));
  EXPECT_EQ(origin_of({"", file}), "");
  std::remove(file.c_str());
}

}  // namespace
}  // namespace loom::app
