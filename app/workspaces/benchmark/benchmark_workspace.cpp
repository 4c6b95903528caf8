#include "app/workspaces/benchmark/benchmark_workspace.h"

#include <GLFW/glfw3.h>
#include <imgui.h>

#include <array>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "app/bench/plan.h"
#include "app/explain/diagram/diagram.h"
#include "app/gui/imgui_compat.h"
#include "app/plot/diagram_file.h"
#include "app/plot/figure.h"
#include "app/shell/shortcuts.h"
#include "app/widgets/inputs.h"
#include "app/widgets/text.h"
#include "app/widgets/windows.h"
#include "compute/core/error.h"

namespace loom::app {

namespace {

using Status = bench::SweepRunner::Status;

constexpr std::array kGestures = {KeyHelp{"Click", "use the configuration of a point of the plot"}};
constexpr WorkspaceInfo kInfo = {
    .id = BenchmarkState::kId,
    .label = "Benchmark",
    .hint = "Sweeps of methods, tile sizes and levels, and their plots",
    .gestures = kGestures,
    .coordinates = {"preset", "Name of a preset of the list Sweep", "Pastes the name of a preset"}};

constexpr float kStartWidth = 5.5f;  // font sizes

Shortcuts<BenchmarkWorkspace> benchmark_shortcuts() {
  Shortcuts<BenchmarkWorkspace> keys;
  keys.add({"Space", "start, pause or resume the sweep", Menu::kSimulation, "Start or pause sweep", "play"},
           key(GLFW_KEY_SPACE), [](BenchmarkWorkspace& workspace) { workspace.start_or_pause(); });
  return keys;
}

}  // namespace

BenchmarkWorkspace::BenchmarkWorkspace(const ShellServices& services, FindScene find_scene,
                                       ShowCase show_case)
    : Workspace(kInfo, services),
      find_scene_(std::move(find_scene)),
      show_case_(std::move(show_case)),
      keys_(benchmark_shortcuts()) {}

void BenchmarkWorkspace::begin(ShellEdit& shell) {
  shell_ = &shell;
  shown_ = true;
  panel_.areas.clear();
  take_file_result(panel_, session_);
  if (panel_.loaded) return;
  load_sweep(panel_, session_, "", scene());
  offer_unsaved_results(panel_);
}

PanelNeeds BenchmarkWorkspace::panel_needs() const {
  static constexpr std::array kGroups = {kStartWidth};
  return {.toolbar = kGroups, .brief_toolbar = kGroups};
}

// Where the side panel is folded too.
void BenchmarkWorkspace::toolbar_group(std::size_t, bool) {
  const bench::SweepRunner* const runner = session_.runner();
  const bool active = session_.is_active();
  const bool paused = active && runner->status() == Status::kPaused;
  const char* const label = !active ? "Start" : paused ? "Resume" : "Pause";
  const bool is_primary = active ? !paused : !shell_->settings.show_side_panel;
  if (choice_button(label, is_primary, kStartWidth * ImGui::GetFontSize(),
                    active && runner->ended() ? "Waiting for the last sample" : "",
                    "Starts, pauses or resumes the sweep (Space)"))
    start_or_pause();
  panel_.areas["toolbar start"] = item_area();
}

Area BenchmarkWorkspace::panels(const Layout& layout) {
  const bool by_keys = (ImGui::GetIO().ConfigFlags & ImGuiConfigFlags_NavEnableKeyboard) != 0;
  begin_fixed_window("Plot##benchmark", layout.picture, by_keys ? 0 : ImGuiWindowFlags_NoNav);
  imgui_compat::begin_tab_stops();
  const bench::Case* const clicked = bench_figure(panel_, session_);
  imgui_compat::end_tab_stops();
  ImGui::End();
  if (clicked != nullptr) show_case_(*clicked, *shell_);
  return layout.picture;
}

// A sample may take longer than a frame, so frames with samples are not frames to be timed.
void BenchmarkWorkspace::compute(FrameClock& clock) {
  if (!session_.is_active()) return;
  session_.advance();
  clock.discard_sample();
}

void BenchmarkWorkspace::hide() {
  shown_ = false;
  panel_.areas.clear();
  if (!session_.running()) return;
  session_.runner()->pause();
  message_ = Message::hint("The sweep is paused. Resume continues it in the Benchmark workspace");
}

void BenchmarkWorkspace::start_or_pause() {
  bench::SweepRunner* const runner = session_.runner();
  if (session_.is_active()) {
    if (runner->ended()) return;
    return runner->status() == Status::kPaused ? runner->resume() : runner->pause();
  }
  if (!session_.form.ready()) {
    message_ = Message::hint("The sweep is not valid yet: " + session_.form.first_problem());
  } else if (session_.unsaved()) {
    shell_->settings.show_side_panel = true;
    message_ = Message::hint(
        "The results are not saved. Save them, or click Start in the side panel to discard them");
  } else {
    start_sweep(panel_, session_, scene());
  }
}

void BenchmarkWorkspace::start(const std::string& preset) {
  load_sweep(panel_, session_, preset, scene());
  if (!session_.form.ready()) throw InputError(session_.form.first_problem());
  start_sweep(panel_, session_, scene());
}

WorkspaceStatus BenchmarkWorkspace::status() const {
  const Device& device = services_.backend.device;
  return {.backend = services_.backend,
          .backend_name = device.on_host ? "CPU" : std::string_view(device.name),
          .picture_path = "plot",
          .is_animating = session_.is_active() || session_.file_busy(),
          .unsaved = session_.unsaved_text(),
          .is_saving = session_.file_busy()};
}

// A sweep that continued would have results that the file lacks.
std::optional<SaveRequest> BenchmarkWorkspace::save(SavedPart part) {
  if (part != SavedPart::kUnsaved) return std::nullopt;
  if (session_.running()) session_.runner()->pause();
  return SaveRequest{.title = "Save benchmark results",
                     .nothing = "No results files in this folder",
                     .name = std::filesystem::path(panel_.results.file).filename().string(),
                     .extension = ".json",
                     .save = [this](const std::filesystem::path& file) {
                       session_.save_results(file, true);
                       panel_.results = {file.string(), {}, {}, false};
                     }};
}

void BenchmarkWorkspace::load(const bench::SweepTexts& sweep) {
  if (session_.is_active()) {
    message_ = Message::hint("A sweep is running. Stop it to change its axes");
    return;
  }
  static_cast<bench::SweepTexts&>(session_.form) = sweep;
  session_.form.confirmed = false;
  check_form(panel_, session_, scene());
  panel_.loaded = true;
}

scene::StatePtr BenchmarkWorkspace::state(StateNeed) {
  auto state = std::make_shared<BenchmarkState>();
  if (panel_.loaded) state->sweep = session_.form;
  state->picture = session_.picture();
  return state;
}

void BenchmarkWorkspace::restore(scene::StatePtr state) {
  const auto& sweep = dynamic_cast<const BenchmarkState&>(*state).sweep;
  if (session_.is_active()) return;
  if (sweep) {
    load(*sweep);
  } else {
    panel_.loaded = false;
  }
}

Place BenchmarkWorkspace::place() const {
  const std::string& preset = session_.form.preset;
  return {{{"sweep", to_json(session_.form)}},
          preset.empty() ? "benchmark" : "benchmark " + preset,
          preset,
          preset};
}

void BenchmarkWorkspace::go_to_place(const scene::Json& place) {
  load(read_sweep(JsonReader(place["sweep"], "sweep")));
}

std::string BenchmarkWorkspace::go_to_coordinates(const std::string& text) {
  const bench::Preset& preset = bench::find_preset(text);
  if (session_.is_active()) throw InputError("a sweep is running; allowed: when it is stopped");
  load_sweep(panel_, session_, preset.name, scene());
  return {};
}

void BenchmarkWorkspace::add_state(nlohmann::ordered_json& json) {
  auto bench = nlohmann::ordered_json::object();
  bench["shown"] = shown_;
  bench["status"] = "none";
  if (const bench::SweepRunner* runner = session_.runner()) {
    bench["status"] = name_of(runner->status());
    bench["planned"] = runner->results().planned;
    if (const auto& shards = runner->results().shards) bench["shards"] = to_string(*shards);
    bench["done"] = runner->done();
    bench["skipped"] = runner->skipped();
  }
  bench["preset"] = session_.form.preset;
  bench["configurations"] = session_.form.cases;
  bench["problems"] = nlohmann::ordered_json::array();
  for (const std::string& problem : session_.form.problems) {
    if (!problem.empty()) bench["problems"].push_back(problem);
  }
  bench["places"] = numbers_of(panel_.areas);
  bench["last_point"] = nullptr;
  if (panel_.last_point) bench["last_point"] = {panel_.last_point->x, panel_.last_point->y};
  bench["save_problems"] = {panel_.results.problem, panel_.figure.problem};
  bench["saved"] = {panel_.results.saved, panel_.figure.saved};
  bench["to_open"] = panel_.opened.file;
  bench["opened"] = {panel_.opened.saved, panel_.opened.problem, session_.cannot_continue_reason()};
  json["bench"] = std::move(bench);
}

namespace {

class PlotRenderer final : public scene::StateRenderer {
 public:
  PlotRenderer(const plot::Figure& figure, glm::ivec2 size) : image_{size, {}}, rows_(image_) {
    plot::paint_pixels(plot::figure_diagram(figure, plot::paper_text_width()), size, image_.rgb);
  }
  image::ImageRows& rows() override { return rows_; }
  void show_frame(int, int, ProgressMonitor*) override {}

 private:
  render::RgbImage image_;
  image::StoredRows rows_;
};

}  // namespace

std::unique_ptr<scene::StateRenderer> BenchmarkState::renderer(const scene::RenderRequest& request,
                                                               ProgressMonitor*) const {
  if (!picture) throw InputError("there is no plot yet; allowed: when a sweep has results");
  return std::make_unique<PlotRenderer>(*picture, request.size);
}

}  // namespace loom::app
