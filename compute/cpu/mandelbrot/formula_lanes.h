#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <type_traits>
#include <vector>

#include "compute/engine/progress_monitor.h"
#include "compute/mandelbrot/dwell.h"
#include "compute/map_code/machine.h"
#include "compute/perturbation/evaluator.h"

namespace loom::cpu {

/// The interpreters of a custom formula for the threads of one computation, and what stopped the first of
/// them.
class FormulaRun {
 public:
  /// `monitor` may be null. Throws InputError unless the code may run.
  FormulaRun(const CustomFormula& formula, bool is_double, const ProgressMonitor* monitor,
             int dimensions = 2);
  const MapCode& code() const { return code_; }
  /// An interpreter, which goes back with give_back().
  std::unique_ptr<Machine> take();
  void give_back(std::unique_ptr<Machine> machine);
  /// One step of the lanes of a mask. Returns whether it ended without a fault, which is kept.
  bool step(Machine& machine, std::uint32_t mask);
  bool cancelled() {
    failed_ = failed_ || (monitor_ != nullptr && monitor_->cancelled());
    return failed();
  }
  bool failed() const { return failed_.load(std::memory_order_relaxed); }
  /// Throws InputError, one line, if a step had a fault; OperationCancelled if it was cancelled.
  void check();

 private:
  std::unique_ptr<Machine> make_machine() const;
  CustomFormula formula_;
  const MapCode& code_;
  const ProgressMonitor* monitor_;
  std::atomic<bool> failed_ = false;
  std::mutex mutex_;
  std::optional<CodeProblem> problem_;
  std::vector<std::unique_ptr<Machine>> idle_;
};

/// The evaluator of a custom formula on the CPU (compute/mandelbrot/dwell.h).
template <typename Real>
struct CustomOrbits : DirectFormula<Real> {
  FormulaRun* run;
};

/// As those of DirectFormula (dwell_lanes.h). After a fault they have no meaning.
template <typename Real>
void dwells_of(const CustomOrbits<Real>& set, const Real* re, const Real* im, std::size_t count,
               std::uint32_t limit, bool periodicity, std::uint32_t* dwells);
template <typename Real>
void smooth_dwells_of(const CustomOrbits<Real>& set, const Real* re, const Real* im,
                      const std::uint32_t* dwells, std::size_t count, float* smooth);

/// Dwells of a formula in space, whose c is the sample's point, and the orbit's first value.
void dwells_in_space(FormulaRun& run, const double* x, const double* y, const double* z, std::size_t count,
                     std::uint32_t limit, std::uint32_t* dwells);

/// The orbit of a point in double precision: the point and the following ones up to the first one outside, at
/// most `most` of them. Empty if the code may not run or has a fault.
std::vector<Complex<double>> orbit_of(const CustomFormula& formula, Complex<double> z, Complex<double> c,
                                      std::size_t most);

/// with_evaluator_of(), and `use` with the evaluator of a custom formula.
template <bool kMayEstimate, typename Perturbations, typename Use>
auto with_cpu_evaluator(const MandelbrotConfig& config, const MandelbrotView& view,
                        const Perturbations& perturbed, const ProgressMonitor* monitor, const Use& use) {
  if (config.set.formula != Formula::kCustom)
    return with_evaluator_of<kMayEstimate>(config, view, perturbed, use);
  const bool is_double = config.precision == Precision::kDouble;
  FormulaRun run(config.set.custom, is_double, monitor);
  const auto computed = [&](const auto& points) {
    using Real = typename std::decay_t<decltype(points)>::Value;
    const CustomOrbits<Real> orbits{points, &run};
    if constexpr (std::is_void_v<decltype(use(orbits))>) {
      use(orbits);
      run.check();
    } else {
      auto result = use(orbits);
      run.check();
      return result;
    }
  };
  return is_double ? computed(make_direct<double>(config.set, view))
                   : computed(make_direct<float>(config.set, view));
}

}  // namespace loom::cpu
