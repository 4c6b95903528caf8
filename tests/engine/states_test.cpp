// Rules of more than two states and of Larger than Life, compared with plain loops over the square that share
// no code with compute.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <map>
#include <optional>
#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "backend.h"
#include "compute/check/reference_life.h"
#include "compute/geometry/nbb_catalog.h"
#include "compute/workload/larger_life.h"
#include "compute/workload/rule_text.h"
#include "random_level_fractal.h"

namespace loom {
namespace {

using Random = std::mt19937_64;

std::uint64_t scrambled(std::uint64_t z) {
  z += 0x9E3779B97F4A7C15u;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
  return z ^ (z >> 31);
}

struct PlainRule {
  std::set<int> born;
  std::set<int> survives;
  int states = 2;
  int radius = 1;
  char shape = 'M';
  bool middle = false;
  bool larger = false;

  bool is_near(std::int64_t dx, std::int64_t dy) const {
    if (dx == 0 && dy == 0) return middle;
    if (shape == 'N') return std::abs(dx) + std::abs(dy) <= radius;
    return shape == 'M' || dx * dx + dy * dy <= radius * radius + radius;
  }
  /// The cells that a cell counts.
  int area() const {
    int area = 0;
    for (int dy = -radius; dy <= radius; ++dy) {
      for (int dx = -radius; dx <= radius; ++dx) area += is_near(dx, dy) ? 1 : 0;
    }
    return area;
  }
  std::string text() const {
    if (larger) {
      const auto range = [](const std::set<int>& counts) {
        return std::to_string(*counts.begin()) + ".." + std::to_string(*counts.rbegin());
      };
      return "R" + std::to_string(radius) + ",C" + std::to_string(states == 2 ? 0 : states) + ",M" +
             (middle ? "1" : "0") + ",S" + range(survives) + ",B" + range(born) + ",N" + shape;
    }
    std::string text = "B";
    for (const int count : born) text += std::to_string(count);
    text += "/S";
    for (const int count : survives) text += std::to_string(count);
    return text + "/C" + std::to_string(states);
  }
};

/// A square of points with the states of the cells; holes are -1.
class PlainField {
 public:
  PlainField(const NbbFractal& fractal, int level) {
    std::uint64_t cells = 1;
    std::uint64_t extent_x = 1;
    for (int mu = 1; mu <= level; ++mu) {
      const Generator& generator = fractal.generator(level, mu);
      width_ *= generator.s_x;
      height_ *= generator.s_y;
      cells *= generator.offsets.size();
      if (mu % 2 == 1) extent_x *= generator.offsets.size();
    }
    grid_.assign(width_ * height_, -1);
    for (std::uint64_t index = 0; index < cells; ++index) {
      std::uint64_t compact[2] = {index % extent_x, index / extent_x};
      std::uint64_t x = 0, y = 0, side_x = 1, side_y = 1;
      for (int mu = 1; mu <= level; ++mu) {
        const Generator& generator = fractal.generator(level, mu);
        std::uint64_t& digits = compact[(mu - 1) % 2];
        const std::uint64_t replica = digits % generator.offsets.size();
        digits /= generator.offsets.size();
        if (!generator.orientations.empty()) turn(generator.orientations[replica], side_x, x, y);
        x += generator.offsets[replica].x * side_x;
        y += generator.offsets[replica].y * side_y;
        side_x *= generator.s_x;
        side_y *= generator.s_y;
      }
      places_.push_back(y * width_ + x);
      grid_[places_.back()] = 0;
    }
  }

  void seed(std::uint64_t seed, double density) {
    for (std::uint64_t i = 0; i < places_.size(); ++i) {
      const double unit = static_cast<double>(scrambled(seed + scrambled(i)) >> 11) / 9007199254740992.0;
      grid_[places_[i]] = unit < density ? 1 : 0;
    }
  }

