#include <gtest/gtest.h>

#include <numeric>

#include "app/document/scene/window/draft_editor.h"
#include "app/files/fractal_file.h"
#include "app/workspaces/life/draw/fractal_editor.h"
#include "compute/geometry/nbb_catalog.h"
#include "compute/geometry/transforms.h"

namespace loom::app {
namespace {

TEST(GeneratorDraft, TheCatalogueIsDrawnAsItIs) {
  for (const NbbFractal& fractal : catalog()) {
    const auto drawn = fractal_of(draft_of(fractal));
    ASSERT_TRUE(drawn) << fractal.name() << ": " << problem_of(draft_of(fractal));
    EXPECT_EQ(*drawn, fractal);
  }
}

TEST(GeneratorDraft, AFileOfADrawnFractalIsReadBackAsTheSame) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    GeneratorDraft draft{.name = "my \"own\" \\ λ"};
    resize(draft, 1 + seed % 8, 1 + seed / 8 % 8);
    if (draft.s_x * draft.s_y < 2) continue;
    fill_randomly(draft, kBrushSymmetries[seed % kBrushSymmetries.size()], seed);
    const auto drawn = fractal_of(draft);
    ASSERT_TRUE(drawn) << problem_of(draft);
    EXPECT_EQ(parse_fractal(fractal_text({*drawn}), "drawn.toml").fractal, *drawn) << fractal_text({*drawn});
  }
}

TEST(GeneratorDraft, SaysWhyItIsNoFractal) {
  GeneratorDraft draft{.name = "new"};
  EXPECT_NE(problem_of(draft).find("No replica"), std::string::npos);
  EXPECT_FALSE(fractal_of(draft));
  draft.set(1, 1, true);
  EXPECT_NE(problem_of(draft).find("One replica"), std::string::npos);
  draft.set(5, 5, true);  // outside the box
  EXPECT_NE(problem_of(draft).find("One replica"), std::string::npos);
  draft.set(0, 0, true);
  EXPECT_EQ(problem_of(draft), "");
  draft.name = "";
  EXPECT_NE(problem_of(draft).find("name"), std::string::npos);
  draft.name = "two\nlines";
  EXPECT_NE(problem_of(draft).find("control"), std::string::npos);
  draft.name = "vicsek";
  EXPECT_NE(problem_of(draft).find("built-in"), std::string::npos);
  draft.name = "new";
  resize(draft, 1, 1);
  EXPECT_NE(problem_of(draft).find("1 × 1"), std::string::npos);
}

TEST(GeneratorDraft, AnythingElseIsAFractal) {
  for (std::uint32_t mask = 0; mask < 1u << 9; ++mask) {
    GeneratorDraft draft{.name = "new"};
    for (std::uint32_t i = 0; i < 9; ++i) draft.set(i % 3, i / 3, (mask >> i & 1u) != 0);
    EXPECT_EQ(fractal_of(draft).has_value(), draft.replicas() >= 2) << mask;
  }
}

TEST(GeneratorDraft, RemarksAreAboutWhatIsDrawn) {
  GeneratorDraft draft = draft_of(find_fractal("sierpinski-carpet"));
  EXPECT_EQ(advice_on(draft), "");
  draft.set(1, 1, true);
  EXPECT_NE(advice_on(draft).find("full"), std::string::npos);
  EXPECT_NE(advice_on(draft_of(find_fractal("cantor"))).find("touch"), std::string::npos);
  EXPECT_NE(advice_on(draft_of(find_fractal("chandelier"))).find("not square"), std::string::npos);
  draft = draft_of(find_fractal("vicsek"));
  resize(draft, 4, 4);
  EXPECT_NE(advice_on(draft).find("Empty edge"), std::string::npos);
}

TEST(GeneratorDraft, ABrushDrawsWhatItsSymmetrySays) {
  for (const BrushSymmetry symmetry : kBrushSymmetries) {
    for (std::uint32_t s = 1; s <= kMaxScale; ++s) {
      for (const std::uint32_t s_y : {s, s % kMaxScale + 1}) {
        GeneratorDraft draft{.name = "new", .s_x = s, .s_y = s_y};
        for (std::uint32_t i = 0; i < s * s_y; i += 3) paint(draft, {i % s, i / s}, i % 2 == 0, symmetry);
        const auto same = [&](std::uint32_t x, std::uint32_t y, std::uint32_t to_x, std::uint32_t to_y) {
          EXPECT_EQ(draft.at(x, y), draft.at(to_x, to_y)) << name_of(symmetry) << ' ' << s << ' ' << s_y;
        };
        for (std::uint32_t y = 0; y < s_y; ++y) {
          for (std::uint32_t x = 0; x < s; ++x) {
            if (symmetry == BrushSymmetry::kMirrorX || symmetry == BrushSymmetry::kBoth)
              same(x, y, s - 1 - x, y);
            if (symmetry == BrushSymmetry::kMirrorY || symmetry == BrushSymmetry::kBoth)
              same(x, y, x, s_y - 1 - y);
            if (symmetry == BrushSymmetry::kHalfTurn) same(x, y, s - 1 - x, s_y - 1 - y);
            if (symmetry == BrushSymmetry::kQuarterTurns && s == s_y) same(x, y, s - 1 - y, x);
          }
        }
      }
    }
  }
}

