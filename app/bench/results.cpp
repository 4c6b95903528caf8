#include "app/bench/results.h"

#include <fmt/format.h>

#include "app/bench/cell_config.h"

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

}  // namespace loom::app::bench
