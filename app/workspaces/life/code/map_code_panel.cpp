#include "app/workspaces/life/code/map_code_panel.h"

#include <GLFW/glfw3.h>
#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "app/exercises/map_templates.h"
#include "app/files/output_file.h"
#include "app/gui/imgui_compat.h"
#include "app/text/format.h"
#include "app/widgets/choice.h"
#include "app/widgets/item_area.h"
#include "app/widgets/pane_window.h"
#include "app/widgets/texture_image.h"
#include "app/workspaces/life/scene/map_colours.h"
#include "app/workspaces/life/scene/pane_presets.h"
#include "compute/core/error.h"
#include "compute/core/input_text.h"
#include "compute/geometry/tile_sizes.h"

namespace loom::app {
namespace {

constexpr double kPause = 0.15;  ///< seconds without a change until the code is tried
constexpr std::uint64_t kMaxFile = std::uint64_t{1} << 20;
constexpr float kMarkSize = 0.9f;  ///< in font sizes
constexpr int kFindLength = 64;

std::uint32_t packed(const glm::vec4& colour) {
  return ImGui::ColorConvertFloat4ToU32(ImVec4(colour.x, colour.y, colour.z, 1));
}

CoverageColours theme_colours() {
  const theme::Colours& colours = theme::colours();
  return {packed(colours.raised), packed(colours.success),   packed(colours.warning),
          packed(colours.error),  packed(colours.selection), packed(colours.accent)};
}

bool is_own_text(std::string_view code) {
  return std::ranges::any_of(map_templates(), [&](const MapTemplate& one) { return one.code == code; });
}

std::string short_name(const std::filesystem::path& file) {
  return file.filename().string();
}

void coloured(const glm::vec4& colour, std::string_view text) {
  ImGui::PushStyleColor(ImGuiCol_Text, ImVec4(colour.x, colour.y, colour.z, colour.w));
  ImGui::PushTextWrapPos(0);
  ImGui::TextUnformatted(text.data(), text.data() + text.size());
  ImGui::PopTextWrapPos();
  ImGui::PopStyleColor();
}

}  // namespace

MapCodePanel::MapCodePanel() : browser_({"Open a map", "Save the map", "No .cu files in this folder"}) {}

void MapCodePanel::button_area(const char* name) {
  areas_[name] = item_area();
}

void MapCodePanel::set_code(std::string_view code, const std::string& origin, bool is_trusted) {
  editor_.text().set(code);
  origin_ = origin;
  is_trusted_ = is_trusted;
  problems_.clear();
  failure_.clear();
  tried_.reset();
}

void MapCodePanel::keep(LifeSettings& settings) {
  kept_ = std::make_shared<const MapCode>(
      MapCode{editor_.text().text(), kept_ != nullptr ? kept_->exercise : std::string(), is_trusted_});
  kept_version_ = editor_.text().version();
  settings.map_code = kept_;
}

// Code that another scene, a lesson or an undo step has set.
void MapCodePanel::load(LifeSettings& settings) {
  const std::shared_ptr<const MapCode> wanted = settings.map_code;
  const std::string exercise = wanted != nullptr ? wanted->exercise : std::string();
  const bool same_exercise = kept_ != nullptr && kept_->exercise == exercise;
  kept_ = wanted;
  if (!same_exercise || (exercise_.has_value() != !exercise.empty())) {
    exercise_.reset();
    hints_ = 0;
    shows_solution_ = false;
    measured_.reset();
    try {
      if (!exercise.empty()) exercise_ = find_exercise(exercise);
      if (exercise_) editor_.focus();
    } catch (const InputError& error) {
      message_ = Message::error(error.what());
    }
  }
  const std::string_view standard =
      exercise_ ? std::string_view(exercise_->starter) : map_templates()[0].code;
  const std::string_view code =
      wanted == nullptr || wanted->text.empty() ? standard : std::string_view(wanted->text);
  if (editor_.text().text() == code) return;
  const bool of_program = (exercise_ && !exercise_->name.empty() && code == exercise_->starter) ||
                          is_own_text(code) || (wanted != nullptr && wanted->trusted);
  set_code(code, of_program ? "" : exercise_ ? "the exercise" : "the scene", of_program);
  shown_.reset();
  square_ = launch_ = {};
  keep(settings);
}

void MapCodePanel::begin_exercise(const std::string& name, LifeSettings& settings) {
  settings.map_code = std::make_shared<const MapCode>(MapCode{{}, name});
  load(settings);
  if (!exercise_) return;
  const ExerciseCase& first = exercise_->cases.front();
  settings.config.fractal = first.fractal;
  settings.config.level = first.level;
  settings.config.tile_size = nearest_tile_size(first.fractal, first.level, settings.config.tile_size);
  keep_method_valid(settings.config);
}

std::string MapCodePanel::read_code(const std::filesystem::path& file) {
  std::string code = read_input(file.string(), kMaxFile, "the code of a thread map");
  if (code.size() > kMaxMapCode)
    throw InputError(
        fmt::format("'{}' has {} bytes; allowed: up to {}", short_name(file), code.size(), kMaxMapCode));
  return code;
}

void MapCodePanel::open_code(std::string_view code, const std::string& name, LifeSettings& settings) {
  if (kept_ == nullptr) load(settings);
  set_code(code, name, is_own_text(code));
  keep(settings);
  settings.show_code = true;
}

void MapCodePanel::start(const LifeSettings& settings, bool runs) {
  if (task_.running()) {
    run_waits_ = run_waits_ || runs;
    if (!user_runs_ || runs) task_.cancel();
    return;
  }
  run_waits_ = false;
  MapAttemptRequest request{.code = editor_.text().text(),
                            .version = editor_.text().version(),
                            .config = settings.config,
                            .runs = runs,
                            .backend = runs ? map_backend_of(first_device(backend_)) : MapBackend(),
                            .exercise = runs ? exercise_ : std::nullopt};
  tried_ = MapAttemptRequest{{}, request.version, request.config, runs, request.backend, {}};
  running_version_ = request.version;
  user_runs_ = runs;
  if (runs) {
    is_trusted_ = true;
    origin_.clear();
  }
  failure_.clear();
  task_.start([request = std::move(request)](ProgressMonitor& watch) { return attempt_map(request, watch); },
              "out of memory while running the map");
}

void MapCodePanel::take() {
  auto outcome = task_.poll();
  if (!outcome) return;
  if (outcome->cancelled) {
    if (user_runs_ && !run_waits_) failure_ = "cancelled";
    return;
  }
  if (!outcome->result) {
    failure_ = outcome->problem;
    return;
  }
  MapAttempt& attempt = *outcome->result;
  problems_ = attempt.map.problems;
  outcome_ = attempt.map.outcome;
  if (outcome_ != MapOutcome::kRan) return;
  if (attempt.request.runs) measured_ = attempt;
  shown_ = std::move(attempt);
  images_are_old_ = true;
}

void MapCodePanel::update(LifeSettings& settings, const BackendSelection& backend) {
  if (settings.map_code != kept_ || (settings.show_code && kept_ == nullptr)) load(settings);
  if (!backend_.same_device(backend)) backend_ = backend;
  is_pointed_at_ = false;
  take();
  if (!settings.show_code) {
    if (task_.running() && !user_runs_) task_.cancel();
    return;
  }
  const std::uint64_t version = editor_.text().version();
  const double now = ImGui::GetTime();
  if (version != seen_version_) {
    seen_version_ = version;
    changed_at_ = now;
  }
  if (version != kept_version_ && now - changed_at_ > kPause) keep(settings);
  if (task_.running()) {
    if (!user_runs_ && running_version_ != version) task_.cancel();
    return;
  }
  if (run_waits_) return start(settings, true);
  const bool is_new = !tried_ || tried_->version != version ||
                      !(tried_->config.fractal == settings.config.fractal) ||
                      tried_->config.level != settings.config.level;
  if (!is_new || !is_trusted_ || now - changed_at_ < kPause) return;
  if (has_feedback(settings.config)) return start(settings, false);
  // Larger levels wait for Run; the text is checked alone.
  problems_.clear();
  if (const auto problem = check_map_code(editor_.text().text())) problems_.push_back(*problem);
  outcome_ = problems_.empty() ? MapOutcome::kRan : MapOutcome::kRejected;
  tried_ = MapAttemptRequest{{}, version, settings.config, false, {}, {}};
}

bool MapCodePanel::is_animating() const {
  return task_.running() || run_waits_ || ImGui::GetTime() - changed_at_ < 2 * kPause;
}

Progress MapCodePanel::progress() const {
  return busy() ? Progress{"running the map", -1} : Progress{};
}

bool MapCodePanel::has_passed() const {
  return measured_ && measured_->grade && measured_->grade->passed &&
         measured_->request.code == editor_.text().text();
}

bool MapCodePanel::press(const KeyPress& press, LifeSettings& settings) {
  if (!settings.show_code) return false;
  const bool is_enter = press.key == GLFW_KEY_ENTER || press.key == GLFW_KEY_KP_ENTER;
  if (is_enter && press.ctrl) {
    start(settings, true);
    return true;
  }
  if (press.ctrl) return false;
  if (is_enter) {
    editor_.focus();
    return true;
  }
  if (press.key != GLFW_KEY_ESCAPE) return false;
  if (finds_) {
    finds_ = false;
    editor_.focus();
  } else if (busy()) {
    cancel();
  } else {
    settings.show_code = false;
  }
  return true;
}

void MapCodePanel::menus(LifeSettings& settings) {
  if (ImGui::Button("Templates")) ImGui::OpenPopup("##templates");
  button_area("templates");
  tooltip("Replaces the code by a map to begin with. Ctrl Z in the editor brings the old code back");
  if (ImGui::BeginPopup("##templates")) {
    for (const MapTemplate& one : map_templates()) {
      if (ImGui::Selectable(std::string(one.name).c_str())) {
        editor_.text().set(one.code, false);
        is_trusted_ = true;
        origin_.clear();
        editor_.focus();
      }
      areas_[fmt::format("template {}", one.name)] = item_area();
    }
    ImGui::EndPopup();
  }
  ImGui::SameLine();
  if (ImGui::Button("Exercises")) ImGui::OpenPopup("##exercises");
  button_area("exercises");
  tooltip("Tasks whose answer is a map. Run grades it");
  if (ImGui::BeginPopup("##exercises")) {
    if (ImGui::Selectable("None")) {
      settings.map_code = std::make_shared<const MapCode>(MapCode{editor_.text().text(), {}});
      load(settings);
    }
    for (const BundledExercise& one : bundled_exercises()) {
      const std::string name(one.name);
      const bool is_chosen = exercise_ && exercise_->name == name;
      if (ImGui::Selectable(capitalized(name).c_str(), is_chosen) && !is_chosen) {
        begin_exercise(name, settings);
        editor_.focus();
      }
      areas_["exercise " + name] = item_area();
    }
    ImGui::EndPopup();
  }
}

void MapCodePanel::bar(LifeSettings& settings) {
  const MapBackend backend = MapBackend{first_device(backend_).device, {}};
  const std::string no_run =
      busy() ? std::string("The map runs. Cancel ends it") : run_problem(settings.config, backend);
  if (choice_button(exercise_ ? "Run and grade" : "Run", !is_trusted_,
                    button_width(exercise_ ? "Run and grade" : "Run"), no_run,
                    "Runs the map on this level, and measures it if coverage is exact (Ctrl Enter)"))
    start(settings, true);
  button_area("run");
  ImGui::SameLine();
  if (choice_button("Cancel", false, button_width("Cancel"), busy() ? "" : "Nothing runs",
                    "Ends the run (Esc)"))
    cancel();
  button_area("cancel");
  ImGui::SameLine();
  menus(settings);
  ImGui::SameLine();
  const std::vector<std::string> extensions{kExtension};
  if (ImGui::Button("Open..."))
    browser_.open(scene::FileBrowser::Mode::kOpen, std::filesystem::current_path(), "", extensions);
  button_area("open");
  tooltip("Opens the code of a map (Ctrl O). It runs after you have pressed Run");
  ImGui::SameLine();
  if (ImGui::Button("Save..."))
    browser_.open(scene::FileBrowser::Mode::kSave, std::filesystem::current_path(), "my-map.map.cu",
                  extensions);
  button_area("save");
  tooltip("Saves the code, for map run and map check (Ctrl S)");
  ImGui::SameLine();
  const bool compares = !settings.secondary_panes.empty();
  if (choice_button("Compare maps", compares, button_width("Compare maps"), {},
                    "Bounding box, λ and compact below the code. A cell or thread under the cursor is marked "
                    "in all of them (V)"))
    set_panes(settings, compares ? PanePreset::kSingle : PanePreset::kMaps);
  button_area("compare");
  ImGui::SameLine();
  if (ImGui::Button("Close")) settings.show_code = false;
  button_area("close");
  tooltip("Back to the picture (Esc). The code is kept");
  switch (editor_.take_command()) {
    case code::EditorCommand::kRun:
      start(settings, true);
      break;
    case code::EditorCommand::kFind:
      finds_ = focuses_find_ = true;
      break;
    case code::EditorCommand::kOpen:
      browser_.open(scene::FileBrowser::Mode::kOpen, std::filesystem::current_path(), "", extensions);
      break;
    case code::EditorCommand::kSave:
      browser_.open(scene::FileBrowser::Mode::kSave, std::filesystem::current_path(), "my-map.map.cu",
                    extensions);
      break;
    case code::EditorCommand::kNone:
      break;
  }
}

void MapCodePanel::files(LifeSettings& settings) {
  const auto file = browser_.show();
  if (!file) return;
  try {
    if (browser_.what() == scene::FileBrowser::Mode::kSave) {
      write_file(*file, editor_.text().text());
      message_ = Message::success("Saved " + file->string());
    } else {
      open_code(read_code(*file), short_name(*file), settings);
    }
    browser_.close();
    editor_.focus();
  } catch (const InputError& error) {
    browser_.show_problem(error.what());
  }
}

void MapCodePanel::find_row() {
  if (!finds_) return;
  if (std::exchange(focuses_find_, false)) imgui_compat::focus_next_item();
  std::array<char, kFindLength> field{};
  words_.copy(field.data(), field.size() - 1);
  ImGui::SetNextItemWidth(12 * ImGui::GetFontSize());
  const bool entered = ImGui::InputTextWithHint("##find", "Find", field.data(), field.size(),
                                                ImGuiInputTextFlags_EnterReturnsTrue);
  button_area("find");
  const bool is_in_field = ImGui::IsItemActive();
  const bool left = ImGui::IsItemDeactivated();
  words_ = field.data();
  ImGui::SameLine();
  const bool previous = ImGui::Button("Previous");
  ImGui::SameLine();
  const bool next = ImGui::Button("Next");
  if (entered || next || previous) {
    if (!editor_.text().find(words_, previous || (entered && ImGui::GetIO().KeyShift)))
      message_ = Message::hint(fmt::format("'{}' is not in the code", words_));
    editor_.reveal();
    if (entered) focuses_find_ = true;
  }
  ImGui::SameLine();
  const bool escaped =
      (is_in_field || left) && ImGui::IsKeyPressed(imgui_compat::key(GLFW_KEY_ESCAPE), false);
  if (ImGui::Button("Done") || escaped) {
    finds_ = false;
    editor_.focus();
  }
}

void MapCodePanel::task_text() {
  if (!exercise_) return;
  if (!section(exercise_->title.c_str())) return;
  ImGui::PushTextWrapPos(0);
  // Paragraphs are separated by empty lines; lines within are joined.
  std::string_view rest = exercise_->task;
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find("\n\n"), rest.size());
    std::string paragraph(rest.substr(0, end));
    std::replace(paragraph.begin(), paragraph.end(), '\n', ' ');
    ImGui::TextUnformatted(paragraph.c_str());
    rest.remove_prefix(std::min(end + 2, rest.size()));
  }
  ImGui::PopTextWrapPos();
  hints();
}

