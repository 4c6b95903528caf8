#include <GLFW/glfw3.h>
#include <fmt/format.h>
#include <imgui.h>
#include <imgui_stdlib.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <utility>

#include "app/explain/diagram/diagrams.h"
#include "app/gui/imgui_compat.h"
#include "app/gui/theme.h"
#include "app/text/format.h"
#include "app/widgets/control_marks.h"
#include "app/widgets/diagram_painter.h"
#include "app/widgets/inputs.h"
#include "app/widgets/text.h"
#include "app/widgets/windows.h"
#include "app/workspaces/life/panels/life_panels.h"
#include "compute/core/error.h"

namespace loom::app {
namespace {

void place_rows(const ThreadExplanation::Thread& thread) {
  const ScopedControlMark marked(Control::kThread);
  if (!begin_rows("##place")) return;
  const explain::ThreadLocation& place = thread.place;
  row("blockIdx", format_pair(place.thread_block.x, place.thread_block.y), "Index of the CUDA thread block");
  row("threadIdx, linear", format_count(place.rank),
      "Index in the thread block: threadIdx.x, plus blockDim.x threadIdx.y in a block of two dimensions");
  row("warp, lane", format_text("{}, {}", place.warp(), place.lane()),
      "Warp in the thread block; 32 lanes run together");
  row(thread.lambda ? "tile ω" : "tile", format_pair(place.ref.tile.x, place.ref.tile.y),
      "Index of its tile in the launch");
  row("thread index in tile", format_count(place.ref.thread));
  if (is_hidden(Control::kLambda)) {
    ImGui::EndTable();
    return;
  }
  row("tile position",
      place.has_position ? format_pair(place.place.x, place.place.y) : "none (FP16 overflow)",
      "Position in the square, in tiles");
  row(place.has_cell ? "cell" : "hole (idle)", format_pair(place.cell.x, place.cell.y));
  if (place.address) {
    row("byte offset", format_count(*place.address), "Of the cell, within one generation");
    row("cache line (128 B)", format_count(place.line()));
  }
  ImGui::EndTable();
}

std::optional<explain::CellRect> lambda_rows(const explain::LambdaSteps& lambda) {
  const ScopedControlMark marked(Control::kLambda);
  std::optional<explain::CellRect> hovered;
  ImGui::TextUnformatted("λ level by level");
  if (is_hidden(Control::kLambda)) {
    note("The table is hidden until the question of the lesson is answered.");
    return hovered;
  }
  tooltip(
      "Each digit of ω selects a replica of its level; its offset τ times the width of the level is added");
  if (ImGui::BeginTable("##lambda", 5, ImGuiTableFlags_RowBg | ImGuiTableFlags_SizingStretchProp)) {
    ImGui::TableNextRow();
    ImGui::PushStyleColor(ImGuiCol_Text, theme::colours().muted);
    for (const char* title : {"level", "digit of", "τ", "width", "sum"}) {
      ImGui::TableNextColumn();
      ImGui::TextUnformatted(title);
    }
    ImGui::PopStyleColor();
    for (const explain::LambdaStep& step : lambda.steps) {
      ImGui::TableNextRow();
      ImGui::TableNextColumn();
      ImGui::PushID(step.level);
      ImGui::Selectable(format_text("{}", step.level).c_str(), false, ImGuiSelectableFlags_SpanAllColumns);
      const bool over = ImGui::IsItemHovered();
      if (over) hovered = step.square;
      tooltip(step.formula);
      ImGui::PopID();
      ImGui::TableNextColumn();
      wrapped_text(format_text("{}: {}", step.from_x ? "ω_x" : "ω_y", step.digit));
      ImGui::TableNextColumn();
      ImGui::TextUnformatted(format_pair(step.offset.x, step.offset.y).c_str());
      ImGui::TableNextColumn();
      ImGui::TextUnformatted(step.weight.x == step.weight.y
                                 ? format_text("{}", step.weight.x).c_str()
                                 : format_text("{} × {}", step.weight.x, step.weight.y).c_str());
      ImGui::TableNextColumn();
      ImGui::TextUnformatted(format_pair(step.sum.x, step.sum.y).c_str());
    }
    ImGui::EndTable();
  }
  note(lambda.formula_x);
  note(lambda.formula_y);
  return hovered;
}

void traffic_rows(const explain::WarpTraffic& traffic, const Device& device) {
  const ScopedControlMark marked(Control::kTraffic);
  ImGui::TextUnformatted("Warp memory accesses");
  tooltip(
      "Of its warp in one generation, computed analytically for the CUDA kernel. A profiler counts the same "
      "requests and sectors on an H200");
  // Without accesses of its own, other warps of the thread block stage the cells.
  const bool has_rows =
      traffic.cells_read.requests + traffic.cells_written.requests + traffic.tables_read.requests > 0;
  if (has_rows && ImGui::BeginTable("##traffic", 4)) {
    muted_titles({"", "requests", "sectors", "used"});
    const auto global = [](const char* name, const explain::GlobalTraffic& part) {
      if (part.requests == 0) return;
      ImGui::TableNextRow();
      ImGui::TableNextColumn();
      ImGui::TextUnformatted(name);
      ImGui::TableNextColumn();
      right_aligned(format_count(part.requests));
      ImGui::TableNextColumn();
      right_aligned(format_count(part.sectors));
      tooltip(format_text("{:.1f} sectors/request (32 B each)", part.sectors_per_request()));
      ImGui::TableNextColumn();
      right_aligned(format_percent(part.requested_fraction()));
      tooltip(format_text("{} bytes requested / {} transferred", part.bytes_requested, part.bytes_moved()));
    };
    global("reads", traffic.cells_read);
    global("writes", traffic.cells_written);
    global("tables", traffic.tables_read);
    ImGui::EndTable();
  }
  // All threads of the thread block share the staging.
  const bool reads = traffic.cells_read.requests > 0;
  const bool writes = traffic.cells_written.requests > 0;
  if (traffic.shared.requests > 0 && !(reads && writes)) {
    note(format_text("Other warps of the thread block {} for this warp.", reads ? "write the cells"
                                                                          : writes
                                                                              ? "read the cells"
                                                                              : "read and write the cells"));
  }
  if (traffic.shared.requests > 0 && reads && writes)
    note("The warps of a thread block share these accesses: a warp may have those of others, too.");
  if (traffic.shared.requests > 0) {
    note(format_text("Shared memory: {} requests, {} bank conflicts.", traffic.shared.requests,
                     traffic.shared.bank_conflicts));
  }
  if (!device.warps) note("The CPU runs the same tiles and threads, but has no warps.");
}

Coord64 cell_of(std::string_view text, const explain::ThreadSpace& space) {
  const TiledFractal& square = space.tiled();
  std::vector<std::uint64_t> numbers;
  for (const std::string_view word : split_words(text, "(), ")) {
    if (const auto number = parse_whole_number(word))
      numbers.push_back(*number);
    else
      numbers.resize(3);
  }
  if (numbers.size() == 1) return space.cell_by_index(numbers[0]);
  if (numbers.size() == 2 && numbers[0] < square.width && numbers[1] < square.height)
    return {numbers[0], numbers[1]};
  throw InputError(
      fmt::format("'{}' is no cell; allowed: an index from 0 to {}, or a point x, y up to {}, {}",
                  shown(text), square.cells - 1, square.width - 1, square.height - 1));
}

Coord64 cell_of_thread(std::string_view text, const explain::ThreadSpace& space) {
  const auto number = parse_whole_number(without_blanks(text));
  if (!number) {
    throw InputError(fmt::format("'{}' is no thread index; allowed: 0 to {}", shown(text),
                                 space.threads() ? fmt::to_string(*space.threads() - 1) : "2^64 - 1"));
  }
  const explain::ThreadLocation place = space.location_of(space.thread_by_number(*number));
  if (!place.has_position) throw InputError("plain FP16 weights place that thread outside the square");
  return place.cell;
}

/// A field that shows `now`. Enter, or leaving it, pins the point that `point_of` reads from the text, or
/// says why there is none until the text or `now` changes.
void point_field(const char* name, const char* hint, PointFieldState& field, const Text& now, LifeEdit& edit,
                 const FractalConfig& config,
                 Coord64 (*point_of)(std::string_view, const explain::ThreadSpace&)) {
  ImGui::AlignTextToFramePadding();
  ImGui::TextUnformatted(name);
  ImGui::SameLine();
  ImGui::SetNextItemWidth(ImGui::GetFontSize() * 5.2f);
  ImGui::PushID(name);
  if (std::exchange(field.takes_focus, false)) ImGui::SetKeyboardFocusHere();
  const bool edits = ImGui::InputText("##text", &field.text, ImGuiInputTextFlags_AutoSelectAll);
  ImGui::PopID();
  field.area = item_area();
  if (edits) field.problem.clear();
  if (ImGui::IsItemDeactivatedAfterEdit() && field.text != std::string_view(now)) {
    try {
      edit.settings.pinned = point_of(field.text, explain::ThreadSpace(config));
    } catch (const InputError& error) {
      field.problem = error.what();
      field.takes_focus = imgui_compat::is_enter_pressed();
    }
  }
  const bool is_new = field.now != now;
  if (is_new) field.problem.clear();
  if (!ImGui::IsItemActive() && field.problem.empty() && (is_new || field.text != std::string_view(now)))
    field.text = now;
  field.now = now;
  tooltip(hint);
}

void choose_by_number(ThreadPanelState& state, LifeEdit& edit, const LifeStats& report,
                      const ThreadExplanation& explanation) {
  const explain::ThreadSpace* const space = explanation.space();
  const bool about_now = space != nullptr && space->config() == report.config;
  Text thread;
  Text cell;
  if (about_now && explanation.thread()) {
    if (space->threads()) thread.add("{}", space->number_of(explanation.thread()->place.ref));
    if (const auto index = space->index_of_cell(*explanation.point())) cell.add("{}", *index);
  }
  point_field("Thread", "Thread index in the launch, tile by tile. Type an index to pin the thread",
              state.thread, thread, edit, report.config, cell_of_thread);
  ImGui::SameLine();
  point_field(
      "Cell",
      "Canonical index: ν_y times the width of compact space, plus ν_x. Type an index, or a point of the "
      "square as x, y, to pin it",
      state.cell, cell, edit, report.config, cell_of);
  for (const PointFieldState* const field : {&state.thread, &state.cell}) {
    if (!field->problem.empty()) warning(field->problem);
  }
}

}  // namespace

std::optional<explain::CellRect> thread_panel(ThreadPanelState& state, LifeEdit& edit,
                                              const LifeStats& report, const ThreadExplanation& explanation,
                                              const ThreadPath& path) {
  choose_by_number(state, edit, report, explanation);
  if (!explanation.point()) {
    note(
        "Hover a point of the picture to explain its thread. A click pins it; then arrow keys move, Esc "
        "unpins.");
    return {};
  }
  const LifeSettings& settings = edit.settings;
  note(!settings.pinned                           ? "Under the cursor. A click pins it."
       : settings.pinned == settings.lesson_point ? "Pinned by the lesson. Arrow keys move."
       : settings.lesson_point.has_value() ? "Pinned. Arrow keys move, Esc returns to the lesson's thread."
                                           : "Pinned. Arrow keys move, Esc unpins.");
  if (!explanation.thread()) {
    wrapped_text(explanation.problem());
    note("Point at a cell. The wheel zooms in; S shows a field of few cells.");
    return {};
  }
  const ThreadExplanation::Thread& thread = *explanation.thread();
  // What λ computes from ω is hidden with its steps.
  if (!is_hidden(Control::kLambda)) {
    thread_path_row(path, thread);
    wrapped_text(thread.sentence);
    note("In the picture, the ring marks this thread's point, violet the other lanes of its warp.");
  }
  place_rows(thread);
  std::optional<explain::CellRect> square;
  if (thread.lambda) {
    ImGui::Separator();
    square = lambda_rows(*thread.lambda);
  }
  if (thread.traffic) {
    ImGui::Separator();
    traffic_rows(*thread.traffic, report.backend.device);
  }
  ImGui::Separator();
  return square;
}

namespace {

constexpr double kSecondsOfKey = 2;
// The margin around the page, in font sizes of it. In a lecture the bars of the window are higher.
constexpr float kPageMargin = 0.3f;
constexpr float kMostCaptions = 2;

// Of the toolbar, in font sizes.
constexpr float kNameWidth = 6;
constexpr float kSceneStepWidth = 1.5f;
constexpr float kChapterWidth = 8;
constexpr std::array kShowMeGroups = {kNameWidth + 2 * kSceneStepWidth + kChapterWidth + 3 * toolbar::kGap};

}  // namespace

void ShowMePanel::open(const NbbFractal& fractal, std::optional<std::size_t> from_start) {
  show_me_ = std::make_unique<explain::ShowMe>(fractal);
  from_start_ = from_start;
  seconds_ = 0;
  playing_ = true;
  captions_ = 0;
}

void ShowMePanel::leave(ShellEdit& shell) {
  if (from_start_) shell.settings.show_start = true;
  shell.settings.workspace = from_start_.value_or(shell.settings.workspace);
  close();
}

void ShowMePanel::go_to(double seconds) {
  seconds_ = std::clamp(seconds, 0.0, explain::ShowMe::kSeconds);
}

// The scene that follows the end is the last one.
void ShowMePanel::go_to_chapter(std::size_t chapter) {
  const auto& chapters = show_me_->chapters();
  go_to(chapters[std::min(chapter, chapters.size() - 1)].begin);
}

std::span<const float> ShowMePanel::toolbar_groups() {
  return kShowMeGroups;
}

void ShowMePanel::toolbar_group(ShellEdit& shell) {
  const auto& chapters = show_me_->chapters();
  const auto shown = static_cast<std::size_t>(&show_me_->chapter_at(seconds_) - chapters.data());
  const float font = ImGui::GetFontSize();
  const auto beside = [&] { ImGui::SameLine(0, toolbar::kGap * font); };
  const bool leaves =
      choice_button("Show me", true, kNameWidth * font, {},
                    "The animation of the maps is shown; the scene is paused. Leaves it (Esc)");
  beside();
  ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, {0, ImGui::GetStyle().FramePadding.y});
  if (choice_button("<", false, kSceneStepWidth * font, shown == 0 ? "This is the first scene" : "",
                    "Previous scene"))
    go_to_chapter(shown - 1);
  beside();
  const Text label = format_text("scene {} of {}", shown + 1, chapters.size());
  if (choice_button(label.c_str(), false, kChapterWidth * font, {}, "Plays this scene again"))
    go_to_chapter(shown);
  beside();
  if (choice_button(">", false, kSceneStepWidth * font,
                    shown + 1 == chapters.size() ? "This is the last scene" : "", "Next scene"))
    go_to_chapter(shown + 1);
  next_ = item_area();
  ImGui::PopStyleVar();
  if (leaves) leave(shell);
}

