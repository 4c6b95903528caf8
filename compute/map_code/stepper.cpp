#include "compute/map_code/stepper.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <map>

#include "compute/core/error.h"
#include "compute/map_code/machine.h"

namespace loom {
namespace {

/// Instructions between two states that are kept; those between them are run again.
constexpr std::uint64_t kKeepEvery = 512;

}  // namespace

struct MapStepper::State {
  State(MapProgram of, const NbbFractal& on, int level)
      : program(std::move(of)), fractal(on, level), machine(*program.code, fractal, nullptr, true) {}
  MapProgram program;
  MapFractal fractal;
  Machine machine;
  MapLaunch launch;
  MapThread first;  ///< lane 0, in its thread block
  int warp = 0;
  LaneMask lanes = 0;
  std::uint64_t begin = 0;                   ///< state of the first statement
  std::map<std::uint64_t, WarpState> kept;   ///< by state
  WarpState before;                          ///< the last movement
  std::optional<CodeProblem> problem;

  const WarpState& now() const { return machine.state(); }
  const InstructionPlace& place() const { return program.code->places[static_cast<std::size_t>(now().at)]; }
  bool is_at_end() const { return now().is_done || now().fault != Fault::kNone; }

  /// One instruction.
  void advance() {
    machine.run(now().instructions + 1);
    if (now().instructions % kKeepEvery == 0 && !is_at_end() && now().instructions > kept.rbegin()->first)
      kept.emplace(now().instructions, machine.copy());
    if (now().fault != Fault::kNone) problem = machine.problem(launch, false);
  }
  void restore(const WarpState& state) {
    machine.restore(state);
    problem.reset();
  }
  void run_until(std::uint64_t state) {
    while (!is_at_end() && now().instructions < state) advance();
  }
  template <typename Fits>
  bool forward(const Fits& fits) {
    if (is_at_end()) return false;
    before = machine.copy();
    const std::uint64_t limit = now().instructions + kMaxStepInstructions;
    do advance();
    while (!is_at_end() && !(place().begins && fits()) && now().instructions < limit);
    // Between two statements, lanes are where no statement is.
    while (!is_at_end() && !place().begins) advance();
    return true;
  }
  /// To the last statement before this one that fits, else to the begin.
  template <typename Fits>
  bool backward(const Fits& fits) {
    const std::uint64_t from = now().instructions;
    if (from <= begin) return false;
    const WarpState old = machine.copy();
    std::uint64_t end = from;
    for (auto state = std::prev(kept.lower_bound(from));; --state) {
      std::uint64_t found = 0;
      restore(state->second);
      for (; now().instructions < end && !is_at_end(); advance())
        if (place().begins && now().instructions >= begin && fits()) found = now().instructions;
      if (found != 0 || (state == kept.begin() && begin == 0)) {
        end = found;
      } else if (state != kept.begin()) {
        end = state->first;
        continue;
      } else {
        end = begin;
      }
      restore(state->second);
      run_until(end);
      break;
    }
    before = old;
    return true;
  }
};

MapStepper::MapStepper(MapProgram program, const NbbFractal& fractal, int level, std::int64_t block_x,
                       std::int64_t block_y, int warp) {
  check_map_request(fractal, {.code = {}, .level = level});
  state_ = std::make_unique<State>(std::move(program), fractal, level);
  State& state = *state_;
  Machine& machine = state.machine;
  machine.begin_launch(state.program.tree->launch);
  if (!machine.run()) throw InputError(to_string(machine.problem({}, true)));
  state.launch = machine.launched();
  if (const std::string problem = launch_problem(state.launch); !problem.empty()) throw InputError(problem);
  const MapLaunch& launch = state.launch;
  if (block_x < 0 || block_x >= launch.grid_x || block_y < 0 || block_y >= launch.grid_y)
    throw InputError(fmt::format("the launch has no thread block ({}, {}); allowed: up to ({}, {})", block_x, block_y,
                                 launch.grid_x - 1, launch.grid_y - 1));
  const int warps = static_cast<int>((launch.threads_per_block() + 31) / 32);
  if (warp < 0 || warp >= warps)
    throw InputError(fmt::format("a thread block has no warp {}; allowed: 0 to {}", warp, warps - 1));
  state.first = {block_x, block_y, 0, 0};
  state.warp = warp;
  machine.clear_counts();
  machine.begin_warp(state.program.tree->cell_of_thread, launch, block_x, block_y, warp);
  state.lanes = machine.state().mask;
  state.kept.emplace(0, machine.copy());
  while (!state.is_at_end() && !state.place().begins) state.advance();
  state.begin = state.now().instructions;
  state.before = machine.copy();
}
MapStepper::MapStepper(MapStepper&&) noexcept = default;
MapStepper& MapStepper::operator=(MapStepper&&) noexcept = default;
MapStepper::~MapStepper() = default;

bool MapStepper::step() {
  return state_->forward([] { return true; });
}
bool MapStepper::step_over() {
  const std::size_t depth = state_->now().calls.size();
  return state_->forward([&] { return state_->now().calls.size() <= depth; });
}
bool MapStepper::step_out() {
  const std::size_t depth = state_->now().calls.size();
  return state_->forward([&] { return state_->now().calls.size() < depth; });
}
bool MapStepper::run_to(int line, const std::set<int>& breakpoints) {
  std::set<int> all = breakpoints;
  const auto& lines = state_->program.lines;
  if (const auto next = std::ranges::lower_bound(lines, line); next != lines.end()) all.insert(*next);
  return run(all);
}
bool MapStepper::run(const std::set<int>& breakpoints) {
  return state_->forward([&] { return breakpoints.contains(state_->place().line); });
}
bool MapStepper::back() {
  return state_->backward([] { return true; });
}
bool MapStepper::back_to(const std::set<int>& breakpoints) {
  return state_->backward([&] { return breakpoints.contains(state_->place().line); });
}
bool MapStepper::seek(std::uint64_t target) {
  State& state = *state_;
  const std::uint64_t from = this->state();
  if (target == from) return false;
  const WarpState old = state.machine.copy();
  const auto kept = std::prev(state.kept.upper_bound(std::max(target, state.begin)));
  if (target < from || kept->first > from) state.restore(kept->second);
  state.run_until(std::max(target, state.begin));
  state.before = old;
  return this->state() != from;
}

std::uint64_t MapStepper::state() const { return state_->now().instructions; }
std::uint64_t MapStepper::statement() const { return state_->now().statements; }
bool MapStepper::is_at_end() const { return state_->is_at_end(); }
const std::optional<CodeProblem>& MapStepper::problem() const { return state_->problem; }
int MapStepper::line() const { return state_->now().is_done ? 0 : state_->place().line; }
int MapStepper::column() const { return state_->now().is_done ? 0 : state_->place().column; }
LaneMask MapStepper::mask() const { return state_->now().is_done ? 0 : state_->now().mask; }
LaneMask MapStepper::lanes() const { return state_->lanes; }
const MapLaunch& MapStepper::launch() const { return state_->launch; }
const MapProgram& MapStepper::program() const { return state_->program; }
MapCounts MapStepper::counts() const { return state_->now().totals; }

LaneMask MapStepper::returned() const {
  const WarpState& now = state_->now();
  if (now.is_done) return lanes();
  LaneMask alive = now.mask;
  for (const WarpState::Masks& one : now.masks) alive |= one.join | one.other;
  for (std::size_t i = 1; i < now.calls.size(); ++i) alive |= now.calls[i].mask;
  return lanes() & ~alive;
}

MapThread MapStepper::thread_of_lane(int lane) const {
  const std::int64_t thread = std::int64_t{state_->warp} * 32 + lane;
  MapThread of = state_->first;
  of.thread_x = thread % launch().block_x;
  of.thread_y = thread / launch().block_x;
  return of;
}

std::array<MapPoint, 32> MapStepper::points() const {
  std::array<MapPoint, 32> points;
  for (int lane = 0; lane < 32; ++lane)
    if (returned() >> lane & 1) points[static_cast<std::size_t>(lane)] = state_->machine.point(lane);
  return points;
}

std::vector<StepFrame> MapStepper::frames() const {
  const WarpState& now = state_->now();
  std::vector<StepFrame> frames;
  if (now.is_done) return frames;
  for (std::size_t i = 0; i < now.calls.size(); ++i) {
    const int at = i + 1 < now.calls.size() ? now.calls[i + 1].from : now.at;
    frames.push_back({state_->program.tree->functions[static_cast<std::size_t>(now.calls[i].function)].name,
                      state_->program.code->places[static_cast<std::size_t>(at)].line, now.calls[i].mask});
  }
  return frames;
}

namespace {

/// The variables of a state, with their memory.
std::vector<StepVariable> variables_of(const MapProgram& program, const WarpState& state, bool of_all, std::size_t most) {
  static constexpr std::array<std::array<const char*, 4>, 2> kMembers = {
      {{"x", "y", "", ""}, {"grid_x", "grid_y", "block_x", "block_y"}}};
  std::vector<StepVariable> all;
  if (state.is_done) return all;
  for (std::size_t i = of_all ? 0 : state.calls.size() - 1; i < state.calls.size(); ++i) {
    const bool is_top = i + 1 == state.calls.size();
    const int at = is_top ? state.at : state.calls[i + 1].from;
    const int base = is_top ? state.base : state.calls[i + 1].base;
    for (const CodeVariable& one : program.code->functions[static_cast<std::size_t>(state.calls[i].function)].variables) {
      if (at < one.begin || at >= one.end) continue;
      const Variable& variable = program.tree->variables[static_cast<std::size_t>(one.variable)];
      const int members = std::max(1, info(variable.type).members);
      const int units = is_wide(variable.type) ? 2 : 1;
      const auto elements = std::min(static_cast<std::size_t>(variable.elements()), most);
      for (std::size_t element = 0; element < elements; ++element) {
        for (int member = 0; member < members; ++member) {
          StepVariable& made = all.emplace_back();
          made.name = variable.name;
          std::string index;
          std::size_t rest = element;
          for (auto size = variable.dimensions.rbegin(); size != variable.dimensions.rend(); ++size) {
            index = fmt::format("[{}]", rest % static_cast<std::size_t>(*size)) + index;
            rest /= static_cast<std::size_t>(*size);
          }
          made.name += index;
          if (members > 1)
            made.name += std::string(".") + kMembers[variable.type == Type::kLaunch][static_cast<std::size_t>(member)];
          made.depth = static_cast<int>(i);
          made.line = variable.line;
          const int unit = base + one.unit + (static_cast<int>(element) * members + member) * units;
          for (std::size_t lane = 0; lane < 32; ++lane) {
            const char* const memory = reinterpret_cast<const char*>(state.memory[static_cast<std::size_t>(unit)].lanes);
            if (units == 2) {
              std::memcpy(&made.values[lane], memory + 8 * lane, 8);
            } else {
              std::int32_t value = 0;
              std::memcpy(&value, memory + 4 * lane, 4);
              made.values[lane] = converted(is_number(variable.type) ? variable.type : Type::kInt, value);
            }
          }
        }
      }
    }
  }
  return all;
}

}  // namespace

std::vector<StepVariable> MapStepper::variables(bool of_all_frames, std::size_t max_elements) const {
  std::vector<StepVariable> now = variables_of(program(), state_->machine.copy(), of_all_frames, max_elements);
  const std::vector<StepVariable> before = variables_of(program(), state_->before, true, max_elements);
  for (StepVariable& one : now) {
    const auto old = std::ranges::find_if(before, [&](const StepVariable& other) {
      return other.depth == one.depth && other.line == one.line && other.name == one.name;
    });
    for (std::size_t lane = 0; lane < 32; ++lane) {
      const bool differs = old == before.end() ? (mask() >> lane & 1) != 0 && state() != state_->begin
                                               : old->values[lane] != one.values[lane];
      one.changed |= static_cast<LaneMask>(differs) << lane;
    }
    one.changed &= lanes();
  }
  return now;
}

std::vector<StepLine> MapStepper::line_counts() const {
  std::vector<StepLine> lines(static_cast<std::size_t>(state_->program.code->max_line) + 1);
  std::vector<std::uint64_t> last(lines.size());
  const auto& counts = state_->now().counts;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    const InstructionPlace& place = state_->program.code->places[i];
    StepLine& line = lines[static_cast<std::size_t>(place.line)];
    line.divergent += counts[i].divergent;
    if (!place.begins || counts[i].executions == 0) continue;
    line.executions += counts[i].executions;
    line.lanes += counts[i].lanes;
    if (counts[i].last < last[static_cast<std::size_t>(place.line)]) continue;
    last[static_cast<std::size_t>(place.line)] = counts[i].last;
    line.last_mask = counts[i].last_mask;
  }
  return lines;
}

std::string MapStepper::describe(int lane) const {
  constexpr std::size_t kMost = 8;
  if (returned() >> lane & 1) {
    const MapPoint point = points()[static_cast<std::size_t>(lane)];
    return point.is_none() ? fmt::format("lane {}: has returned none()", lane)
                           : fmt::format("lane {}: has returned cell({}, {})", lane, point.x, point.y);
  }
  const std::vector<StepVariable> all = variables();
  std::string text;
  for (const bool only_changed : {true, false}) {
    std::size_t count = 0;
    for (const StepVariable& one : all) {
      if ((only_changed && (one.changed >> lane & 1) == 0) || ++count > kMost) continue;
      text += fmt::format("{}{} = {}", text.empty() ? "" : ", ", one.name, one.values[static_cast<std::size_t>(lane)]);
    }
    if (!text.empty()) break;
  }
  return fmt::format("lane {}: {}", lane, text.empty() ? "no variables" : text);
}

}  // namespace loom
