#include <gtest/gtest.h>

#include <utility>

#include "app/gui/layout.h"
#include "app/shell/application.h"
#include "app/shell/shell_settings.h"
#include "app/text/format.h"
#include "app/widgets/inputs.h"
#include "app/widgets/text.h"

namespace loom::app {
namespace {

TEST(Format, Counts) {
  EXPECT_EQ(format_count(0), "0");
  EXPECT_EQ(format_count(1024), "1024");
  EXPECT_EQ(format_count(19683), "19\u00a0683");
  EXPECT_EQ(format_count(123456), "123\u00a0456");
  EXPECT_EQ(format_count(1234567), "1\u00a0234\u00a0567");
  EXPECT_EQ(plural(1, "block"), "1 block");
  EXPECT_EQ(plural(2, "block"), "2 blocks");
}

TEST(Format, BytesTimesRatios) {
  EXPECT_EQ(format_bytes(512), "512 B");
  EXPECT_EQ(format_bytes(1024), "1.00 KiB");
  EXPECT_EQ(format_bytes(364 * 1024 + 512), "365 KiB");
  EXPECT_EQ(format_bytes(121 * 1024 + 512), "122 KiB");
  EXPECT_EQ(format_bytes(std::uint64_t{8} << 30), "8.00 GiB");
  EXPECT_EQ(format_time(0), "0.000 ms");
  EXPECT_EQ(format_time(3e-8), "< 0.001 µs");
  EXPECT_EQ(format_time(0.00036), "0.360 µs");
  EXPECT_EQ(format_time(0.0421), "42.1 µs");
  EXPECT_EQ(format_time(0.1), "0.100 ms");
  EXPECT_EQ(format_time(1.372), "1.37 ms");
  EXPECT_EQ(format_time(9.999), "10.0 ms");
  EXPECT_EQ(format_time(23.46), "23.5 ms");
  EXPECT_EQ(format_time(12460), "12.5 s");
  EXPECT_EQ(format_time(512.3), "512 ms");
  EXPECT_EQ(format_ratio(3.157), "3.16×");
  EXPECT_EQ(format_percent(0.07508), "7.51 %");
  EXPECT_EQ(format_percent(2.84e-14), "2.8e-12 %") << "a small percentage is not zero";
  EXPECT_EQ(format_percent(0), "0.000 %");
  EXPECT_EQ(format_speedup(0.12, 0.03), "4.00×");
  for (const auto& [base, own] : {std::pair(0.004, 0.033), std::pair(0.3, 0.019), std::pair(0.0, 0.0)})
    EXPECT_EQ(format_speedup(base, own), "too\u00a0small to\u00a0compare") << base;
}

// The width of a text is its number of bytes: the texts are ASCII except where the test counts bytes.
std::string lines_of(std::string_view text, float width) {
  return break_into_lines(text, width, [](std::string_view part) { return static_cast<float>(part.size()); });
}

TEST(Wrapping, BreaksBetweenWordsAlone) {
  EXPECT_EQ(lines_of("one two three", 100), "one two three");
  EXPECT_EQ(lines_of("one two three", 8), "one two\nthree");
  EXPECT_EQ(lines_of("one\ntwo three", 8), "one\ntwo\nthree");
  EXPECT_EQ(lines_of("", 8), "");
  EXPECT_EQ(lines_of("a  b ", 8), "a  b ");
}

TEST(Wrapping, KeepsNumbersWhole) {
  for (float width = 9; width < 60; ++width) {
    const std::string lines =
        lines_of("takes 12.5 ms of 1.37 MiB, 7.51 % of 512 x 512 with k = 3: -0.743 + 0.1312 i.", width);
    for (const char* whole : {"12.5 ms", "1.37 MiB,", "7.51 %", "k = 3:"}) {
      EXPECT_NE(lines.find(whole), std::string::npos) << width << ": " << lines;
    }
    if (width >= 18) {
      EXPECT_NE(lines.find("-0.743 + 0.1312 i."), std::string::npos) << width << ": " << lines;
    }
    if (width >= 9) {
      EXPECT_NE(lines.find("512 x 512"), std::string::npos) << width << ": " << lines;
    }
  }
  EXPECT_EQ(lines_of("sum 1\u00a0234\u00a0567", 12), "sum\n1\u00a0234\u00a0567");
}

TEST(Wrapping, CutsAWordThatIsWiderThanTheLine) {
  EXPECT_EQ(lines_of("see /a/long/path here", 6), "see\n/a/lon\ng/path\nhere");
  EXPECT_EQ(lines_of("λλλ", 3), "λ\nλ\nλ") << "no break within a character";
}

TEST(NumberField, TakesWholeNumbersAlone) {
  EXPECT_EQ(parse_whole_number("0"), 0u);
  EXPECT_EQ(parse_whole_number("18446744073709551615"), ~std::uint64_t{0});
  for (const char* text :
       {"", "-5", "+5", "1e3", "1.5", " 7", "7 ", "0x10", "18446744073709551616", "seed"}) {
    EXPECT_FALSE(parse_whole_number(text)) << text;
  }
}

TEST(NumberField, KeepsTheValueAndSaysWhatIsAllowed) {
  NumberFieldState state;
  std::uint64_t seed = 42;
  for (const char* text : {"-5", "1e3"}) {
    type_number(state, text, seed);
    EXPECT_EQ(seed, 42u) << text;
    EXPECT_EQ(state.text, text) << "the invalid text stays for correction";
    EXPECT_NE(state.problem.find(text), std::string::npos) << state.problem;
    EXPECT_NE(state.problem.find("whole number from 0 to 18446744073709551615"), std::string::npos);
    EXPECT_NE(state.problem.find("42"), std::string::npos) << "the message names the value in use";
  }
  type_number(state, "7", seed);
  EXPECT_EQ(seed, 7u);
  EXPECT_EQ(state.problem, "");
}

TEST(StatusLine, SaysWhatComputesInAFewWords) {
  CudaStatus cuda;
  const BackendSelection cpu{{}, "auto: no CUDA device (...)"};
  EXPECT_EQ(words_of(cpu, cuda), "CPU: built without CUDA");
  cuda.runtime_version = 13000;
  // CUDA's error if no driver is installed.
  cuda.reason = "cudaErrorInsufficientDriver: CUDA driver version is insufficient for CUDA runtime version";
  EXPECT_EQ(words_of(cpu, cuda), "CPU: no NVIDIA GPU");
  cuda.driver_version = 11000;
  EXPECT_EQ(words_of(cpu, cuda), "CPU: NVIDIA driver too old");
  cuda.reason = "cudaErrorNoDevice: no CUDA-capable device is detected";
  EXPECT_EQ(words_of(cpu, cuda), "CPU: no NVIDIA GPU");
  cuda.reason = "device 0 (Old GPU): no kernel image for it";
  EXPECT_EQ(words_of(cpu, cuda), "CPU: NVIDIA GPU not usable");
  EXPECT_EQ(words_of({{}, "selected"}, cuda), "CPU: selected");
  EXPECT_EQ(words_of({cuda_device(1, "NVIDIA H200"), "selected"}, cuda), "CUDA: NVIDIA H200");
}

/// Whether two areas share any point.
bool areas_overlap(const Area& a, const Area& b) {
  return a.corner.x < b.end().x && b.corner.x < a.end().x && a.corner.y < b.end().y && b.corner.y < a.end().y;
}

TEST(Layout, CoversTheWindowAtAnySizeAndNothingTwice) {
  for (const float font : {10.0f, 16.0f, 24.0f, 48.0f}) {
    for (float width = 1; width < 2600; width = width * 1.7f + 1) {
      for (float height = 1; height < 1500; height = height * 1.7f + 1) {
        for (const LayoutOptions& options :
             {LayoutOptions{}, LayoutOptions{.dock = true}, LayoutOptions{.dock = true, .tabs = true},
              LayoutOptions{.tabs = true, .dock_tab = true}, LayoutOptions{.strip = true},
              LayoutOptions{.toolbar_rows = 2}, LayoutOptions{.side_panel = false, .dock = true},
              LayoutOptions{.dock = true, .strip = true}}) {
          const Layout layout = arrange({width, height}, font, options);
          const auto size = [](const Area& area) { return double{area.size.x} * double{area.size.y}; };
          // In a narrow window the controls are readable, and some picture is beside them.
          EXPECT_GE(layout.picture.size.x, std::min(0.39f * width, 4 * font - 1));
          EXPECT_GE(layout.controls.size.y, 0);
          const Area areas[] = {layout.menu, layout.toolbar, layout.tabs,  layout.controls,
                                layout.dock, layout.status,  layout.strip, layout.picture};
          double sum = 0;
          for (const Area& area : areas) sum += size(area);
          EXPECT_NEAR(sum, double{width} * double{height}, 1e-5 * sum);
          for (std::size_t i = 0; i < std::size(areas); ++i) {
            for (std::size_t k = 0; k < i; ++k) EXPECT_FALSE(areas_overlap(areas[i], areas[k]));
          }
          const float below_toolbar = layout.status.corner.y - layout.toolbar.end().y;
          EXPECT_GE(layout.picture.size.y,
                    std::min(0.58f * below_toolbar, std::max(3 * font, below_toolbar - 8 * font)) - 2)
              << "the strip leaves most of the height of a window that is not low";
          if (layout.dock_is_column) {
            EXPECT_GE(layout.picture.size.x, kPictureShare * width);
          }
        }
      }
    }
  }
}

TEST(Layout, ThePictureKeepsMostOfTheWidth) {
  for (const float font : {kDefaultUiPixels, kLectureUiPixels}) {
    EXPECT_GE(arrange({1280, 720}, font, {.dock = true}).picture.size.x, 0.6f * 1280);
  }
  const Layout wide = arrange({1920, 1080}, kDefaultUiPixels, {.dock = true, .tabs = true, .dock_tab = true});
  EXPECT_TRUE(wide.dock_is_column && wide.tabs.empty() && !wide.controls.empty());
}

TEST(Layout, WithoutRoomForTheDockTheColumnHasTabs) {
  const Layout controls = arrange({1280, 720}, kDefaultUiPixels, {.dock = true, .tabs = true});
  EXPECT_TRUE(controls.dock.empty() && !controls.tabs.empty());
  const Layout dock = arrange({1280, 720}, kDefaultUiPixels, {.tabs = true, .dock_tab = true});
  EXPECT_TRUE(dock.controls.empty());
  EXPECT_EQ(dock.dock, controls.controls) << "the tab has the whole column";
  const Layout folded = arrange({1280, 720}, kDefaultUiPixels, {.side_panel = false, .tabs = true});
  EXPECT_TRUE(folded.tabs.empty());
}

TEST(Layout, TheControlsTakeAtMostHalfOfTheWidth) {
  EXPECT_TRUE(has_room_for_controls(1280, kDefaultUiPixels));
  EXPECT_TRUE(has_room_for_controls(800, kDefaultUiPixels));
  EXPECT_FALSE(has_room_for_controls(640, kDefaultUiPixels));
  EXPECT_FALSE(has_room_for_controls(1280, 2 * kDefaultUiPixels));
}

TEST(Format, SubscriptsOfLetters) {
  EXPECT_EQ(with_subscripts("ω_x = 4, Columns s_x"), "ω\uE078 = 4, Columns s\uE078");
  EXPECT_EQ(with_subscripts("λ_y(2, 5); s_z"), "λ\uE079(2, 5); s\uE07A");
  for (const char* name : {"weight_x", "bits_x", "ω_xy", "s_x_", "_x", "s_"})
    EXPECT_EQ(with_subscripts(name), name);
}

TEST(Layout, TheToolbarWrapsWhereItsGroupsDoNotFit) {
  ToolbarFlow wide(40);
  EXPECT_EQ(wide.place(10).y, 0);
  EXPECT_GT(wide.place(10).x, 10);
  EXPECT_FLOAT_EQ(wide.place(5, true).x + 5, 39.5f) << "the last group ends at the right edge";
  EXPECT_EQ(wide.rows(), 1);
  ToolbarFlow narrow(20);
  narrow.place(10);
  EXPECT_GT(narrow.place(10).y, 0);
  EXPECT_EQ(narrow.rows(), 2);
  EXPECT_EQ(ToolbarFlow(3).place(10).y, 0) << "the first group always has a place";
}

// 800 x 600 with text of twice the size.
TEST(Layout, ALowWindowHasAllPartsAndFewerRowsOfTheToolbar) {
  const glm::vec2 window{800, 600};
  constexpr float kFont = 32;
  const Layout low = arrange(window, kFont, {.side_panel = false, .toolbar_rows = 6});
  EXPECT_FALSE(low.menu.empty() || low.toolbar.empty() || low.status.empty());
  EXPECT_LT(low.toolbar.size.y, 6 * kToolbarRow * kFont) << "the rest is scrolled to";
  EXPECT_GE(low.picture.size.y, 6 * kFont);
  const Layout lesson = arrange(window, kFont, {.tabs = true, .toolbar_rows = 6, .strip = true});
  EXPECT_EQ(lesson.strip.size.x, window.x) << "the lesson is above the column, beside which it has no width";
  EXPECT_GE(lesson.strip.size.y, 7 * kFont) << "a question and its field";
  EXPECT_GE(lesson.controls.size.x, 20 * kFont) << "no control is cut off";
  EXPECT_GE(lesson.controls.corner.y, lesson.strip.end().y);
  EXPECT_GE(lesson.picture.size.y, 3 * kFont);
}

TEST(Layout, LectureModeLeavesThePictureMostOfTheWindow) {
  const Layout layout =
      arrange({1280, 720}, kLectureUiPixels, {.side_panel = false, .dock = true, .toolbar_rows = 2});
  EXPECT_GE(layout.picture.size.x * layout.picture.size.y, 0.6f * 1280 * 720);
  EXPECT_GE(layout.picture.size.y, 480);
}

TEST(Layout, WithoutPanelsThePictureIsAll) {
  EXPECT_EQ(arrange({300, 200}, 16, {.panels = false}).picture, (Area{{0, 0}, {300, 200}}));
  EXPECT_EQ(arrange({1, 1}, 16, {}).picture, (Area{{0, 0}, {1, 1}}));
}

}  // namespace
}  // namespace loom::app