void MapCodePanel::hints() {
  for (std::size_t i = 0; i < hints_ && i < exercise_->hints.size(); ++i)
    note(fmt::format("Hint {}: {}", i + 1, exercise_->hints[i]));
  if (hints_ < exercise_->hints.size()) {
    if (ImGui::SmallButton(hints_ == 0 ? "Hint" : "Next hint")) ++hints_;
    button_area("hint");
    ImGui::SameLine();
  }
  if (!exercise_->solution.empty() && exercise_->shows_solution) {
    if (ImGui::SmallButton("Show solution")) {
      editor_.text().set(exercise_->solution, false);
      shows_solution_ = true;
    }
    button_area("solution");
    tooltip("Replaces your code by the solution. Ctrl Z in the editor brings it back");
    ImGui::SameLine();
  }
  if (ImGui::SmallButton("Start again")) editor_.text().set(exercise_->starter, false);
  button_area("start again");
  tooltip("Replaces your code by the starter code. Ctrl Z in the editor brings it back");
}

void MapCodePanel::status_row() {
  const theme::Colours& colours = theme::colours();
  if (!is_trusted_)
    return coloured(colours.warning,
                    fmt::format("This code came with {}. Read it, then press Run to run it", origin_));
  if (busy()) return note("Running...");
  if (!failure_.empty())
    return coloured(colours.warning, fmt::format("The last run has no result: {}", failure_));
  if (!problems_.empty()) {
    const CodeProblem& first = problems_.front();
    const std::string more = problems_.size() > 1 ? fmt::format(" (and {} more)", problems_.size() - 1) : "";
    return coloured(colours.error, fmt::format("\u2717 {}{}", to_string(first), more));
  }
  if (!shown_ || !tried_ || shown_->request.version != tried_->version)
    return note(tried_ && !has_feedback(tried_->config)
                    ? "Press Run (Ctrl Enter) for the coverage of this level"
                    : "...");
  const MapCoverage& coverage = shown_->map.coverage;
  if (coverage.is_exact())
    return coloured(colours.success, "\u2713 Coverage is exact: each cell is reached by one thread");
  if (shown_->map.wrong)
    return coloured(colours.warning, "First wrong thread: " + to_string(*shown_->map.wrong));
  if (shown_->map.first_missed)
    return coloured(colours.warning,
                    fmt::format("No thread reaches ({}, {}) and {} other cells", shown_->map.first_missed->x,
                                shown_->map.first_missed->y, coverage.missed - 1));
  coloured(colours.warning, "Coverage is not exact");
}

