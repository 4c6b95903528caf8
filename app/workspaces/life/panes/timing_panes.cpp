#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/explain/diagram/diagram.h"
#include "app/explain/diagram/diagrams.h"
#include "app/explain/map_metrics.h"
#include "app/explain/thread_space.h"
#include "app/plot/diagram_file.h"
#include "app/tasks/task.h"
#include "app/text/format.h"
#include "app/widgets/diagram_painter.h"
#include "app/widgets/inputs.h"
#include "app/widgets/windows.h"
#include "app/workspaces/life/panes/panes.h"
#include "app/workspaces/life/scene/life_settings.h"
#include "app/workspaces/life/scene/life_stats.h"
#include "compute/backend/engine_factory.h"
#include "compute/core/error.h"
#include "compute/engine/fractal_config.h"

namespace loom::app {

/// A pane with the timeline of one launch of the active pane's method: which thread block ran when, on which
/// multiprocessor. An instrumented copy of the kernel records it on request; frame times are not affected.
class TimelinePane final : public ContentPane {
 public:
  bool needs_tiles(const PaneSubject& subject) const override { return !subject.several_devices; }

  /// With a warning if the recording belongs to another method; for several devices, their recorded activity.
  void show(const char* id, const PaneSubject& subject, PaneResponse& response) override {
    if (area_.empty()) return;
    begin_pane_window(id, area_);
    if (subject.several_devices) {
      if (show_devices(subject.devices)) response.record_devices = true;
      return ImGui::End();
    }
    if (view_.header(
            "Captures one generation with an instrumented copy of the kernel. The cells do not change",
            requested_)) {
      requested_ = true;
    }
    if (view_.recorded() && !is_of(subject.method)) warning("Captured with another method");
    if (!view_.problem().empty()) warning(view_.problem());
    view_.show();
    ImGui::End();
  }

  bool requests_timeline() const override { return requested_; }

  void take_timeline(const RecordedMethod& method, const LifeFrameResult& result) override {
    requested_ = false;
    config_.reset();
    workers_.reset();
    if (result.timeline) {
      config_ = method.config;
      backend_name_ = method.backend_name;
      workers_ = explain::ThreadBlockWorkers::of(method.config, *result.timeline);
    }
    view_.take(result.timeline, result.timeline_problem);
  }

  std::shared_ptr<const explain::ThreadBlockWorkers> workers(const RecordedMethod& now) const override {
    return is_of(now) ? workers_ : nullptr;
  }

  std::string figure_problem() const override { return view_.recorded() ? "" : "Nothing was captured yet"; }

  bool add_to_figure(FigureJob& job) const override {
    job.timeline = view_.timeline();
    job.config = *config_;
    return false;
  }

  void add_state(nlohmann::ordered_json& json, const ThreadExplanation&) const override {
    json["recorded"] = view_.recorded();
    json["problem"] = view_.problem();
    json["remark"] = view_.remark();
    json["record"] = numbers_of(view_.button());
    json["lanes"] = numbers_of(view_.lanes());
  }

 private:
  bool is_of(const RecordedMethod& now) const {
    return config_ && *config_ == now.config && backend_name_ == now.backend_name;
  }

  // Returns true if the user requests another recording.
  bool show_devices(const DeviceRecord* record) {
    if (record == nullptr) {
      note("Device activity is captured after the first frame.");
      return false;
    }
    const bool again = ImGui::SmallButton("Capture again");
    tooltip("Captures one more generation. The cells do not change");
    if (!record->problem.empty()) {
      warning(record->problem);
    } else {
      device_lanes_.look_at(record->times, {.lane = 1.4f});
      device_lanes_.show();
    }
    return again;
  }

  bool requested_ = true;                ///< initially true: opening the pane records
  std::optional<FractalConfig> config_;  ///< what was recorded, with the next two members
  std::string backend_name_;
  std::shared_ptr<const explain::ThreadBlockWorkers> workers_;
  TimelineView view_;
  DeviceTimelineView device_lanes_;
};

void DeviceTimelineView::look_at(const DeviceTimeline& times, diagram::DeviceDiagramStyle look) {
  look.width = std::floor(ImGui::GetContentRegionAvail().x / ImGui::GetFontSize());
  const bool same = drawing_ && milliseconds_ == times.milliseconds &&
                    plain_milliseconds_ == times.plain_milliseconds && width_ == look.width;
  if (same) return;
  milliseconds_ = times.milliseconds;
  plain_milliseconds_ = times.plain_milliseconds;
  width_ = look.width;
  drawing_ = diagram::device_diagram(times, look);
  measured_ = diagram::measurement_text(times);
  shares_.clear();
  for (std::size_t i = 0; i < times.devices.size(); ++i) shares_.push_back(time_breakdown(times, i));
}

void DeviceTimelineView::show() const {
  if (drawing_) show_diagram(*drawing_);
}

/// A pane in which the three maps race: the level rises until the bounding box is out.
class RacePane final : public ContentPane {
 public:
  bool needs_tiles(const PaneSubject&) const override { return false; }

