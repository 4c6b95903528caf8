#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <filesystem>

#include "app/patterns/pattern.h"
#include "compute/core/error.h"
#include "compute/workload/rule_text.h"

namespace loom::app::patterns {
namespace {

Pattern data(const char* name) {
  return read_pattern_file(std::filesystem::path(LOOM_TEST_DATA) / name);
}

std::string refusal(std::string_view text) {
  try {
    parse_pattern(text, "p");
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}

const std::vector<Coord32> kGlider = {{1, 0}, {2, 1}, {0, 2}, {1, 2}, {2, 2}};

TEST(PatternFile, ReadsThePublishedExamples) {
  const Pattern glider = data("glider.rle");
  EXPECT_EQ(glider.cells, kGlider);
  EXPECT_EQ(glider.comments, std::vector<std::string>{"This is a glider."});
  EXPECT_EQ(to_string(glider.rule.value()), "B3/S23") << "a file without a rule is Conway's";
  const Pattern gun = data("gosper.rle");
  EXPECT_EQ(gun.cells.size(), 36u);
  EXPECT_EQ(gun.width, 36u);
  EXPECT_EQ(gun.height, 9u);
  EXPECT_EQ(gun.name, "Gosper glider gun");
  EXPECT_EQ(to_string(gun.rule.value()), "B3/S23");
  const Pattern same = data("gosper.cells");
  EXPECT_EQ(same.cells, gun.cells);
  EXPECT_EQ(same.width, 36u);
  EXPECT_EQ(same.height, 9u);
  EXPECT_EQ(same.name, "Gosper glider gun");
  EXPECT_EQ(same.comments.front(), "Author: Bill Gosper");
}

TEST(PatternFile, ReadsWhatGollyWrites) {
  const Pattern pattern = parse_pattern(
      "#CXRLE Pos=0,-1377 Gen=3480106827776\r\nx = 3, y = 3, rule = "
      "B3/S23:T20,30\r\nbo$\r\n2bo$3o!\r\nbehind",
      "p");
  EXPECT_EQ(pattern.cells, kGlider);
  EXPECT_EQ(pattern.at, (Coord<std::int64_t>{0, -1377}));
  EXPECT_EQ(to_string(pattern.rule.value()), "B3/S23");
  const Pattern old = parse_pattern("#N Glider\n#O Guy\n#P -1 -2\n#r 23/3\nx=3,y=3\n.A$2.A$3A!", "p");
  EXPECT_EQ(old.cells, kGlider);
  EXPECT_EQ(old.at, (Coord<std::int64_t>{-1, -2}));
  EXPECT_EQ(old.name, "Glider");
  EXPECT_EQ(to_string(old.rule.value()), "B3/S23");
}

TEST(PatternFile, ReadsTextWithoutAHeader) {
  EXPECT_EQ(parse_pattern("bo$2bo$3o!", "p").cells, kGlider);
  EXPECT_EQ(parse_pattern(".O.\n..O\nOOO\n", "p").cells, kGlider);
  EXPECT_EQ(parse_pattern("  .*\n  ..*\n  ***", "p").cells, kGlider);
  // A line break may separate a run's count from its cell.
  EXPECT_EQ(parse_pattern("bo$\n2\nbo$3o\n!", "p").cells, kGlider);
}

// What Golly's reader takes (readpattern.cpp) and this one refused.
TEST(PatternFile, ReadsWhatGollyReads) {
  const char* const texts[] = {
      "#N Glider\rx = 3, y = 3, rule = B3/S23\rbo$2bo$\r3o!\r",
      "x = 3, y = 3, rule = B3/S23\nbo$2bo$3o",
      "x = 3 , y = 3 , rule = B3/S23 , \nbo$2bo$3o!\n",
      "#Life 1.05\n#D Glider\n#N\n#P -1 -1\n.*.\n..*\n***\n",
      "#Life 1.05\r\n#R 23/3\r\n#P -1 -1\r\n.*\r\n\r\n#P 0 0\r\n.*\r\n#P -1 1\r\n***\r\n",
      "#Life 1.06\n0 -1\n1 0\n-1 1\n0 1\n1 1\n",
      "#P -1 -1\n.*.\n..*\n***\n",
      "#Life 1.05\n#P\n.*.\n..*\n***\n",
      "x = 5, y = 3, rule = LifeHistory\n.A.2D$2.A.B$3A.F!",
      "x = 3, y = 3, rule = LifeHistory:T31,20\n.C$2.E$ACE!",
      "x = 3, y = 3\nbp$2bq$ryo!",
  };
  for (const char* text : texts) {
    const Pattern pattern = parse_pattern(text, "p");
    EXPECT_EQ(pattern.cells, kGlider) << text;
    EXPECT_EQ(to_string(pattern.rule.value()), "B3/S23") << text;
  }
  EXPECT_EQ(parse_pattern(texts[3], "p").at, (Coord<std::int64_t>{-1, -1}));
  EXPECT_EQ(parse_pattern(texts[5], "p").at, (Coord<std::int64_t>{-1, -1}));
  EXPECT_NE(parse_pattern(texts[1], "p").note.find("without '!'"), std::string::npos);
  EXPECT_NE(parse_pattern(texts[9], "p").note.find("T31,20"), std::string::npos);
  EXPECT_EQ(parse_pattern(texts[0], "p").note, "");
  EXPECT_EQ(parse_pattern("x = 5, y = 1, rule = LifeHistory\nA.3C!", "p").cells.size(), 4u);
  EXPECT_NE(refusal("x = 2, y = 1, rule = LifeHistory\nAG!").find("'G' is not a cell"), std::string::npos);
  EXPECT_NE(refusal("x = 1, y = 1\npA!").find("'pA' is not a cell"), std::string::npos);
  EXPECT_NE(refusal("#Life 1.06\n0 -\n").find("line 2: '0 -' is not a cell"), std::string::npos);
  EXPECT_NE(refusal("#Life 1.06\n0 0\n2000000000 0\n").find("wider or higher"), std::string::npos);
  EXPECT_NE(refusal("#Life 1.06\n-4611686018427387904 0\n4611686018427387904 0\n").find("wider or higher"),
            std::string::npos);
}

TEST(PatternFile, APatternThatReachesFurtherThanItsHeaderIsLarger) {
  const Pattern pattern = parse_pattern("x = 1, y = 1\nbo$2bo$3o!", "p");
  EXPECT_EQ(pattern.width, 3u);
  EXPECT_EQ(pattern.height, 3u);
  EXPECT_EQ(parse_pattern("x = 9, y = 8\nbo$2bo$3o!", "p").width, 9u);
}

TEST(PatternFile, RefusesWithTheLine) {
  EXPECT_EQ(refusal("x = 3, y = 3\nbo$\n2bz$3o!"),
            "p, line 3: 'z' is not a cell of two states; allowed: b o $ ! and numbers");
  EXPECT_NE(refusal("bo$2bo$3").find("a part is missing"), std::string::npos);
  EXPECT_NE(refusal("x = 3 y 3\no!").find("p, line 1: the header"), std::string::npos);
  EXPECT_NE(refusal("x = -3, y = 3\no!").find("p, line 1: the header"), std::string::npos);
  EXPECT_NE(refusal("x = 3, y = 3, rule = WireWorld\no!").find("p, line 1: rule 'WireWorld'"),
            std::string::npos);
  EXPECT_NE(refusal("#P here\no!").find("p, line 1: #P is not a position"), std::string::npos);
  EXPECT_NE(refusal("0o!").find("a run of 0"), std::string::npos);
  EXPECT_NE(refusal("! a comment\n.O.\n.x.\n").find("p, line 3: 'x' is not a cell"), std::string::npos);
  EXPECT_NE(refusal("").find("missing"), std::string::npos);
}

TEST(PatternFile, BoundsWhatItHolds) {
  EXPECT_NE(refusal("99999999999999999999999b!").find("wider or higher"), std::string::npos);
  EXPECT_NE(refusal("99999999999999999999999$o!").find("wider or higher"), std::string::npos);
  EXPECT_NE(refusal("99999999o!").find("living cells"), std::string::npos);
  EXPECT_NE(refusal("x = 99999999999, y = 3\no!").find("wider or higher"), std::string::npos);
  EXPECT_NE(refusal("#CXRLE Pos=9223372036854775807,0\no!").find("Pos="), std::string::npos);
  EXPECT_NE(refusal(std::string(kMaxBytes + 1, '.')).find("bytes"), std::string::npos);
  // Cells may be far apart; this takes no memory.
  EXPECT_EQ(parse_pattern("1000000000b$1000000000bo!", "p").cells.size(), 1u);
}

TEST(PatternFile, RefusesAFileThatIsNone) {
  EXPECT_THROW(read_pattern_file("/nowhere/none.rle"), InputError);
}

Pattern any_pattern() {
  Pattern pattern;
  const auto side = rc::gen::inRange<std::uint32_t>(0, 200);
  pattern.cells = *rc::gen::container<std::vector<Coord32>>(
      rc::gen::build<Coord32>(rc::gen::set(&Coord32::x, side), rc::gen::set(&Coord32::y, side)));
  sort_cells(pattern);
  for (const Coord32& cell : pattern.cells) {
    pattern.width = std::max(pattern.width, cell.x + 1);
    pattern.height = std::max(pattern.height, cell.y + 1);
  }
  pattern.width += *rc::gen::inRange<std::uint32_t>(0, 3);
  pattern.name = *rc::gen::element<std::string>("", "a name");
  pattern.comments =
      *rc::gen::element(std::vector<std::string>{}, std::vector<std::string>{"one", "and two"});
  return pattern;
}

TEST(PatternFile, ComesBackAsItWasWritten) {
  EXPECT_TRUE(rc::check([] {
    Pattern pattern = any_pattern();
    if (pattern.height > 0) RC_ASSERT(parse_cells(to_cells(pattern), "p") == pattern);
    pattern.at = Coord<std::int64_t>{*rc::gen::arbitrary<std::int32_t>(), -7};
    pattern.rule =
        LifeRule{*rc::gen::inRange<std::uint16_t>(0, 512), *rc::gen::inRange<std::uint16_t>(0, 512)};
    const std::string text = to_rle(pattern);
    RC_ASSERT(parse_rle(text, "p") == pattern);
    RC_ASSERT(parse_pattern(text, "p") == pattern);
    for (std::size_t begin = 0, end = 0; (end = text.find('\n', begin)) != std::string::npos; begin = end + 1)
      RC_ASSERT(end - begin <= 70u);
  }));
}

// Letters as Golly writes them: A to X are 1 to 24, p before a letter adds 24, q 48, and so on.
TEST(PatternFile, ReadsAndWritesStatesAsLetters) {
  const Pattern read = parse_pattern("x = 7, y = 2, rule = 23/3/255\n.A2BX$pApXqA.yN!", "p");
  EXPECT_EQ(read.rule->states, 255);
  EXPECT_EQ(read.cells,
            (std::vector<Coord32>{{1, 0}, {2, 0}, {3, 0}, {4, 0}, {0, 1}, {1, 1}, {2, 1}, {4, 1}}));
  EXPECT_EQ(read.states, (std::vector<std::uint8_t>{1, 2, 2, 24, 25, 48, 49, 254}));
  EXPECT_EQ(to_rle(read), "x = 7, y = 2, rule = B3/S23/C255\n.A2BX$pApXqA.yN!\n");
}

TEST(PatternFile, ReadsAndWritesRulesOfLargerThanLife) {
  const char* const bug = "x = 3, y = 2, rule = R5,C4,M1,S34..58,B34..45,NM\nA.C$BA!\n";
  const Pattern read = parse_pattern(bug, "p");
  EXPECT_EQ(read.rule->larger.radius, 5);
  EXPECT_EQ(read.rule->states, 4);
  EXPECT_EQ(to_rle(read), bug);
  const Pattern two = parse_pattern("x = 2, y = 1, rule = R5,C0,M1,S34..58,B34..45,NM:T200,200\n2o!\n", "p");
  EXPECT_EQ(to_rle(two), "x = 2, y = 1, rule = R5,C0,M1,S34..58,B34..45,NM\n2o!\n");
}

TEST(PatternFile, StatesComeBackAsTheyWereWritten) {
  EXPECT_TRUE(rc::check([] {
    Pattern pattern = any_pattern();
    pattern.rule = LifeRule{4, 12, static_cast<std::uint8_t>(*rc::gen::inRange(3, 256))};
    for (std::size_t i = 0; i < pattern.cells.size(); ++i)
      pattern.states.push_back(static_cast<std::uint8_t>(*rc::gen::inRange(1, int{pattern.rule->states})));
    sort_cells(pattern);
    RC_ASSERT(parse_rle(to_rle(pattern), "p") == pattern);
    RC_ASSERT(rotate_anticlockwise(rotate_clockwise(pattern)) == pattern);
    RC_ASSERT(flip_left_right(flip_left_right(pattern)) == pattern);
  }));
}

TEST(PatternFile, RefusesStatesThatTheRuleLacks) {
  EXPECT_EQ(refusal("x = 3, y = 1, rule = B2/S/C3\nABC!"),
            "p, line 2: state 3 of rule B2/S/C3; allowed: up to 2");
}

TEST(Pattern, FourTurnsAndTwoMirrorsChangeNothing) {
  EXPECT_TRUE(rc::check([] {
    const Pattern pattern = any_pattern();
    RC_ASSERT(rotate_anticlockwise(rotate_clockwise(pattern)) == pattern);
    RC_ASSERT(rotate_clockwise(rotate_clockwise(rotate_clockwise(rotate_clockwise(pattern)))) == pattern);
    RC_ASSERT(flip_left_right(flip_left_right(pattern)) == pattern);
    RC_ASSERT(flip_top_bottom(flip_top_bottom(pattern)) == pattern);
    RC_ASSERT(rotate_clockwise(rotate_clockwise(pattern)) == flip_left_right(flip_top_bottom(pattern)));
  }));
}

TEST(Pattern, TurnsAsItIsSeen) {
  const Pattern foot = parse_pattern("bo$bo$2o!", "p");
  EXPECT_EQ(rotate_clockwise(foot).cells, (std::vector<Coord32>{{0, 0}, {0, 1}, {1, 1}, {2, 1}}));
  EXPECT_EQ(flip_left_right(foot).cells, (std::vector<Coord32>{{0, 0}, {0, 1}, {0, 2}, {1, 2}}));
  EXPECT_EQ(flip_top_bottom(foot).cells, (std::vector<Coord32>{{0, 0}, {1, 0}, {1, 1}, {1, 2}}));
}

}  // namespace
}  // namespace loom::app::patterns
