#include "app/shell/state_json.h"

#include <fmt/format.h>

#include "app/bench/config_json.h"
#include "compute/workload/game_of_life.h"

namespace loom::app {

namespace {

nlohmann::ordered_json rectangle(const Area& area) {
  return {area.x, area.y, area.width, area.height};
}

nlohmann::ordered_json bench_json(const Application& application) {
  const BenchPanelState& panel = application.bench_panel_state();
  const BenchSession& session = application.bench();
  nlohmann::ordered_json json;
  json["shown"] = application.settings().view.show_bench;
  json["status"] = "none";
  if (const bench::SweepRunner* runner = session.runner()) {
    json["status"] = name_of(runner->status());
    json["planned"] = runner->cases().size();
    json["done"] = runner->done();
    json["skipped"] = runner->skipped();
  }
  json["scene_held"] = session.holds_scene();
  json["preset"] = session.form.preset;
  json["configurations"] = session.form.cases;
  json["problems"] = nlohmann::ordered_json::array();
  for (const std::string& problem : session.form.problems) {
    if (!problem.empty()) json["problems"].push_back(problem);
  }
  json["places"] = nlohmann::ordered_json::object();
  for (const auto& [name, area] : panel.places) json["places"][name] = rectangle(area);
  json["last_point"] = nullptr;
  if (panel.last_point) json["last_point"] = *panel.last_point;
  json["save_problems"] = {panel.results.problem, panel.figure.problem};
  json["saved"] = {panel.results.saved, panel.figure.saved};
  return json;
}

nlohmann::ordered_json explorer_json(const Application& application) {
  const MandelbrotWorkspace& mandelbrot = application.mandelbrot();
  const MandelbrotSettings& explorer = application.settings().explorer;
  const MandelbrotConfig& config = explorer.config;
  nlohmann::ordered_json json;
  json["view"] = {mandelbrot.view().re, mandelbrot.view().im, mandelbrot.view().width};
  json["views_behind"] = mandelbrot.history().views_behind();
  json["views_ahead"] = mandelbrot.history().views_ahead();
  json["method"] = name_of(config.method);
  json["scheme"] = name_of(config.scheme);
  json["g"] = config.g;
  json["r"] = config.r;
  json["b"] = config.b;
  json["dwell_limit"] = config.dwell_limit;
  json["precision"] = name_of(config.precision);
  json["colouring"] = name_of(explorer.colouring);
  json["regions"] = name_of(explorer.overlay);
  json["measure"] = explorer.measure;
  json["divisor"] = mandelbrot.runner().has_picture() ? mandelbrot.runner().divisor() : 0;
  json["different"] = nullptr;
  if (const auto& check = mandelbrot.runner().checked()) json["different"] = check->differences.count;
  json["dragging"] = mandelbrot.mouse().gesture() != MandelbrotMouse::Gesture::kNone;
  return json;
}

}  // namespace

nlohmann::ordered_json state_json(const Application& application) {
  const Settings& settings = application.settings();
  const FractalConfig& config = application.engine().config();
  const Census census = application.engine().census();
  nlohmann::ordered_json json;
  add_config(json, bench::names_of(config));
  json["backend"] = name_of(application.backend().kind);
  json["backend_reason"] = application.backend().reason;
  json["device"] = application.engine().backend_name();
  json["picture_path"] = application.picture_path();
  json["workload"] = name_of(settings.workload);
  json["reduction"] = name_of(settings.reduction);
  json["sum"] = nullptr;
  if (const auto sum = application.sum()) json["sum"] = *sum;
  json["rule"] = to_string(settings.rule);
  json["seed"] = settings.start.seed;
  json["density"] = settings.start.density;
  json["generation"] = application.engine().generation();
  json["playing"] = settings.playing;
  json["cells"] = application.engine().cell_count();
  json["population"] = census.population;
  json["hash"] = fmt::format("{:016x}", census.hash);
  json["cells_per_pixel"] = {application.camera().cells_per_pixel_x(),
                             application.camera().cells_per_pixel_y()};
  json["view_origin"] = {application.camera().field_x(0), application.camera().field_y(0)};
  json["picture"] = rectangle(application.picture_area());
  json["rule_field"] = rectangle(application.rule_field());
  json["rule_text"] = application.rule_text();
  json["gesture"] = name_of(application.mouse().gesture());
  json["hovered_cell"] = nullptr;
  if (const auto& place = application.mouse().hovered())
    json["hovered_cell"] = {place->cell.x, place->cell.y};
  json["text_field_active"] = application.typing();
  json["edit_cells"] = settings.view.edit_cells;
  json["show_timing"] = settings.view.show_timing;
  json["show_help"] = settings.view.show_help;
  json["bench"] = bench_json(application);
  json["workspace"] = name_of(settings.workspace);
  json["explorer"] = explorer_json(application);
  json["palette"] = settings.view.palette;
  json["ui_pixels"] = settings.view.ui_pixels;
  json["size"] = {application.size().width, application.size().height};
  json["wrong"] = application.wrong();
  json["message"] = application.message();
  return json;
}

nlohmann::ordered_json timing_json(const Application& application) {
  nlohmann::ordered_json json;
  for (const Stage stage : kStages) {
    const StageFigures figures = application.times().figures(stage);
    auto& entry = json["stages"][std::string(name_of(stage))];
    entry = {{"median", nullptr}, {"p95", nullptr}};
    if (figures.samples > 0) entry = {{"median", figures.median}, {"p95", figures.p95}};
  }
  json["window_frames"] = application.times().size();
  const StageFigures frame = application.times().figures(Stage::kFrame);
  json["fps"] = nullptr;
  if (frame.samples > 0) json["fps"] = 1000 / frame.mean;
  return json;
}

std::string timing_table(const Application& application) {
  std::string text = fmt::format("{:<12}{:>12}{:>12}\n", "stage", "median ms", "p95 ms");
  for (const Stage stage : kStages) {
    const StageFigures figures = application.times().figures(stage);
    const std::string name = stage == Stage::kFrame ? "whole frame" : std::string(name_of(stage));
    text += figures.samples > 0 ? fmt::format("{:<12}{:>12.3f}{:>12.3f}\n", name, figures.median, figures.p95)
                                : fmt::format("{:<12}{:>12}{:>12}\n", name, "-", "-");
  }
  const StageFigures frame = application.times().figures(Stage::kFrame);
  if (frame.samples > 0) {
    text += fmt::format("{:.1f} frames a second over the last {} frames\n", 1000 / frame.mean, frame.samples);
  }
  return text;
}

}  // namespace loom::app
