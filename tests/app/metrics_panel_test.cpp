#include <gtest/gtest.h>

#include <array>
#include <filesystem>
#include <fstream>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>

#include "../temporary_folder.h"
#include "app/shell/frame_times.h"
#include "app/widgets/windows.h"
#include "app/workspaces/life/panels/life_panels.h"
#include "imgui_frame.h"

namespace loom::app {
namespace {

bool contains(const std::string& text, std::string_view words) {
  return text.find(words) != std::string::npos;
}

FrameSample sample_of(std::initializer_list<Stage> stages) {
  FrameSample sample;
  for (const Stage stage : stages) sample[stage] = 1;
  return sample;
}

/// Collects the text of the timing panel.
class MetricsPanelTest : public ImGuiTest {
 protected:
  std::string text(bool benchmarked = false, StageStats live = {}, bool compares_maps = false) {
    MapComparison comparison = times_of_maps_;
    comparison.benchmarked = benchmarked;
    ShellEdit shell;
    LifeEdit edit{default_life_settings(), {}, shell};
    const LifeStats facts{.config = config_,
                          .backend = backend_,
                          .devices = devices_,
                          .cuda = cuda_,
                          .backend_name = name_,
                          .space = space_,
                          .times = times_,
                          .generation = live,
                          .comparison = comparison,
                          .measuring = {},
                          .work = {},
                          .step = {},
                          .census = {},
                          .wrong = {},
                          .tiles_hidden_reason = {}};
    for (int frame = 0; frame < 3; ++frame) {  // ImGui tables lay out their columns in the first frames
      ImGui::NewFrame();
      ImGui::SetNextWindowPos({0, 0});
      ImGui::SetNextWindowSize({400, 3000});
      ImGui::Begin("dock");
      if (frame == 2) ImGui::LogToClipboard();
      metrics_panel(energy_, edit, facts, compares_maps);
      if (frame == 2) ImGui::LogFinish();
      ImGui::End();
      ImGui::EndFrame();
    }
    return ImGui::GetClipboardText();
  }

