#include "allocations/allocations.h"
#include "backend.h"

namespace loom {
namespace {

class Allocation : public tests::EngineTest {};

TEST_F(Allocation, AStepAllocatesNothing) {
  for (const FractalConfig& config : all_methods(find_fractal("sierpinski-gasket"), 7, MethodSet::kAll)) {
    SCOPED_TRACE(tests::describe(config));
    const auto engine = make(config);
    engine->reset({1, 0.5});
    engine->step(1, LifeRule{});
    const std::uint64_t before = tests::allocations();
    const std::uint64_t free_before = backend_.device.kind == BackendKind::kCuda ? bytes_free(backend_) : 0;
    const std::uint64_t counted_by_asking = tests::allocations() - before;
    engine->step(5, LifeRule{});
    EXPECT_EQ(tests::allocations() - before - counted_by_asking, 0u);
    if (backend_.device.kind == BackendKind::kCuda) {
      EXPECT_EQ(bytes_free(backend_), free_before);
    }
  }
}

TEST_F(Allocation, ResolveAllocatesOnlyWhenTheImageGrows) {
  const auto engine = make({find_fractal("sierpinski-gasket"), 7, 8, {.map = MapKind::kCompact}});
  Viewport large{{}, {}};
  for (std::int64_t i = 0; i <= 64; ++i) {
    large.x_edges.push_back(2 * i);
    large.y_edges.push_back(2 * i);
  }
  const Viewport small{{0, 4, 8}, {0, 4, 8}};
  ImageView image;
  engine->resolve(large, MemorySpace::kHost, image);
  engine->resolve(small, MemorySpace::kHost, image);
  const std::uint64_t before = tests::allocations();
  engine->resolve(small, MemorySpace::kHost, image);
  engine->resolve(large, MemorySpace::kHost, image);
  EXPECT_EQ(tests::allocations(), before);
}

TEST_F(Allocation, AFrameAllocatesNothingOnceItHasBeenAsLarge) {
  Viewport view{{}, {}};
  for (std::int64_t i = 0; i <= 64; ++i) {
    view.x_edges.push_back(2 * i);
    view.y_edges.push_back(2 * i);
  }
  const std::vector<CellEdit> edits = {{{0, 0}, true}, {{5, 9}, true}, {{0, 0}, false}};
  for (const Workload workload : {Workload::kLife, Workload::kSingleWrite, Workload::kReduction}) {
    for (const FractalConfig& config : all_methods(find_fractal("sierpinski-gasket"), 7, MethodSet::kMaps)) {
      SCOPED_TRACE(tests::describe(config));
      const auto engine = make(config);
      ProgressMonitor watch;
      engine->set_monitor(&watch);
      engine->reset({1, 0.5});
      FrameRequest request;
      request.edits = edits;
      request.generations = 3;
      request.work.workload = workload;
      request.viewport = &view;
      request.probe = Coord64{0, 5};
      engine->frame(request);
      ++view.x_edges.back();  // a different view of the same size
      const std::uint64_t before = tests::allocations();
      engine->frame(request);
      EXPECT_EQ(tests::allocations(), before);
      --view.x_edges.back();
    }
  }
}

}  // namespace
}  // namespace loom
