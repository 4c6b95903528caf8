#include "app/map_times.h"

#include <algorithm>

namespace loom::app {

bool MapTimes::Entry::matches(const FractalConfig& config, const std::string& name) const {
  return level == config.level && block == config.block && backend == name && fractal == config.fractal;
}

void MapTimes::record(const FractalConfig& config, const std::string& backend, double milliseconds) {
  auto entry = std::find_if(entries_.begin(), entries_.end(),
                            [&](const Entry& e) { return e.matches(config, backend); });
  if (entry == entries_.end()) {
    entries_.push_back({config.fractal, config.level, config.block, backend, {}});
    entry = std::prev(entries_.end());
  }
  const bool halo = config.map == MapKind::kCompact && config.halo;
  entry->times[static_cast<std::size_t>(config.map)] =
      MapTime{milliseconds, halo, config.arithmetic, config.intra_block};
}

std::optional<MapTime> MapTimes::find(const FractalConfig& config, const std::string& backend,
                                      MapKind map) const {
  for (const Entry& entry : entries_) {
    if (entry.matches(config, backend)) return entry.times[static_cast<std::size_t>(map)];
  }
  return std::nullopt;
}

}  // namespace loom::app
