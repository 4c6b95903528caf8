#include <functional>
#include <memory>
#include <vector>

#include "compute/check/reference_life.h"
#include "compute/geometry/nbb_catalog.h"
#include "engine/backend.h"
#include "fault_walk.h"

namespace loom::tests {
namespace {

constexpr RandomStart kStart{3, 0.5};
constexpr std::uint32_t kGenerations = 3;

Viewport view_of(std::int64_t pixels, std::int64_t cells) {
  Viewport view{{}, {}};
  for (std::int64_t i = 0; i <= pixels; ++i) {
    view.x_edges.push_back(cells * i);
    view.y_edges.push_back(cells * i);
  }
  return view;
}

std::vector<std::uint8_t> cells_of(const FractalEngine& engine) {
  std::vector<std::uint8_t> cells(static_cast<std::size_t>(engine.cell_count()));
  engine.read_cells(0, cells);
  return cells;
}

/// An operation of an engine.
struct Act {
  const char* name;
  std::uint32_t generations;  ///< that the operation computes
  std::function<void(FractalEngine&)> act;
};

const std::vector<Act>& acts() {
  static const std::vector<Act> all = {
      {"reset", 0, [](FractalEngine& engine) { engine.reset(kStart); }},
      {"step", kGenerations, [](FractalEngine& engine) { engine.step(kGenerations, {}); }},
      {"resolve", 0,
       [](FractalEngine& engine) {
         ImageView image;
         engine.resolve(view_of(32, 1), MemorySpace::kHost, image);
         engine.resolve(view_of(200, 40), MemorySpace::kHost, image);
       }},
      {"frame", kGenerations,
       [](FractalEngine& engine) {
         const Viewport view = view_of(64, 20);
         const std::vector<CellEdit> edits = {
             {{1, 0}, true}};  // a hole of the gasket: the edit has no effect
         engine.frame(
             {.edits = edits, .generations = kGenerations, .viewport = &view, .probe = Coord64{0, 0}});
       }},
      {"sum", 0,
       [](FractalEngine& engine) {
         engine.run(2, {.workload = Workload::kReduction});
         engine.run(2, {.workload = Workload::kReduction, .reduction = ReductionMethod::kTensor});
       }},
      {"census", 0, [](FractalEngine& engine) { engine.census(); }},
      {"count", 0, [](FractalEngine& engine) { engine.count_threads(); }},
      {"record", 0,
       [](FractalEngine& engine) {
         if (engine.config().method.storage == CellStorage::kBytes)
           engine.record_timeline({.max_spans = 4096});
       }},
      {"copy", 0,
       [](FractalEngine& engine) {
         const std::vector<std::uint8_t> cells = cells_of(engine);
         engine.write_cells(0, cells);
       }},
  };
  return all;
}

class LifeFault : public DeviceFaultTest {
 protected:
  /// Byte and bit-packed storage, expanded and compact, every map arithmetic, and tile sizes that select
  /// other kernels.
  std::vector<FractalConfig> configs() const {
    const NbbFractal& gasket = find_fractal("sierpinski-gasket");
    std::vector<FractalConfig> all = {
        {gasket, 6, 8, {.map = MapKind::kBoundingBox}},
        {gasket, 6, 8, {.map = MapKind::kLambda, .arithmetic = MapArithmetic::kTable}},
        {gasket, 6, 4, {.map = MapKind::kCompact, .halo = false}},
        {gasket, 6, 16, {.map = MapKind::kCompact, .halo = true}},
    };
    for (const FractalConfig& config : all_methods(gasket, 6, MethodSet::kMaps)) {
      if (config.method.storage == CellStorage::kBits) all.push_back(config);
    }
    for (const FractalConfig& config : all_methods(gasket, 11, MethodSet::kMaps)) {
      if (config.method.storage == CellStorage::kBits && config.method.map == MapKind::kCompact)
        all.push_back(config);
    }
    return all;
  }
};

TEST_F(LifeFault, AnEngineIsMadeWholeOrNotAtAll) {
  for (const FractalConfig& config : configs()) {
    SCOPED_TRACE(describe(config));
    const std::int64_t held = buffers_held();
    const std::uint64_t failed =
        walk([] { return std::unique_ptr<FractalEngine>(); },
             [&](std::unique_ptr<FractalEngine>& engine) { engine = make_fractal_engine(config, backend_); },
             [&](std::unique_ptr<FractalEngine>& engine, Came came) {
               EXPECT_EQ(engine != nullptr, came == Came::kDone);
               if (!engine) {
                 EXPECT_EQ(buffers_held(), held) << "buffers leak";
               }
             });
    EXPECT_GT(failed, 2u) << "too few allocations failed";
    EXPECT_EQ(buffers_held(), held);
  }
}

// After any failure the cells are those of the reference at the generation that the engine reports, and the
// same call succeeds once it gets its memory.
TEST_F(LifeFault, WhateverFailsTheCellsAreWholeAndTheEngineWorksOn) {
  std::uint64_t failed = 0;
  for (const FractalConfig& config : configs()) {
    ReferenceLife reference(config.fractal, config.level);
    std::vector<std::vector<std::uint8_t>> expected;
    reference.reset(kStart);
    for (std::uint32_t i = 0; i <= 2 * kGenerations; ++i) {
      expected.push_back(reference.cells());
      reference.step(1, {});
    }
    for (const Act& act : acts()) {
      SCOPED_TRACE(describe(config) + ", " + act.name);
      const std::int64_t held = buffers_held();
      failed += walk(
          [&] {
            auto engine = make_fractal_engine(config, backend_);
            engine->reset(kStart);
            return engine;
          },
          [&](std::unique_ptr<FractalEngine>& engine) { act.act(*engine); },
          [&](std::unique_ptr<FractalEngine>& engine, Came came) {
            const std::uint64_t generation = engine->generation();
            EXPECT_TRUE(generation == act.generations || (came == Came::kShort && generation == 0))
                << generation;
            ASSERT_LE(generation, kGenerations);
            EXPECT_EQ(cells_of(*engine), expected[generation]);
            act.act(*engine);
            EXPECT_EQ(engine->generation(), generation + act.generations);
            EXPECT_EQ(cells_of(*engine), expected[generation + act.generations]);
          });
      EXPECT_EQ(buffers_held(), held) << "buffers leak";
      if (HasFatalFailure()) return;
    }
  }
  EXPECT_GT(failed, 50u) << "too few allocations failed";
}

// A failed picture leaves no trace in the next one.
TEST_F(LifeFault, APictureThatFailsLeavesNothingOfItselfInTheNext) {
  for (const FractalConfig& config : configs()) {
    SCOPED_TRACE(describe(config));
    // The second viewport has more pixels, but fewer edges.
    Viewport first{{}, {}};
    for (std::int64_t i = 0; i <= 300; ++i) first.x_edges.push_back(7 * i);
    for (std::int64_t i = 0; i <= 8; ++i) first.y_edges.push_back(200 * i);
    const Viewport second = view_of(100, 13);
    const auto pixels = [](FractalEngine& engine, const Viewport& view) {
      ImageView image;
      engine.resolve(view, MemorySpace::kHost, image);
      const auto* const begin = static_cast<const std::uint16_t*>(image.pixels);
      return std::vector<std::uint16_t>(begin, begin + std::size_t{1} * image.width * image.height);
    };
    const auto cpu = make_fractal_engine(config, select_backend(BackendChoice::kCpu));
    cpu->reset(kStart);
    const std::vector<std::uint16_t> expected = pixels(*cpu, first);
    walk(
        [&] {
          auto engine = make_fractal_engine(config, backend_);
          engine->reset(kStart);
          EXPECT_EQ(pixels(*engine, first), expected);
          return engine;
        },
        [&](std::unique_ptr<FractalEngine>& engine) { pixels(*engine, second); },
        [&](std::unique_ptr<FractalEngine>& engine, Came) { EXPECT_EQ(pixels(*engine, first), expected); });
  }
}

TEST_F(LifeFault, CellsThatCannotBeCarriedOverStayWhereTheyAre) {
  const std::vector<FractalConfig> all = configs();
  std::uint64_t failed = 0;
  for (const FractalConfig& config : all) {
    SCOPED_TRACE(describe(config));
    const FractalConfig& from = all.front();
    if (config.level != from.level) continue;
    ReferenceLife reference(from.fractal, from.level);
    reference.reset(kStart);
    reference.step(2, {});
    auto old = make_fractal_engine(from, backend_);
    old->reset(kStart);
    old->step(2, {});
    failed += walk([] { return std::unique_ptr<FractalEngine>(); },
                   [&](std::unique_ptr<FractalEngine>& engine) {
                     auto next = make_fractal_engine(config, backend_);
                     transfer_cells(*old, *next);
                     engine = std::move(next);
                   },
                   [&](std::unique_ptr<FractalEngine>& engine, Came came) {
                     EXPECT_EQ(cells_of(*old), reference.cells());
                     EXPECT_EQ(old->generation(), 2u);
                     if (came != Came::kDone) return;
                     EXPECT_EQ(cells_of(*engine), reference.cells());
                     EXPECT_EQ(engine->generation(), 2u);
                   });
  }
  EXPECT_GT(failed, 10u);
}

}  // namespace
}  // namespace loom::tests