  void step(const PlainRule& rule) {
    std::vector<int> next = grid_;
    const auto width = static_cast<std::int64_t>(width_);
    const auto height = static_cast<std::int64_t>(height_);
    const std::int64_t radius = rule.radius;
    for (std::int64_t y = 0; y < height; ++y) {
      for (std::int64_t x = 0; x < width; ++x) {
        const int state = grid_[static_cast<std::size_t>(y * width + x)];
        if (state < 0) continue;
        int living = 0;
        for (std::int64_t v = std::max<std::int64_t>(0, y - radius); v <= std::min(height - 1, y + radius);
             ++v) {
          for (std::int64_t u = std::max<std::int64_t>(0, x - radius); u <= std::min(width - 1, x + radius);
               ++u) {
            if (grid_[static_cast<std::size_t>(v * width + u)] == 1 && rule.is_near(u - x, v - y)) ++living;
          }
        }
        int& then = next[static_cast<std::size_t>(y * width + x)];
        if (state == 0) {
          then = rule.born.contains(living) ? 1 : 0;
        } else if (state == 1 && rule.survives.contains(living)) {
          then = 1;
        } else {
          then = state + 1 == rule.states ? 0 : state + 1;
        }
      }
    }
    grid_ = std::move(next);
  }

  std::vector<std::uint8_t> cells() const {
    std::vector<std::uint8_t> cells;
    for (const std::uint64_t place : places_) cells.push_back(static_cast<std::uint8_t>(grid_[place]));
    return cells;
  }
  void set(const std::vector<std::uint8_t>& cells) {
    for (std::size_t i = 0; i < cells.size(); ++i) grid_[places_[i]] = cells[i];
  }
  std::uint64_t hash() const {
    std::uint64_t hash = 0;
    for (std::uint64_t i = 0; i < places_.size(); ++i)
      hash += static_cast<std::uint64_t>(grid_[places_[i]]) * scrambled(i);
    return hash;
  }
  std::vector<std::uint64_t> counts(std::size_t states) const {
    std::vector<std::uint64_t> counts(states);
    for (const std::uint64_t place : places_) ++counts[static_cast<std::size_t>(grid_[place])];
    return counts;
  }
  /// The state of the point at a coordinate; -1 for a hole.
  int at(std::uint64_t x, std::uint64_t y) const { return grid_[y * width_ + x]; }
  std::uint64_t width() const { return width_; }
  std::uint64_t height() const { return height_; }

 private:
  /// The image of a point of a square of side n.
  static void turn(Symmetry symmetry, std::uint64_t n, std::uint64_t& x, std::uint64_t& y) {
    const std::uint64_t from_right = n - 1 - x;
    const std::uint64_t from_below = n - 1 - y;
    switch (symmetry) {
      case Symmetry::kIdentity:
        return;
      case Symmetry::kRotate90:
        y = std::exchange(x, from_below);
        return;
      case Symmetry::kRotate180:
        x = from_right, y = from_below;
        return;
      case Symmetry::kRotate270:
        x = std::exchange(y, from_right);
        return;
      case Symmetry::kMirrorX:
        x = from_right;
        return;
      case Symmetry::kMirrorY:
        y = from_below;
        return;
      case Symmetry::kTranspose:
        std::swap(x, y);
        return;
      case Symmetry::kAntitranspose:
        x = from_below, y = from_right;
        return;
    }
  }