TEST(GeneratorDraft, WhatIsDrawnOverTheCatalogueHasANameOfItsOwn) {
  GeneratorDraft draft = draft_of(find_fractal("vicsek"));
  paint(draft, {0, 0}, true, BrushSymmetry::kBoth);
  EXPECT_EQ(draft.name, "my vicsek");
  EXPECT_EQ(draft.replicas(), 9u);
  EXPECT_EQ(problem_of(draft), "");
  draft = draft_of(find_fractal("vicsek"));
  paint(draft, {1, 1}, true, BrushSymmetry::kNone);  // already set
  EXPECT_EQ(draft.name, "vicsek");
}

TEST(GeneratorDraft, StepsGoBackAndForth) {
  DraftHistory<GeneratorDraft> history;
  GeneratorDraft draft;
  std::vector<GeneratorDraft> all = {draft};
  for (std::uint32_t i = 0; i < 9; ++i) {
    const GeneratorDraft before = draft;
    paint(draft, {i % 3, i / 3}, true, BrushSymmetry::kNone);
    history.note(before, draft);
    history.note(draft, draft);
    all.push_back(draft);
  }
  for (std::size_t i = 9; i-- > 0;) {
    ASSERT_TRUE(history.can_undo());
    history.undo(draft);
    EXPECT_EQ(draft, all[i]);
  }
  EXPECT_FALSE(history.can_undo());
  history.undo(draft);
  EXPECT_EQ(draft, all[0]);
  history.redo(draft);
  history.redo(draft);
  EXPECT_EQ(draft, all[2]);
  const GeneratorDraft before = draft;
  paint(draft, {2, 2}, true, BrushSymmetry::kNone);
  history.note(before, draft);
  EXPECT_FALSE(history.can_redo());
}

/// At one pixel per point the raster shows exactly the cells.
TEST(LevelRaster, ShowsTheCells) {
  for (const NbbFractal& fractal : catalog()) {
    for (int level = 1; level <= 3; ++level) {
      const auto width = static_cast<int>(fractal.width(level));
      const auto height = static_cast<int>(fractal.height(level));
      const auto pixels = level_coverage(draft_of(fractal), level, width, height, false);
      const NbbTransform<std::uint32_t> transform(fractal.shape());
      for (int y = 0; y < height; ++y) {
        for (int x = 0; x < width; ++x) {
          const Coord32 point{static_cast<std::uint32_t>(x), static_cast<std::uint32_t>(y)};
          const bool cell = is_member(transform, level, point);
          EXPECT_NEAR(pixels[static_cast<std::size_t>(y * width + x)], cell ? 1 : 0, 1e-5)
              << fractal.name() << ' ' << level << ' ' << x << ' ' << y;
        }
      }
    }
  }
}

/// At any resolution the mean coverage is the fraction of points that are cells.
TEST(LevelRaster, KeepsTheArea) {
  for (const NbbFractal& fractal : catalog()) {
    for (int level = 1; level <= 4; ++level) {
      const auto pixels = level_coverage(draft_of(fractal), level, 37, 23, false);
      const double sum = std::accumulate(pixels.begin(), pixels.end(), 0.0) / (37 * 23);
      const double share = static_cast<double>(fractal.cells(level)) /
                           static_cast<double>(fractal.width(level) * fractal.height(level));
      EXPECT_NEAR(sum, share, 1e-3) << fractal.name() << ' ' << level;
    }
  }
}

TEST(LevelRaster, SquarePointsKeepTheirProportions) {
  const auto pixels = level_coverage(draft_of(find_fractal("cantor")), 2, 90, 90, true);
  const double sum = std::accumulate(pixels.begin(), pixels.end(), 0.0);
  EXPECT_NEAR(sum, 4 * 10 * 10, 1);  // four cells of 10 x 10 pixels
  EXPECT_EQ(pixels[0], 0);
  EXPECT_NEAR(pixels[45 * 90], 1, 1e-5);
}

