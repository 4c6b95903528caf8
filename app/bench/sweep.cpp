#include "app/bench/sweep.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "app/bench/mandelbrot_results.h"
#include "compute/core/error.h"

namespace loom::app::bench {
namespace {

template <typename Config>
std::string text_of(const CellCase<Config>& one) {
  return fmt::format("level {}, {}, tile size {}{}", one.config.level, name_of(one.config.method.map),
                     one.config.tile_size, one.devices > 1 ? fmt::format(", {} devices", one.devices) : "");
}

std::string text_of(const MandelbrotCase& one) {
  return fmt::format("n {}, {}", one.view.width, method_text(one.config));
}

}  // namespace

std::string short_text(const Case& one) {
  return std::visit([](const auto& of_kind) { return text_of(of_kind); }, one);
}

std::vector<Case> expand(const Axes& axes) {
  std::vector<Case> cases;
  const auto add = [&](const auto& once) {
    for (auto one : once) cases.emplace_back(std::move(one));
  };
  std::visit([&](const auto& of_kind) { add(expand(of_kind)); }, axes.of);
  if (const auto* const maps = std::get_if<MapAxes>(&axes.of)) add(expand_solids(*maps));
  const std::size_t once = cases.size();
  cases.reserve(once * static_cast<std::size_t>(axes.repeats));
  for (int repeat = 1; repeat < axes.repeats; ++repeat) {
    for (std::size_t i = 0; i < once; ++i) {
      Case one = cases[i];
      std::visit([&](auto& of_kind) { of_kind.repeat = repeat; }, one);
      cases.push_back(std::move(one));
    }
  }
  return cases;
}

std::uint64_t count_cases(const Axes& axes) {
  std::uint64_t cases = std::visit([](const auto& of_kind) { return count_cases(of_kind); }, axes.of);
  if (const auto* const maps = std::get_if<MapAxes>(&axes.of)) cases += expand_solids(*maps).size();
  return cases * static_cast<std::uint64_t>(axes.repeats);
}

bool is_distributed(const Axes& axes) {
  const auto* const maps = std::get_if<MapAxes>(&axes.of);
  return maps != nullptr && (maps->processes || std::any_of(maps->devices.begin(), maps->devices.end(),
                                                            [](int n) { return n > 1; }));
}

void check_sweep_size(std::uint64_t cases, bool confirmed, std::uint64_t limit) {
  if (cases > kMaxCases) {
    throw InputError(fmt::format("the sweep has {} configurations; allowed: at most {}", cases, kMaxCases));
  }
  if (confirmed || cases <= limit) return;
  throw InputError(
      fmt::format("the sweep has {} configurations; allowed without --yes: at most {}", cases, limit));
}

}  // namespace loom::app::bench
