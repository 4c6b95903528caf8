#include "app/explain/table_steps.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "app/explain/index_width.h"
#include "app/explain/map_steps.h"
#include "compute/map/table_arithmetic.h"

namespace loom::app::explain {
namespace {

template <typename Int>
TableArithmetic<Int> table_arithmetic(const ThreadSpace& space) {
  return {space.tiled(), static_cast<const Coord<Int>*>(space.tables().view().arithmetic)};
}

template <typename LookUp>
TableLookup shown(const LookUp& read) {
  TableLookup look_up;
  look_up.size = widened(read.size);
  look_up.number = widened(read.number);
  look_up.index = read.first + read.number.y * read.size.x + read.number.x;
  look_up.entry = widened(read.entry);
  return look_up;
}

/// Writes the formulas of the sums. Call after all look-ups.
void write_formulas(TableSteps& steps, std::string_view name, Coord64 of) {
  if (!steps.present) {
    steps.formula_x = fmt::format("{}({}, {}) is undefined: its table entry marks a hole", name, of.x, of.y);
    steps.formula_y = steps.formula_x;
    return;
  }
  std::vector<std::uint64_t> xs;
  std::vector<std::uint64_t> ys;
  for (const TableLookup& look_up : steps.lookups) {
    xs.push_back(look_up.entry.x);
    ys.push_back(look_up.entry.y);
  }
  const auto formula = [&](char axis, const std::vector<std::uint64_t>& terms, std::uint64_t sum) {
    const std::string left = fmt::format("{}_{}({}, {}) = ", name, axis, of.x, of.y);
    return terms.size() < 2 ? left + std::to_string(sum)
                            : fmt::format("{}{} = {}", left, fmt::join(terms, " + "), sum);
  };
  steps.formula_x = formula('x', xs, steps.result.x);
  steps.formula_y = formula('y', ys, steps.result.y);
}

}  // namespace

TableSteps table_lambda_steps(const ThreadSpace& space, Coord64 omega) {
  check_omega(space, omega);
  TableSteps steps;
  with_width(space.tiled(), [&]<typename Int>(Int) {
    const TableArithmetic<Int> arithmetic = table_arithmetic<Int>(space);
    int next_x = 1;  // next level whose digit is used
    int next_y = 2;
    Coord64 sum;
    arithmetic.for_each_lambda_look_up(narrowed<Int>(omega), [&](bool is_y, const auto& read) {
      TableLookup look_up = shown(read);
      look_up.from_x = !is_y;
      int& next = is_y ? next_y : next_x;
      const auto replicas = [&](int mu) { return space.tiled().coarse_shape(mu).k; };
      for (std::uint64_t rest = look_up.size.x; rest > 1; rest /= replicas(next), next += 2)
        look_up.levels.push_back(next);
      sum = {sum.x + look_up.entry.x, sum.y + look_up.entry.y};
      look_up.sum = sum;
      look_up.formula =
          fmt::format("digits of levels {} of ω_{}: T[{}] = ({}, {})", fmt::join(look_up.levels, ", "),
                      is_y ? 'y' : 'x', look_up.index, look_up.entry.x, look_up.entry.y);
      steps.lookups.push_back(std::move(look_up));
    });
    steps.result = widened(arithmetic.lambda(narrowed<Int>(omega)));
  });
  write_formulas(steps, "λ", omega);
  return steps;
}

TableSteps table_nu_steps(const ThreadSpace& space, Coord64 place) {
  check_tile_position(space, place);
  TableSteps steps;
  with_width(space.tiled(), [&]<typename Int>(Int) {
    const TableArithmetic<Int> arithmetic = table_arithmetic<Int>(space);
    int next = 1;
    Coord64 sum;
    arithmetic.for_each_nu_look_up(narrowed<Int>(place), [&](const auto& read) {
      TableLookup look_up = shown(read);
      for (std::uint64_t rest = look_up.size.x * look_up.size.y; rest > 1; ++next) {
        const NbbShape& shape = space.tiled().coarse_shape(next);
        rest /= std::uint64_t{shape.s_x} * shape.s_y;
        look_up.levels.push_back(next);
      }
      look_up.hole = arithmetic.is_hole(read.entry);
      if (look_up.hole) look_up.entry = {};
      sum = {sum.x + look_up.entry.x, sum.y + look_up.entry.y};
      look_up.sum = sum;
      look_up.formula =
          fmt::format("levels {} of the position, ({}, {}): T[{}] = ", fmt::join(look_up.levels, ", "),
                      look_up.number.x, look_up.number.y, look_up.index);
      look_up.formula += look_up.hole ? "a hole" : fmt::format("({}, {})", look_up.entry.x, look_up.entry.y);
      steps.lookups.push_back(std::move(look_up));
    });
    const CompactCoord<Int> found = arithmetic.nu(narrowed<Int>(place));
    steps.present = found.present;
    if (found.present) steps.result = widened(found.omega);
  });
  write_formulas(steps, "ν", place);
  return steps;
}

}  // namespace loom::app::explain
