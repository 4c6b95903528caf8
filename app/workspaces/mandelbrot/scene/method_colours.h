#pragma once

#include <glm/vec4.hpp>

#include "compute/mandelbrot/mandelbrot_config.h"

namespace loom::app {

/// The accent of a method in panes and bars. Distinct for colour-blind users; each also has a label.
inline glm::vec4 colour_of(MandelbrotMethod method) {
  switch (method) {
    case MandelbrotMethod::kExhaustive:
      return {0.87f, 0.62f, 0.25f, 1};
    case MandelbrotMethod::kDp:
      return {0.36f, 0.72f, 0.78f, 1};
    case MandelbrotMethod::kAsk:
      return {0.80f, 0.56f, 0.80f, 1};
  }
  return {1, 1, 1, 1};
}

}  // namespace loom::app