void MapCodePanel::draw_images() {
  const CoverageColours colours = theme_colours();
  if (colours != colours_) {
    colours_ = colours;
    images_are_old_ = true;
    const int side = std::max(9, static_cast<int>(kMarkSize * ImGui::GetFontSize()));
    for (std::size_t i = 0; i < kCoverageMarks; ++i) {
      const CoverageImage image = mark_image(static_cast<CoverageMark>(i), side, colours_);
      mark_textures_[i].upload(image.size, image.pixels);
    }
  }
  if (!std::exchange(images_are_old_, false) || !shown_) return;
  layout_ = LaunchLayout(shown_->map.launch);
  square_ = square_image(*shown_, colours_);
  launch_ = launch_image(*shown_, layout_, colours_);
  if (!square_.empty()) square_texture_.upload(square_.size, square_.pixels);
  if (!launch_.empty()) launch_texture_.upload(launch_.size, launch_.pixels);
}

void MapCodePanel::pictures(float width, const std::optional<Coord64>& linked) {
  hovered_.reset();
  hovered_thread_.reset();
  is_pointed_at_ = false;
  if (!shown_) return;
  const MapResult& map = shown_->map;
  if (square_.empty()) return note("This level has too many points for a picture. The counts are exact");
  const float gap = ImGui::GetStyle().ItemSpacing.x;
  const float side = std::floor((width - gap) / 2);
  struct Shown {
    Area area;
    glm::ivec2 points;
    glm::vec2 scale;
  };
  std::array<std::optional<Shown>, 2> drawn;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const auto draw = [&](std::size_t index, const char* id, const CoverageImage& image,
                        const render::ColourTexture& texture) {
    const glm::vec2 size(image.size);
    const float scale = side / std::max(size.x, size.y);
    const glm::vec2 corner = ImGui::GetCursorScreenPos();
    ImGui::InvisibleButton(id, {side, side});
    areas_[id] = item_area();
    const Area area{corner, size * scale};
    draw_texture(list, texture, area);
    list.AddRect({corner.x, corner.y}, {corner.x + area.size.x, corner.y + area.size.y},
                 ImGui::GetColorU32(ImGuiCol_Border));
    drawn[index] = Shown{area, image.points, area.size / glm::vec2(image.points)};
    if (!ImGui::IsItemHovered()) return std::optional<glm::ivec2>();
    const glm::vec2 mouse = ImGui::GetIO().MousePos;
    const glm::ivec2 at(glm::floor((mouse - corner) / drawn[index]->scale));
    const bool is_inside = at.x >= 0 && at.y >= 0 && at.x < image.points.x && at.y < image.points.y;
    return is_inside ? std::optional(at) : std::nullopt;
  };
  ImGui::BeginGroup();
  ImGui::TextUnformatted("Cells");
  auto point = draw(0, "cells", square_, square_texture_);
  ImGui::EndGroup();
  ImGui::SameLine();
  ImGui::BeginGroup();
  ImGui::TextUnformatted("Threads of the launch");
  std::optional<glm::ivec2> place;
  if (!launch_.empty()) {
    place = draw(1, "threads", launch_, launch_texture_);
  } else {
    note("Too many threads for a picture");
  }
  ImGui::EndGroup();
  is_pointed_at_ = point || place;
  if (!is_pointed_at_ && linked && linked->x < static_cast<std::uint64_t>(square_.points.x) &&
      linked->y < static_cast<std::uint64_t>(square_.points.y))
    point = glm::ivec2(linked->x, linked->y);
  if (point) {
    hovered_ = Coord64{static_cast<std::uint64_t>(point->x), static_cast<std::uint64_t>(point->y)};
    const auto found = std::find(map.points.begin(), map.points.end(), MapPoint{point->x, point->y});
    if (found != map.points.end()) hovered_thread_ = static_cast<std::uint64_t>(found - map.points.begin());
  }
  if (place) hovered_thread_ = layout_.thread_at(*place);
  if (place && hovered_thread_) {
    const MapPoint& of = map.points[*hovered_thread_];
    if (!of.is_none() && of.x >= 0 && of.y >= 0 && of.x < square_.points.x && of.y < square_.points.y)
      hovered_ = Coord64{static_cast<std::uint64_t>(of.x), static_cast<std::uint64_t>(of.y)};
  }
  // Marks what belongs together in both pictures.
  const auto mark = [&](const std::optional<Shown>& in, glm::ivec2 at) {
    if (!in) return;
    const glm::vec2 corner = in->area.corner + glm::vec2(at) * in->scale;
    const glm::vec2 size = glm::max(in->scale, glm::vec2(5));
    list.AddRect({corner.x - 2, corner.y - 2}, {corner.x + size.x + 2, corner.y + size.y + 2},
                 theme::colours().ring_edge, 0, 0, 3);
    list.AddRect({corner.x - 1, corner.y - 1}, {corner.x + size.x + 1, corner.y + size.y + 1},
                 theme::colours().ring, 0, 0, 2);
  };
  if (hovered_) mark(drawn[0], {static_cast<int>(hovered_->x), static_cast<int>(hovered_->y)});
  if (hovered_thread_) mark(drawn[1], layout_.place_of(*hovered_thread_));
}

