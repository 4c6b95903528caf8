#pragma once

#include "compute/mandelbrot/dwell.h"
#include "compute/mandelbrot/mandelbrot_config.h"
#include "compute/perturbation/perturbation.h"

namespace loom {

/// The numbers of a configuration with a perturbed precision.
inline PerturbedKind kind_of(const MandelbrotConfig& config) {
  const Precision precision = config.precision;
  return {.is_double = precision == Precision::kPerturbedDouble || precision == Precision::kPerturbedWide,
          .is_wide = precision == Precision::kPerturbedWide || precision == Precision::kPerturbedWideFloat,
          .is_exact = config.exact};
}

/// Prepares the orbit and the tables of a perturbed precision that is valid for the view (see
/// Perturbation::prepare()).
inline bool prepare_perturbation(Perturbation& perturbation, const MandelbrotConfig& config,
                                 const MandelbrotView& view, std::uint64_t available,
                                 ProgressMonitor* monitor) {
  // A Julia set has an orbit of 0 and one of the centre.
  const ProgressScope call(monitor, (config.set.julia ? 2 : 1) * std::uint64_t{config.dwell_limit});
  return perturbation.prepare(*view.decimal, view.width, view.height, config.dwell_limit, kind_of(config),
                              available, call, view.angle, config.set.julia);
}

/// Calls use(evaluator) with the evaluator of a configuration, whose precision is not kAuto. Those of
/// perturbed precisions come from `perturbed`: perturbed.evaluator<Real, kWide, kEstimates>(). kMayEstimate:
/// errors are estimated if the configuration is exact.
template <bool kMayEstimate, typename Perturbations, typename Use>
auto with_evaluator_of(const MandelbrotConfig& config, const MandelbrotView& view,
                       const Perturbations& perturbed, const Use& use) {
  if constexpr (kMayEstimate) {
    if (config.exact && config.precision == Precision::kPerturbedDouble)
      return use(perturbed.template evaluator<double, false, true>());
    if (config.exact && config.precision == Precision::kPerturbedWide)
      return use(perturbed.template evaluator<double, true, true>());
  }
  const bool direct = !is_perturbed(config.precision);
  if (direct && (!config.set.is_mandelbrot() || view.is_turned())) {
    if (config.precision == Precision::kDouble) return use(make_direct<double>(config.set, view));
    return use(make_direct<float>(config.set, view));
  }
  switch (config.precision) {
    case Precision::kAuto:
    case Precision::kFloat:
      break;
    case Precision::kDouble:
      return use(make_direct<double>(view));
    case Precision::kPerturbedFloat:
      return use(perturbed.template evaluator<float, false>());
    case Precision::kPerturbedDouble:
      return use(perturbed.template evaluator<double, false>());
    case Precision::kPerturbedWideFloat:
      return use(perturbed.template evaluator<float, true>());
    case Precision::kPerturbedWide:
      return use(perturbed.template evaluator<double, true>());
  }
  return use(make_direct<float>(view));
}

}  // namespace loom
