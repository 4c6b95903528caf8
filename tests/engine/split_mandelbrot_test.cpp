#include <algorithm>
#include <cmath>
#include <random>
#include <tuple>
#include <vector>

#include "backend.h"
#include "compute/backend/engine_factory.h"
#include "compute/check/dwell_checks.h"
#include "compute/mandelbrot/decimal_view.h"
#include "compute/mandelbrot/mandelbrot_memory.h"

namespace loom {
namespace {

using Regions = MandelbrotEngine::Regions;

/// Several partitions on one device stand in for several devices.
class SplitMandelbrot : public tests::EngineTest {
 protected:
  std::unique_ptr<MandelbrotEngine> one() const { return make_mandelbrot_engine(backend_); }
  std::unique_ptr<MandelbrotEngine> in_parts(std::size_t count) const {
    return make_mandelbrot_engine(std::vector<Device>(count, backend_.device));
  }
};

std::vector<std::uint32_t> dwells_of(const MandelbrotEngine& engine) {
  std::vector<std::uint32_t> dwells(engine.view().pixels());
  engine.read_dwells(0, dwells);
  return dwells;
}

auto fields(const MandelbrotLevel& level) {
  return std::tie(level.width, level.height, level.regions, level.filled, level.leaves, level.splits,
                  level.children, level.filled_pixels, level.border_pixels, level.leaf_pixels);
}
auto fields(const MandelbrotRegion& region) {
  return std::tie(region.level, region.y, region.x, region.width, region.height, region.kind);
}

/// Computes on both engines and compares everything that can be read from them.
void expect_same(MandelbrotEngine& split, MandelbrotEngine& one, const MandelbrotConfig& config,
                 const MandelbrotView& view) {
  SCOPED_TRACE(std::string(name_of(config.method)) + " " + std::string(name_of(config.scheme)) + " g " +
               std::to_string(config.g) + " ideas " + to_string(config.optimisations) + " " +
               std::to_string(view.width) + " x " + std::to_string(view.height));
  const MandelbrotReport report = split.compute(config, view, Regions::kList);
  const MandelbrotReport expected = one.compute(config, view, Regions::kList);
  ASSERT_EQ(dwells_of(split), dwells_of(one));
  EXPECT_EQ(split.rows().size(), 1u);
  EXPECT_EQ(report.pixels, view.pixels());
  EXPECT_EQ(report.mirrored_pixels, expected.mirrored_pixels);
  EXPECT_EQ(report.axis_pixels, expected.axis_pixels);
  ASSERT_EQ(report.levels.size(), expected.levels.size());
  for (std::size_t i = 0; i < report.levels.size(); ++i) {
    EXPECT_EQ(fields(report.levels[i]), fields(expected.levels[i])) << "level " << i;
    EXPECT_EQ(report.levels[i].milliseconds.has_value(), expected.levels[i].milliseconds.has_value());
  }
  const auto regions = split.regions();
  ASSERT_EQ(regions.size(), one.regions().size());
  for (std::size_t i = 0; i < regions.size(); ++i)
    ASSERT_EQ(fields(regions[i]), fields(one.regions()[i])) << i;
  std::vector<std::uint64_t> counts(config.dwell_limit + 1);
  std::vector<std::uint64_t> expected_counts(counts.size());
  split.count_dwells(counts);
  one.count_dwells(expected_counts);
  EXPECT_EQ(counts, expected_counts);
}

TEST_F(SplitMandelbrot, DeepViewsOfSeveralLevelsAreThoseOfOneDevice) {
  const MandelbrotView view = make_decimal_view({"0", "1", "1e-200"}, 150, 97);
  const auto whole = one();
  for (const std::uint32_t g :
       {1u, 5u}) {  // with one region of the first level the other partitions have none
    MandelbrotConfig config{.g = g, .b = 4, .dwell_limit = 4000, .precision = Precision::kAuto};
    set_method(config, MandelbrotMethod::kAsk);
    for (const std::size_t count : {2, 3}) expect_same(*in_parts(count), *whole, config, view);
  }
}

const MandelbrotView kSquare{{-1.5, 0.5, -1, 1}, 256, 256};

TEST_F(SplitMandelbrot, DwellsAndCountsAreThoseOfOneDevice) {
  const std::vector<MandelbrotView> views = {kSquare,
                                             {{-1.5, 0.5, -1, 1}, 233, 151},
                                             {{-0.7565, -0.7365, 0.09, 0.11}, 320, 90},
                                             {{-1.5, 0.5, -1, 1}, 7, 5},
                                             {{-1.5, 0.5, -1, 1}, 500, 1},
                                             {{-1.5, 0.5, -1, 1}, 1, 500},
                                             {{10, 11, 10, 11}, 64, 64},
                                             {{-1.5, 0.5, -1, 1}, 128, 90, nullptr, 37},
                                             {{-0.15, -0.05, -0.05, 0.05}, 64, 64}};
  const auto plain = one();
  for (const std::size_t parts : {1, 2, 3, 5}) {
    const auto split = in_parts(parts);
    SCOPED_TRACE(std::to_string(parts) + " parts");
    for (const MandelbrotView& view : views) {
      for (const MandelbrotMethod method : kMandelbrotMethods) {
        for (const MandelbrotOptimisations& optimisations : {MandelbrotOptimisations{}, kNoOptimisations}) {
          expect_same(*split, *plain,
                      {.method = method, .g = 8, .b = 8, .dwell_limit = 300, .optimisations = optimisations},
                      view);
        }
      }
    }
  }
}

TEST_F(SplitMandelbrot, AnyConfigurationAfterAnyOther) {
  const auto plain = one();
  for (const std::size_t parts : {2, 3, 5}) {
    const auto split = in_parts(parts);
    std::mt19937_64 random(parts);
    for (int turn = 0; turn < 30; ++turn) {
      MandelbrotConfig config{.method = kMandelbrotMethods[random() % 3],
                              .scheme = kRegionSchemes[random() % 2],
                              .g = static_cast<std::uint32_t>(1 + random() % 40),
                              .r = static_cast<std::uint32_t>(2 + random() % 3),
                              .b = static_cast<std::uint32_t>(1 + random() % 20),
                              .dwell_limit = static_cast<std::uint32_t>(1 + random() % 2000),
                              .precision = kDirectPrecisions[random() % 2],
                              .fill = kFillRules[random() % 2]};
      for (const NamedOptimisation& idea : kMandelbrotOptimisations)
        config.optimisations.*idea.flag = random() % 3 != 0;
      const double re = -2 + static_cast<double>(random() % 2500) / 1000;
      const double im = random() % 2 == 0 ? 0 : static_cast<double>(random() % 1000) / 1000;
      const double half = std::pow(0.5, static_cast<double>(random() % 12));
      const auto side = [&] { return static_cast<std::uint32_t>(1 + random() % 200); };
      const std::uint32_t height = side();
      expect_same(*split, *plain, config,
                  {{re - half, re + half, im - half, im + half}, side(), height + height % 2});
    }
  }
}

// The second computation distributes rows by the costs of the first one. The dwells must not change.
TEST_F(SplitMandelbrot, ComputedAgainItIsDealtByCost) {
  const auto plain = one();
  const MandelbrotView view{{-0.7565, -0.7365, 0.09, 0.11}, 320, 180};
  for (const std::size_t parts : {2, 3}) {
    const auto split = in_parts(parts);
    for (const MandelbrotOptimisations& optimisations : {MandelbrotOptimisations{}, kNoOptimisations}) {
      const MandelbrotConfig config{.g = 16, .b = 8, .dwell_limit = 2000, .optimisations = optimisations};
      for (int turn = 0; turn < 3; ++turn) {
        expect_same(*split, *plain, config, view);
        ASSERT_EQ(split->partition_times().size(), parts);
        std::uint64_t pixels = 0;
        for (const MandelbrotPartitionTime& part : split->partition_times()) {
          EXPECT_GT(part.milliseconds, 0);
          EXPECT_LE(0, part.begin);
          EXPECT_LE(part.begin + part.milliseconds, part.end * 1.01 + 0.1);
          pixels += part.pixels;
        }
        EXPECT_EQ(pixels, view.pixels());
      }
    }
  }
  EXPECT_TRUE(plain->partition_times().empty());
}

TEST_F(SplitMandelbrot, RowsImagesAndSmoothDwellsAreThoseOfOneDevice) {
  for (const bool narrow : {true, false}) {
    MandelbrotConfig config{.g = 8, .b = 8, .dwell_limit = 200};
    config.optimisations.narrow = narrow;
    const MandelbrotView view{{-1.5, 0.5, -1, 1}, 150, 131};
    const auto plain = one();
    plain->compute(config, view);
    plain->compute_smooth();
    for (const std::size_t parts : {2, 3}) {
      const auto split = in_parts(parts);
      EXPECT_TRUE(split->rows().empty());
      EXPECT_EQ(split->image(MemorySpace::kHost).width, 0);
      EXPECT_EQ(split->smooth_image(MemorySpace::kHost).width, 0);
      split->compute(config, view);
      std::vector<std::uint32_t> rows(view.width * 40);
      std::vector<std::uint32_t> expected_rows(rows.size());
      split->read_dwells(17, rows);
      plain->read_dwells(17, expected_rows);
      EXPECT_EQ(rows, expected_rows);
      const auto pixels = [&](const ImageView& image) {
        EXPECT_FALSE(image.stream);
        const auto* const begin = static_cast<const std::uint16_t*>(image.pixels);
        return std::vector<std::uint16_t>(begin, begin + view.pixels());
      };
      EXPECT_EQ(pixels(split->image(MemorySpace::kHost)), pixels(plain->image(MemorySpace::kHost)));
      const SmoothReport smooth = split->compute_smooth();
      std::vector<std::uint64_t> counts(config.dwell_limit + 1);
      plain->count_dwells(counts);
      EXPECT_EQ(smooth.exterior, view.pixels() - counts.back());
      const auto values = [&](const ImageView& image) {
        const auto* const begin = static_cast<const std::uint32_t*>(image.pixels);
        return std::vector<std::uint32_t>(begin, begin + view.pixels());
      };
      EXPECT_EQ(values(split->smooth_image(MemorySpace::kHost)),
                values(plain->smooth_image(MemorySpace::kHost)));
    }
  }
}

TEST_F(SplitMandelbrot, DifferencesAreThoseOfOneDevice) {
  const MandelbrotConfig config;  // misses some filaments thinner than a pixel
  const MandelbrotView view{{-1.5, 0.5, -1, 1}, 2048, 2048};
  const auto plain = one();
  plain->compute(config, view, Regions::kList);
  const DwellDifferences expected = plain->count_differences(1000);
  ASSERT_GT(expected.count, 0u);
  for (const std::size_t parts : {2, 3}) {
    const auto split = in_parts(parts);
    split->compute(config, view, Regions::kList);
    const DwellDifferences found = split->count_differences(1000);
    EXPECT_EQ(found.count, expected.count);
    ASSERT_EQ(found.places.size(), expected.places.size());
    for (std::size_t i = 0; i < found.places.size(); ++i) {
      EXPECT_EQ(found.places[i].pixel.x, expected.places[i].pixel.x);
      EXPECT_EQ(found.places[i].pixel.y, expected.places[i].pixel.y);
      EXPECT_EQ(found.places[i].dwell, expected.places[i].dwell);
    }
    EXPECT_EQ(count_border_misses(*split, found), count_border_misses(*plain, expected));
    EXPECT_EQ(split->count_differences(1).places.size(), 1u);
    EXPECT_EQ(hash_of_dwells(*split).hash, hash_of_dwells(*plain).hash);
  }
}

TEST_F(SplitMandelbrot, WhatIsWrongIsSaidAndThePictureBeforeItIsGoneOrWhole) {
  const auto split = in_parts(2);
  split->compute({.g = 8}, kSquare);
  EXPECT_THROW(split->compute({.g = 0}, kSquare), InputError);
  EXPECT_THROW(split->record_timeline({}, kSquare, {}), InputError);
  EXPECT_EQ(split->rows().size(), 1u);
  ProgressMonitor watch;
  watch.cancel();
  split->set_monitor(&watch);
  EXPECT_THROW(split->compute({.g = 8}, kSquare), OperationCancelled);
  EXPECT_TRUE(split->rows().empty());
  split->set_monitor(nullptr);
  const auto plain = one();
  expect_same(*split, *plain, {.g = 8}, kSquare);
  std::vector<std::uint32_t> row(3);
  EXPECT_THROW(split->read_dwells(0, row), InputError);
}

// compute() does not change the smooth dwells, even if it changes the distribution or the view.
TEST_F(SplitMandelbrot, SmoothDwellsStayWhileOthersAreComputed) {
  const MandelbrotConfig config{.g = 16, .b = 8, .dwell_limit = 200};
  const MandelbrotView view{{-1.5, 0.5, -1, 1}, 150, 130};
  const auto plain = one();
  plain->compute(config, view);
  plain->compute_smooth();
  const auto pixels = [&](const ImageView& image) {
    EXPECT_EQ(image.width, 150);
    EXPECT_EQ(image.height, 130);
    const auto* const begin = static_cast<const std::uint32_t*>(image.pixels);
    return std::vector<std::uint32_t>(begin, begin + (image.width > 0 ? view.pixels() : 0));
  };
  const auto expected = pixels(plain->smooth_image(MemorySpace::kHost));
  const auto split = in_parts(3);
  split->compute(config, view);
  split->compute_smooth();
  split->compute(config, view);
  split->compute(config, view);
  EXPECT_EQ(pixels(split->smooth_image(MemorySpace::kHost)), expected);
  split->compute(config, {{-0.75, -0.74, 0.1, 0.11}, 90, 200});
  EXPECT_EQ(pixels(split->smooth_image(MemorySpace::kHost)), expected);
}

// Every row belongs to exactly one partition.
TEST(RowPartition, RowsAreDealtOutOnce) {
  for (const std::uint32_t parts : {1u, 2u, 3u, 7u}) {
    for (const std::uint32_t g : {1u, 2u, 5u, 32u}) {
      for (const std::uint32_t height : {1u, 2u, 30u, 64u, 1001u}) {
        for (const MandelbrotMethod method : kMandelbrotMethods) {
          const MandelbrotConfig config{.method = method, .g = g};
          const MandelbrotView view{{-1.5, 0.5, -1, 1}, 16, height};
          const Subdivision cut = make_subdivision(config, view);
          std::vector<int> holders(height);
          std::uint64_t first_regions = 0;
          for (std::uint32_t part = 0; part < parts; ++part) {
            std::vector<RowRange> rows;
            rows_held({part, parts}, config, cut, rows);
            std::uint32_t end = 0;
            for (const RowRange& range : rows) {
              EXPECT_LT(range.first, range.end);
              EXPECT_TRUE(end == 0 || range.first > end) << "adjacent ranges must be merged";
              end = range.end;
              for (std::uint32_t y = range.first; y < range.end; ++y) ++holders.at(y);
            }
            std::vector<Coord32> places;
            first_regions_of({part, parts}, cut, places);
            first_regions += places.size();
          }
          EXPECT_EQ(std::ranges::count(holders, 1), static_cast<std::ptrdiff_t>(height));
          EXPECT_EQ(first_regions, cut.first_regions());
        }
      }
    }
  }
}

// A distribution assigns every row to one partition, lists every region once in descending order of cost, and
// gives all partitions about the same cost.
TEST(DwellDistribution, IsByCost) {
  std::mt19937_64 random(7);
  for (const std::uint32_t parts : {1u, 2u, 3u, 8u}) {
    for (const std::uint32_t rows : {1u, 5u, 64u, 200u}) {
      constexpr std::uint32_t kColumns = 37;
      std::vector<std::uint32_t> costs(kColumns * rows);
      for (std::uint32_t& cost : costs)  // most are cheap, a few cost a thousand times as much
        cost = static_cast<std::uint32_t>(random() % 100 < 4 ? random() % 1000000 : random() % 1000);
      const DwellDistribution distribution = distribute_by_cost(costs, kColumns, parts);
      EXPECT_EQ(distribution.columns, kColumns);
      ASSERT_EQ(distribution.part_of_row.size(), rows);
      std::vector<std::uint64_t> of_part(parts);
      std::uint64_t dearest_row = 0;
      for (std::uint32_t y = 0; y < rows; ++y) {
        std::uint64_t of_row = 0;
        for (std::uint32_t x = 0; x < kColumns; ++x) of_row += costs[y * kColumns + x];
        of_part.at(distribution.part_of_row[y]) += of_row;
        dearest_row = std::max(dearest_row, of_row);
      }
      EXPECT_LE(*std::ranges::max_element(of_part), *std::ranges::min_element(of_part) + dearest_row);
      std::vector<std::uint32_t> sorted = distribution.order;
      std::ranges::sort(sorted);
      for (std::uint32_t i = 0; i < costs.size(); ++i) ASSERT_EQ(sorted[i], i);
      for (std::size_t i = 1; i < distribution.order.size(); ++i) {
        ASSERT_LE(costs[distribution.order[i]], 1.25 * costs[distribution.order[i - 1]] + 1) << "at " << i;
      }
    }
  }
}

TEST(DwellDistribution, OfEqualCostsEachPartHasAsManyRows) {
  for (const std::uint32_t cost : {0u, 5u}) {
    const std::vector<std::uint32_t> costs(7 * 12, cost);
    const DwellDistribution distribution = distribute_by_cost(costs, 7, 4);
    for (std::uint32_t part = 0; part < 4; ++part)
      EXPECT_EQ(std::ranges::count(distribution.part_of_row, part), 3);
  }
}

TEST(DwellDistribution, SharesFollowOneThatIsForTheirCut) {
  const MandelbrotConfig config{.g = 6};
  const MandelbrotView view{{-1.5, 0.5, -0.9, 1}, 64, 60};
  const Subdivision cut = make_subdivision(config, view);
  std::vector<std::uint32_t> costs(cut.first_regions());
  for (std::size_t i = 0; i < costs.size(); ++i) costs[i] = i == 8 ? 1000000 : 1;
  const DwellDistribution distribution = distribute_by_cost(costs, cut.first_parts, 2);
  std::vector<RowRange> rows;
  rows_held({0, 2, &distribution}, config, cut, rows);
  EXPECT_EQ(rows, (std::vector<RowRange>{{10, 20}})) << "the expensive row alone";
  std::vector<Coord32> places;
  first_regions_of({0, 2, &distribution}, cut, places);
  ASSERT_EQ(places.size(), 6u);
  EXPECT_EQ(places.front(), (Coord32{2, 1}));
  rows_held({1, 2, &distribution}, config, cut, rows);
  EXPECT_EQ(rows, (std::vector<RowRange>{{0, 10}, {20, 60}}));
  // A distribution for another subdivision is ignored: rows are assigned round-robin.
  const Subdivision other = make_subdivision({.g = 3}, view);
  rows_held({1, 2, &distribution}, {.g = 3}, other, rows);
  EXPECT_EQ(rows, (std::vector<RowRange>{{20, 40}}));
}

TEST(RowPartition, MemoryIsThatOfTheRows) {
  const MandelbrotConfig config;
  const MandelbrotView view{{-1.5, 0.5, -0.9, 1}, 131072, 131072};
  const Subdivision cut = make_subdivision(config, view);
  std::vector<RowRange> rows;
  rows_held({1, 2}, config, cut, rows);
  const std::uint64_t dwells = view.pixels() * sizeof(std::uint16_t);
  EXPECT_EQ(bytes_needed(config, view, false, rows), bytes_needed(config, view, false) - dwells / 2);
}

}  // namespace
}  // namespace loom
