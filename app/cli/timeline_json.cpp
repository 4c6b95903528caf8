#include "app/cli/timeline_json.h"

#include "app/explain/timeline_lanes.h"

namespace loom::app {
namespace {

nlohmann::ordered_json to_json(const Occupancy& occupancy) {
  if (occupancy.kernel.threads == 0) return nullptr;
  return {{"blocks_at_once", occupancy.blocks},
          {"limited_by", limited_by(occupancy)},
          {"share_of_threads", occupancy.share()},
          {"threads", occupancy.kernel.threads},
          {"registers", occupancy.kernel.registers},
          {"shared_bytes", occupancy.kernel.shared_bytes},
          {"by_threads", occupancy.by_threads},
          {"by_registers", occupancy.by_registers},
          {"by_shared_memory", occupancy.by_shared_memory},
          {"by_block_slots", occupancy.by_blocks}};
}

}  // namespace

void add_timeline_summary(nlohmann::ordered_json& json, const Timeline& timeline) {
  json["clock"] = timeline.clock;
  json["resolution_ns"] = timeline.resolution;
  json["ms"] = {{"timed", timeline.plain_milliseconds}, {"recorded", timeline.milliseconds}};
  auto& launches = json["launches"] = nlohmann::ordered_json::array();
  for (const TimelineLaunch& launch : timeline.launches) {
    launches.push_back({{"kernel", launch.kernel},
                        {"blocks", launch.blocks},
                        {"occupancy", to_json(launch.occupancy)},
                        {"recorded_occupancy", to_json(launch.recorded_occupancy)}});
  }
  const explain::TimelineStats stats = explain::timeline_stats(timeline);
  auto& out = json["figures"];
  out["duration_ns"] = stats.duration;
  out["workers"] = stats.workers;
  out["workers_used"] = stats.workers_used;
  out["spans"] = stats.spans;
  out["busy_ns"] = stats.busy;
  out["slots"] = stats.slots;
  out["most_at_once"] = stats.max_concurrency;
  out["mean_at_once"] = stats.mean_concurrency;
  out["slot_utilization"] = stats.slot_utilization;
  out["waves"] = nullptr;
  if (stats.waves) out["waves"] = *stats.waves;
  out["tail_ns"] = stats.tail;
  out["tail_share"] = stats.tail_fraction();
  out["grids"] = explain::timeline_grids(timeline).size();
  json["spans_kept"] = timeline.spans.size();
  json["spans_left_out"] = timeline.spans_left_out;
}

void add_timeline_spans(nlohmann::ordered_json& json, const Timeline& timeline) {
  json["worker_fields"] = {"spans", "busy_ns", "first_begin_ns", "last_end_ns"};
  auto& workers = json["workers"] = nlohmann::ordered_json::array();
  for (const TimelineWorker& worker : timeline.workers) {
    workers.push_back({worker.spans, worker.busy, worker.first_begin, worker.last_end});
  }
  json["span_fields"] = {"begin_ns", "end_ns", "worker", "launch", "block",
                         "count",    "level",  "work",   "parent"};
  auto& spans = json["spans"] = nlohmann::ordered_json::array();
  for (const TimelineSpan& span : timeline.spans) {
    nlohmann::ordered_json parent = nullptr;
    if (span.parent != kNoParent) parent = span.parent;
    spans.push_back({span.begin, span.end, span.worker, span.launch, span.block, span.count, span.level,
                     name_of(span.work), parent});
  }
}

}  // namespace loom::app
