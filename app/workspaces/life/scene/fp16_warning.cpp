#include "app/workspaces/life/scene/fp16_warning.h"

#include <fmt/format.h>

#include "compute/geometry/tiled_fractal.h"
#include "compute/map/tensor_arithmetic.h"

namespace loom::app {

std::string fp16_limits(const FractalConfig& config) {
  const auto of_lambda = first_wrong_level(config.fractal, MapDirection::kLambda);
  const auto of_nu = first_wrong_level(config.fractal, MapDirection::kNu);
  std::string text;
  if (of_lambda) text = fmt::format("λ is wrong from tile level {} on", *of_lambda);
  if (of_nu && of_lambda) return text + fmt::format(", ν from {}", *of_nu);
  return of_nu ? fmt::format("ν is wrong from tile level {} on", *of_nu) : text;
}

std::string inexact_reason(const FractalConfig& config) {
  if (config.method.map == MapKind::kBoundingBox || is_exact(config.method.arithmetic)) return {};
  const int level = make_tiled_fractal(config.fractal, config.level, config.tile_size).coarse_level;
  const auto is_wrong = [&](MapDirection direction) {
    const auto first = first_wrong_level(config.fractal, direction);
    return first && level >= *first;
  };
  const bool lambda = is_wrong(MapDirection::kLambda);
  const bool nu = config.method.map == MapKind::kCompact && is_wrong(MapDirection::kNu);
  if (!lambda && !nu) return {};
  return fmt::format("Wrong picture: at tile level {}, the weights of tensor-fp16 for {} do not fit FP16",
                     level,
                     lambda && nu ? "λ and ν"
                     : lambda     ? "λ"
                                  : "ν");
}

}  // namespace loom::app
