#include "backend.h"
#include "compute/check/reference_life.h"

namespace loom {
namespace {

using tests::describe;

class Workloads : public tests::EngineTest {};

TEST_F(Workloads, EveryMethodEqualsTheReference) {
  for (const NbbFractal& fractal : catalog()) {
    const int most = fractal.shape().s_x * fractal.shape().s_y > 6 ? 3 : 4;
    for (int level = 0; level <= most; ++level) {
      ReferenceLife reference(fractal, level);
      reference.reset({9, 0.4});
      const std::vector<std::uint8_t> start = reference.cells();
      const std::uint64_t sum = reference.reduction_sum();
      reference.single_write(2);
      const std::vector<std::uint8_t> written = reference.cells();
      for (const FractalConfig& config : all_methods(fractal, level, MethodSet::kAllTiles)) {
        SCOPED_TRACE(describe(config) + " tiles " + std::to_string(config.method.tiles));
        const auto engine = make(config);
        engine->reset({9, 0.4});
        for (const ReductionMethod reduction : kReductionMethods) {
          const StepReport report =
              engine->run(2, {.workload = Workload::kReduction, .reduction = reduction});
          ASSERT_EQ(report.sum, sum) << name_of(reduction);
        }
        EXPECT_EQ(engine->generation(), 0u) << "a reduction must not advance the generation";
        std::vector<std::uint8_t> cells(engine->cell_count());
        engine->read_cells(0, cells);
        ASSERT_EQ(cells, start) << "a reduction must not change cells";
        engine->run(3, {.workload = Workload::kSingleWrite});  // of generations 0, 1 and 2
        EXPECT_EQ(engine->generation(), 3u);
        engine->read_cells(0, cells);
        ASSERT_EQ(cells, written);
      }
    }
  }
}

TEST_F(Workloads, PlainFp16WeightsAreRightBelowTheirLevelAndHarmNothingAbove) {
  const NbbFractal& vicsek = find_fractal("vicsek");  // lambda is wrong from tile level 8
  for (const MapKind map : {MapKind::kLambda, MapKind::kCompact}) {
    for (const int level : {7, 8}) {
      const FractalConfig exact{.fractal = vicsek, .level = level, .tile_size = 1, .method = {.map = map}};
      FractalConfig plain = exact;
      plain.method.arithmetic = MapArithmetic::kTensorFp16;
      const auto a = make(exact);
      const auto b = make(plain);
      for (const auto& engine : {a.get(), b.get()}) {
        engine->reset({4, 0.5});
        engine->step(2, LifeRule{});
      }
      EXPECT_EQ(a->census().hash == b->census().hash, level == 7) << name_of(map) << " " << level;
    }
  }
}

}  // namespace
}  // namespace loom
