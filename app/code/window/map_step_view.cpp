#include "app/code/window/map_step_view.h"

#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <bit>
#include <chrono>
#include <nlohmann/json.hpp>
#include <utility>

#include "app/gui/theme.h"
#include "app/text/format.h"
#include "app/widgets/text.h"

namespace loom::app {
namespace {

constexpr std::size_t kMaxRecorded = 100'000;  ///< statements
constexpr std::chrono::milliseconds kRecordingTime{4};
constexpr float kBlockField = 3;  ///< width in font sizes
constexpr float kLaneField = 2;
constexpr float kInactiveAlpha = 0.4f;

bool has_lane(LaneMask mask, int lane) {
  return (mask >> lane & 1) != 0;
}

/// The innermost variable of this name in a function; null if there is none.
const StepVariable* variable_at(const std::vector<StepVariable>& variables, int depth,
                                std::string_view name) {
  const StepVariable* found = nullptr;
  for (const StepVariable& one : variables) {
    if (one.depth == depth && one.name == name) found = &one;
  }
  return found;
}

}  // namespace

void MapStepView::start(std::uint64_t thread) {
  const MapLaunch& launch = stepper_->launch();
  const MapThread of = thread_of(launch, thread);
  const std::uint64_t warp = thread % launch.threads_per_block() / kLanes;
  const auto make = [&] {
    if (formula_) return MapStepper(stepper_->program(), *formula_);
    return MapStepper(stepper_->program(), config_->fractal, config_->level, of.block_x, of.block_y,
                      static_cast<int>(warp));
  };
  MapStepper stepper = make();
  recorder_ = make();
  stepper_ = std::move(stepper);
  thread_ = thread;
  states_ = {recorder_->state()};
  path_steps_.clear();
  is_recorded_ = false;
}

void MapStepView::begin(const MapProgram& program, const FractalConfig& config,
                        std::optional<std::uint64_t> thread) {
  stepper_ = MapStepper(program, config.fractal, config.level, 0, 0, 0);
  config_ = config;
  formula_.reset();
  const std::uint64_t threads = stepper_->launch().threads();
  const std::uint64_t wanted = thread.value_or(thread_);
  start(wanted < threads ? wanted : 0);
  problem_.clear();
  moved();
}

void MapStepView::begin(const MapProgram& formula, const FormulaLanes& lanes) {
  stepper_ = MapStepper(formula, lanes);
  formula_ = lanes;
  config_.reset();
  start(std::min<std::uint64_t>(thread_, kLanes - 1));
  problem_.clear();
  moved();
}

std::optional<int> MapStepView::lane_of(std::uint64_t thread) const {
  const std::uint64_t first = thread_ - static_cast<std::uint64_t>(lane());
  if (thread < first || thread - first >= kLanes) return std::nullopt;
  const auto lane = static_cast<int>(thread - first);
  return has_lane(stepper_->lanes(), lane) ? std::optional(lane) : std::nullopt;
}

void MapStepView::choose(std::uint64_t thread) {
  if (!stepper_ || thread == thread_ || thread >= stepper_->launch().threads()) return;
  if (lane_of(thread)) {
    thread_ = thread;
    return moved();
  }
  const std::uint64_t statement = stepper_->statement();
  start(thread);
  while (stepper_->statement() < statement && stepper_->step()) continue;
  moved();
}

void MapStepView::act(code::EditorCommand command, const std::set<int>& breakpoints, int line) {
  if (!stepper_) return;
  switch (command) {
    case code::EditorCommand::kStepInto:
      stepper_->step();
      break;
    case code::EditorCommand::kStepOver:
      stepper_->step_over();
      break;
    case code::EditorCommand::kStepOut:
      stepper_->step_out();
      break;
    case code::EditorCommand::kStepBack:
      stepper_->back();
      break;
    case code::EditorCommand::kRunToCursor:
      stepper_->run_to(line, breakpoints);
      break;
    case code::EditorCommand::kContinue:
      stepper_->run(breakpoints);
      break;
    case code::EditorCommand::kStop:
      return end();
    default:
      return;
  }
  moved();
}

void MapStepView::moved() {
  variables_ = stepper_->variables();
  lines_ = stepper_->line_counts();
}

// Frames that only record stay short.
void MapStepView::record() {
  if (!is_recording()) return;
  const auto until = std::chrono::steady_clock::now() + kRecordingTime;
  while (std::chrono::steady_clock::now() < until) {
    const std::vector<StepVariable> variables = recorder_->variables(true, 1);
    const StepVariable* x = nullptr;
    const StepVariable* y = nullptr;
    const int last = variables.empty() ? -1 : std::ranges::max(variables, {}, &StepVariable::depth).depth;
    for (int depth = 0; depth <= last && (x == nullptr || y == nullptr); ++depth) {
      x = variable_at(variables, depth, "x");
      y = variable_at(variables, depth, "y");
    }
    if (x != nullptr && y != nullptr) {
      PathStep path_step{.state = recorder_->state(), .at = {}};
      for (std::size_t lane = 0; lane < kLanes; ++lane)
        path_step.at[lane] = {static_cast<int>(x->values[lane]), static_cast<int>(y->values[lane])};
      if (path_steps_.empty() || path_steps_.back().at != path_step.at) path_steps_.push_back(path_step);
    }
    is_recorded_ = states_.size() > kMaxRecorded || !recorder_->step();
    if (is_recorded_) break;
    states_.push_back(recorder_->state());
  }
}

std::string MapStepView::sentence(int lane) const {
  if (const auto& problem = stepper_->problem()) return fmt::format("Stopped: {}", to_string(*problem));
  if (!has_lane(stepper_->lanes(), lane)) return fmt::format("Lane {} has no thread", lane);
  if (has_lane(stepper_->returned(), lane))
    return fmt::format("Lane {} has returned {}", lane, stepper_->result_text(lane));
  const std::string text = variables_.empty() ? fmt::format("Lane {} has no variables yet", lane)
                                              : capitalized(stepper_->describe(lane));
  return has_lane(stepper_->mask(), lane) ? text : text + " (inactive at this line)";
}

code::EditorCommand MapStepView::bar(bool has_breakpoints) {
  areas_.clear();
  code::EditorCommand command = code::EditorCommand::kNone;
  const std::string ended = stepper_->is_at_end() ? "The warp has ended" : "";
  const auto button = [&](const char* label, code::EditorCommand what, std::string_view reason,
                          std::string_view hint) {
    if (choice_button(label, false, button_width(label), reason, hint)) command = what;
    areas_[label] = item_area();
    ImGui::SameLine();
  };
  button("Back", code::EditorCommand::kStepBack,
         stepper_->statement() == 0 ? "This is the first statement" : "", "One statement back (Shift F10)");
  button("Step into", code::EditorCommand::kStepInto, ended,
         "To the next statement, also in a function that is called (F11)");
  button("Step over", code::EditorCommand::kStepOver, ended,
         "To the next statement of this function or of its caller (F10)");
  button("Step out", code::EditorCommand::kStepOut, ended, "To the caller (Shift F11)");
  button("Run to cursor", code::EditorCommand::kRunToCursor, ended,
         "To the line of the text cursor (Ctrl F10)");
  button("Continue", code::EditorCommand::kContinue, ended,
         has_breakpoints ? "To the next breakpoint, or to the end (F5)"
                         : "To the end (F5). A click on a line number sets a breakpoint (F9)");
  button("Stop", code::EditorCommand::kStop, {}, "Ends stepping (Shift F5, Esc)");
  // Statements of the whole warp, as far as they are known.
  const std::uint64_t last = states_.size() - 1;
  std::uint64_t at = std::min<std::uint64_t>(stepper_->statement(), last);
  const std::uint64_t first = 0;
  ImGui::SetNextItemWidth(std::max(remaining_width(), 4 * ImGui::GetFontSize()));
  const std::string text =
      fmt::format("{} of {}{}", stepper_->statement(), last, states_.size() > kMaxRecorded ? "+" : "");
  if (slider("##statement", &at, first, last, text.c_str())) {
    stepper_->seek(states_[at]);
    moved();
  }
  areas_["statement"] = item_area();
  tooltip("Statements that the warp has executed, of all that it executes. Drag to go to any of them");
  return command;
}

void MapStepView::position_row(int hovered_lane) const {
  ImGui::PushFont(font_of(FontFace::kBold));
  wrapped_text(sentence(hovered_lane));
  ImGui::PopFont();
}

void MapStepView::thread_fields() {
  const MapLaunch& launch = stepper_->launch();
  const MapThread now = thread_of(launch, thread_);
  const std::uint32_t in_block = launch.threads_per_block();
  struct Field {
    const char* name;
    const char* id;
    float width;
    std::uint64_t value;
    std::uint64_t end;
    const char* hint;
  };
  std::array<Field, 4> fields = {
      Field{"Block", "##block x", kBlockField, static_cast<std::uint64_t>(now.block_x),
            static_cast<std::uint64_t>(launch.grid_x),
            "blockIdx.x. A click on a cell or thread chooses one too"},
      Field{"", "##block y", kBlockField, static_cast<std::uint64_t>(now.block_y),
            static_cast<std::uint64_t>(launch.grid_y), "blockIdx.y"},
      Field{"Warp", "##warp", kLaneField, thread_in_block() / kLanes, (in_block + kLanes - 1) / kLanes,
            "32 threads of the thread block, in the order of threadIdx"},
      Field{"Lane", "##lane", kLaneField, static_cast<std::uint64_t>(lane()), kLanes,
            "A thread of the warp. Its row of the table and its way on the fractal are marked"}};
  bool is_changed = false;
  for (std::size_t i = 0; i < fields.size(); ++i) {
    Field& field = fields[i];
    if (i > 0) {
      ImGui::SameLine();
      const float label = *field.name == '\0' ? 0 : text_width(field.name) + ImGui::GetStyle().ItemSpacing.x;
      if (label + field.width * ImGui::GetFontSize() > remaining_width()) ImGui::NewLine();
    }
    if (*field.name != '\0') {
      ImGui::AlignTextToFramePadding();
      ImGui::TextUnformatted(field.name);
      ImGui::SameLine();
    }
    ImGui::SetNextItemWidth(field.width * ImGui::GetFontSize());
    const std::uint64_t before = field.value;
    number_field(field.id, fields_[i], field.value);
    areas_[field.id + 2] = item_area();
    tooltip(fmt::format("{}. Allowed: 0 to {}", field.hint, field.end - 1));
    if (field.value == before) continue;
    is_changed = true;
    problem_.clear();
    if (field.value >= field.end)
      problem_ =
          fmt::format("{} {} is not allowed; allowed: 0 to {}", field.id + 2, field.value, field.end - 1);
  }
  if (!problem_.empty()) warning(problem_);
  if (!is_changed || !problem_.empty()) return;
  const std::uint64_t block = fields[1].value * static_cast<std::uint64_t>(launch.grid_x) + fields[0].value;
  // The last warp may have fewer lanes.
  const std::uint64_t thread =
      std::min<std::uint64_t>(fields[2].value * kLanes + fields[3].value, in_block - 1);
  choose(block * in_block + thread);
}

void MapStepView::table() {
  hovered_lane_.reset();
  const theme::Colours& colours = theme::colours();
  std::string where = "The warp has ended";
  if (!stepper_->is_at_end()) {
    const std::vector<StepFrame> frames = stepper_->frames();
    where = fmt::format("Line {}: {} of {} lanes active", stepper_->line(), std::popcount(stepper_->mask()),
                        std::popcount(stepper_->lanes()));
    if (frames.size() > 1)
      where +=
          fmt::format(", in {}(), called at line {}", frames.back().function, frames[frames.size() - 2].line);
  }
  note(where);
  const bool has_results = stepper_->returned() != 0;
  const int columns = 1 + static_cast<int>(variables_.size()) + (has_results ? 1 : 0);
  constexpr ImGuiTableFlags kFlags = ImGuiTableFlags_ScrollX | ImGuiTableFlags_ScrollY |
                                     ImGuiTableFlags_SizingFixedFit | ImGuiTableFlags_BordersInnerV;
  constexpr int kMostColumns = 64;  // of ImGui's tables
  // ImGui keeps what it knows of a table's columns: another number of them is another table.
  const Text id = format_text("##lanes {}", columns);
  if (!ImGui::BeginTable(id.c_str(), std::min(columns, kMostColumns), kFlags, ImGui::GetContentRegionAvail()))
    return;
  std::optional<int> clicked;
  ImGui::TableSetupScrollFreeze(1, 1);
  ImGui::TableSetupColumn("Lane");
  if (has_results) ImGui::TableSetupColumn("Result");
  const std::size_t shown =
      std::min(variables_.size(), static_cast<std::size_t>(kMostColumns - 1 - has_results));
  for (std::size_t i = 0; i < shown; ++i) ImGui::TableSetupColumn(variables_[i].name.c_str());
  ImGui::TableHeadersRow();
  const glm::vec2 padding = ImGui::GetStyle().CellPadding;
  for (int lane = 0; lane < kLanes; ++lane) {
    if (!has_lane(stepper_->lanes(), lane)) continue;
    // At the end no lane is active, and the results of all are read.
    const bool is_active = stepper_->is_at_end() || has_lane(stepper_->mask(), lane);
    const bool is_chosen = lane == this->lane();
    ImGui::TableNextRow();
    if (is_chosen) ImGui::TableSetBgColor(ImGuiTableBgTarget_RowBg0, ImGui::GetColorU32(colours.grab));
    ImGui::TableNextColumn();
    ImGui::PushStyleVar(ImGuiStyleVar_Alpha, ImGui::GetStyle().Alpha * (is_active ? 1 : kInactiveAlpha));
    const Text number = format_text("{}", lane);
    if (ImGui::Selectable(number.c_str(), false, ImGuiSelectableFlags_SpanAllColumns)) clicked = lane;
    if (ImGui::IsItemHovered()) hovered_lane_ = lane;
    areas_[fmt::format("lane {}", lane)] = item_area();
    if (is_chosen && std::exchange(shown_lane_, lane) != lane) ImGui::SetScrollHereY();
    if (has_results) {
      ImGui::TableNextColumn();
      if (has_lane(stepper_->returned(), lane)) ImGui::TextUnformatted(stepper_->result_text(lane).c_str());
    }
    for (std::size_t i = 0; i < shown; ++i) {
      ImGui::TableNextColumn();
      const StepVariable& variable = variables_[i];
      const bool is_new = has_lane(variable.changed, lane);
      if (is_new) {
        glm::vec4 mark = colours.warning;
        mark.w = 0.3f;
        // Not TableSetBgColor(): it would also colour the header above a row that is scrolled half away.
        const glm::vec2 corner = glm::vec2(ImGui::GetCursorScreenPos()) - padding;
        const glm::vec2 end =
            corner + 2.0f * padding + glm::vec2(ImGui::GetContentRegionAvail().x, ImGui::GetTextLineHeight());
        ImGui::GetWindowDrawList()->AddRectFilled({corner.x, corner.y}, {end.x, end.y},
                                                  ImGui::GetColorU32(mark));
        ImGui::PushFont(font_of(FontFace::kBold));
      }
      right_aligned(format_text("{}", variable.text(lane)));
      if (is_new) ImGui::PopFont();
    }
    ImGui::PopStyleVar();
  }
  ImGui::EndTable();
  if (clicked) choose(thread_ - static_cast<std::uint64_t>(lane()) + static_cast<std::uint64_t>(*clicked));
}

code::ExecutionMarks MapStepView::marks() const {
  return {.lines = lines_,
          .is_stepped = true,
          .line = stepper_->line(),
          .active = stepper_->mask(),
          .lane = lane()};
}

SteppedWarp MapStepView::stepped_warp() const {
  SteppedWarp warp{.first_thread = thread_ - static_cast<std::uint64_t>(lane()),
                   .lanes = stepper_->lanes(),
                   .active = stepper_->mask(),
                   .lane = lane(),
                   .path = {},
                   .others = {}};
  const auto chosen = static_cast<std::size_t>(lane());
  const PathStep* last = nullptr;
  const auto add = [&](glm::ivec2 point) {
    if (warp.path.empty() || warp.path.back() != point) warp.path.push_back(point);
  };
  for (const PathStep& path_step : path_steps_) {
    if (path_step.state > stepper_->state()) break;
    add(path_step.at[chosen]);
    last = &path_step;
  }
  if (!formula_ && has_lane(stepper_->returned(), lane())) {
    const MapPoint point = stepper_->points()[chosen];
    if (!point.is_none()) add({point.x, point.y});
  }
  for (std::size_t other = 0; last != nullptr && other < kLanes; ++other) {
    if (other != chosen && has_lane(stepper_->mask(), static_cast<int>(other)))
      warp.others.push_back(last->at[other]);
  }
  return warp;
}

void MapStepView::add_state(nlohmann::ordered_json& json) const {
  json["stepping"] = nullptr;
  if (!stepper_) return;
  const MapThread thread = thread_of(stepper_->launch(), thread_);
  nlohmann::ordered_json step = {{"line", stepper_->line()},
                                 {"statement", stepper_->statement()},
                                 {"of", states_.size() - 1},
                                 {"recorded", is_recorded_},
                                 {"mask", stepper_->mask()},
                                 {"ended", stepper_->is_at_end()},
                                 {"block", {thread.block_x, thread.block_y}},
                                 {"warp", thread_in_block() / kLanes},
                                 {"lane", lane()},
                                 {"sentence", sentence(hovered_lane_.value_or(lane()))}};
  step["variables"] = nlohmann::ordered_json::object();
  for (const StepVariable& one : variables_) {
    if (is_real(one.type))
      step["variables"][one.name] = one.text(lane());
    else
      step["variables"][one.name] = one.values[static_cast<std::size_t>(lane())];
  }
  step["path"] = nlohmann::ordered_json::array();
  for (const glm::ivec2& point : stepped_warp().path) step["path"].push_back({point.x, point.y});
  json["stepping"] = std::move(step);
}

}  // namespace loom::app
