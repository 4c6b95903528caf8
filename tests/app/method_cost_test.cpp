#include <gtest/gtest.h>

#include <chrono>

#include "app/workspaces/life/scene/life_settings.h"
#include "app/workspaces/life/scene/life_stats.h"
#include "compute/core/error.h"
#include "compute/geometry/nbb_catalog.h"

namespace loom::app {
namespace {

TEST(Fp16Warning, SpeaksOnlyWhereTheWeightsNoLongerFit) {
  FractalConfig config{.fractal = find_fractal("vicsek"),
                       .level = 8,
                       .tile_size = 1,
                       .method = {.map = MapKind::kLambda, .arithmetic = MapArithmetic::kTensorFp16}};
  EXPECT_NE(inexact_reason(config).find("λ"), std::string::npos) << inexact_reason(config);
  EXPECT_NE(inexact_reason(config).find("tile level 8"), std::string::npos) << inexact_reason(config);
  EXPECT_EQ(inexact_reason(config).find("ν"), std::string::npos) << "the lambda map does not compute ν";
  config.tile_size = 3;  // tile level 7
  EXPECT_EQ(inexact_reason(config), "");
  config.tile_size = 1;
  config.method.arithmetic = MapArithmetic::kTensor1;
  EXPECT_EQ(inexact_reason(config), "");
  config.method.map = MapKind::kBoundingBox;
  config.method.arithmetic = MapArithmetic::kTensorFp16;
  EXPECT_EQ(inexact_reason(config), "") << "the bounding box map computes neither λ nor ν";
  EXPECT_EQ(fp16_limits(config), "λ is wrong from tile level 8 on, ν from 11");
}

TEST(StepMeasurement, TimesEveryWorkloadAndLeavesNothingBehind) {
  LifeSettings settings = default_life_settings();
  set_level(settings.config, 5);
  for (const Workload workload : kWorkloads) {
    settings.workload = workload;
    const StepConditions conditions{.backend = select_backend(BackendChoice::kCpu),
                                    .start = {},
                                    .work = settings.work(),
                                    .generations = 3};
    ProgressMonitor watch;
    const auto times = measure_steps(methods_to_compare(settings.config), conditions, watch);
    ASSERT_EQ(times.size(), 4u);
    for (const MapTime& time : times) EXPECT_GT(time.milliseconds, 0);
    watch.cancel();
    EXPECT_THROW(measure_steps({settings.config}, conditions, watch), OperationCancelled);
  }
  // A step of 81 cells takes microseconds: most of the time is the warm-up.
  ProgressMonitor watch;
  set_level(settings.config, 4);
  const auto begin = std::chrono::steady_clock::now();
  measure_steps({settings.config}, {.backend = select_backend(BackendChoice::kCpu)}, watch);
  EXPECT_GE(std::chrono::steady_clock::now() - begin, std::chrono::milliseconds(50));
  settings.config.method.tiles = 5;
  EXPECT_THROW(measure_steps({settings.config}, {.backend = select_backend(BackendChoice::kCpu)}, watch),
               InputError);
}

}  // namespace
}  // namespace loom::app