void MapCodePanel::hovered_line() {
  if (!shown_) return;
  const auto thread_text = [&](std::uint64_t number) {
    const MapThread thread = thread_of(shown_->map.launch, number);
    return fmt::format("thread ({}, {}) of block ({}, {})", thread.thread_x, thread.thread_y, thread.block_x,
                       thread.block_y);
  };
  if (hovered_thread_) {
    const MapPoint& point = shown_->map.points[*hovered_thread_];
    const std::string where =
        point.is_none() ? std::string("none()") : fmt::format("({}, {})", point.x, point.y);
    const std::uint8_t hits =
        hovered_
            ? shown_->map
                  .hits[static_cast<std::size_t>(hovered_->y) * static_cast<std::size_t>(square_.points.x) +
                        static_cast<std::size_t>(hovered_->x)]
            : std::uint8_t{0};
    const std::string others = hits > 1 ? fmt::format(", as {} other threads do", hits - 1) : "";
    return note(fmt::format("{} \u2192 {}{}", thread_text(*hovered_thread_), where, others));
  }
  if (hovered_) {
    const auto place = static_cast<std::size_t>(hovered_->y) * static_cast<std::size_t>(square_.points.x) +
                       static_cast<std::size_t>(hovered_->x);
    const bool is_cell = shown_->map.cells[place] != 0;
    return note(is_cell
                    ? fmt::format("No thread reaches the cell ({}, {})", hovered_->x, hovered_->y)
                    : fmt::format("({}, {}) is a hole, and no thread returns it", hovered_->x, hovered_->y));
  }
  note("Point at a cell or a thread: both pictures show what belongs to it");
}

