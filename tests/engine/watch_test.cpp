#include <algorithm>
#include <atomic>
#include <functional>
#include <thread>

#include "backend.h"
#include "compute/backend/engine_factory.h"
#include "compute/check/reference_life.h"

namespace loom {
namespace {

using tests::describe;

class Watched : public tests::EngineTest {};

FractalConfig of(MapKind map, int level, std::uint32_t tile_size) {
  return {find_fractal("sierpinski-gasket"), level, tile_size, {.map = map}};
}

constexpr MapKind kMaps[] = {MapKind::kBoundingBox, MapKind::kLambda, MapKind::kCompact};

/// Cancels a call from a separate thread as soon as the fraction `share` of it is done, or when destroyed.
class Canceller {
 public:
  Canceller(ProgressMonitor& watch, double share)
      : watch_(watch), thread_([this, share] { wait_and_cancel(share); }) {}
  ~Canceller() {
    over_ = true;
    thread_.join();
  }

 private:
  void wait_and_cancel(double share) {
    while (!over_ && watch_.share() < share) std::this_thread::yield();
    watch_.cancel();
  }
  ProgressMonitor& watch_;
  std::atomic<bool> over_ = false;
  std::thread thread_;
};

TEST(ProgressMonitor, CountsUnitsAndPartsAndKeepsAWish) {
  ProgressMonitor watch;
  {
    const ProgressScope call(&watch, 4);
    EXPECT_EQ(watch.share(), 0);
    call.advance(1);
    EXPECT_DOUBLE_EQ(watch.share(), 0.25);
    call.part(2, [&] {
      const ProgressScope inner(&watch, 10);
      inner.advance(5);
      EXPECT_DOUBLE_EQ(watch.share(), 0.5);
    });
    EXPECT_DOUBLE_EQ(watch.share(), 0.75);
    { const ProgressScope not_a_part(&watch, 1); }
    EXPECT_DOUBLE_EQ(watch.share(), 0.75);
    call.part(1, [] {});
    EXPECT_DOUBLE_EQ(watch.share(), 1);
  }
  watch.cancel();
  {
    const ProgressScope call(&watch, 3);
    EXPECT_EQ(watch.share(), 0) << "each call starts at 0";
    EXPECT_TRUE(call.cancelled());
    EXPECT_THROW(call.check(), OperationCancelled);
  }
  EXPECT_LT(watch.share(), 1) << "a cancelled call is not complete";
  watch.reset();
  EXPECT_FALSE(watch.cancelled());
  const ProgressScope unwatched(nullptr, 3);
  unwatched.advance(1);
  unwatched.check();
}

TEST_F(Watched, ACancelledRunEndsAtAWholeGeneration) {
  for (const MapKind map : kMaps) {
    const FractalConfig config = of(map, 9, 16);
    SCOPED_TRACE(describe(config));
    const auto engine = make(config);
    engine->reset({1, 0.5});
    ProgressMonitor watch;
    engine->set_monitor(&watch);
    StepReport report;
    constexpr std::uint32_t kAsked = 1000000;  // minutes
    {
      const Canceller cancel(watch, 1e-5);
      report = engine->step(kAsked, LifeRule{});
    }
    EXPECT_GT(report.generations, 0u);
    EXPECT_LT(report.generations, kAsked);
    EXPECT_EQ(report.bytes_moved, 2 * report.generations * engine->cell_count());
    EXPECT_EQ(engine->generation(), report.generations);
    EXPECT_THROW(engine->census(), OperationCancelled) << "the cancellation stays active until reset()";
    watch.reset();
    ASSERT_LT(report.generations, 20000u) << "the reference would take too long";
    ReferenceLife reference(config.fractal, config.level);
    reference.reset({1, 0.5});
    reference.step(static_cast<std::uint32_t>(report.generations), LifeRule{});
    EXPECT_EQ(engine->census().hash, reference.census().hash);
  }
}

TEST_F(Watched, WhatIsCancelledAtOnceLeavesTheCellsAsTheyWere) {
  for (const MapKind map : kMaps) {
    const auto engine = make(of(map, 8, 8));
    engine->reset({1, 0.5});
    engine->step(3, LifeRule{});
    const Census before = engine->census();
    ProgressMonitor watch;
    watch.cancel();
    engine->set_monitor(&watch);
    EXPECT_THROW(engine->reset({2, 0.5}), OperationCancelled);
    EXPECT_THROW(engine->clear(), OperationCancelled);
    for (const Workload workload : {Workload::kLife, Workload::kSingleWrite, Workload::kReduction}) {
      EXPECT_EQ(engine->run(4, {.workload = workload}).generations, 0u);
    }
    ImageView image;
    EXPECT_THROW(engine->resolve({{0, 256}, {0, 256}}, MemorySpace::kHost, image), OperationCancelled);
    std::vector<std::uint8_t> cells(engine->cell_count());
    EXPECT_THROW(engine->read_cells(0, cells), OperationCancelled);
    EXPECT_THROW(engine->write_cells(0, cells), OperationCancelled);
    const auto other = make(of(map, 8, 4));
    EXPECT_THROW(transfer_cells(*engine, *other), OperationCancelled);
    engine->set_monitor(nullptr);
    EXPECT_THROW(transfer_cells(*engine, *other, &watch), OperationCancelled);
    EXPECT_THROW(make_fractal_engine(of(map, 8, 8), backend_, &watch), OperationCancelled);
    EXPECT_EQ(engine->census().hash, before.hash);
    EXPECT_EQ(engine->generation(), 3u);
  }
}

/// Cancels each workload halfway and compares the cells with those of an engine that ran exactly the reported
/// number of generations.
TEST_F(Watched, EveryWorkloadCancelledInTheMiddleLeavesWholeGenerations) {
  for (const MapKind map : kMaps) {
    const FractalConfig config = of(map, 9, 8);
    SCOPED_TRACE(describe(config));
    const auto engine = make(config);
    const auto plain = make(config);
    engine->reset({1, 0.5});
    plain->reset({1, 0.5});
    ProgressMonitor watch;
    engine->set_monitor(&watch);
    for (const Workload workload : {Workload::kSingleWrite, Workload::kReduction, Workload::kLife}) {
      const Work work{.workload = workload};
      StepReport report;
      {
        const Canceller cancel(watch, 1e-6);
        report = engine->run(1000000, work);
      }
      watch.reset();
      ASSERT_LT(report.generations, 1000000u);
      const StepReport expected = plain->run(static_cast<std::uint32_t>(report.generations), work);
      EXPECT_EQ(report.sum, expected.sum);
      EXPECT_EQ(engine->census().hash, plain->census().hash);
      EXPECT_EQ(engine->generation(), plain->generation());
    }
  }
}

TEST_F(Watched, AStartThatIsCancelledInTheMiddleIsAllThereOrNotAtAll) {
  for (const MapKind map : kMaps) {
    const auto engine = make(of(map, 11, 16));
    engine->reset({1, 0.5});
    engine->step(1, LifeRule{});
    const Census before = engine->census();
    ProgressMonitor watch;
    const std::function<void()> calls[] = {[&] { engine->reset({2, 0.5}); }, [&] { engine->clear(); }};
    for (const auto& call : calls) {
      bool cancelled = false;
      {
        engine->set_monitor(&watch);
        const Canceller cancel(watch, 0.2);
        try {
          call();
        } catch (const OperationCancelled&) {
          cancelled = true;
        }
      }
      watch.reset();
      engine->set_monitor(nullptr);
      EXPECT_EQ(engine->generation(), cancelled ? 1u : 0u);
      if (!cancelled) break;  // on a GPU the call may end before the cancellation
      EXPECT_EQ(engine->census().hash, before.hash);
    }
  }
}

TEST_F(Watched, ProgressGrowsToTheEnd) {
  const auto engine = make(of(MapKind::kLambda, 10, 16));
  const auto other = make(of(MapKind::kCompact, 10, 8));
  ProgressMonitor watch;
  engine->set_monitor(&watch);
  other->set_monitor(&watch);
  std::vector<std::uint8_t> cells(engine->cell_count());
  ImageView image;
  Viewport view;
  for (std::int64_t i = 0; i <= 64; ++i) {
    view.x_edges.push_back(16 * i);
    view.y_edges.push_back(16 * i);
  }
  const std::function<void()> calls[] = {
      [&] {
        engine->reset({1, 0.5});
      },
      [&] { engine->step(20, LifeRule{}); },
      [&] { engine->resolve(view, MemorySpace::kHost, image); },
      [&] { engine->census(); },
      [&] { engine->read_cells(0, cells); },
      [&] { engine->write_cells(0, cells); },
      [&] { transfer_cells(*engine, *other, &watch); },
      [&] { engine->frame({.edits = {}, .generations = 20, .work = {}, .viewport = &view}); },
      [&] { engine->clear(); },
  };
  for (const auto& call : calls) {
    SCOPED_TRACE(&call - calls);
    watch.reset();
    std::atomic<bool> over = false;
    std::vector<double> seen;
    std::thread watcher([&] {
      while (!over) {
        if (const double share = watch.share(); seen.empty() || share != seen.back()) seen.push_back(share);
      }
    });
    call();
    over = true;
    watcher.join();
    EXPECT_TRUE(std::is_sorted(seen.begin(), seen.end()));
    EXPECT_DOUBLE_EQ(watch.share(), 1);
  }
}

TEST_F(Watched, WhatIsWatchedComesToTheSame) {
  for (const MapKind map : kMaps) {
    const FractalConfig config = of(map, 8, 8);
    const auto watched = make(config);
    const auto plain = make(config);
    ProgressMonitor watch;
    watched->set_monitor(&watch);
    for (FractalEngine* engine : {watched.get(), plain.get()}) {
      engine->reset({3, 0.4});
      engine->step(5, LifeRule{});
      engine->run(2, {.workload = Workload::kSingleWrite});
      engine->step(1, LifeRule{});
    }
    EXPECT_EQ(watched->census().hash, plain->census().hash);
  }
}

TEST_F(Watched, ACancelledMandelbrotComputationLeavesNoImageAndTheEngineUsable) {
  const auto engine = make_mandelbrot_engine(backend_);
  MandelbrotView view;
  for (const MandelbrotMethod method :
       {MandelbrotMethod::kExhaustive, MandelbrotMethod::kAsk, MandelbrotMethod::kDp}) {
    MandelbrotConfig config;
    config.method = method;
    ProgressMonitor watch;
    engine->set_monitor(&watch);
    engine->compute(config, view);
    EXPECT_DOUBLE_EQ(watch.share(), 1);
    EXPECT_GT(engine->image(MemorySpace::kHost).width, 0);
    EXPECT_EQ(engine->count_differences(1).count, engine->count_differences(1).count);
    watch.cancel();
    EXPECT_THROW(engine->count_differences(1), OperationCancelled);
    EXPECT_THROW(engine->compute(config, view), OperationCancelled);
    EXPECT_EQ(engine->image(MemorySpace::kHost).width, 0);
    engine->set_monitor(nullptr);
    EXPECT_EQ(engine->count_differences(1).count, 0u) << "there is nothing to compare";
    engine->compute(config, view);
    EXPECT_GT(engine->image(MemorySpace::kHost).width, 0);
  }
}

}  // namespace
}  // namespace loom