  const FractalConfig config_ = default_life_settings().config;
  const BackendSelection backend_{{}, "selected"};
  const std::vector<Device> devices_;
  const CudaStatus cuda_;
  const std::string name_ = "cpu: 2 threads";
  const TileGrid space_{config_};
  FrameTimes times_;
  EnergyPanelState energy_;
  MapComparison times_of_maps_;
};

TEST_F(MetricsPanelTest, EnergyIsOfferedAndWithoutASensorHasNoNumber) {
  EXPECT_NE(text().find("Measure energy"), std::string::npos);
  energy_.meter.emplace(std::vector{Device{}}, EnergyMeter::Sources{.rapl = "/nowhere"});
  const std::string shown = text();
  EXPECT_NE(shown.find("no sensor"), std::string::npos) << shown;
  EXPECT_EQ(shown.find("per joule"), std::string::npos) << shown;
}

TEST_F(MetricsPanelTest, EnergyIsPerGenerationAndCellsPerJoule) {
  const tests::TemporaryFolder folder;
  const auto zone = folder.path() / "intel-rapl:0";
  std::filesystem::create_directory(zone);
  std::ofstream(zone / "name") << "package-0\n";
  for (const char* const file : {"energy_uj", "max_energy_range_uj"}) std::ofstream(zone / file) << "1000\n";
  energy_.meter.emplace(std::vector{Device{}}, EnergyMeter::Sources{.rapl = folder.path()});
  ASSERT_EQ(energy_.meter->problem(), "");
  energy_.use = EnergyUse{.sensor = "RAPL, package-0",
                          .joules = 0.25,
                          .least = 0.2,
                          .most = 0.3,
                          .watts = 400,
                          .idle_watts = 100};
  const std::string shown = text();
  EXPECT_NE(shown.find("0.250 J"), std::string::npos) << shown;
  EXPECT_NE(shown.find("25.0 %"), std::string::npos) << shown;
}

TEST_F(MetricsPanelTest, TheLaunchComesFirstThenTheStepThenTheProgram) {
  times_.add(sample_of({Stage::kStep, Stage::kFrame}));
  const StageStats live{.mean = 0.00036, .median = 0.00036, .p95 = 0.00036, .samples = 5};
  const std::string all = text(false, live);
  std::size_t at = 0;
  for (const char* words :
       {"<<<dim3(", "Launched tiles", "Launched threads", "Active threads", "Thread utilization",
        "Memory, 2 generations", "Step time (live)", "0.360 µs", "Speedup", "Program timing"}) {
    const std::size_t found = all.find(words, at);
    ASSERT_NE(found, std::string::npos) << words << " after the others in: " << all;
    at = found;
  }
  for (const char* words : {"Downsample", "Present", "Upload"})
    EXPECT_FALSE(contains(all, words)) << "folded at first: " << all;
}

TEST_F(MetricsPanelTest, ProgramTimingNamesThePanes) {
  EXPECT_STREQ(label_of(Stage::kStep, times_), "Simulate");
  times_.add(sample_of({Stage::kStep, Stage::kPanesStep, Stage::kFrame}));
  EXPECT_STREQ(label_of(Stage::kStep, times_), "Active pane");
  EXPECT_STREQ(label_of(Stage::kPanesStep, times_), "Other panes");
}

TEST_F(MetricsPanelTest, AStepThatTheGpuBeganAheadIsNamedAlike) {
  times_.add(sample_of({Stage::kGpuStep, Stage::kGpuPanesStep, Stage::kFrame}));
  EXPECT_STREQ(label_of(Stage::kGpuStep, times_), "GPU active pane");
  EXPECT_STREQ(label_of(Stage::kGpuPanesStep, times_), "GPU other panes");
  EXPECT_STREQ(label_of(Stage::kGpuStep, {}), "GPU simulate");
}

TEST_F(MetricsPanelTest, TimesSayWhetherTheyAreLiveOrBenchmarked) {
  const StageStats live{.mean = 0.121, .median = 0.121, .p95 = 0.121, .samples = 5};
  EXPECT_TRUE(contains(text(false, live), "Live timing, with rendering between steps."));
  const std::string benchmarked = text(true, live);
  EXPECT_TRUE(contains(benchmarked, "Benchmarked back to back with rendering paused"));
}

TEST_F(MetricsPanelTest, ALiveTimeStepsBackForABenchmarkedOne) {
  const StageStats live{.mean = 0.121, .median = 0.121, .p95 = 0.121, .samples = 5};
  times_of_maps_.selected_ms = 0.456;
  const std::string before = text(false, live);
  EXPECT_TRUE(contains(before, "Step time (live)") && contains(before, "0.121 ms")) << before;
  const std::string after = text(true, live);
  EXPECT_FALSE(contains(after, "0.121")) << after;
  EXPECT_TRUE(contains(after, "0.456 ms")) << after;
  EXPECT_FALSE(contains(after, "(live)")) << after;
}

TEST_F(MetricsPanelTest, TimesThatAreTooSmallHaveNoSpeedup) {
  const auto set = [&](double box, double lambda) {
    times_of_maps_.maps[0] = MapTime{{.map = MapKind::kBoundingBox}, box};
    times_of_maps_.maps[1] = MapTime{{.map = MapKind::kLambda}, lambda};
  };
  set(0.12, 0.03);
  EXPECT_TRUE(contains(text(true), "4.00×"));
  set(0.004, 0.033);
  const std::string small = text(true);
  EXPECT_TRUE(contains(small, "too small")) << small;
  EXPECT_FALSE(contains(small, "0.121×")) << small;
}

TEST_F(MetricsPanelTest, AComparisonIsTheOnlySourceOfTimes) {
  const StageStats live{.mean = 0.121, .median = 0.121, .p95 = 0.121, .samples = 5};
  const std::string all = text(false, live, true);
  for (const char* words : {"Step time", "0.121", "Speedup", "vs loop"})
    EXPECT_FALSE(contains(all, words)) << all;
  EXPECT_TRUE(contains(all, "Launched threads")) << all;
}

Text verdict(std::initializer_list<std::optional<double>> times, bool is_live = false) {
  constexpr std::array<std::string_view, 3> kNames = {"bounding box", "λ", "compact"};
  ScoreValues values;
  for (const auto& one : times) values.add(one);
  return verdict_of(values, kNames, is_live);
}

TEST(VerdictTest, NamesTheFastestAndByHowMuch) {
  EXPECT_EQ(verdict({0.36, 0.06, 0.072}),
            "λ is fastest here: 6.00× faster than bounding box, 1.20× than compact");
  EXPECT_EQ(verdict({0.36, 0.06, 0.072}, true),
            "λ is fastest here: ≈ 6.0× faster than bounding box, ≈ 1.2× than compact");
  EXPECT_EQ(verdict({0.1, 0.2, 0.4}),
            "Bounding box is fastest here: 2.00× faster than λ, 4.00× than compact");
}

TEST(VerdictTest, NamesNoWinnerWithinTheNoise) {
  EXPECT_EQ(verdict({0.36, 0.06, 0.061}),
            "No clear winner: λ and compact differ by less than 3 %; 6.00× faster than bounding box");
  EXPECT_EQ(verdict({0.36, 0.06, 0.064}, true),
            "No clear winner: λ and compact differ by less than 10 %; ≈ 6.0× faster than bounding box");
  EXPECT_EQ(verdict({0.06, 0.0601, 0.0602}),
            "No clear winner: bounding box and λ and compact differ by less than 3 %");
  EXPECT_EQ(verdict({0.012, 0.006, 0.019}),
            "No clear winner: times below 20 µs are mostly the launch and noise");
}

TEST(VerdictTest, WaitsForAllTimes) {
  EXPECT_TRUE(verdict({0.36, std::nullopt, 0.072}).empty());
  EXPECT_TRUE(verdict({0.36}).empty());
}

}  // namespace
}  // namespace loom::app