  std::uint64_t width_ = 1;
  std::uint64_t height_ = 1;
  std::vector<std::uint64_t> places_;
  std::vector<int> grid_;
};

std::uint64_t below(Random& random, std::uint64_t end) {
  return random() % end;
}

PlainRule any_rule(Random& random) {
  PlainRule rule;
  rule.states = static_cast<int>(2 + below(random, below(random, 4) == 0 ? 254 : 7));
  for (int count = 0; count <= 8; ++count) {
    if (below(random, 3) == 0) rule.born.insert(count);
    if (below(random, 2) == 0) rule.survives.insert(count);
  }
  return rule;
}

/// Ranges near the numbers that occur where a part of the neighbours are alive.
PlainRule any_larger_rule(Random& random) {
  PlainRule rule;
  rule.larger = true;
  rule.radius = static_cast<int>(1 + below(random, 16));
  rule.shape = "MMNC"[below(random, 4)];
  rule.middle = below(random, 2) == 1;
  rule.states = static_cast<int>(2 + (below(random, 2) == 0 ? 0 : below(random, 254)));
  const int area = rule.area();
  for (std::set<int>* counts : {&rule.born, &rule.survives}) {
    const auto first = static_cast<int>(below(random, static_cast<std::uint64_t>(area) / 2 + 1));
    const auto more = static_cast<int>(below(random, static_cast<std::uint64_t>(area) / 3 + 1));
    for (int count = first; count <= std::min(area, first + more); ++count) counts->insert(count);
  }
  return rule;
}

NbbFractal any_fractal(Random& random) {
  if (below(random, 3) == 0) return tests::random_level_fractal(random());  // mixed or turned
  if (below(random, 2) == 0) {
    const auto& all = catalog();
    return all[below(random, all.size())];
  }
  std::vector<Coord32> offsets;
  std::uint32_t s_x = 0;
  std::uint32_t s_y = 0;
  while (offsets.size() < 2) {
    offsets.clear();
    s_x = 1 + static_cast<std::uint32_t>(below(random, 5));
    s_y = 1 + static_cast<std::uint32_t>(below(random, 5));
    if (s_x == 1 && s_y == 1) continue;
    for (std::uint32_t i = 0; i < s_x * s_y; ++i) {
      if (below(random, 3) != 0) offsets.push_back({i % s_x, i / s_x});
    }
  }
  return {"any", s_x, s_y, offsets};
}

std::vector<FractalConfig> byte_methods(const NbbFractal& fractal, int level) {
  auto configs = all_methods(fractal, level, MethodSet::kAll);
  std::erase_if(configs,
                [](const FractalConfig& config) { return config.method.storage == CellStorage::kBits; });
  return configs;
}

SolidFractal any_solid_fractal(Random& random) {
  if (below(random, 2) == 0) return solid_catalog()[below(random, solid_catalog().size())];
  std::vector<Coord3> offsets;
  Coord3 scale;
  while (offsets.size() < 2 || offsets.size() == scale.x * scale.y * scale.z) {
    offsets.clear();
    const auto side = [&] { return static_cast<std::uint32_t>(1 + below(random, kMaxSolidScale)); };
    scale = {side(), side(), side()};
    for (std::uint32_t i = 0; i < scale.x * scale.y * scale.z; ++i) {
      if (below(random, 3) != 0)
        offsets.push_back({i % scale.x, i / scale.x % scale.y, i / scale.x / scale.y});
    }
  }
  return {"any", scale, offsets};
}

class States : public tests::EngineTest {
 protected:
  /// The cases of a test: as many as every run has, or LOOM_RANDOM_RULES, which are others.
  int begin(std::uint64_t seed, int in_every_run) {
    const char* const count = std::getenv("LOOM_RANDOM_RULES");
    random_.seed(count == nullptr ? seed : seed + 1000);
    return count == nullptr ? in_every_run : std::atoi(count);
  }
  void compare_with_plain_loop(const PlainRule& rule, CellStorage storage = CellStorage::kBytes);
  /// Prints how often each combination was drawn, in long runs.
  void TearDown() override {
    if (std::getenv("LOOM_RANDOM_RULES") == nullptr) return;
    for (const auto& [combination, count] : drawn_) std::cout << count << " " << combination << "\n";
  }

