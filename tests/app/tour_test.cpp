#include <gtest/gtest.h>

#include <set>

#include "app/workspaces/mandelbrot/scene/complex_view.h"
#include "app/workspaces/mandelbrot/scene/mandelbrot_stats.h"
#include "compute/core/error.h"

namespace loom::app {
namespace {

std::string complaint(std::string_view text) {
  try {
    parse_tour(text, "a.toml");
  } catch (const InputError& error) {
    return error.what();
  }
  return "none";
}

TEST(Tour, TheBuiltInOneHasEightPlacesOrMore) {
  const auto& tour = built_in_tour();
  EXPECT_GE(tour.size(), 8u);
  std::set<std::string> names;
  for (const TourStop& stop : tour) {
    EXPECT_TRUE(names.insert(stop.name).second) << stop.name;
    EXPECT_TRUE(fits_precision(stop.view, {3840, 2160}, Precision::kDouble)) << stop.name;
    if (stop.precision == Precision::kFloat) {
      EXPECT_TRUE(fits_precision(stop.view, {1920, 1080}, Precision::kFloat)) << stop.name;
    }
  }
}

TEST(Tour, TheFirstStopIsTheWholeSetAtItsExactPlace) {
  const TourStop& first = built_in_tour().front();
  EXPECT_EQ(first.view, (ComplexView{{-0.6, 0}, 4.2}));
  EXPECT_FALSE(first.dwell_limit.has_value()) << "the limit stays automatic";
}

TEST(Tour, ReadsEveryKey) {
  const auto tour = parse_tour(
      "[[view]]\nname = \"A\"\nnote = \"B\"\nre = -1\nim = 0.5\nwidth = 0.25\nprecision = \"double\"\n"
      "dwell = 4000\n[[view]]\nname = \"C\"\nre = 0\nim = 0\nwidth = 4\n",
      "a.toml");
  ASSERT_EQ(tour.size(), 2u);
  EXPECT_EQ(tour[0].name, "A");
  EXPECT_EQ(tour[0].note, "B");
  EXPECT_EQ(tour[0].view, (ComplexView{{-1, 0.5}, 0.25}));
  EXPECT_EQ(tour[0].precision, Precision::kDouble);
  EXPECT_EQ(tour[0].dwell_limit, 4000u);
  EXPECT_EQ(tour[1].precision, Precision::kFloat);
  EXPECT_FALSE(tour[1].dwell_limit.has_value());
}

TEST(Tour, EveryMistakeIsAnsweredWithItsLine) {
  EXPECT_EQ(complaint(""), "a.toml:1: no [[view]] table; allowed: one or more");
  EXPECT_EQ(complaint("x = 1\n"), "a.toml:1: unknown key 'x' in a tour; allowed: view");
  EXPECT_EQ(complaint("[[view]]\nname = \"A\"\nzoom = 3\n"),
            "a.toml:3: unknown key 'zoom' in a view; allowed: name, note, re, im, width, precision, dwell");
  EXPECT_EQ(complaint("[[view]]\nname = \"A\"\nim = 0\nwidth = 1\n"),
            "a.toml:1: a view has no re; allowed: a number from -4 to 4");
  EXPECT_EQ(complaint("[[view]]\nname = \"A\"\nre = 5\nim = 0\nwidth = 1\n"),
            "a.toml:3: re is not allowed; allowed: a number from -4 to 4");
  EXPECT_EQ(complaint("[[view]]\nname = \"A\"\nre = nan\nim = 0\nwidth = 1\n"),
            "a.toml:3: re is not allowed; allowed: a number from -4 to 4");
  EXPECT_EQ(complaint("[[view]]\nname = \"A\"\nre = 0\nim = 0\nwidth = \"wide\"\n"),
            "a.toml:5: width is not allowed; allowed: a number from 1e-13 to 16");
  EXPECT_EQ(complaint("[[view]]\nname = \"A\"\nre = 0\nim = 0\nwidth = 1\nprecision = \"half\"\n"),
            "a.toml:6: unknown precision 'half'; allowed: float, double");
  EXPECT_EQ(complaint("[[view]]\nname = \"A\"\nre = 0\nim = 0\nwidth = 1\ndwell = 0\n"),
            "a.toml:6: dwell is not allowed; allowed: a whole number from 1 to 65535");
  EXPECT_EQ(complaint("[[view]]\nre = 0\nim = 0\nwidth = 1\n"),
            "a.toml:1: a view has no name; allowed: 1 to 64 characters");
  EXPECT_EQ(complaint("[[view]\n").substr(0, 17), "a.toml:1: not TOM");
}

}  // namespace
}  // namespace loom::app
