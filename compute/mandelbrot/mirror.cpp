#include "compute/mandelbrot/mirror.h"

#include "compute/mandelbrot/dwell.h"

namespace loom {
namespace {

template <typename Real>
bool rows_are_mirrored(const MandelbrotView& view) {
  const Direct<Real> grid = make_direct<Real>(view);
  for (std::uint32_t y = 1; y <= view.height / 2; ++y) {
    if (grid.im.at(y) != -grid.im.at(view.height - y)) return false;
  }
  return true;
}

}  // namespace

bool is_mirrored(const MandelbrotConfig& config, const MandelbrotView& view) {
  if (!config.optimisations.mirror || config.method == MandelbrotMethod::kExhaustive) return false;
  if (config.g % 2 != 0 || view.height % 2 != 0 || !config.set.mirrors_rows()) return false;
  // Perturbed orbits of mirrored pixels are those of different distances from the reference.
  if (is_perturbed(config.precision) || view.is_turned()) return false;
  return config.precision == Precision::kFloat ? rows_are_mirrored<float>(view)
                                               : rows_are_mirrored<double>(view);
}

}  // namespace loom
