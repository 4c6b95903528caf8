#include "app/explain/map_steps.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "compute/core/error.h"
#include "compute/geometry/transforms.h"
#include "compute/map/shuffle_arithmetic.h"
#include "compute/map/table_arithmetic.h"

namespace loom::app::explain {
namespace {

/// The powers of level mu, from the tables of the engines.
template <typename Int>
const ShuffleLevel<Int>& level_of(const ThreadSpace& space, int mu) {
  return static_cast<const ShuffleLevel<Int>*>(space.tables().view().levels)[mu - 1];
}

/// The square of level mu that contains the tile at `place`. `weight` is its size in tiles, s^(mu - 1).
CellRect square_of(const TiledFractal& tiled, Coord64 place, Coord64 weight) {
  const Coord64 size{weight.x * tiled.rho_x, weight.y * tiled.rho_y};
  return {{place.x / weight.x * size.x, place.y / weight.y * size.y}, size};
}

/// "λ_x(2, 5) = 1·1 + 1·2 = 3", "λ_x(0, 0) = 0" without levels.
std::string sum_formula(const std::string& name, Coord64 of, const std::vector<std::string>& terms,
                        std::uint64_t sum) {
  const std::string left = fmt::format("{}({}, {}) = ", name, of.x, of.y);
  if (terms.empty()) return left + std::to_string(sum);
  return fmt::format("{}{} = {}", left, fmt::join(terms, " + "), sum);
}

template <typename Int>
LambdaSteps lambda_steps_of(const ThreadSpace& space, Coord64 omega64) {
  const TiledFractal& tiled = space.tiled();
  const auto omega = narrowed<Int>(omega64);
  const NbbTransform<Int> transform(tiled.shape, tiled.levels, tiled.coarse_level);
  LambdaSteps result{.omega = omega64, .steps = {}, .place = {}, .formula_x = {}, .formula_y = {}};
  result.place = widened(lambda_map(transform, tiled.coarse_level, omega));
  const auto digit_of = [&](int mu) {
    const Int rest = level_of<Int>(space, mu).k_power.divide(mu % 2 == 1 ? omega.x : omega.y);
    return static_cast<std::uint32_t>(rest % tiled.coarse_shape(mu).k);
  };
  // The coarser levels turn an offset; the coarsest is as it is.
  std::vector<Symmetry> symmetries(static_cast<std::size_t>(tiled.coarse_level) + 1);
  for (int mu = tiled.coarse_level; mu >= 1; --mu) {
    const Symmetry own = tiled.coarse_symmetry(mu, digit_of(mu));
    symmetries[static_cast<std::size_t>(mu - 1)] = compose(symmetries[static_cast<std::size_t>(mu)], own);
  }
  std::vector<std::string> terms_x;
  std::vector<std::string> terms_y;
  Coord64 sum;
  for (int mu = 1; mu <= tiled.coarse_level; ++mu) {
    const auto& powers = level_of<Int>(space, mu);
    const NbbShape& shape = tiled.coarse_shape(mu);
    LambdaStep step;
    step.level = mu;
    step.from_x = mu % 2 == 1;
    const Int coordinate = step.from_x ? omega.x : omega.y;
    step.rest = powers.k_power.divide(coordinate);
    step.digit = digit_of(mu);
    step.symmetry = symmetries[static_cast<std::size_t>(mu)];
    const Coord32 own{shape.offset_x[step.digit], shape.offset_y[step.digit]};
    step.offset = apply(step.symmetry, own, shape.s_x);
    step.weight = {powers.s_x_power.value(), powers.s_y_power.value()};
    step.term = {step.offset.x * step.weight.x, step.offset.y * step.weight.y};
    sum = {sum.x + step.term.x, sum.y + step.term.y};
    step.sum = sum;
    step.square = square_of(tiled, result.place, step.weight);
    if (tiled.is_uniform()) {
      step.formula = fmt::format(
          "β_{0} = ⌊ω_{1} / {2}^{3}⌋ mod {2} = ⌊{4} / {5}⌋ mod {2} = {6}, τ_{0} = H[{6}] = ({7}, {8})", mu,
          step.from_x ? 'x' : 'y', shape.k, (mu - 1) / 2, coordinate, powers.k_power.value(), step.digit,
          step.offset.x, step.offset.y);
    } else {
      step.formula = fmt::format(
          "β_{0} = ⌊ω_{1} / {2}⌋ mod {3} = ⌊{4} / {2}⌋ mod {3} = {5}, τ_{0} = H_{0}[{5}] = ({6}, {7})", mu,
          step.from_x ? 'x' : 'y', powers.k_power.value(), shape.k, coordinate, step.digit, own.x, own.y);
      if (tiled.is_turned())
        step.formula += fmt::format(", turned by q = {}: ({}, {})", loom::name_of(step.symmetry),
                                    step.offset.x, step.offset.y);
    }
    terms_x.push_back(fmt::format("{}·{}", step.offset.x, step.weight.x));
    terms_y.push_back(fmt::format("{}·{}", step.offset.y, step.weight.y));
    result.steps.push_back(std::move(step));
  }
  result.formula_x = sum_formula("λ_x", omega64, terms_x, result.place.x);
  result.formula_y = sum_formula("λ_y", omega64, terms_y, result.place.y);
  return result;
}

template <typename Int>
NuSteps nu_steps_of(const ThreadSpace& space, Coord64 place64) {
  const TiledFractal& tiled = space.tiled();
  const auto place = narrowed<Int>(place64);
  const NbbTransform<Int> transform(tiled.shape, tiled.levels, tiled.coarse_level);
  NuSteps result{
      .place = place64, .steps = {}, .present = false, .omega = {}, .formula_x = {}, .formula_y = {}};
  const CompactCoord<Int> found = nu_map(transform, tiled.coarse_level, place);
  result.present = found.present;
  if (found.present) result.omega = widened(found.omega);
  std::vector<std::string> terms_x;
  std::vector<std::string> terms_y;
  Coord64 sum;
  // The orientation at each level, and the coarsest level without a replica, which ends the walk of turned
  // ones.
  std::vector<Symmetry> symmetries(static_cast<std::size_t>(tiled.coarse_level) + 1);
  int last = 1;
  if (tiled.is_turned()) {
    last = tiled.coarse_level;
    Symmetry symmetry = Symmetry::kIdentity;
    symmetries[static_cast<std::size_t>(tiled.coarse_level)] = symmetry;
    walk_turned(transform, tiled.coarse_level, place, [&](int mu, int replica) {
      symmetry = compose(symmetry, tiled.coarse_symmetry(mu, static_cast<std::uint32_t>(replica)));
      symmetries[static_cast<std::size_t>(mu - 1)] = symmetry;
      last = mu - 1;
    });
  }
  const int first = tiled.is_turned() ? std::max(last, 1) : 1;
  for (int mu = first; mu <= tiled.coarse_level; ++mu) {
    const auto& powers = level_of<Int>(space, mu);
    const NbbShape& shape = tiled.coarse_shape(mu);
    NuStep step;
    step.level = mu;
    step.rest = {powers.s_x_power.divide(place.x), powers.s_y_power.divide(place.y)};
    step.offset = {static_cast<std::uint32_t>(step.rest.x % shape.s_x),
                   static_cast<std::uint32_t>(step.rest.y % shape.s_y)};
    step.symmetry = symmetries[static_cast<std::size_t>(mu)];
    const Coord32 own = apply(inverse(step.symmetry), step.offset, shape.s_x);
    step.replica = shape.replica_at[own.y * shape.s_x + own.x];
    step.to_x = mu % 2 == 1;
    step.weight = powers.k_power.value();
    if (step.replica >= 0)
      (step.to_x ? step.term.x : step.term.y) = static_cast<std::uint64_t>(step.replica) * step.weight;
    sum = {sum.x + step.term.x, sum.y + step.term.y};
    step.sum = sum;
    step.square = square_of(tiled, place64, {powers.s_x_power.value(), powers.s_y_power.value()});
    step.formula = fmt::format("τ_{0} = (⌊{1} / {2}⌋ mod {3}, ⌊{4} / {5}⌋ mod {6}) = ({7}, {8}), ", mu,
                               place.x, powers.s_x_power.value(), shape.s_x, place.y,
                               powers.s_y_power.value(), shape.s_y, step.offset.x, step.offset.y);
    if (tiled.is_turned())
      step.formula +=
          fmt::format("turned back by q = {}: ({}, {}), ", loom::name_of(step.symmetry), own.x, own.y);
    step.formula += fmt::format("b_{0} = H{3}⁻¹({1}, {2})", mu, own.x, own.y,
                                tiled.is_uniform() ? std::string() : fmt::format("_{}", mu));
    const bool hole = step.replica < 0;
    step.formula += hole ? ": no replica, a hole" : fmt::format(" = {}", step.replica);
    if (hole) {
      result.formula_x = fmt::format("ν({}, {}) is undefined: level {} has no replica at ({}, {})", place.x,
                                     place.y, mu, step.offset.x, step.offset.y);
      result.formula_y = result.formula_x;
      result.steps.push_back(std::move(step));
      return result;
    }
    (step.to_x ? terms_x : terms_y).push_back(fmt::format("{}·{}", step.replica, step.weight));
    result.steps.push_back(std::move(step));
  }
  result.formula_x = sum_formula("ν_x", place64, terms_x, result.omega.x);
  result.formula_y = sum_formula("ν_y", place64, terms_y, result.omega.y);
  return result;
}

}  // namespace

void check_omega(const ThreadSpace& space, Coord64 omega) {
  const TiledFractal& tiled = space.tiled();
  if (omega.x < tiled.orthotope_x && omega.y < tiled.orthotope_y) return;
  throw InputError(fmt::format("there is no tile ω ({}, {}); allowed: (0, 0) to ({}, {})", omega.x, omega.y,
                               tiled.orthotope_x - 1, tiled.orthotope_y - 1));
}

void check_tile_position(const ThreadSpace& space, Coord64 place) {
  const TiledFractal& tiled = space.tiled();
  if (place.x < tiled.grid_x && place.y < tiled.grid_y) return;
  throw InputError(fmt::format("tile ({}, {}) is outside the square; allowed: (0, 0) to ({}, {})", place.x,
                               place.y, tiled.grid_x - 1, tiled.grid_y - 1));
}

LambdaSteps lambda_steps(const ThreadSpace& space, Coord64 omega) {
  check_omega(space, omega);
  return with_width(space.tiled(), [&]<typename Int>(Int) { return lambda_steps_of<Int>(space, omega); });
}

NuSteps nu_steps(const ThreadSpace& space, Coord64 place) {
  check_tile_position(space, place);
  return with_width(space.tiled(), [&]<typename Int>(Int) { return nu_steps_of<Int>(space, place); });
}

namespace {

/// Lanes and rounds of the sum of `term_of(mu)` over the levels. Sums wrap as in the kernel.
template <typename Int, typename TermOf>
ShuffleSteps reduce(int levels, const TermOf& term_of) {
  ShuffleSteps steps;
  std::array<Coord<Int>, kWarpLanes> values;
  for (std::uint32_t lane = 0; lane < kWarpLanes; ++lane) {
    for (int mu = 1 + static_cast<int>(lane); mu <= levels; mu += kWarpLanes) {
      const CompactCoord<Int> term = term_of(mu);
      steps.lanes[lane].levels.push_back(mu);
      steps.lanes[lane].present = steps.lanes[lane].present && term.present;
      values[lane].x += term.omega.x;
      values[lane].y += term.omega.y;
    }
    steps.lanes[lane].value = widened(values[lane]);
    steps.present = steps.present && steps.lanes[lane].present;
  }
  for (std::uint32_t distance = kWarpLanes / 2; distance > 0; distance /= 2) {
    ShuffleRound round{.distance = distance, .values = {}};
    const auto before = values;
    for (std::uint32_t lane = 0; lane < kWarpLanes; ++lane) {
      values[lane].x += before[lane ^ distance].x;
      values[lane].y += before[lane ^ distance].y;
      round.values[lane] = widened(values[lane]);
    }
    steps.rounds.push_back(round);
  }
  if (steps.present) steps.result = widened(values[0]);
  return steps;
}

}  // namespace

ShuffleSteps shuffle_lambda_steps(const ThreadSpace& space, Coord64 omega) {
  check_omega(space, omega);
  return with_width(space.tiled(), [&]<typename Int>(Int) {
    const ShuffleArithmetic<Int> arithmetic(space.tiled(), space.tables().view().levels);
    return reduce<Int>(arithmetic.levels(), [&](int mu) {
      return CompactCoord<Int>{arithmetic.lambda_term(mu, narrowed<Int>(omega)), true};
    });
  });
}

ShuffleSteps shuffle_nu_steps(const ThreadSpace& space, Coord64 place) {
  check_tile_position(space, place);
  return with_width(space.tiled(), [&]<typename Int>(Int) {
    const ShuffleArithmetic<Int> arithmetic(space.tiled(), space.tables().view().levels);
    return reduce<Int>(arithmetic.levels(),
                       [&](int mu) { return arithmetic.nu_term(mu, narrowed<Int>(place)); });
  });
}

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