void MapCodePanel::counts() {
  if (!shown_) return;
  const MapCoverage& coverage = shown_->map.coverage;
  const MapLaunch& launch = shown_->map.launch;
  note(fmt::format("cell_of_thread<<<dim3({}, {}), dim3({}, {})>>>", launch.grid_x, launch.grid_y,
                   launch.block_x, launch.block_y));
  if (!ImGui::BeginTable("##counts", 4)) return;
  ImGui::TableSetupColumn("##name", ImGuiTableColumnFlags_WidthStretch, 1.3f);
  ImGui::TableSetupColumn("##count", ImGuiTableColumnFlags_WidthStretch, 0.7f);
  ImGui::TableSetupColumn("##name2", ImGuiTableColumnFlags_WidthStretch, 1.3f);
  ImGui::TableSetupColumn("##count2", ImGuiTableColumnFlags_WidthStretch, 0.7f);
  const auto cell = [&](const char* name, const Text& value,
                        std::optional<CoverageMark> mark = std::nullopt) {
    ImGui::TableNextColumn();
    if (mark) {
      const float side = kMarkSize * ImGui::GetFontSize();
      ImGui::Image(imgui_compat::texture_id(mark_textures_[static_cast<std::size_t>(*mark)].gl_name()),
                   {side, side});
      ImGui::SameLine();
    }
    ImGui::TextUnformatted(name);
    ImGui::TableNextColumn();
    ImGui::TextUnformatted(value.c_str());
  };
  cell("Reached once", format_count(coverage.once), CoverageMark::kOnce);
  cell("Threads", format_count(coverage.threads));
  cell("More than once", format_count(coverage.repeated), CoverageMark::kRepeated);
  cell("Active",
       format_text("{} ({})", format_count(coverage.active), format_percent(coverage.efficiency())));
  cell("Missed", format_count(coverage.missed), CoverageMark::kMissed);
  cell("Idle, none()", format_count(coverage.none));
  cell("Threads on holes", format_count(coverage.on_holes), CoverageMark::kOnHole);
  cell("Blocks", format_count(coverage.blocks));
  cell("Threads outside", format_count(coverage.outside), CoverageMark::kOutside);
  cell("Empty blocks", format_count(coverage.empty_blocks));
  const std::uint64_t lanes = coverage.active + coverage.idle_lanes;
  const double idle = lanes == 0 ? 0 : static_cast<double>(coverage.idle_lanes) / static_cast<double>(lanes);
  cell("Sectors/request", format_text("{:.2f}", coverage.sectors_per_request()));
  cell("Idle lanes", format_percent(idle));
  ImGui::EndTable();
}

