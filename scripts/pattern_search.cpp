// Looks for small patterns that do something on a fractal: still lifes, oscillators by period, and starts
// that live long before they repeat. Prints what it finds as RLE with the lines that tests/patterns checks.
//   pattern_search FRACTAL LEVEL RULE SECONDS [SEED]
// With --rules, looks for rules of Generations and Larger than Life that stay alive and form structures from
// a random start: one line each, with what was measured after 1000 generations. Rules with a name come first.
//   pattern_search --rules FRACTAL LEVEL SECONDS [SEED]
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <map>
#include <memory>
#include <random>
#include <set>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "app/patterns/pattern.h"
#include "compute/backend/engine_factory.h"
#include "compute/core/error.h"
#include "compute/geometry/canonical_order.h"
#include "compute/geometry/nbb_catalog.h"
#include "compute/workload/random_start.h"
#include "compute/workload/rule_text.h"

namespace {

using namespace loom;
using namespace loom::app::patterns;

constexpr std::uint32_t kLongest = 5000;  // generations that are followed
constexpr std::uint32_t kWidest = 7;      // of a start

/// Cells with the numbers of their neighbours: fast for the few cells that a search needs.
struct Graph {
  std::vector<Coord64> places;
  std::vector<std::vector<std::uint32_t>> neighbours;

  Graph(const NbbFractal& fractal, int level) {
    const CanonicalOrder<std::uint64_t> order(make_tiled_fractal(fractal, level, 1));
    std::uint64_t count = 1;
    for (int l = 0; l < level; ++l) count *= fractal.shape().k;
    const std::uint64_t width = fractal.width(level);
    const std::uint64_t height = fractal.height(level);
    for (std::uint64_t i = 0; i < count; ++i) {
      const Coord64 at = order.cell(i);
      places.push_back(at);
      neighbours.emplace_back();
      for (int d = 0; d < 9; ++d) {
        const std::uint64_t x =
            at.x + static_cast<std::uint64_t>(d % 3) - 1;  // below 0 wraps beyond the width
        const std::uint64_t y = at.y + static_cast<std::uint64_t>(d / 3) - 1;
        if (d == 4 || x >= width || y >= height) continue;
        if (const auto index = order.index({x, y}); index.present)
          neighbours.back().push_back(static_cast<std::uint32_t>(index.value));
      }
    }
  }
};

using State = std::vector<std::uint8_t>;

State next(const Graph& graph, const State& state, LifeRule rule) {
  State after(state.size());
  for (std::size_t i = 0; i < state.size(); ++i) {
    std::uint32_t around = 0;
    for (const std::uint32_t n : graph.neighbours[i]) around += state[n];
    after[i] = next_state(rule, state[i], around);
  }
  return after;
}

std::uint64_t hash_of(const State& state) {
  std::uint64_t hash = 0;
  for (std::size_t i = 0; i < state.size(); ++i) {
    if (state[i] != 0) hash += splitmix64(i);
  }
  return hash;
}

std::size_t living(const State& state) {
  return static_cast<std::size_t>(std::ranges::count(state, 1));
}

/// Where the states of a start begin to repeat, and how often.
struct Fate {
  std::uint32_t settles = 0;
  std::uint32_t period = 0;  ///< 0: not within kLongest
  State then = {};           ///< of the smallest state that repeats
};

Fate fate_of(const Graph& graph, const State& start, LifeRule rule) {
  std::unordered_map<std::uint64_t, std::uint32_t> seen;
  std::vector<State> states;
  State state = start;
  for (std::uint32_t generation = 0; generation < kLongest; ++generation) {
    const auto [found, fresh] = seen.emplace(hash_of(state), generation);
    if (!fresh) {
      const std::uint32_t first = found->second;
      const auto smallest = std::ranges::min_element(states.begin() + first, states.end(), {},
                                                     [](const State& s) { return living(s); });
      return {first, generation - first, *smallest};
    }
    states.push_back(state);
    state = next(graph, state, rule);
  }
  return {};
}

Pattern pattern_of(const Graph& graph, const State& state, const NbbFractal& fractal, int level,
                   LifeRule rule, const std::string& does) {
  Coord64 low{~std::uint64_t{0}, ~std::uint64_t{0}};
  for (std::size_t i = 0; i < state.size(); ++i) {
    if (state[i] == 0) continue;
    low = {std::min(low.x, graph.places[i].x), std::min(low.y, graph.places[i].y)};
  }
  Pattern pattern;
  for (std::size_t i = 0; i < state.size(); ++i) {
    if (state[i] == 0) continue;
    const Coord32 at{static_cast<std::uint32_t>(graph.places[i].x - low.x),
                     static_cast<std::uint32_t>(graph.places[i].y - low.y)};
    pattern.cells.push_back(at);
    pattern.width = std::max(pattern.width, at.x + 1);
    pattern.height = std::max(pattern.height, at.y + 1);
  }
  sort_cells(pattern);
  pattern.rule = rule;
  pattern.at = Coord<std::int64_t>{static_cast<std::int64_t>(low.x), static_cast<std::int64_t>(low.y)};
  pattern.comments = {fmt::format("fractal: {}, level {}", fractal.name(), level), "does: " + does};
  return pattern;
}

int search(const NbbFractal& fractal, int level, LifeRule rule, double seconds, std::uint64_t seed) {
  const Graph graph(fractal, level);
  std::mt19937_64 random(seed);
  std::map<std::uint32_t, std::pair<std::size_t, State>> by_period;  // the smallest of each
  Fate longest;
  State longest_start;
  const auto end = std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds);
  std::uint64_t starts = 0;
  for (; std::chrono::steady_clock::now() < end; ++starts) {
    const Coord64 middle = graph.places[random() % graph.places.size()];
    const std::uint64_t width = 2 + random() % kWidest;
    const std::uint64_t height = 2 + random() % kWidest;
    State state(graph.places.size());
    for (std::size_t i = 0; i < state.size(); ++i) {
      const Coord64 at = graph.places[i];
      state[i] = at.x - middle.x < width && at.y - middle.y < height && random() % 2 != 0 ? 1 : 0;
    }
    if (living(state) == 0) continue;
    Fate fate = fate_of(graph, state, rule);
    if (fate.period == 0) continue;
    if (fate.settles > longest.settles) {
      longest = fate;
      longest_start = state;
    }
    const std::size_t cells = living(fate.then);
    if (cells == 0) continue;
    auto& best = by_period[fate.period];
    if (best.second.empty() || cells < best.first) best = {cells, std::move(fate.then)};
  }
  fmt::print("# {} starts on {} level {} under {}\n\n", starts, fractal.name(), level, to_string(rule));
  for (const auto& [period, best] : by_period) {
    const std::string does = period == 1 ? "still" : fmt::format("period {}", period);
    fmt::print("{}\n", to_rle(pattern_of(graph, best.second, fractal, level, rule, does)));
  }
  if (longest.settles > 0) {
    const bool dies = living(longest.then) == 0;
    const std::string does =
        dies ? fmt::format("dies after {}", longest.settles)
             : fmt::format("settles after {}, period {}", longest.settles, longest.period);
    fmt::print("{}\n", to_rle(pattern_of(graph, longest_start, fractal, level, rule, does)));
  }
  return 0;
}

