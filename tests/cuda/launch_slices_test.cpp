#include "compute/cuda/launch_slices.h"

#include <cuda_runtime_api.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "compute/check/verification.h"
#include "compute/core/error.h"
#include "compute/cuda/engines.h"
#include "compute/geometry/nbb_catalog.h"

// Sliced launches must give the same results as whole launches, for every slice limit. The engine tests check
// that these results are correct.

namespace loom::cuda {
namespace {

/// Limits that split no launch.
const LaunchSlices kWhole{.max_steps = ~std::uint64_t{0}, .multiprocessors = 1};

class LaunchesInSlices : public testing::Test {
 protected:
  void SetUp() override {
    int devices = 0;
    if (cudaGetDeviceCount(&devices) != cudaSuccess || devices == 0) {
      cudaGetLastError();
      GTEST_SKIP() << "no CUDA device";
    }
    cudaSetDevice(0);
  }
  /// Limits launches to `max_steps` and counts in cuts_ how often one launch follows another.
  LaunchSlices cut_to(std::uint64_t max_steps) {
    return {.max_steps = max_steps, .multiprocessors = 1, .between = [this] { ++cuts_; }};
  }
  int cuts_ = 0;
};

std::unique_ptr<FractalEngine> make(const FractalConfig& config, const LaunchSlices& slices) {
  if (config.method.storage == CellStorage::kBytes) return make_byte_engine(config, 0, slices);
  if (config.method.map == MapKind::kCompact) return make_plane_engine(config, 0, slices);
  return make_row_engine(config, 0, slices);
}

std::vector<std::uint16_t> picture_of(FractalEngine& engine, const TiledFractal& fractal) {
  Viewport viewport;
  for (std::uint64_t i = 0; i <= 20; ++i) {
    viewport.x_edges.push_back(static_cast<std::int64_t>(fractal.width * i / 20));
    viewport.y_edges.push_back(static_cast<std::int64_t>(fractal.height * i / 20));
  }
  ImageView image;
  engine.resolve(viewport, MemorySpace::kHost, image);
  const auto* pixels = static_cast<const std::uint16_t*>(image.pixels);
  return {pixels, pixels + 400};
}

struct Cells {
  std::uint64_t population;
  std::uint64_t hash;
  std::vector<std::uint16_t> picture;
  friend bool operator==(const Cells&, const Cells&) = default;
};
Cells cells_of(FractalEngine& engine, const FractalConfig& config) {
  const Census census = engine.census();
  return {census.population, census.hash,
          picture_of(engine, make_tiled_fractal(config.fractal, config.level, config.tile_size))};
}

/// Runs every operation of an engine and returns the cells after each.
std::vector<Cells> all_work(FractalEngine& engine, const FractalConfig& config,
                            const std::vector<std::uint32_t>& generations, std::vector<std::uint64_t>& sums) {
  std::vector<Cells> found;
  engine.reset({.seed = 5, .density = 0.4});
  found.push_back(cells_of(engine, config));
  for (const std::uint32_t times : generations) {
    engine.run(times, {});
    found.push_back(cells_of(engine, config));
  }
  for (const ReductionMethod reduction : kReductionMethods)
    sums.push_back(engine.run(1, {.workload = Workload::kReduction, .reduction = reduction}).sum);
  engine.run(2, {.workload = Workload::kSingleWrite});
  found.push_back(cells_of(engine, config));
  return found;
}

TEST_F(LaunchesInSlices, CellsSumsAndPicturesAreThoseOfWholeLaunches) {
  struct Case {
    const char* fractal;
    int level;
    MethodSet methods;
  };
  const Case cases[] = {{"sierpinski-gasket", 7, MethodSet::kAll},
                        {"sierpinski-carpet", 4, MethodSet::kMaps},
                        {"candy", 3, MethodSet::kMaps},
                        {"chandelier", 5, MethodSet::kMaps},
                        {"cantor", 9, MethodSet::kMaps}};
  for (const Case& each : cases) {
    cuts_ = 0;
    for (const FractalConfig& config : all_methods(find_fractal(each.fractal), each.level, each.methods)) {
      SCOPED_TRACE(config.fractal.name() + " " + std::string(name_of(config.method.map)) + " " +
                   std::string(name_of(config.method.storage)) + " tile size " +
                   std::to_string(config.tile_size) + " " + std::string(name_of(config.method.arithmetic)));
      std::vector<std::uint64_t> sums;
      std::vector<std::uint64_t> found_sums;
      const auto whole = make(config, kWhole);
      const auto cut = make(config, cut_to(3000));
      const std::vector<Cells> expected = all_work(*whole, config, {1, 6}, sums);
      const std::vector<Cells> found = all_work(*cut, config, {1, 6}, found_sums);
      ASSERT_EQ(found.size(), expected.size());
      for (std::size_t i = 0; i < found.size(); ++i) {
        EXPECT_EQ(found[i].population, expected[i].population) << i;
        EXPECT_EQ(found[i].hash, expected[i].hash) << i;
        EXPECT_EQ(found[i].picture, expected[i].picture) << i;
      }
      EXPECT_EQ(found_sums, sums);
      const ThreadCount a = whole->count_threads();
      const ThreadCount b = cut->count_threads();
      EXPECT_EQ(a.threads_launched, b.threads_launched);
      EXPECT_EQ(a.threads_active, b.threads_active);
      EXPECT_EQ(a.tiles_occupied, b.tiles_occupied);
    }
    EXPECT_GT(cuts_, 100) << each.fractal;
  }
}

TEST_F(LaunchesInSlices, BitsOfManyGroupsAreCut) {
  for (const MapKind map : {MapKind::kCompact, MapKind::kBoundingBox}) {
    const FractalConfig config{.fractal = find_fractal("sierpinski-gasket"),
                               .level = 12,
                               .method = {.map = map, .storage = CellStorage::kBits}};
    std::vector<std::uint64_t> sums;
    const std::vector<Cells> expected = all_work(*make(config, kWhole), config, {1, 7, 40}, sums);
    for (const std::uint64_t most : {5000u, 200000u, 3000000u}) {
      cuts_ = 0;
      std::vector<std::uint64_t> found_sums;
      EXPECT_EQ(all_work(*make(config, cut_to(most)), config, {1, 7, 40}, found_sums), expected) << most;
      EXPECT_EQ(found_sums, sums);
      EXPECT_GT(cuts_, 0);
    }
  }
}

/// The result of a computation without times, memory and the number of launches, which slices increase.
struct Dwells {
  std::vector<std::uint32_t> pixels;
  MandelbrotReport report;
  std::vector<MandelbrotRegion> regions;
  explicit Dwells(MandelbrotEngine& engine, const MandelbrotConfig& config, const MandelbrotView& view)
      : pixels(view.pixels()), report(engine.compute(config, view, MandelbrotEngine::Regions::kList)) {
    engine.read_dwells(0, pixels);
    regions.assign(engine.regions().begin(), engine.regions().end());
    report.milliseconds = 0;
    report.allocated_bytes = 0;
    report.launches = 0;
    for (MandelbrotLevel& level : report.levels) level.milliseconds = {};
  }
};

void expect_same(const Dwells& found, const Dwells& expected) {
  EXPECT_TRUE(found.pixels == expected.pixels);
  EXPECT_TRUE(found.report == expected.report);
  ASSERT_EQ(found.regions.size(), expected.regions.size());
  for (std::size_t i = 0; i < found.regions.size(); ++i) {
    const auto fields = [](const MandelbrotRegion& region) {
      return std::tie(region.level, region.y, region.x, region.width, region.height, region.kind);
    };
    ASSERT_EQ(fields(found.regions[i]), fields(expected.regions[i])) << "region " << i;
  }
}

std::vector<MandelbrotOptimisations> some_ideas() {
  std::vector<MandelbrotOptimisations> all = {MandelbrotOptimisations{}, kNoOptimisations};
  for (const NamedOptimisation& idea : kMandelbrotOptimisations) {
    all.push_back(kNoOptimisations);
    all.back().*idea.flag = true;
  }
  return all;
}

/// Step limits: from values that trigger every kind of slicing to one that splits nothing.
constexpr std::uint64_t kBounds[] = {2000, 30000, 100000, 400000, 2000000, 10000000};

TEST_F(LaunchesInSlices, DwellsCountsAndRegionsAreThoseOfWholeLaunches) {
  const MandelbrotView view{{}, 125, 128};
  for (const MandelbrotMethod method : kMandelbrotMethods) {
    for (const RegionScheme scheme : kRegionSchemes) {
      for (const Precision precision : kDirectPrecisions) {
        for (const MandelbrotOptimisations& optimisations : some_ideas()) {
          const MandelbrotConfig config{.method = method,
                                        .scheme = scheme,
                                        .g = 2,
                                        .b = 8,
                                        .dwell_limit = 100,
                                        .block = {8, 8},
                                        .precision = precision,
                                        .optimisations = optimisations};
          SCOPED_TRACE(std::string(name_of(method)) + " " + std::string(name_of(scheme)) + " " +
                       std::string(name_of(precision)) + " ideas " + to_string(optimisations));
          const auto whole = make_mandelbrot_engine(0, {}, kWhole);
          const Dwells expected(*whole, config, view);
          cuts_ = 0;
          for (const std::uint64_t most : kBounds) {
            SCOPED_TRACE("most " + std::to_string(most));
            const auto cut = make_mandelbrot_engine(0, {}, cut_to(most));
            expect_same(Dwells(*cut, config, view), expected);
            EXPECT_EQ(cut->count_differences(0).count, whole->count_differences(0).count);
            if (HasFailure()) return;
          }
          EXPECT_GT(cuts_, 0);
        }
      }
    }
  }
}

TEST_F(LaunchesInSlices, AStepALaunchStillEnds) {
  const MandelbrotView view{{}, 40, 40};
  for (const MandelbrotMethod method : kMandelbrotMethods) {
    for (const RegionScheme scheme : kRegionSchemes) {
      const MandelbrotConfig config{.method = method, .scheme = scheme, .g = 2, .b = 4, .dwell_limit = 60};
      const auto whole = make_mandelbrot_engine(0, {}, kWhole);
      const auto cut = make_mandelbrot_engine(0, {}, cut_to(1));
      expect_same(Dwells(*cut, config, view), Dwells(*whole, config, view));
    }
  }
  const FractalConfig config{.fractal = find_fractal("sierpinski-gasket"), .level = 4, .tile_size = 2};
  std::vector<std::uint64_t> sums;
  std::vector<std::uint64_t> found_sums;
  EXPECT_EQ(all_work(*make(config, cut_to(1)), config, {3}, found_sums),
            all_work(*make(config, kWhole), config, {3}, sums));
  EXPECT_EQ(found_sums, sums);
}

TEST_F(LaunchesInSlices, SharesOfAPictureAreCutToo) {
  const MandelbrotView view{{}, 125, 128};
  for (const MandelbrotMethod method : kMandelbrotMethods) {
    for (const RegionScheme scheme : kRegionSchemes) {
      for (const bool join : {false, true}) {
        MandelbrotConfig config{.method = method, .scheme = scheme, .g = 4, .b = 8, .dwell_limit = 100};
        config.optimisations.join = join;
        for (std::uint32_t part = 0; part < 3; ++part) {
          SCOPED_TRACE(std::string(name_of(method)) + " " + std::string(name_of(scheme)) + " part " +
                       std::to_string(part));
          const RowPartition share{part, 3};
          const auto whole = make_mandelbrot_engine(0, share, kWhole);
          const Dwells expected(*whole, config, view);
          for (const std::uint64_t most : kBounds) {
            const auto cut = make_mandelbrot_engine(0, share, cut_to(most));
            expect_same(Dwells(*cut, config, view), expected);
          }
        }
      }
    }
  }
}

/// Computes with several sizes and methods in the same engine.
TEST_F(LaunchesInSlices, AnEngineGoesFromOneComputationToAnother) {
  for (const std::uint64_t most : kBounds) {
    const auto cut = make_mandelbrot_engine(0, {}, cut_to(most));
    for (const std::uint32_t side : {64u, 150u, 128u}) {
      for (const MandelbrotMethod method : kMandelbrotMethods) {
        for (const RegionScheme scheme : kRegionSchemes) {
          const MandelbrotConfig config{
              .method = method, .scheme = scheme, .g = 2, .b = 8, .dwell_limit = 80};
          const MandelbrotView view{{}, side, side};
          const auto whole = make_mandelbrot_engine(0, {}, kWhole);
          expect_same(Dwells(*cut, config, view), Dwells(*whole, config, view));
          cut->compute_smooth();
        }
      }
    }
  }
}

/// For the longest possible orbits and without known interior, a new engine must slice the launches of every
/// method. Launch times are only printed, because they depend on the machine.
TEST_F(LaunchesInSlices, WhatCouldTakeLongIsCut) {
  struct Case {
    MandelbrotMethod method;
    RegionScheme scheme;
    std::uint32_t g;
  };
  const Case cases[] = {{MandelbrotMethod::kExhaustive, RegionScheme::kSbr, 32},
                        {MandelbrotMethod::kAsk, RegionScheme::kSbr, 2},
                        {MandelbrotMethod::kAsk, RegionScheme::kMbr, 1},
                        {MandelbrotMethod::kDp, RegionScheme::kSbr, 2},
                        {MandelbrotMethod::kDp, RegionScheme::kMbr, 32}};
  // A window where hardly any point escapes, and one whose borders have many dwells, so that regions are
  // split down to the last level.
  const ComplexWindow windows[] = {{-0.76, -0.74, 0.0, 0.02}, {-0.7565, -0.7365, 0.09, 0.11}};
  for (const Case& each : cases) {
    for (const ComplexWindow& window : windows) {
      MandelbrotConfig config{.method = each.method,
                              .scheme = each.scheme,
                              .g = each.g,
                              .dwell_limit = 65535,
                              .precision = Precision::kDouble,
                              .optimisations = kNoOptimisations};
      const MandelbrotView view{window, 4096, 4096};
      double longest = 0;
      int launches = 0;
      std::chrono::steady_clock::time_point before;
      const auto look = [&] {
        cudaDeviceSynchronize();
        const auto now = std::chrono::steady_clock::now();
        longest = std::max(longest, std::chrono::duration<double, std::milli>(now - before).count());
        before = now;
        ++launches;
      };
      LaunchSlices slices = slices_of(0);
      slices.between = look;
      const auto compute = [&](MandelbrotEngine& engine) {
        cudaDeviceSynchronize();
        before = std::chrono::steady_clock::now();
        longest = launches = 0;
        const double milliseconds =
            engine.compute(config, view, MandelbrotEngine::Regions::kCount).milliseconds;
        look();
        std::printf("%s %s g %u: %.1f ms, %d launches, the longest %.1f ms\n",
                    std::string(name_of(each.method)).c_str(), std::string(name_of(each.scheme)).c_str(),
                    each.g, milliseconds, launches, longest);
      };
      const auto used = make_mandelbrot_engine(0, {}, slices);
      used->compute(config, {window, 64, 64}, MandelbrotEngine::Regions::kCount);  // loads the kernels
      compute(*used);
      const auto fresh = make_mandelbrot_engine(0, {}, slices);
      compute(*fresh);
      EXPECT_GT(launches, 1);
    }
  }
}

}  // namespace
}  // namespace loom::cuda