void MapCodePanel::times() {
  if (!measured_ || !measured_->comparison || !measured_->map.single_write_milliseconds) return;
  const bool is_current = measured_->request.code == editor_.text().text();
  ImGui::Separator();
  ImGui::TextUnformatted(is_current ? "Single write" : "Single write, before the last change");
  struct Row {
    const char* name;
    std::optional<double> ms;
    glm::vec4 colour;
  };
  const auto& ms = measured_->comparison->ms;
  const std::array rows = {Row{"Custom", measured_->map.single_write_milliseconds, theme::colours().success},
                           Row{"Bounding box", ms[0], colour_of(MapKind::kBoundingBox)},
                           Row{"\u03bb", ms[1], colour_of(MapKind::kLambda)},
                           Row{"Compact", ms[2], colour_of(MapKind::kCompact)}};
  double longest = 0;
  for (const Row& row : rows) longest = std::max(longest, row.ms.value_or(0));
  const float label = 7 * ImGui::GetFontSize();
  for (const Row& row : rows) {
    ImGui::TextUnformatted(row.name);
    ImGui::SameLine(label);
    const Text value = row.ms ? format_text("{} ms", format_ms(*row.ms)) : Text("not in time");
    const glm::vec2 at = ImGui::GetCursorScreenPos();
    const float width = remaining_width() - 5.5f * ImGui::GetFontSize();
    const float height = ImGui::GetTextLineHeight();
    const auto share = static_cast<float>(longest > 0 ? row.ms.value_or(0) / longest : 0);
    ImGui::GetWindowDrawList()->AddRectFilled({at.x, at.y + height * 0.15f},
                                              {at.x + std::max(2.0f, width * share), at.y + height * 0.9f},
                                              packed(row.colour));
    ImGui::SetCursorScreenPos({at.x + std::max(2.0f, width * share) + ImGui::GetFontSize() * 0.4f, at.y});
    ImGui::TextUnformatted(value.c_str());
  }
  note(measured_->comparison->conditions);
}