/// A range of counts that begins and ends at these parts of `most`.
CountRange range_of(double first, double length, double most) {
  const auto low = static_cast<std::uint16_t>(std::max(1.0, std::round(first * most)));
  return {low, static_cast<std::uint16_t>(std::round(low + length * most))};
}

/// A rule at random. The ranges of Larger than Life are parts of the cells that a neighbourhood has on
/// average: a fractal of dimension H has about (2 R + 1)^H.
LifeRule random_rule(std::mt19937_64& random, double dimension) {
  const auto real = [&](double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(random);
  };
  constexpr std::array<std::uint8_t, 10> kStates = {2, 2, 3, 3, 4, 5, 6, 8, 12, 24};
  LifeRule rule;
  rule.states = kStates[random() % kStates.size()];
  if (random() % 2 == 0) {
    rule.birth = static_cast<LifeRule::Counts>(random() & random() & 0x1fe);
    rule.survival = static_cast<LifeRule::Counts>(random() & random() & 0x1ff);
    rule.states = std::max<std::uint8_t>(rule.states, 3);
    return rule;
  }
  LargerThanLife& larger = rule.larger;
  larger.radius = static_cast<std::uint8_t>(2 + random() % 7);
  larger.shape = static_cast<Neighbourhood>(random() % 3);
  larger.middle = random() % 2 == 0;
  const double area = larger.area();
  const double cells = std::min(std::pow(std::sqrt(area), dimension), area - 2);
  larger.birth = range_of(real(0.08, 0.45), real(0.02, 0.3), cells);
  larger.survival = range_of(real(0.05, 0.5), real(0.02, 0.5), cells);
  const auto most = static_cast<std::uint16_t>(area - 1);
  larger.birth.last = std::min(larger.birth.last, most);
  larger.survival.last = std::min(larger.survival.last, most);
  return rule;
}