bool ShowMePanel::press(const KeyPress& press, ShellEdit& shell) {
  if (!is_open() || press.ctrl) return false;
  switch (press.key) {
    case GLFW_KEY_ESCAPE:
    case GLFW_KEY_F5:
      leave(shell);
      return true;
    case GLFW_KEY_SPACE:
      if (seconds_ >= explain::ShowMe::kSeconds) seconds_ = 0;
      playing_ = !playing_;
      return true;
    case GLFW_KEY_LEFT:
    case GLFW_KEY_RIGHT:
      go_to(seconds_ + (press.key == GLFW_KEY_LEFT ? -kSecondsOfKey : kSecondsOfKey));
      return true;
    case GLFW_KEY_HOME:
      go_to(0);
      return true;
    case GLFW_KEY_END:
      go_to(explain::ShowMe::kSeconds);
      return true;
    default:
      return false;
  }
}

/// A line on the slider where each chapter begins.
void ShowMePanel::mark_chapters() const {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const ImU32 colour = ImGui::GetColorU32(theme::colours().muted);
  // The middle of the slider's grab moves between these ends.
  const float inset = ImGui::GetStyle().GrabMinSize / 2 + 2;
  for (const explain::ShowMe::Chapter& chapter : show_me_->chapters()) {
    const auto part = static_cast<float>(chapter.begin / explain::ShowMe::kSeconds);
    const float x = slider_.corner.x + inset + part * (slider_.size.x - 2 * inset);
    list.AddLine({x, slider_.end().y - slider_.size.y / 4}, {x, slider_.end().y}, colour, theme::grid(0.5f));
  }
}

