#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "program.h"
#include "temporary_folder.h"

namespace loom::test {
namespace {

namespace fs = std::filesystem;

std::string drawn(const std::string& options, const std::string& ending) {
  const tests::TemporaryFolder folder;
  const fs::path path = folder.path() / ("figure" + ending);
  const Outcome outcome = run_program(words("figure --backend cpu " + options + " -o " + path.string()));
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  return tests::content_of(path);
}

std::size_t count(const std::string& text, const std::string& what) {
  std::size_t found = 0;
  for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + 1)) ++found;
  return found;
}

class FigureOfScene : public tests::FolderTest {};

// Draws every space, with text as SVG text elements.
TEST(Figure, DrawsEverySpaceAsSvg) {
  for (const std::string show : {"cells", "threads", "memory"}) {
    const std::string svg = drawn(
        "--show " + show + " --level 4 --block 4 --map compact --thread 4,13 --colour-by address", ".svg");
    EXPECT_TRUE(svg.starts_with("<?xml")) << show;
    EXPECT_TRUE(svg.ends_with("</svg>\n")) << show;
    EXPECT_NE(svg.find("Marked: thread 1 of tile ω (2, 1) → cell (4, 13) → byte 84, cache line 0"),
              std::string::npos)
        << svg;
    EXPECT_NE(svg.find("byte offset, 0 to 143"), std::string::npos);
  }
}

// lambda and compact launch nine of the sixteen tiles, the bounding box all of them.
TEST(Figure, OutlinesWhatIsLaunched) {
  const auto frames = [](const std::string& map) {
    return count(drawn("--show cells --level 4 --block 4 --map " + map, ".svg"), "stroke=");
  };
  EXPECT_EQ(frames("compact"), 9u);
  EXPECT_EQ(frames("lambda"), 9u);
  EXPECT_EQ(frames("bounding-box"), 16u);
}

// The number of living cells in the drawing equals the population.
TEST(Figure, ShowsTheStatesAfterSteps) {
  const std::string scene = "--level 3 --block 1 --map lambda --seed 5 ";
  const auto population = run_program(words("life --backend cpu --json --steps 3 " + scene))
                              .json()["population"]
                              .get<std::size_t>();
  const std::string svg = drawn("--show memory --steps 3 " + scene, ".svg");
  // A run of cells of one colour is one rectangle, one unit wide per cell. The legend has another rectangle
  // of this colour.
  const std::string alive = "fill=\"#ffe83c\"";
  double units = 0;
  double unit = 0;
  for (std::size_t at = svg.find(alive); at != std::string::npos; at = svg.find(alive, at + 1)) {
    const std::size_t line = svg.rfind('\n', at) + 1;
    const std::size_t width = svg.find("width=\"", line) + 7;
    const std::size_t height = svg.find("height=\"", line) + 8;
    const double high = std::stod(svg.substr(height));
    if (unit == 0) unit = high;
    if (high == unit) units += std::stod(svg.substr(width)) / unit;
  }
  EXPECT_NEAR(units, static_cast<double>(population), 0.05);
}

TEST(Figure, StepsAtALevelWithoutAnEngine) {
  const std::string svg =
      drawn("--show steps --level 30 --map lambda --arithmetic loop --thread 0,1073741823", ".svg");
  EXPECT_NE(svg.find("λ_y("), std::string::npos);
  EXPECT_EQ(count(svg, "from ω_x"), 13u);  // 13 of the 26 levels above tiles of side 16
}

