#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "compute/engine/progress_monitor.h"
#include "compute/mandelbrot/decimal_view.h"

namespace loom {

/// The centre of a component of the Mandelbrot set: c whose orbit of 0 returns to 0.
struct Nucleus {
  std::string re;  ///< with the digits that a view of its size needs
  std::string im;
  std::uint32_t period = 0;
  /// Estimate of the size of the component, as a decimal number: about the width of a minibrot's cardioid.
  std::string size;
  std::uint32_t newton_steps = 0;
};

/// Finds the nucleus of lowest period in a view of width x height pixels: the period is the first n for which
/// 0 is in the image of the view under n iterations, to first order; Newton's method then finds the root of
/// Z_period(c) from the view's centre (C. Heiland-Allen, "Deep zoom theory and practice (again)"). Nothing if
/// there is none up to period `max_period`, or if the root is outside of the view. Throws OperationCancelled,
/// CapacityError.
std::optional<Nucleus> find_nucleus(const DecimalView& view, std::uint32_t width, std::uint32_t height,
                                    std::uint32_t max_period, std::uint64_t available,
                                    const ProgressScope& call);

}  // namespace loom
