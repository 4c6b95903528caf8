#include "compute/map_code/stepper.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>

#include "compute/core/error.h"
#include "compute/map_code/tokens.h"

namespace loom {
namespace {

/// Instructions between two states that are kept; those between them are run again.
constexpr std::uint64_t kKeepEvery = 512;

std::int64_t lane_of(const LaneUnit* at, Type type, std::size_t lane) {
  std::int64_t wide = 0;
  std::int32_t narrow = 0;
  const char* const memory = reinterpret_cast<const char*>(at);
  if (is_wide(type))
    std::memcpy(&wide, memory + sizeof(wide) * lane, sizeof(wide));
  else
    std::memcpy(&narrow, memory + sizeof(narrow) * lane, sizeof(narrow));
  return is_wide(type) ? wide : wrapped(type, narrow);
}

/// The variables of a state, with their memory.
std::vector<StepVariable> variables_of(const MapCode& code, const WarpState& state, bool of_all,
                                       std::size_t most) {
  std::vector<StepVariable> all;
  if (state.is_done) return all;
  for (std::size_t i = of_all ? 0 : state.calls.size() - 1; i < state.calls.size(); ++i) {
    const bool is_top = i + 1 == state.calls.size();
    const int at = is_top ? state.at : state.calls[i + 1].from;
    const int base = is_top ? state.base : state.calls[i + 1].base;
    for (const CodeVariable& one : item(code.functions, state.calls[i].function).variables) {
      if (at < one.begin || at >= one.end) continue;
      const auto names = member_names(one.type);
      int unit = base + one.unit;
      for (int element = 0; element < std::min(one.elements(), static_cast<int>(most)); ++element) {
        std::string index;
        int rest = element;
        for (auto size = one.dimensions.rbegin(); size != one.dimensions.rend(); rest /= *size++)
          index = fmt::format("[{}]", rest % *size) + index;
        for (int member = 0; member < members_of(one.type); ++member, unit += is_wide(one.type) ? 2 : 1) {
          StepVariable& made = all.emplace_back();
          made.name = one.name + index;
          if (!names.empty()) made.name.append(".").append(item(names, member));
          made.depth = static_cast<int>(i);
          made.line = one.line;
          made.type = member_type(one.type);
          for (std::size_t lane = 0; lane < 32; ++lane)
            made.values[lane] = lane_of(&item(state.memory, unit), one.type, lane);
        }
      }
    }
  }
  return all;
}

}  // namespace

MapStepper::MapStepper(MapProgram program, const NbbFractal& fractal, int level, std::int64_t block_x,
                       std::int64_t block_y, int warp)
    : program_(std::move(program)), machine_(*program_.code, MapFractal(fractal, level), nullptr, true) {
  check_map_request(fractal, {.code = {}, .level = level});
  machine_.begin_launch();
  if (!machine_.run()) throw InputError(to_string(machine_.problem({}, true)));
  launch_ = machine_.launched();
  if (const std::string problem = launch_problem(launch_); !problem.empty()) throw InputError(problem);
  if (block_x < 0 || block_x >= launch_.grid_x || block_y < 0 || block_y >= launch_.grid_y)
    throw InputError(fmt::format("the launch has no thread block ({}, {}); allowed: up to ({}, {})", block_x,
                                 block_y, launch_.grid_x - 1, launch_.grid_y - 1));
  const int warps = static_cast<int>((launch_.threads_per_block() + 31) / 32);
  if (warp < 0 || warp >= warps)
    throw InputError(fmt::format("a thread block has no warp {}; allowed: 0 to {}", warp, warps - 1));
  machine_.clear_counts();
  machine_.begin_warp(launch_, block_x, block_y, warp);
  begin();
}

MapStepper::MapStepper(MapProgram formula, const FormulaLanes& lanes)
    : program_(std::move(formula)),
      machine_(*program_.code, MapFractal(), nullptr, true),
      launch_{1, 1, 32, 1},
      orbits_(lanes) {
  machine_.begin_next(~LaneMask{0});
  const int dimensions = program_.code->dimensions();
  for (int i = 0; i < 2 * dimensions; ++i)
    std::ranges::copy(item(lanes.numbers, i), machine_.numbers<double>(dimensions + i));
  begin();
}

std::optional<FormulaLanes> MapStepper::next_lanes() const {
  if (!now().is_done || !is_formula()) return std::nullopt;
  FormulaLanes next = orbits_;
  for (int i = 0; i < program_.code->dimensions(); ++i)
    std::copy_n(machine_.numbers<double>(i), 32, item(next.numbers, i).begin());
  return next;
}

void MapStepper::begin() {
  lanes_ = now().mask;
  kept_.emplace(0, machine_.copy());
  while (!is_at_end() && !place().begins) advance();
  begin_ = state();
  before_ = machine_.copy();
}

/// One instruction.
void MapStepper::advance() {
  machine_.run(state() + 1);
  if (state() % kKeepEvery == 0 && !is_at_end() && state() > kept_.rbegin()->first)
    kept_.emplace(state(), machine_.copy());
  if (now().fault != Fault::kNone)
    problem_ = is_formula() ? machine_.problem() : machine_.problem(launch_, false);
}
void MapStepper::restore(const WarpState& state, std::uint64_t run_until) {
  machine_.restore(state);
  problem_.reset();
  while (!is_at_end() && this->state() < run_until) advance();
}

template <typename Fits>
bool MapStepper::forward(const Fits& fits) {
  if (is_at_end()) return false;
  before_ = machine_.copy();
  const std::uint64_t limit = state() + kMaxStepInstructions;
  do advance();
  while (!is_at_end() && !(place().begins && fits()) && state() < limit);
  // Between two statements, lanes are where no statement is.
  while (!is_at_end() && !place().begins) advance();
  return true;
}

bool MapStepper::step() {
  return forward([] { return true; });
}
bool MapStepper::step_over() {
  return forward([&, depth = now().calls.size()] { return now().calls.size() <= depth; });
}
bool MapStepper::step_out() {
  return forward([&, depth = now().calls.size()] { return now().calls.size() < depth; });
}
bool MapStepper::run_to(int line, std::set<int> breakpoints) {
  const auto next = std::ranges::lower_bound(program_.lines, line);
  if (next != program_.lines.end()) breakpoints.insert(*next);
  return run(breakpoints);
}
bool MapStepper::run(const std::set<int>& breakpoints) {
  return forward([&] { return breakpoints.contains(place().line); });
}
bool MapStepper::back() {
  if (state() <= begin_) return false;
  before_ = machine_.copy();
  std::uint64_t found = begin_;
  std::uint64_t end = state();
  auto from = kept_.lower_bound(end);
  do {
    --from;
    for (restore(from->second, 0); state() < end && !is_at_end(); advance())
      if (place().begins && state() > begin_) found = state();
    end = from->first;
  } while (found == begin_ && from != kept_.begin());
  restore(std::prev(kept_.upper_bound(found))->second, found);
  return true;
}
bool MapStepper::seek(std::uint64_t target) {
  const std::uint64_t from = state();
  target = std::max(target, begin_);
  if (target == from) return false;
  WarpState old = machine_.copy();
  const auto kept = std::prev(kept_.upper_bound(target));
  restore(target < from || kept->first > from ? kept->second : old, target);
  before_ = std::move(old);
  return state() != from;
}

LaneMask MapStepper::returned() const {
  if (now().is_done) return lanes_;
  LaneMask alive = now().mask;
  for (const WarpState::Masks& one : now().masks) alive |= one.join | one.other;
  for (std::size_t i = 1; i < now().calls.size(); ++i) alive |= now().calls[i].mask;
  return lanes_ & ~alive;
}

std::array<MapPoint, 32> MapStepper::points() const {
  std::array<MapPoint, 32> points;
  for (int lane = 0; lane < 32; ++lane)
    if (returned() >> lane & 1) item(points, lane) = machine_.point(lane);
  return points;
}

std::vector<StepFrame> MapStepper::frames() const {
  std::vector<StepFrame> frames;
  const auto& calls = now().calls;
  for (std::size_t i = 0; i < calls.size() && !now().is_done; ++i) {
    const int at = i + 1 < calls.size() ? calls[i + 1].from : now().at;
    frames.push_back({item(program_.code->functions, calls[i].function).name,
                      item(program_.code->instructions, at).line, calls[i].mask});
  }
  return frames;
}

std::vector<StepVariable> MapStepper::variables(bool of_all_frames, std::size_t max_elements) const {
  auto all = variables_of(*program_.code, machine_.copy(), of_all_frames, max_elements);
  const auto before = variables_of(*program_.code, before_, true, max_elements);
  for (StepVariable& one : all) {
    const auto old = std::ranges::find_if(before, [&](const StepVariable& other) {
      return other.depth == one.depth && other.line == one.line && other.name == one.name;
    });
    for (std::size_t lane = 0; lane < 32; ++lane) {
      const bool differs = old == before.end() ? (mask() >> lane & 1) != 0 && state() != begin_
                                               : old->values[lane] != one.values[lane];
      one.changed |= static_cast<LaneMask>(differs) << lane;
    }
    one.changed &= lanes_;
  }
  return all;
}

std::vector<LineCounts> MapStepper::line_counts() const {
  std::vector<LineCounts> lines;
  machine_.add_counts(lines);
  return lines;
}

std::string StepVariable::text(int lane) const {
  const std::int64_t value = item(values, lane);
  if (type == Type::kFloat)
    return fmt::format("{:.7g}", std::bit_cast<float>(static_cast<std::int32_t>(value)));
  if (type == Type::kDouble) return fmt::format("{:.7g}", std::bit_cast<double>(value));
  return is_unsigned() ? fmt::format("{}", static_cast<std::uint64_t>(value)) : fmt::format("{}", value);
}

std::string MapStepper::result_text(int lane) const {
  const auto number = [&](int i) { return machine_.numbers<double>(i)[lane]; };
  if (is_formula() && program_.code->dimensions() == 3)
    return fmt::format("({:.7g}, {:.7g}, {:.7g})", number(0), number(1), number(2));
  if (is_formula()) return fmt::format("{:.7g} {:+.7g} i", number(0), number(1));
  const MapPoint point = machine_.point(lane);
  return point.is_none() ? "none()" : fmt::format("cell({}, {})", point.x, point.y);
}

std::string MapStepper::describe(int lane) const {
  constexpr int kMost = 8;
  if (returned() >> lane & 1) return fmt::format("lane {}: has returned {}", lane, result_text(lane));
  const std::vector<StepVariable> all = variables();
  const auto has_changed = [&](const StepVariable& one) { return (one.changed >> lane & 1) != 0; };
  const bool only_changed = std::ranges::any_of(all, has_changed);
  std::string text;
  int count = 0;
  for (const StepVariable& one : all)
    if ((!only_changed || has_changed(one)) && ++count <= kMost)
      text += fmt::format("{}{} = {}", count == 1 ? "" : ", ", one.name, one.text(lane));
  return fmt::format("lane {}: {}", lane, text.empty() ? "no variables" : text);
}

}  // namespace loom