TEST(Figure, StepsAsNumbers) {
  const std::string scene = "--show steps --level 6 --block 4 --map compact --arithmetic loop --thread 4,29";
  const std::string csv = drawn(scene, ".csv");
  EXPECT_NE(csv.find("level,digit β,offset τ,weight,τ · weight,sum\r\n1,2 from ω_x,\"(1, 1)\""),
            std::string::npos)
      << csv;
  EXPECT_NE(csv.find("ν of the right neighbour"), std::string::npos);
  const std::string latex = drawn(scene, ".tex");
  EXPECT_EQ(count(latex, "\\begin{tabular}"), 2u);
  EXPECT_NE(latex.find("1 & 2 from $\\omega$\\_x & (1, 1)"), std::string::npos) << latex;
  EXPECT_TRUE(drawn(scene, ".pdf").starts_with("%PDF"));
  EXPECT_TRUE(drawn(scene, ".png").starts_with("\x89PNG"));
}

// The warp memory view lists requests per lane, with the addresses of the cells in storage.
TEST(Figure, LensHasRequestsAndLanes) {
  const std::string csv = drawn(
      "--show lens --level 4 --block 4 --map compact --halo off --arithmetic loop --thread 4,13", ".csv");
  EXPECT_NE(csv.find("request,sectors,requested / transferred,lanes,width,memory"), std::string::npos) << csv;
  EXPECT_NE(csv.find("(4, 13)\",84,"), std::string::npos) << csv;
  EXPECT_NE(drawn("--show timeline --level 6", ".svg").find("CPU thread"), std::string::npos);
}

TEST_F(FigureOfScene, IsThatOfTheFile) {
  const std::string saved = path("a.loom");
  const std::string typed =
      "figure --backend cpu --fractal vicsek --level 3 --block 3 --steps 4 --out " + path("typed.svg");
  ASSERT_EQ(
      run_program(words("life --backend cpu --fractal vicsek --level 3 --block 3 --steps 4 --save " + saved))
          .status,
      0);
  ASSERT_EQ(run_program(words(typed)).status, 0);
  const Outcome opened =
      run_program(words("figure --backend cpu --open " + saved + " --out " + path("opened.svg")));
  EXPECT_EQ(opened.status, 0) << opened.err;
  EXPECT_EQ(tests::content_of(path("opened.svg")), tests::content_of(path("typed.svg")));
  const Outcome missing = run_program(words("figure --open /no/such.loom --out " + path("missing.svg")));
  EXPECT_EQ(missing.status, 2);
  EXPECT_NE(missing.err.find("/no/such.loom"), std::string::npos) << missing.err;
}

TEST(Figure, BadInputIsAnsweredAndNothingIsWritten) {
  const auto refused = [](const std::string& options, const std::string& ending, const std::string& why) {
    const tests::TemporaryFolder folder;
    const fs::path path = folder.path() / ("figure" + ending);
    const Outcome outcome = run_program(words("figure --backend cpu " + options + " -o " + path.string()));
    EXPECT_EQ(outcome.status, 2) << options;
    EXPECT_NE(outcome.err.find(why), std::string::npos) << outcome.err;
    EXPECT_EQ(outcome.err_lines().size(), 1u);
    EXPECT_FALSE(fs::exists(path));
  };
  refused("--show cellz", ".svg", "allowed: cells, threads, memory, steps, fragments, timeline, lens");
  refused("--show cells", ".csv", "allowed: .svg, .pdf, .png");
  refused("--show cells", ".gif", "allowed: .svg, .pdf, .png");
  refused("--show cells --level 10", ".svg", "1024 x 1024 units are too many to draw; allowed: at most 262");
  refused("--show cells --level 4 --map lambda --thread 15,0", ".svg", "a hole; allowed: a cell");
  refused("--show cells --level 4 --thread 16,0", ".svg", "X from 0 to 15");
  refused("--show cells --level 4 --colour-by colour", ".svg",
          "allowed: state, block, thread, warp, tile, address, replica");
  refused("--show cells --level 4 --colour-by replica", ".svg", "replica:1 to replica:4");
  refused("--show steps --level 4 --map compact --neighbour up", ".svg", "allowed: upper left, top");
  refused("--show cells --level 4 --text-size 1", ".svg", "--text-size");
}

}  // namespace
}  // namespace loom::test
