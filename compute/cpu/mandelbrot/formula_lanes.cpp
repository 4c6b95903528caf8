#include "compute/cpu/mandelbrot/formula_lanes.h"

#include <fmt/format.h>
#include <omp.h>

#include <algorithm>
#include <array>
#include <bit>
#include <utility>

#include "compute/core/error.h"
#include "compute/mandelbrot/smooth_dwell.h"
#include "compute/mandelbrot/volume.h"

namespace loom::cpu {
namespace {

constexpr std::uint32_t kLanes = 32;
constexpr std::uint32_t kStepsToPoll = 1 << 12;

/// The orbits in the lanes of an interpreter, of points with kParts numbers.
template <typename Real, std::size_t kParts = 2>
class OrbitLanes {
 public:
  explicit OrbitLanes(FormulaRun& run) : run_(run), machine_(run.take()) {}
  ~OrbitLanes() { run_.give_back(std::move(machine_)); }
  OrbitLanes(const OrbitLanes&) = delete;
  OrbitLanes& operator=(const OrbitLanes&) = delete;

  void begin(std::uint32_t lane, const std::array<Real, kParts>& first, const std::array<Real, kParts>& c) {
    for (std::size_t part = 0; part < kParts; ++part) {
      z[part][lane] = first[part];
      c_[part][lane] = c[part];
    }
  }
  /// Returns false after a fault.
  bool step(std::uint32_t mask) {
    const auto number = [this](std::size_t i) { return machine_->numbers<Real>(static_cast<int>(i)); };
    for (std::size_t part = 0; part < kParts; ++part) {
      std::copy_n(z[part], kLanes, number(kParts + part));
      std::copy_n(c_[part], kLanes, number(2 * kParts + part));
    }
    if (!run_.step(*machine_, mask)) return false;
    for (std::size_t part = 0; part < kParts; ++part) std::copy_n(number(part), kLanes, z[part]);
    return true;
  }
  Real z[kParts][kLanes] = {};