void MapCodePanel::grade() {
  if (!exercise_ || !measured_ || !measured_->grade) return;
  const theme::Colours& colours = theme::colours();
  const Grade& grade = *measured_->grade;
  const bool is_current = measured_->request.code == editor_.text().text();
  ImGui::Separator();
  if (!is_current) {
    note("The code has changed since it was graded. Run it again");
  } else if (grade.passed) {
    coloured(colours.success, "\u2713 Exercise passed, on all levels and fractals");
  } else {
    coloured(colours.error, "\u2717 Not passed: " + grade.problem);
  }
  for (const RequirementResult& one : grade.requirements)
    coloured(one.holds ? colours.text : colours.warning,
             fmt::format("{} {}: {}, required: {}", one.holds ? "\u2713" : "\u2717", one.name, one.found,
                         one.required));
}

void MapCodePanel::show(const Area& area, LifeSettings& settings, const std::optional<Coord64>& linked) {
  areas_.clear();
  draw_images();
  begin_pane_window("##map code", area, false);
  bar(settings);
  status_row();
  const glm::vec2 room = ImGui::GetContentRegionAvail();
  const float gap = ImGui::GetStyle().ItemSpacing.x;
  const float right = std::floor(std::clamp(room.x * 0.42f, 16 * ImGui::GetFontSize(), room.y * 1.25f));
  ImGui::BeginChild("##left", {room.x - right - gap, 0}, false);
  task_text();
  find_row();
  editor_.show("##code", ImGui::GetContentRegionAvail(), problems_);
  areas_["editor"] = editor_.area();
  ImGui::EndChild();
  ImGui::SameLine();
  ImGui::BeginChild("##right", {right, 0}, false);
  grade();
  const bool is_of_scene = shown_ && shown_->request.config.fractal == settings.config.fractal &&
                           shown_->request.config.level == settings.config.level;
  pictures(ImGui::GetContentRegionAvail().x, is_of_scene ? linked : std::nullopt);
  is_pointed_at_ = is_pointed_at_ && is_of_scene;
  hovered_line();
  counts();
  times();
  ImGui::EndChild();
  ImGui::End();
  files(settings);
}

