#include "app/explain/thread_block_workers.h"

#include <algorithm>
#include <iterator>

namespace loom::app::explain {

ThreadBlockWorkers::ThreadBlockWorkers(const FractalConfig& config, const Timeline& timeline)
    : config_(config),
      gpu_(timeline.launches.front().occupancy.kernel.threads > 0),
      workers_(static_cast<std::uint32_t>(timeline.workers.size())),
      left_out_(timeline.spans_left_out) {
  for (const TimelineSpan& span : timeline.spans) runs_.push_back({span.block, span.count, span.worker});
  std::sort(runs_.begin(), runs_.end(), [](const Run& a, const Run& b) { return a.first < b.first; });
}

std::shared_ptr<const ThreadBlockWorkers> ThreadBlockWorkers::of(const FractalConfig& config,
                                                                 const Timeline& timeline) {
  if (timeline.launches.size() != 1) return nullptr;
  return std::make_shared<const ThreadBlockWorkers>(config, timeline);
}

std::optional<std::uint32_t> ThreadBlockWorkers::worker_of(const ThreadSpace& threads,
                                                           const ThreadLocation& place) const {
  const std::uint64_t number = gpu_ ? place.thread_block.y * threads.launch().blocks_x + place.thread_block.x
                                    : place.ref.tile.y * threads.shape().tiles_x + place.ref.tile.x;
  const auto after = std::upper_bound(runs_.begin(), runs_.end(), number,
                                      [](std::uint64_t at, const Run& run) { return at < run.first; });
  if (after == runs_.begin()) return std::nullopt;
  const Run& run = *std::prev(after);
  if (number - run.first >= run.count) return std::nullopt;
  return run.worker;
}

}  // namespace loom::app::explain