/// What a rule does after a random start.
struct Course {
  bool stays = false;   ///< alive and without a period of up to 64 generations
  double living = 0;    ///< part of the cells, alive
  double changing = 0;  ///< part of the cells, that the next generation changes
  double together = 0;  ///< correlation of the activity of cells that follow each other in canonical order
};

Course course_of(FractalEngine& engine, const LifeRule& rule, const RandomStart& start) {
  const Work work{.workload = Workload::kLife, .rule = rule};
  const auto cells = static_cast<double>(engine.cell_count());
  engine.clear();
  engine.reset(start);
  Course course;
  const auto lives = [&] {
    course.living = static_cast<double>(engine.census().population) / cells;
    return course.living > 0.01 && course.living < 0.7;
  };
  for (const std::uint32_t generations : {40u, 160u, 200u, 536u}) {
    engine.run(generations, work);
    if (!lives()) return course;
    const std::uint64_t before = engine.census().hash;
    engine.run(2, work);
    if (engine.census().hash == before) return course;
  }
  std::set<std::uint64_t> hashes;
  for (int i = 0; i < 64; ++i) {
    engine.run(1, work);
    if (!hashes.insert(engine.census().hash).second) return course;
  }
  std::vector<std::uint8_t> now(engine.cell_count());
  std::vector<std::uint8_t> next = now;
  engine.read_cells(0, now);
  engine.run(1, work);
  engine.read_cells(0, next);
  double active = 0;
  double changed = 0;
  double pairs = 0;
  for (std::size_t i = 0; i < now.size(); ++i) {
    changed += (now[i] == 1) != (next[i] == 1) ? 1 : 0;
    active += now[i] == 1 ? 1 : 0;
    if (i > 0) pairs += now[i] == 1 && now[i - 1] == 1 ? 1 : 0;
  }
  const double part = active / cells;
  course.changing = changed / cells;
  course.together = part > 0 && part < 1 ? (pairs / cells - part * part) / (part - part * part) : 0;
  course.stays = lives();
  return course;
}

int search_rules(const NbbFractal& fractal, int level, double seconds, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  FractalConfig config{.fractal = fractal, .level = level, .tile_size = 1};
  for (const std::uint32_t size : allowed_tile_sizes(fractal, level)) {
    if (size <= 32) config.tile_size = size;
  }
  config.method.map = MapKind::kLambda;
  const auto engine = make_fractal_engine(config, BackendSelection{});
  const double dimension = std::log(fractal.shape().k) / std::log(fractal.shape().s_x);
  const auto end = std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds);
  std::uint64_t tried = 0;
  for (; std::chrono::steady_clock::now() < end; ++tried) {
    const LifeRule rule =
        tried < named_rules().size() ? parse_rule(named_rules()[tried].rule) : random_rule(random, dimension);
    const RandomStart start{.seed = 1, .density = tried % 2 == 0 ? 0.5 : 0.2};
    const Course course = course_of(*engine, rule, start);
    if (!course.stays || course.changing < 0.01 || course.together < 0.25) continue;
    fmt::print("{}\t{}\t{}\t{}\t{:.3f}\t{:.3f}\t{:.3f}\n", fractal.name(), level, to_string(rule),
               start.density, course.living, course.changing, course.together);
  }
  fmt::print("# {} rules tried on {} level {}\n", tried, fractal.name(), level);
  return 0;
}

}  // namespace

int main(int count, char** words) {
  if (count < 5) {
    fmt::print(stderr,
               "usage: pattern_search FRACTAL LEVEL RULE SECONDS [SEED]\n"
               "       pattern_search --rules FRACTAL LEVEL SECONDS [SEED]\n");
    return 2;
  }
  try {
    if (words[1] == std::string_view("--rules")) {
      return search_rules(find_fractal(words[2]), std::atoi(words[3]), std::atof(words[4]),
                          count > 5 ? std::strtoull(words[5], nullptr, 10) : 1);
    }
    return search(find_fractal(words[1]), std::atoi(words[2]), parse_rule(words[3]), std::atof(words[4]),
                  count > 5 ? std::strtoull(words[5], nullptr, 10) : 1);
  } catch (const InputError& error) {
    fmt::print(stderr, "{}\n", error.what());
    return 2;
  }
}
