#include <gtest/gtest.h>

#include <set>

#include "app/settings/field_json.h"
#include "app/workspaces/life/scene/life_settings.h"
#include "app/workspaces/mandelbrot/scene/mandelbrot_settings.h"
#include "compute/core/error.h"
#include "compute/mandelbrot/mandelbrot_fields.h"
#include "compute/map/map_method.h"

namespace loom::app {
namespace {

using Texts = std::vector<std::string>;

/// Values that a field reads, and texts that it refuses.
Texts samples_of(const FieldInfo& field) {
  if (!field.names().empty()) return field.names();
  if (field.key == "rule") return {"B3/S23", "B2/S23"};
  if (field.key == "ideas") return {"none", "all", "early-stop,tiles"};
  if (field.key == "formula_code") return {"Complex next(Complex z, Complex c) { return z; }"};
  if (field.key == "julia_point") return {"-0.4,0.6"};
  if (field.key == "block_shape") return {"64x8", "32x2"};
  if (field.key == "c") return {"0,0.5,-1,0"};
  if (field.key == "box") return {"-1,1,0,0.5,2,3"};
  return {std::to_string(field.lowest), std::to_string(field.highest)};
}

/// Every field reads what it writes, copies and compares itself alone, and refuses what is not a value.
template <typename Settings>
void check_table(std::span<const Field<Settings>> fields, const Settings& start) {
  std::set<std::string_view> keys;
  for (const Field<Settings>& field : fields) {
    SCOPED_TRACE(std::string(field.key.empty() ? field.undo : field.key));
    EXPECT_TRUE(field.equal(start, start));
    EXPECT_TRUE(field.key.empty() || keys.insert(field.key).second) << "two fields have this key";
    const bool is_read = !field.option.empty() && !field.is_flag && field.form != FieldForm::kOther;
    EXPECT_TRUE(!is_read || !field.label.empty()) << "an error could not name it";
    if (field.form == FieldForm::kOther) continue;
    if (field.key == "power" && !field.text(start)) continue;  // of multibrot alone
    for (const std::string& value : samples_of(field)) {
      Settings settings = start;
      field.read(value, settings);
      EXPECT_EQ(field.text(settings), value);
      nlohmann::ordered_json json;
      add_fields(json, std::span(&field, 1), settings);
      Settings read = start;
      read_fields(JsonReader(json, "it"), std::span(&field, 1), read);
      EXPECT_TRUE(field.equal(read, settings)) << json;
      Settings copied = start;
      field.copy(settings, copied);
      EXPECT_TRUE(field.equal(copied, settings));
      for (const Field<Settings>& other : fields) {
        EXPECT_TRUE(&other == &field || other.equal(copied, start)) << other.key << " is copied too";
      }
    }
    if (field.key == "formula_code") continue;  // any text is code, with problems
    Settings settings = start;
    EXPECT_THROW(field.read("nonsense", settings), InputError);
    EXPECT_THROW(field.read("", settings), InputError);
    EXPECT_TRUE(field.equal(settings, start)) << "a refused text changed it";
  }
}

TEST(SettingFields, EachReadsWhatItWritesAndTouchesNothingElse) {
  check_table(life_fields(), default_life_settings());
  check_table(work_fields(), Work{});
  check_table(start_fields(), RandomStart{});
  check_table(mandelbrot_config_fields(), MandelbrotConfig{});
  check_table(mandelbrot_config_fields(), MandelbrotConfig{.set = {.formula = Formula::kMultibrot}});
  check_table(dwell_colour_fields(), MandelbrotSettings{});
  check_table(mandelbrot_window_fields(), MandelbrotSettings{});
  check_table(volume_fields(), VolumeSettings{});
}

TEST(SettingFields, ANumberOutOfItsRangeIsRefusedWithTheRange) {
  const auto& dwell = *find_field(mandelbrot_config_fields(), "dwell");
  MandelbrotConfig config;
  for (const char* text : {"0", "2147483648", "-1", "1.5", "99999999999999999999", "5 "}) {
    try {
      dwell.read(text, config, "--dwell");
      ADD_FAILURE() << text;
    } catch (const InputError& error) {
      EXPECT_EQ(std::string(error.what()),
                "--dwell: '" + std::string(text) +
                    "' is not allowed; allowed: a whole number from 1 to 2147483647");
    }
  }
  EXPECT_EQ(config, MandelbrotConfig{});
}

TEST(SettingFields, AMethodBringsItsBlockShape) {
  const auto& method = *find_field(mandelbrot_config_fields(), "method");
  MandelbrotConfig config;
  method.read("dp", config);
  EXPECT_EQ(config.block, (BlockShape{64, 8}));
  method.read("ask", config);
  EXPECT_EQ(config.block, BlockShape{});
}

TEST(SettingFields, AMemberThatIsMissingOrNullKeepsItsValue) {
  MandelbrotConfig config{.g = 7, .dwell_limit = 99};
  const nlohmann::ordered_json json{{"g", nullptr}, {"r", 4}};
  read_fields(JsonReader(json, "it"), mandelbrot_config_fields(), config);
  EXPECT_EQ(config, (MandelbrotConfig{.g = 7, .r = 4, .dwell_limit = 99}));
  const nlohmann::ordered_json wrong{{"g", nlohmann::ordered_json::array()}};
  EXPECT_THROW(read_fields(JsonReader(wrong, "it"), mandelbrot_config_fields(), config), InputError);
}

TEST(SettingFields, UndoAndLessonsNameWhatChanged) {
  const LifeSettings before = default_life_settings();
  LifeSettings after = before;
  after.rule = LifeRule{};
  after.cell_grid = !before.cell_grid;
  after.tile_grid = !before.tile_grid;
  after.playing = !before.playing;
  after.pinned = Coord64{1, 2};
  EXPECT_EQ(changed_undo_names(life_fields(), before, after), (std::vector<std::string_view>{"grids"}));
  const LifeSettings undone = with_undone_fields(life_fields(), after, before);
  EXPECT_EQ(undone.cell_grid, before.cell_grid);
  EXPECT_EQ(undone.playing, after.playing) << "not undone";
  EXPECT_EQ(undone.pinned, after.pinned);
  after.config.level = 3;
  EXPECT_EQ(changed_setting(before, after), "level");
  MandelbrotConfig was;
  MandelbrotConfig is{.g = 4, .dwell_limit = 100};
  std::string labels;
  add_lesson_changes(labels, mandelbrot_config_fields(), was, is);
  EXPECT_EQ(labels, "g, dwell limit");
  MandelbrotSettings shown;
  MandelbrotSettings other = shown;
  other.cycle = 3;
  EXPECT_EQ(changed_setting(shown, other), "colours");
  other.config.dwell_limit = 99;
  EXPECT_EQ(changed_setting(shown, other), "several settings");
}

}  // namespace
}  // namespace loom::app