void ShowMePanel::show(const Area& area, bool lecture, ShellEdit& shell) {
  if (!is_open() || area.empty()) return;
  if (playing_) go_to(seconds_ + static_cast<double>(std::min(ImGui::GetIO().DeltaTime, 0.1f)));
  if (seconds_ >= explain::ShowMe::kSeconds) playing_ = false;
  begin_pane_window("##show me", area, false);
  const glm::vec2 corner = ImGui::GetCursorScreenPos();
  const float controls = ImGui::GetFrameHeightWithSpacing();
  const glm::vec2 room = glm::vec2(ImGui::GetContentRegionAvail()) - glm::vec2{0, controls};
  // Title and sentence are at least as large as the text of the window, so that a lecture enlarges them.
  const float drawing = diagram::kShowMeDrawing + (lecture ? 0 : kPageMargin);
  constexpr float kCaptions = diagram::kShowMeTitle + diagram::kShowMeSentence;
  const float font = ImGui::GetFontSize();
  em_ = room.y / (drawing + kCaptions);
  if (em_ < font)
    em_ = std::max((room.y - kCaptions * font) / drawing, room.y / (drawing + kCaptions * kMostCaptions));
  em_ = std::min(em_, room.x / diagram::kShowMeSize.x);
  const float captions = std::clamp(font / em_, 1.0f, kMostCaptions);
  if (em_ > 1) {
    const bool is_drawn = drawn_at_ == seconds_ && captions_ == captions;
    drawn_at_ = seconds_;
    captions_ = captions;
    if (!is_drawn) diagram_ = diagram::show_me_diagram(*show_me_, seconds_, false, captions);
    const glm::vec2 page{diagram::kShowMeSize.x, drawing + kCaptions * captions};
    const float above = diagram::kShowMeTop - diagram::kShowMeTitle * captions;
    const glm::vec2 at = corner + (room - page * em_) / 2.0f - glm::vec2{0, above * em_};
    paint_diagram(*ImGui::GetWindowDrawList(), diagram_, at, em_, false);
  }
  ImGui::SetCursorScreenPos(corner + glm::vec2{0, std::max(0.0f, room.y + ImGui::GetStyle().ItemSpacing.y)});
  bool leaves = false;
  if (ImGui::Button(playing_ ? "Pause" : "Play")) {
    if (seconds_ >= explain::ShowMe::kSeconds) seconds_ = 0;
    playing_ = !playing_;
  }
  tooltip("Plays or pauses (Space)");
  ImGui::SameLine();
  ImGui::SetNextItemWidth(
      std::max(20.0f, remaining_width() - button_width("Leave") - ImGui::GetStyle().ItemSpacing.x));
  auto seconds = static_cast<float>(seconds_);
  if (slider("##seconds", &seconds, 0, static_cast<float>(explain::ShowMe::kSeconds), "%.1f s",
             ImGuiSliderFlags_AlwaysClamp)) {
    go_to(static_cast<double>(seconds));
    playing_ = false;
  }
  slider_ = item_area();
  mark_chapters();
  tooltip("Position in the minute (arrow keys, Home, End)");
  ImGui::SameLine();
  if (ImGui::Button("Leave")) leaves = true;
  tooltip(from_start_ ? "Returns to the start screen (Esc)" : "Returns to the scene (Esc)");
  ImGui::End();
  if (leaves) leave(shell);
}

nlohmann::ordered_json ShowMePanel::state() const {
  if (!is_open()) return nullptr;
  return {{"seconds", seconds_},
          {"playing", playing_},
          {"title", show_me_->chapter_at(seconds_).title},
          {"font_size", em_},
          {"captions", em_ * captions_},
          {"next", numbers_of(next_)},
          {"slider", numbers_of(slider_)}};
}

}  // namespace loom::app