void MapCodePanel::add_state(nlohmann::ordered_json& json, bool shown) const {
  json = {{"shown", shown},
          {"text", editor_.text().text()},
          {"lines", editor_.text().line_count()},
          {"focused", editor_.is_focused()},
          {"trusted", is_trusted_},
          {"origin", origin_},
          {"running", task_.running()},
          {"outcome", name_of(outcome_)},
          {"failure", failure_},
          {"exercise", exercise_ ? exercise_->name : ""},
          {"passed", has_passed()},
          {"hints", hints_},
          {"finds", finds_},
          {"pause_seconds", kPause}};
  json["problems"] = nlohmann::ordered_json::array();
  for (const CodeProblem& one : problems_)
    json["problems"].push_back({{"line", one.line}, {"column", one.column}, {"message", one.message}});
  json["up_to_date"] = !task_.running() && tried_ && tried_->version == editor_.text().version();
  json["coverage"] = nullptr;
  if (shown_) {
    const MapCoverage& coverage = shown_->map.coverage;
    json["coverage"] = {{"cells", coverage.cells},
                        {"once", coverage.once},
                        {"repeated", coverage.repeated},
                        {"missed", coverage.missed},
                        {"on_holes", coverage.on_holes},
                        {"outside", coverage.outside},
                        {"threads", coverage.threads},
                        {"exact", coverage.is_exact()},
                        {"level", shown_->request.config.level}};
  }
  json["measured"] = measured_ && measured_->comparison;
  json["hovered"] = nullptr;
  if (hovered_) json["hovered"] = {hovered_->x, hovered_->y};
  json["hovered_thread"] = nullptr;
  if (hovered_thread_) json["hovered_thread"] = *hovered_thread_;
  json["places"] = nlohmann::ordered_json::object();
  for (const auto& [name, place] : areas_) json["places"][name] = numbers_of(place);
  for (const auto& [name, place] : browser_.areas()) json["places"]["browser " + name] = numbers_of(place);
}

}  // namespace loom::app
