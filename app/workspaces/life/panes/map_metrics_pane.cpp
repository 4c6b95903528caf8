#include "app/workspaces/life/panes/map_metrics_pane.h"

#include <imgui.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <nlohmann/json.hpp>
#include <utility>

#include "app/explain/diagram/map_metrics_diagram.h"
#include "app/explain/diagram/source_listing.h"
#include "app/plot/diagram_file.h"
#include "app/text/format.h"
#include "app/widgets/choice.h"
#include "app/widgets/pane_window.h"
#include "app/workspaces/life/scene/map_colours.h"
#include "app/workspaces/life/scene/map_times.h"
#include "compute/backend/engine_factory.h"
#include "compute/core/error.h"

namespace loom::app {
namespace {

/// Warps of a launch that are looked at; 0.1 to 0.2 ms each, in the background.
constexpr std::uint64_t kWarpsOfMetrics = 4096;
/// Larger fields are not built a second time for their occupancy.
constexpr std::uint64_t kMostOccupancyBytes = std::uint64_t{1} << 28;
/// Live times are shown again after this many seconds, if they differ by this fraction.
constexpr double kLiveSeconds = 1;
constexpr double kLiveChange = 0.1;

void add_occupancy(explain::MapMetrics& metrics, const BackendSelection& backend, ProgressMonitor& watch) {
  if (backend.device.on_host) return;
  if (metrics.bytes > kMostOccupancyBytes) {
    metrics.no_occupancy = "field too large";
    return;
  }
  try {
    const auto engine = make_fractal_engine(metrics.config, first_device(backend), &watch);
    engine->reset(RandomStart{});
    const Timeline timeline = engine->record_timeline({.max_spans = 2});
    if (!timeline.launches.empty()) metrics.occupancy = timeline.launches.front().occupancy;
  } catch (const InputError&) {
    metrics.no_occupancy = "not known";
  } catch (const MachineError&) {
    metrics.no_occupancy = "out of memory";
  }
}

std::vector<explain::MapMetrics> metrics_of(const FractalConfig& config, const BackendSelection& backend,
                                            ProgressMonitor& watch) {
  const auto configs = methods_to_compare(config);
  std::vector<explain::MapMetrics> all;
  const ProgressScope call(&watch, kMapKinds.size());
  for (const MapKind map : kMapKinds) {
    call.check();
    const auto found =
        std::ranges::find(configs, map, [](const FractalConfig& one) { return one.method.map; });
    all.push_back(explain::map_metrics(*found, kWarpsOfMetrics));
    call.check();
    add_occupancy(all.back(), backend, watch);
    call.advance(1);
  }
  return all;
}

glm::u8vec3 colour_bytes(MapKind map) {
  return glm::u8vec3(glm::vec3(colour_of(map)) * 255.0f);
}

bool differ(const explain::MapStepTimes& a, const explain::MapStepTimes& b) {
  if (a.benchmarked != b.benchmarked || a.on_gpu != b.on_gpu) return true;
  for (std::size_t i = 0; i < a.ms.size(); ++i) {
    if (a.ms[i].has_value() != b.ms[i].has_value()) return true;
    if (a.ms[i] && std::abs(*a.ms[i] - *b.ms[i]) > kLiveChange * *a.ms[i]) return true;
  }
  return false;
}

}  // namespace

void MapMetricsPane::follow(const PaneSubject& subject) {
  if (auto outcome = task_.poll()) {
    problem_ = outcome->problem;
    if (outcome->result) {
      metrics_ = std::move(*outcome->result);
      draw_again(subject.step_times);
      choose_source();
    }
  }
  const bool other = config_ != subject.method.config || !backend_.same_device(subject.backend);
  if (other && task_.running()) return task_.cancel();
  if (other) {
    config_ = subject.method.config;
    backend_ = subject.backend;
    metrics_.clear();
    problem_.clear();
    task_.start([config = *config_,
                 backend = backend_](ProgressMonitor& watch) { return metrics_of(config, backend, watch); },
                "out of memory for the metrics");
  }
  const double now = ImGui::GetTime();
  const bool new_times = now > shown_at_ + kLiveSeconds && differ(times_, subject.step_times);
  if (!metrics_.empty() && (new_times || width_ != content_width_in_fonts(area_)))
    draw_again(subject.step_times);
}

void MapMetricsPane::draw_again(const explain::MapStepTimes& times) {
  times_ = times;
  shown_at_ = ImGui::GetTime();
  rows_ = explain::metric_rows(metrics_, times);
  std::vector<diagram::MetricColumn> columns;
  for (const explain::MapMetrics& one : metrics_) {
    const MapKind map = one.config.method.map;
    columns.push_back({capitalized(label_of(map)), colour_bytes(map)});
  }
  width_ = content_width_in_fonts(area_);
  diagram_ = diagram::map_metrics_diagram(rows_, columns, width_);
  table_ = plot::tables_as_csv(diagram_);
}

void MapMetricsPane::choose_source() {
  source_.clear();
  for (const explain::MapMetrics& one : metrics_) {
    if (one.config.method.map == source_of_)
      source_ = diagram::kernel_source(explain::ThreadSpace(one.config));
  }
  source_diagram_ = diagram::source_diagram(source_);
}

void MapMetricsPane::show(const char* id, const PaneSubject& subject, PaneResponse&) {
  if (area_.empty()) return;
  follow(subject);
  begin_pane_window(id, area_);
  if (!problem_.empty()) warning(problem_);
  if (metrics_.empty()) {
    if (problem_.empty()) note(task_.share() > 0 ? "Computing the metrics of the maps..." : "Computing...");
    return ImGui::End();
  }
  if (ImGui::SmallButton("Copy table")) ImGui::SetClipboardText(table_.c_str());
  tooltip("Copies the metrics as CSV");
  note(
      "One generation of life. Requests, sectors and bytes: computed for the CUDA kernel; times: measured "
      "here");
  show_diagram(diagram_, 1);
  ImGui::Separator();
  ImGui::TextUnformatted("Kernel source");
  for (const MapKind map : kMapKinds) {
    ImGui::SameLine();
    ImGui::PushID(static_cast<int>(map));
    if (ImGui::RadioButton(label_of(map), source_of_ == map) && source_of_ != map) {
      source_of_ = map;
      choose_source();
    }
    ImGui::PopID();
  }
  ImGui::SameLine();
  if (ImGui::SmallButton("Copy source")) ImGui::SetClipboardText(source_.c_str());
  tooltip("Copies the source of this map's kernel");
  show_diagram(source_diagram_, 1);
  ImGui::End();
}

void MapMetricsPane::add_state(nlohmann::ordered_json& json, const ThreadExplanation&) const {
  json["metrics"] = nlohmann::ordered_json::array();
  for (const explain::MapMetrics& one : metrics_) {
    const explain::GlobalTraffic global = one.global();
    json["metrics"].push_back({{"map", name_of(one.config.method.map)},
                               {"exact", one.traffic.exact},
                               {"threads", one.threads},
                               {"active", one.active},
                               {"idle_lanes", one.idle_lanes()},
                               {"requests", global.requests},
                               {"sectors", global.sectors},
                               {"bytes_requested", global.bytes_requested},
                               {"bytes_moved", global.bytes_moved()}});
  }
  json["width"] = diagram_.size().x;
  json["rows"] = nlohmann::ordered_json::object();
  for (const explain::MetricRow& row : rows_) {
    auto& values = json["rows"][row.name] = nlohmann::ordered_json::array();
    for (const auto& value : row.values) values.push_back(value.text);
  }
  json["source_lines"] = std::ranges::count(source_, '\n');
}

}  // namespace loom::app