  /// Starts the race when it is shown for the first time.
  void show(const char* id, const PaneSubject& subject, PaneResponse&) override {
    if (area_.empty()) return;
    if (!started_) start(subject);
    begin_pane_window(id, area_);
    const float width = content_width_in_fonts(area_);
    if (race_.poll() || width != width_) {
      width_ = width;
      std::vector<diagram::MetricColumn> columns;
      for (const MapKind map : kMapKinds)
        columns.push_back({capitalized(label_of(map)), glm::u8vec3(glm::vec3(colour_of(map)) * 255.0f)});
      diagram_ = diagram::race_diagram(race_.levels(), columns, width_);
      table_ = plot::tables_as_csv(diagram_);
    }
    if (race_.running()) {
      if (ImGui::SmallButton("Cancel race")) race_.cancel();
      tooltip("Ends the race; the levels so far stay");
    } else {
      if (ImGui::SmallButton("Race again")) start(subject);
      tooltip("Measures the three maps from level 4 on");
    }
    ImGui::SameLine();
    if (ImGui::SmallButton("Copy table")) ImGui::SetClipboardText(table_.c_str());
    tooltip("Copies the results as CSV");
    const Text words = format_text(
        "{}: step time after a warm-up, and memory of both generations; limit {} ms. Steps below {} are too "
        "small to compare",
        fractal_, MapRace::kLimitMs, format_time(kMinComparedMs));
    constexpr float kNarrow = 30;  // font sizes
    note(width < kNarrow ? Text("Step time and memory") : words);
    tooltip(words);
    if (!race_.problem().empty()) warning(race_.problem());
    show_diagram(diagram_, 1);
    ImGui::End();
  }

  bool is_animating() const override { return race_.running(); }
  bool pauses_scene() const override { return race_.running(); }
  void cancel() override { race_.cancel(); }

  Progress progress() const override {
    if (!race_.running()) return {};
    return {"racing the maps", -1};
  }

  std::string figure_problem() const override { return "Copy table copies the race"; }

  void add_state(nlohmann::ordered_json& json, const ThreadExplanation&) const override {
    auto& race = json["race"];
    race = {{"running", race_.running()}, {"problem", race_.problem()}, {"width", diagram_.size().x}};
    race["levels"] = nlohmann::ordered_json::array();
    for (const diagram::RaceLevel& level : race_.levels()) {
      nlohmann::ordered_json row{{"level", level.level}, {"maps", nlohmann::ordered_json::array()}};
      for (const auto& one : level.maps) {
        if (!one) continue;
        row["maps"].push_back({{"ms", one->ms ? nlohmann::ordered_json(*one->ms) : nullptr},
                               {"bytes", one->bytes},
                               {"out", one->out}});
      }
      row["winner"] = level.winner() ? nlohmann::ordered_json(*level.winner()) : nullptr;
      race["levels"].push_back(std::move(row));
    }
  }

 private:
  void start(const PaneSubject& subject) {
    started_ = true;
    fractal_ = subject.method.config.fractal.name();
    diagram_ = {};
    table_.clear();
    race_.start(subject.method.config,
                {.backend = first_device(subject.backend), .start = {}, .work = subject.work});
  }

  MapRace race_;
  bool started_ = false;
  std::string fractal_;  ///< of the race
  diagram::Diagram diagram_;
  float width_ = 0;    ///< for which it was drawn, in font sizes
  std::string table_;  ///< as CSV
};

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

/// A pane that compares the three maps metric by metric, with the source of their kernels. The metrics are
/// computed in the background.
class MapMetricsPane final : public ContentPane {
 public:
  void show(const char* id, const PaneSubject& subject, PaneResponse&) override {
    if (area_.empty()) return;
    follow(subject);
    begin_pane_window(id, area_);
    if (!problem_.empty()) warning(problem_);
    if (subject.work.rule.is_larger()) warning(kOfEightNeighbours);
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

  bool is_animating() const override { return task_.running(); }
  std::string figure_problem() const override { return "Copy table copies these metrics"; }

  void add_state(nlohmann::ordered_json& json, const ThreadExplanation&) const override {
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

 private:
  void follow(const PaneSubject& subject) {
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

  void draw_again(const explain::MapStepTimes& times) {
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

  void choose_source() {
    source_.clear();
    for (const explain::MapMetrics& one : metrics_) {
      if (one.config.method.map == source_of_)
        source_ = diagram::kernel_source(explain::ThreadSpace(one.config));
    }
    source_diagram_ = diagram::source_diagram(source_);
  }

  Task<std::vector<explain::MapMetrics>> task_;
  std::optional<FractalConfig> config_;  ///< of the scene, when the task was started
  BackendSelection backend_;
  std::vector<explain::MapMetrics> metrics_;
  std::vector<explain::MetricRow> rows_;
  explain::MapStepTimes times_;  ///< that are shown
  double shown_at_ = 0;          ///< seconds, when the times were taken
  std::string problem_;
  diagram::Diagram diagram_;
  float width_ = 0;    ///< for which it was drawn, in font sizes
  std::string table_;  ///< as CSV
  MapKind source_of_ = MapKind::kLambda;
  std::string source_;
  diagram::Diagram source_diagram_;
};

std::unique_ptr<ContentPane> make_timing_pane(PaneContent shows) {
  if (shows == PaneContent::kTimeline) return std::make_unique<TimelinePane>();
  if (shows == PaneContent::kRace) return std::make_unique<RacePane>();
  if (shows == PaneContent::kMapMetrics) return std::make_unique<MapMetricsPane>();
  return nullptr;
}

}  // namespace loom::app
