#include "app/bench/results.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <numeric>

#include "app/bench/axes.h"
#include "compute/core/error.h"
#include "compute/core/input_text.h"
#include "compute/core/integer_math.h"

namespace loom::app::bench {
namespace {

double per_second(std::uint64_t amount, double milliseconds) {
  return milliseconds > 0 ? static_cast<double>(amount) / milliseconds * 1000 : 0;
}

}  // namespace

void Results::add(Entry entry) {
  const auto add_one = [&]<typename One>(One&& one) {
    std::get<std::vector<std::remove_cvref_t<One>>>(entries).push_back(std::forward<One>(one));
  };
  std::visit(add_one, std::move(entry));
}

template <typename Config>
MapEntry describe(const CellCase<Config>& one) {
  MapEntry entry;
  static_cast<ConfigNames&>(entry) = names_of(one.config);
  static_cast<EntryOrigin&>(entry) = origin_of(one.backend, one.repeat, one.shard);
  entry.devices = one.devices;
  const auto size = size_of(one.config);
  entry.width = size[0];
  entry.height = size[1];
  entry.depth = size[2];
  entry.cells = one.config.fractal.cells(one.config.level);
  entry.workload = name_of(one.workload);
  if (one.workload == Workload::kReduction) entry.reduction = name_of(one.reduction);
  return entry;
}
template MapEntry describe(const MapCase& one);
template MapEntry describe(const SolidCase& one);

Entry describe(const Case& one) {
  return std::visit([](const auto& of_kind) -> Entry { return describe(of_kind); }, one);
}

std::string long_text(const MapEntry& entry) {
  return fmt::format("{} level {}, {}, tile size {}{}", entry.fractal, entry.level, method_text(entry),
                     entry.tile_size, entry.devices > 1 ? fmt::format(", {} devices", entry.devices) : "");
}

std::optional<double> median_ms(const Entry& entry) {
  return std::visit([](const auto& of_kind) { return median_ms(of_kind); }, entry);
}

double cells_per_second(const MapEntry& entry) {
  return entry.measured ? per_second(entry.cells, entry.measured->milliseconds.median) : 0;
}

double bytes_per_second(const MapEntry& entry) {
  return entry.measured ? per_second(entry.measured->bytes_moved, entry.measured->milliseconds.median) : 0;
}

namespace {

constexpr std::size_t kMaxMissingListed = 8;

/// Parses a number from 1 to kMaxCases. Returns 0 for anything else.
std::uint32_t read_count(std::string_view text) {
  std::uint32_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  const bool is_whole = error == std::errc{} && end == text.data() + text.size();
  return is_whole && number <= kMaxCases ? number : 0;
}

/// The shard of each position in a round: a Fisher-Yates shuffle, seeded by the round.
void shuffle(std::vector<std::uint32_t>& shards, std::uint64_t round) {
  std::iota(shards.begin(), shards.end(), 1);
  for (std::size_t i = shards.size() - 1; i > 0; --i) {
    std::swap(shards[i], shards[splitmix64(round * shards.size() + i) % (i + 1)]);
  }
}

}  // namespace

Shard parse_shard(std::string_view text) {
  const std::size_t slash = std::min(text.find('/'), text.size());
  const std::uint32_t number = read_count(text.substr(0, slash));
  const std::uint32_t of = slash < text.size() ? read_count(text.substr(slash + 1)) : 0;
  if (number == 0 || number > of) {
    const std::string range = of > 0 ? fmt::format("1/{0} to {0}/{0}", of)
                                     : fmt::format("K/N with K from 1 to N and N from 1 to {}", kMaxCases);
    throw InputError(fmt::format("--shard: '{}' is not allowed; allowed: {}", shown(text), range));
  }
  return {number, of};
}

Shards one_shard(const Shard& shard, std::uint64_t configurations) {
  if (shard.of > configurations) {
    throw InputError(fmt::format("--shard: {} shards of a sweep of {} {}; allowed: N from 1 to {}", shard.of,
                                 configurations, configurations == 1 ? "configuration" : "configurations",
                                 configurations));
  }
  return {shard.of, {shard.number}, configurations};
}

std::vector<std::uint32_t> assign_shards(std::uint32_t of, std::size_t configurations) {
  std::vector<std::uint32_t> numbers;
  numbers.reserve(configurations);
  std::vector<std::uint32_t> round(of);
  for (std::size_t place = 0; place < configurations; ++place) {
    if (place % of == 0) shuffle(round, place / of);
    numbers.push_back(round[place % of]);
  }
  return numbers;
}

std::vector<std::uint64_t> shard_sizes(const Shards& shards) {
  std::vector<std::uint64_t> sizes(shards.of + std::size_t{1});
  for (const std::uint32_t number : assign_shards(shards.of, shards.configurations)) ++sizes[number];
  return sizes;
}

std::uint64_t total_shard_size(const Shards& shards) {
  const auto sizes = shard_sizes(shards);
  std::uint64_t sum = 0;
  for (const std::uint32_t number : shards.have) sum += sizes[number];
  return sum;
}

std::vector<Case> select_shards(const std::vector<Case>& cases, const Shards& shards) {
  if (shards.configurations != cases.size()) {
    throw InputError(fmt::format("its shards belong to a sweep of {} configurations, but this sweep has {}",
                                 shards.configurations, cases.size()));
  }
  const auto numbers = assign_shards(shards.of, cases.size());
  std::vector<Case> selected;
  for (std::size_t place = 0; place < cases.size(); ++place) {
    if (!std::binary_search(shards.have.begin(), shards.have.end(), numbers[place])) continue;
    selected.push_back(cases[place]);
    std::visit([&](auto& one) { one.shard = numbers[place]; }, selected.back());
  }
  return selected;
}

std::string to_string(const Shards& shards) {
  if (shards.whole()) return fmt::format("{} {}", shards.of, shards.of == 1 ? "shard" : "shards");
  std::vector<std::string> missing;
  std::size_t more = 0;
  for (std::uint32_t number = 1; number <= shards.of; ++number) {
    if (std::binary_search(shards.have.begin(), shards.have.end(), number)) continue;
    missing.size() < kMaxMissingListed ? missing.push_back(fmt::format("{}/{}", number, shards.of))
                                       : void(++more);
  }
  std::string text =
      fmt::format("{} of {} shards; missing: {}", shards.have.size(), shards.of, fmt::join(missing, ", "));
  if (more > 0) text += fmt::format(" and {} more", more);
  return text;
}

MandelbrotEntry describe(const MandelbrotCase& one) {
  MandelbrotEntry entry;
  entry.config = one.config;
  entry.view = one.view;
  static_cast<EntryOrigin&>(entry) = origin_of(one.backend, one.repeat, one.shard);
  return entry;
}

std::string long_text(const MandelbrotEntry& entry) {
  std::string text = fmt::format("n {}, {}, {}, ideas {}", entry.view.width, method_text(entry.config),
                                 cut_text(entry.config), to_string(entry.config.optimisations));
  if (entry.view.decimal)
    text += fmt::format(", {}, width {}", name_of(entry.config.precision), width_text(entry.view));
  return text;
}

std::string width_text(const MandelbrotView& view) {
  if (view.decimal) return view.decimal->width.text();
  return fmt::format("{}", view.window.re_max - view.window.re_min);
}

double depth_of(const MandelbrotView& view) {
  const FloatExp<double> width = Decimal(width_text(view)).rounded();
  return -(width.exponent + std::log2(width.mantissa)) * std::log10(2.0);
}

std::string method_text(const MandelbrotConfig& config) {
  if (config.method == MandelbrotMethod::kExhaustive) return std::string(name_of(config.method));
  return fmt::format("{}-{}", name_of(config.method), name_of(config.scheme));
}

std::string cut_text(const MandelbrotConfig& config) {
  return fmt::format("g {}, r {}, B {}", config.g, config.r, config.b);
}

std::uint64_t filled_pixels(const MandelbrotReport& report) {
  std::uint64_t sum = 0;
  for (const MandelbrotLevel& level : report.levels) sum += level.filled_pixels;
  return sum;
}

std::uint64_t recomputed_pixels(const MandelbrotReport& report) {
  return report.computed_pixels() + filled_pixels(report) + report.mirrored_pixels - report.pixels;
}

std::optional<double> split_fraction(const MandelbrotReport& report) {
  std::uint64_t regions = 0;
  std::uint64_t splits = 0;
  for (std::size_t i = 0; i + 1 < report.levels.size(); ++i) {
    regions += report.levels[i].regions;
    splits += report.levels[i].splits;
  }
  if (regions == 0) return std::nullopt;
  return static_cast<double>(splits) / static_cast<double>(regions);
}

std::string_view name_of(SweepKind kind) {
  return kind == SweepKind::kMaps ? "maps" : "mandelbrot";
}

SweepKind parse_sweep_kind(std::string_view name) {
  return parse_choice("sweep", name, std::array{SweepKind::kMaps, SweepKind::kMandelbrot});
}

}  // namespace loom::app::bench
