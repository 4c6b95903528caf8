// Looks for small patterns that do something on a fractal: still lifes, oscillators by period, and starts
// that live long before they repeat. Prints what it finds as RLE with the lines that tests/patterns checks.
//   pattern_search FRACTAL LEVEL RULE SECONDS [SEED]
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <map>
#include <random>
#include <unordered_map>
#include <vector>

#include "app/patterns/pattern.h"
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

}  // namespace

int main(int count, char** words) {
  if (count < 5) {
    fmt::print(stderr, "usage: pattern_search FRACTAL LEVEL RULE SECONDS [SEED]\n");
    return 2;
  }
  try {
    return search(find_fractal(words[1]), std::atoi(words[2]), parse_rule(words[3]), std::atof(words[4]),
                  count > 5 ? std::strtoull(words[5], nullptr, 10) : 1);
  } catch (const InputError& error) {
    fmt::print(stderr, "{}\n", error.what());
    return 2;
  }
}
