#include "compute/mandelbrot/volume.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "backend.h"
#include "compute/backend/engine_factory.h"
#include "compute/core/error.h"
#include "compute/cpu/engines.h"
#include "compute/engine/progress_monitor.h"
#include "compute/solid/volume_engine.h"

namespace loom {
namespace {

class Volume : public tests::EngineTest {};

/// The dwell of a sample by the formulas as they are written, with angles; shares nothing with the engine.
std::uint32_t plain_dwell(const VolumeConfig& config, double x, double y, double z) {
  std::uint32_t dwell = 0;
  if (config.set == VolumeSet::kQuaternionJulia) {
    double a = x, b = y, c = z, d = 0;
    while (dwell < config.dwell_limit && a * a + b * b + c * c + d * d < 4) {
      const double next = a * a - b * b - c * c - d * d + config.c[0];
      b = 2 * a * b + config.c[1];
      c = 2 * a * c + config.c[2];
      d = 2 * a * d + config.c[3];
      a = next;
      ++dwell;
    }
    return dwell;
  }
  const double c[] = {x, y, z};
  while (dwell < config.dwell_limit && x * x + y * y + z * z < 4) {
    const double r = std::sqrt(x * x + y * y + z * z);
    const double theta = r > 0 ? std::acos(z / r) : 0;
    const double phi = std::atan2(y, x);
    const double power = std::pow(r, config.power);
    x = power * std::sin(config.power * theta) * std::cos(config.power * phi) + c[0];
    y = power * std::sin(config.power * theta) * std::sin(config.power * phi) + c[1];
    z = power * std::cos(config.power * theta) + c[2];
    ++dwell;
  }
  return dwell;
}

std::vector<std::uint32_t> plain_dwells(const VolumeConfig& config) {
  std::vector<std::uint32_t> dwells;
  const auto at = [&](std::size_t axis, std::uint32_t i) {
    return config.box.low[axis] + i * (config.box.high[axis] - config.box.low[axis]) / config.size;
  };
  for (std::uint32_t z = 0; z < config.size; ++z) {
    for (std::uint32_t y = 0; y < config.size; ++y) {
      for (std::uint32_t x = 0; x < config.size; ++x)
        dwells.push_back(plain_dwell(config, at(0, x), at(1, y), at(2, z)));
    }
  }
  return dwells;
}

std::vector<std::uint32_t> dwells_of(VolumeEngine& engine) {
  std::vector<std::uint32_t> dwells;
  for (const VolumeSample sample : engine.samples()) dwells.push_back(dwell_of(sample));
  return dwells;
}

VolumeConfig julia(std::uint32_t size) {
  return {.set = VolumeSet::kQuaternionJulia,
          .c = {-0.2, 0.6, 0.2, 0.2},
          .box = {{-1.6, -1.5, -1.4}, {1.6, 1.7, 1.3}},
          .size = size,
          .dwell_limit = 50,
          .method = MandelbrotMethod::kExhaustive};
}

TEST_F(Volume, CheckValue) {
  const std::unique_ptr<VolumeEngine> engine = make_volume_engine(backend_);
  engine->compute({.size = 64, .dwell_limit = 32, .method = MandelbrotMethod::kExhaustive});
  std::uint64_t sum = 0;
  std::uint64_t at_limit = 0;
  for (const std::uint32_t dwell : dwells_of(*engine)) {
    sum += dwell;
    at_limit += dwell == 32 ? 1 : 0;
  }
  EXPECT_NEAR(static_cast<double>(sum), 1655141, 1655);
  EXPECT_NEAR(static_cast<double>(at_limit), 40519, 40);
}

TEST_F(Volume, QuaternionsAreExactlyThePlainLoop) {
  const std::unique_ptr<VolumeEngine> engine = make_volume_engine(backend_);
  const VolumeConfig config = julia(45);
  engine->compute(config);
  EXPECT_EQ(dwells_of(*engine), plain_dwells(config));
}

TEST_F(Volume, BulbsOfEveryPowerAreThePlainLoopWithAngles) {
  const std::unique_ptr<VolumeEngine> engine = make_volume_engine(backend_);
  for (std::uint32_t power = kMinBulbPower; power <= kMaxBulbPower; ++power) {
    // The box has samples on the axis, where the angle about it is 0.
    const VolumeConfig config{
        .power = power, .size = 40, .dwell_limit = 24, .method = MandelbrotMethod::kExhaustive};
    engine->compute(config);
    const auto dwells = dwells_of(*engine);
    const auto expected = plain_dwells(config);
    std::size_t different = 0;
    for (std::size_t i = 0; i < dwells.size(); ++i) different += dwells[i] != expected[i] ? 1 : 0;
    EXPECT_LE(different, dwells.size() / 1000) << power;
  }
}

TEST_F(Volume, DpAndAskFillWhereTheFacesAgreeAndComputeTheRest) {
  const std::unique_ptr<VolumeEngine> exhaustive = make_volume_engine(backend_);
  const std::unique_ptr<VolumeEngine> engine = make_volume_engine(backend_);
  for (VolumeConfig config : {VolumeConfig{.size = 61, .dwell_limit = 20}, julia(50)}) {
    config.method = MandelbrotMethod::kExhaustive;
    exhaustive->compute(config);
    const auto expected = dwells_of(*exhaustive);
    for (const auto& [g, r, b] :
         {std::tuple{1u, 2u, 1u}, {2u, 2u, 4u}, {3u, 3u, 2u}, {8u, 4u, 3u}, {61u, 2u, 1u}}) {
      if (g > config.size) continue;
      config.g = g;
      config.r = r;
      config.b = b;
      std::vector<VolumeSample> by_dp;
      for (const MandelbrotMethod method : {MandelbrotMethod::kDp, MandelbrotMethod::kAsk}) {
        config.method = method;
        const MandelbrotReport report = engine->compute(config);
        std::uint64_t filled = 0;
        std::uint64_t different = 0;
        for (std::size_t i = 0; i < expected.size(); ++i) {
          const VolumeSample sample = engine->samples()[i];
          filled += is_filled(sample) ? 1 : 0;
          if (dwell_of(sample) == expected[i]) continue;
          ++different;
          EXPECT_TRUE(is_filled(sample));
        }
        const VolumeDifferences differences = engine->count_differences();
        EXPECT_EQ(differences.filled, different);
        EXPECT_EQ(differences.others, 0u);
        EXPECT_EQ(report.computed_pixels() + filled, expected.size())
            << "each sample is computed once or filled";
        EXPECT_LE(different, expected.size() / 1000);
        if (method == MandelbrotMethod::kDp) by_dp.assign(engine->samples().begin(), engine->samples().end());
      }
      EXPECT_TRUE(std::ranges::equal(engine->samples(), by_dp)) << "DP and ASK process the same regions";
    }
  }
}

TEST_F(Volume, OrdersOfTheTableChangeItsBytesAlone) {
  const std::unique_ptr<VolumeEngine> engine = make_volume_engine(backend_);
  VolumeConfig config{.size = 64, .dwell_limit = 20, .g = 2, .r = 4, .b = 2};
  engine->compute(config);
  const std::vector<VolumeSample> expected(engine->samples().begin(), engine->samples().end());
  const std::uint64_t bytes = engine->table_bytes();
  for (const RegionOrder order : {RegionOrder::kMorton, RegionOrder::kHilbert, RegionOrder::kCoordinates}) {
    config.order = order;
    engine->compute(config);
    EXPECT_TRUE(std::ranges::equal(engine->samples(), expected)) << name_of(order);
    EXPECT_EQ(engine->table_bytes(), order == RegionOrder::kCoordinates ? 3 * bytes : bytes);
  }
}

VolumeConfig custom(std::string code, VolumeConfig config) {
  config.set = VolumeSet::kCustom;
  config.custom = CustomFormula(std::move(code));
  return config;
}

TEST_F(Volume, AFormulaOfQuaternionsIsExactlyThePlainLoop) {
  const std::unique_ptr<VolumeEngine> engine = make_volume_engine(backend_);
  VolumeConfig config = julia(45);
  config.c[3] = 0;  // so that every w is 0
  const auto expected = plain_dwells(config);
  config = custom(
      "Vector next(Vector v, Vector c) {\n"
      "  c = vector(-0.2, 0.6, 0.2);\n"
      "  return vector(v.x * v.x - v.y * v.y - v.z * v.z, 2 * v.x * v.y, 2 * v.x * v.z) + c;\n"
      "}\n",
      config);
  config.g = 3;
  config.b = 2;
  for (const MandelbrotMethod method : kMandelbrotMethods) {
    for (const RegionScheme scheme : kRegionSchemes) {
      config.method = method;
      config.scheme = scheme;
      engine->compute(config);
      const VolumeDifferences differences = engine->count_differences();
      std::uint64_t different = 0;
      const auto dwells = dwells_of(*engine);
      for (std::size_t i = 0; i < dwells.size(); ++i) different += dwells[i] != expected[i] ? 1 : 0;
      EXPECT_EQ(different, differences.filled) << name_of(method);
      EXPECT_EQ(differences.others, 0u) << name_of(method);
      EXPECT_TRUE(method != MandelbrotMethod::kExhaustive || different == 0);
    }
  }
}

TEST_F(Volume, AFormulaWithAnglesIsTheBulb) {
  const std::unique_ptr<VolumeEngine> engine = make_volume_engine(backend_);
  VolumeConfig config{.size = 40, .dwell_limit = 24, .method = MandelbrotMethod::kExhaustive};
  const auto expected = plain_dwells(config);
  engine->compute(custom(
      "Vector next(Vector v, Vector c) {\n"
      "  double r = abs(v);\n"
      "  double theta = r > 0 ? 8 * acos(v.z / r) : 0;\n"
      "  double phi = 8 * atan2(v.y, v.x);\n"
      "  return sqr(sqr(sqr(r))) * vector(sin(theta) * cos(phi), sin(theta) * sin(phi), cos(theta)) + c;\n"
      "}\n",
      config));
  const auto dwells = dwells_of(*engine);
  std::size_t different = 0;
  for (std::size_t i = 0; i < dwells.size(); ++i) different += dwells[i] != expected[i] ? 1 : 0;
  EXPECT_LE(different, dwells.size() / 1000);
}

// Every operator of vectors, loops, conditions and functions, beside the same in C++.
TEST_F(Volume, AFormulaWithFoldsIsExactlyThatInCpp) {
  const std::unique_ptr<VolumeEngine> engine = make_volume_engine(backend_);
  const VolumeConfig config = custom(
      "const double fold = 0.2;\n"
      "const double escape_radius = 3;\n"
      "double folded(double x) { return x > fold ? 2 * fold - x : x < -fold ? -2 * fold - x : x; }\n"
      "Vector next(Vector v, Vector c) {\n"
      "  Vector of[2] = {v, vector(0, 0, 0)};\n"
      "  of[1] += vector(folded(of[0].x), folded(v.y), folded(v.z));\n"
      "  v = of[1];\n"
      "  double square = dot(v, v);\n"
      "  if (square < fold * fold / 4) v *= 4;\n"
      "  else if (square < fold * fold) v = v * (fold * fold / square);\n"
      "  return -(v / -1 - v) + c - (sqrt(4) - 2);\n"
      "}\n",
      {.size = 33, .dwell_limit = 30, .method = MandelbrotMethod::kExhaustive});
  engine->compute(config);
  const auto dwells = dwells_of(*engine);
  const auto folded = [](double x) { return x > 0.2 ? 0.4 - x : x < -0.2 ? -0.4 - x : x; };
  for (std::size_t i = 0; i < dwells.size(); ++i) {
    const std::size_t at[3] = {i % 33, i / 33 % 33, i / 33 / 33};
    double c[3];
    double v[3];
    for (int axis = 0; axis < 3; ++axis) v[axis] = c[axis] = -1.25 + static_cast<double>(at[axis]) * 2.5 / 33;
    std::uint32_t dwell = 0;
    for (; dwell < 30 && v[0] * v[0] + v[1] * v[1] + v[2] * v[2] < 9; ++dwell) {
      for (double& x : v) x = folded(x);
      const double square = v[0] * v[0] + v[1] * v[1] + v[2] * v[2];
      const double factor = square < 0.2 * 0.2 / 4 ? 4 : square < 0.2 * 0.2 ? 0.2 * 0.2 / square : 1;
      for (int axis = 0; axis < 3; ++axis) v[axis] = 2 * (v[axis] * factor) + c[axis];
    }
    ASSERT_EQ(dwells[i], dwell) << at[0] << " " << at[1] << " " << at[2];
  }
}

TEST_F(Volume, WhatIsWrongInAFormulaIsOneLine) {
  const std::unique_ptr<VolumeEngine> engine = make_volume_engine(backend_);
  const auto problem_of = [&](const CustomFormula& formula) -> std::string {
    try {
      VolumeConfig config{.size = 12, .dwell_limit = 20};
      config.set = VolumeSet::kCustom;
      config.custom = formula;
      engine->compute(config);
      return {};
    } catch (const InputError& error) {
      return error.what();
    }
  };
  const auto expect = [&](const CustomFormula& formula, const char* part) {
    const std::string problem = problem_of(formula);
    EXPECT_NE(problem.find(part), std::string::npos) << formula.text() << ": " << problem;
    EXPECT_EQ(problem.find('\n'), std::string::npos);
  };
  const auto body = [](const std::string& statements) {
    return "Vector next(Vector v, Vector c) {\n" + statements + "\nreturn v; }";
  };
  expect(CustomFormula(), "needs its code");
  expect(CustomFormula("Complex next(Complex z, Complex c) { return z; }"),
         "Vector next(Vector v, Vector c)");
  expect(CustomFormula("Vector next(Vector v, double c) { return v; }"), "'next' is not Vector next");
  expect(CustomFormula(body("return v < c;")), "'<' is not defined for Vector");
  expect(CustomFormula(body("v = v % 2;")), "'%' is not defined for Vector");
  expect(CustomFormula(body("v = 1;")), "Vector is expected, not int");
  expect(CustomFormula(body("v = vector(1, 2);")), "'vector' has 3 parameters, not 2");
  expect(CustomFormula(body("v = vector(v, 1, 2);")), "not Vector");
  expect(CustomFormula(body("v.w = 1;")), "allowed: x, y, z");
  expect(CustomFormula(body("v.x = sqrt(v);")), "not Vector");
  expect(CustomFormula(body("v = v + complex(1, 2);")), "not Complex");
  expect(CustomFormula(body("int n = v.x > 9 ? 1 : 0; n = 1 / n;")), "line 2");
  expect(CustomFormula(body("while (true) v *= 2;")), "an infinite loop?");
  expect(CustomFormula(body("v = v + c;"), "the scene"), "came with the scene");
  EXPECT_EQ(problem_of(CustomFormula(body("v = v + c;"))), "");
}

TEST_F(Volume, CancelsAnywhere) {
  for (const MandelbrotMethod method : kMandelbrotMethods) {
    const std::unique_ptr<VolumeEngine> engine = make_volume_engine(backend_);
    ProgressMonitor monitor;
    engine->set_monitor(&monitor);
    const VolumeConfig config{.size = 24, .dwell_limit = 20, .method = method};
    constexpr std::int64_t kNever = std::int64_t{1} << 40;
    monitor.cancel_at_poll(kNever);
    engine->compute(config);
    EXPECT_EQ(monitor.share(), 1);
    const std::int64_t polls = kNever - monitor.polls_left();
    EXPECT_GE(polls, backend_.device.on_host ? 100 : 1);
    for (const std::int64_t at : {std::int64_t{1}, std::max<std::int64_t>(1, polls / 2)}) {
      monitor.reset();
      monitor.cancel_at_poll(at);
      EXPECT_THROW(engine->compute(config), OperationCancelled);
    }
    monitor.reset();
    engine->compute(config);
    EXPECT_EQ(engine->count_differences().others, 0u);
  }
}

std::uint32_t colour_of(std::uint32_t pixel) {
  return pixel >> kVolumeColourShift & kVolumeMaxColour;
}
std::uint32_t box_of(std::uint32_t pixel) {
  return pixel >> kVolumeBoxShift & kVolumeMaxBox;
}

/// Half a sample per pixel, along the set's y axis.
SolidView along_y(std::uint32_t size) {
  return {.width = static_cast<int>(2 * size),
          .height = static_cast<int>(2 * size),
          .origin = {0, 0, -20},
          .right = {0.5f, 0, 0},
          .down = {0, 0.5f, 0},
          .direction = {0, 0, 1},
          .high = {size, size, size}};
}

/// A cube inside of the set, whose regions are filled on level 0.
VolumeConfig inside(MandelbrotMethod method) {
  return {.set = VolumeSet::kQuaternionJulia,
          .c = {},
          .box = {{0.1, 0.1, 0.1}, {0.2, 0.2, 0.2}},
          .size = 96,
          .dwell_limit = 16,
          .method = method,
          .g = 4};
}

TEST_F(Volume, EdgesOfFilledBoxesAreLinesInFrontAndOnACut) {
  const std::unique_ptr<VolumeEngine> engine = make_volume_engine(backend_);
  for (const MandelbrotMethod method : kMandelbrotMethods) {
    engine->compute(inside(method));
    for (const std::uint32_t layer : {0u, 58u}) {
      SolidView view = along_y(96);
      view.low.z = layer;
      SolidImage image;
      engine->draw(view, {.boxes = true}, MemorySpace::kHost, image);
      for (std::uint32_t j = 0; j < 190; ++j) {
        for (std::uint32_t i = 0; i < 190; ++i) {
          const bool is_edge = i % 48 == 47 || j % 48 == 47;  // between samples 23 and 24
          const std::uint32_t pixel = image.pixels[i + std::size_t{192} * j];
          EXPECT_EQ(box_of(pixel), method != MandelbrotMethod::kExhaustive && is_edge ? 1u : 0u)
              << name_of(method) << " " << layer << ": " << i << " " << j;
          EXPECT_EQ(pixel & kVolumeHit, kVolumeHit);
        }
      }
      engine->draw(view, {}, MemorySpace::kHost, image);
      EXPECT_TRUE(std::all_of(image.pixels, image.pixels + std::size_t{192} * 192,
                              [](std::uint32_t pixel) { return box_of(pixel) == 0; }));
    }
  }
}

TEST_F(Volume, ACutAlongFacesOfBoxesShowsTheirEdgesAlone) {
  const std::unique_ptr<VolumeEngine> engine = make_volume_engine(backend_);
  engine->compute(inside(MandelbrotMethod::kAsk));
  SolidView view = along_y(96);
  view.right = {1, 0, 0};  // lines are wider than the distance to the faces
  view.down = {0, 1, 0};
  view.width = view.height = 96;
  view.low.z = 48;
  SolidImage image;
  engine->draw(view, {.boxes = true}, MemorySpace::kHost, image);
  for (std::uint32_t j = 2; j < 94; ++j) {
    for (std::uint32_t i = 2; i < 94; ++i) {
      const auto is_edge = [](std::uint32_t at) { return at % 24 == 23 || at % 24 == 0; };
      EXPECT_EQ(box_of(image.pixels[i + std::size_t{96} * j]), is_edge(i) || is_edge(j) ? 1u : 0u)
          << i << " " << j;
    }
  }
}

TEST_F(Volume, BoxesInEmptySpaceAreLinesWithoutASurface) {
  const std::unique_ptr<VolumeEngine> engine = make_volume_engine(backend_);
  VolumeConfig config = inside(MandelbrotMethod::kAsk);
  config.box = {{10, 10, 10}, {11, 11, 11}};
  engine->compute(config);
  SolidImage image;
  engine->draw(along_y(96), {.boxes = true}, MemorySpace::kHost, image);
  EXPECT_EQ(box_of(image.pixels[47 + std::size_t{192} * 20]), 1u);
  EXPECT_EQ(image.pixels[47 + std::size_t{192} * 20] & kVolumeHit, 0u);
  EXPECT_EQ(image.pixels[20 + std::size_t{192} * 20], 0u);
}

TEST_F(Volume, ThreadBlocksHaveTheirColours) {
  const std::unique_ptr<VolumeEngine> engine = make_volume_engine(backend_);
  const VolumeLook look{.colouring = VolumeColouring::kThreadBlock};
  SolidImage image;
  const auto colours = [&](std::uint32_t first, std::uint32_t end) {
    std::set<std::uint32_t> found;
    for (std::uint32_t j = first; j < end; ++j) {
      for (std::uint32_t i = first; i < end; ++i)
        found.insert(colour_of(image.pixels[i + std::size_t{192} * j]));
    }
    return found;
  };
  const bool on_host = backend_.device.on_host;
  engine->compute(inside(MandelbrotMethod::kExhaustive));
  engine->draw(along_y(96), look, MemorySpace::kHost, image);
  const Coord3 block = on_host ? Coord3{96, 1, 1} : Coord3{8, 8, 2};
  for (std::uint32_t j = 2; j < 180; ++j) {
    for (std::uint32_t i = 2; i < 180; ++i) {
      const Coord3 sample{(i + 1) / 2, 2, 95 - (j + 1) / 2};
      const std::uint32_t number = sample.x / block.x + 5 * (sample.y / block.y) + 25 * (sample.z / block.z);
      EXPECT_EQ(colour_of(image.pixels[i + std::size_t{192} * j]), 1 + number % kVolumeLast) << i << " " << j;
    }
  }
  for (const RegionScheme scheme : kRegionSchemes) {
    VolumeConfig config = inside(MandelbrotMethod::kAsk);
    config.scheme = scheme;
    engine->compute(config);
    engine->draw(along_y(96), look, MemorySpace::kHost, image);
    const bool is_shared = scheme == RegionScheme::kMbr && !on_host;
    EXPECT_EQ(colours(2, 46).size() > 1, is_shared) << "in one region";
    EXPECT_GE(colours(2, 180).size(), 16u);
  }
}

TEST_F(Volume, PicturesMarkWhatWasFilledWronglyOnceItIsCounted) {
  const std::unique_ptr<VolumeEngine> engine = make_volume_engine(backend_);
  // A ball in the middle of the only region, whose faces are outside of it.
  VolumeConfig config{.set = VolumeSet::kQuaternionJulia,
                      .c = {},
                      .box = {{-20, -20, -20}, {20, 20, 20}},
                      .size = 80,
                      .dwell_limit = 16,
                      .g = 1,
                      .b = 80};
  engine->compute(config);
  const auto marked = [&](const SolidView& view, const VolumeLook& look) {
    SolidImage image;
    engine->draw(view, look, MemorySpace::kHost, image);
    std::size_t count = 0;
    for (std::size_t i = 0; i < std::size_t{160} * 160; ++i)
      count += (image.pixels[i] & kVolumeHit) != 0 && colour_of(image.pixels[i]) == kVolumeMiss ? 1 : 0;
    return count;
  };
  const VolumeLook look{.misses = true};
  EXPECT_EQ(marked(along_y(80), look), 0u) << "not counted yet";
  const VolumeDifferences differences = engine->count_differences();
  // Samples with |q| < 2 have another dwell than 0.
  EXPECT_NEAR(static_cast<double>(differences.filled), 4.0 / 3 * 3.1416 * 4 * 4 * 4, 30);
  const std::size_t disc = marked(along_y(80), look);
  EXPECT_NEAR(static_cast<double>(disc), 3.1416 * 8 * 8, 60) << "four pixels a sample";
  EXPECT_EQ(marked(along_y(80), {}), 0u);
  SolidView behind = along_y(80);
  behind.low.z = 50;  // a cut behind the ball
  EXPECT_EQ(marked(behind, look), 0u);
  engine->compute(config);
  EXPECT_EQ(marked(along_y(80), look), 0u) << "of another computation";
}

// With c = 0 the samples with |q|^(2^d) < 2 for d < D have a dwell of at least D: a ball of radius 2^(1 /
// 2^(D - 1)).
TEST_F(Volume, APictureOfABallIsADiscThatIsLitLikeABall) {
  const std::unique_ptr<VolumeEngine> engine = make_volume_engine(backend_);
  constexpr std::uint32_t kSize = 96;
  constexpr std::uint32_t kSurface = 5;
  const double radius = std::pow(2, 1.0 / 16) * kSize / 2.5;  // in samples
  std::map<MandelbrotMethod, std::size_t> hits;
  for (const MandelbrotMethod method : {MandelbrotMethod::kExhaustive, MandelbrotMethod::kAsk}) {
    engine->compute({.set = VolumeSet::kQuaternionJulia,
                     .c = {},
                     .size = kSize,
                     .dwell_limit = 16,
                     .method = method,
                     .g = 2,
                     .b = 4});
    // The middle of the set is at sample n / 2, from below.
    SolidView view = along_y(kSize);
    SolidImage image;
    const VolumeLook look{.surface = kSurface, .to_light = {0, 0, -1}};
    engine->draw(view, look, MemorySpace::kHost, image);
    double dark = 0;
    for (std::uint32_t j = 0; j < 2 * kSize; ++j) {
      for (std::uint32_t i = 0; i < 2 * kSize; ++i) {
        const std::uint32_t pixel = image.pixels[i + std::size_t{2 * kSize} * j];
        const bool is_hit = (pixel & kVolumeHit) != 0;
        const double light = (pixel >> kVolumeLightShift & kVolumeMaxLight) / 255.0;
        const double x = 0.5 * i - kSize / 2.0;
        const double y = 0.5 * j - (kSize - 1 - kSize / 2.0);
        const double from_middle = std::sqrt(x * x + y * y) / radius;
        hits[method] += is_hit ? 1 : 0;
        if (std::fabs(from_middle - 1) * radius > 1.5) {
          EXPECT_EQ(is_hit, from_middle < 1) << i << " " << j;
        }
        if (from_middle < 0.1) {
          EXPECT_GT(light, 0.9);
        }
        if (from_middle > 0.9 && from_middle < 0.95) dark = std::max(dark, light);
      }
    }
    EXPECT_LT(dark, 0.85) << "the light falls on the edge at an angle";
    // A cut in front of the middle shows the largest disc, whole and facing the light.
    view.low = {0, 0, kSize / 2};
    engine->draw(view, look, MemorySpace::kHost, image);
    const std::uint32_t middle = image.pixels[kSize + std::size_t{2 * kSize} * kSize];
    EXPECT_EQ(colour_of(middle),
              static_cast<std::uint32_t>(kVolumeLast * std::log1p(16.0 - kSurface) / std::log1p(16.0)));
    EXPECT_EQ(middle >> kVolumeLightShift & kVolumeMaxLight, kVolumeMaxLight);
  }
  EXPECT_NEAR(static_cast<double>(hits[MandelbrotMethod::kExhaustive]),
              static_cast<double>(hits[MandelbrotMethod::kAsk]), 20);
}

// A method changes how fast a ray finds the surface, and not where.
TEST_F(Volume, PicturesOfTheSameSamplesAreEqual) {
  const std::unique_ptr<VolumeEngine> engine = make_volume_engine(backend_);
  const SolidView view{.width = 160,
                       .height = 120,
                       .origin = {-30, -10, -80},
                       .right = {0.6f, 0, 0.2f},
                       .down = {0, 0.6f, 0},
                       .direction = {-0.2f, 0.1f, 1},
                       .high = {64, 64, 40},
                       .nearest = 0,
                       .farthest = 200};
  for (VolumeConfig config : {VolumeConfig{.size = 64, .dwell_limit = 40, .g = 4, .b = 4}, julia(64)}) {
    std::vector<std::uint32_t> samples;
    std::vector<std::uint32_t> pixels;
    for (const MandelbrotMethod method : kMandelbrotMethods) {
      config.method = method;
      engine->compute(config);
      std::vector<std::uint32_t> dwells;
      for (const VolumeSample sample : engine->samples()) dwells.push_back(dwell_of(sample));
      SolidImage image;
      engine->draw(view, {.surface = 6, .to_light = {-1, -1, -1}}, MemorySpace::kHost, image);
      const std::span drawn(image.pixels, std::size_t{160} * 120);
      if (samples.empty()) {
        samples = dwells;
        pixels.assign(drawn.begin(), drawn.end());
      }
      ASSERT_EQ(dwells, samples) << "nothing is filled wrongly here";
      EXPECT_TRUE(std::ranges::equal(drawn, pixels)) << name_of(config.set) << " " << name_of(method);
    }
  }
}

// Samples and their codes, by every method, order and scheme: every device computes the same ones.
TEST_F(Volume, SamplesAreThoseOfTheCpu) {
  const std::unique_ptr<VolumeEngine> cpu = cpu::make_volume_engine();
  const std::unique_ptr<VolumeEngine> engine = make_volume_engine(backend_);
  for (VolumeConfig config :
       {VolumeConfig{.size = 72, .dwell_limit = 40, .g = 3, .b = 3},
        VolumeConfig{.power = 3, .size = 64, .dwell_limit = 30, .g = 8, .b = 2}, julia(67)}) {
    for (const MandelbrotMethod method : kMandelbrotMethods) {
      config.method = method;
      cpu->compute(config);
      for (const RegionScheme scheme : kRegionSchemes) {
        config.scheme = scheme;
        const MandelbrotReport report = engine->compute(config);
        EXPECT_TRUE(std::ranges::equal(engine->samples(), cpu->samples()))
            << name_of(config.set) << " " << name_of(method) << " " << name_of(scheme);
        for (const MandelbrotLevel& level : report.levels) {
          EXPECT_EQ(level.regions, level.filled + level.leaves + level.splits);
          EXPECT_EQ(level.children, level.splits * config.r * config.r * config.r);
        }
      }
    }
  }
}

// Pixels are computed in floats, which devices may round differently.
TEST_F(Volume, PicturesAreThoseOfTheCpu) {
  const std::unique_ptr<VolumeEngine> cpu = cpu::make_volume_engine();
  const std::unique_ptr<VolumeEngine> engine = make_volume_engine(backend_);
  const VolumeConfig config{.size = 64, .dwell_limit = 40, .g = 4, .b = 4};
  cpu->compute(config);
  engine->compute(config);
  const SolidView view{.width = 160,
                       .height = 120,
                       .origin = {-30, -10, -80},
                       .right = {0.6f, 0, 0.2f},
                       .down = {0, 0.6f, 0},
                       .direction = {-0.2f, 0.1f, 1},
                       .high = {64, 64, 40},
                       .nearest = 0,
                       .farthest = 200};
  for (const VolumeColouring colouring : kVolumeColourings) {
    const VolumeLook look{.surface = 6, .to_light = {-1, -1, -1}, .colouring = colouring};
    SolidImage expected;
    SolidImage image;
    cpu->draw(view, look, MemorySpace::kHost, expected);
    engine->draw(view, look, MemorySpace::kHost, image);
    ASSERT_EQ(image.width, 160);
    std::size_t hits = 0;
    std::size_t different = 0;
    for (std::size_t i = 0; i < 160u * 120u; ++i) {
      hits += expected.pixels[i] & kVolumeHit;
      const auto light = [](std::uint32_t pixel) {
        return static_cast<int>(pixel >> kVolumeLightShift & kVolumeMaxLight);
      };
      different += (expected.pixels[i] & kVolumeHit) != (image.pixels[i] & kVolumeHit) ||
                           std::abs(light(expected.pixels[i]) - light(image.pixels[i])) > 8
                       ? 1
                       : 0;
    }
    EXPECT_GE(hits, 3000u);
    EXPECT_LE(different, hits / 100);
  }
}

}  // namespace
}  // namespace loom
