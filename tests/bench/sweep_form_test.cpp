#include <gtest/gtest.h>

#include "app/bench/plan.h"
#include "app/bench/sweep.h"
#include "app/bench/sweep_runner.h"
#include "compute/core/error.h"
#include "compute/geometry/nbb_catalog.h"
#include "compute/map/map_method.h"

namespace loom::app::bench {
namespace {

constexpr auto kQuantities = {SweepKind::kMaps, SweepKind::kMandelbrot};

std::size_t index_of(std::string_view name) {
  const auto fields = axis_fields(SweepKind::kMaps);
  for (std::size_t i = 0; i < fields.size(); ++i) {
    if (fields[i].name == name) return i;
  }
  ADD_FAILURE() << "no axis " << name;
  return 0;
}

TEST(AxisFields, HaveADefaultThatTheyRead) {
  for (const SweepKind kind : kQuantities) {
    const AxisTexts texts = default_axes(kind);
    EXPECT_EQ(texts.size(), axis_fields(kind).size()) << "an axis name occurs twice";
    EXPECT_NO_THROW(parse_axes(kind, texts, {}));
    for (const AxisField& field : axis_fields(kind)) {
      EXPECT_FALSE(field.hint.empty()) << field.name;
      AxisTexts example = texts;
      example[field.name] = field.example;
      EXPECT_NO_THROW(parse_axes(kind, example, {})) << field.name << ": " << field.example;
      AxisTexts wrong = texts;
      wrong[field.name] = "nonsense";
      EXPECT_THROW(parse_axes(kind, wrong, {}), InputError) << field.name << "accepts an invalid value";
      wrong.erase(field.name);
      EXPECT_THROW(parse_axes(kind, wrong, {}), InputError) << field.name << "may be missing";
    }
  }
}

TEST(AxisFields, HoldEveryFieldOfTheMethod) {
  for (const MethodField& field : method_fields()) index_of(field.option);
}

TEST(AxisFields, LayOverReplacesWhatIsTyped) {
  AxisTexts texts = default_axes(SweepKind::kMaps);
  override_texts(texts, {{"level", "3"}, {"block", "2"}, {"map", ""}});
  EXPECT_EQ(texts["level"], "3");
  EXPECT_EQ(texts["block"], "2");
  EXPECT_EQ(texts["map"], "all");
}

TEST(AxisFields, AFractalOfOnesOwnGoesByItsName) {
  const NbbFractal own("mine", 2, 2, {{0, 0}, {1, 1}});
  AxisTexts texts = default_axes(SweepKind::kMaps);
  texts["fractal"] = "mine";
  texts["level"] = "0..3";
  texts["backend"] = "cpu";
  EXPECT_THROW(parse_axes(SweepKind::kMaps, texts, {}), InputError);
  const Axes axes = parse_axes(SweepKind::kMaps, texts, {.custom_fractal = &own});
  EXPECT_EQ(std::get<MapAxes>(axes.of).fractals.front(), own);
}

TEST(SweepForm, BeginsWithADefaultThatIsRight) {
  SweepForm form;
  form.check({});
  EXPECT_TRUE(form.ready()) << form.first_problem();
  EXPECT_EQ(form.cases, count_cases(form.axes));
}

TEST(SweepForm, KeepsWhatIsTypedBesideWhatIsWrongWithIt) {
  SweepForm form;
  form.texts["level"] = "9..8";
  form.texts["map"] = "lambda,sideways";
  form.check({});
  EXPECT_FALSE(form.ready());
  EXPECT_EQ(form.texts["level"], "9..8");
  EXPECT_NE(form.problems[index_of("level")].find("9..8"), std::string::npos);
  EXPECT_NE(form.problems[index_of("map")].find("sideways"), std::string::npos);
  EXPECT_EQ(form.problems[index_of("block")], "");
  form.texts["level"] = "2";
  form.texts["map"] = "lambda";
  form.check({});
  EXPECT_TRUE(form.ready()) << form.first_problem();
  EXPECT_EQ(form.cases, 3u);
}

TEST(SweepForm, MoreThanTheMostConfigurationsAreRefusedWhateverIsConfirmed) {
  SweepForm form;
  form.load(SweepKind::kMandelbrot, {{"size", "1..1048576"},
                                     {"g", "1..1024,3..1024,5..1024"},
                                     {"r", "2..1024,3..1024"},
                                     {"b", "1..1024,3..1024,5..1024"},
                                     {"dwell", "1..65535,3..65535"},
                                     {"precision", "all"},
                                     {"backend", "cpu"}});
  form.check({});
  ASSERT_GT(count_cases(form.axes), kMaxCases);
  form.confirmed = true;
  EXPECT_FALSE(form.ready());
  EXPECT_FALSE(form.too_many) << "this limit cannot be confirmed away";
  EXPECT_NE(form.first_problem().find("at most 1000000"), std::string::npos) << form.first_problem();
}

TEST(SweepForm, SaysWhatIsWrongBetweenFields) {
  SweepForm form;
  form.texts["level"] = "2";
  form.texts["block"] = "32";
  form.check({});
  EXPECT_FALSE(form.ready());
  EXPECT_NE(form.first_problem().find("tile size 32"), std::string::npos) << form.first_problem();
}

TEST(SweepForm, AVeryLargeSweepIsConfirmed) {
  SweepForm form;
  form.check({}, 1'000'000);
  EXPECT_TRUE(form.ready());
  form.check({}, 10);
  EXPECT_FALSE(form.ready());
  EXPECT_NE(form.first_problem().find("not confirmed"), std::string::npos);
  form.confirmed = true;
  EXPECT_TRUE(form.ready());
}

TEST(SweepForm, EveryPresetLoadsAndItsPlanSaysSo) {
  for (const Preset& preset : presets()) {
    SweepForm form;
    form.load(preset);
    form.max_seconds = 0.5;
    form.energy = true;
    form.check({});
    ASSERT_TRUE(form.ready()) << preset.name << ": " << form.first_problem();
    Sampling sampling;
    sampling.start.seed = 7;
    const Plan plan = form.plan(sampling);
    const Results results = new_results(plan, {}, form.cases);
    EXPECT_EQ(results.settings["preset"], preset.name);
    EXPECT_EQ(results.kind, preset.kind);
    EXPECT_EQ(results.settings["max_seconds"], 0.5);
    EXPECT_EQ(results.settings["energy"], true);
    if (preset.kind == SweepKind::kMaps) {
      EXPECT_EQ(results.settings["seed"], 7);
      EXPECT_EQ(results.settings["axes"]["map"], form.texts["map"]);
      EXPECT_EQ(results.settings["axes"]["intra_block"], form.texts["intra-block"]);
    } else {
      EXPECT_FALSE(results.settings.contains("seed")) << "a Mandelbrot sweep has no random start";
      EXPECT_EQ(results.settings["axes"]["scheme"], form.texts["scheme"]);
    }
    EXPECT_EQ(results_name(results).rfind("bench-" + preset.name + "-20", 0), 0u) << results_name(results);
  }
}

TEST(SweepForm, TheSweepAroundAConfigurationHasItsMethod) {
  SweepForm form;
  form.load(SweepKind::kMaps, axes_around({.fractal = find_fractal("vicsek"),
                                           .level = 2,
                                           .tile_size = 3,
                                           .method = {.map = MapKind::kCompact,
                                                      .arithmetic = MapArithmetic::kTable,
                                                      .intra_block = IntraBlock::kLookup,
                                                      .halo = false}},
                                          "cpu"));
  form.check({});
  ASSERT_TRUE(form.ready()) << form.first_problem();
  const MapAxes& axes = std::get<MapAxes>(form.axes.of);
  EXPECT_EQ(axes.levels, (std::vector<int>{5, 6, 7, 8}));
  EXPECT_EQ(axes.maps.size(), kMapKinds.size());
  EXPECT_EQ(axes.method.at("arithmetic"), (std::vector<std::string>{"table"}));
  EXPECT_EQ(axes.method.at("intra-block"), (std::vector<std::string>{"lookup"}));
  EXPECT_EQ(axes.method.at("halo"), (std::vector<std::string>{"off"}));
  EXPECT_EQ(axes.fractals.front().name(), "vicsek");
  EXPECT_EQ(form.preset, "");
}

TEST(SweepForm, TheSweepAroundAnArithmeticOfOneMapHasTheOtherMapsToo) {
  SweepForm form;
  form.load(SweepKind::kMaps,
            axes_around({.fractal = find_fractal("sierpinski-gasket"),
                         .level = 8,
                         .tile_size = 16,
                         .method = {.map = MapKind::kLambda, .arithmetic = MapArithmetic::kTensor1}},
                        "cpu"));
  form.check({});
  ASSERT_TRUE(form.ready()) << form.first_problem();
  bool has_compact = false;
  for (const Case& one : expand(form.axes)) {
    EXPECT_EQ(method_problem_of(one), "");
    has_compact |= std::get<MapCase>(one).config.method.map == MapKind::kCompact;
  }
  EXPECT_TRUE(has_compact);
  form.texts["arithmetic"] = "tensor-1";
  form.check({});
  const auto cases = expand(form.axes);
  EXPECT_TRUE(std::ranges::any_of(cases, [](const Case& one) { return !method_problem_of(one).empty(); }));
}

// Sides of 243 to 6,561 points: below, the launch is what takes the time.
TEST(SweepForm, TheSweepAroundALargeLevelLeavesSmallOnesOut) {
  const auto levels = [](const char* fractal, int level) {
    return axes_around({.fractal = find_fractal(fractal), .level = level}, "cpu")["level"];
  };
  EXPECT_EQ(levels("vicsek", 5), "5..8");
  EXPECT_EQ(levels("sierpinski-gasket", 9), "8..13");
  EXPECT_EQ(levels("sierpinski-gasket", 15), "8..15");
  EXPECT_EQ(levels("sierpinski-gasket", 7), "8..13");
  EXPECT_EQ(levels("sierpinski-gasket", 0), "8..13");
}

const AxisField& axis(SweepKind kind, std::string_view name) {
  const auto fields = axis_fields(kind);
  return *std::ranges::find(fields, name, &AxisField::name);
}

TEST(AxisChoices, ValuesAreSpelledOut) {
  EXPECT_EQ(values_of(axis(SweepKind::kMaps, "level"), "2,4..6"),
            (std::vector<std::string>{"2", "4", "5", "6"}));
  EXPECT_EQ(values_of(axis(SweepKind::kMandelbrot, "g"), "2..16"),
            (std::vector<std::string>{"2", "4", "8", "16"}));
  EXPECT_EQ(values_of(axis(SweepKind::kMaps, "map"), "all"),
            (std::vector<std::string>{"bounding-box", "lambda", "compact"}));
  EXPECT_TRUE(values_of(axis(SweepKind::kMaps, "level"), "6..4").empty());
  EXPECT_TRUE(values_of(axis(SweepKind::kMaps, "level"), "1,,2").empty());
}

TEST(AxisChoices, AValueGoesAndComes) {
  const AxisField& level = axis(SweepKind::kMaps, "level");
  EXPECT_EQ(toggled(level, "8..12", "10"), "8,9,11,12");
  EXPECT_EQ(toggled(level, "8,9,11,12", "10"), "8..12");
  EXPECT_EQ(toggled(level, "10", "9"), "9,10");
  EXPECT_EQ(toggled(level, "10", "10"), "10") << "the last value stays";
  EXPECT_EQ(toggled(axis(SweepKind::kMandelbrot, "g"), "2,8", "4"), "2..8");
  const AxisField& map = axis(SweepKind::kMaps, "map");
  EXPECT_EQ(toggled(map, "all", "lambda"), "bounding-box,compact");
  EXPECT_EQ(toggled(map, "compact,bounding-box", "lambda"), "all");
  const AxisField& block = axis(SweepKind::kMaps, "block");
  EXPECT_EQ(toggled(block, "all", "16"), "16") << "all sizes that a level allows go with no other";
  EXPECT_EQ(toggled(block, "8,16", "all"), "all");
  EXPECT_EQ(toggled(axis(SweepKind::kMaps, "arithmetic"), "auto", "loop"), "auto,loop");
}

// Every value that a form offers is one that the axis reads, alone and beside another.
TEST(AxisChoices, EveryChoiceIsRead) {
  for (const SweepKind kind : {SweepKind::kMaps, SweepKind::kMandelbrot}) {
    for (const AxisField& field : axis_fields(kind)) {
      for (const std::string& choice : field.choices) {
        if (field.name == "backend" && choice == "cuda") continue;  // without a device
        Axes axes = empty_axes(kind);
        EXPECT_NO_THROW(field.read(choice, {}, axes)) << field.name << " " << choice;
        const std::string both = toggled(field, choice, field.choices.back());
        EXPECT_NO_THROW(field.read(both, {}, axes)) << field.name << " " << both;
      }
    }
  }
}

TEST(DurationText, GrowsIntoMinutesAndHours) {
  EXPECT_EQ(duration_text(0.4), "0 s");
  EXPECT_EQ(duration_text(59), "59 s");
  EXPECT_EQ(duration_text(187), "3:07 min");
  EXPECT_EQ(duration_text(3900), "1:05 h");
}

}  // namespace
}  // namespace loom::app::bench