TEST(GeneratorDraft, LevelsAndTurnsBecomeTheFractal) {
  for (const NbbFractal& fractal : level_catalog()) {
    const GeneratorDraft draft = draft_of(fractal);
    EXPECT_EQ(problem_of(draft), "") << fractal.name();
    const auto same = fractal_of(draft);
    ASSERT_TRUE(same);
    EXPECT_EQ(same->kind(), fractal.kind()) << fractal.name();
    const int level = 3;
    EXPECT_EQ(same->cells(level), fractal.cells(level));
    const DraftSize size = size_of(draft, level);
    EXPECT_EQ(static_cast<std::uint64_t>(size.cells), fractal.cells(level));
    EXPECT_EQ(static_cast<std::uint64_t>(size.width), fractal.width(level));
  }
}

TEST(GeneratorDraft, LevelsAreAddedMovedAndRemoved) {
  GeneratorDraft draft = draft_of(find_fractal("sierpinski-carpet"));
  add_level(draft);
  EXPECT_EQ(draft.levels(), 2u);
  EXPECT_EQ(draft.coarser.size(), 1u);
  EXPECT_EQ(draft.name, "my sierpinski-carpet");
  set_generator(draft, find_fractal("vicsek"));
  auto made = fractal_of(draft);
  ASSERT_TRUE(made);
  EXPECT_EQ(made->kind(), LevelKind::kMixed);
  EXPECT_EQ(made->cells(5), 12800u);
  EXPECT_EQ(made->generators().back().name, "vicsek");
  EXPECT_TRUE(made->has_same_cells(find_fractal("carpet-vicsek")));
  move_level(draft, 0);
  EXPECT_EQ(fractal_of(draft)->cells(5), 5u * 8 * 5 * 8 * 5);
  select_level(draft, 1);
  EXPECT_EQ(draft.replicas(), 8u);
  EXPECT_EQ(fractal_of(draft)->cells(5), 5u * 8 * 5 * 8 * 5);
  draft.repeats = false;
  EXPECT_EQ(fractal_of(draft)->max_level(), 2);
  remove_level(draft);
  EXPECT_EQ(draft.levels(), 1u);
  EXPECT_EQ(draft.replicas(), 5u);
  remove_level(draft);
  EXPECT_EQ(draft.levels(), 1u);
  for (int i = 0; i < 20; ++i) add_level(draft);
  EXPECT_EQ(draft.levels(), kMaxDraftLevels);
}

TEST(GeneratorDraft, TurnedReplicasNeedASquareGrid) {
  GeneratorDraft draft = draft_of(find_fractal("sierpinski-gasket"));
  turn(draft, {0, 1}, loom::Symmetry::kRotate90);
  turn(draft, {1, 1}, loom::Symmetry::kMirrorX);
  EXPECT_EQ(draft.name, "my sierpinski-gasket");
  const auto turned = fractal_of(draft);
  ASSERT_TRUE(turned);
  EXPECT_TRUE(turned->has_same_cells(find_fractal("mirrored-gasket")));
  for (int i = 0; i < 3; ++i) turn(draft, {0, 1}, loom::Symmetry::kRotate90);
  turn(draft, {1, 1}, loom::Symmetry::kMirrorX);
  EXPECT_FALSE(draft.is_turned());
  turn(draft, {0, 0}, loom::Symmetry::kRotate90);
  resize(draft, 3, 2);
  EXPECT_NE(problem_of(draft).find("as many columns as rows"), std::string::npos);
  EXPECT_FALSE(fractal_of(draft));
}

TEST(GeneratorDraft, AProblemNamesTheGenerator) {
  GeneratorDraft draft = draft_of(find_fractal("vicsek"));
  add_level(draft);
  draft.rows = {};
  EXPECT_EQ(problem_of(draft).rfind("Generator 2: No replicas", 0), 0u) << problem_of(draft);
}

// The picture of a turned level covers what its cells cover.
TEST(LevelRaster, ShowsTurnedReplicas) {
  const NbbFractal& fractal = find_fractal("mirrored-gasket");
  const int level = 4;
  const auto side = static_cast<int>(fractal.width(level));
  const std::vector<float> coverage = level_coverage(draft_of(fractal), level, side, side, true);
  const NbbTransform<std::uint32_t> transform(fractal, level);
  for (std::uint32_t y = 0; y < fractal.height(level); ++y) {
    for (std::uint32_t x = 0; x < fractal.width(level); ++x) {
      const float covered = coverage[y * static_cast<std::size_t>(side) + x];
      EXPECT_NEAR(covered, is_member(transform, level, Coord32{x, y}) ? 1 : 0, 1e-6);
    }
  }
}

}  // namespace
}  // namespace loom::app
