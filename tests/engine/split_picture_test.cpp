#include <algorithm>
#include <random>
#include <vector>

#include "allocations/allocations.h"
#include "split_parts.h"

namespace loom {
namespace {

using tests::expect_same;

class SplitPicture : public tests::SplitTest {};

std::vector<std::uint16_t> picture(FractalEngine& engine, const Viewport& viewport) {
  ImageView image;
  engine.resolve(viewport, MemorySpace::kHost, image);
  return tests::pixels_of(image);
}

TEST_P(SplitPicture, PicturesAreThoseOfOneDevice) {
  for (const NbbFractal& fractal : catalog()) {
    for (const std::size_t parts : {2, 3}) {
      const FractalConfig config = any_config_of(fractal, level_with(fractal, 300'000), parts, parts);
      const auto one = make(config);
      const auto width = static_cast<std::int64_t>(fractal.width(config.level));
      const auto split = in_parts(config, parts);
      for (FractalEngine* const engine : {one.get(), split.get()}) engine->reset({3, 0.5});
      for (const auto& [from, to] : {std::pair{std::int64_t{0}, width}, std::pair{-width / 8, width / 2},
                                     std::pair{width / 3, width / 3 + 40}}) {
        for (FractalEngine* const engine : {one.get(), split.get()}) engine->step(3, {});
        Viewport viewport;
        for (std::int64_t i = 0; i <= 64; ++i) viewport.x_edges.push_back(from + (to - from) * i / 64);
        for (std::int64_t i = 0; i <= 48; ++i) viewport.y_edges.push_back(from + (to - from) * i / 48);
        SCOPED_TRACE(fractal.name() + " from " + std::to_string(from) + " parts " + std::to_string(parts));
        EXPECT_EQ(picture(*split, viewport), picture(*one, viewport));
      }
    }
  }
}

// Two partitioned engines and one single-device engine run the same frames, interleaved, with every kind of
// frame request.
TEST_P(SplitPicture, FramesThatAreBegunAndEndedAreThoseOfOneDevice) {
  std::mt19937_64 random(5);
  for (const NbbFractal& fractal : catalog()) {
    const FractalConfig config =
        any_config_of(fractal, level_with(fractal, in_bits() ? 300'000 : 20'000), 3, random());
    const auto width = fractal.width(config.level);
    const auto height = fractal.height(config.level);
    std::vector<std::unique_ptr<FractalEngine>> engines;
    engines.push_back(make(config));
    engines.push_back(in_parts(config, 2));
    engines.push_back(in_parts(config, 3));
    for (const auto& engine : engines) engine->reset({3, 0.5});
    for (int frame = 0; frame < 12; ++frame) {
      SCOPED_TRACE(fractal.name() + " frame " + std::to_string(frame));
      std::vector<CellEdit> edits;
      if (frame % 3 == 1) {
        for (int i = 0; i < 50; ++i)
          edits.push_back({{random() % width, random() % height}, random() % 2 == 0});
      }
      Viewport viewport;
      const auto columns = static_cast<std::int64_t>(20 + random() % 60);
      const auto wide = static_cast<std::int64_t>(width) / (frame % 4 < 2 ? 1 : 40);
      for (std::int64_t i = 0; i <= columns; ++i) viewport.x_edges.push_back(i * wide / columns);
      for (std::int64_t i = 0; i <= 30; ++i) viewport.y_edges.push_back(i * wide / 30);
      FrameRequest request{.edits = edits, .generations = static_cast<std::uint32_t>(random() % 5)};
      if (frame % 5 == 3) request.work = {.workload = Workload::kSingleWrite};
      if (frame % 6 != 4) request.viewport = &viewport;
      if (frame % 2 == 0) request.probe = Coord64{random() % width, random() % height};
      std::shuffle(engines.begin() + 1, engines.end(), random);
      for (const auto& engine : engines) {
        engine->begin_frame(request);
        request.after = engine.get();
      }
      const FrameReport expected = engines.front()->end_frame();
      const std::vector<std::uint16_t> pixels = tests::pixels_of(expected.image);
      EXPECT_EQ(pixels.empty(), request.viewport == nullptr);
      for (auto engine = engines.begin() + 1; engine != engines.end(); ++engine) {
        const FrameReport done = (*engine)->end_frame();
        EXPECT_EQ(done.edited, expected.edited);
        EXPECT_EQ(done.step.generations, expected.step.generations);
        EXPECT_EQ(done.step.bytes_moved, expected.step.bytes_moved);
        EXPECT_GE(done.step.milliseconds, 0);
        EXPECT_EQ(done.probed, expected.probed);
        EXPECT_EQ(tests::pixels_of(done.image), pixels);
        EXPECT_EQ((*engine)->generation(), engines.front()->generation());
        expect_same((*engine)->census(), engines.front()->census());
      }
    }
    engines.back()->begin_frame({.generations = 40});  // destroyed without end_frame()
  }
}

TEST_P(SplitPicture, AFrameAllocatesNothingOnceItHasBeenAsLarge) {
  const FractalConfig config = config_of(catalog()[0], 11);
  Viewport viewport;
  for (std::int64_t i = 0; i <= 64; ++i) {
    viewport.x_edges.push_back(32 * i);
    viewport.y_edges.push_back(32 * i);
  }
  const auto engine = in_parts(config, 3);
  engine->reset({1, 0.5});
  const FrameRequest request{.generations = 3, .viewport = &viewport};
  const auto frame = [&] {
    engine->begin_frame(request);
    engine->end_frame();
  };
  frame();
  frame();
  const std::uint64_t before = tests::allocations();
  frame();
  frame();
  EXPECT_EQ(tests::allocations(), before);
}

INSTANTIATE_TEST_SUITE_P(Storages, SplitPicture, testing::ValuesIn(kCellStorages),
                         [](const auto& storage) { return std::string(name_of(storage.param)); });

}  // namespace
}  // namespace loom
