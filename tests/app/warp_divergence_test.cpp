#include <gtest/gtest.h>

#include <cmath>

#include "app/workspaces/mandelbrot/scene/mandelbrot_stats.h"
#include "compute/backend/engine_factory.h"

namespace loom::app {
namespace {

constexpr glm::ivec2 kSize{200, 120};

std::unique_ptr<MandelbrotEngine> computed(const MandelbrotConfig& config) {
  auto engine = make_mandelbrot_engine(select_backend(BackendChoice::kCpu, 0));
  MandelbrotView view;
  view.width = static_cast<std::uint32_t>(kSize.x);
  view.height = static_cast<std::uint32_t>(kSize.y);
  engine->compute(config, view, MandelbrotEngine::Regions::kList);
  return engine;
}

DivergenceCounts counted(const MandelbrotConfig& config) {
  const auto engine = computed(config);
  WarpDivergence waits;
  waits.request(*engine, config, kSize, engine->regions());
  waits.poll(true);
  EXPECT_TRUE(waits.counts());
  return waits.counts().value_or(DivergenceCounts{});
}

// Exhaustive method: each pixel has the idle share of its warp, here computed from the dwells.
TEST(WarpDivergence, APixelHasItsWarpsShare) {
  MandelbrotConfig config{.method = MandelbrotMethod::kExhaustive};
  config.block = {16, 16};
  config.dwell_limit = 64;
  const auto engine = computed(config);
  const DivergenceCounts counts = counted(config);
  EXPECT_EQ(counts.method, counts.exhaustive);
  std::vector<std::uint32_t> dwells(200 * 120);
  engine->read_dwells(0, dwells);
  make_iterations(config, engine->view(), dwells);
  for (const auto& [x, y] : {std::pair{3, 5}, {100, 60}, {149, 3}, {70, 30}, {20, 70}, {190, 119}}) {
    const int left = x / 16 * 16;
    const int top = y / 2 * 2;  // a warp covers two rows of a block that is 16 wide
    std::uint64_t sum = 0;
    std::uint64_t most = 0;
    for (int dy = 0; dy < 2; ++dy) {
      for (int dx = 0; dx < 16 && left + dx < 200; ++dx) {
        const std::uint64_t dwell = dwells[static_cast<std::size_t>((top + dy) * 200 + left + dx)];
        sum += dwell;
        most = std::max(most, dwell);
      }
    }
    if (most == 0) {  // a warp of known interior points computes nothing
      EXPECT_EQ(counts.share[static_cast<std::size_t>(y * 200 + x)], 255) << x << ", " << y;
      continue;
    }
    const double share = 1 - static_cast<double>(sum) / (32.0 * static_cast<double>(most));
    EXPECT_EQ(counts.share[static_cast<std::size_t>(y * 200 + x)], std::lround(share * 254))
        << x << ", " << y;
  }
}

// Filled regions have the value of their border, leaf pixels that of their leaf; no pixel is left out.
TEST(WarpDivergence, RegionsCoverThePicture) {
  MandelbrotConfig config{.method = MandelbrotMethod::kAsk, .g = 4, .r = 2, .b = 16};
  config.dwell_limit = 64;
  config.optimisations.interior = false;  // a region of known interior points has no value
  const DivergenceCounts counts = counted(config);
  EXPECT_GT(counts.method.iterations, 0u);
  EXPECT_LT(counts.method.iterations, counts.exhaustive.iterations);
  std::size_t nothing = 0;
  for (const std::uint8_t share : counts.share) nothing += share == 255;
  EXPECT_EQ(nothing, 0u);
}

// A count in progress for one picture is not used for another.
TEST(WarpDivergence, ForgetsWhatIsOfAnotherPicture) {
  const MandelbrotConfig config{.method = MandelbrotMethod::kExhaustive};
  const auto engine = computed(config);
  WarpDivergence waits;
  waits.request(*engine, config, kSize, engine->regions());
  waits.forget();
  waits.poll(true);
  EXPECT_FALSE(waits.counts());
  waits.request(*engine, config, kSize, engine->regions());
  waits.poll(true);
  EXPECT_TRUE(waits.counts());
}

}  // namespace
}  // namespace loom::app