  Random random_;
  std::map<std::string, int> drawn_;  ///< by map, storage and counting
};

/// A method of a map and a storage that runs a rule on a fractal, if there is one.
std::optional<FractalConfig> any_method(const NbbFractal& fractal, int level, const LifeRule& rule,
                                        const MapMethod& of, Random& random) {
  auto methods = all_methods(fractal, level, MethodSet::kAll);
  std::erase_if(methods, [&](const FractalConfig& config) {
    return config.method.map != of.map || config.method.storage != of.storage;
  });
  for (int attempt = 0; attempt < 30 && !methods.empty(); ++attempt) {
    FractalConfig config = methods[below(random, methods.size())];
    config.method.counting = of.counting;
    if (below(random, 2) == 0) config.method.tiles = 1u << below(random, 7);
    const TiledFractal tiled = make_tiled_fractal(fractal, level, config.tile_size);
    if (method_problem(config.method, tiled).empty() && work_problem<2>(config, {.rule = rule}).empty())
      return config;
  }
  return std::nullopt;
}

/// Steps a rule on a fractal with a method by `random_`, and compares everything with the plain loop.
void States::compare_with_plain_loop(const PlainRule& rule, CellStorage storage) {
  const bool in_bits = storage == CellStorage::kBits;
  const LifeRule read = parse_rule(rule.text());
  ASSERT_EQ(read.states, rule.states);
  ASSERT_EQ(to_string(read),
            rule.states == 2 && !rule.larger ? rule.text().substr(0, rule.text().size() - 3) : rule.text());
  MapMethod of{.map = kMapKinds[below(random_, kMapKinds.size())], .storage = storage};
  if (in_bits && of.map == MapKind::kLambda) of.map = MapKind::kCompact;
  if (rule.larger && !in_bits) of.counting = kCountings[below(random_, rule.shape == 'M' ? 5 : 3)];
  std::optional<FractalConfig> method;
  while (!method) {
    const NbbFractal fractal = any_fractal(random_);
    const std::uint64_t points = in_bits ? 16384 : 4096;  // rows of several words
    const auto most = static_cast<std::uint64_t>(tests::level_of_points(fractal, points));
    const auto level = static_cast<int>(below(random_, most + 1));
    method = any_method(fractal, level, read, of, random_);
  }
  const FractalConfig& config = *method;
  std::string combination = std::string(name_of(of.map)) + " " + std::string(name_of(storage));
  if (rule.larger) {
    combination += " Larger than Life ";
    if (!in_bits)
      combination += name_of(counting_of(config.method,
                                         make_tiled_fractal(config.fractal, config.level, config.tile_size),
                                         read.larger, !backend_.device.on_host));
  }
  ++drawn_[combination];
  SCOPED_TRACE(rule.text() + ", " + tests::describe(config) + ", " + combination);
  const auto engine = make(config);
  PlainField plain(config.fractal, config.level);
  const std::uint64_t seed = random_();
  plain.seed(seed, 0.4);
  engine->reset({.seed = seed, .density = 0.4});
  const auto steps = static_cast<std::uint32_t>(1 + below(random_, in_bits ? 3 : rule.larger ? 4 : 12));
  engine->step(steps, read);
  for (std::uint32_t i = 0; i < steps; ++i) plain.step(rule);
  std::vector<std::uint8_t> cells(engine->cell_count());
  engine->read_cells(0, cells);
  ASSERT_EQ(cells, plain.cells());
  EXPECT_EQ(engine->census().hash, plain.hash());
  EXPECT_EQ(engine->census().population, plain.counts(256)[1]);
  EXPECT_EQ(count_states(*engine), plain.counts(static_cast<std::size_t>(rule.states)));
  const std::uint64_t x = below(random_, plain.width());
  const std::uint64_t y = below(random_, plain.height());
  EXPECT_EQ(engine->cell({x, y}).has_value() ? int{*engine->cell({x, y})} : -1, plain.at(x, y));
}

TEST_F(States, RandomRulesOnRandomFractalsEqualAPlainLoop) {
  for (int left = begin(7, 2000); left > 0 && !HasFailure(); --left)
    compare_with_plain_loop(any_rule(random_));
  EXPECT_EQ(drawn_.size(), 3u);
}

TEST_F(States, RandomRulesOfLargerThanLifeEqualAPlainLoop) {
  for (int left = begin(11, 400); left > 0 && !HasFailure(); --left)
    compare_with_plain_loop(any_larger_rule(random_));
  EXPECT_EQ(drawn_.size(), 12u) << "every counting on every map";
}

TEST_F(States, RandomRulesInBitsEqualAPlainLoop) {
  for (int left = begin(13, 300); left > 0 && !HasFailure(); --left) {
    const bool larger = below(random_, 2) == 0;
    PlainRule rule;
    do {
      rule = larger ? any_larger_rule(random_) : any_rule(random_);
    } while (rule.shape != 'M' || rule.states != 2);
    compare_with_plain_loop(rule, CellStorage::kBits);
  }
  EXPECT_EQ(drawn_.size(), 4u) << "both families on both maps";
}

TEST_F(States, RandomRulesInSpaceEqualTheReference) {
  for (int left = begin(17, 200); left > 0 && !HasFailure(); --left) {
    const SolidFractal fractal = any_solid_fractal(random_);
    int level = 0;
    while (level < fractal.max_level() && ReferenceLife::bytes_needed(fractal, level + 1) <= 65536) ++level;
    level = static_cast<int>(below(random_, static_cast<std::uint64_t>(level) + 1));
    constexpr std::uint64_t kAllCounts = (1u << (SolidRule::kNeighbours + 1)) - 1;
    SolidRule rule;
    rule.birth = static_cast<std::uint32_t>(random_() & random_() & kAllCounts);
    rule.survival = static_cast<std::uint32_t>(random_() & kAllCounts);
    rule.states = static_cast<std::uint8_t>(2 + below(random_, below(random_, 4) == 0 ? 254 : 7));
    const auto configs = all_methods(fractal, level, MethodSet::kAll);
    const SolidConfig& config = configs[below(random_, configs.size())];
    ++drawn_[std::string(name_of(config.method.map)) + " in space"];
    SCOPED_TRACE(to_string(rule) + ", " + fractal.name() + " " + std::to_string(level) + " tile size " +
                 std::to_string(config.tile_size) + " " + to_string(config.method));
    const RandomStart start{.seed = random_(), .density = 0.3};
    const auto steps = static_cast<std::uint32_t>(1 + below(random_, 6));
    ReferenceLife reference(fractal, level);
    reference.reset(start);
    reference.step(steps, rule);
    const auto engine = make_fractal_engine(config, backend_);
    engine->reset(start);
    engine->step(steps, rule);
    std::vector<std::uint8_t> cells(engine->cell_count());
    engine->read_cells(0, cells);
    ASSERT_EQ(cells, reference.cells());
    ASSERT_EQ(engine->census().hash, reference.census().hash);
  }
  EXPECT_EQ(drawn_.size(), 3u);
}

// Every map and tile size on every built-in fractal, with turned and mixed ones, against the reference.
TEST_F(States, EveryMethodEqualsTheReference) {
  const LifeRule rules[] = {parse_rule("B2/S345/C4"), parse_rule("B2/S/C3"), parse_rule("B13/S02/C255")};
  const LifeRule larger[] = {parse_rule("R5,C0,M1,S6..28,B6..15,NM"), parse_rule("R3,C4,M0,S2..9,B3..7,NC"),
                             parse_rule("R16,C3,M0,S40..500,B60..250,NM")};
  std::vector<NbbFractal> fractals(catalog().begin(), catalog().end());
  for (const char* name : {"carpet-vicsek", "mirrored-gasket"}) fractals.push_back(find_fractal(name));
  for (const NbbFractal& fractal : fractals) {
    for (int level = 0; level <= 3; ++level) {
      for (const LifeRule& rule : {rules[level % 3], larger[level % 3]}) {
        ReferenceLife reference(fractal, level);
        reference.reset({.seed = 3, .density = 0.4});
        reference.step(9, rule);
        auto configs = byte_methods(fractal, level);
        // Larger rules, whose counting knows neither arithmetic nor halo, with a part of the methods.
        for (std::size_t i = 0; i < configs.size(); i += rule.is_larger() ? 5 : 1) {
          FractalConfig& config = configs[i];
          config.method.counting = kCountings[i / 5 % kCountings.size()];
          if (!work_problem<2>(config, {.rule = rule}).empty()) continue;
          SCOPED_TRACE(to_string(rule) + " " + tests::describe(config));
          const auto engine = make(config);
          engine->reset({.seed = 3, .density = 0.4});
          engine->step(4, rule);
          engine->step(5, rule);
          std::vector<std::uint8_t> cells(engine->cell_count());
          engine->read_cells(0, cells);
          ASSERT_EQ(cells, reference.cells());
        }
      }
    }
  }
}

FractalConfig carpet(CellStorage storage = CellStorage::kBytes) {
  return {find_fractal("sierpinski-carpet"),
          3,
          storage == CellStorage::kBits ? 1u : 9u,
          {.map = MapKind::kCompact, .storage = storage}};
}

TEST_F(States, AreCopiedAsBytesAndAsPlanesOfBits) {
  const auto engine = make(carpet());
  engine->reset({.seed = 1, .density = 0.3});
  engine->step(8, parse_rule("B2/S345/C6"));
  EXPECT_EQ(engine->states(), 6u);
  std::vector<std::uint8_t> cells(engine->cell_count());
  engine->read_cells(0, cells);
  ASSERT_GT(*std::max_element(cells.begin(), cells.end()), 1);
  const std::uint64_t plane = bytes_of_bits(cells.size());
  std::vector<std::uint8_t> bits(plane * planes_of(engine->states()), 0xff);
  ASSERT_EQ(bits.size(), 3 * plane);
  engine->read_bits(bits);
  const auto again = make(carpet());
  again->write_bits(bits);
  std::vector<std::uint8_t> found(cells.size());
  again->read_cells(0, found);
  EXPECT_EQ(found, cells);
  const auto third = make(carpet());
  transfer_cells(*engine, *third);
  EXPECT_EQ(third->census().hash, engine->census().hash);
  third->step(3, parse_rule("B2/S345/C6"));
  engine->step(3, parse_rule("B2/S345/C6"));
  EXPECT_EQ(third->census().hash, engine->census().hash);
  // Bit-packed storage keeps the living cells.
  engine->read_cells(0, cells);
  engine->read_bits(bits);
  const auto packed = make(carpet(CellStorage::kBits));
  packed->write_bits(bits);
  EXPECT_EQ(packed->census().population, engine->census().population);
  transfer_cells(*engine, *packed);
  EXPECT_EQ(packed->census().population, engine->census().population);
}

TEST_F(States, ThatWorkLacksBecomeDead) {
  const auto engine = make(carpet());
  engine->reset({.seed = 1, .density = 0.3});
  engine->step(8, parse_rule("B2/S345/C6"));
  PlainField plain(find_fractal("sierpinski-carpet"), 3);
  std::vector<std::uint8_t> cells(engine->cell_count());
  engine->read_cells(0, cells);
  ASSERT_GT(*std::max_element(cells.begin(), cells.end()), 2);
  engine->run(0, {.rule = parse_rule("B3/S23")});
  EXPECT_EQ(engine->states(), 6u) << "without work, cells stay";
  for (const int states : {3, 2}) {
    const auto changed = make(carpet());
    changed->write_cells(0, cells);
    auto kept = cells;
    for (std::uint8_t& state : kept) state = state < states ? state : 0;
    plain.set(kept);
    plain.step({.born = {3}, .survives = {2, 3}, .states = states});
    changed->step(1, parse_rule("B3/S23/C" + std::to_string(states)));
    std::vector<std::uint8_t> found(cells.size());
    changed->read_cells(0, found);
    EXPECT_EQ(found, plain.cells()) << states;
  }
}

TEST_F(States, AreRefusedByBitPackedStorage) {
  const auto engine = make(carpet(CellStorage::kBits));
  EXPECT_THROW(engine->step(1, parse_rule("B2/S345/C4")), InputError);
  const FrameRequest request{.generations = 1, .work = {.rule = parse_rule("B2/S345/C4")}};
  EXPECT_THROW(engine->frame(request), InputError);
  engine->step(1, parse_rule("B2/S345/C2"));
  for (const MapKind map : {MapKind::kBoundingBox, MapKind::kCompact}) {
    FractalConfig config = carpet(CellStorage::kBits);
    config.method.map = map;
    const auto bits = make(config);
    EXPECT_THROW(bits->step(1, parse_rule("R5,C4,M1,S34..58,B34..45,NM")), InputError);
    EXPECT_THROW(bits->step(1, parse_rule("R5,C0,M1,S20..40,B20..30,NC")), InputError);
    bits->step(1, parse_rule("Bugs"));
  }
  const auto wide =
      make({find_fractal("cantor"), 12, 1, {.map = MapKind::kCompact, .storage = CellStorage::kBits}});
  EXPECT_THROW(wide->step(1, parse_rule("Bugs")), InputError);
}

// Neighbourhoods across words, strips of rows and the ends of the square, at every radius, in words against
// bytes.
TEST_F(States, LargerThanLifeInBitsEqualsBytesOnWideSquares) {
  const NbbFractal square("square", 2, 2, {{0, 0}, {1, 0}, {0, 1}, {1, 1}});
  for (const NbbFractal& fractal : {square, find_fractal("sierpinski-carpet")}) {
    const int level = fractal.shape().s_x == 2 ? 8 : 5;  // 256 and 243 points
    const auto bytes = make({fractal, level, 1, {.map = MapKind::kBoundingBox}});
    const auto rows =
        make({fractal, level, 1, {.map = MapKind::kBoundingBox, .storage = CellStorage::kBits}});
    const auto planes = make({fractal, level, 1, {.map = MapKind::kCompact, .storage = CellStorage::kBits}});
    for (int radius = 1; radius <= 16; ++radius) {
      const int area = (2 * radius + 1) * (2 * radius + 1);
      const LifeRule rule =
          parse_rule("R" + std::to_string(radius) + ",C0,M" + std::to_string(radius % 2) + ",S" +
                     std::to_string(area / 5) + ".." + std::to_string(area / 2) + ",B" +
                     std::to_string(area / 4) + ".." + std::to_string(area * 2 / 5) + ",NM");
      for (const auto* engine : {&bytes, &rows, &planes}) {
        (*engine)->reset({.seed = 5, .density = 0.4});
        (*engine)->step(2, rule);
      }
      ASSERT_GT(bytes->census().population, 0u) << radius;
      ASSERT_EQ(rows->census().hash, bytes->census().hash) << fractal.name() << radius;
      ASSERT_EQ(planes->census().hash, bytes->census().hash) << fractal.name() << radius;
    }
  }
}

// The value of the specification, and the ends of what tiles and radii allow.
TEST_F(States, LargerThanLifeHasItsCheckValue) {
  FractalConfig config{find_fractal("sierpinski-carpet"), 4, 27, {.map = MapKind::kCompact}};
  for (const std::uint32_t tile_size : {1u, 3u, 9u, 27u}) {
    for (const Counting counting : kCountings) {
      config.tile_size = tile_size;
      config.method.counting = counting;
      ASSERT_EQ(work_problem<2>(config, {.rule = parse_rule("Bugs")}), "");
      const auto engine = make(config);
      engine->reset({.seed = 1, .density = 0.5});
      engine->step(12, parse_rule("R5,C0,M1,S34..58,B34..45,NM"));
      EXPECT_EQ(engine->census().population, 397u);
      EXPECT_EQ(engine->census().hash, 0x64e319d1f43c9118u);
    }
  }
  for (const MapKind map : {MapKind::kBoundingBox, MapKind::kCompact}) {
    const auto in_bits = make({config.fractal, 4, 1, {.map = map, .storage = CellStorage::kBits}});
    in_bits->reset({.seed = 1, .density = 0.5});
    in_bits->step(12, parse_rule("R5,C0,M1,S34..58,B34..45,NM"));
    EXPECT_EQ(in_bits->census().hash, 0x64e319d1f43c9118u);
  }
  const NbbFractal line("line", 2, 1, {{0, 0}, {1, 0}});
  const auto thin = make({line, 10, 1024, {.map = MapKind::kLambda}});
  EXPECT_THROW(thin->step(1, parse_rule("R16,C0,M1,S34..58,B34..45,NM")), InputError);
  thin->step(1, parse_rule("R4,C0,M1,S34..58,B34..45,NM"));
  for (const Counting counting : {Counting::kBits, Counting::kTensor}) {
    config.method.counting = counting;
    const auto engine = make(config);
    EXPECT_THROW(engine->step(1, parse_rule("R5,C0,M1,S20..40,B20..30,NC")), InputError);
    const auto wide = make({line, 10, 64, {.map = MapKind::kLambda, .counting = counting}});
    EXPECT_THROW(wide->step(1, parse_rule("Bugs")), InputError);
  }
}

// A pixel of one cell has the cell's brightness, a pixel of several cells the mean.
TEST_F(States, FadeInThePicture) {
  for (const std::uint32_t tile_size : {1u, 3u, 9u, 27u}) {
    FractalConfig config = carpet();
    config.tile_size = tile_size;
    const auto engine = make(config);
    engine->reset({.seed = 1, .density = 0.3});
    engine->step(8, parse_rule("B2/S345/C6"));
    PlainField plain(config.fractal, config.level);
    std::vector<std::uint8_t> cells(engine->cell_count());
    engine->read_cells(0, cells);
    plain.set(cells);
    for (const int pixel : {1, 2, 7, 27}) {
      Viewport view;
      view.states = 6;
      for (int edge = 0; edge < 27 + pixel; edge += pixel) {
        view.x_edges.push_back(std::min(edge, 27));
        view.y_edges.push_back(std::min(edge, 27));
      }
      ImageView image;
      engine->resolve(view, MemorySpace::kHost, image);
      const auto pixels = tests::pixels_of(image);
      for (int row = 0; row < image.height; ++row) {
        for (int column = 0; column < image.width; ++column) {
          std::uint64_t found = 0;
          std::uint64_t sum = 0;
          for (int y = row * pixel; y < std::min(27, (row + 1) * pixel); ++y) {
            for (int x = column * pixel; x < std::min(27, (column + 1) * pixel); ++x) {
              const int state = plain.at(static_cast<std::uint64_t>(x), static_cast<std::uint64_t>(y));
              if (state < 0) continue;
              ++found;
              if (state > 0) sum += static_cast<std::uint64_t>(6 - state);
            }
          }
          const std::uint64_t most = 5 * found;
          const std::uint64_t value = found == 0 ? 0 : 1 + (sum * 65534 + most / 2) / most;
          ASSERT_EQ(pixels[static_cast<std::size_t>(row * image.width + column)], value)
              << tile_size << " " << pixel << " " << row << " " << column;
        }
      }
    }
  }
}

TEST_F(States, AreEditedAndProbed) {
  const auto engine = make(carpet());
  const std::vector<CellEdit> edits = {{{0, 0}, 3}, {{2, 0}, 1}, {{1, 1}, 2}};
  const FrameReport report = engine->frame({.edits = edits, .probe = Coord64{0, 0}});
  EXPECT_EQ(report.edited, 2u) << "(1, 1) is a hole";
  EXPECT_EQ(report.probed, std::uint8_t{3});
  EXPECT_EQ(engine->cell({2, 0}), std::uint8_t{1});
  EXPECT_EQ(engine->cell({1, 1}), std::nullopt);
  engine->step(1, parse_rule("B/S/C5"));
  EXPECT_EQ(engine->cell({0, 0}), std::uint8_t{4});
  EXPECT_EQ(engine->cell({2, 0}), std::uint8_t{2});
  engine->step(1, parse_rule("B/S/C5"));
  EXPECT_EQ(engine->cell({0, 0}), std::uint8_t{0});
}

// In three dimensions the reference's plain loop is the oracle, and the hash is that of its cells.
TEST_F(States, OfThreeDimensionsEqualTheReference) {
  for (const SolidFractal& fractal : solid_catalog()) {
    for (int level = 0; level <= 2; ++level) {
      const SolidRule rule = parse_solid_rule(level == 1 ? "B4..6/S5..8/C5" : "B3,4/S2..6/C17");
      ReferenceLife reference(fractal, level);
      reference.reset({.seed = 2, .density = 0.3});
      reference.step(7, rule);
      for (const SolidConfig& config : all_methods(fractal, level, MethodSet::kMaps)) {
        SCOPED_TRACE(fractal.name() + " " + std::to_string(level) + " tile size " +
                     std::to_string(config.tile_size) + " " + std::string(name_of(config.method.map)));
        const auto engine = make_fractal_engine(config, backend_);
        engine->reset({.seed = 2, .density = 0.3});
        engine->step(7, rule);
        std::vector<std::uint8_t> cells(engine->cell_count());
        engine->read_cells(0, cells);
        ASSERT_EQ(cells, reference.cells());
        EXPECT_EQ(engine->census().hash, reference.census().hash);
        EXPECT_EQ(engine->census().population, reference.census().population);
      }
    }
  }
}

}  // namespace
}  // namespace loom