 private:
  FormulaRun& run_;
  std::unique_ptr<Machine> machine_;
  Real c_[kParts][kLanes] = {};
};

/// `c`: null where it is an orbit's first point. Each lane takes the next point when its orbit has ended.
template <typename Real, std::size_t kParts>
void dwells_of_points(FormulaRun& run, const std::array<const Real*, kParts>& points,
                      const std::array<Real, kParts>* c, std::size_t count, std::uint32_t limit,
                      bool periodicity, std::uint32_t* dwells) {
  std::fill_n(dwells, count, 0u);
  if (run.failed()) return;
  OrbitLanes<Real, kParts> lanes(run);
  const Real radius = static_cast<Real>(run.code().escape_radius);
  const Real outside = radius * radius;
  std::size_t point[kLanes] = {};
  std::uint32_t dwell[kLanes] = {};
  std::uint32_t renew[kLanes] = {};  ///< the dwell at which the value that a cycle returns to is renewed
  Real earlier[kParts][kLanes] = {};
  std::uint32_t mask = 0;
  std::uint32_t steps = 0;
  std::size_t taken = 0;
  const auto begin = [&](std::uint32_t lane) {
    mask &= ~(1u << lane);
    if (taken == count) return;
    mask |= 1u << lane;
    std::array<Real, kParts> z;
    for (std::size_t part = 0; part < kParts; ++part) earlier[part][lane] = z[part] = points[part][taken];
    lanes.begin(lane, z, c != nullptr ? *c : z);
    point[lane] = taken++;
    dwell[lane] = 0;
    renew[lane] = 1;
  };
  for (std::uint32_t lane = 0; lane < kLanes; ++lane) begin(lane);
  while (mask != 0) {
    std::uint32_t ends[kLanes];
    for (std::uint32_t i = 0; i < kLanes; ++i) {
      Real square = lanes.z[0][i] * lanes.z[0][i];
      for (std::size_t part = 1; part < kParts; ++part) square += lanes.z[part][i] * lanes.z[part][i];
      const bool inside = square < outside;
      ends[i] = static_cast<std::uint32_t>(!inside) | static_cast<std::uint32_t>(dwell[i] >= limit);
    }
    std::uint32_t ended = 0;
    for (std::uint32_t i = 0; i < kLanes; ++i) ended |= ends[i] << i;
    ended &= mask;
    if (ended != 0) {
      for (; ended != 0; ended &= ended - 1) {
        const auto lane = static_cast<std::uint32_t>(std::countr_zero(ended));
        dwells[point[lane]] = dwell[lane];
        begin(lane);
      }
      continue;
    }
    if (!lanes.step(mask) || (++steps % kStepsToPoll == 0 && run.cancelled())) return;
    for (std::uint32_t i = 0; i < kLanes; ++i) ++dwell[i];
    if (!periodicity) continue;
    for (std::uint32_t i = 0; i < kLanes; ++i) {
      bool returned = true;
      const bool renews = dwell[i] == renew[i];
      for (std::size_t part = 0; part < kParts; ++part) {
        returned &= lanes.z[part][i] == earlier[part][i];
        earlier[part][i] = renews ? lanes.z[part][i] : earlier[part][i];
      }
      dwell[i] = returned ? limit : dwell[i];
      renew[i] = renews ? 2 * renew[i] : renew[i];
    }
  }
}

}  // namespace

template <typename Real>
void dwells_of(const CustomOrbits<Real>& set, const Real* re, const Real* im, std::size_t count,
               std::uint32_t limit, bool periodicity, std::uint32_t* dwells) {
  const std::array<Real, 2> c = {set.c.re, set.c.im};
  dwells_of_points<Real, 2>(*set.run, {re, im}, set.is_julia ? &c : nullptr, count, limit, periodicity,
                            dwells);
}

void dwells_in_space(FormulaRun& run, const double* x, const double* y, const double* z, std::size_t count,
                     std::uint32_t limit, std::uint32_t* dwells) {
  dwells_of_points<double, 3>(run, {x, y, z}, nullptr, count, limit, true, dwells);
}

template <typename Real>
void smooth_dwells_of(const CustomOrbits<Real>& set, const Real* re, const Real* im,
                      const std::uint32_t* dwells, std::size_t count, float* smooth) {
  std::fill_n(smooth, count, 0.0f);
  if (set.run->failed()) return;
  OrbitLanes<Real> lanes(*set.run);
  const std::uint32_t degree = set.run->code().degree;
  for (std::size_t first = 0; first < count; first += kLanes) {
    const auto used = static_cast<std::uint32_t>(std::min<std::size_t>(kLanes, count - first));
    std::uint32_t left[kLanes] = {};
    std::uint32_t mask = 0;
    for (std::uint32_t i = 0; i < used; ++i) {
      const std::array<Real, 2> z = {re[first + i], im[first + i]};
      lanes.begin(i, z, set.is_julia ? std::array{set.c.re, set.c.im} : z);
      left[i] = dwells[first + i] + static_cast<std::uint32_t>(smooth_more_steps(degree));
      mask |= static_cast<std::uint32_t>(left[i] != 0) << i;
    }
    Real last_x[kLanes];
    Real last_y[kLanes];
    std::copy_n(lanes.z[0], kLanes, last_x);
    std::copy_n(lanes.z[1], kLanes, last_y);
    while (mask != 0) {
      if (!lanes.step(mask)) return;
      for (std::uint32_t i = 0; i < used; ++i) {
        if ((mask >> i & 1) == 0) continue;
        last_x[i] = lanes.z[0][i];
        last_y[i] = lanes.z[1][i];
        if (--left[i] == 0) mask &= ~(1u << i);
      }
    }
    with_step(Formula::kMultibrot, degree, [&](auto step) {
      for (std::uint32_t i = 0; i < used; ++i) {
        smooth[first + i] = smooth_from<decltype(step)::kDegree>(
            dwells[first + i], static_cast<float>(last_x[i]), static_cast<float>(last_y[i]));
      }
    });
  }
}

#define LOOM_INSTANTIATE(Real)                                                                              \
  template void dwells_of(const CustomOrbits<Real>&, const Real*, const Real*, std::size_t, std::uint32_t,  \
                          bool, std::uint32_t*);                                                            \
  template void smooth_dwells_of(const CustomOrbits<Real>&, const Real*, const Real*, const std::uint32_t*, \
                                 std::size_t, float*);
LOOM_INSTANTIATE(float)
LOOM_INSTANTIATE(double)
#undef LOOM_INSTANTIATE

FormulaRun::FormulaRun(const CustomFormula& formula, bool is_double, const ProgressMonitor* monitor,
                       int dimensions)
    : formula_((dimensions == 3 ? check_in_space(formula) : formula.check(), formula)),
      code_(formula_.code(is_double)),
      monitor_(monitor) {
  // An allocation that fails in a parallel region would end the program.
  while (idle_.size() < static_cast<std::size_t>(omp_get_max_threads())) idle_.push_back(make_machine());
}

std::unique_ptr<Machine> FormulaRun::make_machine() const {
  auto machine = std::make_unique<Machine>(code_, MapFractal(), nullptr, false);
  machine->monitor = monitor_;
  return machine;
}

std::unique_ptr<Machine> FormulaRun::take() {
  const std::scoped_lock lock(mutex_);
  if (!idle_.empty()) {
    std::unique_ptr<Machine> machine = std::move(idle_.back());
    idle_.pop_back();
    return machine;
  }
  return make_machine();
}

void FormulaRun::give_back(std::unique_ptr<Machine> machine) {
  const std::scoped_lock lock(mutex_);
  idle_.push_back(std::move(machine));
}

bool FormulaRun::step(Machine& machine, std::uint32_t mask) {
  machine.begin_next(mask);
  if (machine.run()) return true;
  const std::scoped_lock lock(mutex_);
  if (!problem_ && machine.state().fault != Fault::kCancelled) problem_ = machine.problem();
  failed_ = true;
  return false;
}

void FormulaRun::check() {
  if (!failed()) return;
  if (!problem_) throw OperationCancelled();
  throw InputError(fmt::format("formula: {}", to_string(*problem_)));
}

std::vector<Complex<double>> orbit_of(const CustomFormula& formula, Complex<double> z, Complex<double> c,
                                      std::size_t most) {
  if (!formula.may_run()) return {};
  FormulaRun run(formula, true, nullptr);
  OrbitLanes<double> lanes(run);
  lanes.begin(0, {z.re, z.im}, {c.re, c.im});
  const double radius = run.code().escape_radius;
  std::vector<Complex<double>> points;
  while (points.size() < most) {
    const Complex<double> point{lanes.z[0][0], lanes.z[1][0]};
    points.push_back(point);
    if (!(point.re * point.re + point.im * point.im < radius * radius)) break;
    if (!lanes.step(1)) return {};
  }
  return points;
}

}  // namespace loom::cpu
